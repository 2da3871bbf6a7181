/** The subject of an opening or a resubmission as the client checks it (OPN-05, OPN-F01…F44, OPN-21, U14, U15). */
import { describe, expect, test } from 'vitest';
import { requestWarnings } from '../../../src/platform/requests/request-faults.ts';
import { profileOf } from '../platform-server.ts';
import {
  AGENT,
  changed,
  ENTERPRISE,
  faultsOf,
  INDIVIDUAL,
  INITIATOR,
  opening,
  rulesOf,
  sample,
} from './request-samples.ts';
import type { Sample } from './request-samples.ts';

const SUBJECTS = {
  individual: INDIVIDUAL,
  enterprise: ENTERPRISE,
  agent: { ...ENTERPRISE, ...AGENT },
  initiator: { ...ENTERPRISE, ...INITIATOR },
} as const;
type Kind = keyof typeof SUBJECTS;

const roleOf = (kind: Kind): Sample => (kind === 'initiator' ? { acctRole: 'FQ' } : {});
const asked = (kind: Kind, over: Sample): Sample => opening(changed(SUBJECTS[kind], over), roleOf(kind));

const KINDS: readonly Kind[] = ['individual', 'enterprise', 'agent', 'initiator'];

test.each(KINDS)('the sound opening of an %s has no fault', (kind) => {
  expect(faultsOf('acct/addApply', asked(kind, {}))).toEqual([]);
});

describe('what must be there', () => {
  test.each<[string, Kind, string, string]>([
    ['OPN-F01', 'individual', 'entPerFlag', ''],
    ['OPN-F03', 'individual', 'eleAcctType', ''],
    ['OPN-F04', 'individual', 'idCardName', ''],
    ['OPN-F05', 'individual', 'idCardNo', ''],
    ['OPN-F06', 'individual', 'idCardPhone', ''],
    ['OPN-F07', 'individual', 'idCard1Img', ''],
    ['OPN-F08', 'individual', 'idCard2Img', ''],
    ['OPN-F09', 'individual', 'idCardEffectBegin', ''],
    ['OPN-F10', 'individual', 'idCardEffectEnd', ''],
    ['OPN-F11', 'individual', 'address', ''],
    ['OPN-F12', 'enterprise', 'settAccountType', ', and an enterprise other than a sole proprietor needs it'],
    ['OPN-F13', 'individual', 'settAccountNo', ''],
    ['OPN-F14', 'individual', 'settAccountName', ''],
    ['OPN-F15', 'individual', 'settAccountBankBranchCode', ''],
    ['OPN-F16', 'individual', 'settAccountBankBranchName', ''],
    ['OPN-F17', 'individual', 'settAccountPhone', ', and an individual needs it'],
    ['OPN-F19', 'individual', 'profession', ', and an individual needs it'],
    ['OPN-F20', 'enterprise', 'licenseNo', ', and an enterprise needs it'],
    ['OPN-F21', 'enterprise', 'licenseName', ', and an enterprise needs it'],
    ['OPN-F22', 'enterprise', 'licenseEffectBegin', ', and an enterprise needs it'],
    ['OPN-F23', 'enterprise', 'licenseEffectEnd', ', and an enterprise needs it'],
    ['OPN-F24', 'enterprise', 'licenseAddress', ', and an enterprise needs it'],
    ['OPN-F25', 'enterprise', 'licenseImg', ', and an enterprise needs it'],
    ['OPN-F29', 'enterprise', 'agentUseCorpInfoFlag', ', and an enterprise needs it'],
    ['OPN-F32', 'agent', 'agentIdNo', ', and an agent other than the legal representative needs it'],
    ['OPN-F33', 'agent', 'agentVisaDate', ', and an agent other than the legal representative needs it'],
    ['OPN-F34', 'agent', 'agentLostDate', ', and an agent other than the legal representative needs it'],
    ['OPN-F35', 'agent', 'agentPhone', ', and an agent other than the legal representative needs it'],
    ['OPN-F36', 'agent', 'agentIdCard1Img', ', and an agent other than the legal representative needs it'],
    ['OPN-F37', 'agent', 'agentIdCard2Img', ', and an agent other than the legal representative needs it'],
    ['OPN-F38', 'agent', 'authLetterImg', ', and an agent other than the legal representative needs it'],
    ['OPN-F40', 'initiator', 'businessScenario', ', and an initiator (FQ) needs it'],
    ['OPN-F41', 'initiator', 'businessSceneDesc', ', and an initiator (FQ) needs it'],
  ])('%s: of an %s, %s', (requirement, kind, name, why) => {
    for (const [value, what] of [
      [undefined, 'is missing'],
      [null, 'is missing'],
      ['', 'is empty'],
    ]) {
      expect(faultsOf('acct/addApply', asked(kind, { [name]: value }))).toEqual([
        `subjectInfo.${name} ${String(what)}${why} (${requirement})`,
      ]);
    }
  });

  test('OPN-F12: a sole proprietor may leave the type of its bound account out', () => {
    const subject = { entType: '03', settAccountType: undefined };
    expect(faultsOf('acct/addApply', asked('enterprise', subject))).toEqual([]);
  });

  test('OPN-F40: a payee needs no scenario', () => {
    expect(faultsOf('acct/addApply', opening(ENTERPRISE, { acctRole: 'JS' }))).toEqual([]);
  });

  test('U15: the licence of an enterprise is required where the profile says so', () => {
    const { licenseName: _name, licenseImg: _image, ...without } = ENTERPRISE;
    const profile = profileOf({ subject: { requireLicense: false } });
    expect(faultsOf('acct/addApply', opening(without))).toHaveLength(2);
    expect(faultsOf('acct/addApply', opening(without), { profile })).toEqual([]);
  });

  test('U15: another word says that the agent is someone else', () => {
    const profile = profileOf({ subject: { notReusedFlag: '2' } });
    const faults = (flag: string) =>
      faultsOf('acct/addApply', asked('enterprise', { agentUseCorpInfoFlag: flag }), { profile });
    expect(faults('2')).toHaveLength(7);
    expect(faults('0')).toEqual(['subjectInfo.agentUseCorpInfoFlag must be one of 1, 2, not "0" (OPN-F29)']);
  });
});

