/** By which clocks an attempt, and what was seen of it, is dated (docs/reliability.md 2.3 a and d, N16, U49). */
import { describe, expect, test } from 'vitest';
import { asShown, judgeLook } from '../../../jobs/night/settle/settle-resolution.ts';
import type { SettleLook } from '../../../jobs/night/settle/settle-look.ts';
import { addMs } from '../../../src/core/time.ts';
import type { OpenAttempt } from '../../../src/settlements/attempt-store.ts';
import { batchUnit } from '../../helpers/company/order-answers.ts';
import { aLook, anOpen, NOON } from './settle-facts.ts';

const LIMITS = { marginSeconds: 120, viewLagSeconds: 0, heardWithinMs: 32_000 };
const RULES = { ...LIMITS, runner: 'me', amountRule: 'realAmount' } as const;
const ON_ITS_WAY = 'it is stated as failed, but the request may still be on its way, or the view lag behind';
/** So many seconds after the request. */
const after = (seconds: number): string => addMs(NOON, seconds * 1_000);
const judge = (attempt: Partial<OpenAttempt>, look: SettleLook) => judgeLook(anOpen(attempt), look, RULES);

describe('N16: what is dated later than any request can be on its way counts as of the look', () => {
  const HOUR = 3_600;
  const sentAt = (seconds: number) => ({
    sent: { reqTime: after(seconds), sentAt: NOON, sentMonoMs: 500_000 },
  });
  const redated = (now: string, askedAt = NOON) => ({
    kind: 'redate',
    sent: { reqTime: now, sentAt: askedAt, sentMonoMs: 1_000_000 },
    why: 'it is dated later than now: it counts as sent now',
  });

  test.each<[string, Partial<OpenAttempt>]>([
    ['its send', sentAt(HOUR + 0.001)],
    ['when it was seen under way', { openSeenAt: after(HOUR + 0.001) }],
    ['when it was seen as failed', { failedSeenAt: after(HOUR + 0.001) }],
  ])('%s', (_name, attempt) => {
    expect(judge(attempt, aLook())).toEqual(redated(NOON));
    const unknown = aLook({ listed: { settleState: 'ODD', settlement: 'unknown' } });
    expect(judge(attempt, unknown)).toEqual(redated(NOON));
  });

  test('what is dated an hour ahead may be on its way', () => {
    expect(judge(sentAt(HOUR), aLook())).toEqual({ kind: 'wait', why: ON_ITS_WAY });
  });

  test('by whichever clock is ahead of the others, also when it was answered', () => {
    const sent = sentAt(HOUR + 100);
    expect(judge(sent, aLook({ timestamp: after(30) }))).toEqual(redated(after(30)));
    expect(judge(sent, aLook({ askedAt: after(40) }))).toEqual(redated(after(40), after(40)));
    expect(judge(sent, aLook({ heardAt: after(50) }))).toEqual(redated(after(50)));
    for (const clock of ['timestamp', 'askedAt', 'heardAt'])
      expect(judge(sent, aLook({ [clock]: after(100) }))).toMatchObject({ kind: 'wait' });
  });

  test('not on the word of what is not signed, of a refusal, or of no answer', () => {
    const sent = sentAt(2 * HOUR);
    expect(judge(sent, aLook({ signed: false }))).toMatchObject({ kind: 'forget' });
    const refused = { kind: 'failed', unit: batchUnit('B1'), code: 'E9', reason: 'no' } as const;
    expect(judge(sent, aLook({ answer: refused }))).toMatchObject({ kind: 'forget' });
    const silent = { kind: 'failed', unit: batchUnit('B1'), reason: 'no', isUnanswered: true } as const;
    expect(judge(sent, aLook({ answer: silent }))).toMatchObject({ kind: 'wait', isUnanswered: true });
  });

  test('what the look decides stands, whenever it was sent', () => {
    const settled = aLook({ listed: { settleState: 'SUCCESS', settlement: 'settled' } });
    expect(judge(sentAt(2 * HOUR), settled)).toMatchObject({ kind: 'close', outcome: 'SUCCESS' });
    const open = aLook({ listed: { settleState: 'PROCESSING', settlement: 'open' } });
    expect(judge(sentAt(2 * HOUR), open)).toMatchObject({ kind: 'open' });
  });
});

