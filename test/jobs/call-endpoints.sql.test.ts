/** `recon call` on a real server: every endpoint is reached, completed, explained and masked (ENV-04, ERR-05, S6). */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseCall } from '../../jobs/call/call-request.ts';
import { WrongInput } from '../../src/core/errors.ts';
import { ENDPOINT_NAMES } from '../../src/platform/contract.ts';
import { profileOf, SHANGHAI } from '../platform/platform-server.ts';
import { virtualClock } from '../core/virtual-clock.ts';
import { ENTERPRISE, INITIATOR } from '../platform/requests/request-samples.ts';
import { callWorld } from './call-world.ts';
import type { CallWorld } from './call-world.ts';

let world: CallWorld;

const CARD = { bankAccountNo: '6222021234567890123', bankAccountName: '张三丰', mobile: '13812345678' };
const REQ_ID = /^[0-9a-f]{32}$/;

beforeAll(async () => {
  world = await callWorld();
  world.sandbox.seedAccounts([
    { accountNo: '100001', name: '付款方', role: 'FQ', balanceFen: 1_000_000n, bindCard: CARD },
    { accountNo: '100002', name: '收款方', role: 'JS', balanceFen: 0n, bindCard: CARD, openReqNo: 'RQ2' },
  ]);
  const atOnce = { reviewMs: 0, queueMs: 0, processMs: 0 };
  world.sandbox.planDecisions([
    { kind: 'opening', ...atOnce },
    { kind: 'change', ...atOnce },
  ]);
});
afterAll(() => world.close());

const newestCode = () => {
  const code = world.sandbox.smsCodes().at(-1);
  return { smsCode: code?.smsCode ?? '', smsFlowNo: code?.smsFlowNo ?? '' };
};

async function accepted(endpoint: string, data: object): Promise<Record<string, unknown>> {
  const { document, status } = await world.call(endpoint, data);
  expect({ status, ...document }).toMatchObject({ status: 0, outcome: 'accepted', code: '000000' });
  return document.data ?? {};
}

describe('the executable', () => {
  test('DIV-03, DIV-04, ENV-26, ENV-32: completes a transfer from a file and says so on stderr in one line', async () => {
    const transfer = {
      outBatchNo: 'B1',
      payerAcctNo: '100001',
      clientIp: '203.0.113.7',
      remark: '三月',
      later: 1,
      orderList: [
        { outOrderNo: 'T1', body: 'March', amount: 30_000, payeeAcctNo: '100002' },
        { outOrderNo: 'T2', body: 'March', amount: 70_000, payeeAcctNo: '100002' },
      ],
    };
    await writeFile(path.join(world.folder.path, 'transfer.json'), JSON.stringify(transfer));
    const { status, stdout, stderr } = await world.run('division/pay', '@transfer.json', '--yes');
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: 'completed: orderList as JSON text; num 2; amount 100000; currency CNY\n',
    });
    expect(stdout).toMatch(/^division\/pay: accepted · reqId [0-9a-f]{32} · answered \d{4}-/);
    expect(world.received('division/pay')).toMatchObject({
      num: 2,
      amount: 100_000,
      currency: 'CNY',
      later: 1,
    });
  });

  test('ERR-05: sends what is wrong as it is with --unchecked, and shows the refusal with all that traces it', async () => {
    const data = '{"outOrderNo":"W2","acctNo":"100001","amount":1.5}';
    const { status, stdout, stderr } = await world.run('account/withdraw', data, '--yes', '--unchecked');
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
    expect(stdout).toMatch(
      /^account\/withdraw: refused · \S+ .+ · reqId [0-9a-f]{32} · answered \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\n$/,
    );
    expect(world.received('account/withdraw')).toEqual(JSON.parse(data));
  });

  test('N1, ERR-05: names the endpoint that nothing was sent to', async () => {
    const url = world.env['PLATFORM_URL'] ?? '';
    world.env['PLATFORM_URL'] = 'http://127.0.0.1:9';
    const { status, stderr } = await world.run('acct/queryInfo', '{"accountNo":"100001"}');
    world.env['PLATFORM_URL'] = url;
    expect(status).toBe(1);
    expect(stderr).toMatch(/^recon: acct\/queryInfo: nothing was sent: 127\.0\.0\.1:9 cannot be reached: /m);
  });
});

