/** A record that contradicts itself is told for as long as it does, whichever night read it or saw it become so (P10). */
import { afterEach, expect, test } from 'vitest';
import type { NightOutcome } from '../helpers/findings.ts';
import { findingsOf } from '../helpers/night.ts';
import type { Night } from '../helpers/night.ts';
import { openTrade } from '../helpers/trade.ts';

let night: Night;
afterEach(() => night.close());

const TOLD = ['D1', 'D2', 'T1', 'W1', 'W2'].map((no) => `fee_invariant P ${no} 0`);

/** Those with a 1 are sound until the noon of 3 March; those with a 2 never were, and are dated on that day. */
async function world() {
  const { trade, ...opened } = await openTrade('2026-03-02', { P: 100_000n, Q: 0n });
  night = opened.night;
  const later = (set: object) => ({
    changes: [{ at: '2026-03-03 12:00:00', set: set as Record<string, number> }],
  });
  const deposit = { payeeAcctNo: 'P', amountFen: 10_000n, feeFen: 30n };
  night.deposits(
    { ...deposit, orderNo: 'D1', depositTime: '2026-03-02 10:00:00', ...later({ realAmount: 9_000 }) },
    { ...deposit, orderNo: 'D2', realFen: 9_000n, creditedFen: 9_970n, depositTime: '2026-03-03 10:00:00' },
  );
  trade.transfers({
    outBatchNo: 'B1',
    payerAcctNo: 'P',
    submittedAt: '2026-03-02 09:00:00',
    orders: [
      {
        outOrderNo: 'T1',
        payeeAcctNo: 'Q',
        amountFen: 10_000n,
        feeFen: 30n,
        ...later({ realAmount: 9_000 }),
      },
    ],
  });
  const withdrawal = { acctNo: 'P', amountFen: 5_000n, feeFen: 30n };
  trade.withdrawals(
    { ...withdrawal, outOrderNo: 'W1', submittedAt: '2026-03-02 11:00:00', ...later({ realAmount: 4_000 }) },
    {
      ...withdrawal,
      outOrderNo: 'W2',
      submittedAt: '2026-03-03 11:00:00',
      listed: { set: { realAmount: 4_000 } },
    },
  );
  trade.books(
    'P deposit D1 9970 2026-03-02 10:05',
    'P transfer_out T1 -10000 2026-03-02 09:05',
    'Q transfer_in T1 9970 2026-03-02 09:05',
    'P withdrawal W1 -5000 2026-03-02 11:05',
    'P deposit D2 9970 2026-03-03 10:05',
    'P withdrawal W2 -5000 2026-03-03 11:05',
  );
  return trade;
}

test('after their day was proven, in the night that spans their day, and in the nights that follow', async () => {
  const trade = await world();
  expect(findingsOf(await trade.night('2026-03-02'))).toEqual([]);
  for (const day of ['2026-03-04', '2026-03-05', '2026-03-06']) {
    expect(findingsOf(await trade.night(day)), day).toEqual(expect.arrayContaining(TOLD));
  }
});

test('by a first night after their day, from the opening on', async () => {
  const trade = await world();
  expect(findingsOf(await trade.night('2026-03-04'))).toEqual(expect.arrayContaining(TOLD));
});

test('under its id where the record is dated behind the cut since, and the day before is proven again', async () => {
  const { trade, ...opened } = await openTrade('2026-03-02', { P: 100_000n });
  night = opened.night;
  const of = { amountFen: 5_000n, feeFen: 30n, submittedAt: '2026-03-03 00:30:00' };
  night.sandbox.seedWithdrawals([
    { ...of, outOrderNo: 'W', acctNo: 'P', listed: { set: { realAmount: 4_000 } } },
  ]);
  const depositTime = '2026-03-02 23:50:00';
  const deposit = { payeeAcctNo: 'P', orderNo: 'D', amountFen: 10_000n, feeFen: 30n, creditedFen: 9_970n };
  night.deposits({ ...deposit, realFen: 9_000n, depositTime });
  const registered = { kind: 'withdrawal', outOrderNo: 'W', payer: 'P', fen: 5_000n } as const;
  await night.orders({ ...registered, submittedAt: '2026-03-02 12:00:00' });
  const toldOf = (outcome: NightOutcome): string[] =>
    outcome.result.breaks.flatMap((one) =>
      one.class === 'fee_invariant' ? `${one.reference} ${one.id} ${one.firstSeen}` : [],
    );
  const first = toldOf(await trade.night('2026-03-02'));
  expect(first).toHaveLength(2);
  const set = { depositTime: '2026-03-03 00:10:00' };
  night.sandbox.addFault({ kind: 'record', path: 'query/deposit', set, times: null });
  await night.orders({ ...registered, submittedAt: of.submittedAt });
  const next = await trade.night('2026-03-03');
  expect(next.result.restated).toEqual([{ day: '2026-03-02', version: 2 }]);
  expect(toldOf(next)).toEqual(first);
});

