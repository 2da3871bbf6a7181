/**
 * How long a kept look at orders took at most, from its request until it was heard: what it shows was so at any time
 * between. A look is dated when it was heard, and how long it may have taken the settings of a later call do not say.
 */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { epochMs, HOUR_MS, SECOND_MS } from '../core/time.ts';
import { progressOf } from '../store/database/writing.ts';
import type { DbOrTransaction, Tables } from '../store/schema/schema.ts';
import type { OrderAnswer } from './orders-answers.ts';

const STEP = 'slowest_look';

/** Whatever the settings, a call may take so long. */
const USUAL_MS = 2 * SECOND_MS;

/** No setting lets one take longer (`http.timeouts.deadlineMs`): a clock was set between. */
const LONGEST_MS = HOUR_MS + USUAL_MS;

export async function keepSlowest(trx: Transaction<Tables>, answers: readonly OrderAnswer[]): Promise<void> {
  const slowest = answers.reduce((most, answer) => Math.max(most, tookMs(answer)), 0);
  if (slowest <= USUAL_MS || BigInt(slowest) <= (await progressOf(trx, STEP))) return;
  await sql`
    insert into progress (step, done_no) values (${STEP}, ${slowest}::bigint)
    on conflict (step) do update set done_no = greatest(progress.done_no, excluded.done_no)`.execute(trx);
}

function tookMs(answer: OrderAnswer): number {
  if (answer.kind === 'failed') return 0;
  const ms = epochMs(answer.moments.answeredAt) - epochMs(answer.moments.sentAt);
  return ms > LONGEST_MS ? 0 : ms;
}

export async function slowestLookMs(db: DbOrTransaction): Promise<number> {
  return Number(await progressOf(db, STEP));
}
