/** Single changes that make a sound request wrong in one way, whatever else is in it, and what is said of each. */
import { jsonText } from '../../../src/core/json.ts';
import type { EndpointName } from '../../../src/platform/contract.ts';
import { withSubject } from './request-arbitraries.ts';
import { changed } from './request-samples.ts';
import type { Sample } from './request-samples.ts';

export interface Mutation {
  endpoint: EndpointName;
  what: string;
  /** Undefined where it says nothing about this request. */
  mutate: (request: Sample) => Sample | undefined;
  fault: string;
}

function set(endpoint: EndpointName, over: Sample, fault: string): Mutation {
  const what = Object.entries(over)
    .map(([name, value]) => `${name} = ${value === undefined ? 'nothing' : jsonText(value)}`)
    .join(', ');
  return { endpoint, what, mutate: (request) => changed(request, over), fault };
}

/** Both or neither of two numbers. */
function pair(
  endpoint: EndpointName,
  [first, second]: readonly [string, string],
  requirement: string,
): Mutation[] {
  const which = `exactly one says which is meant (${requirement})`;
  return [
    set(
      endpoint,
      { [first]: undefined, [second]: undefined },
      `neither ${first} nor ${second} is given: ${which}`,
    ),
    set(endpoint, { [first]: 'N1', [second]: 'N2' }, `${first} and ${second} are both given: ${which}`),
  ];
}

/** Of an opening whose subject is of that kind. */
function subject(kind: 'E' | 'P' | 'any', over: Sample, fault: string): Mutation {
  const [name] = Object.keys(over);
  return {
    endpoint: 'acct/addApply',
    what: `subject ${kind}: ${name} = ${jsonText(over[name ?? '']) ?? 'nothing'}`,
    mutate: (request) => {
      const { entPerFlag } = request['subjectInfo'] as Sample;
      return kind === 'any' || kind === entPerFlag ? withSubject(request, over) : undefined;
    },
    fault: `subjectInfo.${fault}`,
  };
}

/** The first order of a batch with other members; the sums stay right where amounts can be read. */
function order(over: Sample, fault: string): Mutation {
  return {
    endpoint: 'division/pay',
    what: `order: ${jsonText(over)}`,
    mutate: (request) => {
      const [first = {}, ...others] = JSON.parse(String(request['orderList'])) as Sample[];
      const list = [changed(first, over), ...others];
      const before = BigInt(String(first['amount']));
      const now = /^\d+$/.test(String(list[0]?.['amount'])) ? BigInt(String(list[0]?.['amount'])) : before;
      const amount = (request['amount'] as bigint) - before + now;
      return { ...request, orderList: jsonText(list), amount };
    },
    fault: `orderList[0].${fault}`,
  };
}

const LONG = 'x'.repeat(33);
const TOO_LONG = 'has 33 characters (one outside ASCII counts three), and at most 32 are taken';

