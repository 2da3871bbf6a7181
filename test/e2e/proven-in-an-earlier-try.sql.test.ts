/** What an incomplete night proved of an account stands when it is run again and reads less: later nights rest on it. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { reconcileRange } from '../../jobs/night/night.ts';
import { Night, findingsOf } from '../helpers/night.ts';

let night: Night;
beforeEach(async () => {
  night = await Night.open({ now: '2026-03-11 02:00:00' });
  const opening = { fen: 100_000n, at: '2026-03-10 00:00:00' };
  await night.accounts({ no: 'A1', opening }, { no: 'A2', opening });
  night.sandbox.seedMovements([
    { kind: 'adjustment', accountNo: 'A1', amountFen: -2_000n, at: '2026-03-10 12:00:00' },
  ]);
});
afterEach(() => night.close());

const LOSS = 'unexplained A1 A1 -2000';

const DAY = { job: 'nightly', fromDay: '2026-03-10', toDay: '2026-03-10', accounts: [] } as const;

/** A2 cannot be read; A1 is proven, and the next night begins where that ended. */
async function proveA1(): Promise<string[]> {
  night.sandbox.addFault({ kind: 'drop_before', about: 'A2', times: null });
  expect(findingsOf(await night.night('2026-03-10'))).toEqual([LOSS]);
  night.sandbox.liftFaults();
  night.moveTo('2026-03-12 02:00:00');
  const next = await night.night('2026-03-11');
  expect(findingsOf(next)).toEqual([LOSS]);
  return next.result.breaks.map(({ id }) => id);
}

async function expectItOnceLater(known: readonly string[]): Promise<void> {
  for (const day of [12, 13]) {
    night.moveTo(`2026-03-${day + 1} 02:00:00`);
    const next = await night.night(`2026-03-${day}`);
    expect([next.result.run.verdict, ...findingsOf(next)]).toEqual(['breaks', LOSS]);
    expect(next.result.breaks.map(({ id }) => id)).toEqual(known);
  }
}

test('it is not run again', async () => {
  await expectItOnceLater(await proveA1());
});

test('no answer verifies when it is run again: the account is incomplete, and what was proven of it stands', async () => {
  const known = await proveA1();
  night.sandbox.addFault({ kind: 'corrupt_biz_data', times: null });
  const again = await night.night('2026-03-10');
  night.sandbox.liftFaults();
  expect(again.result.run.version).toBe(1);
  expect(again.result.accounts.map(({ accountNo, verdict }) => [accountNo, verdict])).toEqual([
    ['A1', 'incomplete'],
    ['A2', 'incomplete'],
  ]);
  expect(again.result.accounts[0]?.reason).toMatch(/^the run was stopped before everything was read/);
  expect(findingsOf(again)).toEqual([LOSS]);
  expect(again.result.breaks.map(({ id }) => id)).toEqual(known);
  await expectItOnceLater(known);
});

test('its own lists cannot be read when it is run again', async () => {
  const known = await proveA1();
  night.sandbox.addFault({ kind: 'drop_before', about: 'A1', times: null });
  const again = await night.night('2026-03-10');
  night.sandbox.liftFaults();
  expect(findingsOf(again)).toEqual([LOSS]);
  await expectItOnceLater(known);
});

test('a fault of the program ends it when it is run again', async () => {
  const known = await proveA1();
  const process = await night.process();
  const broken = { ...process, platform: () => Promise.reject(new Error('Bug: no memory left')) };
  await expect(reconcileRange(broken, DAY)).rejects.toThrow('Bug: no memory left');
  await process.close();
  const stored = await night.db
    .selectFrom('run_account')
    .select(['account_no', 'verdict', 'chained', 'unexplained_fen'])
    .where('run_id', '=', 'nightly-2026-03-10-v1')
    .orderBy('account_no')
    .execute();
  expect(stored).toEqual([
    { account_no: 'A1', verdict: 'incomplete', chained: true, unexplained_fen: -2_000n },
    { account_no: 'A2', verdict: 'incomplete', chained: false, unexplained_fen: null },
  ]);
  await expectItOnceLater(known);
});
