/** What a change replaces and when, as queryInfo shows it (CHG-19…21, ACC-05). */
import { describe, expect, test } from 'vitest';

import type { Sandbox } from '../../../src/sandbox/server/sandbox.ts';
import type { SandboxOptions } from '../../../src/sandbox/server/create-sandbox.ts';
import { sandboxAtNoon } from '../caller.ts';
import type { Members } from '../caller.ts';
import {
  accepted,
  anEnterprise,
  aPerson,
  change,
  changed,
  changeResult,
  confirm,
  get,
  info,
  opened,
} from './opening-caller.ts';
import { call } from '../orders/orders-caller.ts';

const CARD = {
  modifyType: '4',
  settAccountNo: '6222000000000099',
  settAccountType: 'P',
  settAccountName: '张法人',
  settAccountPhone: '13600000000',
  bindAcctInnerFlag: '1',
};
const OLD_CARD = {
  bankAccountNo: '6222000000000001',
  bankAccountName: '某某商贸',
  mobile: '',
  instBranchCode: '102100000001',
  accountType: 'E',
  whiteType: 'OUT',
};
const NEW_CARD = {
  bankAccountNo: '6222000000000099',
  bankAccountName: '张法人',
  mobile: '13600000000',
  instBranchCode: '',
  accountType: 'P',
  whiteType: 'OUT',
};

function withRecord(
  options: SandboxOptions = {},
  subject: Members = anEnterprise(),
): {
  sandbox: Sandbox;
  record: Members;
} {
  const sandbox = sandboxAtNoon(options);
  return { sandbox, record: opened(sandbox, subject) };
}

const walked = (sandbox: Sandbox, asked: Members, waits: readonly number[]): unknown[] =>
  waits.map((ms) => {
    sandbox.clock.advance(ms);
    return changeResult(sandbox, asked)['state'];
  });

describe('CHG-21: the whole flow', () => {
  test('CHG-19, CHG-20: applied, confirmed, 100, 1, 2; the new card shows from then on, not before', () => {
    const { sandbox, record } = withRecord({ switches: { changeQueueMs: 100, changeProcessMs: 200 } });
    const asked = accepted(change(sandbox, record, CARD));
    expect(asked['state']).toBe(5);
    expect(asked['reqNo']).toMatch(/^CA20260301K\d{6}$/);
    expect(changeResult(sandbox, asked)['state']).toBe(5);
    expect(accepted(confirm(sandbox, asked))).toEqual({ ...asked, state: 7 });
    expect(walked(sandbox, asked, [0, 99, 1, 199])).toEqual([100, 100, 1, 1]);
    expect(info(sandbox, record)['bindAcctInfo']).toEqual(OLD_CARD);
    sandbox.clock.advance(1);
    const { accountNo, eleAcctNo } = record;
    expect(changeResult(sandbox, asked)).toEqual({ reqNo: asked['reqNo'], state: 2, accountNo, eleAcctNo });
    expect(info(sandbox, record)['bindAcctInfo']).toEqual(NEW_CARD);
    sandbox.clock.advance(-1);
    expect(info(sandbox, record)['bindAcctInfo']).toEqual(OLD_CARD);
  });

  test('a withdrawal goes to the new card', () => {
    const { sandbox, record } = withRecord();
    const acctNo = String(record['accountNo']);
    sandbox.seedDeposits([{ payeeAcctNo: acctNo, amountFen: 9, depositTime: '2026-03-01 12:00:00' }]);
    changed(sandbox, record, CARD);
    expect(call(sandbox, 'account/withdraw', { outOrderNo: 'W-1', acctNo, amount: 9 }).ok).toBe(true);
    const [withdrawal] = get(sandbox, '/withdrawals')['withdrawals'] as Members[];
    expect(withdrawal).toMatchObject({ bankAccountNo: '6222000000000099', payment: 'personal' });
  });

  test('an individual changes the bound card and the name', () => {
    const { sandbox, record } = withRecord({}, aPerson());
    const bound = { settAccountNo: '6222000000000088', settAccountName: '王新名' };
    changed(sandbox, record, { settAccountPhone: '13600000001', idCardName: '王新名', ...bound });
    expect(info(sandbox, record)).toMatchObject({
      eleAcctName: '王新名',
      bindAcctInfo: { bankAccountNo: '6222000000000088', mobile: '13600000001', accountType: 'P' },
    });
  });
});

describe('what a change replaces', () => {
  const whole = anEnterprise({
    ...CARD,
    licenseName: '新商贸',
    idCardName: '赵法人',
    settAccountPhone: '13600000000',
  });

  test.each<[string, string, string]>([
    ['1', '新商贸', '6222000000000001'],
    ['2', '某某商贸', '6222000000000001'],
    ['4', '某某商贸', '6222000000000099'],
    ['5', '某某商贸', '6222000000000001'],
    ['1|4', '新商贸', '6222000000000099'],
  ])('modifyType %s takes over what it is about, and nothing else', (modifyType, name, bankAccountNo) => {
    const { sandbox, record } = withRecord({}, anEnterprise({ licenseNo: whole['licenseNo'] }));
    changed(sandbox, record, { ...whole, modifyType });
    expect(info(sandbox, record)).toMatchObject({ eleAcctName: name, bindAcctInfo: { bankAccountNo } });
  });

  test('one after the other: the later ends later, and each keeps what the other does not name', () => {
    const { sandbox, record } = withRecord({}, anEnterprise({ licenseNo: whole['licenseNo'] }));
    sandbox.planDecisions([
      { kind: 'change', outReqNo: 'SLOW', processMs: 1_000 },
      { kind: 'change', outReqNo: 'QUICK', processMs: 10 },
    ]);
    const slow = accepted(change(sandbox, record, { ...whole, modifyType: '1' }, { outReqNo: 'SLOW' }));
    const quick = accepted(
      change(sandbox, record, { ...whole, licenseName: '快商贸', modifyType: '1|4' }, { outReqNo: 'QUICK' }),
    );
    for (const asked of [slow, quick]) accepted(confirm(sandbox, asked));
    const names = [10, 990].map((ms) => {
      sandbox.clock.advance(ms);
      return info(sandbox, record)['eleAcctName'];
    });
    expect(names).toEqual(['快商贸', '新商贸']);
    expect(info(sandbox, record)).toMatchObject({ bindAcctInfo: { bankAccountNo: '6222000000000099' } });
  });
});

describe('changeConfirm', () => {
  test('it is reviewed for as long as the switch says', () => {
    const { sandbox, record } = withRecord({ switches: { changeReviewMs: 10, changeProcessMs: 10 } });
    const asked = changed(sandbox, record, { modifyType: '5' });
    expect(walked(sandbox, asked, [0, 10, 10])).toEqual([7, 1, 2]);
  });
});
