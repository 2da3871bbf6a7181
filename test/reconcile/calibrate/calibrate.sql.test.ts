/**
 * `calibrate` on worlds whose truth is known: the balances are written out by hand as the platform would hold them
 * under one profile, the nights are proven under another (U23, U35–U37).
 */
import { describe, expect, test } from 'vitest';
import { CASES } from './calibrate-cases.ts';
import { DEFAULT, PAYEE, PAYER, calibrateWorld, profileOf } from './calibrate-world.ts';

const { db, books, orders, balances, night, calibrated } = await calibrateWorld();

/** As the cases reckon with it. */
async function trade(): Promise<void> {
  await books.deposits(PAYER, [
    { orderNo: 'D1', at: '2026-03-01 08:00:00', amountFen: 50_000n, feeFen: 100n, feeType: 'ACCOUNT' },
  ]);
  const both = { payer: PAYER, payee: PAYEE, settle: { state: 'moved' as const } };
  await orders.transfer({ out: 'T1', amountFen: 10_000n, feeFen: 30n, feeType: 'ACCOUNT', ...both });
  await orders.transfer({ out: 'T2', amountFen: 20_000n, feeFen: 50n, feeType: 'ORDER', ...both });
  await orders.withdrawal({ out: 'W1', account: PAYER, amountFen: 5_000n, feeFen: 20n, feeType: 'ACCOUNT' });
  await orders.withdrawal({ out: 'W2', account: PAYEE, amountFen: 3_000n, feeFen: 7n, feeType: 'ACCOUNT' });
}

describe('what the balances of one night say', () => {
  test.each(CASES.map((world) => [world.name, world] as const))('%s', async (_name, world) => {
    const { assumed = DEFAULT, truth, accounts, all } = world;
    await trade();
    await balances('2026-03-02', truth);
    await night('2026-03-01', assumed);
    expect(await calibrated(assumed)).toEqual({ accounts, all });
  });

  test('U36: a refund of the whole gives the fee back, to whoever bore it', async () => {
    const both = { payer: PAYER, payee: PAYEE };
    const whole = [{ amountFen: 10_000n, finalAt: '2026-03-01 12:00:00' }];
    await orders.transfer({
      out: 'T1',
      amountFen: 10_000n,
      feeFen: 30n,
      feeType: 'ACCOUNT',
      refunds: whole,
      ...both,
    });
    await orders.transfer({
      out: 'T2',
      amountFen: 10_000n,
      feeFen: 50n,
      feeType: 'ORDER',
      refunds: whole,
      ...both,
    });
    await orders.transfer({
      out: 'T3',
      amountFen: 10_000n,
      feeFen: 70n,
      feeType: 'ACCOUNT',
      refunds: [{ amountFen: 9_000n, finalAt: '2026-03-01 12:00:00' }],
      ...both,
    });
    // Payer: −30,000 + 29,000 − 30 − 70 + 30. Payee: +29,950 − 29,000 + 50.
    await balances('2026-03-02', { payer: 998_930n, payee: 1_001_000n });
    await night('2026-03-01', DEFAULT);
    expect(await calibrated(DEFAULT)).toEqual({
      accounts: [`${PAYER} 30, refund.feeReturned=true`, `${PAYEE} 50, refund.feeReturned=true`],
      all: ['refund.feeReturned=true'],
    });
  });

  test('U49: a withdrawal that came back gave its fee back, whoever bore it', async () => {
    await orders.withdrawal({
      out: 'W1',
      account: PAYER,
      amountFen: 5_000n,
      feeFen: 20n,
      feeType: 'ACCOUNT',
      returned: { finalAt: '2026-03-01 15:00:00' },
    });
    await orders.withdrawal({ out: 'W2', account: PAYER, amountFen: 100n, feeFen: 9n, feeType: 'ACCOUNT' });
    await balances('2026-03-02', { payer: 999_900n, payee: 1_000_000n });
    await night('2026-03-01', DEFAULT);
    expect(await calibrated(DEFAULT)).toEqual({
      accounts: [`${PAYER} 9, fees.bearer.withdraw=external`],
      all: ['fees.bearer.withdraw=external'],
    });
  });
});

