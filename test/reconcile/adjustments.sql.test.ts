import { afterEach, beforeEach, expect, test } from 'vitest';
import { Books } from '../helpers/company/books.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { openMarchIn } from './orders-in-march.ts';

/** An adjustment clears only what arose before it was booked, within the interval that it covers, and once. */

let database: TestDatabase;
let books: Books;

beforeEach(async () => {
  database = await testDatabase();
  books = new Books(database.db);
  await openMarchIn(books, 'A1');
});
afterEach(() => database.close());

let read = 0;

const adjust = (id: string, amountFen: bigint, at: string): Promise<void> =>
  books.entries('A1', [{ id, kind: 'adjustment', amountFen, at }]);

/** The nights of the days from the 1st on, with what the account held after each. */
async function nights(...heldFen: bigint[]): Promise<string[][]> {
  const found: string[][] = [];
  for (const [place, fen] of heldFen.entries()) {
    const runId = `read-${place}-${fen}-${(read += 1)}`;
    await books.balance('A1', { at: `2026-03-0${place + 2} 00:00:05`, fen, runId });
    const proof = await books.night(`2026-03-0${place + 1}`);
    found.push((await books.found(proof.runId)).filter((line) => !line.startsWith('empty_suspect')));
  }
  return found;
}

test('an adjustment that was booked a day before a loss does not clear it', async () => {
  await adjust('ADJ', -500n, '2026-03-01 09:00:00');
  expect(await nights(100_000n, 99_500n, 99_500n)).toEqual([
    ['ledger_only A1 ADJ 500'],
    ['ledger_only A1 ADJ 500', 'unexplained A1 A1 -500'],
    ['ledger_only A1 ADJ 500', 'unexplained A1 A1 -500'],
  ]);
});

test('an adjustment of the last second before the interval of a loss does not clear it, one of its first does', async () => {
  await adjust('ADJ', -500n, '2026-03-01 23:59:59');
  expect((await nights(100_000n, 99_500n)).at(-1)).toEqual([
    'ledger_only A1 ADJ 500',
    'unexplained A1 A1 -500',
  ]);
  await adjust('ADJ', -500n, '2026-03-02 00:00:00');
  expect(await books.found((await books.night('2026-03-02')).runId)).toEqual([]);
});

test('one adjustment clears one of two equal losses, the older, and stays with it', async () => {
  await adjust('ADJ', -500n, '2026-03-02 09:00:00');
  const [first, second, third, fourth] = await nights(99_500n, 99_500n, 99_000n, 99_000n);
  expect(first).toEqual(['unexplained A1 A1 -500']);
  expect(second).toEqual([]);
  expect(third).toEqual(['unexplained A1 A1 -500']);
  expect(fourth).toEqual(['unexplained A1 A1 -500']);
  const breaks = await database.db.selectFrom('break').selectAll().orderBy('first_day').execute();
  expect(breaks.map((row) => [row.item_key, row.status, row.cleared_by])).toEqual([
    ['unexplained:2026-03-01', 'closed', 'ADJ'],
    ['unexplained:2026-03-03', 'open', null],
  ]);
});

test('an adjustment between two losses clears the one before it, whichever comes first in the list', async () => {
  await adjust('LATE', -500n, '2026-03-04 09:00:00');
  await adjust('MID', -500n, '2026-03-02 09:00:00');
  expect((await nights(99_500n, 99_500n, 99_000n, 99_000n)).at(-1)).toEqual([]);
});

test('an adjustment at the very cut belongs to the next day', async () => {
  expect(await nights(99_500n)).toEqual([['unexplained A1 A1 -500']]);
  await adjust('ADJ', -500n, '2026-03-02 00:00:00');
  expect(await nights(99_500n)).toEqual([['unexplained A1 A1 -500']]);
  await books.balance('A1', { at: '2026-03-03 00:00:05', fen: 99_500n });
  expect(await books.found((await books.night('2026-03-02')).runId)).toEqual([]);
});

