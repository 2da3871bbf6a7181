/** Asks for the batches that pushes named and stores what is answered, as a snapshot does for what is open. */
import pLimit from 'p-limit';
import { addDays } from '../src/core/time.ts';
import type { DueUnit } from '../src/store/order-due.ts';
import { askOrder } from './ask-order.ts';
import { keyOf } from './collect-orders.ts';
import type { Context } from './context.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { OrderWriter } from './order-writer.ts';

/** So many questions in a row without any answer: the platform is away, and the rest need not be asked now. */
const UNANSWERED_MAX = 3;

export interface AskedBatch {
  unit: DueUnit;
  /** Why there is no answer to keep; undefined when there is one. Masked, for people. */
  failure: string | undefined;
}

/**
 * Each batch once, below the profile's rate; the answers are stored when it resolves. Not among the results: what
 * was not asked because the platform is away.
 * @throws the signal's reason when it is stopped, and what the database says against storing
 */
export async function askHinted(context: Context, units: readonly DueUnit[]): Promise<AskedBatch[]> {
  const inTurn = pLimit(context.profile.http.rate.concurrency);
  const asked: AskedBatch[] = [];
  let unansweredInRow = 0;
  await oneAtATime(context.clock, units.map(keyOf), async () => {
    const writer = writerOf(context);
    const ask = async (unit: DueUnit): Promise<void> => {
      context.signal.throwIfAborted();
      if (unansweredInRow >= UNANSWERED_MAX) return;
      const answer = await askOrder(context, unit);
      const isUnanswered = answer.kind === 'failed' && answer.isUnanswered === true;
      unansweredInRow = isUnanswered ? unansweredInRow + 1 : 0;
      asked.push({ unit, failure: answer.kind === 'failed' ? answer.reason : undefined });
      await writer.add(answer);
    };
    const outcomes = await Promise.allSettled(units.map((unit) => inTurn(() => ask(unit))));
    await writer.close();
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason as Error;
  });
  return asked;
}

/** A look between the nights: what a night has on its own list stays as it is. */
function writerOf({ db, log, profile, zone, clock }: Context): OrderWriter {
  const now = clock.wall();
  const today = zone.dayOf(now);
  return new OrderWriter(db, log, {
    runId: `push-${zone.compactText(now)}`,
    day: addDays(today, -1),
    today,
    zone,
    rules: profile.recheck,
    keepsList: false,
  });
}
