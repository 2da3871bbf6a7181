/** Records that show up late, change, or vanish: later nights find them and prove the old days again (P3–P5). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Night, findingsOf } from '../helpers/night.ts';
import type { BookLine } from '../helpers/company/company-files.ts';

let night: Night;

beforeEach(async () => {
  night = await Night.open({ now: '2026-03-11 02:00:00' });
  await night.accounts({ no: 'A1', opening: { fen: 100_000n, at: '2026-03-10 00:00:00' } });
});
afterEach(() => night.close());

const booked = (id: string, fen: bigint, at: string): BookLine => ({
  id: `E-${id}`,
  account: 'A1',
  fen,
  at,
  reference: id,
});

/** Versions of the nights, oldest day first: `2026-03-10 v1 breaks, superseded`. */
async function versions(): Promise<string[]> {
  const runs = await night.db.selectFrom('run').selectAll().orderBy('to_day').orderBy('version').execute();
  return runs.map(
    (run) =>
      `${run.to_day} v${run.version} ${run.verdict ?? 'open'}${run.superseded_by === null ? '' : ', superseded'}`,
  );
}

async function numbersOf(runId: string) {
  const { unexplained_fen, difference_fen, movements_fen, platform_fen, opening_fen } = await night.db
    .selectFrom('run_account')
    .selectAll()
    .where('run_id', '=', runId)
    .executeTakeFirstOrThrow();
  return { opening_fen, movements_fen, unexplained_fen, platform_fen, difference_fen };
}

test('P5: a record that becomes visible two days late restates its day and the days after it, old versions kept', async () => {
  night.deposits(
    { payeeAcctNo: 'A1', orderNo: 'D1', amountFen: 500n, depositTime: '2026-03-10 09:00:00' },
    {
      payeeAcctNo: 'A1',
      orderNo: 'LATE',
      amountFen: 777n,
      depositTime: '2026-03-10 23:59:59',
      visibleFrom: '2026-03-12 12:00:00',
    },
  );
  await night.entries([
    booked('D1', 500n, '2026-03-10 09:00:00'),
    booked('LATE', 777n, '2026-03-10 23:59:59'),
  ]);
  const first = await night.night('2026-03-10');
  expect(findingsOf(first)).toEqual(['ledger_only A1 LATE -777', 'unexplained A1 A1 777']);
  expect(first.result.accounts[0]).toMatchObject({
    unexplainedFen: 777n,
    lineDifferenceFen: -777n,
    differenceFen: 0n,
    verdict: 'breaks',
  });

  night.moveTo('2026-03-12 02:00:00');
  const second = await night.night('2026-03-11');
  expect(second.result.restated).toEqual([]);
  expect(findingsOf(second)).toEqual(['ledger_only A1 LATE -777', 'unexplained A1 A1 777']);
  expect(second.result.accounts[0]).toMatchObject({ unexplainedFen: 0n, openingDifferenceFen: 777n });

  night.moveTo('2026-03-13 02:00:00');
  const third = await night.night('2026-03-12');
  expect(third.result.run.verdict).toBe('reconciled');
  expect(findingsOf(third)).toEqual([]);
  expect(third.result.restated).toEqual([
    { day: '2026-03-10', version: 2 },
    { day: '2026-03-11', version: 2 },
  ]);
  expect(await versions()).toEqual([
    '2026-03-10 v1 breaks, superseded',
    '2026-03-10 v2 reconciled',
    '2026-03-11 v1 breaks, superseded',
    '2026-03-11 v2 reconciled',
    '2026-03-12 v1 reconciled',
  ]);
  expect(await numbersOf('nightly-2026-03-10-v1')).toEqual({
    opening_fen: 100_000n,
    movements_fen: 500n,
    unexplained_fen: 777n,
    platform_fen: 101_277n,
    difference_fen: 0n,
  });
  expect(await numbersOf('nightly-2026-03-10-v2')).toEqual({
    opening_fen: 100_000n,
    movements_fen: 1_277n,
    unexplained_fen: 0n,
    platform_fen: 101_277n,
    difference_fen: 0n,
  });
  const open = await night.db.selectFrom('break').select('break_id').where('status', '=', 'open').execute();
  expect(open, 'both breaks are closed').toEqual([]);
});

test('P5: the night that finds a late record again restates nothing', async () => {
  night.deposits({
    payeeAcctNo: 'A1',
    orderNo: 'LATE',
    amountFen: 777n,
    depositTime: '2026-03-10 12:00:00',
    visibleFrom: '2026-03-11 12:00:00',
  });
  await night.night('2026-03-10');
  night.moveTo('2026-03-12 02:00:00');
  expect((await night.night('2026-03-11')).result.restated).toEqual([{ day: '2026-03-10', version: 2 }]);
  const again = await night.night('2026-03-11');
  expect(again.isNew).toBe(false);
  night.moveTo('2026-03-13 02:00:00');
  expect((await night.night('2026-03-12')).result.restated).toEqual([]);
  expect(await versions()).toEqual([
    '2026-03-10 v1 breaks, superseded',
    '2026-03-10 v2 breaks',
    '2026-03-11 v1 breaks',
    '2026-03-12 v1 breaks',
  ]);
});

