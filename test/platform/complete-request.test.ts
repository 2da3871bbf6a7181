/** A request as people type it is completed by what the document and the profile say, and by nothing else. */
import { describe, expect, test } from 'vitest';
import { parseJson } from '../../src/core/json.ts';
import { ENDPOINT_NAMES } from '../../src/platform/contract.ts';
import type { EndpointName } from '../../src/platform/contract.ts';
import { completeRequest } from '../../src/platform/requests/complete.ts';
import { profileOf } from './platform-server.ts';
import { REQUESTS } from './requests/request-arbitraries.ts';
import { changed, faultsOf, ORDERS, sample, SAMPLES } from './requests/request-samples.ts';
import type { Sample } from './requests/request-samples.ts';
import { fc, runs } from '../helpers/properties.ts';

interface Rules {
  profile?: object;
  channelCode?: string | undefined;
}

function completed(endpoint: EndpointName, request: Sample, rules: Rules = {}) {
  return completeRequest(endpoint, request, {
    profile: profileOf(rules.profile ?? {}),
    channelCode: 'channelCode' in rules ? rules.channelCode : 'CH01',
    newNumber: () => 'NEW1',
  });
}

describe('DIV-03, DIV-04, DIV-15, ENV-26: a transfer', () => {
  const typed = {
    outBatchNo: 'B1',
    payerAcctNo: '100001',
    clientIp: '203.0.113.7',
    orderList: [
      { outOrderNo: 'T1', body: 'March', amount: 30_000, payeeAcctNo: '100002' },
      { outOrderNo: 'T2', body: 'March', amount: '70000', payeeAcctNo: '100003' },
    ],
  };

  test('as people type it becomes the one that is sent', () => {
    const { request, said } = completed('division/pay', typed);
    expect(request).toEqual({ ...SAMPLES['division/pay'], amount: 100_000n });
    expect(said).toEqual(['orderList as JSON text', 'num 2', 'amount 100000', 'currency CNY']);
    expect(faultsOf('division/pay', request)).toEqual([]);
  });

  test('keeps what is given, also where it is wrong', () => {
    const given = { ...typed, num: 3, amount: 1, currency: 'USD', payMethod: 2 };
    const { request, said } = completed('division/pay', given);
    expect(request).toMatchObject({ num: 3, amount: 1, currency: 'USD', payMethod: 2 });
    expect(said).toEqual(['orderList as JSON text']);
  });

  test('of which the orders are text already is only summed up', () => {
    const given = sample('division/pay', { num: undefined, amount: undefined });
    const { request, said } = completed('division/pay', given);
    expect(request).toMatchObject({ orderList: given['orderList'], num: 2, amount: 100_000n });
    expect(said).toEqual(['num 2', 'amount 100000']);
  });

  test.each([
    ['an amount that cannot be read', [{ ...ORDERS[0], amount: 1.5 }]],
    ['an order that is none', [1]],
    ['amounts beyond all reason', [1, 2].map(() => ({ ...ORDERS[0], amount: '1000000000000000' }))],
  ])('with %s has no sum', (_what, orderList) => {
    const { request } = completed('division/pay', { ...typed, orderList });
    expect(request).not.toHaveProperty('amount');
  });

  test('whose list is no list is left to the checks', () => {
    for (const orderList of ['[', '{}', 7, undefined]) {
      const { request } = completed('division/pay', { ...typed, orderList });
      expect(request).toEqual({ ...typed, orderList, currency: 'CNY' });
    }
  });
});

describe('REF-02, REF-03: a refund', () => {
  test('takes a list of orders and an object of the code', () => {
    const extra = { smsCode: '123456', smsFlowNo: 'F1' };
    const { request, said } = completed('division/refund', {
      outBatchNo: 'B1',
      outOrderNos: ['T1', 'T2'],
      channelExtra: extra,
    });
    expect(request).toEqual(SAMPLES['division/refund']);
    expect(said).toEqual(['outOrderNos as one text', 'channelExtra as JSON text']);
  });

  test('refuses an order number with a comma in it, which would become two', () => {
    const given = sample('division/refund', { outOrderNos: ['T1,T2', 'T3'] });
    const { request } = completed('division/refund', given);
    expect(request).toEqual(given);
    expect(faultsOf('division/refund', request)).toEqual([
      'outOrderNos must be text, numbers joined by commas of which none holds one itself, not a list (REF-02)',
    ]);
  });
});

