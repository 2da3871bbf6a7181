/** What running again means: nothing when nothing changed, a new version when something did, and never two at once. */
import { hostname } from 'node:os';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LockHeld, WrongInput } from '../../src/core/errors.ts';
import { bootIdentity, processSpace } from '../../src/core/machine.ts';
import { reconcileRange } from '../../jobs/night/night.ts';
import { dumpOf, rowCounts } from '../helpers/dump.ts';
import { Night, findingsOf } from '../helpers/night.ts';

let night: Night;

/** One account proven since 1 March, with a deposit on the 9th and one on the 10th; the second is not in the books. */
beforeEach(async () => {
  night = await Night.open({ now: '2026-03-11 02:00:00' });
  await night.accounts({ no: 'A1', opening: { fen: 100_000n, at: '2026-03-01 00:00:00' } });
  night.deposits(
    { payeeAcctNo: 'A1', orderNo: 'D1', amountFen: 500n, depositTime: '2026-03-09 09:00:00' },
    { payeeAcctNo: 'A1', orderNo: 'D2', amountFen: 800n, depositTime: '2026-03-10 10:00:00' },
  );
  await night.entries([{ id: 'E1', account: 'A1', fen: 500n, at: '2026-03-09 09:00:00', reference: 'D1' }]);
});
afterEach(() => night.close());

const entryOfD2 = { id: 'E2', account: 'A1', fen: 800n, at: '2026-03-10 10:00:00', reference: 'D2' };

test('a finished night again, with nothing changed: the stored result, and nothing is written', async () => {
  const first = await night.night('2026-03-10');
  expect(findingsOf(first)).toEqual(['platform_only A1 D2 800']);
  const [counts, dump] = [await rowCounts(night.db), await dumpOf(night.db)];
  night.moveTo('2026-03-11 06:00:00');
  const again = await night.night('2026-03-10');
  expect(again.isNew).toBe(false);
  expect(again.result).toEqual(first.result);
  expect(await rowCounts(night.db)).toEqual(counts);
  expect(await dumpOf(night.db)).toEqual(dump);
});

test('a night with a new ledger entry is version 2, which supersedes version 1; both are kept', async () => {
  await night.night('2026-03-10');
  await night.entries([entryOfD2]);
  const second = await night.night('2026-03-10');
  expect(second.isNew).toBe(true);
  expect(second.result.run).toMatchObject({
    version: 2,
    supersedes: 'nightly-2026-03-10-v1',
    verdict: 'reconciled',
  });
  expect(findingsOf(second)).toEqual([]);
  expect(second.result.closed).toEqual([
    { id: expect.any(String) as string, clearedBy: 'E2', cause: 'entry' },
  ]);
  const runs = await night.db
    .selectFrom('run')
    .select(['run_id', 'verdict', 'superseded_by'])
    .orderBy('version')
    .execute();
  expect(runs).toEqual([
    { run_id: 'nightly-2026-03-10-v1', verdict: 'breaks', superseded_by: 'nightly-2026-03-10-v2' },
    { run_id: 'nightly-2026-03-10-v2', verdict: 'reconciled', superseded_by: null },
  ]);
  const kept = await night.db.selectFrom('finding').select(['run_id', 'class']).execute();
  expect(kept).toEqual([{ run_id: 'nightly-2026-03-10-v1', class: 'platform_only' }]);
});

test('a new account makes a new version of the night', async () => {
  await night.night('2026-03-10');
  await night.accounts({ no: 'A2', opening: { fen: 0n, at: '2026-03-01 00:00:00' } });
  const second = await night.night('2026-03-10');
  expect(second.result.run.version).toBe(2);
  expect(second.result.accounts.map(({ accountNo }) => accountNo)).toEqual(['A1', 'A2']);
});

