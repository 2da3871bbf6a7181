/** What a refusal says: its code, and in words the member or the condition that it is about (ERR-01…04). */
import { expect, test } from 'vitest';

import { changed, SAMPLES } from '../platform/requests/request-samples.ts';
import type { Sandbox } from '../../src/sandbox/server/sandbox.ts';
import type { EndpointName } from '../../src/platform/contract.ts';
import { md5Signed, members, sandboxAtNoon, send } from './caller.ts';
import type { Answered, Members } from './caller.ts';
import { anOrder, call, pay, PAYEE, PAYER, payBiz, sandboxWithOrders } from './orders/orders-caller.ts';

/** @returns code and message */
function said({ envelope }: Answered): [unknown, string] {
  return [envelope['code'], String(envelope['msg'])];
}

const PARAMETER = '200001';

test.each<[EndpointName, string]>([
  ['acct/addApply', 'ifCode outReqNo acctRole subjectInfo'],
  ['acct/auditApply', 'smsFlowNo smsCode reqNo outReqNo'],
  ['acct/auditApplyResult', 'reqNo'],
  ['acct/changeApply', 'recordId'],
  ['acct/changeConfirm', 'smsFlowNo smsCode'],
  ['acct/sendMsg', 'reqNo outReqNo sceneType'],
  ['division/pay', 'outBatchNo payerAcctNo num amount currency clientIp orderList'],
  ['division/refund', 'outOrderNos channelExtra'],
  ['account/withdraw', 'outOrderNo acctNo amount'],
  ['query/deposit', 'payeeAcctNo'],
  ['get/transFiles', 'transType'],
  ['order/settle', 'remark'],
])('%s names what is missing: %s', (endpoint, names) => {
  const whole = 'ifCode' in SAMPLES[endpoint] ? { ifCode: 'SANDBOX' } : {};
  const path = endpoint === 'acct/sendMsg' ? 'acct/sendMsg/SANDBOX' : endpoint;
  for (const name of names.split(' ')) {
    const biz = changed(SAMPLES[endpoint], { ...whole, [name]: undefined });
    const [code, msg] = said(call(sandboxWithOrders(), path, biz));
    expect([name, code]).toEqual([name, PARAMETER]);
    expect(msg).toContain(name);
  }
});

test.each<[string, Members]>([
  ['outOrderNo', { outOrderNo: undefined }],
  ['body', { body: undefined }],
  ['amount', { amount: '300.00' }],
  ['amount', { amount: '5000001' }],
  ['payeeAcctNo', { payeeAcctNo: undefined }],
  ['extParam', { extParam: '附'.repeat(11) }],
])('division/pay names %s of the order: %j', (name, over) => {
  const [code, msg] = said(pay(sandboxWithOrders(), [anOrder(over)], { amount: 10_000 }));
  expect(code).toBe(PARAMETER);
  expect(msg).toContain(name);
});

/** B-1 with O-1 is there, the account 300001 is another company's and 300002 is closed. */
function world(): Sandbox {
  const sandbox = sandboxWithOrders();
  sandbox.seedAccounts([
    { accountNo: '300001', merchant: 'other', role: 'FQ' },
    { accountNo: '300002', state: '0', role: 'FQ' },
  ]);
  pay(sandbox, [anOrder({ outOrderNo: 'O-1' })], { outBatchNo: 'B-1' });
  return sandbox;
}

const BY = (over: Members): Members => payBiz([anOrder({ amount: '1' })], over);
const WITHDRAW = { outOrderNo: 'W-1', acctNo: PAYER, amount: 1 };
const DAYS = { startDate: '2026-03-01', endDate: '2026-03-02', payeeAcctNo: PAYEE };