test('in a spanned gap an adjustment clears no loss that came after a balance read since', async () => {
  expect(await nights(100_000n)).toEqual([[]]);
  await adjust('ADJ', -500n, '2026-03-02 09:00:00');
  await books.balance('A1', { at: '2026-03-03 00:00:05', fen: 100_000n });
  await books.balance('A1', { at: '2026-03-04 00:00:05', fen: 100_000n });
  await books.balance('A1', { at: '2026-03-05 00:00:05', fen: 99_500n });
  const spanning = await books.night('2026-03-04');
  const both = ['ledger_only A1 ADJ 500', 'unexplained A1 A1 -500'];
  expect(await books.found(spanning.runId)).toEqual(both);
  await books.balance('A1', { at: '2026-03-06 00:00:05', fen: 99_500n });
  expect(await books.found((await books.night('2026-03-05')).runId)).toEqual(both);
});

test('an opening that is stated differently later does not take the adjustment of another difference', async () => {
  await books.balance('A1', { at: '2026-03-02 00:00:05', fen: 100_500n });
  await books.night('2026-03-01');
  await adjust('ADJ', 500n, '2026-03-02 10:00:00');
  await books.balance('A1', { at: '2026-03-03 00:00:05', fen: 100_500n });
  expect(await books.found((await books.night('2026-03-02')).runId)).toEqual([]);
  await books.entries('A1', [
    { id: 'A1-open', kind: 'opening', amountFen: 99_500n, at: '2026-03-01 00:00:00' },
  ]);
  await books.balance('A1', { at: '2026-03-04 00:00:05', fen: 100_500n });
  expect(await books.found((await books.night('2026-03-03')).runId)).toEqual(['period_changed A1 A1 500']);
});

/** The books move the entry of a deposit to before their opening, where it is none of theirs any more. */
async function redated(...others: Parameters<Books['entries']>[1]): Promise<void> {
  const moved = { id: 'E1', amountFen: 500n, at: '2026-02-28 10:00:00', reference: 'D1' };
  await books.entries('A1', [moved, ...others]);
}

test.each([
  { when: 'does not take an adjustment of before, until that is handed in again', isBefore: true },
  { when: 'takes the adjustment that comes with it', isBefore: false },
])('an opening difference that the books make after the first proof $when', async ({ isBefore }) => {
  const entry = { id: 'ADJ', kind: 'adjustment', amountFen: 500n, at: '2026-03-01 12:00:00' } as const;
  await books.deposits('A1', [{ orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 500n }]);
  await books.entries('A1', [{ id: 'E1', amountFen: 500n, at: '2026-03-01 10:00:00', reference: 'D1' }]);
  if (isBefore) await adjust('ADJ', entry.amountFen, entry.at);
  const told = isBefore ? ['ledger_only A1 ADJ -500'] : [];
  expect(await nights(100_500n)).toEqual([told]);
  await redated(...(isBefore ? [] : [entry]));
  const made = isBefore ? [...told, 'opening A1 A1 500'] : [];
  expect(await nights(100_500n, 100_500n, 100_500n)).toEqual([made, made, made]);
  await adjust('ADJ', entry.amountFen, entry.at);
  expect((await nights(100_500n, 100_500n, 100_500n, 100_500n)).at(-1)).toEqual([]);
});

test.each(['dated to before the opening as well', 'taken out of the books'])(
  'nor does one that comes of an entry across the openings that is %s',
  async (how) => {
    await books.entries('A1', [
      { id: 'A1-open', kind: 'opening', amountFen: 99_500n, at: '2026-03-01 00:00:00' },
    ]);
    await books.deposits('A1', [{ orderNo: 'D1', at: '2026-02-28 10:00:00', amountFen: 500n }]);
    const booked = { id: 'E1', amountFen: 500n, reference: 'D1' };
    await books.entries('A1', [{ ...booked, at: '2026-03-01 10:00:00' }]);
    await adjust('ADJ', 500n, '2026-03-01 12:00:00');
    const told = ['ledger_only A1 ADJ -500'];
    expect(await nights(100_000n)).toEqual([told]);
    if (how === 'taken out of the books') await books.withdraw('E1');
    else await books.entries('A1', [{ ...booked, at: '2026-02-28 10:00:00' }]);
    const made = [...told, 'opening A1 A1 500'];
    expect(await nights(100_000n, 100_000n, 100_000n)).toEqual([made, made, made]);
    await adjust('ADJ', 500n, '2026-03-01 12:00:00');
    expect((await nights(100_000n, 100_000n, 100_000n, 100_000n)).at(-1)).toEqual([]);
  },
);

