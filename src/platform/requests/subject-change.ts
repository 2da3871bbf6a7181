/** Which members a change of subject data needs, by the types of change it names (CHG-04…13). */
import { member } from '../../core/json.ts';
import type { JsonObject } from '../../core/json.ts';
import type { CheckRules } from './checks.ts';
import { faultOf } from './members.ts';
import { anyGiven, is, lists } from './subject-conditions.ts';
import type { Need } from './subject-conditions.ts';
import { AGENT, isAgentApart, isEnterprise, isIndividual } from './subject-needs.ts';

const CARD_IMAGES = ['idCard1Img', 'idCard2Img'];
const CARD_DATES = ['idCardEffectBegin', 'idCardEffectEnd'];

/** Members that are always sent, and so are no change by themselves (CHG-12, CHG-13). */
const NO_CHANGE: ReadonlySet<string> = new Set([
  'entPerFlag',
  'entType',
  'eleAcctType',
  'address',
  'settAccountPhone',
  'modifyType',
]);

export function changeNeeds(rules: CheckRules): Need[] {
  return [
    { names: ['entPerFlag'], requirement: 'CHG-04' },
    // Inherited like all others, and yet marked as required: they are always sent (U16).
    { names: ['eleAcctType', 'address'], requirement: 'CHG-13' },
    ...enterpriseNeeds(rules),
    ...individualNeeds(),
  ];
}

function enterpriseNeeds(rules: CheckRules): Need[] {
  const because = 'the change of an enterprise';
  const byType = BY_TYPE.flatMap(([type, needsOf]) =>
    needsOf(rules).map(({ when = [], ...need }) => ({
      ...need,
      when: [isEnterprise, lists('modifyType', type), ...when],
    })),
  );
  return [
    { names: ['modifyType'], when: [isEnterprise], because, requirement: 'CHG-05' },
    { names: ['entType'], when: [isEnterprise], because, requirement: 'OPN-F02' },
    ...byType,
  ];
}

/** Agreement re-signing, type 5, lists no members (CHG-10). */
const BY_TYPE: readonly (readonly [type: string, needsOf: (rules: CheckRules) => Need[]])[] = [
  ['1', businessNeeds],
  ['2', () => [REPRESENTATIVE]],
  ['3', agentNeeds],
  ['4', () => BOUND_ACCOUNT],
];

function businessNeeds({ profile }: CheckRules): Need[] {
  const because = 'type 1, business information,';
  const requirement = 'CHG-06';
  const names = ['licenseImg', ...CARD_IMAGES, 'licenseName', 'licenseEffectBegin', 'licenseEffectEnd'];
  // "also", the document says: as sure as the licence members of an opening (U16).
  const also = profile.subject.requireLicense ? ['licenseNo', 'licenseAddress'] : [];
  return [{ names: [...names, ...also], because, requirement }];
}

const REPRESENTATIVE: Need = {
  names: ['licenseImg', ...CARD_IMAGES, 'idCardName', 'idCardNo', ...CARD_DATES, 'idCardPhone'],
  because: 'type 2, the legal representative,',
  requirement: 'CHG-07',
};

function agentNeeds(rules: CheckRules): Need[] {
  const requirement = 'CHG-08';
  return [
    {
      names: ['licenseImg', ...CARD_IMAGES, 'agentUseCorpInfoFlag'],
      because: 'type 3, the agent,',
      requirement,
    },
    {
      names: [rules.profile.subject.agentNameField, ...AGENT],
      when: [isAgentApart(rules)],
      because: 'an agent other than the legal representative',
      requirement,
    },
  ];
}

const BOUND_ACCOUNT: Need[] = [
  {
    names: ['settAccountNo', 'settAccountType', 'settAccountName', 'bindAcctInnerFlag'],
    because: 'type 4, the bound account,',
    requirement: 'CHG-09',
  },
  {
    names: ['settAccountBankBranchCode', 'settAccountBankBranchName'],
    when: [is('settAccountType', 'E')],
    because: 'a corporate bound account',
    requirement: 'CHG-09',
  },
  {
    names: ['settAccountPhone'],
    when: [is('settAccountType', 'P')],
    because: 'a personal bound account',
    requirement: 'CHG-09',
  },
];

/** What belongs together changes together (CHG-12). */
function individualNeeds(): Need[] {
  const requirement = 'CHG-12';
  const bound = ['settAccountNo', 'settAccountName'];
  return [
    {
      names: ['settAccountPhone'],
      when: [isIndividual],
      because: 'the change of an individual',
      requirement,
    },
    {
      names: [...CARD_DATES, ...CARD_IMAGES],
      when: [isIndividual, anyGiven(CARD_DATES)],
      because: 'a new validity of the identity card',
      requirement,
    },
    { names: bound, when: [isIndividual, anyGiven(bound)], because: 'a new bound account', requirement },
  ];
}

/** An individual's change without anything to change (CHG-12). */
export function emptyChangeFault(subject: JsonObject): string | undefined {
  if (member(subject, 'entPerFlag') !== 'P') return undefined;
  if (Object.keys(subject).some((name) => !NO_CHANGE.has(name))) return undefined;
  return faultOf(
    'subjectInfo',
    'changes nothing: entPerFlag, eleAcctType, address and settAccountPhone are always sent',
    'CHG-12',
  );
}
