/** What must hold when all is over: nobody was paid twice, nothing is claimed that is not so, nothing is left open. */
import type { Acceptance } from './world/acceptance.ts';
import type { Paid, Refunded } from './world/bank.ts';
import type { AttemptFacts } from './book-store.ts';
import { canaryIn } from './canaries.ts';
import type { Closed, Oracle, Send } from './oracle.ts';
import { lagsBeyond } from './world/draw-plan.ts';
import type { SeedPlan } from './world/draw-plan.ts';
import { isForgotten, isKnowable, wasRaced, wereBothTaken } from './races.ts';

export function checkEnd(oracle: Oracle, attempts: readonly AttemptFacts[]): void {
  checkPaidOnce(oracle);
  checkNotPaidAndRefunded(oracle);
  for (const closed of oracle.closings) checkClosing(oracle, closed);
  for (const { state, reqId, outOrderNo, note } of attempts) {
    // Paid by ours, and shown as what somebody else's later try came to: no person could say that it was not paid.
    const isForEver =
      (wasRaced(oracle, outOrderNo) && !oracle.bank.isOver(reqId)) ||
      (wereBothTaken(oracle, outOrderNo) && isLive(oracle, outOrderNo)) ||
      lagsBeyond(oracle.plan) ||
      isHeldFor(oracle.plan, outOrderNo);
    if (state !== 'CLOSED' && !isForEver)
      oracle.violated('never resolved', `${outOrderNo}: ${reqId} is ${state}`);
    const leaked = canaryIn(note);
    if (leaked !== undefined) oracle.violated('canary', `${leaked} stands in the note of ${reqId}`);
  }
}

/** Whether any of the order is under way or paid: of two that were taken nobody can tell by queries which is. */
function isLive({ bank }: Oracle, outOrderNo: string): boolean {
  return bank.accepted.some((known) => known.outOrderNo === outOrderNo && !bank.isOver(known.reqId));
}

/** A settlement of that payee and amount is never ended, and its money frozen for ever: nobody can tell the two apart. */
function isHeldFor({ orders }: SeedPlan, outOrderNo: string): boolean {
  const own = orders.find((order) => order.outOrderNo === outOrderNo);
  return orders.some(
    (order) =>
      order.first === 'strange' &&
      order.payeeAcctNo === own?.payeeAcctNo &&
      order.amountFen === own.amountFen,
  );
}

/** Invariant 12: no two payouts of one order live at once, one of them being ours. */
function checkPaidOnce(oracle: Oracle): void {
  const payouts = oracle.bank.payouts();
  for (const [place, first] of payouts.entries()) {
    for (const second of payouts.slice(place + 1)) {
      if (first.outOrderNo !== second.outOrderNo) continue;
      if (first.returnedMs !== undefined && first.returnedMs <= second.atMs) continue;
      if (isOursToAnswerFor(oracle, first, second)) {
        const which = `${first.reqId || 'the first'} at ${first.atMs} and ${second.reqId} at ${second.atMs}`;
        oracle.violated('double payment', `${first.outOrderNo}: ${which}`);
      }
    }
  }
}

/** No money is with the bank by a settlement of ours and with the payer too, unless that could not be known. */
function checkNotPaidAndRefunded(oracle: Oracle): void {
  for (const { outOrderNo, reqId, atMs, returnedMs = Infinity } of oracle.bank.payouts()) {
    const send = oracle.sends.find((known) => known.reqId === reqId);
    if (send === undefined || wasRaced(oracle, outOrderNo)) continue;
    for (const refund of oracle.bank.refunds(outOrderNo)) {
      const areBoth = atMs < refund.backMs && refund.doneMs < returnedMs;
      if (!areBoth || !isOursToKnow(oracle, refund, send)) continue;
      const which = `paid by ${reqId} at ${atMs}, refunded by ${refund.reqId} at ${refund.doneMs}`;
      oracle.violated('paid and refunded', `${outOrderNo}: ${which}`);
    }
  }
}

/** A refund that somebody else called for once ours had left is theirs. */
function isOursToKnow(oracle: Oracle, refund: Refunded, { atMs }: Send): boolean {
  const call = oracle.refunds.find(({ reqId }) => reqId === refund.reqId);
  const isFirst = (call?.atMs ?? refund.acceptedMs) < atMs;
  return isFirst ? isKnowable(oracle, refund, atMs) : call !== undefined;
}

