/**
 * Random openings, resubmissions, changes and codes, right and wrong, at random times: a refusal changes nothing
 * (ERR-06), no subject ever has two openings under review (OPN-02) or two accounts (OPN-03), and nothing crashes.
 */
import { expect, test } from 'vitest';

import type { Sandbox } from '../../../src/sandbox/server/sandbox.ts';
import type { DecisionSeed } from '../../../src/sandbox/openings/decision-schema.ts';
import type { SwitchesPatch } from '../../../src/sandbox/control/switches.ts';
import { sandboxAtNoon } from '../caller.ts';
import type { Members } from '../caller.ts';
import { anEnterprise, aPerson, get, INITIATOR } from './opening-caller.ts';
import { call } from '../orders/orders-caller.ts';
import { fc } from '../../helpers/properties.ts';

/** Few, so that they meet. */
const identity = fc.constantFrom('S-1', 'S-2', 'S-3');
const span = fc.constantFrom(0, 10, 1_000);
const corrupting = fc.record({
  at: fc.nat(40),
  value: fc.oneof(
    fc.constantFrom(undefined, null, '', 'X', '1', [], {}, '["x"]'),
    fc.jsonValue({ maxDepth: 2 }),
  ),
  inSubject: fc.boolean(),
});
const corrupted = fc.oneof(
  { weight: 5, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: corrupting },
);

const decision: fc.Arbitrary<DecisionSeed> = fc.record(
  {
    kind: fc.constantFrom('opening' as const, 'change' as const),
    result: fc.constantFrom('accepted' as const, 'rejectedByReview' as const, 'rejectedByChannel' as const),
    reviewMs: span,
    queueMs: span,
    processMs: span,
  },
  { requiredKeys: ['kind'] },
);

const switches: fc.Arbitrary<SwitchesPatch> = fc.record(
  {
    addApplyState: fc.constantFrom(5 as const, 7 as const),
    reviseApplyState: fc.constantFrom(5 as const, 7 as const),
    reviewAfterSigning: fc.boolean(),
    auditApplyState: fc.constantFrom(1 as const, 100 as const),
    openingReviewMs: span,
    openingProcessMs: span,
    openingManualMs: fc.option(span),
    changeProcessMs: span,
    pushChanges: fc.boolean(),
  },
  { requiredKeys: [] },
);

type Act =
  | { do: 'plan'; decision: DecisionSeed }
  | { do: 'advance'; ms: number }
  | { do: 'apply' | 'revise' | 'change'; nth: number; identity: string; how: 'E' | 'FQ' | 'P' | 'same' }
  | { do: 'confirm'; nth: number; code: 'own' | 'old' | 'other' };

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('apply' as const), nth: fc.nat(5), identity, how: howTo() }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('confirm' as const), nth: fc.nat(8), code: codeKind() }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('revise' as const, 'change' as const),
      nth: fc.nat(5),
      identity,
      how: howTo(),
    }),
  },
  { weight: 2, arbitrary: decision.map((of): Act => ({ do: 'plan', decision: of })) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(10, 1_000, 3_000, 3_000, 3_000, -10, -1_000)
      .map((ms): Act => ({ do: 'advance', ms })),
  },
);

function howTo(): fc.Arbitrary<'E' | 'FQ' | 'P' | 'same'> {
  return fc.constantFrom('E', 'FQ', 'P', 'same');
}

function codeKind(): fc.Arbitrary<'own' | 'old' | 'other'> {
  return fc.constantFrom('own', 'own', 'own', 'old', 'other');
}

interface Shown {
  reqNo: string;
  outReqNo: string;
  recordId: string;
  life: { at: string; state: number }[];
  account?: { accountNo: string };
  subject: Members;
}

const openings = (sandbox: Sandbox): Shown[] => get(sandbox, '/openings')['openings'] as Shown[];
const changes = (sandbox: Sandbox): Shown[] => get(sandbox, '/changes')['changes'] as Shown[];

function subjectOf({ identity: id, how }: { identity: string; how: string }): Members {
  if (how === 'P') return aPerson({ idCardNo: id });
  return anEnterprise({ licenseNo: id, ...(how === 'FQ' ? INITIATOR : {}) });
}

/** A call as it is sent, or undefined where there is nothing to call about. */
function callOf(sandbox: Sandbox, todo: Act, count: number): { endpoint: string; biz: Members } | undefined {
  const outReqNo = `N-${count}`;
  if (todo.do === 'apply') {
    const acctRole = todo.how === 'FQ' ? 'FQ' : 'JS';
    const biz = {
      ifCode: 'SANDBOX',
      outReqNo,
      acctRole,
      subjectInfo: subjectOf(todo),
      notifyUrl: 'http://n',
    };
    return { endpoint: 'acct/addApply', biz };
  }
  if (todo.do === 'plan' || todo.do === 'advance') return undefined;
  const of = chosen(sandbox, todo);
  if (!of) return undefined;
  const { reqNo, recordId } = of;
  if (todo.do === 'confirm') return confirmation(sandbox, todo, of);
  if (todo.do === 'revise') {
    const subjectInfo = todo.how === 'same' ? undefined : subjectOf(todo);
    return { endpoint: 'acct/reviseApply', biz: { ifCode: 'SANDBOX', reqNo, subjectInfo } };
  }
  const how = of.subject['entPerFlag'] === 'P' ? 'P' : 'E';
  const whole = { ...subjectOf({ identity: todo.identity, how }), modifyType: '1|2' };
  const subjectInfo = todo.how === 'same' ? { modifyType: '5' } : whole;
  return { endpoint: 'acct/changeApply', biz: { recordId, outReqNo, subjectInfo } };
}

