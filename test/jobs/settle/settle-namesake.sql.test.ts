/** A settlement is asked for by a number that is its order's alone, or not at all (docs/reliability.md 2.3 e). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lines } from '../../helpers/company/order-answers.ts';
import { register, registerOnceMore } from '../../helpers/company/order-registering.ts';
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

test('what a night may have been shown of the one holds it, also where the other is asked for with it', async () => {
  world.sandbox.setSwitches({ settleGuard: false });
  await world.failedOfTwoPayers('SAME');
  // Through the platform's pages.
  world.moveTo('02 02:05:00');
  const client = await world.orders.job.platform();
  const [orderNo = ''] = await lines(world.db, 'transfer_order', ['order_no', 'account_no']);
  await client.call('order/settle', { orderNo: orderNo.split(' ')[0] ?? '', remark: 'by hand' });
  world.sandbox.setSwitches({ settleViewLagMs: 1_200_000 });
  const nightAt = async (time: string): Promise<void> => {
    world.moveTo(`02 ${time}`);
    await world.db.updateTable('order_due').set({ next_day: '2026-03-02' }).execute();
    await world.orders.collect({ runId: `night of ${time}` });
  };
  world.sandbox.addFault({ kind: 'drop_row', path: 'division/query', about: 'BP' });
  await nightAt('02:06:00');
  await nightAt('02:07:00');
  expect(leftLines(await world.step({ only: { accountNo: 'P' } }))).toEqual(['SAME cool_down']);
  expect(world.sends()).toBe(1);
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

/** The order B1-1 of P, of which the platform states no number of its own. */
async function failedWithoutNumber(): Promise<void> {
  world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 100, set: { orderNo: '' } });
  await world.failed('B1', {});
}

test('nor one that a program registered once more, for another payer, which the registry dropped', async () => {
  world.sandbox.setSwitches({ numberScope: 'batch' });
  await world.orders.night.accounts({ no: 'R', heldFen: 10_000_000n });
  await failedWithoutNumber();
  // The order of R has failed too, and is not read yet.
  const settle = { state: 'FAIL', remark: '账户异常' };
  world.orders.batch('B9', [{ outOrderNo: 'B1-1', settle, amountFen: 7_000n }], { payerAcctNo: 'R' });
  await registerOnceMore(world.db, {
    kind: 'transfer',
    out_batch_no: 'B9',
    out_order_no: 'B1-1',
    payer_account_no: 'R',
    submitted_at: at('2026-03-01 09:00:00'),
  });
  const outcome = await world.step();
  expect(world.sandbox.payouts().map(({ amountFen }) => amountFen)).toEqual([]);
  expect(leftLines(outcome)).toEqual(['B1-1 namesake']);
});

test('nor one of the platform that a program registered once more for another order', async () => {
  await world.failed('B1', {});
  const [orderNo = ''] = await lines(world.db, 'transfer_order', ['order_no']);
  const other = {
    kind: 'transfer',
    out_batch_no: 'B9',
    out_order_no: 'OTHER',
    payer_account_no: 'P',
  } as const;
  await register(world.db, { ...other, order_no: 'N9' });
  await registerOnceMore(world.db, { ...other, order_no: orderNo });
  expect(leftLines(await world.step())).toEqual(['B1-1 namesake']);
  expect(world.sends()).toBe(0);
});

test.each<[string, { amount_fen?: bigint; payer_account_no?: string; settled_at?: string }, string[]]>([
  ['with another amount alone is one order, and retried', { amount_fen: 7n }, ['B1-1 1 SUCCESS']],
  ['in another batch, of whichever payer, is not retried', { payer_account_no: '' }, []],
])('what is registered once more %s', async (_name, otherwise, settled) => {
  await failedWithoutNumber();
  const batch = otherwise.amount_fen === undefined ? 'B9' : 'B1';
  const of = { kind: 'transfer', out_order_no: 'B1-1', payer_account_no: 'P' } as const;
  await registerOnceMore(world.db, { ...of, out_batch_no: batch, ...otherwise });
  expect(settledLines(await world.step())).toEqual(settled);
});

test("once a file put right what was registered otherwise, the number is its order's alone again", async () => {
  await failedWithoutNumber();
  const of = { kind: 'transfer', out_batch_no: 'B1', out_order_no: 'B1-1' } as const;
  await registerOnceMore(world.db, { ...of, payer_account_no: 'R' });
  expect(leftLines(await world.step())).toEqual(['B1-1 namesake']);
  await world.db.updateTable('order_contradiction').set({ settled_at: '2026-03-01T02:00:00.000Z' }).execute();
  expect(settledLines(await world.step())).toEqual(['B1-1 1 SUCCESS']);
});

test.each([
  ['and with that is one order', 'TB1', ['B1-1 1 SUCCESS']],
  ['alone is not', '', []],
])(
  "what is registered by the company's number of a batch that goes by the platform's %s",
  async (_how, batchNo, settled) => {
    world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 100, set: { orderNo: '' } });
    const settle = { state: 'FAIL', remark: '账户异常' };
    world.orders.batch('B1', [{ settle }], { batchNo: 'TB1', listed: { remove: ['outBatchNo'] } });
    const own = { kind: 'transfer', out_order_no: 'B1-1', payer_account_no: 'P' } as const;
    await register(world.db, { ...own, batch_no: 'TB1' });
    await world.orders.collect();
    // As a file says it.
    await world.db.updateTable('order_registry').set({ out_batch_no: 'B1', batch_no: batchNo }).execute();
    expect(settledLines(await world.step())).toEqual(settled);
  },
);