export const MUTATIONS: readonly Mutation[] = [
  set(
    'acct/sendMsg',
    { sceneType: 'refund' },
    'sceneType must be one of OPEN, MODIFY, WHITE_SET, REFUND, not "refund" (SMS-04)',
  ),
  set('acct/sendMsg', { reqNo: undefined }, 'reqNo is missing (SMS-02)'),
  set('acct/sendMsg', { outReqNo: LONG }, `outReqNo ${TOO_LONG} (SMS-03, LIM-03)`),
  set('acct/addApply', { outReqNo: LONG }, `outReqNo ${TOO_LONG} (OPN-07, LIM-03)`),
  set('acct/addApply', { ifCode: 'CH02' }, 'ifCode must be the channel code CH01, not "CH02" (OPN-06)'),
  set('acct/addApply', { subjectInfo: '{}' }, 'subjectInfo must be an object, not text (OPN-09)'),
  set(
    'acct/addApply',
    { notifyUrl: 'https://localhost/n' },
    'notifyUrl must be reachable from outside, and localhost is not (OPN-10)',
  ),
  subject('any', { eleAcctType: '2' }, 'eleAcctType must be 1, not "2" (OPN-F03)'),
  subject(
    'any',
    { idCardEffectBegin: '2026-02-30' },
    'idCardEffectBegin must be a day of the calendar such as 2026-03-01, not "2026-02-30" (OPN-F09)',
  ),
  subject(
    'any',
    { idCard1Img: 'https://192.168.0.1/a' },
    'idCard1Img must be reachable from outside, and 192.168.0.1 is not (OPN-F07)',
  ),
  subject('any', { extensionData: '{}' }, 'extensionData must hold a JSON list (OPN-F42)'),
  subject('P', { profession: undefined }, 'profession is missing, and an individual needs it (OPN-F19)'),
  subject(
    'P',
    { settAccountPhone: undefined },
    'settAccountPhone is missing, and an individual needs it (OPN-F17)',
  ),
  subject('E', { licenseNo: undefined }, 'licenseNo is missing, and an enterprise needs it (OPN-F20)'),
  subject(
    'E',
    { entType: '04', settAccountType: 'E' },
    'entType must be one of 01, 02, 03, not "04" (OPN-F02)',
  ),
  subject(
    'E',
    { agentUseCorpInfoFlag: undefined },
    'agentUseCorpInfoFlag is missing, and an enterprise needs it (OPN-F29)',
  ),
  {
    endpoint: 'acct/addApply',
    what: 'an individual as initiator',
    mutate: (request) =>
      (request['subjectInfo'] as Sample)['entPerFlag'] === 'P' ? { ...request, acctRole: 'FQ' } : undefined,
    fault: 'acctRole must be JS for an individual, who never opens as initiator (OPN-05)',
  },
  set('acct/auditApply', { smsCode: undefined }, 'smsCode is missing (OPN-12)'),
  set('acct/auditApply', { reqNo: 7 }, 'reqNo must be text, not a number (OPN-12)'),
  set('acct/auditApplyResult', { reqNo: undefined }, 'reqNo is missing (OPN-17)'),
  set('acct/auditApplyResult', { outReqNo: LONG }, `outReqNo ${TOO_LONG} (OPN-17, LIM-03)`),
  ...pair('acct/reviseApply', ['reqNo', 'outReqNo'], 'ENV-27, OPN-19'),
  set('acct/reviseApply', { ifCode: undefined }, 'ifCode is missing (OPN-20)'),
  set(
    'acct/changeApply',
    { recordId: 'x'.repeat(20) },
    'recordId has 20 characters (one outside ASCII counts three), and at most 19 are taken (CHG-01, LIM-15)',
  ),
  {
    endpoint: 'acct/changeApply',
    what: 'a type twice',
    mutate: (request) => {
      const { entPerFlag } = request['subjectInfo'] as Sample;
      return entPerFlag === 'E' ? withSubject(request, { modifyType: '5|5' }) : undefined;
    },
    fault: 'subjectInfo.modifyType names a type twice: "5|5" (CHG-05)',
  },
  {
    endpoint: 'acct/changeApply',
    what: 'no address',
    mutate: (request) => withSubject(request, { address: undefined }),
    fault: 'subjectInfo.address is missing (CHG-13)',
  },
  ...pair('acct/changeConfirm', ['reqNo', 'outReqNo'], 'ENV-27, CHG-15'),
  set('acct/changeConfirm', { smsFlowNo: LONG }, `smsFlowNo ${TOO_LONG} (CHG-15, LIM-15)`),
  ...pair('acct/changeApplyResult', ['reqNo', 'outReqNo'], 'ENV-27, CHG-18'),
  ...pair('acct/queryInfo', ['accountNo', 'reqNo'], 'ENV-27, ACC-01'),
  set('division/pay', { outBatchNo: LONG }, `outBatchNo ${TOO_LONG} (DIV-01, LIM-04)`),
  set('division/pay', { currency: 'USD' }, 'currency must be CNY, not "USD" (DIV-05)'),
  set('division/pay', { clientIp: '1.2.3' }, 'clientIp must be an IPv4 address, not "1.2.3" (DIV-06)'),
  set('division/pay', { payMethod: 2 }, 'payMethod must be 1, not 2 (DIV-08)'),
  set('division/pay', { orderList: '[]' }, 'orderList holds no transfer order (DIV-07)'),
  set(
    'division/pay',
    { remark: 'x'.repeat(101) },
    'remark has 101 characters (one outside ASCII counts three), and at most 100 are taken (DIV-20, LIM-14)',
  ),
  order({ outOrderNo: LONG }, `outOrderNo ${TOO_LONG} (DIV-13, LIM-04)`),
  order({ body: undefined }, 'body is missing (DIV-14)'),
  order(
    { amount: '5000001' },
    'amount is 5000001 fen, and at most 5000000 are taken (DIV-15, DIV-19, LIM-06)',
  ),
  order({ amount: 'x' }, 'amount must be whole fen above 0 in digits, not "x" (DIV-15, DIV-19, LIM-06)'),
  order({ payeeAcctNo: '' }, 'payeeAcctNo is empty (DIV-16)'),
  order({ extParam: '备'.repeat(11) }, `extParam ${TOO_LONG} (DIV-17, LIM-08)`),
  ...pair('division/query', ['outBatchNo', 'batchNo'], 'ENV-27, DIV-29'),
  ...pair('division/refund', ['outBatchNo', 'batchNo'], 'ENV-27, REF-01'),
  set(
    'division/refund',
    { outOrderNos: ',T1' },
    'outOrderNos must be numbers joined by commas, without blanks or empty ones between them (REF-02)',
  ),
  set(
    'division/refund',
    { channelExtra: '{"smsFlowNo":"F"}' },
    'channelExtra must hold smsCode and smsFlowNo: smsCode is missing (REF-03, ENV-26)',
  ),
  set('account/withdraw', { amount: 0n }, 'amount must be above 0 fen, not 0 (WDR-03)'),
  set('account/withdraw', { outOrderNo: LONG }, `outOrderNo ${TOO_LONG} (WDR-01, LIM-04)`),
  set('account/withdraw', { smsCode: 123456 }, 'smsCode must be text, not a number (WDR-04)'),
  ...pair('account/queryWithdraw', ['outOrderNo', 'orderNo'], 'ENV-27, WDR-13'),
  set(
    'query/deposit',
    { startDate: '2026-03-02', endDate: '2026-03-01' },
    'endDate 2026-03-01 is before startDate 2026-03-02 (DEP-02)',
  ),
  set(
    'query/deposit',
    { startDate: '2026-03-01', endDate: '2026-04-02' },
    'endDate 2026-04-02 is more than a month after startDate 2026-03-01: at most 2026-04-01 (DEP-03, LIM-10)',
  ),
  set('query/deposit', { pageSize: 101 }, 'pageSize must be from 1 to 100, not 101 (DEP-05, LIM-11)'),
  set('query/deposit', { page: 0 }, 'page must be at least 1, not 0 (DEP-05)'),
  set('query/deposit', { payeeAcctNo: undefined }, 'payeeAcctNo is missing (DEP-04)'),
  set(
    'get/transFiles',
    { transType: '1', outOrderNo: 'T1', orderNo: undefined },
    'outOrderNo is not sent with transType 1, a deposit is named by its orderNo (VCH-02)',
  ),
  set('get/transFiles', { transType: '9' }, 'transType must be one of 1, 2, 3, not "9" (VCH-01)'),
  ...pair('get/transFiles', ['outOrderNo', 'orderNo'], 'ENV-27, VCH-02, VCH-05'),
  ...pair('order/settle', ['outOrderNo', 'orderNo'], 'ENV-27, STL-02'),
  set(
    'order/settle',
    { remark: '结'.repeat(11) },
    'remark is not taken: the remark has 33 bytes, and at most 32 are taken (STL-03, LIM-12)',
  ),
  set(
    'order/settle',
    { remark: '***' },
    'remark is not taken: nothing is left of the remark when its special characters are taken out (STL-03, LIM-12)',
  ),
];
