/** The members of SubjectInfo at opening, one by one: dropped, corrupt, and as they should be (OPN-F01…F44, U14, U15). */
import { describe, expect, test } from 'vitest';

import type { SandboxOptions } from '../../../src/sandbox/server/create-sandbox.ts';
import { sandboxAtNoon } from '../caller.ts';
import type { Members } from '../caller.ts';
import {
  accepted,
  anAgent,
  anEnterprise,
  applied,
  apply,
  aPerson,
  audit,
  get,
  INITIATOR,
  expectRefused,
  revise,
} from './opening-caller.ts';

/** Whose data are sent: an enterprise, one with another agent, an initiator, a sole proprietor, an individual. */
const SUBJECTS = {
  E: () => anEnterprise(),
  agent: () => anEnterprise(anAgent()),
  FQ: () => anEnterprise(INITIATOR),
  sole: () => anEnterprise({ entType: '03' }),
  P: () => aPerson(),
};
type Who = keyof typeof SUBJECTS;

function expectAnswer(who: Who, over: Members, ok: boolean, options: SandboxOptions = {}): void {
  const sandbox = sandboxAtNoon(options);
  const act = (): ReturnType<typeof apply> =>
    apply(sandbox, { ...SUBJECTS[who](), ...over }, { acctRole: who === 'FQ' ? 'FQ' : 'JS' });
  if (ok) return expect(act().envelope['msg']).toBe('成功');
  const [name] = Object.keys(over);
  expect(expectRefused(sandbox, act).envelope['msg']).toContain(`subjectInfo.${name}`);
}

const ALL: readonly Who[] = ['E', 'agent', 'FQ', 'sole', 'P'];
const ENTERPRISES: readonly Who[] = ['E', 'agent', 'FQ', 'sole'];

describe('needed', () => {
  test.each<[string, string, readonly Who[]]>([
    ['OPN-F01', 'entPerFlag', ALL],
    ['OPN-F03', 'eleAcctType', ALL],
    ['OPN-F04', 'idCardName', ALL],
    ['OPN-F05', 'idCardNo', ALL],
    ['OPN-F06', 'idCardPhone', ALL],
    ['OPN-F07', 'idCard1Img', ALL],
    ['OPN-F08', 'idCard2Img', ALL],
    ['OPN-F09', 'idCardEffectBegin', ALL],
    ['OPN-F10', 'idCardEffectEnd', ALL],
    ['OPN-F11', 'address', ALL],
    ['OPN-F12', 'settAccountType', ['E', 'agent', 'FQ']],
    ['OPN-F13', 'settAccountNo', ALL],
    ['OPN-F14', 'settAccountName', ALL],
    ['OPN-F15', 'settAccountBankBranchCode', ALL],
    ['OPN-F16', 'settAccountBankBranchName', ALL],
    ['OPN-F17', 'settAccountPhone', ['P']],
    ['OPN-F19', 'profession', ['P']],
    ['OPN-F20', 'licenseNo', ENTERPRISES],
    ['OPN-F21', 'licenseName', ENTERPRISES],
    ['OPN-F22', 'licenseEffectBegin', ENTERPRISES],
    ['OPN-F23', 'licenseEffectEnd', ENTERPRISES],
    ['OPN-F24', 'licenseAddress', ENTERPRISES],
    ['OPN-F25', 'licenseImg', ENTERPRISES],
    ['OPN-F29', 'agentUseCorpInfoFlag', ENTERPRISES],
    ['OPN-F32', 'agentIdNo', ['agent']],
    ['OPN-F33', 'agentVisaDate', ['agent']],
    ['OPN-F34', 'agentLostDate', ['agent']],
    ['OPN-F35', 'agentPhone', ['agent']],
    ['OPN-F36', 'agentIdCard1Img', ['agent']],
    ['OPN-F37', 'agentIdCard2Img', ['agent']],
    ['OPN-F38', 'authLetterImg', ['agent']],
    ['OPN-F40', 'businessScenario', ['FQ']],
    ['OPN-F41', 'businessSceneDesc', ['FQ']],
    ['OPN-F02, U13', 'entType', []],
    ['OPN-F18', 'bindAcctInnerFlag', []],
    ['OPN-F26', 'regCapital', []],
    ['OPN-F27', 'regCapCurr', []],
    ['OPN-F28', 'industryTpCd', []],
    ['OPN-F42', 'extensionData', []],
    ['OPN-F44', 'companyAccountLicenseImg', []],
  ])('%s: %s', (_id, name, needers) => {
    for (const who of ALL) {
      // A sole proprietor without entType is a company like others, and has said what those must say.
      expectAnswer(who, { [name]: undefined }, !needers.includes(who));
      if (needers.includes(who)) {
        expectAnswer(who, { [name]: '' }, false);
        expectAnswer(who, { [name]: null }, false);
      }
    }
  });

  test('U15: by a switch the licence is not needed beyond its number', () => {
    const options = { switches: { requireLicense: false } };
    for (const name of [
      'licenseName',
      'licenseEffectBegin',
      'licenseEffectEnd',
      'licenseAddress',
      'licenseImg',
    ]) {
      expectAnswer('E', { [name]: undefined }, true, options);
    }
    expectAnswer('E', { licenseNo: undefined }, false, options);
  });
});