describe('WDR-04, U48: a withdrawal', () => {
  const four = { smsCode: '1', smsFlowNo: 'F1', recvAcctNo: '6222', recvAcctName: '张三' };
  const channelExtra = { withdraw: { placement: 'channelExtra' } };
  const given = (over: Sample) => sample('account/withdraw', over);

  test('has its four optional members in bizData', () => {
    expect(completed('account/withdraw', given(four))).toEqual({ request: given(four), said: [] });
    const nested = completed('account/withdraw', given({ channelExtra: { ...four, more: 1 } }));
    expect(nested.request).toEqual(given({ ...four, channelExtra: '{"more":1}' }));
    expect(nested.said).toEqual([
      'smsCode, smsFlowNo, recvAcctNo, recvAcctName in bizData',
      'channelExtra as JSON text',
    ]);
    const only = completed('account/withdraw', given({ channelExtra: four }));
    expect(only.request).toEqual(given(four));
  });

  test('or in channelExtra, where the profile says so', () => {
    const { request, said } = completed('account/withdraw', given(four), { profile: channelExtra });
    expect(request).toEqual(given({ channelExtra: JSON.stringify(four) }));
    expect(said).toEqual([
      'smsCode, smsFlowNo, recvAcctNo, recvAcctName in channelExtra',
      'channelExtra as JSON text',
    ]);
    const added = given({ smsCode: '1', channelExtra: '{"more":1}' });
    expect(completed('account/withdraw', added, { profile: channelExtra }).request).toEqual(
      given({ channelExtra: '{"more":1,"smsCode":"1"}' }),
    );
  });

  test('keeps both where one member is given twice, and a text that is no object', () => {
    const twice = given({ smsCode: '1', channelExtra: { smsCode: '2' } });
    expect(completed('account/withdraw', twice).request).toEqual({
      ...twice,
      channelExtra: '{"smsCode":"2"}',
    });
    const text = given({ smsCode: '1', channelExtra: 'free' });
    expect(completed('account/withdraw', text, { profile: channelExtra })).toEqual({
      request: text,
      said: [],
    });
  });
});

describe('CHG-05, OPN-F42, OPN-06: openings and changes', () => {
  test('lists of types and of addresses become text, and ifCode is the channel code', () => {
    const subjectInfo = { entPerFlag: 'E', modifyType: ['1', 4], extensionData: ['https://a.example.com/1'] };
    const text = { entPerFlag: 'E', modifyType: '1|4', extensionData: '["https://a.example.com/1"]' };
    const change = completed('acct/changeApply', { recordId: '1', subjectInfo });
    expect(change.request).toEqual({ recordId: '1', subjectInfo: text });
    expect(change.said).toEqual(['modifyType as one text', 'extensionData as JSON text']);
    const { request, said } = completed('acct/reviseApply', { reqNo: 'R1', subjectInfo });
    expect(request).toEqual({ reqNo: 'R1', ifCode: 'CH01', subjectInfo: text });
    expect(said).toEqual(['ifCode CH01', 'modifyType as one text', 'extensionData as JSON text']);
  });

  test('without a channel code nothing is put in', () => {
    const given = { outReqNo: 'O1' };
    expect(completed('acct/addApply', given, { channelCode: undefined })).toEqual({
      request: given,
      said: [],
    });
  });
});

describe('SMS-02, U7, U8: a code', () => {
  const asked = (sceneType: string, over: Sample = {}, rules: Rules = {}) =>
    completed('acct/sendMsg', { sceneType, ...over }, rules).request;

  test('of the whitelist is asked with the channel code and a new number', () => {
    expect(asked('WHITE_SET')).toEqual({ sceneType: 'WHITE_SET', reqNo: 'CH01', outReqNo: 'NEW1' });
    expect(asked('WHITE_SET', {}, { channelCode: undefined })).toEqual({
      sceneType: 'WHITE_SET',
      outReqNo: 'NEW1',
    });
  });

  test('of an application belongs to its own numbers, which only its sender knows', () => {
    expect(asked('OPEN')).toEqual({ sceneType: 'OPEN' });
    expect(asked('MODIFY')).toEqual({ sceneType: 'MODIFY' });
    expect(asked('OPEN', {}, { profile: { sms: { reqNo: { OPEN: 'channelCode' } } } })).toEqual({
      sceneType: 'OPEN',
      reqNo: 'CH01',
    });
  });

  test('of a refund has a new number; of a scene nobody knows nothing is known', () => {
    expect(asked('REFUND', { reqNo: 'R9' })).toEqual({ sceneType: 'REFUND', reqNo: 'R9', outReqNo: 'NEW1' });
    expect(asked('LOGIN')).toEqual({ sceneType: 'LOGIN' });
  });
});

test('DEP-05: the first page, of the size the profile says', () => {
  const { request, said } = completed('query/deposit', SAMPLES['query/deposit'], {
    profile: { deposits: { pageSize: 50 } },
  });
  expect(request).toEqual({ ...SAMPLES['query/deposit'], page: 1, pageSize: 50 });
  expect(said).toEqual(['page 1', 'pageSize 50']);
});

describe('whatever is sound', () => {
  test.each(ENDPOINT_NAMES)('%s stays sound, and what was given stays', (endpoint) => {
    fc.assert(
      fc.property(REQUESTS[endpoint], (given) => {
        const { request } = completed(endpoint, given);
        expect(faultsOf(endpoint, request)).toEqual([]);
        expect(request).toMatchObject(given);
        expect(completed(endpoint, request).said).toEqual([]);
      }),
      { numRuns: runs(50) },
    );
  });

  test('division/pay: typed as a list without sums it becomes the same request again', () => {
    fc.assert(
      fc.property(REQUESTS['division/pay'], (given) => {
        const orderList = (parseJson(String(given['orderList'])) as Sample[]).map((order) => ({
          ...order,
          amount: Number(order['amount']),
        }));
        const typed = changed(given, { orderList, num: undefined, amount: undefined, currency: undefined });
        expect(completed('division/pay', typed).request).toEqual(given);
      }),
      { numRuns: runs(50) },
    );
  });
});
