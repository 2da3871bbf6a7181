/** Codes of openings and changes: what they are bound to, and whose phone shows them (SMS-02…06, U7, U55). */
import { describe, expect, test } from 'vitest';

import type { Sandbox } from '../../../src/sandbox/server/sandbox.ts';
import { sandboxAtNoon } from '../caller.ts';
import type { Answered, Members } from '../caller.ts';
import {
  accepted,
  anEnterprise,
  applied,
  aPerson,
  audit,
  change,
  code,
  confirm,
  INITIATOR,
  opened,
  expectRefused,
  result,
} from './opening-caller.ts';
import { call, newNumber } from '../orders/orders-caller.ts';

const RESIGN = { entPerFlag: 'E', modifyType: '5' };

/** Asks for a code and gives what the phone shows. */
function sent(sandbox: Sandbox, biz: Members): Members {
  const { smsFlowNo } = accepted(
    call(sandbox, 'acct/sendMsg/SANDBOX', { outReqNo: newNumber('S'), sceneType: 'OPEN', ...biz }),
  );
  return { smsFlowNo, smsCode: sandbox.smsCodes().find((known) => known.smsFlowNo === smsFlowNo)?.smsCode };
}

describe('OPN-14, LIM-09, SMS-06: a code of an opening', () => {
  test('U55: its life is a switch', () => {
    const sandbox = sandboxAtNoon({ switches: { smsTtlSeconds: 10 } });
    const opening = applied(sandbox);
    const own = code(sandbox, opening);
    sandbox.clock.advance(10_001);
    expectRefused(sandbox, () => audit(sandbox, opening, own));
  });

  test('once; a refusal uses it up for nothing', () => {
    const sandbox = sandboxAtNoon();
    sandbox.planDecisions([{ kind: 'opening', result: 'rejectedByChannel' }]);
    const opening = applied(sandbox);
    const own = code(sandbox, opening);
    expectRefused(sandbox, () => audit(sandbox, { ...opening, outReqNo: 'OPEN-other' }, own));
    accepted(audit(sandbox, opening, own));
    accepted(call(sandbox, 'acct/reviseApply', { ifCode: 'SANDBOX', reqNo: opening['reqNo'] }));
    expect(result(sandbox, opening)['state']).toBe(5);
    expectRefused(sandbox, () => audit(sandbox, opening, own));
    expect(audit(sandbox, opening).ok).toBe(true);
  });

  test('not one of another scene, opening, change or account', () => {
    const sandbox = sandboxAtNoon();
    sandbox.seedAccounts([{ accountNo: '100001' }]);
    const record = opened(sandbox);
    const asked = accepted(change(sandbox, record, RESIGN));
    const [opening, other] = [applied(sandbox), applied(sandbox)];
    const { reqNo } = opening;
    for (const biz of [
      { reqNo, sceneType: 'MODIFY' },
      { reqNo, sceneType: 'REFUND' },
      { reqNo: other['reqNo'] },
      { reqNo: record['reqNo'] },
      { reqNo: asked['reqNo'] },
      { reqNo: 'RQ100001' },
      { reqNo: 'SANDBOX', outReqNo: other['outReqNo'] },
    ]) {
      const foreign = sent(sandbox, biz);
      expectRefused(sandbox, () => audit(sandbox, opening, foreign));
    }
  });

  test.each<[string, (opening: Members) => Members]>([
    ['reqNo of the opening', ({ reqNo }) => ({ reqNo })],
    ['the channel code and its outReqNo', ({ outReqNo }) => ({ reqNo: 'SANDBOX', outReqNo })],
    ['the channel code alone', () => ({ reqNo: 'SANDBOX' })],
  ])('SMS-02, U7, U8: asked for with %s', (_what, biz) => {
    const sandbox = sandboxAtNoon();
    const opening = applied(sandbox);
    expect(audit(sandbox, opening, sent(sandbox, biz(opening))).ok).toBe(true);
  });

  test('a code of an opening that has no account yet refunds and withdraws nothing', () => {
    const sandbox = sandboxAtNoon({ switches: { passwordFree: false } });
    sandbox.seedAccounts([{ accountNo: '100001', balanceFen: 100 }]);
    const foreign = code(sandbox, applied(sandbox));
    const biz = { outOrderNo: 'W-1', acctNo: '100001', amount: 1 };
    expectRefused(sandbox, () => call(sandbox, 'account/withdraw', { ...biz, ...foreign }));
    const anyone = sent(sandbox, { reqNo: 'SANDBOX' });
    expect(call(sandbox, 'account/withdraw', { ...biz, ...anyone }).ok).toBe(true);
  });

  test('ACC-07: reqNo of the opening is openReqNo of its account, whose owner then refunds', () => {
    const sandbox = sandboxAtNoon();
    const payer = opened(sandbox, anEnterprise(INITIATOR), { acctRole: 'FQ' });
    const payee = opened(sandbox);
    const deposit = { payeeAcctNo: String(payer['accountNo']), amountFen: 9 };
    sandbox.seedDeposits([{ ...deposit, depositTime: '2026-03-01 12:00:00' }]);
    const order = { outOrderNo: 'O-1', body: '货款', amount: '9', payeeAcctNo: payee['accountNo'] };
    const pay = { outBatchNo: 'B-1', payerAcctNo: payer['accountNo'], num: 1, amount: 9, currency: 'CNY' };
    accepted(
      call(sandbox, 'division/pay', { ...pay, clientIp: '10.0.0.1', orderList: JSON.stringify([order]) }),
    );
    const refund = (reqNo: unknown): Answered =>
      call(sandbox, 'division/refund', {
        outBatchNo: 'B-1',
        outOrderNos: 'O-1',
        channelExtra: JSON.stringify(sent(sandbox, { reqNo, sceneType: 'REFUND' })),
      });
    expect(refund(payer['reqNo']).ok).toBe(false);
    expect(refund(payee['reqNo']).ok).toBe(true);
  });
});

