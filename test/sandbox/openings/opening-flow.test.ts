/** Openings from application to account (OPN-18, OPN-23…26, U12, U13, U20, U21, ACC-02, ENV-28). */
import { describe, expect, test } from 'vitest';

import type { Sandbox } from '../../../src/sandbox/server/sandbox.ts';
import { sandboxAtNoon } from '../caller.ts';
import type { Members } from '../caller.ts';
import {
  accepted,
  anEnterprise,
  applied,
  apply,
  audit,
  get,
  info,
  INITIATOR,
  opened,
  expectRefused,
  result,
  revise,
} from './opening-caller.ts';
import { call, money } from '../orders/orders-caller.ts';

/** States an opening shows, looked at after so many ms each. */
function walked(sandbox: Sandbox, opening: Members, waits: readonly number[]): unknown[] {
  return waits.map((ms) => {
    sandbox.clock.advance(ms);
    return result(sandbox, opening)['state'];
  });
}

describe('OPN-26: the whole flow', () => {
  test('OPN-11, OPN-15, OPN-24, OPN-25, ACC-02: applied, confirmed, opened, asked for', () => {
    const sandbox = sandboxAtNoon();
    const subject = anEnterprise();
    const opening = applied(sandbox, subject, { outReqNo: 'OPEN-A' });
    expect(opening).toEqual({
      reqNo: 'OA20260301K000001',
      outReqNo: 'OPEN-A',
      state: 5,
      recordId: '1202603010000000002',
    });
    expect(result(sandbox, opening)).toEqual(opening);
    expect(accepted(audit(sandbox, opening))).toEqual({ ...opening, state: 100 });
    const done = result(sandbox, opening);
    expect(done).toEqual({
      ...opening,
      state: 2,
      accountNo: 'AC20260301K000004',
      eleAcctNo: 'EA20260301K000005',
      accountState: '1',
    });
    expect(info(sandbox, done)).toEqual({
      accountNo: done['accountNo'],
      eleAcctNo: done['eleAcctNo'],
      eleAcctName: '某某商贸',
      accountState: '1',
      balance: 0,
      frozen: 0,
      availableBalance: 0,
      bindAcctInfo: {
        bankAccountNo: '6222000000000001',
        bankAccountName: '某某商贸',
        mobile: '',
        instBranchCode: '102100000001',
        accountType: 'E',
        whiteType: 'OUT',
      },
      whiteAcctList: [],
      openReqNo: opening['reqNo'],
      remark: '',
    });
  });

  test('OPN-25, U12: by a switch another member carries recordId', () => {
    const sandbox = sandboxAtNoon({ switches: { recordIdName: 'openRecordId' } });
    expect(applied(sandbox)['openRecordId']).toMatch(/^\d{19}$/);
  });

  test('a new payee can be paid and a new initiator can pay', () => {
    const sandbox = sandboxAtNoon();
    const payer = opened(sandbox, anEnterprise(INITIATOR), { acctRole: 'FQ' });
    const payee = opened(sandbox);
    const [payerAcctNo, payeeAcctNo] = [String(payer['accountNo']), String(payee['accountNo'])];
    sandbox.seedDeposits([{ payeeAcctNo: payerAcctNo, amountFen: 500, depositTime: '2026-03-01 12:00:00' }]);
    const orderList = JSON.stringify([{ outOrderNo: 'O-1', body: '货款', amount: '200', payeeAcctNo }]);
    const biz = { outBatchNo: 'B-1', payerAcctNo, num: 1, amount: 200, currency: 'CNY', orderList };
    expect(call(sandbox, 'division/pay', { ...biz, clientIp: '10.0.0.1' }).ok).toBe(true);
    expect([money(sandbox, payerAcctNo), money(sandbox, payeeAcctNo)]).toEqual([
      [300, 0],
      [200, 0],
    ]);
    const withdrawal = { outOrderNo: 'W-1', acctNo: payeeAcctNo, amount: 50 };
    expect(call(sandbox, 'account/withdraw', withdrawal).ok).toBe(true);
    expect(money(sandbox, payeeAcctNo)).toEqual([150, 0]);
  });
});

describe('OPN-18: the states it walks through', () => {
  test('U20: by a switch it is reviewed after it was signed', () => {
    const switches = {
      reviewAfterSigning: true,
      openingQueueMs: 10,
      openingReviewMs: 20,
      openingProcessMs: 30,
    };
    const sandbox = sandboxAtNoon({ switches });
    const opening = applied(sandbox);
    accepted(audit(sandbox, opening));
    expect(walked(sandbox, opening, [0, 10, 20, 30])).toEqual([100, 7, 1, 2]);
    sandbox.planDecisions([{ kind: 'opening', result: 'rejectedByReview' }]);
    const other = applied(sandbox);
    accepted(audit(sandbox, other));
    expect(walked(sandbox, other, [0, 10, 20])).toEqual([100, 7, 8]);
  });

  test('OPN-23, U13: by a switch a resubmission waits to be signed at once', () => {
    const sandbox = sandboxAtNoon({ switches: { reviseApplyState: 5 } });
    sandbox.planDecisions([{ kind: 'opening', result: 'rejectedByChannel' }]);
    const opening = applied(sandbox);
    accepted(audit(sandbox, opening));
    expect(result(sandbox, opening)).toMatchObject({ state: 3, remark: '渠道审核驳回' });
    expect(accepted(revise(sandbox, opening))['state']).toBe(5);
    expect(result(sandbox, opening)['state']).toBe(5);
    expect(result(sandbox, opening)).not.toHaveProperty('remark');
  });

  test('states nobody knows can be planned', () => {
    const sandbox = sandboxAtNoon();
    const states = [
      { afterMs: 0, state: 12 },
      { afterMs: 50, state: 2 },
    ];
    sandbox.planDecisions([{ kind: 'opening', states }]);
    const opening = applied(sandbox);
    accepted(audit(sandbox, opening));
    expect(walked(sandbox, opening, [0, 50])).toEqual([12, 2]);
    expect(() => sandbox.planDecisions([{ kind: 'opening', states: states.toReversed() }])).not.toThrow();
    const back = [...states, { afterMs: 60, state: 3 }];
    expect(() => sandbox.planDecisions([{ kind: 'opening', states: back }])).toThrow('wrong decision 1');
  });
});