/** Mostly one for which the call is meant. */
function chosen(sandbox: Sandbox, { do: what, nth }: Act & { nth: number }): Shown | undefined {
  const own = openings(sandbox);
  const all = what === 'confirm' ? [...own, ...changes(sandbox)] : own;
  const meant = all.filter(({ life, account }) =>
    what === 'change' ? account : life.at(-1)?.state === (what === 'confirm' ? 5 : 3),
  );
  const from = meant.length > 0 && nth % 4 > 0 ? meant : all;
  return from[nth % Math.max(1, from.length)];
}

function confirmation(
  sandbox: Sandbox,
  todo: Act & { do: 'confirm' },
  { reqNo, outReqNo }: Shown,
): { endpoint: string; biz: Members } {
  const isChange = reqNo.startsWith('CA');
  const sceneType = isChange === (todo.code !== 'other') ? 'MODIFY' : 'OPEN';
  if (todo.code !== 'old') call(sandbox, 'acct/sendMsg/SANDBOX', { reqNo, outReqNo, sceneType });
  const { smsFlowNo, smsCode } = sandbox.smsCodes().at(-1) ?? { smsFlowNo: '1', smsCode: '1' };
  const endpoint = isChange ? 'acct/changeConfirm' : 'acct/auditApply';
  return { endpoint, biz: { reqNo, outReqNo, smsFlowNo, smsCode } };
}

function corrupt(biz: Members, how: { at: number; value: unknown; inSubject: boolean } | undefined): Members {
  const subject = biz['subjectInfo'];
  if (!how) return biz;
  const target = how.inSubject && typeof subject === 'object' ? (subject as Members) : biz;
  const names = Object.keys(target);
  target[names[how.at % names.length] ?? ''] = how.value;
  return biz;
}

function carryOut(sandbox: Sandbox, todo: Act, how: Parameters<typeof corrupt>[1], count: number): void {
  if (todo.do === 'plan') sandbox.planDecisions([todo.decision]);
  if (todo.do === 'advance') sandbox.clock.advance(todo.ms);
  const made = callOf(sandbox, todo, count);
  if (!made) return;
  const places = ['/accounts', '/openings', '/changes', '/decisions', '/sms', '/pushes'];
  const before = places.map((place) => get(sandbox, place));
  const answer = call(sandbox, made.endpoint, corrupt(structuredClone(made.biz), how));
  if (answer.ok) return;
  expect(answer.envelope['msg']).not.toBe('');
  expect(places.map((place) => get(sandbox, place))).toEqual(before);
}

const UNDER_REVIEW = [1, 5, 7, 11, 100];

/** What is true at the instant the clock shows. */
function expectOneEach(sandbox: Sandbox): void {
  const now = new Date(sandbox.clock.nowMs()).toISOString();
  const reviewed: string[] = [];
  const held: string[] = [];
  const states = new Map(
    (get(sandbox, '/accounts')['accounts'] as Members[]).map((of) => [of['accountNo'], of['state']]),
  );
  for (const { life, subject, account } of openings(sandbox)) {
    const id = String(subject['entPerFlag'] === 'P' ? subject['idCardNo'] : subject['licenseNo']);
    const state = life.findLast(({ at }) => at <= now)?.state ?? 0;
    if (UNDER_REVIEW.includes(state)) reviewed.push(id);
    const accountState = account && states.get(account.accountNo);
    if (accountState !== undefined && accountState !== '0') held.push(id);
  }
  expect(new Set(reviewed).size, `under review: ${reviewed.join()}`).toBe(reviewed.length);
  expect(new Set(held).size, `accounts: ${held.join()}`).toBe(held.length);
}

test('OPN-02, OPN-03, ERR-06: one opening under review and one account for a subject, whatever is called', () => {
  let [accounts, done] = [0, 0];
  fc.assert(
    fc.property(
      switches,
      fc.array(fc.tuple(act, corrupted), { minLength: 50, maxLength: 70, size: 'max' }),
      (patch, acts) => {
        const sandbox = sandboxAtNoon({ switches: patch });
        for (const [place, [todo, how]] of acts.entries()) {
          carryOut(sandbox, todo, how, place);
          expectOneEach(sandbox);
        }
        for (const ms of [10, 1_000, 3_000, 10_000]) {
          sandbox.clock.advance(ms);
          expectOneEach(sandbox);
        }
        accounts += (get(sandbox, '/accounts')['accounts'] as unknown[]).length;
        done += changes(sandbox).filter(({ life }) => life.at(-1)?.state === 2).length;
      },
    ),
    { numRuns: 50 },
  );
  expect(accounts, 'the calls do open accounts').toBeGreaterThan(30);
  expect(done, 'and change them').toBeGreaterThan(2);
});
