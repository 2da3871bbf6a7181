import { afterEach, beforeEach, expect, test } from 'vitest';
import { Books } from '../../helpers/company/books.ts';
import { postingRules } from '../../helpers/company/order-books.ts';
import { onPostgres, testDatabase } from '../../helpers/database.ts';
import type { TestDatabase } from '../../helpers/database.ts';
import { match } from '../../../src/reconcile/match/match.ts';
import { post } from '../../../src/reconcile/post/post.ts';
import { fc, runs } from '../../helpers/properties.ts';

let database: TestDatabase;
let books: Books;
beforeEach(async () => {
  database = await testDatabase();
  books = new Books(database.db);
  await books.account('A1', { fen: 0n, at: '2026-03-01 00:00:00' });
});
afterEach(() => database.close());

interface Side {
  day: number;
  payer?: string;
  amountFen?: bigint;
  feeFen?: bigint;
}

async function matched(
  deposits: readonly Side[],
  entries: readonly Side[],
): Promise<{ pairs: string[]; left: string[] }> {
  await books.deposits(
    'A1',
    deposits.map((side, index) => ({
      orderNo: `D${index + 1}`,
      at: `2026-03-${String(side.day).padStart(2, '0')} 10:00:00`,
      amountFen: side.amountFen ?? 100n,
      feeFen: side.feeFen ?? 0n,
      payerName: side.payer ?? 'P',
      payerBankNo: `bank of ${side.payer ?? 'P'}`,
    })),
  );
  await books.entries(
    'A1',
    entries.map((side, index) => ({
      id: `E${index + 1}`,
      at: `2026-03-${String(side.day).padStart(2, '0')} 12:00:00`,
      amountFen: side.amountFen ?? 100n,
      counterparty: side.payer ?? 'P',
    })),
  );
  await post(database.db, postingRules());
  await match(database.db, 'Asia/Shanghai');
  const pairs = await database.db
    .selectFrom('match')
    .innerJoin('ledger_entry', 'ledger_entry.entry_no', 'match.entry_no')
    .select(['match.dedup_key', 'ledger_entry.entry_id', 'match.outcome'])
    .orderBy('match.dedup_key')
    .execute();
  const left = await database.db
    .selectFrom('unmatched')
    .selectAll()
    .orderBy('side')
    .orderBy('item_key')
    .execute();
  return {
    pairs: pairs.map((pair) => `${pair.dedup_key?.slice(8)}-${pair.entry_id} ${pair.outcome}`),
    left: left.map((row) => `${row.side}${row.ambiguous ? ' ambiguous' : ''}`),
  };
}

test('two identical deposits of one day and one entry: one pair, one left over, nothing ambiguous', async () => {
  const { pairs, left } = await matched([{ day: 2 }, { day: 2 }], [{ day: 2 }]);
  expect(pairs).toEqual(['D1-E1 equal']);
  expect(left).toEqual(['platform']);
});

test('a ledger that books everything a day later is paired throughout, in order', async () => {
  const { pairs, left } = await matched(
    [{ day: 2 }, { day: 3 }, { day: 4 }],
    [{ day: 3 }, { day: 4 }, { day: 5 }],
  );
  expect(pairs).toEqual(['D1-E1 equal', 'D2-E2 equal', 'D3-E3 equal']);
  expect(left).toEqual([]);
});

test('two days apart is not the same deposit', async () => {
  const { pairs, left } = await matched([{ day: 2 }], [{ day: 4 }]);
  expect(pairs).toEqual([]);
  expect(left).toEqual(['ledger', 'platform']);
});

test('an entry between two equal deposits is ambiguous: which one it books makes a difference', async () => {
  const { pairs, left } = await matched([{ day: 2 }, { day: 4 }], [{ day: 3 }]);
  expect(pairs).toEqual([]);
  expect(left).toEqual(['ledger ambiguous', 'platform ambiguous', 'platform ambiguous']);
});

test('the same day is nearer than the day before', async () => {
  const { pairs, left } = await matched([{ day: 2 }, { day: 3 }], [{ day: 3 }]);
  expect(pairs).toEqual(['D2-E1 equal']);
  expect(left).toEqual(['platform']);
});

test('payers are told apart by name or by bank account', async () => {
  const { pairs, left } = await matched(
    [
      { day: 2, payer: 'A' },
      { day: 2, payer: 'B' },
    ],
    [{ day: 2, payer: 'bank of B' }],
  );
  expect(pairs).toEqual(['D2-E1 equal']);
  expect(left).toEqual(['platform']);
});

