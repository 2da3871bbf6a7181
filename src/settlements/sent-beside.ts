/** Which attempts of an order count, and of which of two the platform may have taken both. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/** Whether an attempt was, may have been or may still be sent: all but those of which no byte left. */
export function countsAsAttempt(attempt: string): RawBuilder<boolean> {
  const [state, outcome] = [sql.ref(`${attempt}.state`), sql.ref(`${attempt}.outcome`)];
  return sql`(${state} <> 'NOT_SENT' and ${outcome} is distinct from 'NOT_SENT')`;
}

/**
 * Whether an attempt was, or may have been, sent after another one of its order that was opened again, and before that
 * ended: the platform may have taken both. What is planned is not sent while the other one is open.
 */
export function wasSentBeside(attempt: string, reopened: string): RawBuilder<boolean> {
  const [n, t] = [sql.table(attempt), sql.table(reopened)];
  return sql`(${t}.reopened_at is not null and ${n}.account_no = ${t}.account_no
    and ${n}.out_order_no = ${t}.out_order_no and ${n}.req_id <> ${t}.req_id
    and (${n}.attempt_no > ${t}.attempt_no or ${n}.planned_at > ${t}.planned_at)
    and (${t}.closed_at is null or ${t}.closed_at > ${n}.planned_at)
    and ${n}.state <> 'PLANNED' and ${countsAsAttempt(attempt)})`;
}