describe('what it must look like', () => {
  const URL_FAULT = 'must be an http or https address';
  const DATE = 'must be a day of the calendar such as 2026-03-01, not';
  const END = 'must be a day such as 2036-03-01 or 长期, not';
  test.each<[string, string, unknown, string]>([
    ['OPN-F01', 'entPerFlag', 'X', 'must be one of E, P, not "X"'],
    ['OPN-F02', 'entType', '04', 'must be one of 01, 02, 03, not "04"'],
    ['OPN-F02', 'entType', 2, 'must be text, not a number'],
    ['OPN-F03', 'eleAcctType', '2', 'must be 1, not "2"'],
    ['OPN-F04', 'idCardName', 1, 'must be text, not a number'],
    ['OPN-F05', 'idCardNo', 110105, 'must be text, not a number'],
    ['OPN-F06', 'idCardPhone', 13812345678, 'must be text, not a number'],
    ['OPN-F07', 'idCard1Img', 'a.png', URL_FAULT],
    ['OPN-F08', 'idCard2Img', 'file:///a.png', URL_FAULT],
    ['OPN-F09', 'idCardEffectBegin', '2015-02-29', `${DATE} "2015-02-29"`],
    ['OPN-F09', 'idCardEffectBegin', '长期', `${DATE} "长期"`],
    ['OPN-F10', 'idCardEffectEnd', 'long', `${END} "long"`],
    ['OPN-F11', 'address', [], 'must be text, not a list'],
    ['OPN-F12', 'settAccountType', 'X', 'must be one of E, P, not "X"'],
    ['OPN-F13', 'settAccountNo', 6222, 'must be text, not a number'],
    ['OPN-F14', 'settAccountName', true, 'must be text, not a boolean'],
    ['OPN-F15', 'settAccountBankBranchCode', 102, 'must be text, not a number'],
    ['OPN-F16', 'settAccountBankBranchName', {}, 'must be text, not an object'],
    ['OPN-F17', 'settAccountPhone', 1, 'must be text, not a number'],
    ['OPN-F18', 'bindAcctInnerFlag', '2', 'must be one of 0, 1, not "2"'],
    ['OPN-F19', 'profession', 11, 'must be text, not a number'],
    ['OPN-F20', 'licenseNo', 9, 'must be text, not a number'],
    ['OPN-F21', 'licenseName', 9, 'must be text, not a number'],
    ['OPN-F22', 'licenseEffectBegin', '20160101', `${DATE} "20160101"`],
    ['OPN-F23', 'licenseEffectEnd', '2036-13-01', `${END} "2036-13-01"`],
    ['OPN-F24', 'licenseAddress', 9, 'must be text, not a number'],
    ['OPN-F25', 'licenseImg', 'http://', URL_FAULT],
    ['OPN-F26', 'regCapital', 100, 'must be text, not a number'],
    ['OPN-F27', 'regCapCurr', 'USD', 'must be CNY, not "USD"'],
    ['OPN-F28', 'industryTpCd', 7, 'must be text, not a number'],
    ['OPN-F29', 'agentUseCorpInfoFlag', 'Y', 'must be one of 1, 0, not "Y"'],
    ['OPN-F32', 'agentIdNo', 1, 'must be text, not a number'],
    ['OPN-F33', 'agentVisaDate', '长期', `${DATE} "长期"`],
    ['OPN-F34', 'agentLostDate', 'never', `${END} "never"`],
    ['OPN-F35', 'agentPhone', 1, 'must be text, not a number'],
    ['OPN-F36', 'agentIdCard1Img', 'x', URL_FAULT],
    ['OPN-F37', 'agentIdCard2Img', 'x', URL_FAULT],
    ['OPN-F38', 'authLetterImg', 'x', URL_FAULT],
    ['OPN-F39', 'agentReuseReasonDesc', 6, 'must be text, not a number'],
    ['OPN-F40', 'businessScenario', '6', 'must be one of 1, 2, 3, 4, 5, not "6"'],
    ['OPN-F41', 'businessSceneDesc', 1, 'must be text, not a number'],
    ['OPN-F42', 'extensionData', '{}', 'must hold a JSON list'],
    [
      'OPN-F42',
      'extensionData',
      ['https://a.example.com/1'],
      'must be text that holds a JSON list, not a list',
    ],
    ['OPN-F42', 'extensionData', '["x"]', `must hold addresses: element 0 ${URL_FAULT}`],
    ['U15', 'agentName', 1, 'must be text, not a number'],
  ])('%s: %s %j', (requirement, name, value, what) => {
    const subject = { ...ENTERPRISE, ...AGENT, ...INITIATOR, [name]: value };
    const faults = faultsOf('acct/addApply', opening(subject, { acctRole: 'FQ' }));
    expect(faults).toContain(`subjectInfo.${name} ${what} (${requirement})`);
    // Of a subject that is neither E nor P nothing more is known.
    if (name !== 'entPerFlag' && name !== 'agentUseCorpInfoFlag') expect(faults).toHaveLength(1);
  });

  test.each<[string, Sample]>([
    ['OPN-F02: entType may be left out', { entType: undefined }],
    ['OPN-F18: bindAcctInnerFlag', { bindAcctInnerFlag: '0' }],
    ['OPN-F23: 长期', { licenseEffectEnd: '长期' }],
    ['OPN-F27: CNY', { regCapCurr: 'CNY', regCapital: '1000000', industryTpCd: 'I65' }],
    [
      'OPN-F30, OPN-F31, OPN-F43: members of a change say nothing',
      { ctlUseCorpInfoFlag: 7, befUseCorpInfoFlag: 7, modifyType: 7 },
    ],
    [
      'OPN-F42: a list of addresses',
      { extensionData: '["https://a.example.com/1","http://b.example.com/2"]' },
    ],
    ['OPN-F44: companyAccountLicenseImg is passed on', { companyAccountLicenseImg: 7 }],
    ['an empty text where none is needed', { profession: '', regCapCurr: '', agentVisaDate: '' }],
  ])('%s', (_what, over) => {
    expect(faultsOf('acct/addApply', asked('enterprise', over))).toEqual([]);
  });
});