describe('form', () => {
  const DATES = ['2026/03/01', '20260301', '2026-02-30', '2026-3-1', 'long'];
  const URLS = [
    'licence.jpg',
    'ftp://files.example.com/a.jpg',
    'javascript:alert(1)',
    '//files.example.com/a',
  ];
  const at = 'https://files.example.com/a.jpg';

  test.each<[string, Who, string, readonly unknown[], readonly unknown[]]>([
    ['OPN-F01', 'E', 'entPerFlag', ['X', 'e', 1, true, ['E']], ['E']],
    ['OPN-F02, U14', 'E', 'entType', ['01', '04', '2'], ['02', '03']],
    ['OPN-F03', 'E', 'eleAcctType', ['0', '2'], ['1', 1]],
    ['OPN-F07', 'E', 'idCard1Img', URLS, [at, 'http://files.example.com/a']],
    ['OPN-F08', 'P', 'idCard2Img', URLS, [at]],
    ['OPN-F09', 'E', 'idCardEffectBegin', [...DATES, '长期'], ['2026-02-28']],
    ['OPN-F10', 'E', 'idCardEffectEnd', DATES, ['长期', '2026-02-28']],
    ['OPN-F12', 'E', 'settAccountType', ['X', '1'], ['E', 'P']],
    ['OPN-F18', 'E', 'bindAcctInnerFlag', ['2', 'Y'], ['0', '1']],
    ['OPN-F22', 'E', 'licenseEffectBegin', [...DATES, '长期'], ['2020-02-29']],
    ['OPN-F23', 'E', 'licenseEffectEnd', DATES, ['长期', '2030-01-01']],
    ['OPN-F25', 'E', 'licenseImg', URLS, [at]],
    ['OPN-F26', 'E', 'regCapital', [{}], ['1000000', 1_000_000]],
    ['OPN-F27', 'E', 'regCapCurr', ['USD', 'cny'], ['CNY']],
    ['OPN-F29, U15', 'E', 'agentUseCorpInfoFlag', ['2', 'Y'], ['1']],
    ['OPN-F33', 'agent', 'agentVisaDate', [...DATES, '长期'], ['2020-01-01']],
    ['OPN-F34', 'agent', 'agentLostDate', DATES, ['长期', '2030-01-01']],
    ['OPN-F36', 'agent', 'agentIdCard1Img', URLS, [at]],
    ['OPN-F37', 'agent', 'agentIdCard2Img', URLS, [at]],
    ['OPN-F38', 'agent', 'authLetterImg', URLS, [at]],
    ['OPN-F40', 'FQ', 'businessScenario', ['0', '6', 'x'], ['1', '2', '3', '4', '5', 5]],
    ['OPN-F42', 'E', 'extensionData', ['{}', '{"a":1}', 'x', '[1]', '["a.jpg"]', [at]], ['[]', `["${at}"]`]],
  ])('%s: %s %s', (_id, who, name, wrong, right) => {
    for (const value of wrong) expectAnswer(who, { [name]: value }, false);
    for (const value of right) expectAnswer(who, { [name]: value }, true);
  });

  test('U28: by a switch a number is no text', () => {
    expectAnswer('E', { eleAcctType: 1 }, false, { switches: { strictTypes: true } });
  });

  test('U14: by a switch an opening takes a legal-person enterprise', () => {
    expectAnswer('E', { entType: '01' }, true, { switches: { openingEntTypes: ['01', '02', '03'] } });
  });

  test('OPN-F44: companyAccountLicenseImg is passed through', () => {
    const sandbox = sandboxAtNoon();
    applied(sandbox, anEnterprise({ companyAccountLicenseImg: 'anything' }));
    const [shown] = get(sandbox, '/openings')['openings'] as { subject: Members }[];
    expect(shown?.subject['companyAccountLicenseImg']).toBe('anything');
  });
});

describe('OPN-F39, LIM-13: the same agent', () => {
  test('what is refused counts for nothing, and a resubmission is the same use', () => {
    const sandbox = sandboxAtNoon({ switches: { agentUsesMax: 1 } });
    expectRefused(sandbox, () => apply(sandbox, anEnterprise(anAgent({ address: '' }))));
    sandbox.planDecisions([{ kind: 'opening', result: 'rejectedByChannel' }]);
    const opening = applied(sandbox, anEnterprise(anAgent()));
    accepted(audit(sandbox, opening));
    expectRefused(sandbox, () => apply(sandbox, anEnterprise(anAgent())));
    expect(revise(sandbox, opening, { subjectInfo: anEnterprise(anAgent()) }).ok).toBe(true);
  });
});
