/** What a late record restates: backfills too, and each run with its own accounts. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Night, findingsOf } from '../helpers/night.ts';

let night: Night;
beforeEach(async () => {
  night = await Night.open({ now: '2026-03-12 02:00:00' });
  await night.accounts({ no: 'A1', opening: { fen: 100_000n, at: '2026-03-10 00:00:00' } });
});
afterEach(() => night.close());

async function lateDeposit(day: string, visibleFrom: string): Promise<void> {
  const depositTime = `${day} 09:00:00`;
  night.deposits(
    { payeeAcctNo: 'A1', orderNo: 'LATE', amountFen: 500n, depositTime, visibleFrom },
    { payeeAcctNo: 'A1', orderNo: 'D1', amountFen: 40n, depositTime: '2026-03-10 10:00:00' },
  );
  await night.entries([
    { id: 'E1', account: 'A1', fen: 500n, at: depositTime, reference: 'LATE' },
    { id: 'E2', account: 'A1', fen: 40n, at: '2026-03-10 10:00:00', reference: 'D1' },
  ]);
}

test('P5: a backfill is restated by the night that finds a late record of its days, and nothing stays unexplained', async () => {
  await lateDeposit('2026-03-11', '2026-03-12 12:00:00');
  const backfill = await night.backfill('2026-03-10', '2026-03-11');
  expect(findingsOf(backfill)).toContain('unexplained A1 A1 500');
  night.moveTo('2026-03-13 02:00:00');
  const next = await night.night('2026-03-12');
  expect(next.result.restated).toEqual([{ day: '2026-03-11', version: 2 }]);
  expect(findingsOf(next)).toEqual([]);
  expect(next.result.run.verdict).toBe('reconciled');
  expect(next.result.accounts[0]).toMatchObject({ differenceFen: 0n, openingDifferenceFen: 0n });
});

test('P5: a restated night keeps to its own accounts; one that was added later is no part of it', async () => {
  await lateDeposit('2026-03-10', '2026-03-13 12:00:00');
  await night.night('2026-03-10');
  night.moveTo('2026-03-13 02:00:00');
  await night.night('2026-03-12');
  await night.accounts({ no: 'A2', opening: { fen: 7n, at: '2026-03-13 00:00:00' } });
  night.moveTo('2026-03-14 02:00:00');
  const third = await night.night('2026-03-13');
  expect(third.result.restated).toEqual([
    { day: '2026-03-10', version: 2 },
    { day: '2026-03-12', version: 2 },
  ]);
  expect(findingsOf(third)).toEqual([]);
  expect(third.result.accounts.map(({ accountNo, verdict }) => `${accountNo} ${verdict}`)).toEqual([
    'A1 reconciled',
    'A2 reconciled',
  ]);
  const standing = await night.db
    .selectFrom('run_account')
    .innerJoin('run', 'run.run_id', 'run_account.run_id')
    .select(['run.to_day', 'run_account.account_no', 'run_account.verdict'])
    .where('run.superseded_by', 'is', null)
    .where('run.to_day', '<', '2026-03-13')
    .orderBy('run.to_day')
    .execute();
  expect(standing.map((row) => `${row.to_day} ${row.account_no} ${row.verdict}`)).toEqual([
    '2026-03-10 A1 reconciled',
    '2026-03-12 A1 reconciled',
  ]);
});
