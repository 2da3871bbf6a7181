/** What the retry of settlements begins with: settlements stored as failed, and attempts that are not closed. */
import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { Fen } from '../core/fen.ts';
import type { Instant } from '../core/time.ts';
import type { Window } from '../core/window.ts';
import { REGISTRATIONS } from '../store/orders/registrations.ts';
import type { DbOrTransaction, SettleAttemptTable, TransferState } from '../store/schema/schema.ts';
import { heldOfBalance } from './held-of-balance.ts';
import { settleAmountFen } from './settle-amount.ts';
import type { SettleAmountRule } from './settle-amount.ts';
import { countsAsAttempt, wasSentBeside } from './sent-beside.ts';
import { lastCallByHand, refundUnseen } from './calls-by-hand.ts';
import { isAskedFor, unkeptAt } from './unkept-looks.ts';
import type { DayUsed } from './settle-intent.ts';
import type { BalanceSeen, OpenAttempt, SentStamp } from './attempt-store.ts';
import type { PlannedAttempt, FailedSettlement, OrderKey } from './settle-order.ts';

interface FailedRow {
  account_no: string;
  out_order_no: string;
  order_no: string;
  out_batch_no: string;
  batch_no: string;
  payee_account_no: string;
  amount_fen: Fen | null;
  real_fen: Fen | null;
  fee_fen: Fen | null;
  fee_type: string;
  effective_state: TransferState;
  settle_remark: string;
  refund_fen: Fen;
  faults: string[];
  payee_is_listed: boolean;
  has_namesake: boolean;
  refund_unseen: string | null;
  attempts: number;
  next_no: number;
  last_closed_at: Instant | null;
  last_shown_at: Instant | null;
  has_open: boolean;
  is_asked_for: boolean;
  may_be_taken_twice: boolean;
}

/** Whether its batch goes by the number of the platform, because no answer stated the company's in time. */
const goesByPlatforms = sql<boolean>`o.out_batch_no is not distinct from b.batch_no`;

/**
 * Whether anything else has the number it would be named by: that of the platform, where it is known; else its own,
 * which another payer, another batch or a withdrawal may have too. What was registered counts like what was seen, also
 * where the registry dropped it: it may have been submitted all the same, and nobody has read it yet.
 */
const hasNamesake = sql<boolean>`(case when o.order_no <> ''
  then exists (select from transfer_order n where n.order_no = o.order_no
      and (n.account_no, n.out_order_no) <> (o.account_no, o.out_order_no))
    or exists (select from withdrawal n where n.order_no = o.order_no)
    or exists (select from ${REGISTRATIONS} r where r.order_no = o.order_no and r.order_no <> ''
      and (r.kind <> 'transfer' or r.out_order_no not in ('', o.out_order_no)))
  else exists (select from transfer_order n where n.out_order_no = o.out_order_no and n.account_no <> o.account_no)
    or exists (select from transfer_order n where n.stated_no = o.out_order_no and n.stated_no <> '')
    or exists (select from withdrawal n where n.out_order_no = o.out_order_no)
    or exists (select from ${REGISTRATIONS} r where r.out_order_no = o.out_order_no and r.out_order_no <> ''
      and (r.kind <> 'transfer' or r.payer_account_no <> o.account_no
        or (r.out_batch_no not in ('', o.out_batch_no) and not (${goesByPlatforms} and r.batch_no = b.batch_no))
        or (b.batch_no <> '' and r.batch_no not in ('', b.batch_no)))) end)`;

interface FailedAsked {
  amountRule: SettleAmountRule;
  /** So long after the time of a call by hand a look may be heard that shows what was before it. */
  callLagMs: number;
  now: Instant;
  only?: OrderKey;
  /** An attempt that is left out of what is known, by its request. */
  except?: string;
}

