/** Calls of transfers, refunds and withdrawals as the document has them, at whatever time the sandbox shows. */
import { expect } from 'vitest';

import type { Sandbox } from '../../../src/sandbox/server/sandbox.ts';
import type { SandboxOptions } from '../../../src/sandbox/server/create-sandbox.ts';
import { ask, sandboxAtNoon } from '../caller.ts';
import type { Answered, Members } from '../caller.ts';

export const PAYER = '100001';
export const PAYEE = '200001';
export const OTHER_PAYEE = '200002';

/** A payer with 1,000,000 fen and two payees with nothing, at noon. */
export function sandboxWithOrders(options: SandboxOptions = {}): Sandbox {
  const sandbox = sandboxAtNoon(options);
  sandbox.seedAccounts([
    { accountNo: PAYER, role: 'FQ', balanceFen: 1_000_000, name: '付款公司' },
    { accountNo: PAYEE, name: '收款公司' },
    { accountNo: OTHER_PAYEE, name: '另一收款公司' },
  ]);
  return sandbox;
}

/** The service's time as reqTime has it; the service's zone is eight hours ahead. */
function reqTime(sandbox: Sandbox): string {
  const local = new Date(sandbox.clock.nowMs() + 8 * 3_600_000).toISOString();
  return local.slice(0, 19).replace(/[-T:]/g, '');
}

/** A signed call at the sandbox's time. */
export function call(sandbox: Sandbox, endpoint: string, biz: unknown, over: Members = {}): Answered {
  return ask(sandbox, endpoint, biz, { reqTime: reqTime(sandbox), ...over });
}

let count = 0;

/** A number no order has yet. */
export function newNumber(prefix: string): string {
  return `${prefix}${++count}`;
}

export function anOrder(over: Members = {}): Members {
  return { outOrderNo: newNumber('O'), body: '货款', amount: '10000', payeeAcctNo: PAYEE, ...over };
}

/** A whole request for these orders; what is `undefined` in `over` is left out. */
export function payBiz(orders: readonly Members[], over: Members = {}): Members {
  return {
    outBatchNo: newNumber('B'),
    payerAcctNo: PAYER,
    num: orders.length,
    amount: orders.reduce((sum, order) => sum + Number(order['amount']), 0),
    currency: 'CNY',
    clientIp: '10.0.0.1',
    orderList: JSON.stringify(orders),
    ...over,
  };
}

export function pay(sandbox: Sandbox, orders: readonly Members[], over: Members = {}): Answered {
  return call(sandbox, 'division/pay', payBiz(orders, over));
}

export function queryBatch(sandbox: Sandbox, outBatchNo: unknown): Answered {
  return call(sandbox, 'division/query', { outBatchNo });
}

/** The orders of an answer, whether they stand in a text or not. */
export function ordersOf({ biz }: Answered): Members[] {
  const list = biz['orderList'];
  return (typeof list === 'string' ? JSON.parse(list) : list) as Members[];
}

/** The one order of a batch, as the query shows it now. */
export function theOrder(sandbox: Sandbox, outBatchNo: unknown): Members {
  const [order, ...others] = ordersOf(queryBatch(sandbox, outBatchNo));
  expect(others).toEqual([]);
  return order ?? {};
}

export function withdraw(sandbox: Sandbox, over: Members = {}): Answered {
  const biz = { outOrderNo: newNumber('W'), acctNo: PAYER, amount: 10_000, ...over };
  return call(sandbox, 'account/withdraw', biz);
}

export function queryWithdrawal(sandbox: Sandbox, outOrderNo: unknown): Members {
  return call(sandbox, 'account/queryWithdraw', { outOrderNo }).biz;
}

/** `[balance, frozen]` as queryInfo states them; available is always the rest (ACC-09). */
export function money(sandbox: Sandbox, accountNo: string): [number, number] {
  const { balance, frozen, availableBalance } = call(sandbox, 'acct/queryInfo', { accountNo }).biz;
  expect(availableBalance).toBe(Number(balance) - Number(frozen));
  expect(Number(availableBalance)).toBeGreaterThanOrEqual(0);
  return [Number(balance), Number(frozen)];
}

/** Asks for a code for an account's owner and reads it off the phone. */
export function smsCode(sandbox: Sandbox, over: Members = {}): { smsCode: string; smsFlowNo: string } {
  const biz = { reqNo: `RQ${PAYEE}`, outReqNo: newNumber('S'), sceneType: 'REFUND', ...over };
  const answer = call(sandbox, 'acct/sendMsg/SANDBOX', biz);
  expect(answer.ok).toBe(true);
  const sent = sandbox.smsCodes().find(({ smsFlowNo }) => smsFlowNo === answer.biz['smsFlowNo']);
  return { smsCode: sent?.smsCode ?? '', smsFlowNo: sent?.smsFlowNo ?? '' };
}

/** A refund with a fresh code for the first payee, unless `over` says otherwise. */
export function refund(sandbox: Sandbox, of: Members, over: Members = {}): Answered {
  const channelExtra = over['channelExtra'] ?? JSON.stringify(smsCode(sandbox));
  return call(sandbox, 'division/refund', { ...of, ...over, channelExtra });
}

/** Everything the sandbox holds, for telling whether a call left a trace (ERR-06). */
export function everything(sandbox: Sandbox): unknown {
  const get = (path: string): unknown =>
    JSON.parse(sandbox.control({ method: 'GET', path: `/control${path}`, contentType: '', body: '' }).body);
  return ['/accounts', '/transfers', '/withdrawals', '/sms', '/pushes', '/outcomes'].map(get);
}

/** The call is refused, and nothing has changed. */
export function expectRefused(sandbox: Sandbox, act: () => Answered): Answered {
  const before = everything(sandbox);
  const answer = act();
  const { code, msg, bizData } = answer.envelope;
  expect(code).not.toBe('000000');
  expect(typeof code).toBe('string');
  expect(msg).not.toBe('');
  expect(bizData).toBeUndefined();
  expect(everything(sandbox)).toEqual(before);
  return answer;
}
