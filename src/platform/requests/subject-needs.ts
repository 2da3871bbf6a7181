/** Which members of SubjectInfo must be there, and why: for openings and resubmissions (OPN-F01…F41). */
import type { CheckRules } from './checks.ts';
import { is, isNot } from './subject-conditions.ts';
import type { Condition, Need } from './subject-conditions.ts';

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

export const isIndividual = is('entPerFlag', 'P');
export const isEnterprise = is('entPerFlag', 'E');

export function isAgentApart({ profile }: CheckRules): Condition {
  return is('agentUseCorpInfoFlag', profile.subject.notReusedFlag);
}

export function openingNeeds(use: 'opening' | 'resubmission', rules: CheckRules): Need[] {
  return [
    { names: ALWAYS },
    { names: ['settAccountPhone', 'profession'], when: [isIndividual], because: 'an individual' },
    ...enterpriseNeeds(use, rules),
  ];
}

/** Of an account that is to pay (`FQ`), which a resubmission does not say. An individual who would has another fault (OPN-05). */
export const INITIATOR_NEEDS: readonly Need[] = [
  {
    names: ['businessScenario', 'businessSceneDesc'],
    when: [isNot('entPerFlag', 'P')],
    because: 'an initiator (FQ)',
  },
];

function enterpriseNeeds(use: 'opening' | 'resubmission', rules: CheckRules): Need[] {
  const because = 'an enterprise';
  const when = [isEnterprise];
  const needs: Need[] = [{ names: ['licenseNo', 'agentUseCorpInfoFlag'], when, because }];
  // When licence members are required is not written (U15).
  if (rules.profile.subject.requireLicense) needs.push({ names: LICENCE, when, because });
  needs.push({
    names: ['settAccountType'],
    when: [...when, isNot('entType', SOLE_PROPRIETOR)],
    because: 'an enterprise other than a sole proprietor',
  });
  if (use === 'resubmission') {
    const requirement = 'OPN-21, OPN-F02';
    needs.push({ names: ['entType'], when, because: 'a resubmitted enterprise', requirement });
  }
  needs.push({
    names: [...AGENT, 'authLetterImg'],
    when: [...when, isAgentApart(rules)],
    because: 'an agent other than the legal representative',
  });
  return needs;
}