/** By key. A refund that waits for its confirmation counts as one. */
export async function listFailedSettlements(
  db: DbOrTransaction,
  { amountRule, callLagMs, now, only, except = '' }: FailedAsked,
): Promise<FailedSettlement[]> {
  const isMeant = only
    ? sql<boolean>`(o.account_no = ${only.accountNo} and o.out_order_no = ${only.outOrderNo})`
    : sql<boolean>`true`;
  const { rows } = await sql<FailedRow>`
    select o.account_no, o.out_order_no, o.order_no, o.out_batch_no, coalesce(b.batch_no, '') as batch_no,
      o.payee_account_no, o.amount_fen, o.real_fen, o.fee_fen, o.fee_type, o.effective_state, o.settle_remark,
      coalesce(nullif(o.refund_fen, 0), o.refund_waiting_fen) as refund_fen,
      f.faults, p.account_no is not null as payee_is_listed, ${hasNamesake} as has_namesake,
      ${refundUnseen(callLagMs)} as refund_unseen,
      t.attempts, t.next_no, t.last_closed_at, t.may_be_taken_twice,
      greatest(t.last_paid_at, o.settle_shown_at, ${unkeptAt}, ${lastCallByHand}) as last_shown_at, t.has_open,
      ${isAskedFor} as is_asked_for
    from transfer_order o
    left join transfer_batch b on b.account_no = o.account_no and b.out_batch_no = o.out_batch_no
    left join account p on p.account_no = o.payee_account_no
      and (p.active_from is null or p.active_from <= ${now}) and (p.active_to is null or p.active_to > ${now})
    cross join lateral (
      select coalesce(array_agg(f.class order by f.class), '{}') as faults from order_fault f
      where f.subject = 'transfer' and f.account_no = o.account_no and f.reference = o.out_order_no
        and f.cured_day is null) f
    cross join lateral (
      select count(*) filter (where ${countsAsAttempt('t')})::integer as attempts,
        coalesce(max(t.attempt_no), 0) + 1 as next_no,
        max(t.closed_at) filter (where ${countsAsAttempt('t')}) as last_closed_at,
        max(t.closed_at) filter (where t.outcome in ('SUCCESS', 'RETURNED')) as last_paid_at,
        coalesce(bool_or(t.state <> 'CLOSED'), false) as has_open,
        coalesce(bool_or(exists (select from settle_attempt n
          where ${wasSentBeside('n', 't')} and n.req_id <> ${except})), false) as may_be_taken_twice
      from settle_attempt t where t.account_no = o.account_no and t.out_order_no = o.out_order_no
        and t.req_id <> ${except}) t
    where o.settlement = 'failed' and ${isMeant}
    order by o.account_no, o.out_order_no`.execute(db);
  return rows.map((row) => failedOf(row, amountRule));
}

function failedOf(row: FailedRow, amountRule: SettleAmountRule): FailedSettlement {
  const stated = {
    amountFen: row.amount_fen,
    realFen: row.real_fen,
    feeFen: row.fee_fen,
    feeType: row.fee_type,
  };
  return {
    accountNo: row.account_no,
    outOrderNo: row.out_order_no,
    orderNo: row.order_no,
    outBatchNo: row.out_batch_no,
    batchNo: row.batch_no,
    payeeAccountNo: row.payee_account_no,
    amountFen: settleAmountFen(stated, amountRule),
    effectiveState: row.effective_state,
    settleRemark: row.settle_remark,
    refundFen: row.refund_fen,
    faults: row.faults,
    payeeIsListed: row.payee_is_listed,
    hasNamesake: row.has_namesake,
    refundUnseen: row.refund_unseen ?? undefined,
    attempts: row.attempts,
    nextAttemptNo: row.next_no,
    lastClosedAt: row.last_closed_at ?? undefined,
    lastShownAt: row.last_shown_at ?? undefined,
    hasOpenAttempt: row.has_open,
    isAskedFor: row.is_asked_for,
    mayBeTakenTwice: row.may_be_taken_twice,
  };
}

type AttemptRow = Selectable<SettleAttemptTable>;

type OpenRow = Omit<AttemptRow, 'state'> & {
  state: OpenAttempt['state'];
  /** The platform's number of its order, also where it was learned only since. */
  known_no: string;
  out_batch_no: string;
  batch_no: string;
  is_followed: boolean;
  is_beside: boolean;
  beside_ended_at: Instant | null;
  open_shown_at: Instant | null;
  moved_shown_at: Instant | null;
  else_shown_at: Instant | null;
  unkept_at: Instant | null;
  unfailed_shown_at: Instant | null;
  refund_shown_at: Instant | null;
};

/**
 * By key.
 * @param only the one with this request
 */
