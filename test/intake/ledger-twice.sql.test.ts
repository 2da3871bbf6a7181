/** Books that are given twice under two names would double every balance. */
import { afterAll, expect, test } from 'vitest';

import { WrongInput } from '../../src/core/errors.ts';
import { testDatabase } from '../helpers/database.ts';
import { countsOf, entriesOf, takeAccounts, takeLedger } from './books.ts';
import { testFolder } from './in-folder.ts';

const folder = await testFolder();
const database = await testDatabase();
const { db } = database;
afterAll(() => database.close());
await takeAccounts(db, await folder.write('accounts.csv', 'account_no\n62001\n62002\n62003\n'));

/** One entry: id, reference, amount, time; of account 62001 unless said. */
type Line = readonly [id: string, reference: string, fen: number, at: string, accountNo?: string];

const ledger = (lines: readonly Line[]): string =>
  'entry_id,account_no,kind,amount_fen,reference,booked_at\n' +
  lines
    .map(([id, ref, fen, at, account = '62001']) => `${id},${account},deposit,${fen},${ref},${at}\n`)
    .join('');

const take = async (
  source: string,
  lines: readonly Line[],
  more: { replace?: boolean; force?: boolean } = {},
) => takeLedger(db, { source, path: await folder.write('books.csv', ledger(lines)), ...more });

const refusalOf = async (taking: Promise<unknown>): Promise<string> => {
  const error: unknown = await taking.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(WrongInput);
  return (error as WrongInput).message;
};

test('a file that another source has already is refused with the name of that source and leaves nothing', async () => {
  const lines: Line[] = [
    ['E1', 'D1', 100, '2026-01-01 09:00:00'],
    ['E2', 'D2', 200, '2026-01-01 10:00:00'],
    ['E3', '', 300, '2026-01-02 23:59:59'],
  ];
  await take('january', lines);
  expect(await refusalOf(take('forgotten', lines))).toBe(
    'books.csv was not taken in: 3 of its 3 new entries (6.00 yuan together) are in the books already, ' +
      'from the source "january": the same account, kind, reference, amount and day. ' +
      'If it is another state of those books, name them: --source january. ' +
      'If "january" is to be called "forgotten" from now on, withdraw it first: recon ledger withdraw --source january. ' +
      'If all of it is meant as it stands: --force' +
      '\n- row 2: "E1" is like "E1" of january: 62001, deposit, D1, 1.00 yuan, 2026-01-01' +
      '\n- row 3: "E2" is like "E2" of january: 62001, deposit, D2, 2.00 yuan, 2026-01-01' +
      '\n- row 4: "E3" is like "E3" of january: 62001, deposit, no reference, 3.00 yuan, 2026-01-02',
  );
  expect(await entriesOf(db, 'forgotten')).toEqual([]);
  expect(
    await db.selectFrom('intake_file').select('file_id').where('source', '=', 'forgotten').execute(),
  ).toEqual([]);
});

test('--force takes it in all the same and still says what it is like', async () => {
  const lines: Line[] = [
    ['E1', 'F1', 100, '2026-01-05 09:00:00'],
    ['E2', 'F2', 200, '2026-01-05 10:00:00'],
  ];
  await take('forced-a', lines);
  const result = await take('forced-b', lines, { force: true });
  expect(countsOf(result)).toMatchObject({ stored: true, added: 2 });
  expect(result.lookAlikeCount).toBe(2);
  // Nothing of it is new any more, so nothing is doubled by taking it again.
  expect(await take('forced-b', lines)).toMatchObject({ unchanged: 2, lookAlikeCount: 0 });
});

test('a single look-alike is taken in and named', async () => {
  await take('erp', [
    ['E1', 'G1', 100, '2026-01-10 00:00:00'],
    ['E2', '', 500, '2026-01-11 08:00:00'],
  ]);
  const result = await take('bank', [
    ['B1', 'G2', 100, '2026-01-10 09:00:00'],
    ['B2', '', 500, '2026-01-11 17:00:00'],
    ['B3', '', 500, '2026-01-11 18:00:00'],
    ['B4', '', 500, '2026-01-12 00:00:00'],
    ['B5', 'G1', -100, '2026-01-10 09:00:00'],
  ]);
  expect(countsOf(result)).toMatchObject({ stored: true, added: 5 });
  // Two of 5.00 on the 11th, of which erp has one: one of them is like it.
  expect(result.lookAlikeCount).toBe(1);
  expect(result.lookAlikes).toEqual([
    {
      row: 3,
      entryId: 'B2',
      source: 'erp',
      otherEntryId: 'E2',
      accountNo: '62001',
      kind: 'deposit',
      reference: '',
      amountFen: 500n,
      day: '2026-01-11',
    },
  ]);
});

