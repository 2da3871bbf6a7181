/** What must hold when a settlement leaves: it is committed, under the lease, allowed, and asked for right before. */
import type { Day } from '../../src/core/time.ts';
import type { AttemptFacts } from './book-store.ts';
import type { MortalProcess } from './world/mortal-process.ts';
import { isForgotten, isKnowable, LOOK_AGE_MS_MAX, wasRaced } from './races.ts';
import type { Oracle, ProcessFacts, Send } from './oracle.ts';

/** Two hosts whose clocks are off by up to 9.5 seconds each, and the second that texts are cut to. */
const CLOCKS_DIFFER_MS = 20_000;

export async function checkSend(
  oracle: Oracle,
  process: MortalProcess,
  { reqId, body, day }: { reqId: string; body: string; day: Day },
): Promise<void> {
  const outOrderNo = oracle.bank.orderAsked(body);
  const facts = oracle.factsOf(process);
  const attempts = await oracle.kernel.during(() => oracle.store.attempts());
  const attempt = attempts.find((known) => known.reqId === reqId);
  const plan = oracle.plan.orders.find((order) => order.outOrderNo === outOrderNo);
  const amountFen = attempt?.amountFen ?? plan?.amountFen ?? 0n;
  const { runId } = facts;
  const send = { reqId, outOrderNo, runId, process: process.name, amountFen, atMs: oracle.kernel.nowMs, day };
  checkRecorded(oracle, { process, facts, attempt, reqId });
  checkAllowed(oracle, send, facts);
  checkCoolDown(oracle, send, attempts);
  checkSeen(oracle, send);
  checkNotRefunded(oracle, send);
  if (plan?.first === 'strange' && !oracle.bank.accepted.some((known) => known.outOrderNo === outOrderNo)) {
    oracle.violated('strange state retried', `${outOrderNo} is HALTED`);
  }
  oracle.sends.push(send);
  oracle.whenSent();
}

/** Invariant 13: the row is there, SENT, under the fence of whoever held the lease when it was committed. */
function checkRecorded(
  oracle: Oracle,
  of: { process: MortalProcess; facts: ProcessFacts; attempt: AttemptFacts | undefined; reqId: string },
): void {
  const { process, facts, attempt, reqId } = of;
  if (attempt === undefined || attempt.state !== 'SENT') {
    const said = attempt === undefined ? 'not there' : attempt.state;
    oracle.violated('sent unrecorded', `the attempt ${reqId} is ${said}`);
    return;
  }
  checkLease(oracle, process, reqId, `fence ${attempt.fence}, its own ${facts.lease.fence}`);
}

/** Who stored it had the lease by then. */
function checkLease(oracle: Oracle, process: MortalProcess, reqId: string, fences: string): void {
  const committed = oracle.commits.get(reqId) ?? 0;
  const tookOver = oracle.leaseHolders.filter(({ since }) => since < committed).at(-1);
  const isRestored = oracle.restores.length > 0;
  if (isRestored || tookOver === undefined || tookOver.process === process.name) return;
  oracle.violated('sent without the lease', `${process.name} sends, ${tookOver.process} has it (${fences})`);
}

/** A refund by hand is stored before it leaves, under the lease. */
export function checkRefund(
  oracle: Oracle,
  process: MortalProcess,
  { reqId, body }: { reqId: string; body: string },
): void {
  if (!oracle.commits.has(reqId)) oracle.violated('sent unrecorded', `the refund ${reqId} is not there`);
  checkLease(oracle, process, reqId, 'a refund');
  const { bizData } = JSON.parse(body) as { bizData: string };
  const { outOrderNos } = JSON.parse(bizData) as { outOrderNos: string };
  oracle.refunds.push({ reqId, outOrderNos: outOrderNos.split(','), atMs: oracle.kernel.nowMs });
}

/** Invariants 16 and 18: attempts of an order, number and sum of a run, what is retried unseen. */
function checkAllowed(oracle: Oracle, send: Send, facts: ProcessFacts): void {
  const { maxAttempts, maxPerRun, maxFenPerRun, breaker } = oracle.margins;
  const left = oracle.sends.filter(({ reqId }) => !oracle.isRefused(reqId));
  // The service day has the limits, whichever run sends.
  const ofDay = [...left.filter(({ day }) => day === send.day), send];
  const sumFen = ofDay.reduce((sum, { amountFen }) => sum + amountFen, 0n);
  const ofOrder = left.filter(({ outOrderNo }) => outOrderNo === send.outOrderNo).length + 1;
  if (facts.mode !== 'retry') oracle.violated('beyond a limit', `a ${facts.mode} run sends ${send.reqId}`);
  // What a restored database has forgotten nobody can count: a person allows what is sent that day.
  if (oracle.shownRestoreOn === send.day && !facts.isApproving) {
    oracle.violated('beyond a limit', `${facts.process} sends on the day of a restore without approval`);
  }
  if (oracle.restores.length > 0) return;
  if (ofOrder > maxAttempts) oracle.violated('beyond a limit', `${send.outOrderNo}: attempt ${ofOrder}`);
  if (ofDay.length > maxPerRun) oracle.violated('beyond a limit', `${send.runId}: send ${ofDay.length}`);
  if (sumFen > maxFenPerRun) oracle.violated('beyond a limit', `${send.runId}: ${sumFen} fen`);
  if (ofDay.length > breaker.orders && !facts.approves) {
    oracle.violated('beyond a limit', `${facts.process} sends ${ofDay.length} without approval`);
  }
}

function checkCoolDown(oracle: Oracle, send: Send, attempts: readonly AttemptFacts[]): void {
  const earliestMs = send.atMs - oracle.margins.coolDownMinutes * 60_000 + CLOCKS_DIFFER_MS;
  const isTooSoon = attempts.some(
    ({ outOrderNo, outcome, closedAt }) =>
      outOrderNo === send.outOrderNo &&
      outcome !== undefined &&
      outcome !== 'NOT_SENT' &&
      closedAt !== undefined &&
      oracle.sinceBeginning(closedAt) > earliestMs,
  );
  if (isTooSoon) oracle.violated('sent too soon', `${send.outOrderNo} is retried within its cool-down`);
}

/** Nothing leaves for an order that is refunded, or about to be, as far as that could be known. */
function checkNotRefunded(oracle: Oracle, { outOrderNo, atMs }: Send): void {
  for (const refund of oracle.bank.refunds(outOrderNo)) {
    if (refund.backMs <= atMs || !isKnowable(oracle, refund, atMs)) continue;
    oracle.violated('sent though refunded', `${outOrderNo}: by ${refund.reqId} at ${refund.acceptedMs}`);
  }
}

/** A fresh look would have shown that it is not failed: the platform has shown that for longer than a look takes. */
function checkSeen(oracle: Oracle, send: Send): void {
  const isUnseen = oracle.bank
    .notFailedSpans(send.outOrderNo)
    .some(
      ({ fromMs, toMs }) => fromMs + oracle.plan.lag.ms < send.atMs - LOOK_AGE_MS_MAX && toMs > send.atMs,
    );
  const isUnknown = wasRaced(oracle, send.outOrderNo) || isForgotten(oracle, send.outOrderNo, send.atMs);
  if (isUnseen && !isUnknown)
    oracle.violated('sent unseen', `${send.outOrderNo} has not been failed for minutes`);
}
