import { afterAll, describe, expect, test } from 'vitest';

import { findCompleteTo } from '../../src/store/intake/ledger-complete.ts';
import { testDatabase } from '../helpers/database.ts';
import { countsOf, entriesOf, takeAccounts, takeLedger } from './books.ts';
import { testFolder } from './in-folder.ts';

const folder = await testFolder();
const database = await testDatabase();
const { db } = database;
afterAll(() => database.close());
await takeAccounts(db, await folder.write('accounts.csv', 'account_no\n62001\n62002\n'));

const HEADER = 'entry_id,account_no,kind,amount_fen,booked_at\n';

/** Ids with amounts and the day of March on which they are booked at noon. */
const ledger = (...entries: readonly (readonly [string, number, number])[]): string =>
  HEADER +
  entries
    .map(([id, fen, day]) => `${id},62001,deposit,${fen},2026-03-${String(day).padStart(2, '0')} 12:00:00\n`)
    .join('');

const take = async (
  source: string,
  text: string,
  more: { replace?: boolean; force?: boolean; completeTo?: string } = {},
) => takeLedger(db, { source, path: await folder.write('ledger.csv', text), ...more });

describe('--replace', () => {
  test('entries of the days the file spans that it lacks are withdrawn; others stay', async () => {
    const at = (id: string, time: string): string => `${id},62001,deposit,100,${time}\n`;
    await take(
      'replace',
      HEADER +
        at('before', '2026-03-01 23:59:59') +
        at('first', '2026-03-02 00:00:00') +
        at('inside', '2026-03-03 12:00:00') +
        at('last', '2026-03-04 23:59:59') +
        at('after', '2026-03-05 00:00:00'),
    );
    await take('other', ledger(['inside', 1, 3]));
    const file =
      HEADER +
      at('new', '2026-03-02 08:00:00') +
      at('inside', '2026-03-03 12:00:00') +
      at('end', '2026-03-04 09:00:00');
    const result = await take('replace', file, { replace: true, force: true });
    expect(countsOf(result)).toEqual({
      stored: true,
      rows: 3,
      added: 2,
      unchanged: 1,
      replaced: 0,
      withdrawn: 2,
    });
    const states = (await entriesOf(db, 'replace')).map(
      (entry) => `${entry.id} ${entry.version} ${entry.state}`,
    );
    expect(states.toSorted()).toEqual([
      'after 1 current',
      'before 1 current',
      'end 1 current',
      'first 1 withdrawn',
      'inside 1 current',
      'last 1 withdrawn',
      'new 1 current',
    ]);
    expect((await entriesOf(db, 'other')).map((entry) => entry.state)).toEqual(['current']);
    const again = await take('replace', file, { replace: true, force: true });
    expect(countsOf(again)).toMatchObject({ added: 0, unchanged: 3, replaced: 0, withdrawn: 0 });
  });

  test('an entry that was withdrawn and comes again is current with a new version', async () => {
    await take('again', ledger(['E1', 100, 1], ['E2', 200, 1]));
    await take('again', ledger(['E1', 100, 1]), { replace: true, force: true });
    expect(countsOf(await take('again', ledger(['E2', 200, 1])))).toMatchObject({ added: 0, replaced: 1 });
    await take('again', ledger(['E2', 250, 1]));
    const entries = (await entriesOf(db, 'again')).filter((entry) => entry.id === 'E2');
    expect(entries.map((entry) => [entry.version, entry.fen, entry.state])).toEqual([
      [1, 200n, 'withdrawn'],
      [2, 200n, 'former'],
      [3, 250n, 'current'],
    ]);
  });

  test('a file that came without it and comes again with it withdraws, and is marked', async () => {
    await take('marked', ledger(['E1', 100, 1], ['E2', 200, 1]));
    await take('marked', ledger(['E1', 100, 1]));
    expect(
      countsOf(await take('marked', ledger(['E1', 100, 1]), { replace: true, force: true })),
    ).toMatchObject({
      withdrawn: 1,
    });
    const files = await db
      .selectFrom('intake_file')
      .select('replaced')
      .where('source', '=', 'marked')
      .orderBy('row_count')
      .execute();
    expect(files).toEqual([{ replaced: true }, { replaced: false }]);
  });

  test('an entry that moved out of the span by its new date is changed, not withdrawn', async () => {
    await take('moved', ledger(['E1', 100, 1], ['E2', 200, 1]));
    const result = await take('moved', ledger(['E1', 100, 1], ['E2', 200, 9]), { replace: true });
    expect(countsOf(result)).toMatchObject({ unchanged: 1, replaced: 1, withdrawn: 0 });
  });

  test('a file without rows spans nothing and is refused', async () => {
    await expect(take('none', HEADER, { replace: true })).rejects.toThrow(
      'ledger.csv has no rows, so it spans no days and --replace means nothing',
    );
    expect(countsOf(await take('none', HEADER))).toMatchObject({ stored: true, rows: 0, added: 0 });
  });
});

