/** What may become of an attempt, step by step; each is made in one's turn (`settle-guard.ts`) and leaves an event. */
import type { Selectable, Transaction } from 'kysely';
import type { Instant } from '../core/time.ts';
import type { SettleAttemptTable, Tables } from '../store/schema/schema.ts';
import {
  endOf,
  isAccepted,
  isKnownAlike,
  PLANNED_BEFORE_RESTORE,
  REDATED,
  sentAtLatest,
} from './attempt-store.ts';
import type { Closing, SentStamp } from './attempt-store.ts';
import { listOpenAttempts, stampOf } from './settle-candidates.ts';
import { nextSequence } from './settle-guard.ts';
import type { PlannedAttempt } from './settle-order.ts';

export type AttemptRow = Selectable<SettleAttemptTable>;
type Trx = Transaction<Tables>;

export async function markSent(
  trx: Trx,
  { reqId, sent, runId }: { reqId: string; sent: SentStamp; runId: string },
): Promise<{ sequence: bigint; attempt: AttemptRow }> {
  const attempt = await requireAttempt(trx, reqId);
  const stamp = rowStampOf(sent);
  if (attempt.state === 'SENT' && isSameStamp(stampOf(attempt), stampOf({ ...attempt, ...stamp }))) {
    return { attempt, sequence: await sequenceOfSend(trx, attempt) };
  }
  if (attempt.state !== 'PLANNED') throw wrongState(attempt, 'only what is PLANNED may be sent');
  const happening = { runId, at: sent.sentAt, note: '' };
  return { attempt, sequence: await change(trx, attempt, { state: 'SENT', ...stamp }, happening) };
}

/** Rounded up: nothing may be decided too early by it. */
export function rowStampOf({ reqTime, sentAt, sentMonoMs }: SentStamp) {
  return { req_time: reqTime, sent_at: sentAt, sent_mono_ms: BigInt(Math.ceil(sentMonoMs)) };
}

function isSameStamp(known: SentStamp | undefined, sent: SentStamp | undefined): boolean {
  return (
    known?.reqTime === sent?.reqTime &&
    known?.sentAt === sent?.sentAt &&
    known?.sentMonoMs === sent?.sentMonoMs
  );
}

async function sequenceOfSend(trx: Trx, attempt: AttemptRow): Promise<bigint> {
  const row = await trx
    .selectFrom('settle_event')
    .select('sequence')
    .where('account_no', '=', attempt.account_no)
    .where('out_order_no', '=', attempt.out_order_no)
    .where('attempt_no', '=', attempt.attempt_no)
    .where('state', '=', 'SENT')
    .orderBy('sequence')
    .executeTakeFirst();
  if (row === undefined) throw new Error(`Bug: the settlement attempt ${attempt.req_id} was sent unseen`);
  return row.sequence;
}

/** Who judges the looks says which is the first of those that agree. */
export async function saveFailedSeen(
  trx: Trx,
  { reqId, seenAt, ...seen }: { reqId: string; seenAt: Instant | undefined; at: Instant; runId: string },
): Promise<void> {
  const attempt = await requireAttempt(trx, reqId);
  if (attempt.state === 'CLOSED' || attempt.failed_seen_at === (seenAt ?? null)) return;
  const note = seenAt === undefined ? 'a query says no more that it failed' : 'a query says that it failed';
  await change(trx, attempt, { failed_seen_at: seenAt ?? null }, { ...seen, note });
}

/** The first is an event, and what takes back that it awaits a person; the later ones only keep the time, so that a report does not take them for news. */
export async function saveOpenSeen(
  trx: Trx,
  { reqId, seenAt, ...seen }: { reqId: string; seenAt: Instant; at: Instant; runId: string },
): Promise<void> {
  const attempt = await requireAttempt(trx, reqId);
  const { state, open_seen_at: before } = attempt;
  if (state === 'CLOSED') return;
  // Also of an earlier time, by a clock that was set back, it takes back that it was seen failed.
  const set = { open_seen_at: before !== null && before > seenAt ? before : seenAt, failed_seen_at: null };
  if (before === null || attempt.failed_seen_at !== null || (await isLastAwaiting(trx, attempt))) {
    await change(trx, attempt, set, { ...seen, note: 'a query shows it under way' });
  } else await trx.updateTable('settle_attempt').set(set).where('req_id', '=', reqId).execute();
}

export async function redate(
  trx: Trx,
  {
    reqId,
    sent,
    runner,
    ...when
  }: { reqId: string; sent: SentStamp; runner: string; at: Instant; runId: string },
): Promise<void> {
  const attempt = await requireAttempt(trx, reqId);
  const { state, open_seen_at: openSeen } = attempt;
  if (state === 'CLOSED') return;
  const open_seen_at = openSeen !== null && openSeen > sent.reqTime ? sent.reqTime : openSeen;
  const set = { ...rowStampOf(sent), runner, open_seen_at, failed_seen_at: null };
  await change(trx, attempt, set, { ...when, note: REDATED });
}

/** An event of its own, because nothing else changes. */
export async function saveAwaiting(
  trx: Trx,
  { reqId, ...happening }: Happening & { reqId: string },
): Promise<void> {
  const attempt = await requireAttempt(trx, reqId);
  if (attempt.state === 'CLOSED' || (await isLastAwaiting(trx, attempt))) return;
  await saveEvent(trx, attempt, { ...happening, isAwaiting: true });
}