test('an older loss that turns up later does not take the adjustment of another', async () => {
  await adjust('ADJ', -500n, '2026-03-03 09:00:00');
  expect(await nights(100_000n, 99_500n, 99_500n)).toEqual([[], ['unexplained A1 A1 -500'], []]);
  await books.deposits('A1', [{ orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 500n }]);
  for (const day of ['2026-03-01', '2026-03-02', '2026-03-03']) await books.night(day);
  const open = ['line:deposit:D1 500', 'unexplained:2026-03-01 -500'];
  expect(await openBreaks()).toEqual(open);

  await books.withdraw('ADJ');
  await adjust('ADJ-2', -500n, '2026-03-03 09:00:00');
  await books.balance('A1', { at: '2026-03-05 00:00:05', fen: 99_500n });
  await books.night('2026-03-04');
  expect(await openBreaks()).toEqual(open);
});

async function openBreaks(): Promise<string[]> {
  const open = await database.db.selectFrom('break').selectAll().where('status', '=', 'open').execute();
  return open.map((row) => `${row.item_key} ${row.difference_fen}`).toSorted();
}

test('an adjustment of nothing clears no difference, not even one of nothing', async () => {
  expect(await nights(100_000n)).toEqual([[]]);
  await books.withdraw('A1-open');
  await adjust('ADJ', 0n, '2026-03-02 10:00:00');
  await books.balance('A1', { at: '2026-03-03 00:00:05', fen: 100_000n });
  const second = await books.night('2026-03-02');
  expect(await books.found(second.runId)).toContain('period_changed A1 A1 0');
});

test.each([
  ['changed', 'A1-open', 'period_changed A1 A1 500'],
  ['first stated', 'A1-later', 'opening A1 A1 500'],
])('an opening that is %s after an adjustment was booked is not cleared by it', async (_, id, item) => {
  if (id !== 'A1-open') await books.withdraw('A1-open');
  await adjust('ADJ', 500n, '2026-03-01 10:00:00');
  const idle = 'ledger_only A1 ADJ -500';
  expect(await nights(100_000n, 100_000n)).toEqual([[idle], [idle]]);
  await books.entries('A1', [{ id, kind: 'opening', amountFen: 99_500n, at: '2026-03-01 00:00:00' }]);
  for (const day of [3, 4]) {
    await books.balance('A1', { at: `2026-03-0${day + 1} 00:00:05`, fen: 100_000n });
    const proof = await books.night(`2026-03-0${day}`);
    expect(await books.found(proof.runId)).toEqual([idle, item].toSorted());
  }
  await adjust('ADJ2', 500n, '2026-03-05 10:00:00');
  await books.balance('A1', { at: '2026-03-06 00:00:05', fen: 100_000n });
  expect(await books.found((await books.night('2026-03-05')).runId)).toEqual([idle]);
  const closed = await database.db.selectFrom('break').selectAll().where('status', '=', 'closed').execute();
  expect(closed.map((row) => row.cleared_by)).toEqual(['ADJ2']);
});

test('an adjustment of the same day that may be older than the loss does not clear it, in no later night either', async () => {
  await adjust('ADJ', -500n, '2026-03-02 09:00:00');
  const both = ['ledger_only A1 ADJ 500', 'unexplained A1 A1 -500'];
  expect(await nights(100_000n, 99_500n, 99_500n)).toEqual([[], both, both]);
  await adjust('ADJ', -500n, '2026-03-02 18:00:00');
  await books.balance('A1', { at: '2026-03-05 00:00:05', fen: 99_500n });
  expect(await books.found((await books.night('2026-03-04')).runId)).toEqual([]);
});

