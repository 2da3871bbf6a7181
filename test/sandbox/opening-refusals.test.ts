/** What addApply, auditApply, auditApplyResult and reviseApply refuse (OPN-06…22, LIM-03, ERR-06). */
import { describe, expect, test } from 'vitest';

import type { Sandbox } from '../../src/sandbox/create-sandbox.ts';
import { sandboxAtNoon } from './caller.ts';
import type { Members } from './caller.ts';
import {
  accepted,
  anEnterprise,
  applied,
  apply,
  aPerson,
  audit,
  code,
  get,
  INITIATOR,
  expectRefused,
  result,
  revise,
} from './opening-caller.ts';
import { call } from './orders-caller.ts';

describe('addApply', () => {
  test.each<[string, Members]>([
    ['OPN-06: no ifCode', { ifCode: undefined }],
    ['OPN-06: another ifCode', { ifCode: 'OTHER' }],
    ['OPN-07: no outReqNo', { outReqNo: undefined }],
    ['OPN-07, LIM-03: outReqNo of 33', { outReqNo: 'o'.repeat(33) }],
    ['OPN-08: no acctRole', { acctRole: undefined }],
    ['OPN-08: another acctRole', { acctRole: 'XX' }],
    ['OPN-08: acctRole in another letter case', { acctRole: 'js' }],
    ['OPN-09: no subjectInfo', { subjectInfo: undefined }],
    ['OPN-09: subjectInfo as a JSON string', { subjectInfo: JSON.stringify(anEnterprise()) }],
    ['OPN-09: subjectInfo as a list', { subjectInfo: [anEnterprise()] }],
    ['OPN-10: notifyUrl that is no text', { notifyUrl: { url: 'https://a.example' } }],
  ])('%s is refused', (_what, over) => {
    const sandbox = sandboxAtNoon();
    expectRefused(sandbox, () => apply(sandbox, undefined, over));
  });

  test.each<[string, Members]>([
    ['OPN-07, LIM-03: outReqNo of 32', { outReqNo: 'o'.repeat(32) }],
    ['OPN-10: no notifyUrl', { notifyUrl: undefined }],
    ['ENV-32: a member nobody knows', { other: 1 }],
  ])('%s is accepted', (_what, over) => {
    expect(apply(sandboxAtNoon(), undefined, over).ok).toBe(true);
  });

  test('OPN-07: outReqNo is used up by the first that is accepted, whatever becomes of it', () => {
    const sandbox = sandboxAtNoon();
    const own = { outReqNo: 'OPEN-1' };
    expectRefused(sandbox, () => apply(sandbox, anEnterprise({ entPerFlag: 'X' }), own));
    sandbox.planDecisions([{ kind: 'opening', result: 'rejectedByChannel' }]);
    const opening = applied(sandbox, anEnterprise(), own);
    accepted(audit(sandbox, opening));
    expect(result(sandbox, opening)['state']).toBe(3);
    expectRefused(sandbox, () => apply(sandbox, anEnterprise(), own));
  });

  test('OPN-11: the state is a number, 5 or by a switch 7', () => {
    expect(applied(sandboxAtNoon())['state']).toBe(5);
    expect(applied(sandboxAtNoon({ switches: { addApplyState: 7 } }))['state']).toBe(7);
    expect(applied(sandboxAtNoon({ switches: { numbersAs: 'string' } }))['state']).toBe(5);
  });
});

