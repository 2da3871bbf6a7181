/** Which members of SubjectInfo must be there, and why: for openings and resubmissions (OPN-F01…F41). */
import { member } from '../../core/json.ts';
import type { JsonObject } from '../../core/json.ts';
import type { CheckRules } from './checks.ts';

/** Members that go with a condition; without a requirement of its own each has its row's. */
export interface Need {
  names: readonly string[];
  /** Who or what needs them: `an enterprise`. */
  because?: string;
  requirement?: string;
}

const ALWAYS = [
  'entPerFlag',
  'eleAcctType',
  'idCardName',
  'idCardNo',
  'idCardPhone',
  'idCard1Img',
  'idCard2Img',
  'idCardEffectBegin',
  'idCardEffectEnd',
  'address',
  'settAccountNo',
  'settAccountName',
  'settAccountBankBranchCode',
  'settAccountBankBranchName',
];
const LICENCE = ['licenseName', 'licenseEffectBegin', 'licenseEffectEnd', 'licenseAddress', 'licenseImg'];

/** Of an agent who is not the legal representative; an opening wants the letter as well (OPN-F32…F38). */
export const AGENT = [
  'agentIdNo',
  'agentVisaDate',
  'agentLostDate',
  'agentPhone',
  'agentIdCard1Img',
  'agentIdCard2Img',
];

/** What the document writes for sole proprietors. */
const SOLE_PROPRIETOR = '03';

export function isAgentApart(subject: JsonObject, { profile }: CheckRules): boolean {
  return member(subject, 'agentUseCorpInfoFlag') === profile.subject.notReusedFlag;
}

/** @param isInitiator whether the account is to pay (`FQ`); a resubmission does not say it */
export function openingNeeds(
  subject: JsonObject,
  { use, isInitiator }: { use: 'opening' | 'resubmission'; isInitiator: boolean },
  rules: CheckRules,
): Need[] {
  const needs: Need[] = [{ names: ALWAYS }];
  const kind = member(subject, 'entPerFlag');
  if (kind === 'P') needs.push({ names: ['settAccountPhone', 'profession'], because: 'an individual' });
  if (kind === 'E') needs.push(...enterpriseNeeds(subject, use, rules));
  // An individual who would pay has another fault (OPN-05).
  if (isInitiator && kind !== 'P') {
    needs.push({ names: ['businessScenario', 'businessSceneDesc'], because: 'an initiator (FQ)' });
  }
  return needs;
}

function enterpriseNeeds(subject: JsonObject, use: 'opening' | 'resubmission', rules: CheckRules): Need[] {
  const because = 'an enterprise';
  const needs: Need[] = [{ names: ['licenseNo', 'agentUseCorpInfoFlag'], because }];
  // When licence members are required is not written (U15).
  if (rules.profile.subject.requireLicense) needs.push({ names: LICENCE, because });
  if (member(subject, 'entType') !== SOLE_PROPRIETOR) {
    needs.push({ names: ['settAccountType'], because: 'an enterprise other than a sole proprietor' });
  }
  if (use === 'resubmission') {
    needs.push({ names: ['entType'], because: 'a resubmitted enterprise', requirement: 'OPN-21, OPN-F02' });
  }
  if (isAgentApart(subject, rules)) {
    needs.push({
      names: [...AGENT, 'authLetterImg'],
      because: 'an agent other than the legal representative',
    });
  }
  return needs;
}
