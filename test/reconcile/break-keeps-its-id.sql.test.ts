/** A break is the same one for as long as its cause lives on, under whatever key, kind or account. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Books } from '../helpers/company/books.ts';
import type { EntryLine } from '../helpers/company/books.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { OrderBooks } from '../helpers/company/order-books.ts';
import { T1, openMarchIn } from './orders-in-march.ts';

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

const FREE = { ...T1, feeFen: 0n } as const;

/** The night of a day in March; its findings in lines, without the suspicion of empty listings. */
async function night(day: number, held: Partial<Record<'P' | 'Q', bigint>> = {}): Promise<string[]> {
  for (const accountNo of ['P', 'Q'] as const) {
    const fen = held[accountNo] ?? 100_000n;
    const runId = `read-${day}-${Math.random()}`;
    await books.balance(accountNo, { at: `2026-03-0${day + 1} 02:00:00`, fen, runId });
  }
  const proof = await books.night(`2026-03-0${day}`);
  return (await books.found(proof.runId)).filter((line) => !line.startsWith('empty_suspect'));
}

const breaks = async () =>
  (await database.db.selectFrom('break').selectAll().orderBy('first_day').orderBy('break_id').execute())
    .filter((row) => row.class !== 'empty_suspect')
    .map((row) => ({
      id: row.break_id,
      is: `${row.status} ${row.class} ${row.account_no} ${row.reference} ${row.difference_fen}`,
      since: row.first_day,
      by: row.cleared_by,
    }));

const E1 = { id: 'e1', amountFen: 700n, at: '2026-03-01 10:00:00' } as const;
const REFERRED = { ...E1, reference: 'D7' } as const;
const MOVES: [string, EntryLine, 'P' | 'Q', EntryLine, string][] = [
  ['another reference', REFERRED, 'P', { ...REFERRED, reference: 'D8' }, 'open ledger_only P D8 -700'],
  ['no reference', REFERRED, 'P', E1, 'open ledger_only P e1 -700'],
  ['a first reference', E1, 'P', REFERRED, 'open ledger_only P D7 -700'],
  ['another kind', REFERRED, 'P', { ...REFERRED, kind: 'withdrawal' }, 'open ledger_only P D7 -700'],
  ['another account', REFERRED, 'Q', REFERRED, 'open ledger_only Q D7 -700'],
  ['another account without a reference', E1, 'Q', E1, 'open ledger_only Q e1 -700'],
  ['an adjustment', REFERRED, 'P', { ...E1, kind: 'adjustment' }, 'open ledger_only P e1 -700'],
  [
    'another amount and reference',
    REFERRED,
    'P',
    { ...REFERRED, amountFen: 900n, reference: 'D8' },
    'open ledger_only P D8 -900',
  ],
];

test.each(MOVES)('an entry that is moved to %s keeps its break', async (_, before, account, after, is) => {
  await books.entries('P', [before]);
  await night(1);
  const [first] = await breaks();
  await books.entries(account, [after]);
  await night(2);
  await night(3);
  expect(await breaks()).toEqual([{ id: first?.id, is, since: '2026-03-01', by: null }]);
  await books.withdraw('e1');
  expect(await night(4)).toEqual([]);
  expect(await breaks()).toMatchObject([{ id: first?.id, since: '2026-03-01', by: 'e1' }]);
});

test('a moved entry that the platform has where it is now ends its break', async () => {
  await books.entries('P', [REFERRED]);
  await night(1);
  await books.entries('P', [{ ...REFERRED, reference: 'D8' }]);
  await books.deposits('P', [{ orderNo: 'D8', at: '2026-03-01 09:59:00', amountFen: 700n }]);
  expect(await night(2, { P: 100_700n })).not.toContain('ledger_only P D7 -700');
  expect((await breaks())[0]).toMatchObject({ is: 'closed ledger_only P D7 -700', by: 'D8' });
});

test('what is wrong under the former reference of a moved entry is another break', async () => {
  await books.entries('P', [REFERRED]);
  await night(1);
  const [first] = await breaks();
  await books.entries('P', [{ ...REFERRED, reference: 'D8' }]);
  await books.deposits('P', [{ orderNo: 'D7', at: '2026-03-02 10:00:00', amountFen: 500n }]);
  await night(2, { P: 100_500n });
  expect(await breaks()).toMatchObject([
    { id: first?.id, is: 'open ledger_only P D8 -700', since: '2026-03-01' },
    { is: 'open platform_only P D7 500', since: '2026-03-02' },
  ]);
});

