/** What was known when a break was last found, but counts only after the cut of that proof, ends it all the same. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Books } from '../helpers/company/books.ts';
import type { NightOptions } from '../helpers/company/books.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { OrderBooks, postingRules } from '../helpers/company/order-books.ts';
import { T1, bookedT1, openMarchIn } from './orders-in-march.ts';

let database: TestDatabase;
let books: Books;
let orders: OrderBooks;

beforeEach(async () => {
  database = await testDatabase();
  books = new Books(database.db);
  orders = new OrderBooks(database.db);
  await openMarchIn(books, 'P', 'Q');
});
afterEach(() => database.close());

/** The night of a day in March; its findings in lines, without the suspicion of empty listings. */
async function night(
  day: number,
  held: Partial<Record<'P' | 'Q', bigint>> = {},
  { frozenFen = 0n, ...options }: NightOptions & { frozenFen?: bigint } = {},
): Promise<string[]> {
  for (const accountNo of ['P', 'Q'] as const) {
    const fen = held[accountNo] ?? 100_000n;
    const runId = `read-${day}-${Math.random()}`;
    await books.balance(accountNo, {
      at: `2026-03-0${day + 1} 00:00:05`,
      fen,
      runId,
      frozenFen: accountNo === 'P' ? frozenFen : 0n,
    });
  }
  const proof = await books.night(`2026-03-0${day}`, options);
  return (await books.found(proof.runId)).filter((line) => !line.startsWith('empty_suspect'));
}

const breaks = async (): Promise<string[]> =>
  (await database.db.selectFrom('break').selectAll().orderBy('first_day').orderBy('break_id').execute())
    .filter((row) => row.class !== 'empty_suspect')
    .map((row) =>
      [row.status, row.item_key, row.difference_fen, row.closed_day, row.cleared_cause, row.cleared_by]
        .filter((part) => part !== null)
        .join(' '),
    );

const W1 = {
  out: 'W1',
  account: 'P',
  amountFen: 5_000n,
  submittedAt: '2026-03-01 09:00:00',
  finalAt: '2026-03-01 10:00:00',
} as const;
const HELD = { frozenFen: 5_000n };
const RETURN = { since: '2026-03-02 08:00:00', finalAt: '2026-03-02 12:00:00' } as const;

test('a withdrawal that nobody booked ends when it comes back, though the day before is proven again with that', async () => {
  await orders.withdrawal(W1);
  expect(await night(1, { P: 95_000n })).toEqual(['platform_only P W1 -5000']);
  await orders.withdrawal({ ...W1, returned: RETURN });
  expect(await night(1, { P: 95_000n })).toEqual(['platform_only P W1 -5000']);
  expect(await night(2)).toEqual([]);
  expect(await breaks()).toEqual(['closed line:withdrawal:W1 -5000 2026-03-02 record W1']);
});

test('a reversal that was known at midnight ends the line of the entry once its day has come', async () => {
  const paid = { kind: 'withdrawal', reference: 'W1', at: '2026-03-01 09:05:00' } as const;
  await books.entries('P', [{ ...paid, id: 'e1', amountFen: -700n }]);
  await books.entries('P', [{ ...paid, id: 'e2', amountFen: 700n, at: '2026-03-02 00:30:00' }]);
  expect(await night(1)).toEqual(['ledger_only P W1 700']);
  expect(await night(2)).toEqual([]);
  expect(await breaks()).toEqual(['closed line:withdrawal:W1 700 2026-03-02 entry e2']);
});

test('a refund that nobody booked ends when it is taken back, though the day before is proven again with that', async () => {
  const paid = { ...T1, feeFen: 0n, finalAt: '2026-03-01 10:00:00' };
  const refund = { amountFen: 100n, since: '2026-03-01 11:00:00', finalAt: '2026-03-01 12:00:00' };
  const takenBack = { amountFen: -100n, since: '2026-03-02 11:00:00', finalAt: '2026-03-02 12:00:00' };
  await orders.transfer({ ...paid, refunds: [refund] });
  await books.entries('P', [bookedT1.P]);
  await books.entries('Q', [{ ...bookedT1.Q, amountFen: 10_000n }]);
  const refunded = { P: 90_100n, Q: 109_900n };
  const told = ['platform_only P T1 100', 'platform_only Q T1 -100'];
  expect(await night(1, refunded)).toEqual(told);
  await orders.transfer({ ...paid, refunds: [refund, takenBack] });
  expect(await night(1, refunded)).toEqual(told);
  expect(await night(2, { P: 90_000n, Q: 110_000n })).toEqual([]);
  expect((await breaks()).toSorted()).toEqual([
    'closed line:refund:T1 -100 2026-03-02 record T1',
    'closed line:refund:T1 100 2026-03-02 record T1',
  ]);
});

