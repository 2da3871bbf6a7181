/**
 * Holds a verified answer against its request (docs/reconciliation.md 3.8, 9): a gateway or cache that mixes answers
 * up gives validly signed ones about somebody else. The numbers, the accounts and the kind that an answer states must
 * be those that were asked about; what it does not state contradicts nothing.
 */
import { isJsonObject, member } from '../core/json.ts';
import type { JsonObject } from '../core/json.ts';
import type { Profile } from '../core/profile/profile.ts';
import type { EndpointName } from './contract.ts';
import { listMember, textMember } from './decode-members.ts';

export interface Question {
  endpoint: EndpointName;
  /** Business data as it was sent. */
  asked: JsonObject;
  /** Other numbers of the account that was asked for; an answer may state any of them (U24). */
  knownAs: readonly string[];
  profile: Profile;
}

/** What the answer is about instead, in words for people; undefined where it is about what was asked. */
export function otherSubject(question: Question, biz: JsonObject): string | undefined {
  const { marks, rules } = SUBJECTS[question.endpoint];
  const states = (name: string): boolean => (member(biz, name) ?? undefined) !== undefined;
  if (!marks.some(states) && ALL_MARKS.some(states)) return 'the answer is of another kind';
  return firstOther(rules, question, biz);
}

/** Looks at an answer, or at a row of it, and says what it is about instead. */
type Rule = (question: Question, stated: JsonObject) => string | undefined;

function firstOther(rules: readonly Rule[], question: Question, stated: JsonObject): string | undefined {
  for (const rule of rules) {
    const other = rule(question, stated);
    if (other !== undefined) return other;
  }
  return undefined;
}

/** The answer's member, under any of its spellings, says what the request's says. */
function echoes(name: string, spellings: readonly string[] = [name]): Rule {
  return ({ asked }, stated) => difference(textMember(asked, name), [], stated, spellings);
}

function difference(
  due: string | undefined,
  knownAs: readonly string[],
  stated: JsonObject,
  spellings: readonly string[],
): string | undefined {
  if (due === undefined) return undefined;
  const said = spellings
    .map((name) => textMember(stated, name))
    .find((text) => text !== undefined && text !== due && !knownAs.includes(text));
  if (said === undefined) return undefined;
  const others = knownAs.filter((number) => number !== due);
  const known = others.length === 0 ? '' : ` (${others.join(', ')})`;
  return `asked for ${short(due)}${known}, the answer is about ${short(said)}`;
}

/** The service's numbers have at most 40 characters; a hostile one must not fill a message. */
const SHOWN_LENGTH_MAX = 64;

function short(number: string): string {
  return number.length <= SHOWN_LENGTH_MAX ? number : `${number.slice(0, SHOWN_LENGTH_MAX)}…`;
}

/** Where a request names both, `reqNo` prevails (OPN-19, CHG-15): the other counts where that is not stated. */
const requestNumber: Rule = (question, stated) => {
  const both = ['reqNo', 'outReqNo'].filter((name) => textMember(question.asked, name) !== undefined);
  const name = both.find((each) => textMember(stated, each) !== undefined);
  return name === undefined ? undefined : echoes(name)(question, stated);
};

/** The scenes an answer may state; the one for refunds is not among them (U9), and other words are no news (U46). */
const SCENES: readonly string[] = ['OPEN', 'MODIFY', 'WHITE_SET'];

const scene: Rule = (question, stated) => {
  const known = [question.asked, stated].every((of) => SCENES.includes(textMember(of, 'sceneType') ?? ''));
  return known ? echoes('sceneType')(question, stated) : undefined;
};

const payer: Rule = (question, stated) =>
  echoes('payerAcctNo', question.profile.compat.payerField)(question, stated);

/** Which of its account's numbers a listing states is not documented (U24). */
const payee: Rule = ({ asked, knownAs }, stated) =>
  difference(textMember(asked, 'payeeAcctNo'), knownAs, stated, ['payeeAcctNo']);

/** The electronic number tells the account as well, where the company's list has it. */
const electronicNumber: Rule = ({ asked, knownAs }, stated) =>
  knownAs.length === 0
    ? undefined
    : difference(textMember(asked, 'accountNo'), knownAs, stated, ['eleAcctNo']);

/** An account that is asked for by the request that opened it. */
const openedBy: Rule = ({ asked }, stated) =>
  difference(textMember(asked, 'reqNo'), [], stated, ['openReqNo']);

/** Holds for every row of the list, which may stand in a JSON text (ENV-26). */
function eachRow(list: string, ...rules: readonly Rule[]): Rule {
  return (question, stated) => {
    for (const row of (listMember(stated, list) ?? []).filter(isJsonObject)) {
      const other = firstOther(rules, question, row);
      if (other !== undefined) return other;
    }
    return undefined;
  };
}

interface Subject {
  /** An answer of this kind states one of these, unless it states nothing that tells any kind. */
  marks: readonly string[];
  rules: readonly Rule[];
}

const REQUEST: Subject = { marks: ['reqNo', 'outReqNo'], rules: [requestNumber] };
const BATCH: Subject = {
  marks: ['outBatchNo', 'batchNo', 'orderList'],
  rules: [echoes('outBatchNo'), echoes('batchNo')],
};
const ORDER: Subject = {
  marks: ['outOrderNo', 'acctNo'],
  rules: [echoes('outOrderNo'), echoes('orderNo'), echoes('acctNo')],
};
const VOUCHER_RULES = [echoes('outOrderNo'), echoes('orderNo'), echoes('transType')];

const SUBJECTS: { readonly [K in EndpointName]: Subject } = {
  'acct/sendMsg': { marks: ['smsFlowNo'], rules: [scene] },
  'acct/addApply': REQUEST,
  'acct/auditApply': REQUEST,
  'acct/auditApplyResult': REQUEST,
  'acct/reviseApply': REQUEST,
  'acct/changeApply': REQUEST,
  'acct/changeConfirm': REQUEST,
  'acct/changeApplyResult': REQUEST,
  'acct/queryInfo': {
    marks: ['balance', 'frozen', 'availableBalance', 'bindAcctInfo', 'whiteAcctList', 'openReqNo'],
    rules: [echoes('accountNo'), electronicNumber, openedBy],
  },
  'division/pay': { ...BATCH, rules: [...BATCH.rules, eachRow('orderList', payer)] },
  'division/query': BATCH,
  'division/refund': BATCH,
  'account/withdraw': ORDER,
  'account/queryWithdraw': ORDER,
  'query/deposit': { marks: ['depositList', 'total'], rules: [eachRow('depositList', payee)] },
  'get/transFiles': { marks: ['fileList'], rules: [...VOUCHER_RULES, eachRow('fileList', ...VOUCHER_RULES)] },
  'order/settle': ORDER,
};

const ALL_MARKS: readonly string[] = [...new Set(Object.values(SUBJECTS).flatMap(({ marks }) => marks))];