/** Whether its last event says that it awaits a person. */
async function isLastAwaiting(trx: Trx, attempt: AttemptRow): Promise<boolean> {
  const last = await trx
    .selectFrom('settle_event')
    .select('is_awaiting')
    .where('account_no', '=', attempt.account_no)
    .where('out_order_no', '=', attempt.out_order_no)
    .where('attempt_no', '=', attempt.attempt_no)
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.is_awaiting === true;
}

export async function close(
  trx: Trx,
  { reqId, closing, runId }: { reqId: string; closing: Closing; runId: string },
): Promise<boolean> {
  const attempt = await requireAttempt(trx, reqId);
  if (attempt.state === 'CLOSED') return true;
  const { outcome, at, note, judged } = closing;
  const [open] = judged === undefined ? [] : await listOpenAttempts(trx, reqId);
  if (judged !== undefined && (open === undefined || !isKnownAlike(open, judged, outcome))) return false;
  const wasNeverSent = attempt.state === 'PLANNED' || attempt.state === 'NOT_SENT';
  if (wasNeverSent !== (outcome === 'NOT_SENT')) {
    throw wrongState(attempt, `it cannot have come to ${outcome}`);
  }
  const kept = note === '' ? attempt.note : note;
  const set = { state: 'CLOSED' as const, outcome, closed_at: endOf(at, timesOf(attempt)), note: kept };
  await change(trx, attempt, set, { runId, at, note });
  return true;
}

function timesOf(row: AttemptRow): (Instant | null)[] {
  const { planned_at, req_time, sent_at, answered_at, open_seen_at, failed_seen_at, reopened_at } = row;
  return [planned_at, req_time, sent_at, answered_at, open_seen_at, failed_seen_at, reopened_at];
}

/** PLANNED → UNKNOWN and claimed, all of them: a restored database has forgotten what became of them. */
export async function markPlannedUnknown(
  trx: Trx,
  { latestSend, ...when }: { latestSend: SentStamp; at: Instant; runId: string },
): Promise<void> {
  const planned = await trx
    .selectFrom('settle_attempt')
    .selectAll()
    .where('state', '=', 'PLANNED')
    .orderBy('req_id')
    .execute();
  const note = PLANNED_BEFORE_RESTORE;
  for (const attempt of planned) {
    const sent = rowStampOf(sentAtLatest(latestSend, attempt.planned_at));
    const set = { state: 'UNKNOWN' as const, is_claimed: true, note, ...sent };
    await change(trx, attempt, set, { ...when, note });
  }
}

interface Happening {
  runId: string;
  at: Instant;
  note: string;
  /** Whether only a person can end it; else what is stored of it says so. */
  isAwaiting?: boolean;
}

/** One change of an attempt and its event. @returns the number of the change */
export async function change(
  trx: Trx,
  { req_id: reqId }: AttemptRow,
  set: Partial<AttemptRow>,
  happening: Happening,
): Promise<bigint> {
  const row = await trx
    .updateTable('settle_attempt')
    .set(set)
    .where('req_id', '=', reqId)
    .returningAll()
    .executeTakeFirstOrThrow();
  return saveEvent(trx, row, happening);
}

export async function saveEvent(
  trx: Trx,
  row: AttemptRow,
  { runId, at, note, isAwaiting = awaits(row) }: Happening,
): Promise<bigint> {
  const sequence = await nextSequence(trx);
  const { account_no, out_order_no, attempt_no, state, outcome } = row;
  const what = { account_no, out_order_no, attempt_no, at, run_id: runId, state, outcome, note };
  await trx
    .insertInto('settle_event')
    .values({ sequence, ...what, is_awaiting: isAwaiting })
    .execute();
  return sequence;
}

/** The platform took it, its queries say that it failed, and none showed it under way in between. */
function awaits(row: AttemptRow): boolean {
  const isTaken = isAccepted({ state: row.state, isClaimed: row.is_claimed });
  return isTaken && row.failed_seen_at !== null && row.open_seen_at === null && row.state !== 'CLOSED';
}

/** An attempt of which nothing is known yet. */
export function plannedRow(planned: PlannedAttempt, fence: bigint) {
  return {
    account_no: planned.accountNo,
    out_order_no: planned.outOrderNo,
    attempt_no: planned.attemptNo,
    req_id: planned.reqId,
    order_no: planned.orderNo,
    payee_account_no: planned.payeeAccountNo,
    amount_fen: planned.amountFen,
    remark: planned.remark,
    state: 'PLANNED' as const,
    outcome: null,
    run_id: planned.runId,
    fence,
    planned_at: planned.plannedAt,
    runner: planned.runner,
  };
}

export function findAttempt(trx: Trx, reqId: string): Promise<AttemptRow | undefined> {
  return trx.selectFrom('settle_attempt').selectAll().where('req_id', '=', reqId).executeTakeFirst();
}

export async function requireAttempt(trx: Trx, reqId: string): Promise<AttemptRow> {
  const row = await findAttempt(trx, reqId);
  if (row === undefined) throw new Error(`no settlement attempt has the request ${reqId}`);
  return row;
}

export function wrongState(attempt: Pick<AttemptRow, 'req_id' | 'state'>, why: string): Error {
  return new Error(`the settlement attempt ${attempt.req_id} is ${attempt.state}: ${why}`);
}
