/** What the client looks at before it sends: transfers, refunds, withdrawals, deposits, vouchers, settlements, codes. */
import type { EndpointName } from '../../../src/platform/contract.ts';
import type { Members } from '../caller.ts';
import { checksBeforehand } from '../client-checks.ts';
import { COMPANY } from '../opening-flow.ts';
import type { Rule, Rules } from '../rule.ts';

type Cases = Readonly<Record<string, Members>>;

/** A request that is valid, of each endpoint. */
const VALID = {
  'acct/sendMsg': { reqNo: 'SANDBOX', outReqNo: 'S1', sceneType: 'OPEN' },
  'acct/addApply': { ifCode: 'SANDBOX', outReqNo: 'AP1', acctRole: 'JS', subjectInfo: COMPANY },
  'acct/auditApply': { reqNo: 'R1', outReqNo: 'O1', smsFlowNo: 'S1', smsCode: '123456' },
  'acct/auditApplyResult': { reqNo: 'R1' },
  'acct/reviseApply': { ifCode: 'SANDBOX', reqNo: 'R1' },
  'acct/changeApplyResult': { reqNo: 'R1' },
  'acct/changeConfirm': { reqNo: 'R1', smsFlowNo: 'S1', smsCode: '123456' },
  'acct/queryInfo': { accountNo: '100001' },
  'division/query': { outBatchNo: 'B1' },
  'division/refund': {
    outBatchNo: 'B1',
    outOrderNos: 'O1',
    channelExtra: '{"smsCode":"1","smsFlowNo":"S1"}',
  },
  'account/withdraw': { outOrderNo: 'W1', acctNo: '100001', amount: 10_000 },
  'account/queryWithdraw': { outOrderNo: 'W1' },
  'query/deposit': { startDate: '2026-03-01', endDate: '2026-03-02', payeeAcctNo: '100001' },
  'get/transFiles': { transType: '2', outOrderNo: 'W1' },
  'order/settle': { outOrderNo: 'O1', remark: 'recon retry 1' },
} as const satisfies Partial<Record<EndpointName, Members>>;

type Listed = keyof typeof VALID;

/** Each of these changes to the valid request is held back with that number; `fine` ones are sent. */
function held(id: string, endpoint: Listed, wrong: Cases, fine: readonly Members[] = []): [string, Rule] {
  const valid: Members = VALID[endpoint];
  const over = (members: Members): Members => ({ ...valid, ...members });
  const bad = Object.fromEntries(Object.entries(wrong).map(([name, members]) => [name, over(members)]));
  const good = [valid, ...fine.map(over)];
  return [id, { client: (desk) => checksBeforehand(desk, { endpoint, id, fine: good, wrong: bad }) }];
}

const ORDER = { outOrderNo: 'O1', body: '货款', amount: '10000', payeeAcctNo: '200001' };

function payOf(orders: readonly Members[], over: Members = {}): Members {
  const amount = orders.reduce((sum, order) => sum + (Number(order['amount']) || 0), 0);
  const fixed = { outBatchNo: 'B1', payerAcctNo: '100001', currency: 'CNY', clientIp: '10.0.0.1' };
  return { ...fixed, num: orders.length, amount, orderList: JSON.stringify(orders), ...over };
}

/** The same of the batch of a transfer. */
function heldPay(id: string, wrong: Cases, fine: readonly Members[] = []): [string, Rule] {
  const bad = Object.fromEntries(Object.entries(wrong).map(([name, over]) => [name, payOf([ORDER], over)]));
  return paysBeforehand(id, bad, [payOf([ORDER]), ...fine.map((over) => payOf([ORDER], over))]);
}

/** And of its one order. */
function heldOrder(id: string, wrong: Cases, fine: readonly Members[] = []): [string, Rule] {
  const of = (over: Members): Members => payOf([{ ...ORDER, ...over }]);
  const bad = Object.fromEntries(Object.entries(wrong).map(([name, over]) => [name, of(over)]));
  return paysBeforehand(id, bad, [of({}), ...fine.map(of)]);
}

function paysBeforehand(id: string, wrong: Cases, fine: readonly Members[]): [string, Rule] {
  return [id, { client: (desk) => checksBeforehand(desk, { endpoint: 'division/pay', id, fine, wrong }) }];
}

const many = (count: number): Members[] =>
  Array.from({ length: count }, (_, at) => ({ ...ORDER, outOrderNo: `O${at}` }));
const n = (length: number): string => 'n'.repeat(length);
const EXT_32 = `${'中'.repeat(10)}ab`;
const EXT_100 = `${'中'.repeat(33)}x`;
const BOTH = { outBatchNo: 'B1', batchNo: 'TB1' };