describe('the account', () => {
  test('OPN-18: is not there before the opening has succeeded, wherever one looks', () => {
    const sandbox = sandboxAtNoon({ switches: { openingProcessMs: 1_000 } });
    const opening = applied(sandbox);
    accepted(audit(sandbox, opening));
    sandbox.clock.advance(1_000);
    const { accountNo } = result(sandbox, opening);
    sandbox.clock.advance(-1);
    expect(result(sandbox, opening)).toEqual({ ...opening, state: 1 });
    expect(get(sandbox, '/accounts')['accounts']).toEqual([]);
    for (const biz of [{ accountNo }, { reqNo: opening['reqNo'] }]) {
      expectRefused(sandbox, () => call(sandbox, 'acct/queryInfo', biz));
    }
    const deposit = { payeeAcctNo: String(accountNo), amountFen: 5, depositTime: '2026-03-01 12:00:00' };
    expect(() => sandbox.seedDeposits([deposit])).toThrow('is closed');
    const interest = { kind: 'interest' as const, accountNo: String(accountNo), amountFen: 5 };
    expect(() => sandbox.seedMovements([interest])).toThrow('is not opened yet');
    expectRefused(sandbox, () =>
      call(sandbox, 'account/withdraw', { outOrderNo: 'W', acctNo: accountNo, amount: 1 }),
    );
    sandbox.clock.advance(1);
    expect(info(sandbox, { accountNo })['openReqNo']).toBe(opening['reqNo']);
    expect(call(sandbox, 'acct/queryInfo', { reqNo: opening['reqNo'] }).biz['accountNo']).toBe(accountNo);
  });

  test('U21: is pending activation where that is planned, and moves money once it is activated', () => {
    const sandbox = sandboxAtNoon();
    sandbox.planDecisions([{ kind: 'opening', accountState: '2', activatedAfterMs: 1_000 }]);
    const done = opened(sandbox);
    expect(done['accountState']).toBe('2');
    const payeeAcctNo = String(done['accountNo']);
    sandbox.seedDeposits([{ payeeAcctNo, amountFen: 5, depositTime: '2026-03-01 12:00:00' }]);
    const withdraw = (): ReturnType<typeof call> =>
      call(sandbox, 'account/withdraw', { outOrderNo: 'W-1', acctNo: payeeAcctNo, amount: 1 });
    expectRefused(sandbox, withdraw);
    sandbox.clock.advance(1_000);
    expect(info(sandbox, done)['accountState']).toBe('1');
    expect(withdraw().ok).toBe(true);
  });

  test('its state is a switch', () => {
    expect(opened(sandboxAtNoon({ switches: { openedAccountState: '2' } }))['accountState']).toBe('2');
  });

  test('ENV-28: another company sees neither the opening nor the account', () => {
    const sandbox = sandboxAtNoon({
      credentials: [
        { mode: 'apiKey', id: 'ak_sandbox_main', secret: 'synthetic-api-secret-main', merchant: 'main' },
        { mode: 'apiKey', id: 'ak_other', secret: 'synthetic-api-secret-main', merchant: 'other' },
      ],
    });
    const subject = anEnterprise();
    const done = opened(sandbox, subject, { outReqNo: 'OPEN-A' });
    const asOther = (endpoint: string, biz: Members): ReturnType<typeof call> =>
      call(sandbox, endpoint, biz, { apiKey: 'ak_other' });
    expectRefused(sandbox, () => asOther('acct/auditApplyResult', { reqNo: done['reqNo'] }));
    expectRefused(sandbox, () => asOther('acct/queryInfo', { accountNo: done['accountNo'] }));
    const biz = { ifCode: 'SANDBOX', outReqNo: 'OPEN-A', acctRole: 'JS', subjectInfo: subject };
    expect(asOther('acct/addApply', biz).ok).toBe(true);
  });
});

test('one seed, one sandbox: the same calls open the same accounts', () => {
  const numbers = (): unknown => {
    const sandbox = sandboxAtNoon({ seed: 7 });
    const first = opened(sandbox, anEnterprise({ licenseNo: 'L-1' }), { outReqNo: 'OPEN-1' });
    return [first, apply(sandbox, anEnterprise({ licenseNo: 'L-2' }), { outReqNo: 'OPEN-2' }).biz];
  };
  expect(numbers()).toEqual(numbers());
});