test('of a registration, and of a settlement that failed, where the submission is stated behind the cut since', async () => {
  const { trade, ...opened } = await openTrade('2026-03-02', { P: 1_000n, Q: 0n }, { autoSettle: ['Q'] });
  night = opened.night;
  const sent = { submittedAt: '2026-03-03 00:30:00' };
  const orders = [{ outOrderNo: 'T', payeeAcctNo: 'Q', amountFen: 100n, settle: { state: 'FAIL' } }];
  night.sandbox.seedWithdrawals([{ outOrderNo: 'W', acctNo: 'P', amountFen: 100n, ...sent }]);
  night.sandbox.seedTransfers([{ outBatchNo: 'B', payerAcctNo: 'P', ...sent, orders }]);
  const registered = [
    { kind: 'withdrawal', outOrderNo: 'W', payer: 'P', fen: 90n },
    { kind: 'transfer', outBatchNo: 'B', outOrderNo: 'T', payer: 'P', payee: 'Q', fen: 100n },
  ] as const;
  const register = (at: { submittedAt: string }) =>
    night.orders(...registered.map((one) => ({ ...one, ...at })));
  const toldOf = ({ result }: NightOutcome): string[] =>
    result.breaks.flatMap((one) =>
      ['amount', 'settle_failed'].includes(one.class) ? `${one.reference} ${one.id} ${one.firstSeen}` : [],
    );
  await register({ submittedAt: '2026-03-02 12:00:00' });
  const first = toldOf(await trade.night('2026-03-02'));
  expect(first).toHaveLength(2);
  await register(sent);
  const next = await trade.night('2026-03-03');
  expect(next.result.restated).toEqual([{ day: '2026-03-02', version: 2 }]);
  expect(toldOf(next)).toEqual(first);
});

test('of an order, under its id, on its payer once that is listed with an opening after it', async () => {
  const { trade, ...opened } = await openTrade('2026-03-02', { Q: 0n });
  night = opened.night;
  night.sandbox.seedAccounts([{ accountNo: 'S', balanceFen: 50_000n }]);
  const of = { amountFen: 10_000n, feeFen: 30n, listed: { set: { realAmount: 9_000 } } };
  const orders = [{ ...of, outOrderNo: 'T', payeeAcctNo: 'Q' }];
  trade.transfers({ outBatchNo: 'B', payerAcctNo: 'S', submittedAt: '2026-03-02 09:00:00', orders });
  trade.books('Q transfer_in T 9970 2026-03-02 09:05');
  const breaksOf = ({ result }: NightOutcome): string[] =>
    result.breaks.map((one) => `${one.class} ${one.reference} ${one.id} ${one.firstSeen}`);
  const first = await trade.night('2026-03-02');
  expect(findingsOf(first)).toEqual(['fee_invariant Q T 0']);
  await trade.until('2026-03-05 01:00:00');
  await night.listAccounts({ no: 'S', opening: { fen: 40_000n, at: '2026-03-04 00:00:00' } });
  for (const day of ['2026-03-04', '2026-03-05']) {
    const next = await trade.night(day);
    expect(findingsOf(next)).toEqual(['fee_invariant S T 0']);
    expect(breaksOf(next)).toEqual(breaksOf(first));
  }
});

