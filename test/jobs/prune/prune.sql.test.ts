/** What `recon prune` removes, and that what went is told from what is missing. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { explainRecord } from '../../../jobs/explain/explain-record.ts';
import { publishRun } from '../../../jobs/night/publish/publish.ts';
import { openPublished } from '../../../jobs/page/page-files.ts';
import { showRunJob } from '../../../jobs/runs/runs.ts';
import type { Night } from '../../helpers/night.ts';
import { LATER, answersOf, isThere, oldBooks, pruneOf, toldOf, verified } from './old-books.ts';

let night: Night;
afterEach(() => night.close());

const V1 = ['reports', '2026-03-01', 'v1'] as const;

test('a dry run says what would go and removes nothing', async () => {
  night = await oldBooks();
  night.moveTo(LATER);
  const before = await answersOf(night);
  const dry = await pruneOf(night, { isDry: true });
  expect(dry.dryRun).toBe(true);
  expect(toldOf(dry, 'versions')).toBe('goes 3');
  expect(await answersOf(night)).toEqual(before);
  expect(await isThere(night, ...V1, 'result.json')).toBe(true);
  expect(await night.db.selectFrom('pruned').selectAll().execute()).toEqual([]);
  const done = await pruneOf(night);
  expect({ ...done, dryRun: true }).toEqual(dry);
});

test('nothing that is younger than its policy goes, and nothing of a kind that is kept', async () => {
  night = await oldBooks();
  night.moveTo('2027-04-05 12:00:00');
  const young = await pruneOf(night, { isDry: true });
  expect(
    ['answers', 'versions', 'bundles', 'aside', 'inbox', 'alerts'].map((kind) =>
      toldOf(young, kind as never),
    ),
  ).toEqual(Array.from({ length: 6 }, () => 'goes 0'));
  night.moveTo(LATER);
  night.settings['RETAIN_ANSWERS_DAYS'] = 'keep';
  night.settings['RETAIN_VERSIONS_DAYS'] = '92';
  const kept = await pruneOf(night);
  expect([toldOf(kept, 'answers'), toldOf(kept, 'versions')]).toEqual(['goes 0', 'goes 3']);
});

test('what was pruned is no fault of the archive, and what is missing besides is one', async () => {
  night = await oldBooks();
  night.moveTo(LATER);
  expect(await verified(night)).toEqual({ pruned: 0, faults: [] });
  await pruneOf(night);
  expect(await isThere(night, ...V1)).toBe(false);
  expect(await isThere(night, 'reports', '2026-03-01', 'v2', 'result.json')).toBe(true);
  expect(await verified(night)).toEqual({ pruned: 3, faults: [] });
  await rm(path.join(night.home, 'reports', '2026-03-01', 'v2', 'result.json'));
  expect(await verified(night)).toEqual({
    pruned: 3,
    faults: [`missing ${path.join('reports', '2026-03-01', 'v2', 'result.json')}`],
  });
});

test('pruning again removes nothing more and writes no event', async () => {
  night = await oldBooks();
  night.moveTo(LATER);
  await pruneOf(night);
  const rows = await night.db.selectFrom('pruned').selectAll().execute();
  const trail = await night.db.selectFrom('audit_trail').selectAll().execute();
  const again = await pruneOf(night);
  expect(again.kinds.map(({ count }) => count)).toEqual(again.kinds.map(() => 0));
  expect(await night.db.selectFrom('pruned').selectAll().execute()).toEqual(rows);
  expect(await night.db.selectFrom('audit_trail').selectAll().execute()).toEqual(trail);
});

test('a former version can be written again from the tables, the same as it was, and goes again later', async () => {
  night = await oldBooks();
  night.moveTo(LATER);
  await publishRun(await night.process(), 'nightly-2026-03-01-v1', []);
  await pruneOf(night);
  const context = await night.process();
  const before = await night.db.selectFrom('run_file').select(['path', 'sha256']).orderBy('path').execute();
  await publishRun(context, 'nightly-2026-03-01-v1', []);
  const after = await night.db.selectFrom('run_file').select(['path', 'sha256']).orderBy('path').execute();
  const isResult = ({ path: file }: { path: string }): boolean => file.endsWith('v1/result.json');
  expect(after.filter(isResult)).toEqual(before.filter(isResult));
  expect((await verified(night)).faults).toEqual([]);
  expect(toldOf(await pruneOf(night), 'versions')).toMatch(/^goes 3/);
  expect((await verified(night)).faults).toEqual([]);
});

test('an answer that went is said to be pruned where a figure comes from', async () => {
  night = await oldBooks();
  night.moveTo(LATER);
  await pruneOf(night, { kinds: ['answers'] });
  const context = await night.process();
  const explaining = {
    db: night.db,
    zone: context.zone,
    profile: context.profile,
    locale: 'en',
    home: night.home,
  } as const;
  const explained = await explainRecord(explaining, { kind: 'deposit', accountNo: 'A1', number: 'D1' });
  expect(explained?.answer).toMatchObject({
    endpoint: null,
    place: null,
    prunedAt: expect.stringMatching(/^2029-06-01T04:00:00/) as string,
  });
});

test('a row of what was pruned that was added, altered or taken away is named', async () => {
  night = await oldBooks();
  night.moveTo(LATER);
  await pruneOf(night, { kinds: ['versions'] });
  const [row] = await night.db.selectFrom('pruned').selectAll().execute();
  if (row === undefined) throw new Error('nothing was pruned');
  const missing = path.join('reports', '2026-03-02', 'v1', 'result.json');
  await rm(path.join(night.home, missing));
  const file = await night.db
    .selectFrom('run_file')
    .selectAll()
    .where('path', 'like', `%${missing}`)
    .executeTakeFirstOrThrow();
  await night.db
    .insertInto('pruned')
    .values({ ...row, key: missing, sha256: file.sha256 })
    .execute();
  expect((await verified(night)).faults).toEqual([
    `altered what event ${row.trail_no} pruned is not what was recorded with it`,
  ]);
  await night.db.updateTable('pruned').set({ trail_no: 9_999n }).where('key', '=', missing).execute();
  expect((await verified(night)).faults).toEqual(['added what event 9999 pruned has no event that says so']);
});

test('unfinished files of a killed process go after a day, and nothing else that is hidden', async () => {
  night = await oldBooks();
  const folder = path.join(night.home, 'reports', '2026-03-02', 'v1');
  await mkdir(folder, { recursive: true });
  for (const name of ['.tmp-0123456789abcdef.xlsx', '.next-result.json', '.keep', 'notes.txt'])
    await writeFile(path.join(folder, name), 'x');
  night.moveTo(LATER);
  expect(toldOf(await pruneOf(night), 'leftovers')).toBe('goes 2');
  expect(
    await Promise.all(
      ['.tmp-0123456789abcdef.xlsx', '.keep', 'notes.txt'].map((name) =>
        isThere(night, 'reports', '2026-03-02', 'v1', name),
      ),
    ),
  ).toEqual([false, true, true]);
});

test('what was pruned is told as that by runs show and by the page, until it is written again', async () => {
  night = await oldBooks();
  night.moveTo(LATER);
  const runId = 'nightly-2026-03-01-v1';
  const shown = async () => {
    const { document, text = '' } = await showRunJob(runId).work(await night.process(), undefined);
    return {
      document,
      line: text.split('\n').find((line) => line.endsWith(')') && line.includes('result.json')),
    };
  };
  expect((await shown()).line).toBeUndefined();
  await pruneOf(night, { kinds: ['versions'] });
  const { document, line } = await shown();
  expect(document?.files.map(({ prunedAt }) => prunedAt?.slice(0, 10))).toEqual(Array(3).fill('2029-06-01'));
  expect(line).toContain('(pruned by policy on 2029-06-01; recon report --run writes it again)');
  const asked = { runId, name: 'result.json' };
  expect(await openPublished(night, asked)).toBe('pruned');
  await publishRun(await night.process(), runId, []);
  expect((await shown()).line).toBeUndefined();
  const again = await openPublished(night, asked);
  expect(typeof again).toBe('object');
  if (typeof again === 'object') await again.handle.close();
});
