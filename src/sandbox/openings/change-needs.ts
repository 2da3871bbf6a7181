/** What a change must bring with it, by its modifyType or for an individual (CHG-05…13). */
import type { World } from '../world/world.ts';
import type { Subject } from './application.ts';
import { wrongMember } from './read-subject.ts';

const MODIFY_TYPES = ['1', '2', '3', '4', '5'] as const;
export type ModifyType = (typeof MODIFY_TYPES)[number];

export interface AskedChange {
  given: Subject;
  /** The subject's data as they are now. */
  current: Subject;
  switches: World['switches'];
}

const IMAGES = ['licenseImg', 'idCard1Img', 'idCard2Img'];
const AGENT = [
  'agentIdNo',
  'agentVisaDate',
  'agentLostDate',
  'agentPhone',
  'agentIdCard1Img',
  'agentIdCard2Img',
];
const VALIDITY = ['idCardEffectBegin', 'idCardEffectEnd'];

const NEEDED: Readonly<Record<ModifyType, (asked: AskedChange) => readonly string[]>> = {
  '1': ({ switches }) => [
    ...IMAGES,
    'licenseName',
    'licenseEffectBegin',
    'licenseEffectEnd',
    ...(switches.changeNeedsLicenseNo ? ['licenseNo', 'licenseAddress'] : []),
  ],
  '2': () => [...IMAGES, 'idCardName', 'idCardNo', ...VALIDITY, 'idCardPhone'],
  '3': ({ given, switches }) => [
    ...IMAGES,
    'agentUseCorpInfoFlag',
    ...(given['agentUseCorpInfoFlag'] === switches.notReusedFlag ? [switches.agentNameField, ...AGENT] : []),
  ],
  '4': ({ given }) => [
    'settAccountNo',
    'settAccountType',
    'settAccountName',
    'bindAcctInnerFlag',
    ...(given['settAccountType'] === 'E' ? ['settAccountBankBranchCode', 'settAccountBankBranchName'] : []),
    ...(given['settAccountType'] === 'P' ? ['settAccountPhone'] : []),
  ],
  '5': () => [],
};

/**
 * @returns the modifyTypes of an enterprise; none for an individual
 * @throws Refused naming the first member that is needed and absent
 */
export function requireChangeNeeds(asked: AskedChange): readonly ModifyType[] {
  const { given, current, switches } = asked;
  if (switches.changeStrict) requireGiven(given, ['eleAcctType', 'address']);
  if (given['entPerFlag'] !== undefined && given['entPerFlag'] !== current['entPerFlag']) {
    throw wrongMember('entPerFlag', 'it cannot change');
  }
  if (current['entPerFlag'] === 'P') {
    requirePersonNeeds(asked);
    return [];
  }
  if (switches.changeStrict) requireGiven(given, ['entType']);
  const types = modifyTypesOf(given['modifyType']);
  for (const type of types) requireGiven(given, NEEDED[type](asked));
  return types;
}

/** CHG-05. */
function modifyTypesOf(text: string | undefined): ModifyType[] {
  if (text === undefined) throw wrongMember('modifyType', 'it is required');
  return text.split('|').map((part) => {
    const type = MODIFY_TYPES.find((known) => known === part);
    if (type === undefined) throw wrongMember('modifyType', 'it must be 1 to 5, several joined by |');
    return type;
  });
}

/** CHG-12: a member that comes as it is changes nothing. */
function requirePersonNeeds({ given, current }: AskedChange): void {
  requireGiven(given, ['settAccountPhone']);
  const changed = Object.keys(given).filter((name) => name !== 'modifyType' && given[name] !== current[name]);
  if (changed.length === 0) throw wrongMember('settAccountPhone', 'at least one item must change');
  if (VALIDITY.some((name) => changed.includes(name))) {
    requireGiven(given, [...VALIDITY, 'idCard1Img', 'idCard2Img']);
  }
  const bound = ['settAccountNo', 'settAccountName'];
  if (bound.some((name) => changed.includes(name))) requireGiven(given, bound);
}

function requireGiven(given: Subject, names: readonly string[]): void {
  for (const name of names) {
    if (given[name] === undefined) throw wrongMember(name, 'this change needs it');
  }
}

/** Which types take a member over; one that is not here is taken over by any. */
const TAKEN_BY: Readonly<Record<string, readonly ModifyType[]>> = {
  ...each(['licenseNo', 'licenseName', 'licenseEffectBegin', 'licenseEffectEnd', 'licenseAddress'], ['1']),
  ...each(IMAGES, ['1', '2', '3']),
  ...each(['idCardName', 'idCardNo', 'idCardPhone', ...VALIDITY], ['2']),
  ...each(['agentUseCorpInfoFlag', 'authLetterImg', ...AGENT], ['3']),
  ...each(['settAccountNo', 'settAccountType', 'settAccountName', 'settAccountPhone'], ['4']),
  ...each(['settAccountBankBranchCode', 'settAccountBankBranchName', 'bindAcctInnerFlag'], ['4']),
};

function each(names: readonly string[], types: readonly ModifyType[]): Record<string, readonly ModifyType[]> {
  return Object.fromEntries(names.map((name) => [name, types]));
}

/** What of the given data replaces the present ones: for an enterprise what its modifyTypes are about. */
export function replacedBy({ given, current, switches }: AskedChange, types: readonly ModifyType[]): Subject {
  const isTaken = (name: string): boolean => {
    if (name === 'modifyType') return false;
    if (types.length === 0) return true;
    const by = name === switches.agentNameField ? (['3'] as const) : TAKEN_BY[name];
    return by === undefined || by.some((type) => types.includes(type));
  };
  const taken = Object.fromEntries(Object.entries(given).filter(([name]) => isTaken(name)));
  const { settAccountNo } = taken;
  const isOtherAccount = settAccountNo !== undefined && settAccountNo !== current['settAccountNo'];
  return isOtherAccount ? { ...NO_BRANCH, ...taken } : taken;
}

/** Another bound account does not inherit the branch and phone of the one before. */
const NO_BRANCH: Subject = {
  settAccountBankBranchCode: '',
  settAccountBankBranchName: '',
  settAccountPhone: '',
};
