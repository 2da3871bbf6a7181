/**
 * One look at the pushes that wait: openings and changes are kept for people, a batch that is registered is asked
 * for, one that is not is never made. A push changes nothing; what the query answers does (EVT-04, EVT-08, U53).
 */
import { isLeaseHeld } from '../src/store/push-leases.ts';
import { findHintedBatch, hasUnenrolled, isOwnAccount, listWaitingPushes } from '../src/store/push-work.ts';
import { savePushUnregistered, savePushesDone, savePushesTried } from '../src/store/push-work.ts';
import type { WaitingPush } from '../src/store/push-work.ts';
import type { DueUnit } from '../src/store/order-due.ts';
import { enrolOrders } from '../src/store/order-enrol.ts';
import { keyOf } from './collect-orders.ts';
import type { Context } from './context.ts';
import { RUN_LEASE } from './prove-run.ts';
import { askHinted } from './push-ask.ts';
import { underLease } from './under-lease.ts';

/** One process at a time asks for what was pushed; a name of its own holds up neither night nor snapshot. */
const PUSH_LEASE = 'push';
/** Hints looked at in one go, and batches asked for in one. */
const ROUND_PUSHES = 200;
const TRIES_MAX = 5;
/** What an outsider can send at will must not fill the log; the list shows all of it. */
const WARNED_MAX = 20;
/** The state of an opening that succeeded (U11). */
const OPENED = '2';

/** When a batch may be asked for again; by the process's own steady clock. */
export interface Pacing {
  spacingMs: number;
  restMs: number;
  notBeforeMs: Map<string, number>;
}

export interface Round {
  /** Hints that are processed, whatever came of them. */
  done: number;
  /** Whether as many as one round takes were waiting: there may be more. */
  isFull: boolean;
  /** When the next of those that had to wait may be asked for, in ms of the steady clock. */
  nextMs: number | undefined;
}

/** @throws LockHeld when another process is at it */
export async function processPushes(context: Context, pacing: Pacing): Promise<Round> {
  const kept = await keepOthers(context);
  const asked = await askTransfers(context, pacing);
  return { ...asked, done: asked.done + kept.length, isFull: asked.isFull || kept.length >= ROUND_PUSHES };
}

/** Openings, changes and what nobody understands: there is nothing to ask for. */
async function keepOthers({ db, clock, log }: Context): Promise<WaitingPush[]> {
  const pushes = await listWaitingPushes(db, { transfers: false, limit: ROUND_PUSHES });
  const strangers: WaitingPush[] = [];
  for (const push of pushes) {
    const isOpened = push.kind === 'opening' && push.statedState === OPENED && push.accountNo !== '';
    if (isOpened && !(await isOwnAccount(db, push.accountNo))) strangers.push(push);
  }
  for (const { accountNo, signed } of strangers.slice(0, WARNED_MAX)) {
    const hint = 'an account was opened that is not in the list; import it with recon accounts import';
    log.warn({ event: 'push.account_unknown', accountNo, signed, hint });
  }
  const done = { state: 'kept' as const, at: clock.wall() };
  const hashes = (of: readonly WaitingPush[]): string[] => of.map(({ sha256 }) => sha256);
  const others = pushes.filter((push) => !strangers.includes(push));
  await savePushesDone(db, { ...done, hashes: hashes(others), note: '' });
  const note = 'the account it names is not in the list: recon accounts import';
  await savePushesDone(db, { ...done, hashes: hashes(strangers), note });
  return pushes;
}

const NOTHING: Round = { done: 0, isFull: false, nextMs: undefined };

/** While a night is at work its own list decides what is asked, and the hints wait. */
async function askTransfers(context: Context, pacing: Pacing): Promise<Round> {
  const { db, realClock } = context;
  const pushes = await listWaitingPushes(db, { transfers: true, limit: ROUND_PUSHES });
  if (pushes.length === 0) return NOTHING;
  if (await isLeaseHeld(db, RUN_LEASE, realClock.wall())) return NOTHING;
  return underLease(context, PUSH_LEASE, async (at) => {
    const { batches, strangers } = await sortOut(at, pushes);
    await leaveStrangers(at, strangers);
    const asked = await askBatches(at, batches, pacing);
    const done = strangers.length + asked.done;
    return { done, isFull: pushes.length >= ROUND_PUSHES && done > 0, nextMs: asked.nextMs };
  });
}

interface HintedBatch {
  unit: DueUnit;
  pushes: WaitingPush[];
}

/** What was registered a moment ago is put on the list first. */
async function sortOut(context: Context, pushes: readonly WaitingPush[]) {
  const { db } = context;
  const batches = new Map<string, HintedBatch>();
  const strangers: WaitingPush[] = [];
  let mayEnrol = true;
  for (const push of pushes) {
    let unit = await findHintedBatch(db, push);
    if (unit === undefined && mayEnrol) {
      mayEnrol = false;
      if (await hasUnenrolled(db)) {
        await enrolOrders(db);
        unit = await findHintedBatch(db, push);
      }
    }
    if (unit === undefined) {
      strangers.push(push);
      continue;
    }
    const known = batches.get(keyOf(unit));
    if (known === undefined) batches.set(keyOf(unit), { unit, pushes: [push] });
    else known.pushes.push(push);
  }
  return { batches, strangers };
}

async function leaveStrangers({ db, clock, log }: Context, pushes: readonly WaitingPush[]): Promise<void> {
  let warned = 0;
  for (const push of pushes) {
    const isFirst = await savePushUnregistered(db, push, clock.wall());
    if (!isFirst || warned >= WARNED_MAX) continue;
    warned += 1;
    const { ownNo: outBatchNo, platformNo: batchNo, signed } = push;
    const hint = 'a batch that nobody registered; recon pushes list shows all of them';
    log.warn({ event: 'push.unregistered', outBatchNo, batchNo, signed, hint });
  }
}

/** Each batch once, however many pushes name it, and none sooner than its time. */
async function askBatches(
  context: Context,
  batches: ReadonlyMap<string, HintedBatch>,
  { spacingMs, restMs, notBeforeMs }: Pacing,
): Promise<{ done: number; nextMs: number | undefined }> {
  const { db, clock, realClock, log } = context;
  const startMs = realClock.monoMs();
  for (const [key, atMs] of notBeforeMs) if (atMs <= startMs) notBeforeMs.delete(key);
  const due = [...batches].filter(([key]) => !notBeforeMs.has(key)).map(([, batch]) => batch);
  const asked = await askHinted(
    context,
    due.map(({ unit }) => unit),
  );
  let done = 0;
  for (const { unit, failure } of asked) {
    const hashes = batches.get(keyOf(unit))?.pushes.map(({ sha256 }) => sha256) ?? [];
    notBeforeMs.set(keyOf(unit), realClock.monoMs() + (failure === undefined ? spacingMs : restMs));
    const at = clock.wall();
    if (failure === undefined) {
      await savePushesDone(db, { hashes, state: 'asked', note: '', at });
      done += hashes.length;
    } else {
      await savePushesTried(db, { hashes, note: failure, triesMax: TRIES_MAX, at });
    }
  }
  // What was not asked because the platform is away rests as long as what was.
  for (const { unit } of due) {
    if (!notBeforeMs.has(keyOf(unit))) notBeforeMs.set(keyOf(unit), realClock.monoMs() + restMs);
  }
  if (asked.length > 0) log.info({ event: 'push.asked', batches: asked.length, hints: done });
  const waits = [...batches.keys()].flatMap((key) => notBeforeMs.get(key) ?? []);
  return { done, nextMs: waits.length === 0 ? undefined : Math.min(...waits) };
}
