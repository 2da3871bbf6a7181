/** Sound requests of every endpoint, as many as one likes, made from what the document says and nothing else. */
import { jsonText } from '../../../src/core/json.ts';
import type { EndpointName } from '../../../src/platform/contract.ts';
import { changed } from './request-samples.ts';
import type { Sample } from './request-samples.ts';
import { fc } from '../../helpers/properties.ts';

type Members = Record<string, fc.Arbitrary<unknown>>;

const number32 = fc.stringMatching(/^[A-Za-z0-9_-]{1,32}$/);
const code = fc.stringMatching(/^\d{6}$/);
/** Text people write, never blank. */
const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).map((free) => `备注 ${free}`);
/** At most 32 however it is counted. */
const short = fc.oneof(fc.stringMatching(/^[ -~]{0,32}$/), fc.stringMatching(/^[一-龥]{0,10}[a-z]{0,2}$/));
const url = fc.constantFrom('https://files.example.com/a.png', 'http://a.example.cn:8080/x?y=1');
const dayNumber = fc.integer({ min: 0, max: 70_000 });
const dayText = dayNumber.map((days) => new Date(Date.UTC(1950, 0, 1 + days)).toISOString().slice(0, 10));
const dayOrLongTerm = fc.oneof(dayText, fc.constant('长期'));

/** Exactly one of the two. */
function oneOf(first: string, second: string): fc.Arbitrary<Sample> {
  return fc.tuple(fc.constantFrom(first, second), number32).map(([name, number]) => ({ [name]: number }));
}

/** All required members, and any of the optional ones. */
function request(
  required: Members,
  optional: Members = {},
  pair: fc.Arbitrary<Sample> = fc.constant({}),
): fc.Arbitrary<Sample> {
  const whole = fc.record({ ...required, ...optional }, { requiredKeys: Object.keys(required) });
  return fc.tuple(whole, pair).map(([members, numbers]) => ({ ...members, ...numbers }));
}

const PERSON: Members = {
  eleAcctType: fc.constant('1'),
  idCardName: text,
  idCardNo: number32,
  idCardPhone: number32,
  idCard1Img: url,
  idCard2Img: url,
  idCardEffectBegin: dayText,
  idCardEffectEnd: dayOrLongTerm,
  address: text,
  settAccountNo: number32,
  settAccountName: text,
  settAccountBankBranchCode: number32,
  settAccountBankBranchName: text,
};

export const individual = request(
  { ...PERSON, entPerFlag: fc.constant('P'), settAccountPhone: number32, profession: number32 },
  {
    bindAcctInnerFlag: fc.constantFrom('0', '1'),
    extensionData: fc.array(url).map((urls) => jsonText(urls)),
  },
);

const COMPANY: Members = {
  ...PERSON,
  entPerFlag: fc.constant('E'),
  entType: fc.constantFrom('02', '03'),
  settAccountType: fc.constantFrom('E', 'P'),
  licenseNo: number32,
  licenseName: text,
  licenseEffectBegin: dayText,
  licenseEffectEnd: dayOrLongTerm,
  licenseAddress: text,
  licenseImg: url,
  businessScenario: fc.constantFrom('1', '2', '3', '4', '5'),
  businessSceneDesc: text,
};
const AGENT: Members = {
  agentUseCorpInfoFlag: fc.constant('0'),
  agentName: text,
  agentIdNo: number32,
  agentVisaDate: dayText,
  agentLostDate: dayOrLongTerm,
  agentPhone: number32,
  agentIdCard1Img: url,
  agentIdCard2Img: url,
  authLetterImg: url,
};
const OF_COMPANY: Members = {
  regCapital: number32,
  regCapCurr: fc.constant('CNY'),
  industryTpCd: number32,
  agentReuseReasonDesc: text,
  companyAccountLicenseImg: url,
};

export const enterprise = fc.oneof(
  request({ ...COMPANY, agentUseCorpInfoFlag: fc.constant('1') }, OF_COMPANY),
  request({ ...COMPANY, ...AGENT }, OF_COMPANY),
);

const opening = { ifCode: fc.constant('CH01'), outReqNo: number32 };

/** A change of any types, with all there is to say about them. */
const changedEnterprise = fc
  .tuple(
    request({ ...COMPANY, ...AGENT, bindAcctInnerFlag: fc.constant('1'), settAccountPhone: number32 }),
    fc.uniqueArray(fc.constantFrom('1', '2', '3', '4', '5'), { minLength: 1, maxLength: 5 }),
  )
  .map(([subject, types]) => ({ ...subject, modifyType: types.join('|') }));

const order = fc.record(
  {
    outOrderNo: number32,
    body: text,
    amount: fc.integer({ min: 1, max: 5_000_000 }).map(String),
    payeeAcctNo: number32,
    extParam: short,
  },
  { requiredKeys: ['outOrderNo', 'body', 'amount', 'payeeAcctNo'] },
);

