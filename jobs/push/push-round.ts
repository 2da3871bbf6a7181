/**
 * One look at the pushes that wait: openings and changes are kept for people, a batch that is registered is asked
 * for, one that is not is never made. A push changes nothing; what the query answers does (EVT-04, EVT-08, U53).
 */
import {
  findHintedBatch,
  hasUnenrolled,
  isOwnAccount,
  listWaitingPushes,
  savePushUnregistered,
  savePushesDone,
  savePushesTried,
} from '../../src/store/pushes/push-work.ts';
import type { WaitingPush } from '../../src/store/pushes/push-work.ts';
import type { DueUnit } from '../../src/store/orders/order-due.ts';
import { scheduleOrderQueries } from '../../src/store/orders/schedule-order-queries.ts';
import { keyOf } from '../night/collect/one-at-a-time.ts';
import type { Context } from '../context/context.ts';
import { areOthersAtWork, askHinted } from './push-ask.ts';
import type { Quota } from './quota.ts';
import { underLease } from '../context/under-lease.ts';

/** One process at a time asks for what was pushed; a name of its own holds up neither night nor snapshot. */
const PUSH_LEASE = 'push';
/** Hints looked at in one go, and batches asked for in one. */
const ROUND_PUSHES = 200;
const TRIES_MAX = 5;
/** The state of an opening that succeeded (U11). */
const OPENED = '2';

/** When a batch may be asked for again; by the process's own steady clock. */
export interface Pacing {
  spacingMs: number;
  restMs: number;
  notBeforeMs: Map<string, number>;
  /** What an outsider can send at will must not fill the log; the list shows all of it. */
  warnings: Quota;
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
  const kept = await keepOthers(context, pacing);
  const asked = await askTransfers(context, pacing);
  return { ...asked, done: asked.done + kept.length, isFull: asked.isFull || kept.length >= ROUND_PUSHES };
}

/** Why an opening is worth a look: on the word of nobody in particular an account is not imported. */
const STRANGER = {
  signed: 'an account was opened that is not in the list; import it with recon accounts import',
  unsigned: 'it names an account that is not in the list; it is not signed, so anybody may have sent it',
} as const;

/** Openings, changes and what nobody understands: there is nothing to ask for. */
async function keepOthers({ db, clock, log }: Context, { warnings }: Pacing): Promise<WaitingPush[]> {
  const pushes = await listWaitingPushes(db, { transfers: false, limit: ROUND_PUSHES });
  const strangers: WaitingPush[] = [];
  for (const push of pushes) {
    const isOpened = push.kind === 'opening' && push.statedState === OPENED && push.accountNo !== '';
    if (isOpened && !(await isOwnAccount(db, push.accountNo))) strangers.push(push);
  }
  for (const { accountNo, signed } of strangers) {
    if (!warnings.take()) break;
    log.warn({
      event: 'push.account_unknown',
      accountNo,
      signed,
      hint: STRANGER[signed ? 'signed' : 'unsigned'],
    });
  }
  const done = { state: 'kept' as const, at: clock.wall() };
  const hashes = (of: readonly WaitingPush[]): string[] => of.map(({ sha256 }) => sha256);
  const others = pushes.filter((push) => !strangers.includes(push));
  await savePushesDone(db, { ...done, hashes: hashes(others), note: '' });
  for (const kind of ['signed', 'unsigned'] as const) {
    const of = strangers.filter(({ signed }) => signed === (kind === 'signed'));
    await savePushesDone(db, { ...done, hashes: hashes(of), note: STRANGER[kind] });
  }
  return pushes;
}

const NOTHING: Round = { done: 0, isFull: false, nextMs: undefined };

/** While a night or a snapshot is at work its own list decides what is asked, and the hints wait. */
async function askTransfers(context: Context, pacing: Pacing): Promise<Round> {
  const pushes = await listWaitingPushes(context.db, { transfers: true, limit: ROUND_PUSHES });
  if (pushes.length === 0) return NOTHING;
  if (await areOthersAtWork(context)) return NOTHING;
  return underLease(context, PUSH_LEASE, async (at) => {
    const { batches, strangers } = await sortOut(at, pushes);
    await leaveStrangers(at, strangers, pacing);
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
        await scheduleOrderQueries(db, context.clock.wall());
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

async function leaveStrangers(
  { db, clock, log }: Context,
  pushes: readonly WaitingPush[],
  { warnings }: Pacing,
): Promise<void> {
  for (const push of pushes) {
    const isFirst = await savePushUnregistered(db, push, clock.wall());
    if (!isFirst || !warnings.take()) continue;
    const { ownNo: outBatchNo, platformNo: batchNo, signed } = push;
    const hint = 'a batch that nobody registered; recon pushes list shows all of them';
    log.warn({ event: 'push.unregistered', outBatchNo, batchNo, signed, hint });
  }
}

/** Each batch once, however many pushes name it, and none sooner than its time, whatever fails in between. */
async function askBatches(
  context: Context,
  batches: ReadonlyMap<string, HintedBatch>,
  { spacingMs, restMs, notBeforeMs }: Pacing,
): Promise<{ done: number; nextMs: number | undefined }> {
  const { db, clock, realClock, log } = context;
  const startMs = realClock.monoMs();
  for (const [key, atMs] of notBeforeMs) if (atMs <= startMs) notBeforeMs.delete(key);
  const due = [...batches].filter(([key]) => !notBeforeMs.has(key)).map(([, batch]) => batch);
  const wait = ({ unit }: HintedBatch, ms: number): void => {
    notBeforeMs.set(keyOf(unit), realClock.monoMs() + ms);
  };
  let done = 0;
  const asked = await askHinted(context, due, {
    before: (batch) => wait(batch, Math.max(spacingMs, restMs)),
    after: async (batch, failure) => {
      wait(batch, failure === undefined ? spacingMs : restMs);
      const { unit, pushes } = batch;
      const at = clock.wall();
      if (failure !== undefined) {
        await savePushesTried(db, { unit, pushes, note: failure, triesMax: TRIES_MAX, at });
        return;
      }
      await savePushesDone(db, { hashes: pushes.map(({ sha256 }) => sha256), state: 'asked', note: '', at });
      done += pushes.length;
    },
  });
  // What was left because the platform is away, or a night at work, rests as long as what was asked in vain.
  for (const batch of due) if (!notBeforeMs.has(keyOf(batch.unit))) wait(batch, restMs);
  if (asked > 0) log.info({ event: 'push.asked', batches: asked, hints: done });
  const waits = [...batches.keys()].flatMap((key) => notBeforeMs.get(key) ?? []);
  return { done, nextMs: waits.length === 0 ? undefined : Math.min(...waits) };
}
