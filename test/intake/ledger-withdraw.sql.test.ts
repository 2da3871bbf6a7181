/** What was taken in by mistake leaves the books again, and is kept. */
import { afterAll, expect, test } from 'vitest';

import { WrongInput } from '../../src/core/errors.ts';
import { findCompleteTo, listMissing, noteMissing } from '../../src/store/intake/ledger-complete.ts';
import { listLedgerFiles, listSources } from '../../src/store/intake/ledger-sources.ts';
import { testDatabase } from '../helpers/database.ts';
import { zone } from '../helpers/night.ts';
import { IMPORTED_AT, entriesOf, takeAccounts, takeLedger, withdraw } from './books.ts';
import { testFolder } from './in-folder.ts';

const folder = await testFolder();
const database = await testDatabase();
const { db } = database;
afterAll(() => database.close());
await takeAccounts(db, await folder.write('accounts.csv', 'account_no\n62001\n'));

type Line = readonly [id: string, fen: number, day: number];

/** Entries of March, booked at noon. */
const take = async (
  source: string,
  name: string,
  lines: readonly Line[],
  more: { replace?: boolean } = {},
) => {
  const rows = lines.map(
    ([id, fen, day]) =>
      `${id},62001,deposit,${fen},${source}-${id},2026-03-${String(day).padStart(2, '0')} 12:00:00\n`,
  );
  const text = `entry_id,account_no,kind,amount_fen,reference,booked_at\n${rows.join('')}`;
  return takeLedger(db, { source, path: await folder.write(name, text), force: true, ...more });
};

const statesOf = async (source: string): Promise<string[]> =>
  (await entriesOf(db, source)).map(({ id, version, fen, state }) => `${id} v${version} ${fen} ${state}`);

const messageOf = async (work: Promise<unknown>): Promise<string> => {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(WrongInput);
  return (error as WrongInput).message;
};

test('a file leaves the books with what it brought; the source keeps the rest, and the file may come again', async () => {
  await take('erp', 'march-1.csv', [['E1', 100, 1]]);
  await take('erp', 'march-2.csv', [
    ['E1', 100, 1],
    ['E2', 200, 2],
    ['E3', -50, 3],
  ]);
  const result = await withdraw(db, { file: folder.path('march-2.csv') });
  expect(result).toMatchObject({
    done: true,
    source: 'erp',
    file: { name: 'march-2.csv', rows: 3 },
    entries: 2,
    amountFen: 150n,
    fromDay: '2026-03-02',
    toDay: '2026-03-03',
    restored: 0,
  });
  expect(await statesOf('erp')).toEqual(['E1 v1 100 current', 'E2 v1 200 withdrawn', 'E3 v1 -50 withdrawn']);
  // Twice is once.
  expect(await withdraw(db, { file: folder.path('march-2.csv') })).toMatchObject({ done: true, entries: 0 });
  expect(
    (
      await take('erp', 'march-2.csv', [
        ['E1', 100, 1],
        ['E2', 200, 2],
        ['E3', -50, 3],
      ])
    ).replaced,
  ).toBe(2);
  expect(await statesOf('erp')).toEqual([
    'E1 v1 100 current',
    'E2 v1 200 withdrawn',
    'E2 v2 200 current',
    'E3 v1 -50 withdrawn',
    'E3 v2 -50 current',
  ]);
  const listed = await listLedgerFiles(db, { source: 'erp' });
  const files = listed.toSorted((left, right) => left.name.localeCompare(right.name));
  expect(files.map(({ name, withdrawnAt, entries }) => [name, withdrawnAt, entries])).toEqual([
    ['march-1.csv', null, 1],
    ['march-2.csv', null, 2],
  ]);
});

test('an entry that the file had changed gets back what the latest standing file says of it', async () => {
  await take('fix', 'a.csv', [
    ['E1', 100, 1],
    ['E2', 200, 1],
  ]);
  await take('fix', 'b.csv', [
    ['E1', 110, 1],
    ['E2', 220, 1],
  ]);
  await take('fix', 'c.csv', [['E1', 111, 1]]);
  // E1 of b is history already; E2 of b gives way to a.
  expect(await withdraw(db, { file: folder.path('b.csv'), source: 'fix' })).toMatchObject({
    entries: 1,
    restored: 1,
  });
  // E1 of c gives way to a, for b stands no more.
  expect(await withdraw(db, { file: folder.path('c.csv'), source: 'fix' })).toMatchObject({
    entries: 1,
    restored: 1,
  });
  expect(await statesOf('fix')).toEqual([
    'E1 v1 100 former',
    'E1 v2 110 former',
    'E1 v3 111 withdrawn',
    'E1 v4 100 current',
    'E2 v1 200 former',
    'E2 v2 220 withdrawn',
    'E2 v3 200 current',
  ]);
  await take('fix', 'c.csv', [['E1', 111, 1]]);
  expect((await statesOf('fix'))[4]).toBe('E1 v5 111 current');
});

