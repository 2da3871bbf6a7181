/** `calibrate` over several nights: restated ones, changed profiles, late and first balances. */
import { describe, expect, test } from 'vitest';
import { calibrate } from '../../../src/reconcile/calibrate/calibrate.ts';
import { DEFAULT, PAYEE, PAYER, calibrateWorld, profileOf } from './calibrate-world.ts';

const { db, books, orders, balances, night, calibrated } = await calibrateWorld();

describe('over many nights', () => {
  const EXTERNAL = profileOf({ fees: { bearer: { transfer: 'external' } } });
  const line = (out: string, day: string) => ({
    out,
    amountFen: 1_000n,
    feeFen: 10n,
    feeType: 'ACCOUNT',
    payer: PAYER,
    payee: PAYEE,
    submittedAt: `${day} 09:00:00`,
  });

  test('the residuals of all standing runs add up; a restated night counts as it stands', async () => {
    await orders.transfer(line('T1', '2026-03-01'));
    await balances('2026-03-02', { payer: 999_000n, payee: 1_001_000n });
    await night('2026-03-01', DEFAULT);
    await orders.transfer(line('T2', '2026-03-02'));
    await balances('2026-03-03', { payer: 998_000n, payee: 1_002_000n });
    await night('2026-03-02', DEFAULT);
    expect((await calibrated(DEFAULT)).accounts[0]).toBe(
      `${PAYER} 20, fees.bearer.transfer=payee, fees.bearer.transfer=external`,
    );
    // A deposit of the first day that shows up late: its closing stays, what moved until then does not.
    await books.deposits(PAYER, [{ orderNo: 'D9', at: '2026-03-01 10:00:00', amountFen: 7n }]);
    await night('2026-03-01', DEFAULT);
    const runs = await db.selectFrom('run').select('run_id').where('superseded_by', 'is not', null).execute();
    expect(runs).toEqual([{ run_id: 'nightly-2026-03-01-v1' }]);
    expect((await calibrated(DEFAULT)).accounts[0]).toBe(`${PAYER} 13`);
  });

  test('a profile that was changed since is the one the residual is told under', async () => {
    await orders.transfer(line('T1', '2026-03-01'));
    await balances('2026-03-02', { payer: 999_000n, payee: 1_001_000n });
    await night('2026-03-01', DEFAULT);
    expect((await calibrated(EXTERNAL)).accounts).toEqual([]);

    await orders.transfer(line('T2', '2026-03-02'));
    await balances('2026-03-03', { payer: 998_000n, payee: 1_002_000n });
    await night('2026-03-02', EXTERNAL);
    expect((await calibrated(EXTERNAL)).accounts).toEqual([]);
    expect(await calibrated(DEFAULT)).toEqual({
      accounts: [`${PAYER} 20, fees.bearer.transfer=payee, fees.bearer.transfer=external`],
      all: ['fees.bearer.transfer=external'],
    });
  });

  test('what a first balance held already is no hypothesis of anybody', async () => {
    await db.updateTable('account').set({ opening_fen: null, opening_at: null }).execute();
    await orders.transfer(line('T1', '2026-03-01'));
    await orders.transfer({ ...line('T2', '2026-03-02'), submittedAt: '2026-03-02 00:30:00' });
    await balances('2026-03-02', { payer: 998_000n, payee: 1_002_000n }, '02:00:00');
    await night('2026-03-01', DEFAULT);
    await orders.transfer(line('T3', '2026-03-02'));
    await balances('2026-03-03', { payer: 997_000n, payee: 1_003_000n });
    await night('2026-03-02', DEFAULT);
    expect(await calibrated(DEFAULT)).toEqual({
      accounts: [`${PAYER} 10, fees.bearer.transfer=payee, fees.bearer.transfer=external`],
      all: ['fees.bearer.transfer=external'],
    });
  });

  test('what moved between the cut and a late balance is reckoned with as well', async () => {
    await orders.transfer(line('T1', '2026-03-01'));
    await orders.transfer({ ...line('T2', '2026-03-02'), submittedAt: '2026-03-02 00:30:00' });
    await balances('2026-03-02', { payer: 998_000n, payee: 1_002_000n }, '02:00:00');
    await night('2026-03-01', DEFAULT);
    expect(await calibrated(DEFAULT)).toEqual({
      accounts: [`${PAYER} 20, fees.bearer.transfer=payee, fees.bearer.transfer=external`],
      all: ['fees.bearer.transfer=external'],
    });
  });

  test('nothing is changed, and without a proof there is nothing to say', async () => {
    const none = await calibrate(db, { profile: DEFAULT, zoneName: 'Asia/Shanghai' });
    expect(none).toEqual({ accounts: [], unproven: [], overall: { accountsOff: 0, explainedBy: [] } });
    await orders.transfer(line('T1', '2026-03-01'));
    await balances('2026-03-02', { payer: 999_000n, payee: 1_001_000n });
    await night('2026-03-01', DEFAULT);
    const tables = [
      'movement',
      'run',
      'run_account',
      'break',
      'finding',
      'progress',
      'account_baseline',
    ] as const;
    const all = () => Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()));
    const before = await all();
    await calibrated(DEFAULT);
    expect(await all()).toEqual(before);
  });
});