describe('U23: what is in flight', () => {
  const FROZEN = profileOf({ inflight: { model: 'frozen' } });
  const DEBITED = profileOf({ inflight: { model: 'debited' } });
  const T1 = { out: 'T1', amountFen: 10_000n, feeFen: 30n, feeType: 'ACCOUNT', payer: PAYER, payee: PAYEE };
  const T2 = { ...T1, out: 'T2', amountFen: 4_000n, feeFen: 40n, state: 'open' as const };

  test('an open order was debited already, with the fee its payer bears', async () => {
    await orders.transfer(T1);
    await orders.transfer(T2);
    await balances('2026-03-02', { payer: 985_930n, payee: 1_010_000n });
    await night('2026-03-01', FROZEN);
    expect(await calibrated(FROZEN)).toEqual({
      accounts: [`${PAYER} -4040, inflight.model=debited`],
      all: ['inflight.model=debited'],
    });
    await night('2026-03-01', DEFAULT);
    expect(await calibrated(DEFAULT)).toEqual({ accounts: [], all: [] });
  });

  test('an open order was only frozen, although the profile says debited', async () => {
    await orders.transfer(T1);
    await orders.transfer(T2);
    await balances('2026-03-02', { payer: 989_970n, payee: 1_010_000n });
    await night('2026-03-01', DEBITED);
    expect(await calibrated(DEBITED)).toEqual({
      accounts: [`${PAYER} 4040, inflight.model=frozen`],
      all: ['inflight.model=frozen'],
    });
  });

  test('debited without the fee, which the payee bears: two keys, or one where the model is left open', async () => {
    await orders.transfer(T1);
    await orders.transfer(T2);
    await balances('2026-03-02', { payer: 986_000n, payee: 1_009_970n });
    await night('2026-03-01', FROZEN);
    expect(await calibrated(FROZEN)).toEqual({
      accounts: [
        `${PAYER} -3970, fees.bearer.transfer=payee + inflight.model=debited, ` +
          'fees.bearer.transfer=external + inflight.model=debited',
        `${PAYEE} -30, fees.bearer.transfer=payee`,
      ],
      all: ['fees.bearer.transfer=payee + inflight.model=debited'],
    });
    await emptyProofs();
    await night('2026-03-01', DEFAULT);
    expect((await calibrated(DEFAULT)).all).toEqual(['fees.bearer.transfer=payee']);
  });

  test('orders that were open at a first balance are not counted twice', async () => {
    await db.updateTable('account').set({ opening_fen: null, opening_at: null }).execute();
    await orders.transfer(T2);
    await balances('2026-03-02', { payer: 995_960n, payee: 1_000_000n });
    await night('2026-03-01', FROZEN);
    await orders.transfer({
      ...T2,
      state: 'moved',
      lastOpenAt: '2026-03-02 08:00:00',
      finalAt: '2026-03-02 09:00:00',
    });
    await balances('2026-03-03', { payer: 995_960n, payee: 1_004_000n });
    await night('2026-03-02', FROZEN);
    // Frozen says: 995,960 − 4,040 were due. Debited says: the first balance had lost them already.
    expect(await calibrated(FROZEN)).toEqual({
      accounts: [`${PAYER} 4040, inflight.model=debited`],
      all: ['inflight.model=debited'],
    });
  });
});

/** Takes the nights back, not the facts. */
async function emptyProofs(): Promise<void> {
  for (const table of [
    'finding',
    'run_account',
    'break_event',
    'break_told',
    'break_found',
    'break',
    'run',
  ] as const) {
    await db.deleteFrom(table).execute();
  }
}