test('a changed profile makes a new version, although the figures are the same', async () => {
  const first = await night.night('2026-03-10');
  await night.profile({ company: { name: 'Example Ltd' } });
  const second = await night.night('2026-03-10');
  expect(second.isNew).toBe(true);
  expect(second.result.run.version).toBe(2);
  expect(findingsOf(second)).toEqual(findingsOf(first));
  expect((await night.night('2026-03-10')).isNew).toBe(false);
});

test('a backfill of one account, or of earlier days, closes nothing else', async () => {
  await night.accounts({ no: 'A2', opening: { fen: 0n, at: '2026-03-01 00:00:00' } });
  night.deposits({ payeeAcctNo: 'A2', orderNo: 'D3', amountFen: 5n, depositTime: '2026-03-10 11:00:00' });
  await night.night('2026-03-10');
  await night.entries([
    entryOfD2,
    { id: 'E3', account: 'A2', fen: 5n, at: '2026-03-10 11:00:00', reference: 'D3' },
  ]);
  const open = () =>
    night.db
      .selectFrom('break')
      .select(['account_no', 'reference'])
      .where('status', '=', 'open')
      .orderBy('account_no')
      .execute();
  await night.backfill('2026-03-01', '2026-03-05');
  expect(await open(), 'earlier days').toHaveLength(2);
  await night.backfill('2026-03-10', '2026-03-10', ['A2']);
  expect(await open(), 'the other account').toEqual([{ account_no: 'A1', reference: 'D2' }]);
  await night.night('2026-03-10');
  expect(await open()).toEqual([]);
});

test('missed nights are caught up: the days between are read, and the opening is the last closing', async () => {
  const first = await night.night('2026-03-10');
  night.deposits(
    { payeeAcctNo: 'A1', orderNo: 'D3', amountFen: 30n, depositTime: '2026-03-12 10:00:00' },
    { payeeAcctNo: 'A1', orderNo: 'D4', amountFen: 4n, depositTime: '2026-03-14 23:59:59' },
  );
  night.moveTo('2026-03-15 02:00:00');
  const next = await night.night('2026-03-14');
  expect(first.result.accounts[0]?.platformFen).toBe(101_300n);
  expect(next.result.accounts[0]).toMatchObject({
    openingFen: 101_300n,
    movementsFen: 34n,
    platformFen: 101_334n,
    unexplainedFen: 0n,
  });
  expect(findingsOf(next)).toEqual([
    'platform_only A1 D2 800',
    'platform_only A1 D3 30',
    'platform_only A1 D4 4',
  ]);
});

test('a month that nobody ran is caught up by one night', async () => {
  await night.night('2026-03-10');
  night.deposits({ payeeAcctNo: 'A1', orderNo: 'D3', amountFen: 30n, depositTime: '2026-03-20 10:00:00' });
  night.moveTo('2026-05-20 02:00:00');
  const next = await night.night('2026-05-19');
  expect(next.result.accounts[0]).toMatchObject({ movementsFen: 30n, unexplainedFen: 0n });
  expect(next.result.accounts[0]?.verdict).toBe('breaks');
  const days = await night.db.selectFrom('sync_day').select('day').orderBy('day').execute();
  expect(days.at(0)?.day).toBe('2026-03-01');
  expect(days).toHaveLength(31 + 30 + 19);
});

test('an older night that was left out is proven from the closings around it', async () => {
  await night.night('2026-03-08');
  await night.night('2026-03-10');
  const between = await night.night('2026-03-09');
  expect(between.result.run.verdict).toBe('reconciled');
  expect(between.result.accounts[0]).toMatchObject({
    openingFen: 100_000n,
    movementsFen: 500n,
    platformFen: 100_500n,
    source: 'derived',
  });
});

