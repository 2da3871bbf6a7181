/**
 * What each of the 17 endpoints takes, member by member, as the document states it: the table the client's own
 * checks and the list of `recon call` are made from. It is written apart from the sandbox's, so that the two do
 * not share one mistake.
 */
import { isJsonObject, member } from '../../core/json.ts';
import type { JsonObject } from '../../core/json.ts';
import { REMARK_BYTES_MAX } from '../../core/profile/profile-schema-money.ts';
import { addMonthClamped, parseDay } from '../../core/time.ts';
import type { EndpointName } from '../contract.ts';
import {
  checkOf,
  count,
  day,
  fen,
  filled,
  implied,
  ipv4,
  kindOf,
  object,
  quoted,
  reachableUrl,
  text,
  word,
} from './checks.ts';
import type { CheckRules, Schema } from './checks.ts';
import { jsonTextSchema, parsedJson } from './json-text.ts';
import { absence, faultOf, isGiven, optional, required } from './members.ts';
import type { MemberRule, Pair } from './members.ts';
import { remarkFault } from './settle-remark.ts';
import { INITIATOR_SCHEMA, subjectFaults, subjectSchema } from './subject.ts';
import { orderList, transferFaults, transferSchema } from './transfer.ts';

export interface RequestShape {
  members: readonly MemberRule[];
  /** Exactly one of two numbers goes in. */
  pair?: Pair;
  /** What depends on more than one member. */
  whole?: (request: JsonObject, rules: CheckRules) => readonly string[];
  /** As much of that as a schema can say. */
  wholeSchema?: (rules: CheckRules) => Schema;
}

const LONG_MAX = Number.MAX_SAFE_INTEGER;

/** The service has one channel code; where the settings name it, no other can be right. */
const channelCode = checkOf({ type: 'string' }, (value, { channelCode: known }) => {
  if (typeof value !== 'string') return `must be text, not ${kindOf(value)}`;
  return known === undefined || value === known
    ? undefined
    : `must be the channel code ${known}, not ${quoted(value)}`;
});

const NUMBERS_BY_COMMA = String.raw`^[^,\s](?:[^,]*[^,\s])?(?:,[^,\s](?:[^,]*[^,\s])?)*$`;

/** Numbers of transfer orders joined by commas, each once (REF-02). */
const joinedNumbers = checkOf({ type: 'string', pattern: NUMBERS_BY_COMMA }, (value) => {
  if (typeof value !== 'string') {
    return `must be text, numbers joined by commas of which none holds one itself, not ${kindOf(value)}`;
  }
  const numbers = value.split(',');
  if (numbers.some((number) => number === '' || number.trim() !== number)) {
    return 'must be numbers joined by commas, without blanks or empty ones between them';
  }
  return new Set(numbers).size < numbers.length ? 'names a transfer order twice' : undefined;
});

const SMS_PARTS = ['smsCode', 'smsFlowNo'];
const SMS_EXTRA: Schema = {
  type: 'object',
  properties: Object.fromEntries(SMS_PARTS.map((name) => [name, filledText()])),
  required: SMS_PARTS,
};

function filledText(): Schema {
  return { type: 'string', pattern: String.raw`\S` };
}

/** JSON text of an object with both parts of the code (REF-03). */
const smsExtra = checkOf(jsonTextSchema(SMS_EXTRA), (value) => {
  if (typeof value !== 'string') return `must be text that holds a JSON object, not ${kindOf(value)}`;
  const extra = parsedJson(value);
  if (!isJsonObject(extra)) return 'must hold a JSON object';
  for (const name of SMS_PARTS) {
    const part = member(extra, name);
    const what =
      absence(part) ?? (typeof part === 'string' ? undefined : `must be text, not ${kindOf(part)}`);
    if (what !== undefined) return `must hold smsCode and smsFlowNo: ${name} ${what}`;
  }
  return undefined;
});

const REMARK: Schema = {
  type: 'string',
  maxLength: REMARK_BYTES_MAX,
  description: `at most ${REMARK_BYTES_MAX} bytes; special characters are filtered out, and something must be left`,
};