describe('--complete-to', () => {
  const first = '2026-03-01T16:00:00.000Z';
  const later = '2026-03-02T16:00:00.000Z';

  test('moves forward, and back only with --replace', async () => {
    expect(await findCompleteTo(db, 'complete')).toBe(null);
    await take('complete', ledger(['E1', 100, 1]), { completeTo: later });
    expect(await findCompleteTo(db, 'complete')).toBe(later);
    await take('complete', ledger(['E2', 100, 1]));
    await take('complete', ledger(['E1', 100, 1]), { completeTo: later });
    await expect(take('complete', ledger(['E3', 100, 1]), { completeTo: first })).rejects.toThrow(
      'complete is complete to 2026-03-03 00:00:00 already; --complete-to 2026-03-02 00:00:00 would take that back (only with --replace)',
    );
    expect((await entriesOf(db, 'complete')).map((entry) => entry.id)).toEqual(['E1', 'E2']);
    await take('complete', ledger(['E1', 100, 1]), { completeTo: first, replace: true, force: true });
    expect(await findCompleteTo(db, 'complete')).toBe(first);
  });

  test('a file with a fault does not move it', async () => {
    await take('complete-fault', `${HEADER}E1,62001,deposit,x,2026-03-01 00:00:00\n`, { completeTo: first });
    expect(await findCompleteTo(db, 'complete-fault')).toBe(null);
  });
});

describe('what --replace would withdraw', () => {
  const HUNDRED = Array.from({ length: 100 }, (_, at) => [`E${at}`, 100, 1 + (at % 20)] as const);
  /** Of the first twenty days, without the named entries. */
  const without = (...ids: readonly string[]): string =>
    ledger(...HUNDRED.filter(([id]) => !ids.includes(id)));

  test('a few per cent go without a word; more are told with count, sum and examples, and nothing is done', async () => {
    await take('share', ledger(...HUNDRED));
    const few = await take('share', without('E5', 'E6', 'E7'), { replace: true });
    expect(countsOf(few)).toMatchObject({ stored: true, withdrawn: 3 });
    await expect(
      take('share', without('E5', 'E6', 'E7', 'E10', 'E11', 'E12', 'E13', 'E14'), { replace: true }),
    ).rejects.toThrow(
      'ledger.csv was not taken in: --replace would withdraw 5 of the 97 entries that "share" has from 2026-03-01 to 2026-03-20, ' +
        '5.00 of 97.00 yuan. If the file has all that is true of these days: --force' +
        '\n- "E10": 62001, deposit, no reference, 1.00 yuan, 2026-03-11' +
        '\n- "E11": 62001, deposit, no reference, 1.00 yuan, 2026-03-12' +
        '\n- "E12": 62001, deposit, no reference, 1.00 yuan, 2026-03-13' +
        '\n- "E13": 62001, deposit, no reference, 1.00 yuan, 2026-03-14' +
        '\n- "E14": 62001, deposit, no reference, 1.00 yuan, 2026-03-15',
    );
    expect((await entriesOf(db, 'share')).filter(({ state }) => state === 'withdrawn')).toHaveLength(3);
  });

  test('one entry that holds most of the money is more than a few per cent', async () => {
    await take('weight', ledger(...HUNDRED, ['opening', 5_000, 1]), { force: true });
    await expect(take('weight', without(), { replace: true })).rejects.toThrow(
      '--replace would withdraw 1 of the 101 entries that "weight" has from 2026-03-01 to 2026-03-20, 50.00 of 150.00 yuan',
    );
    const meant = await take('weight', without(), { replace: true, force: true });
    expect(countsOf(meant)).toMatchObject({ stored: true, withdrawn: 1 });
  });
});