test('M3: a second run while one is under way is told so, and changes nothing', async () => {
  const [first, second] = [await night.process(), await night.process()];
  const request = { job: 'nightly', fromDay: '2026-03-10', toDay: '2026-03-10', accounts: [] } as const;
  try {
    const outcomes = await Promise.allSettled([
      reconcileRange(first, request),
      reconcileRange(second, request),
    ]);
    const [ended, refused] = outcomes.toSorted((a, b) => (a.status < b.status ? -1 : 1));
    expect(ended?.status).toBe('fulfilled');
    expect(refused?.status === 'rejected' && refused.reason).toBeInstanceOf(LockHeld);
  } finally {
    await first.close();
    await second.close();
  }
  expect(await night.db.selectFrom('run').select('run_id').execute()).toEqual([
    { run_id: 'nightly-2026-03-10-v1' },
  ]);
});

test('M4: the lease of a process that is dead is taken at once; one whose number another machine or container gave is not', async () => {
  const until = new Date(Date.now() + 60_000).toISOString();
  const lease = { name: 'run', holder: 'somebody', fence: 7n, until, pid: 2_147_483_646 };
  await night.db
    .insertInto('lease')
    .values({ ...lease, host: hostname(), instance: '' })
    .execute();
  for (const instance of ['', `${bootIdentity()} pid:[1]`, processSpace().replace(/^\w/u, '*')]) {
    await night.db.updateTable('lease').set({ instance }).execute();
    await expect(night.night('2026-03-10')).rejects.toThrow(LockHeld);
  }
  await night.db.updateTable('lease').set({ instance: processSpace() }).execute();
  expect((await night.night('2026-03-10')).result.run.verdict).toBe('breaks');
  const { fence, holder } = await night.db.selectFrom('lease').selectAll().executeTakeFirstOrThrow();
  expect({ fence, holder }).toEqual({ fence: 8n, holder: '' });
});

test('without accounts, or with one nobody knows, nothing is begun', async () => {
  await expect(night.backfill('2026-03-01', '2026-03-05', ['A1', 'A9'])).rejects.toThrow(WrongInput);
  expect(await night.db.selectFrom('run').selectAll().execute()).toEqual([]);
  expect(night.sandbox.requests()).toEqual([]);
});

test('a break ages, keeps its id, and is closed on the day its cure is seen', async () => {
  const first = await night.night('2026-03-10');
  night.moveTo('2026-03-12 02:00:00');
  const second = await night.night('2026-03-11');
  expect(second.result.breaks).toMatchObject([
    { id: first.result.breaks[0]?.id, firstSeen: '2026-03-10', ageDays: 1, differenceFen: 800n },
  ]);
  await night.entries([entryOfD2]);
  night.moveTo('2026-03-13 02:00:00');
  const third = await night.night('2026-03-12');
  expect(third.result.breaks).toEqual([]);
  expect(third.result.closed).toEqual([{ id: first.result.breaks[0]?.id, clearedBy: 'E2', cause: 'entry' }]);
});

test('an unexplained amount stays in the opening difference until the books adjust it', async () => {
  night.sandbox.seedMovements([
    { kind: 'interest', accountNo: 'A1', amountFen: 1_234n, at: '2026-03-10 12:00:00' },
  ]);
  await night.entries([entryOfD2]);
  const first = await night.night('2026-03-10');
  expect(findingsOf(first)).toEqual(['unexplained A1 A1 1234']);
  expect(first.result.accounts[0]).toMatchObject({ unexplainedFen: 1_234n, differenceFen: 1_234n });
  night.moveTo('2026-03-12 02:00:00');
  const second = await night.night('2026-03-11');
  expect(findingsOf(second)).toEqual(['unexplained A1 A1 1234']);
  expect(second.result.accounts[0]).toMatchObject({
    unexplainedFen: 0n,
    openingDifferenceFen: 1_234n,
    differenceFen: 1_234n,
  });
  night.moveTo('2026-03-13 02:00:00');
  await night.entries([
    { id: 'ADJ', account: 'A1', fen: 1_234n, at: '2026-03-12 09:00:00', kind: 'adjustment' },
  ]);
  const third = await night.night('2026-03-12');
  expect(third.result.run.verdict).toBe('reconciled');
  expect(third.result.accounts[0]).toMatchObject({ openingDifferenceFen: 0n, differenceFen: 0n });
});
