/**
 * What was done about failed settlements between two changes: the report of a night shows all that happened since the
 * nights of earlier days, as it was known then, and later changes alter no report that another followed.
 */
import { sql } from 'kysely';
import type { Fen } from '../core/fen.ts';
import { isJsonObject, member } from '../core/json.ts';
import type { Day, Instant } from '../core/time.ts';
import type { Run } from '../store/runs/runs.ts';
import type { AttemptOutcome, AttemptState, DbOrTransaction } from '../store/schema/schema.ts';

/** Changes with a higher number than `after`, up to `upTo` (settle_event.sequence). */
export interface SettleSpan {
  after: bigint;
  upTo: bigint;
}

/** An attempt as it was known at the end of a span. */
export interface ListedAttempt {
  /** The payer's account, to which the order belongs; the money leaves the payee's. */
  accountNo: string;
  outOrderNo: string;
  attemptNo: number;
  reqId: string;
  payeeAccountNo: string;
  amountFen: Fen;
  /** What the answer to the retry stated; null where there was none. */
  feeFen: Fen | null;
  state: AttemptState;
  outcome: AttemptOutcome | null;
  note: string;
  remark: string;
  plannedAt: Instant;
  sentAt: Instant | null;
  closedAt: Instant | null;
  /** For longer than a view may lag behind queries show neither an end of it nor that it is under way: for a person. */
  isAwaiting: boolean;
  /** Nothing happened to it in the span: it was open before and still is. */
  isOlder: boolean;
}

/** The number of the last change there was; 0 before the first. */
export async function lastSettleSequence(db: DbOrTransaction): Promise<bigint> {
  const row = await db.selectFrom('settle_guard').select('sequence').executeTakeFirst();
  return row?.sequence ?? 0n;
}

/**
 * What a night reports: all since the nights of earlier days, whenever it runs. One that a later night followed keeps
 * what it, or the version before it, reported. Nights of some accounts take nothing from those of all.
 * @param yesterday a later night than that was dated by a clock ahead, and follows nothing
 */
export async function settleSpanOfNight(
  db: DbOrTransaction,
  { run, before, yesterday }: { run: Run; before: Run | undefined; yesterday: Day },
): Promise<SettleSpan> {
  const upTo = await lastSettleSequence(db);
  const { rows } = await sql<{ reported: bigint | null; is_followed: boolean | null }>`
    select bool_or(to_day > ${run.to_day} and to_day <= ${yesterday}) as is_followed,
      max((facts #>> '{settle,upTo}')::bigint) filter (
        where to_day < ${run.to_day} and (facts #>> '{settle,upTo}')::bigint > (facts #>> '{settle,after}')::bigint
      ) as reported
    from run
    where job = 'nightly' and state in ('finished', 'incomplete') and accounts in ('', ${run.accounts})`.execute(
    db,
  );
  if (run.job === 'nightly' && rows[0]?.is_followed !== true) return { after: rows[0]?.reported ?? 0n, upTo };
  return settleSpanOf(run.facts) ?? settleSpanOf(before?.facts) ?? { after: upTo, upTo };
}

/** The changes a run reports, from its facts (`settle`); undefined where it has none. */
export function settleSpanOf(facts: unknown): SettleSpan | undefined {
  const settle = isJsonObject(facts) ? member(facts, 'settle') : undefined;
  if (!isJsonObject(settle)) return undefined;
  const [after, upTo] = [member(settle, 'after'), member(settle, 'upTo')];
  if (!Number.isSafeInteger(after) || !Number.isSafeInteger(upTo)) return undefined;
  return { after: BigInt(after as number), upTo: BigInt(upTo as number) };
}

/** Whether a run reports changes that the version before it does not. */
export function reportsMore(run: Run | undefined, before: Run | undefined): boolean {
  const [now, then] = [settleSpanOf(run?.facts), settleSpanOf(before?.facts)];
  return now !== undefined && now.after < now.upTo && now.upTo > (then?.upTo ?? 0n);
}

