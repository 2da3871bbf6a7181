/** What is refused of openings for another opening, a role or a clock (OPN-02, OPN-03, OPN-05, OPN-11). */
import { describe, expect, test } from 'vitest';

import type { Sandbox } from '../../../src/sandbox/server/sandbox.ts';
import { sandboxAtNoon } from '../caller.ts';
import type { Members } from '../caller.ts';
import {
  accepted,
  anEnterprise,
  applied,
  aPerson,
  audit,
  code,
  INITIATOR,
  expectRefused,
  result,
  revise,
} from './opening-caller.ts';

describe('addApply', () => {
  test('OPN-11: the state is a number, 5 or by a switch 7', () => {
    expect(applied(sandboxAtNoon())['state']).toBe(5);
    expect(applied(sandboxAtNoon({ switches: { addApplyState: 7 } }))['state']).toBe(7);
    expect(applied(sandboxAtNoon({ switches: { numbersAs: 'string' } }))['state']).toBe(5);
  });
});

describe('auditApply', () => {
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

/** An opening the channel has rejected. */
function rejected(sandbox: Sandbox, subject: Members = anEnterprise(), over: Members = {}): Members {
  sandbox.planDecisions([{ kind: 'opening', result: 'rejectedByChannel' }]);
  const opening = applied(sandbox, subject, over);
  accepted(audit(sandbox, opening));
  return opening;
}

describe('reviseApply', () => {
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