const TRANSFERS: readonly [string, Rule][] = [
  heldPay('DIV-01', { absent: { outBatchNo: undefined }, '33': { outBatchNo: n(33) } }, [
    { outBatchNo: n(32) },
  ]),
  heldPay('DIV-02', { absent: { payerAcctNo: undefined } }),
  heldPay('DIV-03', { wrong: { num: 2 }, absent: { num: undefined }, text: { num: '1' } }),
  heldPay('DIV-04', { more: { amount: 10_001 }, absent: { amount: undefined }, fraction: { amount: 1.5 } }),
  heldPay('DIV-05', {
    absent: { currency: undefined },
    USD: { currency: 'USD' },
    lower: { currency: 'cny' },
  }),
  heldPay('DIV-06', {
    absent: { clientIp: undefined },
    IPv6: { clientIp: '::1' },
    range: { clientIp: '999.1.1.1' },
  }),
  heldPay('DIV-07', {
    absent: { orderList: undefined },
    empty: { orderList: '[]' },
    'no list': { orderList: '{}' },
  }),
  heldPay('DIV-08', { '2': { payMethod: 2 } }, [{ payMethod: 1 }]),
  heldPay('DIV-20', { '101': { extParam: n(101) }, Chinese: { remark: '中'.repeat(34) } }, [
    { extParam: EXT_100 },
  ]),
  heldPay('LIM-14', { '101': { extParam: n(101) } }, [{ extParam: EXT_100 }]),
  heldPay('LIM-07', { num: { num: 2 }, more: { amount: 10_001 }, less: { amount: 9_999 } }),
  heldPay('ENV-26', { 'an array': { orderList: [ORDER] } }),
  heldPay('LIM-04', { '33': { outBatchNo: n(33) } }, [{ outBatchNo: n(32) }]),
  heldOrder('DIV-13', { absent: { outOrderNo: undefined }, '33': { outOrderNo: n(33) } }, [
    { outOrderNo: n(32) },
  ]),
  heldOrder('DIV-14', { absent: { body: undefined } }),
  heldOrder('DIV-15', { number: { amount: 10_000 }, zero: { amount: '0' }, yuan: { amount: '300.00' } }),
  heldOrder('DIV-16', { absent: { payeeAcctNo: undefined } }),
  heldOrder('DIV-17', { '33': { extParam: n(33) }, Chinese: { extParam: '中'.repeat(11) } }, [
    { extParam: EXT_32 },
  ]),
  heldOrder('LIM-08', { '33': { extParam: `${EXT_32}c` } }, [{ extParam: EXT_32 }]),
  heldOrder('DIV-19', { 'one fen more': { amount: '5000001' } }, [{ amount: '5000000' }]),
  heldOrder('LIM-06', { 'one fen more': { amount: '5000001' } }, [{ amount: '5000000' }]),
  paysBeforehand('DIV-18', { '21': payOf(many(21)) }, [payOf(many(20))]),
  paysBeforehand('LIM-05', { '21': payOf(many(21)) }, [payOf(many(20))]),
];

const MONEY: readonly [string, Rule][] = [
  held('REF-01', 'division/refund', { none: { outBatchNo: undefined }, both: BOTH }),
  held('REF-02', 'division/refund', { 'an array': { outOrderNos: ['O1'] }, empty: { outOrderNos: 'O1,' } }, [
    { outOrderNos: 'O1,O2' },
  ]),
  held('REF-03', 'division/refund', {
    absent: { channelExtra: undefined },
    'an object': { channelExtra: { smsCode: '1', smsFlowNo: 'S1' } },
    'without smsFlowNo': { channelExtra: '{"smsCode":"1"}' },
  }),
  held('WDR-01', 'account/withdraw', { absent: { outOrderNo: undefined }, '33': { outOrderNo: n(33) } }),
  held('WDR-02', 'account/withdraw', { absent: { acctNo: undefined } }),
  held('WDR-03', 'account/withdraw', {
    zero: { amount: 0 },
    negative: { amount: -1 },
    fraction: { amount: 1.5 },
  }),
  held('WDR-13', 'account/queryWithdraw', { none: { outOrderNo: undefined }, both: { orderNo: 'N1' } }),
  held('DIV-29', 'division/query', { none: { outBatchNo: undefined }, both: BOTH }),
  held('ENV-27', 'division/query', { none: { outBatchNo: undefined }, both: BOTH }),
  held('ACC-01', 'acct/queryInfo', { none: { accountNo: undefined }, both: { reqNo: 'R1' } }),
  held('STL-02', 'order/settle', { none: { outOrderNo: undefined }, both: { orderNo: 'N1' } }),
  held('STL-03', 'order/settle', {
    absent: { remark: undefined },
    'special characters alone': { remark: '!!!' },
    '33': { remark: 'x'.repeat(33) },
    Chinese: { remark: '中'.repeat(11) },
  }),
  held('LIM-12', 'order/settle', { '33': { remark: 'x'.repeat(33) } }, [
    { remark: 'x'.repeat(32) },
    { remark: EXT_32 },
  ]),
];

