/** What the client refuses to send: limits, types and forms of the members of all endpoints (LIM, U28). */
import { describe, expect, test } from 'vitest';
import { ENDPOINT_NAMES } from '../../../src/platform/contract.ts';
import type { EndpointName } from '../../../src/platform/contract.ts';
import { profileOf } from '../platform-server.ts';
import { BOUNDARIES } from './request-boundaries.ts';
import { faultsOf, sample, SAMPLES } from './request-samples.ts';
import type { Sample } from './request-samples.ts';

test.each(ENDPOINT_NAMES)(
  '%s: a sound request has no fault, and unknown members are none (ENV-32)',
  (name) => {
    expect(faultsOf(name, SAMPLES[name])).toEqual([]);
    expect(faultsOf(name, { ...SAMPLES[name], later: [1], __odd: null })).toEqual([]);
  },
);

test.each(BOUNDARIES.map((pair) => [pair.requirement, pair.endpoint, pair.what, pair] as const))(
  '%s: %s, %s',
  (_requirement, endpoint, _what, { taken, refused, fault }) => {
    expect(faultsOf(endpoint, taken)).toEqual([]);
    expect(faultsOf(endpoint, refused)).toEqual([fault]);
  },
);

describe('ENV-27: exactly one of two numbers', () => {
  test.each<[EndpointName, string, string, string]>([
    ['acct/reviseApply', 'reqNo', 'outReqNo', 'ENV-27, OPN-19'],
    ['acct/changeConfirm', 'reqNo', 'outReqNo', 'ENV-27, CHG-15'],
    ['acct/changeApplyResult', 'reqNo', 'outReqNo', 'ENV-27, CHG-18'],
    ['acct/queryInfo', 'accountNo', 'reqNo', 'ENV-27, ACC-01'],
    ['division/query', 'outBatchNo', 'batchNo', 'ENV-27, DIV-29'],
    ['division/refund', 'outBatchNo', 'batchNo', 'ENV-27, REF-01'],
    ['account/queryWithdraw', 'outOrderNo', 'orderNo', 'ENV-27, WDR-13'],
    ['get/transFiles', 'outOrderNo', 'orderNo', 'ENV-27, VCH-02, VCH-05'],
    ['order/settle', 'outOrderNo', 'orderNo', 'ENV-27, STL-02'],
  ])('%s: %s or %s', (endpoint, first, second, requirement) => {
    const given = (over: Sample) =>
      faultsOf(endpoint, sample(endpoint, { [first]: undefined, [second]: undefined, ...over }));
    expect(given({ [first]: 'N1' })).toEqual([]);
    expect(given({ [second]: 'N1' })).toEqual([]);
    expect(given({})).toEqual([
      `neither ${first} nor ${second} is given: exactly one says which is meant (${requirement})`,
    ]);
    expect(given({ [first]: 'N1', [second]: 'N2' })).toEqual([
      `${first} and ${second} are both given: exactly one says which is meant (${requirement})`,
    ]);
    expect(given({ [first]: '' })).toEqual([expect.stringMatching(`^${first} is empty `)]);
    for (const nothing of ['', null]) {
      expect(given({ [first]: 'N1', [second]: nothing })).toEqual([]);
      expect(given({ [first]: nothing, [second]: 'N1' })).toEqual([]);
    }
    expect(given({ [first]: '', [second]: null })).toEqual([
      `neither ${first} nor ${second} is given: exactly one says which is meant (${requirement})`,
    ]);
    expect(given({ [first]: 1 })).toEqual([expect.stringMatching(`^${first} must be text, not a number `)]);
  });
});

