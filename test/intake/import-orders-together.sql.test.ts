/** Files and programs that register at the same time, and files of many orders. */
import { sql } from 'kysely';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';

import { LockHeld } from '../../src/core/errors.ts';
import { claimIntake } from '../../src/store/intake/intake-files.ts';
import { onPostgres, databaseToSpoil } from '../helpers/database.ts';
import { takeAccounts } from './books.ts';
import { testFolder } from './in-folder.ts';
import { registryOf, sumsOf, takeOrders } from './order-files.ts';

const folder = await testFolder();
const database = await databaseToSpoil();
const { db } = database;
afterAll(() => database.close());
await takeAccounts(db, await folder.write('accounts.csv', 'account_no\n62001\n62002\n'));
beforeEach(async () => {
  await db.deleteFrom('order_registry').execute();
  await db.deleteFrom('order_alias').execute();
});

const take = async (text: string) => takeOrders(db, { path: await folder.write('orders.csv', text) });
const registry = () => registryOf(db);

test('two files at once: one after the other on one session, told to wait on a server', async () => {
  const file = 'kind,out_order_no,amount_fen\nwithdrawal,W1,100\n';
  if (!onPostgres) {
    const paths = [
      await folder.write('one.csv', file),
      await folder.write('two.csv', file.replace('W1', 'W2')),
    ];
    const both = await Promise.all(paths.map((path) => takeOrders(db, { path })));
    expect(both.map(({ added }) => added)).toEqual([1, 1]);
    return;
  }
  await db.transaction().execute(async (trx) => {
    await claimIntake(trx);
    await expect(take(file)).rejects.toThrow(LockHeld);
  });
  expect(await registry()).toEqual([]);
});

test.runIf(onPostgres)('a program registers the same order in that very moment: both are heard', async () => {
  let importing: Promise<string> | undefined;
  await db.transaction().execute(async (program) => {
    await program
      .insertInto('order_registry')
      .values({ kind: 'withdrawal', out_order_no: 'W1', amount_fen: 500n, submitted_at: null, file_id: null })
      .execute();
    importing = take('kind,out_order_no,order_no,amount_fen,outcome\nwithdrawal,W1,P1,500,accepted\n').then(
      sumsOf,
    );
    const waiting = sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    const isWaiting = async () => expect((await waiting.execute(db)).rows).toHaveLength(1);
    await vi.waitFor(isWaiting, { timeout: 30_000 });
  });
  expect(await importing).toBe('1: 0 + 1 + 0');
  expect(await registry()).toEqual(['withdrawal: out W1, order P1, 500 fen, accepted']);
});

test('H12: 100,000 orders are taken in set by set, again without writing one, and amended', async () => {
  const header = 'kind,out_batch_no,out_order_no,payer_account_no,amount_fen,outcome\n';
  const lines = (outcome: string): string =>
    Array.from(
      { length: 100_000 },
      (_, at) => `transfer,B${Math.floor(at / 20)},T${at},62001,${100 + at},${outcome}\n`,
    ).join('');
  expect(sumsOf(await take(header + lines('sent')))).toBe('100000: 100000 + 0 + 0');
  expect(sumsOf(await take(header + lines('sent')))).toBe('100000: 0 + 0 + 100000');
  expect(sumsOf(await take(header + lines('accepted')))).toBe('100000: 0 + 100000 + 0');
  const { n } = await db
    .selectFrom('order_registry')
    .select(({ fn }) => fn.countAll<bigint>().as('n'))
    .where('outcome', '=', 'accepted')
    .executeTakeFirstOrThrow();
  expect(n).toBe(100_000n);
}, 300_000);
