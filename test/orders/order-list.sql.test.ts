/** The list of what is to be asked: what is due, what concerns an account, what a run asked. */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { countAsked, countDue, listDue, listOpenOf, listRecentOf } from '../../src/store/orders/order-due.ts';
import type { Db, Tables } from '../../src/store/schema/schema.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { emptyTables } from '../helpers/dump.ts';
import {
  batchAnswer,
  batchUnit,
  enrolled,
  listed,
  save,
  withdrawalAnswer,
  withdrawalUnit,
} from '../helpers/company/order-answers.ts';
import { register } from '../helpers/company/order-registering.ts';

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
});
afterAll(() => database.close());
beforeEach(() => emptyTables(db, 'all'));

const filter = { runId: 'night-1', today: '2026-03-02', which: 'due', accounts: [] } as const;
const numbers = async (over: Partial<Parameters<typeof countDue>[1]> = {}) => {
  const units = await listDue(db, { ...filter, ...over }, { after: undefined, limit: 100 });
  expect(await countDue(db, { ...filter, ...over })).toBe(units.length);
  return units.map(({ number }) => number).join(' ');
};

test('what is final waits for its day, and what this run asked is not asked again unless it failed', async () => {
  await enrolled(db, ['B1', 'B2', 'B3', 'B4'].map(batchUnit));
  const answer = (no: string, state: string) =>
    batchAnswer(0, [listed(state, { outOrderNo: `T${no}` })], {
      unit: batchUnit(no),
      outBatchNo: no,
      state,
    });
  await save(db, [
    answer('B1', 'SUCCESS'),
    answer('B2', 'PROCESSING'),
    { kind: 'failed', unit: batchUnit('B3'), reason: 'no answer' },
  ]);
  expect(await numbers()).toBe('B3 B4');
  expect(await numbers({ runId: 'night-2' })).toBe('B2 B3 B4');
  expect(await numbers({ runId: 'night-2', today: '2026-03-03' })).toBe('B1 B2 B3 B4');
  expect(await numbers({ runId: 'snapshot', which: 'open', today: '2026-03-03' })).toBe('B2 B3 B4');
});

test('comes in pages', async () => {
  await enrolled(db, [withdrawalUnit('W1'), ...['B2', 'B1', 'B3'].map(batchUnit)]);
  const first = await listDue(db, filter, { after: undefined, limit: 2 });
  const second = await listDue(db, filter, { after: first.at(-1), limit: 2 });
  expect([...first, ...second].map(({ number }) => number)).toEqual(['B1', 'B2', 'B3', 'W1']);
});

test('for some accounts: theirs as payer or payee, and what is nobody’s yet', async () => {
  await register(db, { kind: 'transfer', out_batch_no: 'B3', out_order_no: 'T3', payee_account_no: 'A' });
  await enrolled(db, [
    { ...batchUnit('B1'), accountNo: 'A' },
    { ...batchUnit('B2'), accountNo: 'Z' },
    { ...batchUnit('B3'), accountNo: 'Z' },
    { ...batchUnit('B4'), accountNo: 'Z' },
    { ...withdrawalUnit('W1'), accountNo: '' },
    { ...withdrawalUnit('W2'), accountNo: 'Z' },
  ]);
  const paidToA = listed('PROCESSING', { payeeAccountNo: 'A', payerAccountNo: 'Z', outOrderNo: 'T4' });
  await save(db, [batchAnswer(0, [paidToA], { unit: batchUnit('B4'), outBatchNo: 'B4' })], {
    runId: 'before',
  });
  expect(await numbers({ accounts: ['A'] })).toBe('B1 B3 B4 W1');
});

