/** CTL: openings and changes on the control surface, and how they are planned. */
import { describe, expect, test } from 'vitest';

import { controlTable } from '../../../src/sandbox/control/control.ts';
import type { Sandbox } from '../../../src/sandbox/server/sandbox.ts';
import { sandboxAtNoon } from '../caller.ts';
import type { Members } from '../caller.ts';
import {
  accepted,
  anEnterprise,
  applied,
  apply,
  audit,
  change,
  changed,
  changeResult,
  get,
  opened,
  expectRefused,
  result,
} from './opening-caller.ts';

function post(sandbox: Sandbox, path: string, body: unknown): { status: number; document: Members } {
  const request = { method: 'POST', path: `/control${path}`, contentType: 'application/json' };
  const reply = sandbox.control({ ...request, body: JSON.stringify(body) });
  return { status: reply.status, document: JSON.parse(reply.body) as Members };
}

const plan = (sandbox: Sandbox, ...decisions: unknown[]): { status: number; document: Members } =>
  post(sandbox, '/decisions', { decisions });

/** The state an opening ends in. */
function ended(sandbox: Sandbox, subject?: Members, over: Members = {}): unknown {
  return opened(sandbox, subject, over)['state'];
}

describe('what is shown', () => {
  test('openings with their lives, past and to come, and the data that hold now', () => {
    const sandbox = sandboxAtNoon({ switches: { openingQueueMs: 1_000, openingProcessMs: 2_000 } });
    const subject = anEnterprise();
    const opening = applied(sandbox, subject, { outReqNo: 'OPEN-A', notifyUrl: 'http://127.0.0.1:9/' });
    accepted(audit(sandbox, opening));
    const turn = (second: number, state: number): Members => ({
      at: `2026-03-01T04:00:0${second}.000Z`,
      state,
      remark: '',
    });
    const { reqNo, recordId } = opening;
    expect(get(sandbox, '/openings')).toEqual({
      openings: [
        {
          merchant: 'main',
          reqNo,
          outReqNo: 'OPEN-A',
          recordId,
          role: 'JS',
          submittedAt: '2026-03-01T04:00:00.000Z',
          notifyUrl: 'http://127.0.0.1:9/',
          life: [turn(0, 5), turn(0, 100), turn(1, 1), turn(3, 2)],
          account: { accountNo: 'AC20260301K000004', openedAt: '2026-03-01T04:00:03.000Z' },
          subject,
        },
      ],
    });
  });

  test('changes with their lives and what they replace', () => {
    const sandbox = sandboxAtNoon();
    const record = opened(sandbox, anEnterprise({ regCapital: '1' }));
    const asked = accepted(
      change(sandbox, record, { modifyType: '5', regCapital: '2', licenseName: '不变' }),
    );
    expect(get(sandbox, '/changes')['changes']).toEqual([
      {
        merchant: 'main',
        recordId: record['recordId'],
        reqNo: asked['reqNo'],
        outReqNo: asked['outReqNo'],
        modifyType: '5',
        replaced: { regCapital: '2' },
        submittedAt: '2026-03-01T04:00:00.000Z',
        life: [{ at: '2026-03-01T04:00:00.000Z', state: 5, remark: '' }],
      },
    ]);
  });

  test('codes with the opening or change they are for', () => {
    const sandbox = sandboxAtNoon();
    const record = opened(sandbox);
    const { reqNo } = changed(sandbox, record, { modifyType: '5' });
    expect(get(sandbox, '/sms')['codes']).toMatchObject([
      { sceneType: 'OPEN', applicationNo: record['reqNo'], used: true },
      { sceneType: 'MODIFY', applicationNo: reqNo, used: true },
    ]);
  });

  test('the table of docs/sandbox.md names the paths', () => {
    for (const path of ['GET /control/openings', 'GET /control/changes', 'POST /control/decisions/drop']) {
      expect(controlTable()).toContain(`\`${path}\``);
    }
  });
});

describe('what is planned', () => {
  test('decides once, always, or so many times; a refused call uses none up', () => {
    const sandbox = sandboxAtNoon();
    const rejected = { kind: 'opening', result: 'rejectedByChannel' };
    expect(plan(sandbox, rejected, { ...rejected, times: 2 }).document).toEqual({ nos: [1, 2] });
    expectRefused(sandbox, () => apply(sandbox, anEnterprise({ address: '' })));
    expect([1, 2, 3, 4].map(() => ended(sandbox))).toEqual([3, 3, 3, 2]);
    plan(sandbox, { ...rejected, times: null });
    expect(get(sandbox, '/decisions')['decisions']).toMatchObject([{ no: 3, left: null }]);
    expect([1, 2].map(() => ended(sandbox))).toEqual([3, 3]);
    post(sandbox, '/decisions/drop', { no: 3 });
    expect(ended(sandbox)).toBe(2);
    expect(get(sandbox, '/decisions')['decisions']).toEqual([]);
  });

  test('for one opening, one subject, one record, and for any', () => {
    const sandbox = sandboxAtNoon();
    const of = (over: Members): Members => ({ kind: 'opening', result: 'rejectedByChannel', ...over });
    plan(sandbox, of({ outReqNo: 'OPEN-A' }), of({ subjectId: 'L-7' }));
    expect(ended(sandbox)).toBe(2);
    expect(ended(sandbox, anEnterprise(), { outReqNo: 'OPEN-A' })).toBe(3);
    expect(ended(sandbox, anEnterprise({ licenseNo: 'L-7' }))).toBe(3);
    const [record, other] = [opened(sandbox), opened(sandbox)];
    plan(sandbox, { kind: 'change', recordId: other['recordId'], result: 'rejectedByChannel' });
    const end = (of_: Members): unknown =>
      changeResult(sandbox, changed(sandbox, of_, { modifyType: '5' }))['state'];
    expect([end(record), end(other), end(other)]).toEqual([2, 3, 2]);
  });

  test('between application and confirmation it still decides', () => {
    const sandbox = sandboxAtNoon();
    const opening = applied(sandbox);
    plan(sandbox, { kind: 'opening', result: 'rejectedByChannel' });
    accepted(audit(sandbox, opening));
    expect(result(sandbox, opening)['state']).toBe(3);
  });

  test('what addApply answers, and how long each state lasts', () => {
    const sandbox = sandboxAtNoon();
    plan(sandbox, { kind: 'opening', firstState: 7, reviewMs: 1, queueMs: 2, processMs: 3, manualMs: 4 });
    const opening = applied(sandbox);
    expect(opening['state']).toBe(7);
    const seen = [0, 1].map((ms) => {
      sandbox.clock.advance(ms);
      return result(sandbox, opening)['state'];
    });
    accepted(audit(sandbox, opening));
    for (const ms of [0, 2, 3, 4]) {
      sandbox.clock.advance(ms);
      seen.push(result(sandbox, opening)['state']);
    }
    expect(seen).toEqual([7, 5, 100, 1, 11, 2]);
  });

  test.each([
    [{ kind: 'refund' }],
    [{ kind: 'opening', result: 'maybe' }],
    [{ kind: 'opening', recordId: '1' }],
    [{ kind: 'change', subjectId: '1' }],
    [{ kind: 'change', accountState: '2' }],
    [{ kind: 'opening', queueMs: -1 }],
    [{ kind: 'opening', states: [] }],
  ])('a wrong plan is refused, and none of its list is made: %j', (wrong) => {
    const sandbox = sandboxAtNoon();
    expect(plan(sandbox, { kind: 'opening' }, wrong).status).toBe(400);
    expect(get(sandbox, '/decisions')['decisions']).toEqual([]);
  });
});
