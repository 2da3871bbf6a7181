/** Invariants 1–3: imports commute with the order of rows, repeat without effect, and only ever append versions. */
import { afterAll, expect, test } from 'vitest';

import { testDatabase } from '../helpers/database.ts';
import { countsOf, entriesOf, takeAccounts, takeLedger } from './books.ts';
import type { EntryLine } from './books.ts';
import { testFolder } from './in-folder.ts';
import { fc, runs } from '../helpers/properties.ts';

const folder = await testFolder();
const database = await testDatabase();
const { db } = database;
afterAll(() => database.close());
await takeAccounts(db, await folder.write('accounts.csv', 'account_no\n62001\n'));

const LIMIT_MS = 60_000;

interface Entry {
  id: string;
  fen: number;
  day: number;
}

const entries = fc.uniqueArray(
  fc.record({
    id: fc.constantFrom('A', 'b', 'C-1', 'd_2', '甲'),
    fen: fc.nat(2),
    day: fc.integer({ min: 1, max: 5 }),
  }),
  { selector: (entry) => entry.id, minLength: 1 },
);

const fileOf = (rows: readonly Entry[]): string =>
  'entry_id,account_no,kind,amount_fen,booked_at\n' +
  rows.map(({ id, fen, day }) => `${id},62001,deposit,${fen},2026-03-0${day} 00:00:00\n`).join('');

let sources = 0;
const newSource = (): string => `source ${++sources}`;

async function take(
  source: string,
  rows: readonly Entry[],
  replace: boolean,
): Promise<ReturnType<typeof countsOf>> {
  // Sources and files of these tests are alike on purpose.
  const path = await folder.write('l.csv', fileOf(rows));
  return countsOf(await takeLedger(db, { source, path, replace, force: true }));
}

/** The rows of a source in the order in which they were written, without what names the file, its row and the write. */
async function tableOf(source: string): Promise<unknown[]> {
  const rows = await db
    .selectFrom('ledger_entry')
    .selectAll()
    .where('source', '=', source)
    .orderBy('entry_no')
    .execute();
  const own = { entry_no: null, source: null, file_id: null, file_row: null, written_no: null };
  return rows.map((row) => ({ ...row, ...own }));
}

test(
  'a file with its rows in another order gives the same tables in the same order',
  async () => {
    const shuffled = entries.chain((rows) =>
      fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length })),
    );
    await fc.assert(
      fc.asyncProperty(entries, shuffled, async (earlier, [rows, mixed]) => {
        const [one, two] = [newSource(), newSource()];
        for (const source of [one, two]) await take(source, earlier, false);
        expect(await take(two, mixed, true)).toEqual(await take(one, rows, true));
        expect(await tableOf(two)).toEqual(await tableOf(one));
      }),
      { numRuns: runs(25) },
    );
  },
  LIMIT_MS,
);

/** What the books must hold after a file, worked out entry by entry. */
function applied(books: readonly EntryLine[], rows: readonly Entry[], replace: boolean): EntryLine[] {
  const days = rows.map((row) => row.day);
  const [first, last] = [Math.min(...days), Math.max(...days)];
  const next = books.map((line) => {
    const row = rows.find((candidate) => candidate.id === line.id);
    if (line.state !== 'current') return line;
    if (row) return isEqual(line, row) ? line : { ...line, state: 'former' as const };
    const day = Number(line.at.slice(8, 10)) === 28 ? 1 : Number(line.at.slice(8, 10)) + 1;
    return replace && day >= first && day <= last ? { ...line, state: 'withdrawn' as const } : line;
  });
  for (const row of rows) {
    const versions = next.filter((line) => line.id === row.id);
    if (versions.some((line) => line.state === 'current')) continue;
    next.push({
      id: row.id,
      version: versions.length + 1,
      fen: BigInt(row.fen),
      at: atOf(row),
      state: 'current',
    });
  }
  return next;
}

const isEqual = (line: EntryLine, row: Entry): boolean =>
  line.fen === BigInt(row.fen) && line.at === atOf(row);

/** Midnight in Shanghai. */
const atOf = (row: Entry): string =>
  row.day === 1 ? '2026-02-28T16:00:00.000Z' : `2026-03-0${row.day - 1}T16:00:00.000Z`;

const sorted = (lines: readonly EntryLine[]): string[] =>
  lines.map((line) => `${line.id} ${line.version} ${line.fen} ${line.at} ${line.state}`).toSorted();

test(
  'any sequence of files leaves what each says, and a file again leaves it at that',
  async () => {
    const files = fc.array(fc.record({ rows: entries, replace: fc.boolean() }), {
      minLength: 1,
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(files, async (sequence) => {
        const source = newSource();
        let expected: EntryLine[] = [];
        for (const { rows, replace } of sequence) {
          await take(source, rows, replace);
          expected = applied(expected, rows, replace);
          expect(sorted(await entriesOf(db, source))).toEqual(sorted(expected));
          const again = await take(source, rows, replace);
          expect(again).toMatchObject({ added: 0, unchanged: rows.length, replaced: 0, withdrawn: 0 });
        }
        expect(sorted(await entriesOf(db, source))).toEqual(sorted(expected));
      }),
      { numRuns: runs(25) },
    );
  },
  LIMIT_MS,
);
