/** Asks for the batches that pushes named and stores what is answered, as a snapshot does for what is open. */
import pLimit from 'p-limit';
import { addDays } from '../../src/core/time.ts';
import { recheckRules } from '../../src/orders/order-due-next.ts';
import type { OrderAnswer, OrderSave } from '../../src/orders/orders.ts';
import type { DueUnit } from '../../src/store/orders/order-due.ts';
import { isAnyLeaseHeld } from '../../src/store/pushes/push-leases.ts';
import { askClaimed } from '../night/collect/ask-claimed.ts';
import { askOrder } from '../night/collect/ask-order.ts';
import type { Context } from '../context/context.ts';
import { keyOf, oneAtATime } from '../night/collect/one-at-a-time.ts';
import { OrderWriter } from '../night/collect/order-writer.ts';
import { RUN_LEASE } from '../night/prove/prove-run.ts';
import { SNAPSHOT_LEASE } from '../night/collect/bracket.ts';

/** So many questions in a row without any answer: the platform is away, and the rest need not be asked now. */
const UNANSWERED_MAX = 3;
/** Hints are no hurry: whoever posts must not use up the rate. */
const ASKED_AT_ONCE = 2;

/** What is done about each batch. */
export interface Asking<T extends { unit: DueUnit }> {
  /** It is asked for now. */
  before: (batch: T) => void;
  /** @param failure why there is no answer to keep, masked, for people; undefined: the answer is stored */
  after: (batch: T, failure: string | undefined) => Promise<void>;
}

/** Whether a night or a snapshot is at work, whose own list decides what is asked. */
export function areOthersAtWork({ db, realClock }: Context): Promise<boolean> {
  return isAnyLeaseHeld(db, [RUN_LEASE, SNAPSHOT_LEASE], realClock.wall());
}

/**
 * Each batch once, one after the other in two lanes. The rest is left when the platform is away, when a night or a
 * snapshot begins, and when something fails; each batch is locked for its own question only.
 * @returns how many were asked for
 * @throws the signal's reason when it is stopped, and what the database says against storing
 */
export async function askHinted<T extends { unit: DueUnit }>(
  context: Context,
  batches: readonly T[],
  { before, after }: Asking<T>,
): Promise<number> {
  const { clock, signal, profile } = context;
  const left = [...batches];
  let asked = 0;
  let unansweredInRow = 0;
  const ask = async (batch: T): Promise<void> => {
    signal.throwIfAborted();
    if (unansweredInRow >= UNANSWERED_MAX || (await areOthersAtWork(context))) {
      left.length = 0;
      return;
    }
    before(batch);
    asked += 1;
    const answer = await askAndStore(context, batch.unit);
    const isUnanswered = answer.kind === 'failed' && answer.isUnanswered === true;
    unansweredInRow = isUnanswered ? unansweredInRow + 1 : 0;
    await after(batch, answer.kind === 'failed' ? answer.reason : undefined);
  };
  const lane = async (): Promise<void> => {
    for (let batch = left.shift(); batch !== undefined; batch = left.shift()) {
      const next = batch;
      await oneAtATime(clock, [keyOf(next.unit)], () => ask(next)).catch((error: unknown) => {
        left.length = 0;
        throw error;
      });
    }
  };
  const lanes = Math.min(ASKED_AT_ONCE, profile.http.rate.concurrency);
  const outcomes = await Promise.allSettled(Array.from({ length: lanes }, lane));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason as Error;
  return asked;
}

async function askAndStore(context: Context, unit: DueUnit): Promise<OrderAnswer> {
  const { db, log } = context;
  const save = saveOf(context);
  let answer: OrderAnswer | undefined;
  await askClaimed(context, [unit], {
    by: save.runId,
    runId: save.runId,
    inTurn: pLimit(1),
    ask: async (claimed) => {
      answer = await askOrder(context, claimed);
      return answer;
    },
    writer: () => new OrderWriter(db, log, save),
  });
  if (answer === undefined) throw new Error('Bug: nothing was asked for');
  return answer;
}

/** A look between the nights: what a night has on its own list stays as it is. */
function saveOf({ profile, zone, clock }: Context): Omit<OrderSave, 'answers'> {
  const now = clock.wall();
  const today = zone.dayOf(now);
  return {
    runId: `push-${zone.compactText(now)}`,
    day: addDays(today, -1),
    today,
    zone,
    rules: recheckRules(profile),
    keepsList: false,
  };
}