test.each<[string, string, Members]>([
  ['account 999999 not found', 'division/pay', BY({ payerAcctNo: '999999' })],
  ['account 300001 not found', 'division/pay', BY({ payerAcctNo: '300001' })],
  ['account 300002 is not activated', 'division/pay', BY({ payerAcctNo: '300002' })],
  ['account 999999 not found', 'account/withdraw', { ...WITHDRAW, acctNo: '999999' }],
  ['recvAcctNo', 'account/withdraw', { ...WITHDRAW, recvAcctNo: 'BANK-OTHER' }],
  ['account', 'acct/queryInfo', { accountNo: '300001' }],
  ['duplicate', 'division/pay', payBiz([anOrder({ outOrderNo: 'O-9' }), anOrder({ outOrderNo: 'O-9' })])],
  ['duplicate', 'division/pay', BY({ outBatchNo: 'B-1' })],
  ['batch not found', 'division/query', { outBatchNo: 'B-2' }],
  ['order not found', 'order/settle', { outOrderNo: 'O-3', remark: 'recon retry 1' }],
  ['order number parameters invalid', 'order/settle', { remark: 'recon retry 1' }],
  ['date range error', 'query/deposit', { ...DAYS, startDate: '2026/03/01' }],
  ['date range error', 'query/deposit', { ...DAYS, endDate: undefined }],
  ['date range error', 'query/deposit', { ...DAYS, endDate: '2026-02-28' }],
  ['it must be a string', 'get/transFiles', { transType: ['1'], orderNo: 'DP-1' }],
  ['orderList', 'division/pay', { ...BY({}), orderList: '[]', num: 0, amount: 0 }],
  ['orderList', 'division/pay', { ...BY({}), orderList: '[1,2]' }],
  ['orderNo', 'get/transFiles', { transType: '1' }],
  ['required', 'get/transFiles', { transType: '1', orderNo: null }],
  ['required', 'get/transFiles', { transType: '2', outOrderNo: '', orderNo: null }],
  ['required', 'get/transFiles', { transType: '3', outOrderNo: '' }],
  ['not sent for transType 1', 'get/transFiles', { transType: '1', orderNo: 'DP-1', outOrderNo: 'O-1' }],
  ['no such order', 'get/transFiles', { transType: '2', outOrderNo: 'O-1' }],
])('"%s" of %s', (words, endpoint, biz) => {
  expect(said(call(world(), endpoint, biz))[1]).toContain(words);
});

test('without a payment password, and with a number or a signature that is none', () => {
  const sandbox = world();
  const reqId = 'one-number';
  const ask = (over: Members): Members => members({ accountNo: PAYER }, { reqId, ...over });
  expect(send(sandbox, 'acct/queryInfo', md5Signed(ask({}))).ok).toBe(true);
  expect(said(send(sandbox, 'acct/queryInfo', md5Signed(ask({}))))[1]).toContain('duplicate reqId');
  expect(said(send(sandbox, 'acct/queryInfo', { ...ask({}), sign: 'x' }))[1]).toContain('signature');
  const alias = { APIkey: 'ak_sandbox_main' };
  expect(said(call(sandbox, 'acct/queryInfo', { accountNo: PAYER }, alias))[1]).toContain('apiKey or appId');
  sandbox.setSwitches({ paymentPassword: false });
  expect(said(call(sandbox, 'division/pay', BY({})))[1]).toContain('password');
});

test('paths, methods and types that are none have the status of HTTP beside the refusal', () => {
  const sandbox = sandboxAtNoon();
  const request = { method: 'POST', path: '/api/open/virtualBank/acct/queryInfo', body: '{}' };
  const status = (over: object): number =>
    sandbox.answer({ ...request, contentType: 'application/json', ...over }).status;
  expect(status({ method: 'GET' })).toBe(405);
  expect(status({ contentType: 'application/x-www-form-urlencoded' })).toBe(415);
  expect(status({ path: '/api/open/virtualBank/acct/sendMsg/OTHER' })).toBe(404);
  expect(status({ path: '/api/open/virtualBank/acct/queryInfo/' })).toBe(404);
  expect(status({ path: '/' })).toBe(404);
});