test('an entry that names no payer is ambiguous between two payers, and clear when there are entries for both', async () => {
  const both = [
    { day: 2, payer: 'A' },
    { day: 2, payer: 'B' },
  ];
  const one = await matched(both, [{ day: 2, payer: '' }]);
  expect(one.pairs).toEqual([]);
  expect(one.left).toEqual(['ledger ambiguous', 'platform ambiguous', 'platform ambiguous']);
  await books.entries('A1', [{ id: 'E9', at: '2026-03-02 12:00:00', amountFen: 100n }]);
  await match(database.db, 'Asia/Shanghai');
  expect(await database.db.selectFrom('unmatched').selectAll().execute()).toEqual([]);
});

test('a ledger that forgot the fee is paired by the gross amount, as a fee difference', async () => {
  const { pairs, left } = await matched(
    [{ day: 2, amountFen: 1_000n, feeFen: 7n }],
    [{ day: 2, amountFen: 1_000n }],
  );
  expect(pairs).toEqual(['D1-E1 fee']);
  expect(left).toEqual([]);
});

test('a reference that comes later takes its deposit from a pairing by likeness', async () => {
  await matched([{ day: 2 }], [{ day: 2 }]);
  await books.entries('A1', [{ id: 'R', at: '2026-03-02 13:00:00', amountFen: 100n, reference: 'D1' }]);
  await match(database.db, 'Asia/Shanghai');
  const rows = await database.db
    .selectFrom('match')
    .innerJoin('ledger_entry', 'ledger_entry.entry_no', 'match.entry_no')
    .select(['entry_id', 'rule'])
    .execute();
  expect(rows).toEqual([{ entry_id: 'R', rule: 'reference' }]);
  expect((await database.db.selectFrom('unmatched').selectAll().execute()).map((row) => row.side)).toEqual([
    'ledger',
  ]);
});

/** The reference: pairs within a day that leave the fewest over, counted by brute force. */
function mostPairs(deposits: readonly number[], entries: readonly number[]): number {
  const [first, ...rest] = deposits;
  if (first === undefined) return 0;
  let best = mostPairs(rest, entries);
  entries.forEach((day, index) => {
    if (Math.abs(day - first) <= 1) best = Math.max(best, 1 + mostPairs(rest, entries.toSpliced(index, 1)));
  });
  return best;
}

test('never pairs twice, never beyond a day, pairs all when all can be paired; what is left cannot be paired or is ambiguous', async () => {
  const days = fc.array(fc.integer({ min: 2, max: 8 }), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(days, days, async (deposits, entries) => {
      for (const table of [
        'match',
        'unmatched',
        'movement',
        'deposit',
        'ledger_entry',
        'progress',
      ] as const) {
        await database.db.deleteFrom(table).execute();
      }
      const { left } = await matched(
        deposits.map((day) => ({ day })),
        entries.map((day) => ({ day })),
      );
      const rows = await database.db
        .selectFrom('match')
        .innerJoin('ledger_entry', 'ledger_entry.entry_no', 'match.entry_no')
        .innerJoin('movement', 'movement.dedup_key', 'match.dedup_key')
        .select(['match.dedup_key', 'match.entry_no', 'booked_at', 'effective_from'])
        .execute();
      expect(new Set(rows.map((row) => row.dedup_key)).size).toBe(rows.length);
      expect(new Set(rows.map((row) => row.entry_no)).size).toBe(rows.length);
      for (const row of rows) {
        const apart = Date.parse(row.booked_at) - Date.parse(row.effective_from);
        expect(Math.abs(apart - 7_200_000)).toBeLessThanOrEqual(86_400_000);
      }
      expect(rows.length * 2 + left.length).toBe(deposits.length + entries.length);
      const most = mostPairs(deposits, entries);
      if (most === deposits.length && most === entries.length) expect(rows).toHaveLength(most);
      const leftKinds = new Set(left);
      if (leftKinds.has('ledger') && leftKinds.has('platform')) expect(rows.length).toBeLessThanOrEqual(most);
    }),
    { numRuns: runs(onPostgres ? 25 : 20) },
  );
}, 120_000);

test('in a chain of neighbouring days nothing is paired over two of them', async () => {
  const { pairs } = await matched([{ day: 2 }, { day: 3 }], [{ day: 4 }, { day: 4 }]);
  expect(pairs).toEqual([]);
});
