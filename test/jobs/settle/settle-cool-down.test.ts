/** What has to go by before a settlement may be retried (docs/reliability.md 2.3 a, M5). */
import { describe, expect, test } from 'vitest';
import { planRetries } from '../../../jobs/night/settle/settle-policy.ts';
import { readProfile } from '../../../src/core/profile/profile.ts';
import type { FailedSettlement } from '../../../src/settlements/settle-order.ts';
import { aFailed, NOON } from './settle-facts.ts';

describe('2.3 a: what was shown, or named by hand, cools down as long as a view may lag behind it', () => {
  // 30 s, the margin of 120 s and the lag of an hour.
  const SHOWN = '2026-03-02T11:00:00.000Z';
  const UNTIL = '2026-03-02T12:02:30.000Z';
  const profile = readProfile(
    '{"settle":{"coolDownMinutes":10,"viewLagSeconds":3600,"marginSeconds":120}}',
    'test',
  );
  const at = (now: string, over: Partial<FailedSettlement>) =>
    planRetries({
      failed: [aFailed({ lastShownAt: SHOWN, ...over })],
      profile,
      now,
      standings: new Map([['Q', { state: '1' }]]),
      used: { attempts: 0, sumFen: 0n },
      day: '2026-03-02',
    });

  test.each<[string, string | undefined, string]>([
    ['alone', undefined, UNTIL],
    ['after an attempt that has cooled down', '2026-03-02T11:30:00.000Z', UNTIL],
    ['after one that cools down for longer', '2026-03-02T11:59:00.000Z', '2026-03-02T12:09:00.000Z'],
  ])('%s', (_name, lastClosedAt, until) => {
    expect(at(NOON, { lastClosedAt }).notRetried).toMatchObject([{ code: 'cool_down', until }]);
  });

  test('to the millisecond', () => {
    expect(at('2026-03-02T12:02:29.999Z', {}).lines).toEqual([]);
    expect(at(UNTIL, {}).lines).toHaveLength(1);
  });

  test('then the attempt that ended last counts alone', () => {
    const plan = at(UNTIL, { lastClosedAt: '2026-03-02T11:59:00.000Z' });
    expect(plan.notRetried).toMatchObject([
      {
        code: 'cool_down',
        reason: 'the last attempt ended too short a time ago',
        until: '2026-03-02T12:09:00.000Z',
      },
    ]);
  });
});