const orders = fc.uniqueArray(order, { selector: (one) => one.outOrderNo, minLength: 1, maxLength: 20 });

const pay = fc
  .tuple(
    request(
      {
        outBatchNo: number32,
        payerAcctNo: number32,
        currency: fc.constant('CNY'),
        clientIp: fc.ipV4(),
      },
      { payMethod: fc.constant(1), extParam: short, remark: short, body: short, notifyUrl: url },
    ),
    orders,
  )
  .map(([batch, list]) => ({
    ...batch,
    num: list.length,
    amount: list.reduce((sum, { amount }) => sum + BigInt(amount), 0n),
    orderList: jsonText(list),
  }));

/** Up to 28 days, which no month is shorter than. */
const span = fc.tuple(dayNumber, fc.integer({ min: 0, max: 28 })).map(([first, days]) => {
  const dayAt = (at: number): string => new Date(Date.UTC(1950, 0, 1 + at)).toISOString().slice(0, 10);
  return { startDate: dayAt(first), endDate: dayAt(first + days) };
});

const fen = fc.oneof(fc.integer({ min: 1, max: 1_000_000 }), fc.bigInt({ min: 1n, max: 10n ** 15n }));

export const REQUESTS: Readonly<Record<EndpointName, fc.Arbitrary<Sample>>> = {
  'acct/sendMsg': request({
    reqNo: number32,
    outReqNo: number32,
    sceneType: fc.constantFrom('OPEN', 'MODIFY', 'WHITE_SET', 'REFUND'),
  }),
  'acct/addApply': fc.oneof(
    request({ ...opening, acctRole: fc.constant('JS'), subjectInfo: individual }, { notifyUrl: url }),
    request(
      { ...opening, acctRole: fc.constantFrom('FQ', 'JS'), subjectInfo: enterprise },
      { notifyUrl: url },
    ),
  ),
  'acct/auditApply': request({ smsFlowNo: number32, smsCode: code, reqNo: number32, outReqNo: number32 }),
  'acct/auditApplyResult': request({ reqNo: number32 }, { outReqNo: number32 }),
  'acct/reviseApply': request(
    { ifCode: fc.constant('CH01') },
    { subjectInfo: fc.oneof(individual, enterprise) },
    oneOf('reqNo', 'outReqNo'),
  ),
  'acct/changeApply': request({
    recordId: fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }).map(String),
    outReqNo: number32,
    subjectInfo: fc.oneof(individual, changedEnterprise),
  }),
  'acct/changeConfirm': request({ smsFlowNo: number32, smsCode: code }, {}, oneOf('reqNo', 'outReqNo')),
  'acct/changeApplyResult': oneOf('reqNo', 'outReqNo'),
  'acct/queryInfo': oneOf('accountNo', 'reqNo'),
  'division/pay': pay,
  'division/query': oneOf('outBatchNo', 'batchNo'),
  'division/refund': request(
    {
      outOrderNos: fc.uniqueArray(number32, { minLength: 1, maxLength: 20 }).map((list) => list.join(',')),
      channelExtra: fc.record({ smsCode: code, smsFlowNo: number32 }).map((extra) => jsonText(extra)),
    },
    { remark: text },
    oneOf('outBatchNo', 'batchNo'),
  ),
  'account/withdraw': request(
    { outOrderNo: number32, acctNo: number32, amount: fen },
    {
      channelExtra: fc.record({ more: text }).map((extra) => jsonText(extra)),
      remark: text,
      smsCode: code,
      smsFlowNo: number32,
      recvAcctNo: number32,
      recvAcctName: text,
    },
  ),
  'account/queryWithdraw': oneOf('outOrderNo', 'orderNo'),
  'query/deposit': fc
    .tuple(
      request(
        { payeeAcctNo: number32 },
        { page: fc.integer({ min: 1, max: 1_000_000 }), pageSize: fc.integer({ min: 1, max: 100 }) },
      ),
      span,
    )
    .map(([members, days]) => ({ ...members, ...days })),
  'get/transFiles': fc.oneof(
    request({ transType: fc.constant('1'), orderNo: number32 }),
    request({ transType: fc.constantFrom('2', '3') }, {}, oneOf('outOrderNo', 'orderNo')),
  ),
  'order/settle': request(
    { remark: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 !-]{0,31}$/) },
    { recvAcctName: text, recvAcctNo: number32 },
    oneOf('orderNo', 'outOrderNo'),
  ),
};

/** The request of a change that says how its types are written. */
export function withSubject(sound: Sample, over: Sample): Sample {
  return { ...sound, subjectInfo: changed(sound['subjectInfo'] as Sample, over) };
}
