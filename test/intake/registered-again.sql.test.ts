/** What a program registers of an order once more and otherwise is dropped by the registry, and kept. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { listRegisteredOrders } from '../../src/store/orders/registered-orders.ts';
import { scheduleOrderQueries } from '../../src/store/orders/schedule-order-queries.ts';
import { onPostgres, databaseToSpoil } from '../helpers/database.ts';
import { testFolder } from './in-folder.ts';
import { registryOf, takeOrders } from './order-files.ts';
import { openSession } from './registry-session.ts';
import type { Session } from './registry-session.ts';

const folder = await testFolder();
const database = await databaseToSpoil();
const { db } = database;
const role = `payments_${randomBytes(4).toString('hex')}`;
let session: Session;

beforeAll(async () => {
  session = await openSession(database);
  await session.script(`create role ${role} login; grant select on order_registry to ${role};
    grant insert (kind, out_batch_no, out_order_no, batch_no, order_no, payer_account_no, payee_account_no,
      amount_fen, submitted_at, outcome) on order_registry to ${role}`);
});
beforeEach(async () => {
  await session.script('delete from order_registry; delete from order_due; delete from order_contradiction');
});
afterAll(async () => {
  await session?.script(`reset role; drop owned by ${role}; drop role ${role}`);
  await session?.close();
  await database.close();
});

const insert = (amountFen: number | 'null', { out = 'T1', batch = 'B1', payee = '62002' } = {}): string =>
  `insert into order_registry (kind, out_batch_no, out_order_no, payer_account_no, payee_account_no, amount_fen,
    submitted_at)
  values ('transfer', '${batch}', '${out}', '62001', '${payee}', ${amountFen}, '2026-03-01 09:00+08')
  on conflict (kind, registered_as) do nothing;`;
const asProgram = (script: string) => session.script(`set role ${role}; ${script} reset role`);

/** Of each order, what was registered of it too; `right` is the file that put it right. */
async function contradictions(): Promise<string[]> {
  const orders = await listRegisteredOrders(db, { accountNo: undefined, onlyOpen: false, limit: undefined });
  return orders.flatMap(({ outOrderNo, contradictions: all }) =>
    all.map(({ member, value, settledBy }) =>
      [outOrderNo, member, value, settledBy].filter(Boolean).join(' '),
    ),
  );
}
const kept = async () => (await db.selectFrom('order_contradiction').selectAll().execute()).length;

test('a second registration that says otherwise is kept with all in which it does, once', async () => {
  await asProgram(insert(100));
  await asProgram(insert(200, { payee: '62003' }) + insert(200, { payee: '62003' }));
  expect(await registryOf(db)).toEqual([
    'transfer: outBatch B1, out T1, from 62001, to 62002, 100 fen, at 2026-03-01T01:00:00.000Z, sent',
  ]);
  expect(await contradictions()).toEqual(['T1 amount_fen 200', 'T1 payee_account_no 62003']);
  expect(await kept()).toBe(1);
});

test('registering the same once more, or less of it, keeps nothing; saying more does', async () => {
  await asProgram(insert('null') + insert('null'));
  await session.script(`update order_registry set batch_no = '901', order_no = '801'`);
  await asProgram(insert('null') + insert('null', { payee: '' }));
  expect(await kept()).toBe(0);
  await asProgram(insert(100));
  expect(await contradictions()).toEqual(['T1 amount_fen 100']);
});

test('what is refused or rolled back leaves nothing', async () => {
  await asProgram(insert(100));
  const plain = insert(200).replace(/on conflict.*/, ';');
  await expect(session.script(plain)).rejects.toThrow('duplicate key');
  await asProgram(`begin; ${insert(200)} rollback;`);
  expect(await kept()).toBe(0);
});

test.runIf(onPostgres)('two programs in the same moment: what is dropped is kept', async () => {
  const other = await openSession(database);
  await session.script(`begin; ${insert(100)}`);
  const dropped = other.script(insert(200));
  const waiting = sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await waiting.execute(db)).rows.length, { timeout: 30_000 }).toBe(1);
  await session.script('commit');
  await dropped;
  await other.close();
  expect(await contradictions()).toEqual(['T1 amount_fen 200']);
  expect(await kept()).toBe(1);
});

test('the order is asked for once more, and its other batch as well', async () => {
  await asProgram(insert(100));
  await scheduleOrderQueries(db, '2026-03-02T02:00:00.000Z');
  await db.updateTable('order_due').set({ next_day: null, state: 'final' }).execute();
  await asProgram(insert(200) + insert(100, { batch: 'B2' }));
  await scheduleOrderQueries(db, '2026-03-03T02:00:00.000Z');
  const dues = await db
    .selectFrom('order_due')
    .select(['number', 'account_no', 'next_day'])
    .orderBy('number')
    .execute();
  expect(dues.map((due) => Object.values(due).join(' '))).toEqual(['B1 62001 ', 'B2 62001 ']);
  const dated = await db.selectFrom('order_contradiction').select('at').execute();
  expect(dated.map(({ at }) => at)).toEqual(['2026-03-03T02:00:00.000Z', '2026-03-03T02:00:00.000Z']);
});

test('--replace puts it right where the file states all of it, says so, and what was registered stays listed', async () => {
  await asProgram(insert(100));
  await asProgram(insert(200, { payee: '62003' }));
  const take = async (rows: string) =>
    takeOrders(db, {
      path: await folder.write(
        'right.csv',
        `kind,out_batch_no,out_order_no,payee_account_no,amount_fen\n${rows}`,
      ),
      replace: true,
    });
  await scheduleOrderQueries(db, '2026-03-02T02:00:00.000Z');
  expect((await take('transfer,B1,T1,,100\n')).correctionCount).toBe(0);
  const right = await take('transfer,B1,T1,62002,100\n');
  expect(right.corrections.map(({ order, column, before, now }) => [order, column, before, now])).toEqual([
    ['T1', 'amount_fen', '200', '100'],
    ['T1', 'payee_account_no', '62003', '62002'],
  ]);
  expect(await contradictions()).toEqual([
    'T1 amount_fen 200 right.csv',
    'T1 payee_account_no 62003 right.csv',
  ]);
  expect((await take('transfer,B1,T1,62002,100\n')).correctionCount).toBe(0);
});

test('where the later registration was right, putting the order right ends the contradiction', async () => {
  await asProgram(insert(100));
  await asProgram(insert(200));
  await session.script('update order_registry set amount_fen = 200');
  expect(await contradictions()).toEqual([]);
});
