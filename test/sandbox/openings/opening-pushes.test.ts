/** Pushes of results of openings and changes (EVT-01, EVT-02, EVT-06, U40, U41, U53, U58). */
import { describe, expect, test } from 'vitest';

import type { Sandbox } from '../../../src/sandbox/server/sandbox.ts';
import type { SandboxOptions } from '../../../src/sandbox/server/create-sandbox.ts';
import {
  API_KEY,
  API_SECRET,
  APP_ID,
  APP_SECRET,
  md5,
  md5Signed,
  members,
  sandboxAtNoon,
  send,
  textToSign,
} from '../caller.ts';
import type { Members } from '../caller.ts';
import {
  accepted,
  anEnterprise,
  applied,
  applyBiz,
  audit,
  change,
  changed,
  changeResult,
  confirm,
  opened,
  result,
  revise,
} from './opening-caller.ts';

const URL = 'http://127.0.0.1:9/opening';

/** Delivers what is due and gives what was sent where, whatever the form. */
async function delivered(sandbox: Sandbox, answer = 'success'): Promise<{ url: string; biz: Members }[]> {
  const got: { url: string; biz: Members }[] = [];
  await sandbox.deliverPushes(({ url, body }) => {
    const { bizData } = JSON.parse(body) as { bizData: string };
    got.push({ url, biz: JSON.parse(bizData) as Members });
    return Promise.resolve({ status: 200, body: answer });
  });
  return got;
}

function withUrl(options: SandboxOptions = {}): { sandbox: Sandbox; opening: Members } {
  const sandbox = sandboxAtNoon(options);
  return { sandbox, opening: applied(sandbox, undefined, { notifyUrl: URL }) };
}

describe('EVT-01: the result of an opening', () => {
  test('EVT-02: a success is pushed once, as auditApplyResult has it, with recordId', async () => {
    const { sandbox, opening } = withUrl({ switches: { openingProcessMs: 1_000 } });
    accepted(audit(sandbox, opening));
    sandbox.clock.advance(999);
    expect(await delivered(sandbox)).toEqual([]);
    sandbox.clock.advance(1);
    expect(await delivered(sandbox)).toEqual([{ url: URL, biz: result(sandbox, opening) }]);
    sandbox.clock.advance(3_600_000);
    expect(await delivered(sandbox)).toEqual([]);
    expect(sandbox.pushes()).toMatchObject([
      { no: 1, kind: 'opening', url: URL, reqNo: opening['reqNo'], eventAt: '2026-03-01T04:00:01.000Z' },
    ]);
  });

  test.each([
    ['rejectedByReview', 8],
    ['rejectedByChannel', 3],
  ] as const)(
    '%s is pushed with its reason; accountNo is empty, or by a switch absent (U58)',
    async (how, state) => {
      for (const rejectedAccountNo of ['empty', 'absent'] as const) {
        const sandbox = sandboxAtNoon({ switches: { rejectedAccountNo } });
        sandbox.planDecisions([{ kind: 'opening', result: how, remark: '资料不全' }]);
        const opening = applied(sandbox, undefined, { notifyUrl: URL });
        accepted(audit(sandbox, opening));
        const [push, ...others] = await delivered(sandbox);
        const accountNo = rejectedAccountNo === 'empty' ? { accountNo: '' } : {};
        expect(push?.biz).toEqual({ ...opening, state, remark: '资料不全', ...accountNo });
        expect(others).toEqual([]);
      }
    },
  );

  test('each submission has its own; what a rejection said is said again after a success', async () => {
    const sandbox = sandboxAtNoon();
    sandbox.planDecisions([{ kind: 'opening', result: 'rejectedByChannel' }]);
    const opening = applied(sandbox, undefined, { notifyUrl: URL });
    accepted(audit(sandbox, opening));
    accepted(revise(sandbox, opening));
    accepted(audit(sandbox, opening));
    const states = (await delivered(sandbox)).map(({ biz }) => [biz['state'], biz['accountNo']]);
    expect(states).toEqual([
      [3, ''],
      [2, result(sandbox, opening)['accountNo']],
    ]);
  });

  test('a rejection before it was signed is pushed as well', async () => {
    const sandbox = sandboxAtNoon({ switches: { addApplyState: 7, openingReviewMs: 1_000 } });
    sandbox.planDecisions([{ kind: 'opening', result: 'rejectedByReview' }]);
    const opening = applied(sandbox, undefined, { notifyUrl: URL });
    expect(await delivered(sandbox)).toEqual([]);
    sandbox.clock.advance(1_000);
    expect(await delivered(sandbox)).toMatchObject([{ biz: { reqNo: opening['reqNo'], state: 8 } }]);
  });

  test.each([
    ['API key', API_KEY, API_SECRET],
    ['app', APP_ID, APP_SECRET],
  ])('U53: it is signed for whoever applied: %s', async (_mode, credential, secret) => {
    const sandbox = sandboxAtNoon();
    const body = md5Signed(members(applyBiz(anEnterprise(), { notifyUrl: URL }), credential), secret);
    accepted(audit(sandbox, send(sandbox, 'acct/addApply', body).biz));
    const bodies: string[] = [];
    await sandbox.deliverPushes((push) => {
      bodies.push(push.body);
      return Promise.resolve({ status: 200, body: 'success' });
    });
    const envelope = JSON.parse(bodies[0] ?? '') as Members;
    const text = textToSign(envelope, ['bizData', 'signType', 'timestamp']);
    expect(envelope['sign']).toBe(md5(`${text}&appSecret=${secret}`));
  });

  test('U40: by a switch it is flat JSON', async () => {
    const { sandbox, opening } = withUrl({ switches: { pushFormat: 'flat' } });
    accepted(audit(sandbox, opening));
    const bodies: string[] = [];
    await sandbox.deliverPushes(({ body }) => {
      bodies.push(body);
      return Promise.resolve({ status: 200, body: 'success' });
    });
    expect(bodies.map((body) => JSON.parse(body) as Members)).toEqual([result(sandbox, opening)]);
  });
});

