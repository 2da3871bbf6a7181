/** `acct/sendMsg`: what is shown of a code, and to whom (SMS-05). */
import { expect, test } from 'vitest';

import { answered } from '../caller.ts';
import type { Members } from '../caller.ts';
import { call, PAYEE, sandboxWithOrders } from '../orders/orders-caller.ts';

const BIZ = { reqNo: `RQ${PAYEE}`, outReqNo: 'S-1', sceneType: 'REFUND' };
const send = (sandbox: ReturnType<typeof sandboxWithOrders>, over: Members = {}) =>
  call(sandbox, 'acct/sendMsg/SANDBOX', { ...BIZ, ...over });

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

test('CTL: the control surface reveals codes and flow numbers', () => {
  const sandbox = sandboxWithOrders();
  send(sandbox);
  const reply = sandbox.control({ method: 'GET', path: '/control/sms', contentType: '', body: '' });
  const { codes } = JSON.parse(reply.body) as { codes: Members[] };
  expect(codes).toMatchObject([{ smsFlowNo: 'SM20260301K000001', sceneType: 'REFUND', used: false }]);
  expect(answered(reply).status).toBe(200);
});