test('OPN-05: an individual never opens as initiator, whatever else is said', () => {
  expect(faultsOf('acct/addApply', opening(INDIVIDUAL, { acctRole: 'FQ' }))).toEqual([
    'acctRole must be JS for an individual, who never opens as initiator (OPN-05)',
  ]);
});

describe('OPN-F07: an address the platform can reach', () => {
  const faults = (idCard1Img: string, isPlatformLocal = false) =>
    faultsOf('acct/addApply', asked('individual', { idCard1Img }), { isPlatformLocal });

  test.each([
    ['http://localhost/a.png', 'localhost'],
    ['https://127.0.0.1:8080/a.png', '127.0.0.1'],
    ['https://0x7f.1/a.png', '127.0.0.1'],
    ['https://2130706433/a.png', '127.0.0.1'],
    ['https://10.1.2.3/a.png', '10.1.2.3'],
    ['https://172.31.0.1/a.png', '172.31.0.1'],
    ['https://192.168.1.1/a.png', '192.168.1.1'],
    ['https://169.254.169.254/a.png', '169.254.169.254'],
    ['https://100.64.0.1/a.png', '100.64.0.1'],
    ['https://[::1]/a.png', '[::1]'],
    ['https://[fd00::1]/a.png', '[fd00::1]'],
    ['https://[::ffff:10.0.0.1]/a.png', '[::ffff:a00:1]'],
    ['https://files/a.png', 'files'],
    ['https://files.local/a.png', 'files.local'],
    ['https://LOCALHOST./a.png', 'localhost.'],
  ])('%s is not', (url, host) => {
    expect(faults(url)).toEqual([
      `subjectInfo.idCard1Img must be reachable from outside, and ${host} is not (OPN-F07)`,
    ]);
    expect(faults(url, true), 'but by a sandbox on this machine it is').toEqual([]);
  });

  test.each(['https://172.32.0.1/a.png', 'https://files.example.com/a.png?x=1', 'http://[2606:4700::1]/a'])(
    '%s is',
    (url) => expect(faults(url)).toEqual([]),
  );
});

