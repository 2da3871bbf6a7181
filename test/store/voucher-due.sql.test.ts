/** What gets onto the list of vouchers: final orders, by the kind and number they are asked for with (VCH-02…05, U51). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { post } from '../../src/reconcile/post/post.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import { fillVoucherDue } from '../../src/store/vouchers/voucher-due.ts';
import { listMarkedBundles, unmarkBundle } from '../../src/store/vouchers/voucher-marks.ts';
import { Books } from '../helpers/company/books.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { emptyTables } from '../helpers/dump.ts';
import { lines } from '../helpers/company/order-answers.ts';
import { OrderBooks, postingRules } from '../helpers/company/order-books.ts';
import { at } from '../helpers/service-time.ts';

let database: TestDatabase;
let db: Db;
let books: Books;
let orders: OrderBooks;

beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
  books = new Books(db);
  orders = new OrderBooks(db);
});
afterAll(() => database.close());
beforeEach(() => emptyTables(db, 'all'));

const RULES = { timeZone: 'Asia/Shanghai', autoWithdrawType: '2' } as const;
const ALL_MONTHS = { from: '0000-00', to: '9999-12' };

const dues = (...more: string[]) =>
  lines(db, 'voucher_due', ['kind', 'account_no', 'number', 'order_no', ...more]);

async function marks(): Promise<string[]> {
  const marked = await listMarkedBundles(db, ALL_MONTHS);
  return marked.map(({ month, accountNo }) => `${month} ${accountNo}`);
}

test('each final order is due once, under the number it is asked for with', async () => {
  await books.account('P');
  await books.account('Q');
  await books.deposits('P', [{ orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 100n }]);
  await orders.transfer({ out: 'T1', payer: 'P', payee: 'Q', amountFen: 500n, settle: { state: 'moved' } });
  await orders.transfer({ out: 'T2', payer: 'P', payee: 'X9', amountFen: 700n, settle: { state: 'failed' } });
  await orders.withdrawal({ out: 'W1', account: 'P', amountFen: 900n });
  await fillVoucherDue(db, RULES);
  expect(await dues('other_account_no', 'amount_fen', 'counterparty', 'state')).toEqual([
    'deposit P D1 D1  100 Payer due',
    'settlement Q T1 N-T1  500  due',
    'transfer P T1 N-T1 Q 500 Q due',
    'transfer P T2 N-T2  700 X9 due',
    'withdrawal P W1 N-W1  900  due',
  ]);
});

test('what is open or failed is not due; what becomes final later is put on the list then', async () => {
  await orders.transfer({ out: 'T1', payer: 'P', payee: 'Q', amountFen: 500n, state: 'open' });
  await orders.transfer({ out: 'T2', payer: 'P', payee: 'Q', amountFen: 500n, state: 'failed' });
  await orders.withdrawal({ out: 'W1', account: 'P', amountFen: 900n, state: 'open' });
  await fillVoucherDue(db, RULES);
  expect(await dues()).toEqual([]);
  await orders.transfer({ out: 'T1', payer: 'P', payee: 'Q', amountFen: 500n });
  await fillVoucherDue(db, RULES);
  expect(await dues()).toEqual(['transfer P T1 N-T1']);
});

test('a refund has no row of its own, its transfer has; a withdrawal that came back moved all the same', async () => {
  const refunds = [{ amountFen: 500n, finalAt: '2026-03-02 10:00:00' }];
  await orders.transfer({ out: 'T1', payer: 'P', payee: 'Q', amountFen: 500n, word: 'REFUND', refunds });
  await orders.withdrawal({
    out: 'W1',
    account: 'P',
    amountFen: 900n,
    returned: { finalAt: '2026-03-03 09:00:00' },
  });
  await fillVoucherDue(db, RULES);
  expect(await dues()).toEqual(['transfer P T1 N-T1', 'withdrawal P W1 N-W1']);
});

test('the month is that of the service in which the money moved', async () => {
  await books.deposits('P', [
    { orderNo: 'D1', at: '2026-02-28 23:59:59', amountFen: 100n },
    { orderNo: 'D2', at: '2026-03-01 00:00:00', amountFen: 100n },
  ]);
  await orders.transfer({
    out: 'T1',
    payer: 'P',
    payee: 'Q',
    amountFen: 500n,
    submittedAt: '2026-02-28 09:00:00',
    lastOpenAt: '2026-02-28 23:00:00',
    finalAt: '2026-03-01 02:00:00',
  });
  await fillVoucherDue(db, RULES);
  expect(await dues('month')).toEqual([
    'deposit P D1 D1 2026-02',
    'deposit P D2 D2 2026-03',
    'transfer P T1 N-T1 2026-03',
  ]);
});

test('where the order is posted, the instant of its movement counts', async () => {
  await orders.transfer({
    out: 'T1',
    payer: 'P',
    payee: 'Q',
    amountFen: 500n,
    submittedAt: '2026-02-28 09:00:00',
    lastOpenAt: '2026-02-28 23:00:00',
    finalAt: '2026-03-01 02:00:00',
  });
  await post(db, postingRules());
  await db
    .updateTable('movement')
    .set({ effective_from: at('2026-02-28 23:30:00') })
    .execute();
  await fillVoucherDue(db, RULES);
  expect(await dues('month', 'moved_at')).toEqual(['transfer P T1 N-T1 2026-02 2026-02-28T15:30:00.000Z']);
});

test('filling again changes nothing and marks no bundle', async () => {
  await books.deposits('P', [{ orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 100n }]);
  await orders.withdrawal({ out: 'W1', account: 'P', amountFen: 900n });
  await fillVoucherDue(db, RULES);
  for (const mark of await listMarkedBundles(db, ALL_MONTHS)) await unmarkBundle(db, mark);
  await orders.withdrawal({ out: 'W1', account: 'P', amountFen: 900n });
  await fillVoucherDue(db, RULES);
  expect(await dues()).toEqual(['deposit P D1 D1', 'withdrawal P W1 N-W1']);
  expect(await marks()).toEqual([]);
});

test('the bundles of payer and of a payee of ours are marked, of both months when the order moves to another', async () => {
  await books.account('P');
  await books.account('Q');
  await orders.transfer({ out: 'T1', payer: 'P', payee: 'Q', amountFen: 500n });
  await orders.transfer({ out: 'T2', payer: 'P', payee: 'X', amountFen: 500n });
  await fillVoucherDue(db, RULES);
  const marked = await listMarkedBundles(db, ALL_MONTHS);
  expect(await marks()).toEqual(['2026-03 P', '2026-03 Q']);
  for (const mark of marked) await unmarkBundle(db, mark);
  await orders.transfer({
    out: 'T2',
    payer: 'P',
    payee: 'X',
    amountFen: 500n,
    submittedAt: '2026-02-27 09:00:00',
    finalAt: '2026-02-27 10:00:00',
  });
  await fillVoucherDue(db, RULES);
  expect(await marks()).toEqual(['2026-03 P', '2026-02 P']);
});

test('a change that came after a bundle was looked at keeps its mark', async () => {
  await books.deposits('P', [{ orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 100n }]);
  await fillVoucherDue(db, RULES);
  const [mark] = await listMarkedBundles(db, ALL_MONTHS);
  await books.deposits('P', [{ orderNo: 'D2', at: '2026-03-01 11:00:00', amountFen: 100n }]);
  await fillVoucherDue(db, RULES);
  if (mark !== undefined) await unmarkBundle(db, mark);
  expect(await marks()).toEqual(['2026-03 P']);
});

test('U51: where settlements have no type they are unavailable, and due once they have one', async () => {
  await orders.transfer({ out: 'T1', payer: 'P', payee: 'Q', amountFen: 500n, settle: { state: 'moved' } });
  await fillVoucherDue(db, { ...RULES, autoWithdrawType: 'none' });
  expect(await dues('state', 'reason')).toEqual([
    'settlement Q T1 N-T1 unavailable no voucher type',
    'transfer P T1 N-T1 due ',
  ]);
  await fillVoucherDue(db, RULES);
  expect(await dues('state', 'reason')).toEqual(['settlement Q T1 N-T1 due ', 'transfer P T1 N-T1 due ']);
});

test('U26: two payers who gave one number to orders of one payee make one settlement to ask for', async () => {
  for (const payer of ['P1', 'P2']) {
    await orders.transfer({ out: 'T1', payer, payee: 'Q', amountFen: 500n, settle: { state: 'moved' } });
  }
  await fillVoucherDue(db, RULES);
  expect(await dues()).toEqual(['settlement Q T1 N-T1', 'transfer P1 T1 N-T1', 'transfer P2 T1 N-T1']);
});

test('who paid a deposit is named; of one without a name the last digits of the bank number are kept', async () => {
  await books.deposits('P', [
    { orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 100n, payerName: '张三' },
    { orderNo: 'D2', at: '2026-03-01 10:00:00', amountFen: 100n, payerName: '' },
  ]);
  await db
    .updateTable('deposit')
    .set({ payer_acct_no: '6222021234567890123' })
    .where('order_no', '=', 'D2')
    .execute();
  await fillVoucherDue(db, RULES);
  expect(await dues('counterparty')).toEqual(['deposit P D1 D1 张三', 'deposit P D2 D2 ****0123']);
});
