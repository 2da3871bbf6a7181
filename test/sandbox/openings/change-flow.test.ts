/** Changes from application to result, and what queryInfo shows of them (CHG-15…21, ACC-05). */
import { describe, expect, test } from 'vitest';

import type { Sandbox, SandboxOptions } from '../../src/sandbox/create-sandbox.ts';
import { sandboxAtNoon } from './caller.ts';
import type { Members } from './caller.ts';
import {
  accepted,
  anEnterprise,
  aPerson,
  change,
  changed,
  changeResult,
  code,
  confirm,
  get,
  info,
  opened,
  expectRefused,
} from './opening-caller.ts';
import { call } from './orders-caller.ts';

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

  test.each(['rejectedByReview', 'rejectedByChannel'] as const)(
    'CHG-18: %s gives 3 with a reason, and the old data hold',
    (how) => {
      const { sandbox, record } = withRecord();
      sandbox.planDecisions([{ kind: 'change', result: how, remark: '卡号有误' }]);
      const asked = changed(sandbox, record, CARD);
      expect(changeResult(sandbox, asked)).toMatchObject({ state: 3, remark: '卡号有误' });
      expect(info(sandbox, record)['bindAcctInfo']).toEqual(OLD_CARD);
      expect(changeResult(sandbox, changed(sandbox, record, CARD))).toMatchObject({ state: 2 });
      expect(info(sandbox, record)['bindAcctInfo']).toEqual(NEW_CARD);
    },
  );

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
  test('CHG-15: reqNo prevails over outReqNo; one of them, smsFlowNo and smsCode are needed', () => {
    const { sandbox, record } = withRecord();
    const [first, second] = [1, 2].map(() => accepted(change(sandbox, record, { modifyType: '5' })));
    const own = code(sandbox, first ?? {}, 'MODIFY');
    const { reqNo } = first ?? {};
    const ask = (biz: Members): ReturnType<typeof call> => call(sandbox, 'acct/changeConfirm', biz);
    for (const biz of [
      own,
      { ...own, reqNo: 'CA-nobody', outReqNo: first?.['outReqNo'] },
      { ...own, reqNo, smsCode: undefined },
      { ...own, reqNo, smsFlowNo: undefined },
    ]) {
      expectRefused(sandbox, () => ask(biz));
    }
    expect(accepted(ask({ ...own, reqNo, outReqNo: second?.['outReqNo'] }))['reqNo']).toBe(reqNo);
    expect(changeResult(sandbox, second ?? {})['state']).toBe(5);
    const other = { outReqNo: second?.['outReqNo'], ...code(sandbox, second ?? {}, 'MODIFY') };
    expect(accepted(ask(other))['reqNo']).toBe(second?.['reqNo']);
  });

  test('CHG-17: it answers 7, or by a switch 5; either way it goes on', () => {
    for (const changeConfirmState of [7, 5] as const) {
      const { sandbox, record } = withRecord({ switches: { changeConfirmState, changeQueueMs: 10 } });
      const asked = accepted(change(sandbox, record, { modifyType: '5' }));
      expect(accepted(confirm(sandbox, asked))['state']).toBe(changeConfirmState);
      expect(walked(sandbox, asked, [0, 10])).toEqual([100, 2]);
    }
  });

  test('it is reviewed for as long as the switch says', () => {
    const { sandbox, record } = withRecord({ switches: { changeReviewMs: 10, changeProcessMs: 10 } });
    const asked = changed(sandbox, record, { modifyType: '5' });
    expect(walked(sandbox, asked, [0, 10, 10])).toEqual([7, 1, 2]);
  });

  test('once, and only what is pending signing', () => {
    const { sandbox, record } = withRecord();
    const asked = changed(sandbox, record, { modifyType: '5' });
    const again = code(sandbox, asked, 'MODIFY');
    expectRefused(sandbox, () => confirm(sandbox, asked, again));
    expectRefused(sandbox, () => confirm(sandbox, record, again));
  });
});

test('CHG-18: changeApplyResult takes either number, reqNo prevails, and knows changes only', () => {
  const { sandbox, record } = withRecord();
  const [first, second] = [1, 2].map(() => accepted(change(sandbox, record, { modifyType: '5' })));
  const ask = (biz: Members): ReturnType<typeof call> => call(sandbox, 'acct/changeApplyResult', biz);
  expect(ask({ outReqNo: first?.['outReqNo'] }).biz['reqNo']).toBe(first?.['reqNo']);
  expect(ask({ reqNo: first?.['reqNo'], outReqNo: second?.['outReqNo'] }).biz['reqNo']).toBe(
    first?.['reqNo'],
  );
  for (const biz of [
    {},
    { reqNo: record['reqNo'] },
    { outReqNo: record['outReqNo'] },
    { reqNo: 'CA-nobody' },
  ]) {
    expectRefused(sandbox, () => ask(biz));
  }
  expect(call(sandbox, 'acct/changeApplyResult', first, { apiKey: 'ak_sandbox_other' }).ok).toBe(false);
});