test('an adjustment that is dated before the loss was seen clears it where it came after that was told', async () => {
  expect(await nights(100_000n, 99_500n)).toEqual([[], ['unexplained A1 A1 -500']]);
  await adjust('ADJ', -500n, '2026-03-02 09:00:00');
  await books.balance('A1', { at: '2026-03-04 00:00:05', fen: 99_500n });
  expect(await books.found((await books.night('2026-03-03')).runId)).toEqual([]);
});

test('an adjustment between the cut and a later balance that shows the loss does not clear it', async () => {
  await adjust('ADJ', -500n, '2026-03-02 01:00:00');
  await books.balance('A1', { at: '2026-03-02 02:00:00', fen: 99_500n });
  await books.night('2026-03-01');
  await books.balance('A1', { at: '2026-03-03 02:00:00', fen: 99_500n });
  const both = ['ledger_only A1 ADJ 500', 'unexplained A1 A1 -500'];
  expect(await books.found((await books.night('2026-03-02')).runId)).toEqual(both);
});

test('in a spanned gap an adjustment clears a loss that a balance before it shows', async () => {
  expect(await nights(100_000n)).toEqual([[]]);
  await adjust('ADJ', -500n, '2026-03-03 09:00:00');
  for (const day of [3, 4, 5]) {
    await books.balance('A1', { at: `2026-03-0${day} 00:00:05`, fen: 99_500n });
  }
  expect(await books.found((await books.night('2026-03-04')).runId)).toEqual([]);
});

test('a withdrawn adjustment is the end of its own break, whatever another one is called', async () => {
  expect(await nights(100_500n)).toEqual([['unexplained A1 A1 500']]);
  await adjust('A_1', 500n, '2026-03-01 09:00:00');
  await adjust('AX1', 70n, '2026-03-02 09:00:00');
  await books.balance('A1', { at: '2026-03-03 00:00:05', fen: 100_500n });
  expect(await books.found((await books.night('2026-03-02')).runId)).toEqual(['ledger_only A1 AX1 -70']);
  await books.withdraw('AX1');
  await books.balance('A1', { at: '2026-03-04 00:00:05', fen: 100_500n });
  await books.night('2026-03-03');
  const lines = await database.db
    .selectFrom('break')
    .selectAll()
    .where('class', '=', 'ledger_only')
    .execute();
  expect(lines.map((row) => [row.item_key, row.cleared_cause, row.cleared_by])).toEqual([
    ['line:adjustment:entry:erp/AX1', 'entry', 'AX1'],
  ]);
});

test('an adjustment of a difference of the openings that is gone takes no later one of that amount', async () => {
  const deposit = (day: number, no: number) => ({
    id: `E${no}`,
    amountFen: 500n,
    at: day === 0 ? '2026-02-28 10:00:00' : `2026-03-0${day} 10:00:00`,
    reference: `D${no}`,
  });
  await books.deposits('A1', [
    { orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 500n },
    { orderNo: 'D2', at: '2026-03-01 11:00:00', amountFen: 500n },
  ]);
  await books.entries('A1', [deposit(1, 1), deposit(1, 2)]);
  let day = 0;
  const night = async () => {
    day += 1;
    await books.balance('A1', { at: `2026-03-0${day + 1} 00:00:05`, fen: 101_000n, runId: `read-of-${day}` });
    return books.found((await books.night(`2026-03-0${day}`)).runId);
  };
  expect(await night()).toEqual([]);
  await books.entries('A1', [deposit(0, 1)]);
  expect(await night()).toEqual(['opening A1 A1 500']);
  await adjust('ADJ', 500n, '2026-03-02 12:00:00');
  expect(await night()).toEqual([]);
  expect(await night()).toEqual([]);
  await books.entries('A1', [deposit(1, 1)]);
  expect(await night()).toEqual(['ledger_only A1 ADJ -500']);
  await books.entries('A1', [deposit(0, 2)]);
  const both = ['ledger_only A1 ADJ -500', 'opening A1 A1 500'];
  expect(await night()).toEqual(both);
  expect(await night()).toEqual(both);
  await adjust('ADJ2', 500n, '2026-03-07 12:00:00');
  expect(await night()).toEqual(['ledger_only A1 ADJ -500']);
});
