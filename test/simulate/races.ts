/**
 * Races with somebody who settles by hand on a platform that does not guard itself: a look can show what they did
 * only once the platform shows it. What the platform says of such an order afterwards is the last that was asked of
 * it, so nothing more can be known or demanded.
 */
import { failsMs } from './world/acceptance.ts';
import type { Refunded } from './world/bank.ts';
import type { Oracle } from './oracle.ts';

/** Between the platform's answer to a look and the send lie at most the ten seconds a look holds, and the commit. */
export const LOOK_AGE_MS_MAX = 12_000;

/**
 * Theirs was accepted first and not to be seen yet when ours was sent, and ours was accepted while theirs lived; or
 * theirs was accepted while ours was still to be shown.
 */
export function wasRaced({ bank, sends, plan }: Oracle, outOrderNo: string | undefined): boolean {
  const accepted = bank.accepted.filter((known) => known.outOrderNo === outOrderNo);
  const theirs = accepted.filter(({ isOurs }) => !isOurs);
  if (theirs.length === 0) return false;
  return accepted.some((ours) => {
    const sent = sends.find(({ reqId }) => reqId === ours.reqId);
    if (sent === undefined) return false;
    return theirs.some((other) =>
      other.atMs <= ours.atMs
        ? ours.atMs < failsMs(other) && other.showsMs + plan.lag.ms > sent.atMs - LOOK_AGE_MS_MAX
        : other.atMs < failsMs(ours),
    );
  });
}

/**
 * Whether recon could know of a refund when a settlement of its order left: queries have shown it for longer than a look
 * takes, or recon itself had sent it, and no restore has forgotten that since. That no query shows one before it is done
 * (U36) that somebody else called for is said of the limits (docs/settlements.md).
 */
export function isKnowable({ plan, refunds, restores }: Oracle, refund: Refunded, sentMs: number): boolean {
  const showsMs = plan.refunds.told === 'nowhere' ? refund.doneMs : refund.acceptedMs;
  if (showsMs + plan.lag.ms < sentMs - LOOK_AGE_MS_MAX) return true;
  const call = refunds.find(({ reqId }) => reqId === refund.reqId);
  if (call === undefined || call.atMs >= sentMs) return false;
  return restores.every(({ copiedMs, atMs }) => copiedMs >= call.atMs || atMs < call.atMs || atMs > sentMs);
}

/**
 * Whether an attempt of the order had been forgotten by then, in a restore since which nothing was heard of it, and queries
 * show nothing of it before there is a result: what is known otherwise of that order says nothing then.
 */
export function isForgotten(
  { plan, sends, restores, answers }: Oracle,
  outOrderNo: string,
  byMs: number,
): boolean {
  if (!plan.views.hidesOpen) return false;
  const own = sends.filter((send) => send.outOrderNo === outOrderNo && send.atMs < byMs);
  return own.some(({ reqId, atMs: sentMs }) =>
    restores.some(({ copiedMs, atMs }) => {
      const isLost = copiedMs <= sentMs && sentMs <= atMs && atMs <= byMs;
      return (
        isLost && !answers.some((known) => known.reqId === reqId && known.atMs > atMs && known.atMs < byMs)
      );
    }),
  );
}

/** Whether it took two of ours of that order, the later one before the other had come to an end. */
export function wereBothTaken({ bank }: Oracle, outOrderNo: string): boolean {
  const ours = bank.accepted.filter((known) => known.isOurs && known.outOrderNo === outOrderNo);
  return ours.some((one) =>
    ours.some((other) => one !== other && one.atMs <= other.atMs && other.atMs < failsMs(one)),
  );
}