describe('CHG-15, CHG-16, SMS-06: a code of a change', () => {
  function pending(): { sandbox: Sandbox; record: Members; asked: Members } {
    const sandbox = sandboxAtNoon();
    const record = opened(sandbox);
    return { sandbox, record, asked: accepted(change(sandbox, record, RESIGN)) };
  }

  test('not an invented one, not of the scene OPEN, not of another change or record', () => {
    const { sandbox, record, asked } = pending();
    const { reqNo, outReqNo } = asked;
    const other = accepted(change(sandbox, record, RESIGN));
    const stranger = opened(sandbox);
    expectRefused(sandbox, () => confirm(sandbox, asked, { smsFlowNo: 'SM-invented', smsCode: '123456' }));
    for (const biz of [
      { reqNo },
      { reqNo: 'SANDBOX', outReqNo },
      { reqNo: other['reqNo'], sceneType: 'MODIFY' },
      { reqNo: stranger['reqNo'], sceneType: 'MODIFY' },
    ]) {
      const foreign = sent(sandbox, biz);
      expectRefused(sandbox, () => confirm(sandbox, asked, foreign));
    }
    expect(confirm(sandbox, asked).ok).toBe(true);
  });

  test.each<[string, (of: { record: Members; asked: Members }) => Members]>([
    ['reqNo of the change', ({ asked }) => ({ reqNo: asked['reqNo'] })],
    ['openReqNo of its account', ({ record }) => ({ reqNo: record['reqNo'] })],
    [
      'openReqNo and its outReqNo',
      ({ record, asked }) => ({ reqNo: record['reqNo'], outReqNo: asked['outReqNo'] }),
    ],
    ['the channel code and its outReqNo', ({ asked }) => ({ reqNo: 'SANDBOX', outReqNo: asked['outReqNo'] })],
    ['the channel code alone', () => ({ reqNo: 'SANDBOX' })],
  ])('SMS-02, U7: asked for with %s', (_what, biz) => {
    const { sandbox, record, asked } = pending();
    const own = sent(sandbox, { sceneType: 'MODIFY', ...biz({ record, asked }) });
    expect(confirm(sandbox, asked, own).ok).toBe(true);
  });
});

describe('SMS-05: the phone that receives it, masked', () => {
  const shown = (sandbox: Sandbox, reqNo: unknown): Answered =>
    call(sandbox, 'acct/sendMsg/SANDBOX', { reqNo, outReqNo: 'S', sceneType: 'OPEN' });

  test('of the applicant, of the owner of the account, and nothing of one that is too short', () => {
    const sandbox = sandboxAtNoon();
    const opening = applied(sandbox, anEnterprise({ idCardPhone: '13987654321' }));
    const answer = shown(sandbox, opening['reqNo']);
    expect(answer.biz['mobile']).toBe('139****4321');
    expect(answer.text).not.toContain('13987654321');
    const person = opened(sandbox, aPerson({ settAccountPhone: '13612340000' }));
    expect(shown(sandbox, person['reqNo']).biz['mobile']).toBe('136****0000');
    const short = applied(sandbox, anEnterprise({ idCardPhone: '110' }));
    expect(shown(sandbox, short['reqNo']).biz['mobile']).toBe('****');
  });
});
