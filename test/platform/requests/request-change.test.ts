/** The subject of a change as the client checks it, by the types of change it names (CHG-04…13, U16). */
import { describe, expect, test } from 'vitest';
import { profileOf } from '../platform-server.ts';
import { AGENT, changed, ENTERPRISE, faultsOf, INDIVIDUAL, sample } from './request-samples.ts';
import type { Sample } from './request-samples.ts';

const ALWAYS: Sample = { entPerFlag: 'E', entType: '02', eleAcctType: '1', address: '某路 1 号' };

/** A change with those members, beside the ones that are always sent. */
function change(over: Sample): Sample {
  return sample('acct/changeApply', { subjectInfo: changed(ALWAYS, over) });
}

function picked(from: Sample, names: readonly string[]): Sample {
  return Object.fromEntries(names.map((name) => [name, from[name]]));
}

const IMAGES = ['licenseImg', 'idCard1Img', 'idCard2Img'];
const BUSINESS = [
  ...IMAGES,
  'licenseName',
  'licenseEffectBegin',
  'licenseEffectEnd',
  'licenseNo',
  'licenseAddress',
];
const PERSON = [...IMAGES, 'idCardName', 'idCardNo', 'idCardEffectBegin', 'idCardEffectEnd', 'idCardPhone'];
const AGENT_NAMES = [
  'agentName',
  'agentIdNo',
  'agentVisaDate',
  'agentLostDate',
  'agentPhone',
  'agentIdCard1Img',
  'agentIdCard2Img',
];

const BY_TYPE: Readonly<Record<string, { requirement: string; why: string; members: Sample }>> = {
  '1': {
    requirement: 'CHG-06',
    why: 'type 1, business information,',
    members: picked(ENTERPRISE, BUSINESS),
  },
  '2': {
    requirement: 'CHG-07',
    why: 'type 2, the legal representative,',
    members: picked(ENTERPRISE, PERSON),
  },
  '3': {
    requirement: 'CHG-08',
    why: 'type 3, the agent,',
    members: picked(ENTERPRISE, [...IMAGES, 'agentUseCorpInfoFlag']),
  },
  '4': {
    requirement: 'CHG-09',
    why: 'type 4, the bound account,',
    members: {
      settAccountNo: '6222021234567890',
      settAccountType: 'X',
      settAccountName: '示例科技有限公司',
      bindAcctInnerFlag: '0',
    },
  },
};

describe.each(Object.entries(BY_TYPE))('type %s', (modifyType, { requirement, why, members }) => {
  const complete =
    modifyType === '4' ? { ...members, settAccountType: 'P', settAccountPhone: '13812345678' } : members;

  test(`${requirement}: with all its members is taken`, () => {
    expect(faultsOf('acct/changeApply', change({ modifyType, ...complete }))).toEqual([]);
  });

  test.each(Object.keys(members))(`${requirement}: without %s is not`, (name) => {
    const request = change({ modifyType, ...complete, [name]: undefined });
    expect(faultsOf('acct/changeApply', request)).toEqual([
      `subjectInfo.${name} is missing, and ${why} needs it (${requirement})`,
    ]);
  });
});

describe('CHG-05: the types', () => {
  const typed = (modifyType: unknown) => faultsOf('acct/changeApply', change({ modifyType }));

  test('are required of an enterprise', () => {
    const missing = 'subjectInfo.modifyType is missing, and the change of an enterprise needs it (CHG-05)';
    expect(typed(undefined)).toEqual([missing]);
    expect(typed('')).toEqual([missing.replace('missing', 'empty')]);
  });

  test('CHG-10, U16: are 1 to 5 joined by |, each once; agreement re-signing needs nothing more', () => {
    const form = 'subjectInfo.modifyType must be 1 to 5 joined by |, not';
    expect(typed('5')).toEqual([]);
    expect(typed('6')).toEqual([`${form} "6" (CHG-05)`]);
    expect(typed('1,2')).toEqual([`${form} "1,2" (CHG-05)`]);
    expect(typed('5|')).toEqual([`${form} "5|" (CHG-05)`]);
    expect(typed('5|5')).toEqual(['subjectInfo.modifyType names a type twice: "5|5" (CHG-05)']);
    expect(typed(['5'])).toEqual([
      'subjectInfo.modifyType must be text, 1 to 5 joined by |, not a list (CHG-05)',
    ]);
  });

  test('CHG-11: several need what each of them needs, and what several need is missing once', () => {
    expect(
      faultsOf(
        'acct/changeApply',
        change({ modifyType: '1|3', ...BY_TYPE['1']?.members, licenseImg: undefined }),
      ),
    ).toEqual([
      'subjectInfo.licenseImg is missing, and type 1, business information, needs it (CHG-06)',
      'subjectInfo.agentUseCorpInfoFlag is missing, and type 3, the agent, needs it (CHG-08)',
    ]);
    const bound = {
      settAccountType: 'P',
      settAccountName: '张三',
      bindAcctInnerFlag: '1',
      settAccountPhone: '1',
    };
    expect(
      faultsOf('acct/changeApply', change({ modifyType: '1|4', ...BY_TYPE['1']?.members, ...bound })),
    ).toEqual(['subjectInfo.settAccountNo is missing, and type 4, the bound account, needs it (CHG-09)']);
  });
});

test('CHG-06, U16: the two members that are required "also" go with the licence of the profile', () => {
  const request = change({
    modifyType: '1',
    ...BY_TYPE['1']?.members,
    licenseNo: undefined,
    licenseAddress: undefined,
  });
  const profile = profileOf({ subject: { requireLicense: false } });
  expect(faultsOf('acct/changeApply', request)).toHaveLength(2);
  expect(faultsOf('acct/changeApply', request, { profile })).toEqual([]);
});

