/** What has to go by before a settlement is sent again (docs/reliability.md 2.3 a). */
import { addMs, MINUTE_MS, SECOND_MS } from '../../../src/core/time.ts';
import type { Instant } from '../../../src/core/time.ts';
import type { Profile } from '../../../src/core/profile/profile.ts';
import { heardWithinMs } from '../../../src/platform/exchange.ts';
import type { FailedSettlement } from '../../../src/settlements/settle-order.ts';

interface CoolingDown {
  code: 'cool_down';
  reason: string;
  until: Instant;
}

/** What has to go by first; asked again in the transactions that store an attempt. */
export function coolingDown(
  { lastClosedAt, lastShownAt }: Pick<FailedSettlement, 'lastClosedAt' | 'lastShownAt'>,
  settle: Profile['settle'],
  now: Instant,
): CoolingDown | undefined {
  const cooled = lastClosedAt && addMs(lastClosedAt, settle.coolDownMinutes * MINUTE_MS);
  // A view that lags behind may show it as it was before that (docs/reliability.md 2.3 a).
  const shown = lastShownAt && showsAfter(lastShownAt, settle);
  if (shown !== undefined && now < shown) {
    const reason =
      'it was, or may have been, paid or under way, or was named in a call by hand, too short a time ago: queries may lag ' +
      'behind that';
    return { code: 'cool_down', reason, until: cooled !== undefined && cooled > shown ? cooled : shown };
  }
  if (cooled === undefined || now >= cooled) return undefined;
  return { code: 'cool_down', reason: 'the last attempt ended too short a time ago', until: cooled };
}

/** So late after its time a request may be accepted, by clocks ten seconds off either way (docs/reliability.md 0.1). */
const LATE_MS = 30 * SECOND_MS;

/** From then on the platform accepts nothing any more that was sent by that time, and queries show what it has. */
export function showsAfter(sentBy: Instant, settle: Lagging): Instant {
  return addMs(sentBy, showsAfterMs(settle));
}

type Lagging = Pick<Profile['settle'], 'marginSeconds' | 'viewLagSeconds'>;

function showsAfterMs({ marginSeconds, viewLagSeconds }: Lagging): number {
  return LATE_MS + (marginSeconds + viewLagSeconds) * SECOND_MS;
}

/** So long after its request a look may have been heard, and dated: kept ones may have taken longer than a call may now. */
export function lookHeardWithinMs(
  { timeouts }: Pick<Profile['http'], 'timeouts'>,
  slowestLookMs: number,
): number {
  return Math.max(heardWithinMs(timeouts.deadlineMs), slowestLookMs);
}

/** So long after the time of a call by hand a look may be heard, and dated, that shows what was before it. */
export function callLagMs({ settle, http }: Pick<Profile, 'settle' | 'http'>, slowestLookMs: number): number {
  return showsAfterMs(settle) + lookHeardWithinMs(http, slowestLookMs);
}