const remark = checkOf(REMARK, (value, { profile }) => {
  if (typeof value !== 'string') return `must be text, not ${kindOf(value)}`;
  const what = remarkFault(value, profile);
  return what === undefined ? undefined : `is not taken: ${what}`;
});

/** End not before start, and at most a calendar month after it (DEP-02, DEP-03). */
function spanFaults(request: JsonObject): string[] {
  const [from, to] = [dayIn(request, 'startDate'), dayIn(request, 'endDate')];
  if (from === undefined || to === undefined) return [];
  if (to < from) return [faultOf('endDate', `${to} is before startDate ${from}`, 'DEP-02')];
  const last = addMonthClamped(from);
  if (to <= last) return [];
  const what = `${to} is more than a month after startDate ${from}: at most ${last}`;
  return [faultOf('endDate', what, 'DEP-03, LIM-10')];
}

function dayIn(request: JsonObject, name: string): string | undefined {
  const value = member(request, name);
  return typeof value === 'string' ? parseDay(value) : undefined;
}

/** A deposit has no number of the company's (VCH-02). */
function voucherFaults(request: JsonObject): string[] {
  const isAlone = isGiven(member(request, 'outOrderNo')) && !isGiven(member(request, 'orderNo'));
  return member(request, 'transType') === '1' && isAlone
    ? [faultOf('outOrderNo', 'is not sent with transType 1, a deposit is named by its orderNo', 'VCH-02')]
    : [];
}

const VOUCHER_SCHEMA = implied({ properties: { transType: { const: '1' } } }, { required: ['orderNo'] });

/** Either of the two numbers of an opening or a change (OPN-19, CHG-15, CHG-18). */
function applicationNumbers(requirement: string): readonly MemberRule[] {
  return [
    optional('reqNo', filled(), requirement),
    optional('outReqNo', filled(32), `${requirement}, LIM-03`),
  ];
}

const APPLICATION = ['reqNo', 'outReqNo'] as const;
const BATCH = ['outBatchNo', 'batchNo'] as const;
const ORDER = ['outOrderNo', 'orderNo'] as const;

function numbers(names: readonly string[], requirement: string): MemberRule[] {
  return names.map((name) => optional(name, filled(), requirement));
}