describe('a refund', () => {
  test('SMS-02, U7: the code goes to the payee, whose number is looked up', async () => {
    const { told } = await world.call('acct/sendMsg', { sceneType: 'REFUND', accountNo: '100002' });
    expect(told).toEqual([
      expect.stringMatching(/^completed: outReqNo [0-9a-f]{32}; reqNo RQ2 \(of account 100002\)$/),
    ]);
    expect(world.received('acct/sendMsg')).toEqual({
      sceneType: 'REFUND',
      reqNo: 'RQ2',
      outReqNo: expect.stringMatching(REQ_ID) as string,
    });
  });

  test('REF-02, REF-03: its orders are a list and its code an object', async () => {
    const refund = { outBatchNo: 'B1', outOrderNos: ['T1'], channelExtra: newestCode() };
    await accepted('division/refund', refund);
    expect(world.received('division/refund')).toEqual({
      outBatchNo: 'B1',
      outOrderNos: 'T1',
      channelExtra: JSON.stringify(refund.channelExtra),
    });
    expect(await accepted('division/query', { outBatchNo: 'B1' })).toMatchObject({ outBatchNo: 'B1' });
  });

  test('of an account nobody knows has no number to look up', async () => {
    const asked = world.call('acct/sendMsg', { sceneType: 'REFUND', accountNo: 'nobody' });
    await expect(asked).rejects.toThrow(
      /^reqNo: the platform does not tell the number of account nobody: \S+ .+ · reqId [0-9a-f]{32}$/,
    );
    await expect(asked).rejects.toBeInstanceOf(WrongInput);
  });
});

describe('the other endpoints of money', () => {
  test('WDR-04, VCH-03: a withdrawal, its query and its voucher', async () => {
    expect(
      await accepted('account/withdraw', { outOrderNo: 'W1', acctNo: '100001', amount: 100 }),
    ).toMatchObject({ outOrderNo: 'W1' });
    const withdrawal = await accepted('account/queryWithdraw', { outOrderNo: 'W1' });
    expect(withdrawal).toMatchObject({ outOrderNo: 'W1', amount: 100 });
    const { document } = await world.call('get/transFiles', { transType: '2', outOrderNo: 'W1' });
    expect(document.outcome).toBe(withdrawal['state'] === 'SUCCESS' ? 'accepted' : 'refused');
  });

  test('ACC-01, S6: an account, its card masked', async () => {
    const { text } = await world.call('acct/queryInfo', { accountNo: '100001' });
    expect(text).toContain('****0123');
    for (const personal of ['6222021234567890123', '13812345678', '三丰'])
      expect(text).not.toContain(personal);
  });

  test('DEP-05: deposits, a page as long as the profile says', async () => {
    const asked = { payeeAcctNo: '100001', startDate: '2026-03-01', endDate: '2026-03-31' };
    expect(await accepted('query/deposit', asked)).toMatchObject({ total: 0 });
    expect(world.received('query/deposit')).toEqual({ ...asked, page: 1, pageSize: 100 });
  });

  test('STL-05: a settlement of an order nobody registered is not sent', async () => {
    const before = world.sandbox.requests().length;
    const { document } = await world.call('order/settle', { outOrderNo: 'T9' });
    expect(document).toMatchObject({ outcome: 'refused', reqId: null });
    expect(world.sandbox.requests()).toHaveLength(before);
  });
});

