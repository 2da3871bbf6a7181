/** The members of SubjectInfo and their forms (OPN-F01…F44); which of them must be there says `subject-needs.ts`. */
import { isJsonObject, member } from '../../core/json.ts';
import type { JsonObject } from '../../core/json.ts';
import { checkOf, day, dayOrLongTerm, filled, kindOf, quoted, reachableUrl, text, word } from './checks.ts';
import type { Check, CheckRules, Schema } from './checks.ts';
import { describedSchema } from './members.ts';
import { jsonTextSchema, parsedJson } from './json-text.ts';

/** A resubmission is made like an opening; only its list of entType is longer (OPN-21). */
export type SubjectUse = 'opening' | 'resubmission' | 'change';

export interface SubjectMember {
  check: Check;
  requirement: string;
  /** Members of a change say nothing in an opening and are not looked at there. */
  isOfChange?: true;
}

/** Every number in it once, as `1|4`; the platform's own view of doubles is not written (CHG-05, U16). */
const MODIFY_TYPES = String.raw`^[1-5](?:\|[1-5])*$`;

const modifyTypes = checkOf({ type: 'string', pattern: MODIFY_TYPES }, (value) => {
  if (typeof value !== 'string') return `must be text, 1 to 5 joined by |, not ${kindOf(value)}`;
  if (!new RegExp(MODIFY_TYPES).test(value)) return `must be 1 to 5 joined by |, not ${quoted(value)}`;
  return new Set(value.split('|')).size < value.split('|').length
    ? `names a type twice: ${quoted(value)}`
    : undefined;
});

/** JSON text of a list of addresses (ENV-26). */
const urlList = checkOf(urlListSchema, (value, rules) => {
  if (typeof value !== 'string') return `must be text that holds a JSON list, not ${kindOf(value)}`;
  const list = parsedJson(value);
  if (!Array.isArray(list)) return 'must hold a JSON list';
  for (const [at, url] of (list as unknown[]).entries()) {
    const what = reachableUrl(url, rules);
    if (what !== undefined) return `must hold addresses: element ${at} ${what}`;
  }
  return undefined;
});

function urlListSchema(rules: CheckRules): Schema {
  return jsonTextSchema({ type: 'array', items: reachableUrl.schema(rules) });
}

/** `1`, or the profile's word for no, which the document does not show (U15). */
const reuseFlag = checkOf(
  (rules) => reuseWord(rules).schema(rules),
  (value, rules) => reuseWord(rules)(value, rules),
);

function reuseWord({ profile }: CheckRules): Check {
  return word('1', profile.subject.notReusedFlag);
}

const anything = checkOf({}, () => undefined);

/** Enterprises of all kinds; an opening's own list is shorter (OPN-F02, U14). */
export const ENT_TYPES = ['01', '02', '03'] as const;

/** The number of the requirement is that of the row: OPN-F01 and so on. */
const ROWS: readonly (readonly [name: string, check: Check, isOfChange?: true])[] = [
  ['entPerFlag', word('E', 'P')],
  ['entType', word(...ENT_TYPES)],
  ['eleAcctType', word('1')],
  ['idCardName', text()],
  ['idCardNo', text()],
  ['idCardPhone', text()],
  ['idCard1Img', reachableUrl],
  ['idCard2Img', reachableUrl],
  ['idCardEffectBegin', day],
  ['idCardEffectEnd', dayOrLongTerm],
  ['address', text()],
  ['settAccountType', word('E', 'P')],
  ['settAccountNo', text()],
  ['settAccountName', text()],
  ['settAccountBankBranchCode', text()],
  ['settAccountBankBranchName', text()],
  ['settAccountPhone', text()],
  ['bindAcctInnerFlag', word('0', '1')],
  ['profession', text()],
  ['licenseNo', text()],
  ['licenseName', text()],
  ['licenseEffectBegin', day],
  ['licenseEffectEnd', dayOrLongTerm],
  ['licenseAddress', text()],
  ['licenseImg', reachableUrl],
  ['regCapital', text()],
  ['regCapCurr', word('CNY')],
  ['industryTpCd', text()],
  ['agentUseCorpInfoFlag', reuseFlag],
  ['ctlUseCorpInfoFlag', reuseFlag, true],
  ['befUseCorpInfoFlag', reuseFlag, true],
  ['agentIdNo', text()],
  ['agentVisaDate', day],
  ['agentLostDate', dayOrLongTerm],
  ['agentPhone', text()],
  ['agentIdCard1Img', reachableUrl],
  ['agentIdCard2Img', reachableUrl],
  ['authLetterImg', reachableUrl],
  ['agentReuseReasonDesc', text()],
  ['businessScenario', word('1', '2', '3', '4', '5')],
  ['businessSceneDesc', text()],
  ['extensionData', urlList],
  ['modifyType', modifyTypes, true],
  ['companyAccountLicenseImg', anything],
];

export const SUBJECT_MEMBERS: ReadonlyMap<string, SubjectMember> = new Map(
  ROWS.map(([name, check, isOfChange], at): [string, SubjectMember] => [
    name,
    {
      check,
      requirement: `OPN-F${String(at + 1).padStart(2, '0')}`,
      ...(isOfChange && { isOfChange }),
    },
  ]),
);

const agentName: SubjectMember = { check: filled(), requirement: 'U15' };

/** A member by its name; the agent's name stands where the profile says (U15). */
export function subjectMember(name: string, { profile }: CheckRules): SubjectMember | undefined {
  return SUBJECT_MEMBERS.get(name) ?? (name === profile.subject.agentNameField ? agentName : undefined);
}

/** Undefined where it is no object. */
export function subjectOf(request: JsonObject): JsonObject | undefined {
  const subject = member(request, 'subjectInfo');
  return isJsonObject(subject) ? subject : undefined;
}

/** What the members look like that are known; which of them must be there says `subject-needs.ts`. */
export function subjectMembersSchema(use: SubjectUse, rules: CheckRules): Schema {
  const known = [...SUBJECT_MEMBERS, [rules.profile.subject.agentNameField, agentName] as const];
  const looked = known.filter(([, { isOfChange }]) => use === 'change' || isOfChange !== true);
  const properties = looked.map(([name, { check, requirement }]): [string, Schema] => [
    name,
    describedSchema(check.schema(rules), requirement),
  ]);
  return { type: 'object', properties: Object.fromEntries(properties) };
}