/** Two that somebody else asked for are theirs, and what follows from a race that nobody could see is nobody's. */
function isOursToAnswerFor(oracle: Oracle, first: Paid, second: Paid): boolean {
  const isOurs = ({ reqId }: Paid): boolean => oracle.sends.some((send) => send.reqId === reqId);
  const sentMs = oracle.sends.filter((send) => [first.reqId, second.reqId].includes(send.reqId)).at(-1)?.atMs;
  const isUnknown = sentMs !== undefined && isForgotten(oracle, first.outOrderNo, sentMs);
  return (isOurs(first) || isOurs(second)) && !wasRaced(oracle, first.outOrderNo) && !isUnknown;
}

/** Invariant 14: what is called certain is so. */
function checkClosing(oracle: Oracle, closed: Closed): void {
  const accepted = oracle.bank.accepted.find(({ reqId }) => reqId === closed.reqId);
  const wrong = wrongIn(oracle, closed, accepted);
  const { outOrderNo } = oracle.planOf(closed.reqId);
  const isUnknown = wasRaced(oracle, outOrderNo) || isForgotten(oracle, outOrderNo, closed.atMs);
  if (wrong !== undefined && !isUnknown) {
    oracle.violated('closed wrongly', `${closed.reqId} as ${closed.outcome} at ${closed.atMs}: ${wrong}`);
  }
}

function wrongIn(oracle: Oracle, closed: Closed, accepted: Acceptance | undefined): string | undefined {
  switch (closed.outcome) {
    case 'NOT_SENT':
      return oracle.sends.some(({ reqId }) => reqId === closed.reqId) && !oracle.isRefused(closed.reqId)
        ? 'it was sent'
        : undefined;
    case 'FAIL':
      return accepted === undefined ? undefined : wrongInFailure(accepted, closed.atMs);
    case 'RETURNED':
      return wasReturned(oracle, closed)
        ? accepted && wrongInFailure(accepted, closed.atMs)
        : 'no bank returned it';
    case 'SUCCESS':
      if (accepted !== undefined && isOthers(oracle, closed)) return 'another one of ours was paid';
      return paidSince(oracle, closed).length > 0 ? undefined : 'nobody paid it by then';
    default:
      return `there is no outcome ${closed.outcome}`;
  }
}

function wrongInFailure(accepted: Acceptance, closedMs: number): string | undefined {
  const { atMs, endsMs, isPaid, returnedMs } = accepted;
  if (atMs > closedMs) return `the platform accepted it at ${atMs}`;
  if (endsMs > closedMs) return `it was under way until ${endsMs}`;
  if (!isPaid) return undefined;
  return returnedMs !== undefined && returnedMs <= closedMs ? undefined : `it was paid at ${endsMs}`;
}

function wasReturned(oracle: Oracle, closed: Closed): boolean {
  return paidSince(oracle, closed).some(
    ({ returnedMs }) => returnedMs !== undefined && returnedMs <= closed.atMs,
  );
}

/** Whether of two of ours that were taken together it was not the one that was paid by then. */
function isOthers(oracle: Oracle, { reqId, atMs }: Closed): boolean {
  const { outOrderNo } = oracle.planOf(reqId);
  const isPaid = oracle.bank.payouts().some((paid) => paid.reqId === reqId && paid.atMs <= atMs);
  return !isPaid && wereBothTaken(oracle, outOrderNo);
}

/**
 * What of the order queries can have shown as paid since the attempt, whoever asked for it: nobody can tell whose a
 * payment is.
 */
function paidSince(oracle: Oracle, { reqId, atMs }: Closed): Paid[] {
  const { outOrderNo, plannedMs } = oracle.planOf(reqId);
  const isShown = ({ returnedMs = Infinity }: Paid): boolean => returnedMs + oracle.plan.lag.ms > plannedMs;
  return oracle.bank
    .payouts()
    .filter((paid) => paid.outOrderNo === outOrderNo && paid.atMs <= atMs && isShown(paid));
}