describe('auditApply', () => {
  function pending(): { sandbox: Sandbox; opening: Members; whole: Members } {
    const sandbox = sandboxAtNoon();
    const { reqNo, outReqNo } = applied(sandbox);
    const opening = { reqNo, outReqNo };
    return { sandbox, opening, whole: { ...opening, ...code(sandbox, opening) } };
  }

  test.each(['smsFlowNo', 'smsCode', 'reqNo', 'outReqNo'])('OPN-12: without %s it is refused', (name) => {
    const { sandbox, whole } = pending();
    for (const value of [undefined, '', null]) {
      expectRefused(sandbox, () => call(sandbox, 'acct/auditApply', { ...whole, [name]: value }));
    }
    expect(call(sandbox, 'acct/auditApply', whole).ok).toBe(true);
  });

  test('OPN-13: reqNo and outReqNo belong together', () => {
    const { sandbox, opening, whole } = pending();
    const other = applied(sandbox);
    for (const mixed of [
      { reqNo: other['reqNo'] },
      { outReqNo: other['outReqNo'] },
      { reqNo: 'OA-nobody' },
    ]) {
      expectRefused(sandbox, () => call(sandbox, 'acct/auditApply', { ...whole, ...mixed }));
    }
    expect(result(sandbox, opening)['state']).toBe(5);
  });

  test('OPN-16: it is confirmed once, and not after it is opened or rejected', () => {
    const sandbox = sandboxAtNoon({ switches: { openingProcessMs: 1_000 } });
    const opening = applied(sandbox);
    accepted(audit(sandbox, opening));
    const again = code(sandbox, opening);
    expectRefused(sandbox, () => audit(sandbox, opening, again));
    sandbox.clock.advance(1_000);
    expectRefused(sandbox, () => audit(sandbox, opening, again));
    for (const [how, state] of [
      ['rejectedByReview', 8],
      ['rejectedByChannel', 3],
    ] as const) {
      sandbox.planDecisions([{ kind: 'opening', result: how }]);
      const rejected = applied(sandbox);
      accepted(audit(sandbox, rejected));
      sandbox.clock.advance(1_000);
      expect(result(sandbox, rejected)['state']).toBe(state);
      const late = code(sandbox, rejected);
      expectRefused(sandbox, () => audit(sandbox, rejected, late));
    }
  });

  test('a clock that was set back does not let it be confirmed twice', () => {
    const sandbox = sandboxAtNoon();
    const opening = applied(sandbox);
    sandbox.clock.advance(10_000);
    accepted(audit(sandbox, opening));
    sandbox.clock.advance(-5_000);
    expect(result(sandbox, opening)['state']).toBe(5);
    const again = code(sandbox, opening);
    expectRefused(sandbox, () => audit(sandbox, opening, again));
  });
});

describe('auditApplyResult', () => {
  test('OPN-17: reqNo alone or with its outReqNo; not without, not with another', () => {
    const sandbox = sandboxAtNoon();
    const [opening, other] = [applied(sandbox), applied(sandbox)];
    const ask = (biz: Members): ReturnType<typeof call> => call(sandbox, 'acct/auditApplyResult', biz);
    const { reqNo, outReqNo } = opening;
    expect(ask({ reqNo }).biz).toEqual(opening);
    expect(ask({ reqNo, outReqNo }).biz).toEqual(opening);
    for (const biz of [{}, { outReqNo }, { reqNo, outReqNo: other['outReqNo'] }, { reqNo: 'OA-nobody' }]) {
      expectRefused(sandbox, () => ask(biz));
    }
  });
});

/** An opening the channel has rejected. */
function rejected(sandbox: Sandbox, subject: Members = anEnterprise(), over: Members = {}): Members {
  sandbox.planDecisions([{ kind: 'opening', result: 'rejectedByChannel' }]);
  const opening = applied(sandbox, subject, over);
  accepted(audit(sandbox, opening));
  return opening;
}