test('one deposit without a reference may be like another by chance; one with its reference is not', async () => {
  await take('chance-a', [
    ['E1', '', 9_900, '2026-01-15 08:00:00'],
    ['E2', 'H2', 9_900, '2026-01-16 08:00:00'],
  ]);
  expect(await take('chance-b', [['X1', '', 9_900, '2026-01-15 20:00:00']])).toMatchObject({
    stored: true,
    lookAlikeCount: 1,
  });
  expect(await refusalOf(take('chance-b', [['X2', 'H2', 9_900, '2026-01-16 20:00:00']]))).toContain(
    '"chance-a"',
  );
});

test('a month among three that another source has is refused, as is one account among three', async () => {
  const dayOf = (at: number): string => String(1 + (at % 28)).padStart(2, '0');
  const month = (name: string, of: string, account = '62001'): Line[] =>
    Array.from({ length: 12 }, (_, at) => [
      `${name}${at}`,
      `${account}-${of}-${at}`,
      100 + at,
      `${of}-${dayOf(at)} 12:00:00`,
      account,
    ]);
  await take('q1', month('a', '2026-02'));
  const quarter = [...month('a', '2026-02'), ...month('b', '2026-03'), ...month('c', '2026-04')];
  expect(await refusalOf(take('quarter', quarter))).toContain('12 of its 36 new entries');
  // The source that has the month already goes on.
  expect(countsOf(await take('q1', quarter))).toMatchObject({ added: 24, unchanged: 12 });

  await take('one', month('d', '2026-05', '62002'));
  const three = ['62001', '62002', '62003'].flatMap((account) => month(`e${account}-`, '2026-05', account));
  expect(await refusalOf(take('three', three))).toContain('12 of its 36 new entries');
});

test('the next month under the same or another name, and the same file twice, are taken in', async () => {
  const june: Line[] = [
    ['J1', 'J1', 100, '2026-06-01 12:00:00'],
    ['J2', 'J2', 100, '2026-06-30 23:59:59'],
  ];
  await take('plain', june);
  expect(countsOf(await take('plain', june))).toMatchObject({ unchanged: 2 });
  const july = await take('plain-2', [
    ['J1', 'K1', 100, '2026-07-01 12:00:00'],
    ['J2', 'J2', 100, '2026-07-01 00:00:00'],
  ]);
  expect(july).toMatchObject({ added: 2, lookAlikeCount: 0 });
});

test('the same books again under other ids are refused, without their source being another', async () => {
  const withIds = (prefix: string): Line[] =>
    ['1', '2', '3'].map((no) => [`${prefix}${no}`, `I${no}`, 100, '2026-08-01 12:00:00']);
  await take('ids', withIds('old-'));
  expect(await refusalOf(take('ids', withIds('new-')))).toContain(
    '3 of its 3 new entries (3.00 yuan together) are in the books already, from "ids" itself, under other ids',
  );
  // A replacing file withdraws the old ones.
  expect(await take('ids', withIds('new-'), { replace: true, force: true })).toMatchObject({
    added: 3,
    withdrawn: 3,
    lookAlikeCount: 0,
  });
});

test('an entry that two sources have is one look-alike', async () => {
  const line = (id: string): Line => [id, 'M1', 700, '2026-10-01 09:00:00'];
  await take('two-a', [line('A')]);
  await take('two-b', [line('B')], { force: true });
  const result = await take('two-c', [line('C')], { force: true });
  expect(result.lookAlikeCount).toBe(1);
  expect(result.lookAlikes.map(({ source }) => source)).toEqual(['two-a', 'two-b']);
});

test('what was withdrawn, or corrected since, is not like anything', async () => {
  const lines: Line[] = [
    ['E1', 'L1', 100, '2026-09-01 09:00:00'],
    ['E2', 'L2', 200, '2026-09-01 09:00:00'],
  ];
  await take('former', lines);
  await take('former', [['E1', 'L1', 101, '2026-09-01 09:00:00']]);
  await take('former', [['E1', 'L1', 101, '2026-09-01 09:00:00']], { replace: true, force: true });
  expect(await take('later', lines)).toMatchObject({ added: 2, lookAlikeCount: 0 });
});