test('a break of one side is the same when the other is there with another amount', async () => {
  await books.deposits('P', [{ orderNo: 'D1', at: '2026-03-01 09:00:00', amountFen: 500n }]);
  await books.entries('Q', [{ ...E1, amountFen: 1_000n }]);
  await night(1, { P: 100_500n });
  const first = await breaks();
  expect(first.map(({ is }) => is).toSorted()).toEqual([
    'open ledger_only Q e1 -1000',
    'open platform_only P D1 500',
  ]);
  await books.entries('P', [{ ...E1, id: 'e2', amountFen: 400n, reference: 'D1' }]);
  const gross = { orderNo: 'D2', at: '2026-03-01 09:59:00', amountFen: 1_000n, feeFen: 30n };
  await books.deposits('Q', [gross]);
  await night(2, { P: 100_500n, Q: 100_970n });
  const known = (await breaks()).filter(({ is }) => !is.includes('unexplained'));
  expect(known.map(({ id }) => id)).toEqual(first.map(({ id }) => id));
  expect(known.map(({ is }) => is).toSorted()).toEqual(['open amount P D1 100', 'open fee Q D2 -30']);
});

test('a break does not take the name of another that was moved away from there', async () => {
  await books.entries('P', [REFERRED]);
  await night(1);
  await books.entries('P', [{ ...REFERRED, reference: 'D8' }]);
  await night(2);
  await books.entries('P', [{ ...REFERRED, id: 'e2' }]);
  expect(await night(3)).toEqual(['ledger_only P D7 -700', 'ledger_only P D8 -700']);
  const ids = (await breaks()).map(({ id }) => id);
  expect(new Set(ids).size).toBe(2);
});

test.each([
  ['to a later day', { ...REFERRED, at: '2026-03-09 10:00:00' }],
  ['to before the opening', { ...REFERRED, at: '2026-02-20 10:00:00' }],
  ['to not posted', { ...REFERRED, status: 'pending' }],
] as const)('an entry that is put off %s ends no break', async (_, after) => {
  await books.entries('P', [REFERRED]);
  await night(1);
  const [first] = await breaks();
  await books.entries('P', [after]);
  expect(await night(2)).toEqual(['ledger_only P D7 -700']);
  await books.entries('P', [{ ...REFERRED, reference: 'D8' }]);
  await night(3);
  expect(await breaks()).toEqual([
    { id: first?.id, is: 'open ledger_only P D8 -700', since: '2026-03-01', by: null },
  ]);
});

test('an entry and its reversal end their break, and a part of it does not', async () => {
  const paid = { ...REFERRED, kind: 'withdrawal' } as const;
  await books.entries('P', [paid]);
  await night(1);
  await books.entries('P', [{ ...paid, id: 'e2', amountFen: -300n }]);
  expect(await night(2)).toEqual(['ledger_only P D7 -400']);
  await books.entries('P', [{ ...paid, id: 'e3', amountFen: -400n }]);
  expect(await night(3)).toEqual([]);
  expect(await breaks()).toMatchObject([{ is: 'closed ledger_only P D7 -400', by: 'e3' }]);
});

test('an entry that names an order by the platform’s number keeps its break when the order is known', async () => {
  await books.entries('P', [
    { id: 'p1', kind: 'transfer_out', amountFen: -9_000n, at: '2026-03-01 09:05:00', reference: 'N1' },
  ]);
  await night(1);
  const [first] = await breaks();
  const later = { submittedAt: '2026-03-02 09:00:00', finalAt: '2026-03-02 10:00:00' } as const;
  await orders.transfer({ ...FREE, ...later, orderNo: 'N1' });
  await books.entries('Q', [
    { id: 'q1', kind: 'transfer_in', amountFen: 10_000n, at: '2026-03-01 09:05:00', reference: 'T1' },
  ]);
  expect(await night(2, { P: 90_000n, Q: 110_000n })).toEqual(['amount P T1 -1000']);
  expect(await breaks()).toEqual([
    { id: first?.id, is: 'open amount P T1 -1000', since: '2026-03-01', by: null },
  ]);
});

test('an entry on the wrong side keeps its break when the movement of its reference comes', async () => {
  await books.entries('P', [
    { id: 'p1', kind: 'transfer_in', amountFen: 10_000n, at: '2026-03-01 09:05:00', reference: 'T1' },
  ]);
  await night(1);
  const [first] = await breaks();
  await orders.transfer({ ...FREE, submittedAt: '2026-03-02 09:00:00', finalAt: '2026-03-02 10:00:00' });
  await night(2, { P: 90_000n, Q: 110_000n });
  expect(await breaks()).toMatchObject([
    { id: first?.id, is: 'open account P T1 -10000', since: '2026-03-01' },
    { since: '2026-03-02' },
    { since: '2026-03-02' },
  ]);
});

