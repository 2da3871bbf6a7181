/** Transfers, withdrawals and deposits as a caller of the document sends them, valid unless `over` says otherwise. */
import assert from 'node:assert/strict';

import { PAYEE, PAYER } from './bench.ts';
import type { Bench } from './bench.ts';
import type { Answered, Members } from './caller.ts';

export function anOrder(bench: Bench, over: Members = {}): Members {
  return { outOrderNo: bench.newNumber('O'), body: '货款', amount: '10000', payeeAcctNo: PAYEE, ...over };
}

/** A whole request for these orders. */
export function payBiz(
  bench: Bench,
  orders: readonly Members[] = [anOrder(bench)],
  over: Members = {},
): Members {
  return {
    outBatchNo: bench.newNumber('B'),
    payerAcctNo: PAYER,
    num: orders.length,
    amount: orders.reduce((sum, order) => sum + Number(order['amount']), 0),
    currency: 'CNY',
    clientIp: '10.0.0.1',
    orderList: JSON.stringify(orders),
    ...over,
  };
}

/** A batch that is accepted. */
export async function paid(bench: Bench, orders?: readonly Members[], over: Members = {}): Promise<Answered> {
  return await bench.accepts('division/pay', payBiz(bench, orders, over));
}

/** A valid request in which one order is changed is refused, for each of these changes. */
export async function refusesOrders(bench: Bench, cases: Readonly<Record<string, Members>>): Promise<void> {
  const bodies = Object.entries(cases).map(([name, over]) => {
    const order = anOrder(bench, over);
    const amount = /^\d+$/.test(String(order['amount'])) ? Number(order['amount']) : 10_000;
    return [name, payBiz(bench, [order], { amount })];
  });
  await bench.refusesEach('division/pay', Object.fromEntries(bodies) as Members);
}

export function ordersOf({ biz }: Answered): Members[] {
  const list = biz['orderList'];
  assert.equal(typeof list, 'string', 'orderList is a string');
  return JSON.parse(String(list)) as Members[];
}

export async function queryBatch(bench: Bench, outBatchNo: unknown): Promise<Answered> {
  return await bench.accepts('division/query', { outBatchNo });
}

/** The one order of a batch, as the query shows it now. */
export async function theOrder(bench: Bench, outBatchNo: unknown): Promise<Members> {
  const orders = ordersOf(await queryBatch(bench, outBatchNo));
  assert.equal(orders.length, 1);
  return orders[0] ?? {};
}

export function withdrawBiz(bench: Bench, over: Members = {}): Members {
  return { outOrderNo: bench.newNumber('W'), acctNo: PAYER, amount: 10_000, ...over };
}

/** A refund of orders of a batch with a fresh code for the first payee. */
export async function refundBiz(bench: Bench, of: Answered, over: Members = {}): Promise<Members> {
  const outOrderNos = ordersOf(of)
    .map((order) => order['outOrderNo'])
    .join(',');
  const channelExtra = 'channelExtra' in over ? undefined : JSON.stringify(await bench.smsCode());
  return { outBatchNo: of.biz['outBatchNo'], outOrderNos, channelExtra, ...over };
}

/** Deposits of one account, a minute apart from 1 March on; the numbers are given. */
export async function seedDeposits(bench: Bench, deposits: readonly Members[]): Promise<string[]> {
  const whole = deposits.map((deposit) => ({
    payeeAcctNo: PAYEE,
    amountFen: 10_000,
    depositTime: '2026-03-01 09:00:00',
    ...deposit,
  }));
  return (await bench.control('/deposits', { deposits: whole }))['orderNos'] as string[];
}

export function depositBiz(over: Members = {}): Members {
  return { startDate: '2026-02-15', endDate: '2026-03-02', payeeAcctNo: PAYEE, ...over };
}

export function depositsOf({ biz }: Answered): Members[] {
  return biz['depositList'] as Members[];
}

/** These members and no others are there. */
export function requireMembers(of: Members, names: readonly string[]): void {
  assert.deepEqual(Object.keys(of).sort(), names.toSorted());
}

/** A batch of one order whose automatic withdrawal has failed; gives the order's outOrderNo. */
export async function failedSettlement(
  bench: Bench,
  over: Members = {},
): Promise<{ outBatchNo: string; outOrderNo: string }> {
  const outOrderNo = bench.newNumber('O');
  await bench.plan({
    kind: 'transfer',
    outOrderNo,
    settle: { state: 'FAIL', remark: '账户已注销', ...over },
  });
  const { biz } = await paid(bench, [anOrder(bench, { outOrderNo, payeeAcctNo: '200003' })]);
  return { outBatchNo: String(biz['outBatchNo']), outOrderNo };
}