describe('EVT-06, U41: the result of a change', () => {
  const CHANGE_URL = 'http://127.0.0.1:9/change';
  const RESIGN = { modifyType: '5' };

  async function pushedBy(options: SandboxOptions, notifyUrl?: string): Promise<unknown[]> {
    const sandbox = sandboxAtNoon(options);
    const record = opened(sandbox, undefined, { notifyUrl });
    await delivered(sandbox);
    const asked = changed(sandbox, record, RESIGN);
    const got = await delivered(sandbox);
    for (const { biz } of got) expect(biz).toEqual(changeResult(sandbox, asked));
    return got.map(({ url }) => url);
  }

  test('is not pushed, unless the switch says so; then to the notifyUrl of the opening or to its own address', async () => {
    expect(await pushedBy({}, URL)).toEqual([]);
    expect(await pushedBy({ switches: { pushChanges: true } }, URL)).toEqual([URL]);
    expect(await pushedBy({ switches: { pushChanges: true } })).toEqual([]);
    const switches = { pushChanges: true, changePushUrl: CHANGE_URL };
    expect(await pushedBy({ switches }, URL)).toEqual([CHANGE_URL]);
    expect(await pushedBy({ switches })).toEqual([CHANGE_URL]);
  });

  test('success and rejection, each once its time has come', async () => {
    const switches = { pushChanges: true, changePushUrl: CHANGE_URL, changeProcessMs: 1_000 };
    const sandbox = sandboxAtNoon({ switches });
    const record = opened(sandbox);
    sandbox.planDecisions([{ kind: 'change', result: 'rejectedByChannel', remark: '不符' }]);
    const asked = accepted(change(sandbox, record, RESIGN));
    accepted(confirm(sandbox, asked));
    expect(await delivered(sandbox)).toEqual([]);
    sandbox.clock.advance(1_000);
    const { accountNo, eleAcctNo } = record;
    const biz = { reqNo: asked['reqNo'], state: 3, remark: '不符', accountNo, eleAcctNo };
    expect(await delivered(sandbox)).toEqual([{ url: CHANGE_URL, biz }]);
    expect(sandbox.pushes()).toMatchObject([{ kind: 'change', reqNo: asked['reqNo'] }]);
  });
});