describe('reviseApply', () => {
  test('OPN-19: reqNo prevails over outReqNo; one is needed', () => {
    const sandbox = sandboxAtNoon();
    const [first, second] = [rejected(sandbox), rejected(sandbox)];
    expectRefused(sandbox, () => call(sandbox, 'acct/reviseApply', { ifCode: 'SANDBOX' }));
    expectRefused(sandbox, () => revise(sandbox, { reqNo: 'OA-nobody' }, { outReqNo: first['outReqNo'] }));
    expect(accepted(revise(sandbox, first, { outReqNo: second['outReqNo'] }))['reqNo']).toBe(first['reqNo']);
    expect([result(sandbox, first)['state'], result(sandbox, second)['state']]).toEqual([5, 3]);
    expect(accepted(revise(sandbox, {}, { outReqNo: second['outReqNo'] }))['reqNo']).toBe(second['reqNo']);
  });

  test('OPN-20: ifCode is needed and is the channel code', () => {
    const sandbox = sandboxAtNoon();
    const opening = rejected(sandbox);
    for (const ifCode of [undefined, 'OTHER'])
      expectRefused(sandbox, () => revise(sandbox, opening, { ifCode }));
    expect(revise(sandbox, opening).ok).toBe(true);
  });

  test('OPN-21: subjectInfo that is left out stays; given it is checked, with entType', () => {
    const sandbox = sandboxAtNoon();
    const opening = rejected(sandbox, anEnterprise({ licenseNo: 'L-1', entType: undefined }));
    for (const subjectInfo of [
      anEnterprise({ licenseNo: 'L-1', entType: undefined }),
      anEnterprise({ licenseNo: 'L-1', entType: '04' }),
      anEnterprise({ licenseNo: 'L-1', address: '' }),
      JSON.stringify(anEnterprise({ licenseNo: 'L-1' })),
    ]) {
      expectRefused(sandbox, () => revise(sandbox, opening, { subjectInfo }));
    }
    const subjectInfo = anEnterprise({ licenseNo: 'L-1', entType: '01', licenseName: '改名商贸' });
    accepted(revise(sandbox, opening, { subjectInfo }));
    accepted(audit(sandbox, opening));
    const shown = get(sandbox, '/openings')['openings'] as { subject: Members }[];
    expect(shown[0]?.subject).toEqual(subjectInfo);
    const kept = rejected(sandbox, anEnterprise({ licenseNo: 'L-2', entType: undefined }));
    expect(revise(sandbox, kept).ok).toBe(true);
  });

  test('OPN-22: only what is rejected is submitted again', () => {
    const switches = {
      addApplyState: 7,
      openingReviewMs: 10,
      openingQueueMs: 10,
      openingProcessMs: 10,
    } as const;
    const sandbox = sandboxAtNoon({ switches: { ...switches, openingManualMs: 10 } });
    const opening = applied(sandbox);
    for (const state of [7, 5, 100, 1, 11, 2]) {
      expect(result(sandbox, opening)['state']).toBe(state);
      expectRefused(sandbox, () => revise(sandbox, opening));
      if (state === 5) accepted(audit(sandbox, opening));
      else sandbox.clock.advance(10);
    }
    sandbox.planDecisions([{ kind: 'opening', result: 'rejectedByReview' }]);
    const rejectedOne = applied(sandbox);
    sandbox.clock.advance(10);
    expect(result(sandbox, rejectedOne)['state']).toBe(8);
    expect(revise(sandbox, rejectedOne).ok).toBe(true);
    expectRefused(sandbox, () => revise(sandbox, rejectedOne));
  });

  test('OPN-02, OPN-03: not while another opening of the subject is under review, not once it has its account', () => {
    const sandbox = sandboxAtNoon();
    const subject = anEnterprise();
    const first = rejected(sandbox, subject);
    const second = applied(sandbox, subject);
    expectRefused(sandbox, () => revise(sandbox, first));
    accepted(audit(sandbox, second));
    expectRefused(sandbox, () => revise(sandbox, first));
    const stranger = rejected(sandbox);
    expectRefused(sandbox, () => revise(sandbox, stranger, { subjectInfo: subject }));
  });

  test('OPN-05: an initiator cannot become an individual', () => {
    const sandbox = sandboxAtNoon();
    const opening = rejected(sandbox, anEnterprise(INITIATOR), { acctRole: 'FQ' });
    expectRefused(sandbox, () => revise(sandbox, opening, { subjectInfo: aPerson(INITIATOR) }));
  });
});
