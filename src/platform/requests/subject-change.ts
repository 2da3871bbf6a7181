/** Which members a change of subject data needs, by the types of change it names (CHG-04…13). */
import { member } from '../../core/json.ts';
import type { JsonObject } from '../../core/json.ts';
import type { CheckRules } from './checks.ts';
import { absence, faultOf } from './members.ts';
import { AGENT, isAgentApart } from './subject-needs.ts';
import type { Need } from './subject-needs.ts';

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

export function changeNeeds(subject: JsonObject, rules: CheckRules): Need[] {
  const needs: Need[] = [
    { names: ['entPerFlag'], requirement: 'CHG-04' },
    // Inherited like all others, and yet marked as required: they are always sent (U16).
    { names: ['eleAcctType', 'address'], requirement: 'CHG-13' },
  ];
  const kind = member(subject, 'entPerFlag');
  if (kind === 'E') {
    const because = 'the change of an enterprise';
    needs.push({ names: ['modifyType'], because, requirement: 'CHG-05' });
    needs.push({ names: ['entType'], because, requirement: 'OPN-F02' });
    const types = member(subject, 'modifyType');
    if (typeof types === 'string') {
      for (const type of new Set(types.split('|'))) needs.push(...(BY_TYPE[type]?.(subject, rules) ?? []));
    }
  }
  if (kind === 'P') needs.push(...individualNeeds(subject));
  return needs;
}

type NeedsOf = (subject: JsonObject, rules: CheckRules) => Need[];

const BY_TYPE: Readonly<Record<string, NeedsOf>> = {
  '1': (_subject, { profile }) => [
    {
      names: ['licenseImg', ...CARD_IMAGES, 'licenseName', 'licenseEffectBegin', 'licenseEffectEnd'],
      because: 'type 1, business information,',
      requirement: 'CHG-06',
    },
    // "also", the document says: as sure as the licence members of an opening (U16).
    ...(profile.subject.requireLicense
      ? [
          {
            names: ['licenseNo', 'licenseAddress'],
            because: 'type 1, business information,',
            requirement: 'CHG-06',
          },
        ]
      : []),
  ],
  '2': () => [
    {
      names: ['licenseImg', ...CARD_IMAGES, 'idCardName', 'idCardNo', ...CARD_DATES, 'idCardPhone'],
      because: 'type 2, the legal representative,',
      requirement: 'CHG-07',
    },
  ],
  '3': (subject, rules) => [
    {
      names: ['licenseImg', ...CARD_IMAGES, 'agentUseCorpInfoFlag'],
      because: 'type 3, the agent,',
      requirement: 'CHG-08',
    },
    ...(isAgentApart(subject, rules)
      ? [
          {
            names: [rules.profile.subject.agentNameField, ...AGENT],
            because: 'an agent other than the legal representative',
            requirement: 'CHG-08',
          },
        ]
      : []),
  ],
  '4': (subject) => [
    {
      names: ['settAccountNo', 'settAccountType', 'settAccountName', 'bindAcctInnerFlag'],
      because: 'type 4, the bound account,',
      requirement: 'CHG-09',
    },
    ...boundAccountNeeds(member(subject, 'settAccountType')),
  ],
  // Agreement re-signing lists no members (CHG-10).
  '5': () => [],
};

function boundAccountNeeds(settAccountType: unknown): Need[] {
  const requirement = 'CHG-09';
  if (settAccountType === 'E') {
    const names = ['settAccountBankBranchCode', 'settAccountBankBranchName'];
    return [{ names, because: 'a corporate bound account', requirement }];
  }
  return settAccountType === 'P'
    ? [{ names: ['settAccountPhone'], because: 'a personal bound account', requirement }]
    : [];
}

/** What belongs together changes together (CHG-12). */
function individualNeeds(subject: JsonObject): Need[] {
  const requirement = 'CHG-12';
  const isGiven = (name: string): boolean => absence(member(subject, name)) === undefined;
  const needs: Need[] = [
    { names: ['settAccountPhone'], because: 'the change of an individual', requirement },
  ];
  if (CARD_DATES.some(isGiven)) {
    const because = 'a new validity of the identity card';
    needs.push({ names: [...CARD_DATES, ...CARD_IMAGES], because, requirement });
  }
  const bound = ['settAccountNo', 'settAccountName'];
  if (bound.some(isGiven)) needs.push({ names: bound, because: 'a new bound account', requirement });
  return needs;
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
