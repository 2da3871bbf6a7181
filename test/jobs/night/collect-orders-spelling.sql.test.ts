/** An account in another letter case or with blanks is no second account, whatever answer states it (3.8, 9). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lines } from '../../helpers/company/order-answers.ts';
import { OrderNight } from '../../helpers/company/order-night.ts';
import { register } from '../../helpers/company/order-registering.ts';

let order: OrderNight;

beforeEach(async () => {
  order = await OrderNight.open();
});
afterEach(() => order.close());

/** Every answer of that path states these members so. */
function state(path: 'division/query' | 'account/queryWithdraw', set: Record<string, string>): void {
  order.night.sandbox.addFault({ kind: 'record', path, times: null, set });
}

function failures(): Promise<string[]> {
  return lines(order.night.db, 'order_due', ['failure']);
}

test.each([
  ['payeyAcctNo', 'p', 'account "p", which differs from account P'],
  ['payeyAcctNo', 'P ', 'account "P ", which differs from account P'],
  ['payeeAcctNo', ' q', 'account " q", which differs from account Q'],
])('of a batch that states %s "%s" nothing is kept until it is right', async (member, stated, said) => {
  order.batch('B1', [{}, {}]);
  await order.registerBatches('B1');
  state('division/query', { [member]: stated });
  expect(await order.collect()).toMatchObject({ failed: 1 });
  expect((await failures()).join()).toContain(`the answer names ${said} only in letter case or blanks`);
  expect(await order.orders()).toEqual([]);
  expect(await lines(order.night.db, 'transfer_batch', ['account_no'])).toEqual([]);
  order.night.sandbox.liftFaults();
  await order.collectOn('03');
  expect(await order.orders()).toEqual(['B1-1 moved none 0', 'B1-2 moved none 0']);
  expect(await failures()).toEqual(['']);
});

test('nor of a withdrawal', async () => {
  order.withdrawal('W1', { amountFen: 100n });
  await order.registerWithdrawals('W1');
  state('account/queryWithdraw', { acctNo: 'p' });
  expect(await order.collect()).toMatchObject({ failed: 1 });
  expect((await failures()).join()).toContain('account "p", which differs from account P only');
  expect(await lines(order.night.db, 'withdrawal', ['account_no'])).toEqual([]);
});

test('what was known of an order stays as it was when a later answer misspells its account', async () => {
  order.batch('B1', [{ finalAt: '2026-03-02 12:00:00' }]);
  await order.registerBatches('B1');
  await order.collect();
  const known = ['B1-1 open none 0'];
  expect(await order.orders()).toEqual(known);
  state('division/query', { payeyAcctNo: 'p' });
  expect(await order.collectOn('03')).toMatchObject({ failed: 1 });
  expect(await order.orders()).toEqual(known);
});

test('two accounts of the list that differ only in letter case are two accounts', async () => {
  await order.night.accounts({ no: 'R', heldFen: 0n }, { no: 'S', heldFen: 0n });
  // As a list has them that is older than the check of new names.
  await order.night.db
    .updateTable('account')
    .set({ account_no: 'q' })
    .where('account_no', '=', 'R')
    .execute();
  order.batch('B1', [{ payeeAcctNo: 'R' }]);
  await order.registerBatches('B1');
  state('division/query', { payeeAcctNo: 'q' });
  expect(await order.collect()).toMatchObject({ failed: 0 });
  expect(await lines(order.night.db, 'transfer_order', ['payee_account_no'])).toEqual(['q']);
});

test('what the company registered of an order is no misspelling of it, and of another order it is', async () => {
  order.batch('B1', [{}]);
  order.batch('B2', [{}]);
  const own = { kind: 'transfer', out_batch_no: 'B1', out_order_no: 'B1-1', payer_account_no: 'P' } as const;
  await register(order.night.db, { ...own, payee_account_no: 'q' });
  await order.registerBatches('B2');
  state('division/query', { payeeAcctNo: 'q' });
  expect(await order.collect()).toMatchObject({ failed: 1 });
  expect(await lines(order.night.db, 'transfer_order', ['out_order_no', 'payee_account_no'])).toEqual([
    'B1-1 q',
  ]);
  expect(await lines(order.night.db, 'transfer_batch', ['contradiction'])).toEqual(['']);
});

test('accounts of others, which are on no list, are taken as they are stated', async () => {
  order.batch('B1', [{}]);
  order.batch('B2', [{}]);
  const of = (no: string, payee: string) =>
    register(order.night.db, {
      kind: 'transfer',
      out_batch_no: no,
      out_order_no: `${no}-1`,
      payer_account_no: 'P',
      payee_account_no: payee,
    });
  await of('B1', 'X1');
  await of('B2', 'x1');
  state('division/query', { payeeAcctNo: 'x1' });
  expect(await order.collect()).toMatchObject({ failed: 0 });
  expect(await lines(order.night.db, 'transfer_order', ['payee_account_no'])).toEqual(['x1', 'x1']);
  // Nor are they confused: what was registered as X1 is not x1.
  expect((await lines(order.night.db, 'transfer_batch', ['contradiction'])).toSorted()).toEqual([
    '',
    'order B1-1: payee X1 was registered, x1 is stated',
  ]);
});