describe('2.3 a: what any look showed after the send counts as seen under way', () => {
  const shown = (over: Partial<OpenAttempt>) =>
    asShown(anOpen({ failedSeenAt: after(200), ...over }), aLook({ timestamp: after(80) }), RULES);

  test.each<[string, Partial<OpenAttempt>, number]>([
    ['under way', { openShownAt: after(90) }, 90],
    ['paid', { movedShownAt: after(92) }, 92],
    ['the later of both', { openShownAt: after(90), movedShownAt: after(92) }, 92],
    ['later than was known', { openShownAt: after(90), openSeenAt: after(89) }, 90],
    ['as late as a clock can be ahead', { openShownAt: after(100) }, 100],
    ['the one that can be', { openShownAt: after(90), movedShownAt: after(100.001) }, 90],
  ])('%s: and what was said before it does not count any more', (_name, over, seconds) => {
    expect(shown(over)).toMatchObject({ openSeenAt: after(seconds), failedSeenAt: undefined });
  });

  test.each([
    ['may be of before the send, as long as a view that lags behind may be heard', after(102), after(130)],
    ['counts after that', after(102.001), undefined],
  ])('what %s', (_name, at, failedSeenAt) => {
    const rules = { ...RULES, viewLagSeconds: 60 };
    const attempt = anOpen({ failedSeenAt: after(130), openShownAt: at });
    expect(asShown(attempt, aLook({ timestamp: after(200) }), rules).failedSeenAt).toBe(failedSeenAt);
  });

  test.each([
    [after(42), after(130)],
    [after(42.001), undefined],
  ])(
    'also where no view lags behind a look may have been asked long before it was heard, at %s',
    (at, failedSeenAt) => {
      const attempt = anOpen({ failedSeenAt: after(130), openShownAt: at });
      expect(asShown(attempt, aLook({ timestamp: after(200) }), RULES).failedSeenAt).toBe(failedSeenAt);
    },
  );

  test.each<[string, Partial<OpenAttempt>]>([
    ['nothing', {}],
    ['what is known', { openShownAt: after(90), openSeenAt: after(90) }],
    ['less than is known', { openShownAt: after(89), openSeenAt: after(90) }],
    ['what no clock can have seen yet', { openShownAt: after(100.001) }],
  ])('%s changes nothing', (_name, over) => {
    expect(shown(over)).toEqual(anOpen({ failedSeenAt: after(200), ...over }));
  });

  test('U49: what was shown as paid, and failed after that, was sent back', () => {
    const attempt = { movedShownAt: after(20), openSeenAt: after(20), failedSeenAt: after(200) };
    expect(judge(attempt, aLook({ timestamp: after(230) }))).toMatchObject({
      kind: 'close',
      outcome: 'RETURNED',
    });
  });
});

test('where no view lags behind, what a look shows under way or paid after the send is so since the send', () => {
  const attempt = { state: 'ACK_PROCESSING' } as const;
  const [settled, open] = [
    aLook({ timestamp: NOON, listed: { settleState: 'SUCCESS', settlement: 'settled' } }),
    aLook({ timestamp: NOON, listed: { settleState: 'PROCESSING', settlement: 'open' } }),
  ];
  expect(judge(attempt, settled)).toMatchObject({ kind: 'close', outcome: 'SUCCESS' });
  expect(judge(attempt, open)).toMatchObject({ kind: 'open', seenAt: NOON });
});

describe('paid is paid at once', () => {
  test.each([
    ['UNKNOWN', 3_642, 'wait'],
    ['ACK_PROCESSING', 3_642, 'wait'],
    ['UNKNOWN', 3_642.001, 'close'],
    // The platform says itself that this one was paid.
    ['ACK_SUCCESS', 0, 'close'],
  ] as const)('not where it may be what was before the send: %s, %d s after that', (state, at, kind) => {
    const look = aLook({ timestamp: after(at), listed: { settleState: 'SUCCESS', settlement: 'settled' } });
    expect(judgeLook(anOpen({ state }), look, { ...RULES, viewLagSeconds: 3_600 })).toMatchObject({ kind });
  });
});