describe('CHG-08: an agent who is not the legal representative', () => {
  const members = { ...BY_TYPE['3']?.members, ...picked(AGENT, ['agentUseCorpInfoFlag', ...AGENT_NAMES]) };

  test.each(AGENT_NAMES)('needs %s', (name) => {
    expect(faultsOf('acct/changeApply', change({ modifyType: '3', ...members }))).toEqual([]);
    expect(faultsOf('acct/changeApply', change({ modifyType: '3', ...members, [name]: undefined }))).toEqual([
      `subjectInfo.${name} is missing, and an agent other than the legal representative needs it (CHG-08)`,
    ]);
  });

  test('U15: the name stands where the profile says', () => {
    const profile = profileOf({ subject: { agentNameField: 'agentIdCardName' } });
    const request = change({ modifyType: '3', ...members, agentName: undefined, agentIdCardName: '李四' });
    expect(faultsOf('acct/changeApply', request, { profile })).toEqual([]);
  });
});

describe('CHG-09: the bound account', () => {
  const bound = { modifyType: '4', ...BY_TYPE['4']?.members };
  const faults = (over: Sample) => faultsOf('acct/changeApply', change({ ...bound, ...over }));
  const branch = { settAccountBankBranchCode: '102', settAccountBankBranchName: '某支行' };

  test('a corporate one needs its branch and no phone', () => {
    expect(faults({ settAccountType: 'E', ...branch })).toEqual([]);
    expect(faults({ settAccountType: 'E' })).toEqual([
      'subjectInfo.settAccountBankBranchCode is missing, and a corporate bound account needs it (CHG-09)',
      'subjectInfo.settAccountBankBranchName is missing, and a corporate bound account needs it (CHG-09)',
    ]);
  });

  test('a personal one needs its phone and no branch', () => {
    expect(faults({ settAccountType: 'P', settAccountPhone: '13812345678' })).toEqual([]);
    expect(faults({ settAccountType: 'P' })).toEqual([
      'subjectInfo.settAccountPhone is missing, and a personal bound account needs it (CHG-09)',
    ]);
  });

  test('of another type has that fault alone', () => {
    expect(faults({})).toEqual(['subjectInfo.settAccountType must be one of E, P, not "X" (OPN-F12)']);
  });
});

describe('CHG-12: an individual', () => {
  const individual = (over: Sample) =>
    faultsOf(
      'acct/changeApply',
      change({ entPerFlag: 'P', entType: undefined, settAccountPhone: '13812345678', ...over }),
    );
  const card = picked(INDIVIDUAL, ['idCardEffectBegin', 'idCardEffectEnd', 'idCard1Img', 'idCard2Img']);

  test('needs the phone of the bank, and something to change', () => {
    expect(individual({ profession: '12' })).toEqual([]);
    expect(individual({ profession: '12', settAccountPhone: undefined })).toEqual([
      'subjectInfo.settAccountPhone is missing, and the change of an individual needs it (CHG-12)',
    ]);
    expect(individual({})).toEqual([
      'subjectInfo changes nothing: entPerFlag, eleAcctType, address and settAccountPhone are always sent (CHG-12)',
    ]);
  });

  test.each(Object.keys(card))('changes the validity of the card as a whole: not without %s', (name) => {
    expect(individual(card)).toEqual([]);
    expect(individual({ ...card, [name]: undefined })).toEqual([
      `subjectInfo.${name} is missing, and a new validity of the identity card needs it (CHG-12)`,
    ]);
  });

  test('changes the bound account by number and name together', () => {
    expect(individual({ settAccountNo: '6222', settAccountName: '张三' })).toEqual([]);
    expect(individual({ settAccountNo: '6222' })).toEqual([
      'subjectInfo.settAccountName is missing, and a new bound account needs it (CHG-12)',
    ]);
    expect(individual({ settAccountName: '张三' })).toEqual([
      'subjectInfo.settAccountNo is missing, and a new bound account needs it (CHG-12)',
    ]);
  });
});

test('CHG-04, CHG-13, OPN-F02: what is always sent, although it could be inherited', () => {
  expect(
    faultsOf('acct/changeApply', change({ modifyType: '5', eleAcctType: undefined, address: undefined })),
  ).toEqual(['subjectInfo.eleAcctType is missing (CHG-13)', 'subjectInfo.address is missing (CHG-13)']);
  expect(faultsOf('acct/changeApply', change({ modifyType: '5', entPerFlag: undefined }))).toEqual([
    'subjectInfo.entPerFlag is missing (CHG-04)',
  ]);
  expect(faultsOf('acct/changeApply', change({ modifyType: '5', entType: undefined }))).toEqual([
    'subjectInfo.entType is missing, and the change of an enterprise needs it (OPN-F02)',
  ]);
});

test('OPN-F30, OPN-F31: the flags of a change are 1 or the word for no', () => {
  const faults = (over: Sample) => faultsOf('acct/changeApply', change({ modifyType: '5', ...over }));
  expect(faults({ ctlUseCorpInfoFlag: '1', befUseCorpInfoFlag: '0' })).toEqual([]);
  expect(faults({ ctlUseCorpInfoFlag: '2', befUseCorpInfoFlag: 1 })).toEqual([
    'subjectInfo.ctlUseCorpInfoFlag must be one of 1, 0, not "2" (OPN-F30)',
    'subjectInfo.befUseCorpInfoFlag must be text, not a number (OPN-F31)',
  ]);
});