test('so does the fee of an order that another account bears', async () => {
  const rules = { rules: postingRules({ bearers: { withdraw: 'acct:Q' } }) };
  const beside = { ...W1, feeFen: 30n, feeType: 'ACCOUNT' };
  const booked = { kind: 'withdrawal', reference: 'W1' } as const;
  await orders.withdrawal(beside);
  await books.entries('P', [{ ...booked, id: 'p1', amountFen: -5_000n, at: '2026-03-01 10:00:00' }]);
  expect(await night(1, { P: 95_000n, Q: 99_970n }, rules)).toEqual(['platform_only Q W1 -30']);
  await orders.withdrawal({ ...beside, returned: RETURN });
  await books.entries('P', [{ ...booked, id: 'p2', amountFen: 5_000n, at: '2026-03-02 12:00:00' }]);
  expect(await night(1, { P: 95_000n, Q: 99_970n }, rules)).toEqual(['platform_only Q W1 -30']);
  expect(await night(2, {}, rules)).toEqual([]);
  expect(await breaks()).toEqual(['closed line:withdrawal:W1 -30 2026-03-02 record W1']);
});

test('what was known before ends nothing until its day has come', async () => {
  await orders.withdrawal(W1);
  expect(await night(1, { P: 95_000n })).toEqual(['platform_only P W1 -5000']);
  await orders.withdrawal({
    ...W1,
    returned: { ...RETURN, finalAt: '2026-03-03 12:00:00', since: '2026-03-03 08:00:00' },
  });
  expect(await night(1, { P: 95_000n })).toEqual(['platform_only P W1 -5000']);
  expect(await night(2, { P: 95_000n })).toEqual(['platform_only P W1 -5000']);
  expect(await breaks()).toEqual(['open line:withdrawal:W1 -5000']);
  expect(await night(3)).toEqual([]);
  expect(await breaks()).toEqual(['closed line:withdrawal:W1 -5000 2026-03-03 record W1']);
});

test('a return that is known only after two nights ends the line on its day, and not on the day before', async () => {
  const unreturned = { P: 95_000n };
  await orders.withdrawal(W1);
  expect(await night(1, unreturned)).toEqual(['platform_only P W1 -5000']);
  await books.balance('P', { at: '2026-03-03 00:00:05', fen: 100_000n });
  expect(await books.found((await books.night('2026-03-02')).runId)).toContain('platform_only P W1 -5000');
  await orders.withdrawal({ ...W1, returned: RETURN });
  expect(await night(1, unreturned)).toEqual(['platform_only P W1 -5000']);
  expect(await night(2)).toEqual([]);
  expect((await breaks()).find((line) => line.includes('W1'))).toBe(
    'closed line:withdrawal:W1 -5000 2026-03-02 record W1',
  );
});

test('what was under way at midnight ends by its failure, though the day before is proven again with that', async () => {
  await orders.withdrawal({ ...W1, lastOpenAt: '2026-03-02 02:00:00', state: 'open' });
  expect(await night(1, {}, HELD)).toEqual(['in_flight P W1 0']);
  await orders.withdrawal({
    ...W1,
    lastOpenAt: '2026-03-02 02:00:00',
    finalAt: '2026-03-02 12:00:00',
    state: 'failed',
  });
  expect(await night(1, {}, HELD)).toEqual(['in_flight P W1 0']);
  expect(await night(2)).toEqual([]);
  expect(await breaks()).toEqual(['closed line:withdrawal:W1 0 2026-03-02 record W1']);
});
