/** What changeApply demands beyond the list of each type (CHG-01, CHG-06…08, CHG-12, CHG-13, U15, U16). */
import { describe, expect, test } from 'vitest';

import type { Sandbox } from '../../../src/sandbox/server/sandbox.ts';
import type { SandboxOptions } from '../../../src/sandbox/server/create-sandbox.ts';
import { sandboxAtNoon } from '../caller.ts';
import type { Answered, Members } from '../caller.ts';
import {
  accepted,
  anAgent,
  anEnterprise,
  applied,
  aPerson,
  audit,
  change,
  opened,
  expectRefused,
} from './opening-caller.ts';

const only = (from: Members, names: readonly string[]): Members =>
  Object.fromEntries(names.map((name) => [name, from[name]]));

const NAMES = {
  1: 'licenseImg idCard1Img idCard2Img licenseName licenseEffectBegin licenseEffectEnd licenseNo licenseAddress',
  2: 'licenseImg idCard1Img idCard2Img idCardName idCardNo idCardEffectBegin idCardEffectEnd idCardPhone',
  3: 'licenseImg idCard1Img idCard2Img agentUseCorpInfoFlag',
  agent: 'agentName agentIdNo agentVisaDate agentLostDate agentPhone agentIdCard1Img agentIdCard2Img',
  4: 'settAccountNo settAccountType settAccountName bindAcctInnerFlag',
  branch: 'settAccountBankBranchCode settAccountBankBranchName',
} as const;
const names = (key: keyof typeof NAMES | '1' | '2' | '3' | '4'): readonly string[] => NAMES[key].split(' ');

const SUBJECT = anEnterprise({ ...anAgent(), bindAcctInnerFlag: '0', settAccountPhone: '13800001111' });

interface World {
  sandbox: Sandbox;
  record: Members;
}

function enterprise(options: SandboxOptions = {}): World {
  const sandbox = sandboxAtNoon(options);
  return { sandbox, record: opened(sandbox, anEnterprise({ licenseNo: SUBJECT['licenseNo'] })) };
}

function expectAnswer({ sandbox, record }: World, subjectInfo: unknown, ok: boolean): void {
  const act = (): Answered => change(sandbox, record, subjectInfo);
  if (ok) expect(act().envelope['msg']).toBe('成功');
  else expectRefused(sandbox, act);
}

/** Without any one of these it is refused; with all of them it is accepted. */
function expectNeeded(world: World, whole: Members, needed: readonly string[]): void {
  for (const name of needed) {
    const lacking = expectRefused(world.sandbox, () =>
      change(world.sandbox, world.record, { ...whole, [name]: undefined }),
    );
    expect(lacking.envelope['msg']).toContain(`subjectInfo.${name}`);
  }
  expectAnswer(world, whole, true);
}

describe('CHG-01: recordId', () => {
  test('of a rejected opening is refused, and of a closed account', () => {
    const { sandbox, record } = enterprise();
    sandbox.planDecisions([{ kind: 'opening', result: 'rejectedByChannel' }]);
    const rejected = applied(sandbox);
    accepted(audit(sandbox, rejected));
    expectRefused(sandbox, () => change(sandbox, rejected, { modifyType: '5' }));
    sandbox.seedMovements([{ kind: 'state', accountNo: String(record['accountNo']), state: '0' }]);
    expectRefused(sandbox, () => change(sandbox, record, { modifyType: '5' }));
  });
});

describe('what the types need', () => {
  test('CHG-06, U16: by a switch licenseNo and licenseAddress are inherited', () => {
    const world = enterprise({ switches: { changeNeedsLicenseNo: false } });
    const needed = names(1).filter((name) => !['licenseNo', 'licenseAddress'].includes(name));
    expectNeeded(world, { modifyType: '1', ...only(SUBJECT, needed) }, needed);
  });

  test('CHG-08, U15: type 3, with another agent', () => {
    const needed = [...names(3), ...names('agent')];
    expectNeeded(enterprise(), { modifyType: '3', ...only(SUBJECT, needed) }, needed);
    const renamed = enterprise({ switches: { agentNameField: 'agentFullName', notReusedFlag: '2' } });
    const agentless = only(
      SUBJECT,
      needed.filter((name) => name !== 'agentName'),
    );
    const whole = { modifyType: '3', ...agentless, agentUseCorpInfoFlag: '2', agentFullName: '李经办' };
    expectNeeded(renamed, whole, ['agentFullName']);
  });

  test.each([
    'settAccountType',
    'bindAcctInnerFlag',
    'ctlUseCorpInfoFlag',
    'befUseCorpInfoFlag',
    'licenseImg',
  ])('a wrong %s is refused whatever the type', (name) => {
    expectAnswer(enterprise(), { modifyType: '5', [name]: 'X' }, false);
  });
});

describe('CHG-12: an individual', () => {
  const CARD = { settAccountPhone: '13712345678' };
  const validity = { idCardEffectBegin: '2025-01-01', idCardEffectEnd: '2035-01-01' };
  const images = { idCard1Img: 'https://files.example.com/n1', idCard2Img: 'https://files.example.com/n2' };
  const bound = { settAccountNo: '6222000000000077', settAccountName: '王个人' };

  test.each<[string, Members, boolean]>([
    ['nothing', {}, false],
    ['no phone', { address: '新地址' }, false],
    ['phone only, nothing changed', CARD, false],
    ['everything as it was', aPerson({ idCardNo: 'ID-1' }), false],
    ['another phone', { settAccountPhone: '13600000000' }, true],
    ['one item', { ...CARD, address: '新地址' }, true],
    ['only the end of the validity', { ...CARD, idCardEffectEnd: '2035-01-01' }, false],
    ['validity without images', { ...CARD, ...validity }, false],
    ['validity with one image', { ...CARD, ...validity, idCard1Img: images.idCard1Img }, false],
    ['end with both images', { ...CARD, idCardEffectEnd: '2035-01-01', ...images }, false],
    ['validity with both images', { ...CARD, ...validity, ...images }, true],
    ['only the number of the bound account', { ...CARD, settAccountNo: bound.settAccountNo }, false],
    ['only its name', { ...CARD, settAccountName: '王新名' }, false],
    ['number and name', { ...CARD, ...bound }, true],
    ['a wrong date', { ...CARD, ...validity, ...images, idCardEffectEnd: '2035' }, false],
  ])('%s', (_what, subjectInfo, ok) => {
    const sandbox = sandboxAtNoon();
    expectAnswer({ sandbox, record: opened(sandbox, aPerson({ idCardNo: 'ID-1' })) }, subjectInfo, ok);
  });
});

describe('CHG-13, U16: what is left out', () => {
  test('is inherited; in strict mode eleAcctType, address and entType are needed', () => {
    expectAnswer(enterprise(), { modifyType: '5' }, true);
    const whole = { modifyType: '5', ...only(SUBJECT, ['eleAcctType', 'address', 'entType']) };
    expectNeeded(enterprise({ switches: { changeStrict: true } }), whole, [
      'eleAcctType',
      'address',
      'entType',
    ]);
  });

  test('OPN-F02: entType is needed where there is none to inherit, and may be 01', () => {
    const sandbox = sandboxAtNoon();
    const world = { sandbox, record: opened(sandbox, anEnterprise({ entType: undefined })) };
    expectAnswer(world, { modifyType: '5' }, false);
    expectAnswer(world, { modifyType: '5', entType: '04' }, false);
    expectAnswer(world, { modifyType: '5', entType: '01' }, true);
  });
});