export const SHAPES: Readonly<Record<EndpointName, RequestShape>> = {
  'acct/sendMsg': {
    members: [
      required('reqNo', filled(), 'SMS-02'),
      required('outReqNo', filled(32), 'SMS-03, LIM-03'),
      required('sceneType', word('OPEN', 'MODIFY', 'WHITE_SET', 'REFUND'), 'SMS-04'),
    ],
  },
  'acct/addApply': {
    members: [
      required('ifCode', channelCode, 'OPN-06'),
      required('outReqNo', filled(32), 'OPN-07, LIM-03'),
      required('acctRole', word('FQ', 'JS'), 'OPN-08'),
      required('subjectInfo', object(subjectSchema('opening')), 'OPN-09'),
      optional('notifyUrl', reachableUrl, 'OPN-10'),
    ],
    whole: subjectFaults('opening'),
    wholeSchema: () => INITIATOR_SCHEMA,
  },
  'acct/auditApply': {
    members: [
      required('smsFlowNo', filled(), 'OPN-12'),
      required('smsCode', filled(), 'OPN-12'),
      required('reqNo', filled(), 'OPN-12'),
      required('outReqNo', filled(32), 'OPN-12, LIM-03'),
    ],
  },
  'acct/auditApplyResult': {
    members: [required('reqNo', filled(), 'OPN-17'), optional('outReqNo', filled(32), 'OPN-17, LIM-03')],
  },
  'acct/reviseApply': {
    members: [
      required('ifCode', channelCode, 'OPN-20'),
      ...applicationNumbers('OPN-19'),
      optional('subjectInfo', object(subjectSchema('resubmission')), 'OPN-21'),
    ],
    pair: { names: APPLICATION, requirement: 'ENV-27, OPN-19' },
    whole: subjectFaults('resubmission'),
  },
  'acct/changeApply': {
    members: [
      required('recordId', filled(19), 'CHG-01, LIM-15'),
      required('outReqNo', filled(32), 'CHG-02, LIM-03'),
      required('subjectInfo', object(subjectSchema('change')), 'CHG-03'),
    ],
    whole: subjectFaults('change'),
  },
  'acct/changeConfirm': {
    members: [
      ...applicationNumbers('CHG-15'),
      required('smsFlowNo', filled(32), 'CHG-15, LIM-15'),
      required('smsCode', filled(), 'CHG-15'),
    ],
    pair: { names: APPLICATION, requirement: 'ENV-27, CHG-15' },
  },
  'acct/changeApplyResult': {
    members: applicationNumbers('CHG-18'),
    pair: { names: APPLICATION, requirement: 'ENV-27, CHG-18' },
  },
  'acct/queryInfo': {
    members: numbers(['accountNo', 'reqNo'], 'ACC-01'),
    pair: { names: ['accountNo', 'reqNo'], requirement: 'ENV-27, ACC-01' },
  },
  'division/pay': {
    members: [
      required('outBatchNo', filled(32), 'DIV-01, LIM-04'),
      required('payerAcctNo', filled(), 'DIV-02'),
      required('num', count({ min: 1, max: LONG_MAX }), 'DIV-03'),
      required('amount', fen, 'DIV-04'),
      required('currency', word('CNY'), 'DIV-05'),
      required('clientIp', ipv4, 'DIV-06'),
      required('orderList', orderList, 'DIV-07, ENV-26'),
      optional('payMethod', count({ min: 1, max: 1 }), 'DIV-08'),
      optional('extParam', text(), 'DIV-09'),
      optional('remark', text(), 'DIV-10'),
      optional('body', text(), 'DIV-11'),
      optional('notifyUrl', reachableUrl, 'DIV-12'),
    ],
    whole: transferFaults,
    wholeSchema: transferSchema,
  },
  'division/query': {
    members: numbers(BATCH, 'DIV-29'),
    pair: { names: BATCH, requirement: 'ENV-27, DIV-29' },
  },
  'division/refund': {
    members: [
      ...numbers(BATCH, 'REF-01'),
      required('outOrderNos', joinedNumbers, 'REF-02'),
      required('channelExtra', smsExtra, 'REF-03, ENV-26'),
      optional('remark', text(), 'REF-04'),
    ],
    pair: { names: BATCH, requirement: 'ENV-27, REF-01' },
  },
  'account/withdraw': {
    members: [
      required('outOrderNo', filled(32), 'WDR-01, LIM-04'),
      required('acctNo', filled(), 'WDR-02'),
      required('amount', fen, 'WDR-03'),
      ...['channelExtra', 'remark', 'smsCode', 'smsFlowNo', 'recvAcctNo', 'recvAcctName'].map((name) =>
        optional(name, text(), 'WDR-04'),
      ),
    ],
  },
  'account/queryWithdraw': {
    members: numbers(ORDER, 'WDR-13'),
    pair: { names: ORDER, requirement: 'ENV-27, WDR-13' },
  },
  'query/deposit': {
    members: [
      required('startDate', day, 'DEP-01'),
      required('endDate', day, 'DEP-01'),
      required('payeeAcctNo', filled(), 'DEP-04'),
      optional('page', count({ min: 1, max: LONG_MAX }), 'DEP-05'),
      optional('pageSize', count({ min: 1, max: 100 }), 'DEP-05, LIM-11'),
    ],
    whole: spanFaults,
  },
  'get/transFiles': {
    members: [required('transType', word('1', '2', '3'), 'VCH-01'), ...numbers(ORDER, 'VCH-03, VCH-04')],
    pair: { names: ORDER, requirement: 'ENV-27, VCH-02, VCH-05' },
    whole: voucherFaults,
    wholeSchema: () => VOUCHER_SCHEMA,
  },
  'order/settle': {
    members: [
      ...numbers(ORDER, 'STL-02'),
      required('remark', remark, 'STL-03, LIM-12'),
      optional('recvAcctName', text(), 'STL-04'),
      optional('recvAcctNo', text(), 'STL-04'),
    ],
    pair: { names: ORDER, requirement: 'ENV-27, STL-02' },
  },
};