test('P3: a record whose amount changes later is told, its former self is kept, and its day is proven again', async () => {
  night.deposits({
    payeeAcctNo: 'A1',
    orderNo: 'D1',
    amountFen: 500n,
    creditedFen: 900n,
    depositTime: '2026-03-10 09:00:00',
    changes: [{ at: '2026-03-11 12:00:00', set: { amount: 900, realAmount: 900 } }],
  });
  await night.entries([booked('D1', 900n, '2026-03-10 09:00:00')]);
  expect(findingsOf(await night.night('2026-03-10'))).toEqual(['amount A1 D1 -400', 'unexplained A1 A1 400']);
  night.moveTo('2026-03-12 02:00:00');
  const second = await night.night('2026-03-11');
  expect(second.result.restated).toEqual([{ day: '2026-03-10', version: 2 }]);
  expect(findingsOf(second)).toEqual(['record_changed A1 D1 0']);
  const former = await night.db.selectFrom('deposit_version').selectAll().execute();
  expect(
    former.map(({ order_no, version, amount_fen, replaced_day }) => [
      order_no,
      version,
      amount_fen,
      replaced_day,
    ]),
  ).toEqual([['D1', 1, 500n, '2026-03-11']]);
  expect(await numbersOf('nightly-2026-03-10-v2')).toMatchObject({
    movements_fen: 900n,
    unexplained_fen: 0n,
  });
});

test('P4: a record that vanishes is never deleted, and is told every night', async () => {
  night.deposits({
    payeeAcctNo: 'A1',
    orderNo: 'D1',
    amountFen: 500n,
    depositTime: '2026-03-10 09:00:00',
    vanishesAt: '2026-03-11 12:00:00',
  });
  await night.entries([booked('D1', 500n, '2026-03-10 09:00:00')]);
  expect((await night.night('2026-03-10')).result.run.verdict).toBe('reconciled');
  night.moveTo('2026-03-12 02:00:00');
  const second = await night.night('2026-03-11');
  expect(findingsOf(second)).toEqual(['record_vanished A1 D1 0']);
  expect(second.result.run.verdict).toBe('breaks');
  expect(await night.db.selectFrom('deposit').select('order_no').execute()).toEqual([{ order_no: 'D1' }]);
  night.moveTo('2026-03-13 02:00:00');
  expect(findingsOf(await night.night('2026-03-12'))).toEqual(['record_vanished A1 D1 0']);
});

test('the look back of the next night seals the days: a second reading by another run that was equal', async () => {
  night.deposits({ payeeAcctNo: 'A1', amountFen: 500n, depositTime: '2026-03-10 09:00:00' });
  const days = () =>
    night.db.selectFrom('sync_day').select(['day', 'verified_run', 'sealed_run']).orderBy('day').execute();
  await night.night('2026-03-10');
  expect(await days()).toEqual([
    { day: '2026-03-10', verified_run: 'nightly-2026-03-10-v1', sealed_run: null },
  ]);
  night.moveTo('2026-03-12 02:00:00');
  await night.night('2026-03-11');
  expect(await days()).toEqual([
    { day: '2026-03-10', verified_run: 'nightly-2026-03-10-v1', sealed_run: 'nightly-2026-03-11-v1' },
    { day: '2026-03-11', verified_run: 'nightly-2026-03-11-v1', sealed_run: null },
  ]);
});

test('P5: a late record unseals its day; it is sealed again by the next equal reading', async () => {
  night.deposits({
    payeeAcctNo: 'A1',
    amountFen: 500n,
    depositTime: '2026-03-10 09:00:00',
    visibleFrom: '2026-03-12 12:00:00',
  });
  const dayOne = () =>
    night.db
      .selectFrom('sync_day')
      .select(['record_count', 'verified_run', 'sealed_run'])
      .where('day', '=', '2026-03-10')
      .execute();
  for (const [now, day] of [
    ['2026-03-11 02:00:00', '2026-03-10'],
    ['2026-03-12 02:00:00', '2026-03-11'],
    ['2026-03-13 02:00:00', '2026-03-12'],
  ] as const) {
    night.moveTo(now);
    await night.night(day);
  }
  expect(await dayOne()).toEqual([
    { record_count: 1, verified_run: 'nightly-2026-03-12-v1', sealed_run: null },
  ]);
  night.moveTo('2026-03-14 02:00:00');
  await night.night('2026-03-13');
  expect(await dayOne()).toEqual([
    { record_count: 1, verified_run: 'nightly-2026-03-12-v1', sealed_run: 'nightly-2026-03-13-v1' },
  ]);
});