describe('OPN-21: a resubmission', () => {
  const revised = (subject: Sample) => sample('acct/reviseApply', { subjectInfo: subject });

  test('may leave the subject out, and takes entType 01', () => {
    expect(faultsOf('acct/reviseApply', sample('acct/reviseApply'))).toEqual([]);
    expect(faultsOf('acct/reviseApply', revised({ ...ENTERPRISE, entType: '01' }))).toEqual([]);
  });

  test('needs entType of an enterprise, and no scenario, because nobody says who pays', () => {
    expect(faultsOf('acct/reviseApply', revised(changed(ENTERPRISE, { entType: undefined })))).toEqual([
      'subjectInfo.entType is missing, and a resubmitted enterprise needs it (OPN-21, OPN-F02)',
    ]);
    expect(faultsOf('acct/reviseApply', revised(INDIVIDUAL))).toEqual([]);
  });
});

describe('U14: entType 01 at an opening', () => {
  const request = asked('enterprise', { entType: '01' });

  test('is sent, with a warning', () => {
    expect(faultsOf('acct/addApply', request)).toEqual([]);
    expect(requestWarnings('acct/addApply', request, rulesOf())).toEqual([
      'subjectInfo.entType is 01, and an opening lists 02, 03: the platform may refuse it (OPN-F02, U14)',
    ]);
  });

  test('is nothing odd where the profile has it, and other words never are', () => {
    const profile = profileOf({ opening: { entTypes: ['01', '02', '03'] } });
    expect(requestWarnings('acct/addApply', request, rulesOf({ profile }))).toEqual([]);
    expect(requestWarnings('acct/addApply', asked('enterprise', {}), rulesOf())).toEqual([]);
  });
});