test('what may still move an account’s money: its own withdrawals, and batches it pays or is paid by', async () => {
  await enrolled(db, [
    { ...batchUnit('B1'), accountNo: 'P' },
    { ...batchUnit('B2'), accountNo: 'P' },
    { ...batchUnit('B3'), accountNo: 'P' },
    { kind: 'batch', numberKind: 'platform', number: 'N-B4', accountNo: 'P' },
    { ...withdrawalUnit('W1'), accountNo: 'Q' },
    { ...withdrawalUnit('W2'), accountNo: 'Q' },
  ]);
  const answer = (no: string, state: string, payeeAccountNo: string, over: object = {}) =>
    batchAnswer(0, [listed(state, { outOrderNo: `T${no}`, payeeAccountNo, ...over })], {
      unit: batchUnit(no),
      outBatchNo: no,
      batchNo: `N-${no}`,
      state,
    });
  await save(db, [
    answer('B1', 'SUCCESS', 'Q'),
    answer('B2', 'PROCESSING', 'Q'),
    answer('B3', 'SUCCESS', 'Q', { settleState: 'PROCESSING' }),
    {
      ...answer('B4', 'SUCCESS', 'Q', { refundFen: 5n, refundWaits: true }),
      unit: { kind: 'batch', numberKind: 'platform', number: 'N-B4' },
    },
    withdrawalAnswer(0, 'SUCCESS', { accountNo: 'Q' }),
    withdrawalAnswer(0, 'PROCESSING', { unit: withdrawalUnit('W2'), outOrderNo: 'W2', accountNo: 'Q' }),
  ]);
  const open = async (accountNo: string) =>
    (await listOpenOf(db, accountNo)).map(({ number }) => number).join(' ');
  expect(await open('P')).toBe('B2 B3 N-B4');
  expect(await open('Q')).toBe('B2 B3 N-B4 W2');
  expect(await open('R')).toBe('');
  const all = { batches: 4, transferOrders: 4, withdrawals: 2, ledgerOnly: 0 };
  const counted = (runId: string, cut: string, accounts: string[] = []) =>
    countAsked(db, { runId, cut, accounts });
  expect(await counted('night-1', '2026-01-01T16:00:00.000Z')).toEqual(all);
  // Whoever looked in the day after the cut looked for it.
  expect(await counted('night-2', '2026-03-01T16:00:00.000Z')).toEqual(all);
  expect(await counted('night-2', '2026-03-01T16:00:00.000Z', ['Q'])).toEqual(all);
  const none = { batches: 0, transferOrders: 0, withdrawals: 0, ledgerOnly: 0 };
  for (const cut of ['2026-02-28T16:00:00.000Z', '2026-03-02T16:00:00.000Z']) {
    expect(await counted('night-2', cut)).toEqual(none);
  }
  expect(await counted('night-2', '2026-03-01T16:00:00.000Z', ['R'])).toEqual(none);
  const recent = { accounts: ['Q'], today: '2026-03-02', days: 90 };
  const page = { after: undefined, limit: 100 };
  expect((await listRecentOf(db, recent, page)).map(({ number }) => number)).toEqual([
    'B1',
    'B2',
    'B3',
    'N-B4',
    'W1',
    'W2',
  ]);
  const later = { ...recent, today: '2026-06-01' };
  expect((await listRecentOf(db, later, page)).map(({ number }) => number)).toEqual([
    'B2',
    'B3',
    'N-B4',
    'W2',
  ]);
});

test('what an account has open is looked up by its keys, also where the planner knows nothing of the list yet', async () => {
  // What a test before had in the tables is forgotten, with what was counted of it.
  await sql`truncate order_due, transfer_order, transfer_batch cascade`.execute(db);
  await sql`delete from pg_statistic where starelid = any(array['order_due', 'transfer_order', 'transfer_batch']::regclass[])`.execute(
    db,
  );
  const batches = Array.from({ length: 1_000 }, (_, nth) => `B${nth}`);
  const payerOf = (nth: number): string => (nth === 500 ? 'P' : `P${nth}`);
  await enrolled(
    db,
    batches.map((no, nth) => ({ ...batchUnit(no), accountNo: payerOf(nth) })),
  );
  await save(
    db,
    batches.map((no, nth) =>
      batchAnswer(0, [listed('PROCESSING', { outOrderNo: `T${no}`, payerAccountNo: payerOf(nth) })], {
        unit: batchUnit(no),
        outBatchNo: no,
        batchNo: `N-${no}`,
        state: 'PROCESSING',
      }),
    ),
  );
  const rowsRead = await db.transaction().execute(async (trx) => {
    const before = await rowsReadBy(trx);
    expect(await listOpenOf(trx, 'P')).toMatchObject([{ number: 'B500' }]);
    return (await rowsReadBy(trx)) - before;
  });
  expect(rowsRead).toBeLessThan(20);
});

/** Of the lists of orders, by this session since it last told its figures. */
async function rowsReadBy(trx: Transaction<Tables>): Promise<number> {
  const { rows } = await sql<{ read: bigint }>`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint as read from pg_stat_xact_user_tables
    where relname in ('order_due', 'transfer_order', 'transfer_batch')`.execute(trx);
  return Number(rows[0]?.read);
}
