/** A sound request of each endpoint, and how a test changes one member of it. */
import { jsonText } from '../../../src/core/json.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import type { EndpointName } from '../../../src/platform/contract.ts';
import { requestFaults } from '../../../src/platform/requests/request-faults.ts';
import type { CheckRules } from '../../../src/platform/requests/request-faults.ts';
import { profileOf } from '../platform-server.ts';

export type Sample = Record<string, unknown>;

const IMAGE = 'https://files.example.com/a.png';

export const INDIVIDUAL: Sample = {
  entPerFlag: 'P',
  eleAcctType: '1',
  idCardName: '张三',
  idCardNo: '110105194912310021',
  idCardPhone: '13812345678',
  idCard1Img: IMAGE,
  idCard2Img: IMAGE,
  idCardEffectBegin: '2016-02-29',
  idCardEffectEnd: '长期',
  address: '某路 1 号',
  settAccountNo: '6222021234567890',
  settAccountName: '张三',
  settAccountBankBranchCode: '102100099996',
  settAccountBankBranchName: '某支行',
  settAccountPhone: '13812345678',
  profession: '11',
};

export const ENTERPRISE: Sample = {
  ...INDIVIDUAL,
  entPerFlag: 'E',
  entType: '02',
  settAccountType: 'E',
  licenseNo: '91110000MA0000000X',
  licenseName: '示例科技有限公司',
  licenseEffectBegin: '2016-01-01',
  licenseEffectEnd: '2036-01-01',
  licenseAddress: '某路 2 号',
  licenseImg: IMAGE,
  agentUseCorpInfoFlag: '1',
};

/** Of an agent who is not the legal representative. */
export const AGENT: Sample = {
  agentUseCorpInfoFlag: '0',
  agentName: '李四',
  agentIdNo: '110105194912310048',
  agentVisaDate: '2016-01-01',
  agentLostDate: '2036-01-01',
  agentPhone: '13912345678',
  agentIdCard1Img: IMAGE,
  agentIdCard2Img: IMAGE,
  authLetterImg: IMAGE,
};

export const INITIATOR: Sample = { businessScenario: '1', businessSceneDesc: '网店' };

export const ORDERS: readonly Sample[] = [
  { outOrderNo: 'T1', body: 'March', amount: '30000', payeeAcctNo: '100002' },
  { outOrderNo: 'T2', body: 'March', amount: '70000', payeeAcctNo: '100003' },
];

export const SAMPLES: Readonly<Record<EndpointName, Sample>> = {
  'acct/sendMsg': { reqNo: 'CH01', outReqNo: 'S1', sceneType: 'OPEN' },
  'acct/addApply': { ifCode: 'CH01', outReqNo: 'O1', acctRole: 'JS', subjectInfo: INDIVIDUAL },
  'acct/auditApply': { smsFlowNo: 'F1', smsCode: '123456', reqNo: 'R1', outReqNo: 'O1' },
  'acct/auditApplyResult': { reqNo: 'R1', outReqNo: 'O1' },
  'acct/reviseApply': { ifCode: 'CH01', reqNo: 'R1' },
  'acct/changeApply': {
    recordId: '1934567890123456789',
    outReqNo: 'C1',
    subjectInfo: { entPerFlag: 'E', entType: '02', eleAcctType: '1', address: '某路 1 号', modifyType: '5' },
  },
  'acct/changeConfirm': { reqNo: 'R1', smsFlowNo: 'F1', smsCode: '123456' },
  'acct/changeApplyResult': { outReqNo: 'C1' },
  'acct/queryInfo': { accountNo: '100001' },
  'division/pay': {
    outBatchNo: 'B1',
    payerAcctNo: '100001',
    num: 2,
    amount: 100_000,
    currency: 'CNY',
    clientIp: '203.0.113.7',
    orderList: jsonText(ORDERS),
  },
  'division/query': { outBatchNo: 'B1' },
  'division/refund': {
    outBatchNo: 'B1',
    outOrderNos: 'T1,T2',
    channelExtra: '{"smsCode":"123456","smsFlowNo":"F1"}',
  },
  'account/withdraw': { outOrderNo: 'W1', acctNo: '100001', amount: 100 },
  'account/queryWithdraw': { outOrderNo: 'W1' },
  'query/deposit': { startDate: '2026-03-01', endDate: '2026-03-31', payeeAcctNo: '100001' },
  'get/transFiles': { transType: '3', outOrderNo: 'T1' },
  'order/settle': { outOrderNo: 'T1', remark: 'recon retry 1' },
};

export function rulesOf(overrides: Partial<CheckRules> = {}): CheckRules {
  return { profile: profileOf(), channelCode: 'CH01', isPlatformLocal: false, ...overrides };
}

/** The request with other members; `undefined` takes one away. */
export function changed(request: Sample, over: Sample): Sample {
  const members = Object.entries({ ...request, ...over });
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

/** The sound request of that endpoint with other members. */
export function sample(endpoint: EndpointName, over: Sample = {}): Sample {
  return changed(SAMPLES[endpoint], over);
}

/** An opening with that subject. */
export function opening(subject: Sample, over: Sample = {}): Sample {
  return sample('acct/addApply', { subjectInfo: subject, ...over });
}

/** A transfer of those orders, its sums right for amounts that can be read. */
export function transfer(orders: readonly unknown[], over: Sample = {}): Sample {
  const amounts = orders.map((order) => Number((order as JsonObject)['amount']));
  const amount = amounts.reduce((sum, one) => sum + one, 0);
  const sums = Number.isSafeInteger(amount) && amount > 0 ? { amount } : {};
  return sample('division/pay', { num: orders.length, ...sums, orderList: jsonText(orders), ...over });
}

export function faultsOf(
  endpoint: EndpointName,
  request: Sample,
  rules: Partial<CheckRules> = {},
): readonly string[] {
  return requestFaults(endpoint, request, rulesOf(rules));
}
