/** A run that finds the same as the version before it, while its breaks are no more as that left them. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Night, findingsOf } from '../helpers/night.ts';

let night: Night;
beforeEach(async () => {
  night = await Night.open({ now: '2026-03-11 02:00:00' });
  const opening = { fen: 100_000n, at: '2026-03-10 00:00:00' };
  await night.accounts({ no: 'A1', opening }, { no: 'A2', opening });
  night.deposits(
    { payeeAcctNo: 'A1', orderNo: 'D1', amountFen: 500n, depositTime: '2026-03-10 09:00:00' },
    { payeeAcctNo: 'A1', orderNo: 'D2', amountFen: 7n, depositTime: '2026-03-10 09:00:00' },
  );
  await night.entries([E2]);
});
afterEach(() => night.close());

const E1 = { id: 'E1', account: 'A1', fen: 500n, at: '2026-03-10 09:00:00', reference: 'D1' };
const E2 = { id: 'E2', account: 'A1', fen: 7n, at: '2026-03-10 09:00:00', reference: 'D2' };
const FOUND = 'platform_only A1 D1 500';

/** A2 cannot be read; of A1 a break ends by an entry that the books take back afterwards. */
async function endAndTakeBack(): Promise<void> {
  await night.entries([E1]);
  night.sandbox.addFault({ kind: 'drop_before', about: 'A2', times: null });
  const incomplete = await night.night('2026-03-10');
  expect(incomplete.result.run).toMatchObject({ version: 2, verdict: 'incomplete' });
  expect(incomplete.result.closed).toMatchObject([{ clearedBy: 'E1' }]);
  night.sandbox.liftFaults();
  await night.entries([E2], { replace: true });
}

test('what the incomplete try ended is open again, and keeps its id', async () => {
  const first = await night.night('2026-03-10');
  expect(findingsOf(first)).toEqual([FOUND]);
  await endAndTakeBack();
  const again = await night.night('2026-03-10');
  expect([again.result.run.verdict, ...findingsOf(again)]).toEqual(['breaks', FOUND]);
  const rows = await night.db.selectFrom('break').select(['break_id', 'status']).execute();
  expect(rows).toEqual([{ break_id: first.result.breaks[0]?.id, status: 'open' }]);
  expect([again.result.run.version, again.result.closed]).toEqual([2, []]);
  night.moveTo('2026-03-12 02:00:00');
  const next = await night.night('2026-03-11');
  expect(next.result.breaks).toMatchObject([
    { id: first.result.breaks[0]?.id, firstSeen: '2026-03-10', ageDays: 1 },
  ]);
});

test('what a backfill of its day ended is open again, and keeps its id', async () => {
  const first = await night.night('2026-03-10');
  await night.entries([E1]);
  const backfill = await night.backfill('2026-03-10', '2026-03-10');
  expect(backfill.result.closed).toMatchObject([{ clearedBy: 'E1' }]);
  await night.entries([E2], { replace: true });
  const again = await night.night('2026-03-10');
  expect([again.result.run.version, ...findingsOf(again)]).toEqual([2, FOUND]);
  const rows = await night.db.selectFrom('break').select(['break_id', 'status']).execute();
  expect(rows).toEqual([{ break_id: first.result.breaks[0]?.id, status: 'open' }]);
  expect((await night.night('2026-03-10')).result.run.version).toBe(2);
  night.moveTo('2026-03-12 02:00:00');
  const next = await night.night('2026-03-11');
  expect(next.result.breaks).toMatchObject([
    { id: first.result.breaks[0]?.id, firstSeen: '2026-03-10', ageDays: 1 },
  ]);
});

test('what a later night has found as another break goes on as that, when its first day is made again', async () => {
  await night.night('2026-03-10');
  await night.entries([E1]);
  await night.night('2026-03-10');
  await night.entries([E2], { replace: true });
  night.moveTo('2026-03-12 02:00:00');
  const [other] = (await night.night('2026-03-11')).result.breaks;
  const again = await night.night('2026-03-10');
  expect([again.result.run.version, ...findingsOf(again)]).toEqual([3, FOUND]);
  expect(again.result.breaks).toMatchObject([{ id: other?.id, firstSeen: '2026-03-10' }]);
  night.moveTo('2026-03-13 02:00:00');
  const next = await night.night('2026-03-12');
  expect(next.result.breaks).toMatchObject([{ id: other?.id, firstSeen: '2026-03-10', ageDays: 2 }]);
  const rows = await night.db.selectFrom('break').select('break_id').where('status', '=', 'open').execute();
  expect(rows).toEqual([{ break_id: other?.id }]);
});
