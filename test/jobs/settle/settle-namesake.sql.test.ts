/** A settlement is asked for by a number that is its order's alone, or not at all (docs/reliability.md 2.3 e). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lines } from '../../helpers/company/order-answers.ts';
import { register } from '../../helpers/company/order-registering.ts';
import { at, leftLines, SETTLE_PATH, settledLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;

beforeEach(async () => {
  world = await SettleWorld.open();
});
afterEach(() => world.close());

test('two payers that used one number are told apart by the number of the platform', async () => {
  await world.failedOfTwoPayers('SAME');
  const outcome = await world.step({ only: { accountNo: 'P' } });
  expect(settledLines(outcome)).toEqual(['SAME 1 SUCCESS']);
  const [sent] = world.sandbox.payouts().filter(({ reqId }) => reqId !== '');
  expect(sent?.amountFen).toBe(10_000n);
});

test('where the platform stated no number of its own, namesakes are refused with a sentence', async () => {
  await world.failedOfTwoPayers('SAME');
  await world.db.updateTable('transfer_order').set({ order_no: '' }).execute();
  const outcome = await world.step();
  expect(leftLines(outcome)).toEqual(['SAME namesake', 'SAME namesake']);
  expect(outcome.notRetried[0]?.reason).toBe(
    'another order has its own number too: the platform could not tell which is meant',
  );
  expect(world.sends()).toBe(0);
});

test('nor is a number that one payer used in two batches sent', async () => {
  await world.failedInTwoBatches('SAME');
  await world.db.updateTable('transfer_order').set({ order_no: '' }).execute();
  expect(leftLines(await world.step())).toEqual(['SAME namesake']);
  expect(world.sends()).toBe(0);
});

test('by the number of the platform one that was used in two batches is sent', async () => {
  await world.failedInTwoBatches('SAME');
  const [orderNo] = await lines(world.db, 'transfer_order', ['order_no', 'out_batch_no']);
  expect(orderNo).toMatch(/ B1$/);
  expect(settledLines(await world.step())).toEqual(['SAME 1 SUCCESS']);
  const sent = world.sandbox.requests().find(({ path }) => path.endsWith(SETTLE_PATH));
  expect(sent?.body).toContain(`\\"orderNo\\":\\"${orderNo?.replace(' B1', '')}\\"`);
});

test.each<[string, { kind: 'transfer' | 'withdrawal' } & Record<string, string>]>([
  ['another batch', { kind: 'transfer', out_batch_no: 'B9', payer_account_no: 'P' }],
  [
    'another batch by its number of the platform',
    { kind: 'transfer', batch_no: 'X9', payer_account_no: 'P' },
  ],
  ['a withdrawal', { kind: 'withdrawal', payer_account_no: 'P' }],
])('nor one that was registered in %s', async (_name, of) => {
  await world.failed('B1', { outOrderNo: 'SAME' });
  await world.db.updateTable('transfer_order').set({ order_no: '' }).execute();
  await register(world.db, { ...of, out_order_no: 'SAME', submitted_at: at('2026-03-01 09:00:00') });
  expect(leftLines(await world.step())).toEqual(['SAME namesake']);
  expect(world.sends()).toBe(0);
});

test('nor one of the platform that was registered for another order, or that a withdrawal has', async () => {
  await world.failed('B1', {});
  const [orderNo = ''] = await lines(world.db, 'transfer_order', ['order_no']);
  const of = { order_no: orderNo, out_order_no: 'OTHER', submitted_at: at('2026-03-01 09:00:00') };
  await register(world.db, { ...of, kind: 'transfer', out_batch_no: 'B9', payer_account_no: 'P' });
  expect(leftLines(await world.step())).toEqual(['B1-1 namesake']);
  await world.db.deleteFrom('order_registry').where('out_order_no', '=', 'OTHER').execute();
  await register(world.db, { ...of, kind: 'withdrawal', payer_account_no: 'P' });
  expect(leftLines(await world.step())).toEqual(['B1-1 namesake']);
  expect(world.sends()).toBe(0);
});
