/** `acct/sendMsg`: codes that a phone receives (SMS-01…06, U7, U8, U9). */
import { expect, test } from 'vitest';

import { answered } from './caller.ts';
import type { Members } from './caller.ts';
import { call, expectRefused, PAYEE, sandboxWithOrders } from './orders-caller.ts';

const BIZ = { reqNo: `RQ${PAYEE}`, outReqNo: 'S-1', sceneType: 'REFUND' };
const send = (sandbox: ReturnType<typeof sandboxWithOrders>, over: Members = {}) =>
  call(sandbox, 'acct/sendMsg/SANDBOX', { ...BIZ, ...over });

test('SMS-01: only the path of the one channel exists', () => {
  const sandbox = sandboxWithOrders();
  expect(call(sandbox, 'acct/sendMsg/OTHER', BIZ).status).toBe(404);
  expect(call(sandbox, 'acct/sendMsg', BIZ).status).toBe(404);
  expect(send(sandbox).ok).toBe(true);
});

test.each<[string, Members]>([
  ['SMS-02: no reqNo', { reqNo: undefined }],
  ['SMS-02: a reqNo nobody knows', { reqNo: 'RQ999999' }],
  ['SMS-02, ENV-28: another company’s reqNo', { reqNo: 'RQ300001' }],
  ['SMS-03: no outReqNo', { outReqNo: undefined }],
  ['SMS-03, LIM-03: outReqNo of 33', { outReqNo: 's'.repeat(33) }],
  ['SMS-04: no scene', { sceneType: undefined }],
  ['SMS-04: another scene', { sceneType: 'WITHDRAW' }],
])('%s is refused', (_what, over) => {
  const sandbox = sandboxWithOrders();
  sandbox.seedAccounts([{ accountNo: '300001', merchant: 'other' }]);
  expectRefused(sandbox, () => send(sandbox, over));
});

test.each<[string, Members]>([
  ['SMS-02, U7, ACC-07: an openReqNo', {}],
  ['SMS-02, U7: the channel code', { reqNo: 'SANDBOX' }],
  ['SMS-03, LIM-03: outReqNo of 32', { outReqNo: 's'.repeat(32) }],
  ['SMS-04: OPEN', { sceneType: 'OPEN' }],
  ['SMS-04: MODIFY', { sceneType: 'MODIFY' }],
  ['SMS-04: WHITE_SET', { sceneType: 'WHITE_SET' }],
])('%s is accepted', (_what, over) => {
  expect(send(sandboxWithOrders(), over).ok).toBe(true);
});

test('SMS-03, U8: an outReqNo may come again, and gets another code', () => {
  const sandbox = sandboxWithOrders();
  const flows = [send(sandbox), send(sandbox)].map(({ biz }) => biz['smsFlowNo']);
  expect(new Set(flows).size).toBe(2);
});

test('SMS-05: a flow number, a masked phone, the scene; the full number and the code never appear', () => {
  const sandbox = sandboxWithOrders();
  const bindCard = { bankAccountNo: 'BANK-1', bankAccountName: '某公司', mobile: '13812345678' };
  sandbox.seedAccounts([{ accountNo: '300001', bindCard }]);
  const answer = send(sandbox, { reqNo: 'RQ300001' });
  expect(answer.biz).toEqual({ smsFlowNo: 'SM20260301K000001', mobile: '138****5678', sceneType: 'REFUND' });
  expect(answer.text).not.toContain('13812345678');
  const [code] = sandbox.smsCodes();
  expect(code).toMatchObject({ smsFlowNo: 'SM20260301K000001', accountNo: '300001', sceneType: 'REFUND' });
  expect(code?.smsCode).toMatch(/^\d{6}$/);
  expect(answer.text).not.toContain(code?.smsCode);
});

test('SMS-05, U9: by a switch the scene REFUND is not echoed', () => {
  const sandbox = sandboxWithOrders({ switches: { smsRefundSceneEchoed: false } });
  expect(send(sandbox).biz).not.toHaveProperty('sceneType');
  expect(send(sandbox, { sceneType: 'OPEN' }).biz['sceneType']).toBe('OPEN');
});

test('CTL: the control surface reveals codes and flow numbers', () => {
  const sandbox = sandboxWithOrders();
  send(sandbox);
  const reply = sandbox.control({ method: 'GET', path: '/control/sms', contentType: '', body: '' });
  const { codes } = JSON.parse(reply.body) as { codes: Members[] };
  expect(codes).toMatchObject([{ smsFlowNo: 'SM20260301K000001', sceneType: 'REFUND', used: false }]);
  expect(answered(reply).status).toBe(200);
});