export async function listOpenAttempts(db: DbOrTransaction, only?: string): Promise<OpenAttempt[]> {
  const isMeant = only === undefined ? sql<boolean>`true` : sql<boolean>`t.req_id = ${only}`;
  const { rows } = await sql<OpenRow>`
    select t.*, coalesce(nullif(t.order_no, ''), o.order_no, '') as known_no,
      coalesce(o.out_batch_no, '') as out_batch_no, coalesce(b.batch_no, '') as batch_no,
      s.open_shown_at, s.moved_shown_at, o.settle_shown_at as else_shown_at, ${unkeptAt} as unkept_at,
      o.unfailed_shown_at, o.refund_shown_at,
      exists (select from settle_attempt n where ${wasSentBeside('n', 't')}) as is_followed,
      e.is_beside, e.beside_ended_at
    from settle_attempt t
    left join transfer_order o on o.account_no = t.account_no and o.out_order_no = t.out_order_no
    left join transfer_batch b on b.account_no = o.account_no and b.out_batch_no = o.out_batch_no
    cross join lateral (
      select count(*) > 0 as is_beside,
        case when bool_and(n.closed_at is not null) then max(n.closed_at) end as beside_ended_at
      from settle_attempt n where ${wasSentBeside('t', 'n')}) e
    cross join lateral (
      select max(greatest(s.open_since, s.last_open_at))
          filter (where s.open_since is not null and greatest(s.open_since, s.last_open_at) > t.req_time)
          as open_shown_at,
        max(s.first_final_at) filter (where s.state = 'moved' and s.first_final_at > t.req_time) as moved_shown_at
      from order_state_seen s
      where s.account_no = t.account_no and s.out_order_no = t.out_order_no and s.subject = 'settlement') s
    where t.state <> 'CLOSED' and ${isMeant}
    order by t.account_no, t.out_order_no, t.attempt_no`.execute(db);
  return rows.map((row) => ({
    ...plannedOf(row),
    orderNo: row.known_no,
    outBatchNo: row.out_batch_no,
    batchNo: row.batch_no,
    state: row.state,
    sent: stampOf(row),
    answeredAt: row.answered_at ?? undefined,
    feeFen: row.answer_fee_fen ?? undefined,
    note: row.note,
    isClaimed: row.is_claimed,
    openSeenAt: row.open_seen_at ?? undefined,
    failedSeenAt: row.failed_seen_at ?? undefined,
    // It may be that of the attempt that followed.
    openShownAt: row.is_followed ? undefined : (row.open_shown_at ?? undefined),
    movedShownAt: row.is_followed ? undefined : (row.moved_shown_at ?? undefined),
    elseShownAt: row.else_shown_at ?? undefined,
    unkeptAt: row.unkept_at ?? undefined,
    unfailedShownAt: row.unfailed_shown_at ?? undefined,
    oddShownAt: row.refund_shown_at ?? undefined,
    isFollowed: row.is_followed,
    isBeside: row.is_beside,
    besideEndedAt: row.beside_ended_at ?? undefined,
  }));
}

export function plannedOf(row: Omit<AttemptRow, 'state'>): PlannedAttempt {
  return {
    accountNo: row.account_no,
    outOrderNo: row.out_order_no,
    attemptNo: row.attempt_no,
    reqId: row.req_id,
    orderNo: row.order_no,
    payeeAccountNo: row.payee_account_no,
    amountFen: row.amount_fen,
    remark: row.remark,
    runId: row.run_id,
    runner: row.runner,
    plannedAt: row.planned_at,
  };
}

/** As it was stored with the send; undefined before. */
export function stampOf(
  row: Pick<SettleAttemptTable, 'req_time' | 'sent_at' | 'sent_mono_ms'>,
): SentStamp | undefined {
  const { req_time: reqTime, sent_at: sentAt, sent_mono_ms: sentMonoMs } = row;
  if (reqTime === null || sentAt === null || sentMonoMs === null) return undefined;
  return { reqTime, sentAt, sentMonoMs: Number(sentMonoMs) };
}

/** @param except an attempt that is left out, by its request */
export async function usedOnDay(db: DbOrTransaction, { from, to }: Window, except = ''): Promise<DayUsed> {
  const { rows } = await sql<{ attempts: number; sum_fen: Fen }>`
    select count(*)::integer as attempts, coalesce(sum(amount_fen), 0)::bigint as sum_fen
    from settle_attempt t
    where planned_at >= ${from} and planned_at < ${to} and ${countsAsAttempt('t')}
      and req_id <> ${except}`.execute(db);
  return { attempts: rows[0]?.attempts ?? 0, sumFen: rows[0]?.sum_fen ?? 0n };
}

/** Stable readings of an account from then on, oldest first. */
export async function listBalances(
  db: DbOrTransaction,
  { accountNo, from }: { accountNo: string; from: Instant },
): Promise<BalanceSeen[]> {
  const rows = await db
    .selectFrom('balance_snapshot')
    .select(['taken_at', 'balance_fen', 'frozen_fen', 'available_fen'])
    .where('account_no', '=', accountNo)
    .where('taken_at', '>=', from)
    .where('state', '=', 'stable')
    .orderBy('taken_at')
    .orderBy('run_id')
    .execute();
  return rows.flatMap(
    ({ taken_at: at, balance_fen: balanceFen, frozen_fen: frozenFen, available_fen: availableFen }) =>
      balanceFen === null
        ? []
        : [{ at, balanceFen, frozenFen: heldOfBalance({ balanceFen, frozenFen, availableFen }) }],
  );
}