describe('OPN-26, CHG-21: an opening and a change, from the application to the result', () => {
  let reqNo: unknown;
  let recordId: unknown;

  test('OPN-06, OPN-18, OPN-25: the answers say what their state means and which record it is', async () => {
    const applied = await world.call('acct/addApply', {
      outReqNo: 'O1',
      acctRole: 'FQ',
      subjectInfo: { ...ENTERPRISE, ...INITIATOR },
    });
    expect(applied.told).toEqual([`completed: ifCode ${world.sandbox.channelCode}`]);
    expect(applied.document).toMatchObject({ outcome: 'accepted', data: { state: 5, outReqNo: 'O1' } });
    ({ reqNo, recordId } = applied.document.data ?? {});
    expect(applied.text.split('\n')[1]).toBe(`state 5: pending signing · recordId ${String(recordId)}`);
  });

  test('OPN-12, OPN-17: it is confirmed by its code, and its result is asked for', async () => {
    const sms = await accepted('acct/sendMsg', { sceneType: 'OPEN', reqNo, outReqNo: 'O1' });
    expect(sms['mobile']).toMatch(/\*{4}/);
    await accepted('acct/auditApply', { ...newestCode(), reqNo, outReqNo: 'O1' });
    const { text, document } = await world.call('acct/auditApplyResult', { reqNo, outReqNo: 'O1' });
    expect(document.data).toMatchObject({ state: 2, accountNo: expect.any(String) as string });
    expect(text).toContain(`\nstate 2: completed · final · recordId ${String(recordId)}\n`);
  });

  test('CHG-05, U7: a change is asked for by a list of types, its code by our own number', async () => {
    const { entPerFlag, entType, eleAcctType, address } = ENTERPRISE;
    const subjectInfo = { entPerFlag, entType, eleAcctType, address, modifyType: [5] };
    const applied = await accepted('acct/changeApply', { recordId, outReqNo: 'C1', subjectInfo });
    expect(applied).toMatchObject({ outReqNo: 'C1', state: 5 });
    const { told } = await world.call('acct/sendMsg', { sceneType: 'MODIFY', outReqNo: 'C1' });
    expect(told).toEqual([`completed: reqNo ${String(applied['reqNo'])} (of change C1)`]);
  });

  test('CHG-15, CHG-18: it is confirmed and asked for by that number too', async () => {
    await accepted('acct/changeConfirm', { outReqNo: 'C1', ...newestCode() });
    const { text } = await world.call('acct/changeApplyResult', { outReqNo: 'C1' });
    expect(text).toContain('\nstate 2: completed · final');
  });

  test('OPN-22: a resubmission of what was not rejected is refused, by the platform alone', async () => {
    const { document } = await world.call('acct/reviseApply', { reqNo });
    expect(document).toMatchObject({ outcome: 'refused', data: null });
  });
});

test('ENV-04: all 17 endpoints were called, order/settle through its attempts', () => {
  const paths = new Set(world.sandbox.requests().map((request) => request.path));
  const called = ENDPOINT_NAMES.filter((name) => [...paths].some((one) => one.includes(`/${name}`)));
  expect(called).toEqual(ENDPOINT_NAMES.filter((name) => name !== 'order/settle'));
});

describe('U14, LIM: what is odd or wrong', () => {
  test('is sent with a line that says what is odd', async () => {
    const subjectInfo = { ...ENTERPRISE, licenseNo: '91110000MA0000001X', entType: '01' };
    const { told } = await world.call('acct/addApply', { outReqNo: 'O2', acctRole: 'JS', subjectInfo });
    expect(told[1]).toMatch(/^odd, and sent all the same: subjectInfo\.entType is 01, /);
  });

  test('limits.checkRequests: is left to the platform where the profile says so, and completed all the same', async () => {
    const profile = profileOf({ limits: { checkRequests: false } });
    const at = { zone: SHANGHAI, clock: virtualClock(), profile };
    const json = '{"payeeAcctNo":"1","pageSize":101}';
    const typed = { endpoint: 'query/deposit', json, isConfirmed: false, isUnchecked: false };
    expect(await parseCall(typed, at)).toMatchObject({ biz: { payeeAcctNo: '1', page: 1, pageSize: 101 } });
    await expect(parseCall(typed, { ...at, profile: profileOf() })).rejects.toBeInstanceOf(WrongInput);
  });
});
