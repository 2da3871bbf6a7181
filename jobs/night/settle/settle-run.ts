/** Runs the retry of settlements under its own lease: by hand, for one order, or as step 3 of a night. */
import { LockHeld } from '../../../src/core/errors.ts';
import { bootIdentity } from '../../../src/core/machine.ts';
import type { Clock } from '../../../src/core/ports.ts';
import { addDays } from '../../../src/core/time.ts';
import type { Day } from '../../../src/core/time.ts';
import type { Lease } from '../../../src/store/database/leases.ts';
import { recheckRules } from '../../../src/orders/order-due-next.ts';
import { findRun } from '../../../src/store/runs/runs.ts';
import type { Run } from '../../../src/store/runs/runs.ts';
import type { SettlementAttemptStore } from '../../../src/settlements/attempt-store.ts';
import { sqlAttemptStore } from '../../../src/settlements/settle-attempts.ts';
import { settleSpanOfNight } from '../../../src/settlements/settle-list.ts';
import type { SettleSpan } from '../../../src/settlements/settle-list.ts';
import type { Context } from '../../context/context.ts';
import { fileMark } from './high-water-mark.ts';
import { callLagMs } from './settle-cooling.ts';
import type { SettlePorts, SettleRequest } from './settle-ports.ts';
import { settleStep } from './settle-step.ts';
import type { SettleOutcome } from './settle-step.ts';
import { underLease } from '../../context/under-lease.ts';

/** A name of its own: `recon settle` and a night never retry at once, whatever else they do. */
export const SETTLE_LEASE = 'settle';

/** Reads only; whatever it wrote would be refused, because nobody ever held this. */
const NO_LEASE: Lease = { name: SETTLE_LEASE, holder: '', fence: -1n };

/**
 * @param day the day for which things count as noticed
 * @throws LockHeld when another process retries settlements, and what `settleStep` throws
 */
export async function runSettle(context: Context, request: SettleRequest, day: Day): Promise<SettleOutcome> {
  const of = { runId: request.runId, day };
  if (request.mode === 'dry-run') return settleStep(await portsOf(context, NO_LEASE, of), request);
  return underLease(context, SETTLE_LEASE, async (held, lease) =>
    settleStep(await portsOf(held, lease, of), request),
  );
}

export async function portsOf(
  context: Context,
  lease: Lease,
  { runId, day }: { runId: string; day: Day },
): Promise<SettlePorts> {
  const { clock, ids, files, log, profile, zone, signal, settings } = context;
  return {
    book: bookOf(context, lease, { runId, day }),
    client: await context.platform(),
    clock,
    ids,
    mark: fileMark(files, settings.settleMarkFile),
    boot: bootIdentity(),
    log: log.with({ runId }),
    profile,
    zone,
    tell: (line) => context.tell(line),
    runner: runnerOf(context),
    signal,
  };
}

/** What is kept of attempts and of calls by hand. */
function bookOf(
  { db, clock, profile, zone }: Context,
  lease: Lease,
  { runId, day }: { runId: string; day: Day },
): SettlementAttemptStore {
  const today = zone.dayOf(clock.wall());
  return sqlAttemptStore(db, {
    lease,
    saving: { runId, day, today, zone, rules: recheckRules(profile), keepsList: false },
    amountRule: profile.settle.amountRule,
    callLagMs: (slowestLookMs) => callLagMs(profile, slowestLookMs),
    now: () => clock.wall(),
  });
}

/** One name a process and clock. */
const runners = new WeakMap<Clock, string>();

function runnerOf({ clock, ids }: Context): string {
  const runner = runners.get(clock) ?? ids.token();
  runners.set(clock, runner);
  return runner;
}

/** What a night keeps of its step 3 (`run.facts`), for its report and its result. */
export interface NightSettling extends SettleSpan {
  /** Sent or resolved now, or why nothing was. */
  state: 'done' | 'off' | 'busy' | 'held' | 'needs_approval' | 'failed';
  planned: number;
  digest: string;
  leftOver: number;
}

const OFF = { planned: 0, digest: '', leftOver: 0 };

/** Step 3 of a night; its effects fall after the cut, so it never disturbs the proof. */
export async function settleNight(
  context: Context,
  run: Run,
  { mayRetry }: { mayRetry: boolean },
): Promise<NightSettling> {
  const done = mayRetry ? await tryToSettle(context, run) : { ...OFF, state: 'off' as const };
  return { ...(await spanOf(context, run)), ...done };
}

/** What a night keeps of a step 3 that came to no end: what it had changed by then is reported. */
export async function failedSettling(context: Context, run: Run): Promise<NightSettling> {
  return { ...(await spanOf(context, run)), ...OFF, state: 'failed' };
}

async function spanOf({ db, zone, clock }: Context, run: Run): Promise<SettleSpan> {
  const yesterday = addDays(zone.dayOf(clock.wall()), -1);
  const before = run.supersedes === null ? undefined : await findRun(db, run.supersedes);
  return settleSpanOfNight(db, { run, before, yesterday });
}

async function tryToSettle(context: Context, run: Run): Promise<Omit<NightSettling, 'after' | 'upTo'>> {
  try {
    return factsOf(await runSettle(context, { runId: run.run_id, mode: 'retry' }, run.to_day));
  } catch (error) {
    if (!(error instanceof LockHeld)) throw error;
    context.log.warn({ event: 'settle.busy', reason: error.message });
    return { ...OFF, state: 'busy' };
  }
}

function factsOf({ plan, digest, breaker, heldUntil, leftOver }: SettleOutcome) {
  const isStopped = breaker.tripped && !breaker.approved;
  const state = heldUntil !== undefined ? 'held' : isStopped ? 'needs_approval' : 'done';
  return { state, planned: plan.length, digest, leftOver: leftOver.orders } as const;
}