test('an entry that a replacing file had withdrawn stays withdrawn when the file that brought it again leaves', async () => {
  await take('gone', 'g1.csv', [
    ['E1', 100, 1],
    ['E2', 200, 1],
  ]);
  await take('gone', 'g2.csv', [['E1', 100, 1]], { replace: true });
  await take('gone', 'g3.csv', [['E2', 250, 1]]);
  expect(await withdraw(db, { file: folder.path('g3.csv') })).toMatchObject({ entries: 1, restored: 0 });
  expect(await statesOf('gone')).toEqual(['E1 v1 100 current', 'E2 v1 200 withdrawn', 'E2 v2 250 withdrawn']);
});

test('a whole source is withdrawn when it is confirmed, with what it states of its completeness', async () => {
  const completeTo = '2026-03-31T16:00:00.000Z';
  await take('whole', 'w1.csv', [['E1', 100, 1]]);
  const path = await folder.write(
    'w2.csv',
    'entry_id,account_no,kind,amount_fen,booked_at\nO,62001,opening,900,2026-03-01 00:00:00\n',
  );
  await takeLedger(db, { source: 'whole', path, completeTo });
  const looked = await withdraw(db, { source: 'whole' });
  expect(looked).toMatchObject({ done: false, entries: 2, openings: 1, amountFen: 1_000n, completeTo });
  expect(await statesOf('whole')).toEqual(['E1 v1 100 current', 'O v1 900 current']);
  expect(await withdraw(db, { source: 'whole', confirmed: true })).toMatchObject({ done: true, entries: 2 });
  expect(await statesOf('whole')).toEqual(['E1 v1 100 withdrawn', 'O v1 900 withdrawn']);
  expect(await findCompleteTo(db, 'whole')).toBe(null);
  const listed = (await listSources(db)).find(({ source }) => source === 'whole');
  expect(listed).toEqual({
    source: 'whole',
    entries: 0,
    pending: 0,
    amountFen: 0n,
    firstBookedAt: null,
    lastBookedAt: null,
    files: 0,
    lastImportedAt: IMPORTED_AT,
    completeTo: null,
  });
  // Other sources have what they had.
  expect(await statesOf('gone')).toContain('E1 v1 100 current');
});

test('a file that was taken in under two names is withdrawn from the one that is meant', async () => {
  const lines: Line[] = [['E1', 100, 20]];
  await take('right', 'same.csv', lines);
  const path = folder.path('same.csv');
  await takeLedger(db, { source: 'wrong', path, force: true });
  const [right, wrong] = await Promise.all(
    ['right', 'wrong'].map(async (source) => (await listLedgerFiles(db, { source }))[0]?.fileId ?? ''),
  );
  const message = await messageOf(withdraw(db, { file: path }));
  expect(message).toContain('may be several files; name one by its id, or its --source:');
  expect(message).toContain(`- ${right}: same.csv of "right", 1 row, 1 of them in the books`);
  expect(message).toContain(`- ${wrong}: same.csv of "wrong", 1 row, 1 of them in the books`);
  expect(await withdraw(db, { file: path, source: 'wrong' })).toMatchObject({ source: 'wrong', entries: 1 });
  // What stands is meant, not what was withdrawn before.
  expect(await withdraw(db, { file: right ?? '' })).toMatchObject({ source: 'right', entries: 1 });
});

test('what was never taken in is refused, and a name that is nearly one is asked about', async () => {
  expect(await messageOf(withdraw(db, { file: '/nowhere/none.csv' }))).toBe(
    '/nowhere/none.csv was never taken in; "recon ledger sources" shows what was',
  );
  expect(await messageOf(withdraw(db, { source: 'whle', confirmed: true }))).toBe(
    'there is no source "whle"; did you mean "whole"?',
  );
  const changed = await folder.write('march-1.csv', 'another content\n');
  expect(await messageOf(withdraw(db, { file: changed }))).toMatch(
    /march-1\.csv was never taken in as it is now; by its id, what had that name can be withdrawn:\n- [0-9a-f]{16}: march-1\.csv of "erp", 1 row, 1 of them in the books$/,
  );
});

test('of a ledger that never came, and of which a file failed, it is forgotten that it did', async () => {
  await noteMissing(db, { source: 'mistaken', tried: ['2026-03-01'], waiting: [], zone });
  expect(await listMissing(db)).toEqual(['mistaken']);
  expect(await withdraw(db, { source: 'mistaken', confirmed: true })).toMatchObject({
    done: true,
    entries: 0,
  });
  expect(await listMissing(db)).toEqual([]);
});