test.each([
  { payer: 'P', as: 'its payer' },
  { payer: 'S', as: 'its payee, until its payer is listed' },
])(
  'of a batch and of an order, told on $as, under its id, where it was right for some hours and the day before is proven again',
  async ({ payer }) => {
    const listed = { P: 100_000n, Q: 0n };
    const { trade, ...opened } = await openTrade('2026-03-02', listed);
    night = opened.night;
    if (payer === 'S') night.sandbox.seedAccounts([{ accountNo: 'S', balanceFen: 50_000n }]);
    const orders = [{ outOrderNo: 'T', payeeAcctNo: 'Q', amountFen: 100n }];
    trade.transfers({ outBatchNo: 'B', payerAcctNo: payer, submittedAt: '2026-03-02 09:00:00', orders });
    const set = { amount: 90, settleState: 'ODD', refundAmount: 500 };
    const isWrong = () =>
      night.sandbox.addFault({ kind: 'record', path: 'division/query', set, times: null });
    isWrong();
    const toldOf = ({ result }: NightOutcome): string[] =>
      result.breaks
        .filter((one) => ['batch_children', 'bad_record'].includes(one.class))
        .map((one) => `${one.class} ${one.reference} ${one.id} ${one.firstSeen}`)
        .toSorted();
    const first = toldOf(await trade.night('2026-03-02'));
    expect(first).toHaveLength(2);
    night.sandbox.liftFaults();
    await trade.until('2026-03-03 12:00:00');
    await night.snapshot();
    isWrong();
    if (payer === 'S')
      await night.listAccounts({ no: 'S', opening: { fen: 49_900n, at: '2026-03-03 00:00:00' } });
    night.deposits({
      payeeAcctNo: 'Q',
      orderNo: 'D',
      amountFen: 7n,
      depositTime: '2026-03-02 23:00:00',
      visibleFrom: '2026-03-03 13:00:00',
    });
    const next = await trade.night('2026-03-03');
    expect(next.result.restated).toEqual([{ day: '2026-03-02', version: 2 }]);
    expect(toldOf(next)).toEqual(first);
  },
);

test('of a settlement that failed and of a registration, under its id, told on another account that is listed since', async () => {
  const { trade, ...opened } = await openTrade('2026-03-02', { P: 1_000n, R: 0n });
  night = opened.night;
  night.sandbox.seedAccounts([
    { accountNo: 'Q', balanceFen: 0n, autoSettle: true },
    { accountNo: 'S', balanceFen: 1_000n },
  ]);
  const sent = { submittedAt: '2026-03-03 00:30:00' };
  const orders = [{ outOrderNo: 'T', payeeAcctNo: 'Q', amountFen: 100n, settle: { state: 'FAIL' } }];
  night.sandbox.seedTransfers([{ outBatchNo: 'B', payerAcctNo: 'P', ...sent, orders }]);
  night.sandbox.seedWithdrawals([{ outOrderNo: 'W', acctNo: 'S', amountFen: 100n, ...sent }]);
  const registered = [
    { kind: 'transfer', outBatchNo: 'B', outOrderNo: 'T', payer: 'P', payee: 'Q', fen: 100n },
    { kind: 'withdrawal', outOrderNo: 'W', payer: 'R', fen: 100n },
  ] as const;
  const register = (at: { submittedAt: string }) =>
    night.orders(...registered.map((one) => ({ ...one, ...at })));
  await register({ submittedAt: '2026-03-02 12:00:00' });
  const toldOf = ({ result }: NightOutcome): string[] =>
    result.breaks
      .flatMap((one) =>
        ['account', 'settle_failed'].includes(one.class) ? `${one.reference} ${one.id} ${one.firstSeen}` : [],
      )
      .toSorted();
  const first = toldOf(await trade.night('2026-03-02'));
  expect(first).toHaveLength(2);
  await register(sent);
  await night.listAccounts(
    { no: 'Q', opening: { fen: 0n, at: '2026-03-03 00:00:00' } },
    { no: 'S', opening: { fen: 1_000n, at: '2026-03-03 00:00:00' } },
  );
  const next = await trade.night('2026-03-03');
  expect(next.result.restated).toEqual([{ day: '2026-03-02', version: 2 }]);
  expect(toldOf(next)).toEqual(first);
});