interface Row {
  account_no: string;
  out_order_no: string;
  attempt_no: number;
  req_id: string;
  payee_account_no: string;
  amount_fen: Fen;
  fee_fen: Fen | null;
  state: AttemptState;
  outcome: AttemptOutcome | null;
  note: string;
  remark: string;
  planned_at: Instant;
  sent_at: Instant | null;
  closed_at: Instant | null;
  is_awaiting: boolean;
  is_older: boolean;
}

/** Attempts in which something changed in the span, and those open at its end, by key. */
export async function listAttempts(
  db: DbOrTransaction,
  { after, upTo }: SettleSpan,
): Promise<ListedAttempt[]> {
  const { rows } = await sql<Row>`
    select t.account_no, t.out_order_no, t.attempt_no, t.req_id, t.payee_account_no, t.amount_fen, t.remark,
      case when known.answered then t.answer_fee_fen end as fee_fen, last.state, last.outcome,
      case when last.outcome = 'SUCCESS' then last.note else known.note end as note,
      t.planned_at, case when known.sent then t.sent_at end as sent_at,
      case when last.state = 'CLOSED' then closing.at end as closed_at, last.is_awaiting,
      last.sequence <= ${after} as is_older
    from settle_attempt t
    cross join lateral (
      select e.sequence, e.state, e.outcome, e.is_awaiting, e.note from settle_event e
      where (e.account_no, e.out_order_no, e.attempt_no) = (t.account_no, t.out_order_no, t.attempt_no)
        and e.sequence <= ${upTo}
      order by e.sequence desc limit 1) last
    cross join lateral (
      select coalesce(bool_or(e.state = 'SENT'), false) as sent,
        coalesce(bool_or(e.state in ('ACK_PROCESSING', 'ACK_SUCCESS', 'ACK_FAIL')), false) as answered,
        coalesce((array_agg(e.note order by e.sequence desc) filter (where e.note <> ''))[1], '') as note
      from settle_event e
      where (e.account_no, e.out_order_no, e.attempt_no) = (t.account_no, t.out_order_no, t.attempt_no)
        and e.sequence <= ${upTo}) known
    cross join lateral (
      select min(e.at) as at from settle_event e
      where (e.account_no, e.out_order_no, e.attempt_no) = (t.account_no, t.out_order_no, t.attempt_no)
        and e.sequence <= ${upTo} and e.sequence > coalesce((
          select max(o.sequence) from settle_event o
          where (o.account_no, o.out_order_no, o.attempt_no) = (t.account_no, t.out_order_no, t.attempt_no)
            and o.sequence <= ${upTo} and o.state <> 'CLOSED'), 0)) closing
    where last.sequence > ${after} or last.state <> 'CLOSED'
    order by t.account_no, t.out_order_no, t.attempt_no`.execute(db);
  return rows.map((row) => ({
    accountNo: row.account_no,
    outOrderNo: row.out_order_no,
    attemptNo: row.attempt_no,
    reqId: row.req_id,
    payeeAccountNo: row.payee_account_no,
    amountFen: row.amount_fen,
    feeFen: row.fee_fen,
    state: row.state,
    outcome: row.outcome,
    note: row.note,
    remark: row.remark,
    plannedAt: row.planned_at,
    sentAt: row.sent_at,
    closedAt: row.closed_at,
    isAwaiting: row.is_awaiting,
    isOlder: row.is_older,
  }));
}

/**
 * What an attempt comes to, as people name it. PROCESSING: the platform took it; AWAITING: only a person can end it;
 * UNKNOWN: nobody can say.
 */
export type AttemptResult = AttemptOutcome | 'PROCESSING' | 'AWAITING' | 'UNKNOWN';

export function resultOfAttempt(
  attempt: Pick<ListedAttempt, 'state' | 'outcome' | 'isAwaiting'>,
): AttemptResult {
  const { state, outcome, isAwaiting } = attempt;
  if (outcome !== null) return outcome;
  if (isAwaiting) return 'AWAITING';
  switch (state) {
    case 'PLANNED':
    case 'NOT_SENT':
      return 'NOT_SENT';
    case 'ACK_FAIL':
      return 'FAIL';
    case 'ACK_PROCESSING':
    case 'ACK_SUCCESS':
      return 'PROCESSING';
    case 'SENT':
    case 'UNKNOWN':
    case 'CLOSED':
      return 'UNKNOWN';
  }
}