describe('what must be there', () => {
  test.each<[EndpointName, string, string]>([
    ['acct/sendMsg', 'reqNo', 'SMS-02'],
    ['acct/sendMsg', 'outReqNo', 'SMS-03, LIM-03'],
    ['acct/sendMsg', 'sceneType', 'SMS-04'],
    ['acct/addApply', 'ifCode', 'OPN-06'],
    ['acct/addApply', 'outReqNo', 'OPN-07, LIM-03'],
    ['acct/addApply', 'acctRole', 'OPN-08'],
    ['acct/addApply', 'subjectInfo', 'OPN-09'],
    ['acct/auditApply', 'smsFlowNo', 'OPN-12'],
    ['acct/auditApply', 'smsCode', 'OPN-12'],
    ['acct/auditApply', 'reqNo', 'OPN-12'],
    ['acct/auditApply', 'outReqNo', 'OPN-12, LIM-03'],
    ['acct/auditApplyResult', 'reqNo', 'OPN-17'],
    ['acct/reviseApply', 'ifCode', 'OPN-20'],
    ['acct/changeApply', 'recordId', 'CHG-01, LIM-15'],
    ['acct/changeApply', 'outReqNo', 'CHG-02, LIM-03'],
    ['acct/changeApply', 'subjectInfo', 'CHG-03'],
    ['acct/changeConfirm', 'smsFlowNo', 'CHG-15, LIM-15'],
    ['acct/changeConfirm', 'smsCode', 'CHG-15'],
    ['division/pay', 'outBatchNo', 'DIV-01, LIM-04'],
    ['division/pay', 'payerAcctNo', 'DIV-02'],
    ['division/pay', 'num', 'DIV-03'],
    ['division/pay', 'amount', 'DIV-04'],
    ['division/pay', 'currency', 'DIV-05'],
    ['division/pay', 'clientIp', 'DIV-06'],
    ['division/pay', 'orderList', 'DIV-07, ENV-26'],
    ['division/refund', 'outOrderNos', 'REF-02'],
    ['division/refund', 'channelExtra', 'REF-03, ENV-26'],
    ['account/withdraw', 'outOrderNo', 'WDR-01, LIM-04'],
    ['account/withdraw', 'acctNo', 'WDR-02'],
    ['account/withdraw', 'amount', 'WDR-03'],
    ['query/deposit', 'startDate', 'DEP-01'],
    ['query/deposit', 'endDate', 'DEP-01'],
    ['query/deposit', 'payeeAcctNo', 'DEP-04'],
    ['get/transFiles', 'transType', 'VCH-01'],
    ['order/settle', 'remark', 'STL-03, LIM-12'],
  ])('%s: %s (%s)', (endpoint, name, requirement) => {
    expect(faultsOf(endpoint, sample(endpoint, { [name]: undefined }))).toEqual([
      `${name} is missing (${requirement})`,
    ]);
    expect(faultsOf(endpoint, sample(endpoint, { [name]: null }))).toEqual([
      `${name} is missing (${requirement})`,
    ]);
    expect(faultsOf(endpoint, sample(endpoint, { [name]: ' ' }))).toEqual([
      `${name} is empty (${requirement})`,
    ]);
  });
});

describe('what may be left out says nothing when it is empty or null', () => {
  test.each<[EndpointName, readonly string[]]>([
    ['acct/addApply', ['notifyUrl']],
    ['acct/auditApplyResult', ['outReqNo']],
    ['acct/reviseApply', ['subjectInfo']],
    ['division/pay', ['payMethod', 'extParam', 'remark', 'body', 'notifyUrl']],
    ['division/refund', ['remark']],
    ['account/withdraw', ['channelExtra', 'remark', 'smsCode', 'smsFlowNo', 'recvAcctNo', 'recvAcctName']],
    ['query/deposit', ['page', 'pageSize']],
    ['order/settle', ['recvAcctName', 'recvAcctNo']],
  ])('%s: %j (OPN-10, DIV-08…12, WDR-04, DEP-05, STL-04)', (endpoint, names) => {
    for (const name of names) {
      for (const nothing of ['', null]) {
        expect(faultsOf(endpoint, sample(endpoint, { [name]: nothing })), name).toEqual([]);
      }
    }
  });

  test('VCH-02: an empty orderNo beside an outOrderNo names no deposit', () => {
    const request = { transType: '1', outOrderNo: 'O1', orderNo: '' };
    expect(faultsOf('get/transFiles', request)).toEqual([
      'outOrderNo is not sent with transType 1, a deposit is named by its orderNo (VCH-02)',
    ]);
  });
});

describe('the profile decides what the document leaves open', () => {
  const limits = (over: object) => ({ profile: profileOf({ limits: over }) });

  test('U54: how lengths are counted', () => {
    const request = sample('division/pay', { remark: '备'.repeat(34) });
    expect(faultsOf('division/pay', request, limits({ count: 'characters' }))).toEqual([]);
    expect(faultsOf('division/pay', request, limits({ count: 'bytes' }))).toEqual([
      'remark has 102 bytes, and at most 100 are taken (DIV-20, LIM-14)',
    ]);
  });

  test('U29, U30: the cap of an order, and the members kept to 100', () => {
    expect(faultsOf('division/pay', SAMPLES['division/pay'], limits({ childAmountMaxFen: '50000' }))).toEqual(
      ['orderList[1].amount is 70000 fen, and at most 50000 are taken (DIV-15, DIV-19, LIM-06)'],
    );
    const long = sample('division/pay', { remark: 'x'.repeat(101) });
    expect(faultsOf('division/pay', long, limits({ batch100Fields: ['extParam'] }))).toEqual([]);
  });

  test('OPN-06: without a known channel code any is taken', () => {
    const request = sample('acct/reviseApply', { ifCode: 'CH02' });
    expect(faultsOf('acct/reviseApply', request, { channelCode: undefined })).toEqual([]);
  });
});