test('breaks of two orders of one number that are booked wrong together end together', async () => {
  await orders.transfer({ ...FREE, finalAt: '2026-03-01 10:00:00' });
  const back = { payer: 'Q', payee: 'P', orderNo: 'N2', amountFen: 300n, finalAt: '2026-03-01 11:00:00' };
  await orders.transfer({ ...FREE, ...back });
  const held = { P: 90_300n, Q: 109_700n };
  await night(1, held);
  const onP = async () => (await breaks()).filter(({ is }) => is.includes(' P '));
  const both = await onP();
  expect(both).toHaveLength(2);
  const booked = { at: '2026-03-01 09:05:00', reference: 'T1' } as const;
  await books.entries('P', [
    { ...booked, id: 'p1', kind: 'transfer_out', amountFen: -10_000n },
    { ...booked, id: 'p2', kind: 'transfer_in', amountFen: 200n },
  ]);
  expect((await night(2, held)).filter((line) => line.includes(' P '))).toEqual(['amount P T1 100']);
  expect((await onP()).map(({ id, is }) => `${id} ${is.split(' ')[0]}`)).toEqual(
    both.map(({ id }) => `${id} open`),
  );
  await books.entries('P', [{ ...booked, id: 'p2', kind: 'transfer_in', amountFen: 300n }]);
  await night(3, held);
  expect((await onP()).map(({ is }) => is.split(' ')[0])).toEqual(['closed', 'closed']);
});

test('what agrees in sum but not in its parts is one break, whether or not a part comes later', async () => {
  await orders.transfer({ ...FREE, payee: 'P' });
  await books.entries('P', [
    { id: 'p1', kind: 'transfer_out', amountFen: -9_000n, at: '2026-03-01 09:05:00', reference: 'T1' },
    { id: 'p2', kind: 'transfer_in', amountFen: 9_000n, at: '2026-03-02 00:30:00', reference: 'T1' },
  ]);
  expect(await night(1)).toEqual(['amount P T1 0', 'late P T1 9000']);
  const first = (await breaks()).find(({ is }) => is.includes('amount'));
  expect(await night(2)).toEqual(['amount P T1 0']);
  const open = (await breaks()).filter(({ is }) => is.startsWith('open'));
  expect(open).toEqual([{ id: first?.id, is: 'open amount P T1 0', since: '2026-03-01', by: null }]);
});

test.each([
  ['that is not booked', [], 'open platform_only Q T1 10000'],
  [
    'that is booked wrong',
    [{ id: 'q1', kind: 'transfer_in', amountFen: 9_000n, at: '2026-03-02 00:30:00', reference: 'T1' }],
    'open amount Q T1 1000',
  ],
] as const)(
  'a movement %s is not ended by another placement, which takes it from the day',
  async (_, onQ, is) => {
    await orders.transfer({ ...FREE, submittedAt: '2026-03-01 23:50:00', finalAt: '2026-03-02 02:00:00' });
    await books.entries('P', [
      { id: 'p1', kind: 'transfer_out', amountFen: -10_000n, at: '2026-03-01 23:55:00', reference: 'T1' },
    ]);
    await books.entries('Q', onQ);
    await books.balance('P', { at: '2026-03-02 00:00:05', fen: 90_000n });
    await books.balance('Q', { at: '2026-03-02 00:00:05', fen: 110_000n });
    await books.night('2026-03-01');
    const first = (await breaks()).find((one) => one.is === is);
    expect(first).toBeDefined();
    await books.balance('P', { at: '2026-03-02 00:00:04', fen: 100_000n });
    await books.balance('Q', { at: '2026-03-02 00:00:04', fen: 100_000n });
    await books.night('2026-03-01');
    expect((await breaks()).filter(({ id }) => id === first?.id)).toEqual([first]);
    await night(2, { P: 90_000n, Q: 110_000n });
    expect((await breaks()).filter((one) => one.is.includes('open') && one.is.includes(' Q '))).toEqual([
      first,
    ]);
  },
);

test('what a run of a past day finds first is not ended by a later proof that did not know of it', async () => {
  await books.deposits('P', [{ orderNo: 'D1', at: '2026-03-01 09:00:00', amountFen: 500n }]);
  await books.entries('P', [{ ...E1, amountFen: 500n, reference: 'D1' }]);
  const held = { P: 100_500n };
  expect(await night(1, held)).toEqual([]);
  expect(await night(2, held)).toEqual([]);
  await books.entries('P', [{ ...E1, amountFen: 400n, reference: 'D1' }]);
  const wrong = { orderNo: 'D1', at: '2026-03-01 09:00:00', amountFen: 500n, feeFen: 0n, realFen: 123n };
  await books.deposits('P', [wrong], 'n2', '2026-03-01');
  expect(await night(1, held)).toContain('amount P D1 100');
  const told = async () => (await breaks()).filter(({ is }) => /(amount|fee_invariant) P D1/.test(is));
  const first = await told();
  expect(first.map(({ is }) => is).toSorted()).toEqual(['open amount P D1 100', 'open fee_invariant P D1 0']);
  await night(3, held);
  expect(await told()).toEqual(first);
});