const DEPOSIT = 'query/deposit';
const LISTS: readonly [string, Rule][] = [
  held('DEP-01', DEPOSIT, { slashes: { startDate: '2026/03/01' }, absent: { endDate: undefined } }),
  held('DEP-02', DEPOSIT, { earlier: { endDate: '2026-02-28' } }, [{ endDate: '2026-03-01' }]),
  held('DEP-03', DEPOSIT, { longer: { endDate: '2026-04-02' } }, [{ endDate: '2026-04-01' }]),
  held('LIM-10', DEPOSIT, { longer: { endDate: '2026-04-02' } }, [{ endDate: '2026-04-01' }]),
  held('DEP-04', DEPOSIT, { absent: { payeeAcctNo: undefined } }),
  held('DEP-05', DEPOSIT, { '101': { pageSize: 101 }, 'page 0': { page: 0 } }, [{ pageSize: 100, page: 9 }]),
  held('LIM-11', DEPOSIT, { '0': { pageSize: 0 }, '101': { pageSize: 101 } }, [
    { pageSize: 1 },
    { pageSize: 100 },
  ]),
  held('VCH-01', 'get/transFiles', { '4': { transType: '4' }, number: { transType: 2 } }),
  held('VCH-02', 'get/transFiles', { 'a deposit': { transType: '1' } }),
  held('VCH-05', 'get/transFiles', { none: { outOrderNo: undefined }, both: { orderNo: 'N1' } }),
  held('SMS-02', 'acct/sendMsg', { absent: { reqNo: undefined } }),
  held('SMS-03', 'acct/sendMsg', { absent: { outReqNo: undefined }, '33': { outReqNo: n(33) } }),
  held('LIM-03', 'acct/sendMsg', { '33': { outReqNo: n(33) } }, [{ outReqNo: n(32) }]),
  held('SMS-04', 'acct/sendMsg', { other: { sceneType: 'LOGIN' } }, [{ sceneType: 'REFUND' }]),
];

const OPENINGS: readonly [string, Rule][] = [
  held('OPN-05', 'acct/addApply', {
    'a person as initiator': { acctRole: 'FQ', subjectInfo: { ...COMPANY, entPerFlag: 'P' } },
  }),
  held('OPN-06', 'acct/addApply', { absent: { ifCode: undefined }, other: { ifCode: 'OTHER' } }),
  held('OPN-07', 'acct/addApply', { absent: { outReqNo: undefined }, '33': { outReqNo: n(33) } }, [
    { outReqNo: n(32) },
  ]),
  held('OPN-08', 'acct/addApply', { absent: { acctRole: undefined }, other: { acctRole: 'XX' } }),
  held('OPN-09', 'acct/addApply', {
    absent: { subjectInfo: undefined },
    text: { subjectInfo: JSON.stringify(COMPANY) },
  }),
  held('OPN-12', 'acct/auditApply', {
    'no code': { smsCode: undefined },
    'no number': { outReqNo: undefined },
  }),
  held('OPN-17', 'acct/auditApplyResult', { none: { reqNo: undefined } }, [{ outReqNo: 'O1' }]),
  held('OPN-19', 'acct/reviseApply', { none: { reqNo: undefined }, both: { outReqNo: 'O1' } }),
  held('OPN-20', 'acct/reviseApply', { absent: { ifCode: undefined } }),
  held('OPN-21', 'acct/reviseApply', { 'no entType': { subjectInfo: { ...COMPANY, entType: undefined } } }, [
    { subjectInfo: { ...COMPANY, entType: '01' } },
  ]),
  held('CHG-15', 'acct/changeConfirm', { none: { reqNo: undefined }, 'no code': { smsCode: undefined } }),
  held('LIM-15', 'acct/changeConfirm', { '33': { smsFlowNo: n(33) } }, [{ smsFlowNo: n(32) }]),
  held('CHG-18', 'acct/changeApplyResult', { none: { reqNo: undefined } }, [
    { reqNo: undefined, outReqNo: 'O1' },
  ]),
];

export const BEFOREHAND: Rules = Object.fromEntries([...TRANSFERS, ...MONEY, ...LISTS, ...OPENINGS]);
