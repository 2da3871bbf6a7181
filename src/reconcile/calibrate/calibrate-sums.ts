/**
 * The sums calibration reckons with, each taken once for all accounts: what the profile decides of movements, by
 * who takes part in them, and what orders hold while they are open. Facts are read as posting reads them
 * (order-changes.ts, post-deposits.ts, in-flight.ts); when each counts, its movement says.
 */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import type { Instant } from '../../core/time.ts';
import type { Tables } from '../../store/schema/schema.ts';
import type { ReadTimes } from './calibrate-chain.ts';
import { FEE_ITEMS } from './hypotheses.ts';
import type { FeeItem, FeeSums, OpenSums, Sides } from './hypotheses.ts';

/** From when to when events count on an account; a balance at either end holds some beyond it. */
export interface SumSpan {
  accountNo: string;
  partNo: number;
  from: Instant;
  to: Instant;
  /** The first balance: what it held already does not count. */
  baseline: ReadTimes | undefined;
  /** The last balance: what it held beyond the cut counts. */
  closing: ReadTimes | undefined;
}

export function spanId({ accountNo, partNo }: Pick<SumSpan, 'accountNo' | 'partNo'>): string {
  return `${accountNo}\t${partNo}`;
}

/** Takes the sums of each span; those over all accounts only for the accounts named. */
export async function sumFees(
  trx: Transaction<Tables>,
  spans: readonly SumSpan[],
  feeAccounts: readonly string[],
): Promise<Map<string, FeeSums>> {
  const { rows } = await sql<{
    account_no: string;
    part_no: number;
    side: keyof Sides;
    item: FeeItem;
    fen: Fen;
  }>`
    with span as (${spanRows(spans)}), event as materialized (${EVENTS})
    select s.account_no, s.part_no, 'payer' as side, e.item, sum(e.fen)::bigint as fen
    from span s join event e on e.payer = s.account_no and ${COUNTS} group by 1, 2, 4
    union all
    select s.account_no, s.part_no, 'payee', e.item, sum(e.fen)::bigint
    from span s join event e on e.payee = s.account_no and ${COUNTS} group by 1, 2, 4
    union all
    select s.account_no, s.part_no, 'all', e.item, sum(e.fen)::bigint
    from span s join event e on ${COUNTS} where s.account_no = any(${feeAccounts}::text[])
    group by 1, 2, 4`.execute(trx);
  const sums = new Map(spans.map((span) => [spanId(span), noFees()]));
  for (const row of rows) {
    const own = sums.get(spanId({ accountNo: row.account_no, partNo: row.part_no }));
    if (own !== undefined) own[row.item][row.side] = row.fen;
  }
  return sums;
}

function noFees(): Record<FeeItem, Sides> {
  const none = FEE_ITEMS.map((item) => [item, { payer: 0n, payee: 0n, all: 0n }] as const);
  return Object.fromEntries(none) as Record<FeeItem, Sides>;
}

function spanRows(spans: readonly SumSpan[]): RawBuilder<unknown> {
  const texts = (of: (span: SumSpan) => string | null): (string | null)[] => spans.map(of);
  const times = (of: (span: SumSpan) => Instant | undefined) =>
    sql`${texts((span) => of(span) ?? null)}::timestamptz[]`;
  return sql`
    select * from unnest(${texts(({ accountNo }) => accountNo)}::text[],
      ${spans.map(({ partNo }) => partNo)}::integer[], ${times(({ from }) => from)}, ${times(({ to }) => to)},
      ${times(({ baseline }) => baseline?.takenAt)}, ${times(({ baseline }) => baseline?.openedAt)},
      ${times(({ baseline }) => baseline?.closedAt)}, ${times(({ closing }) => closing?.takenAt)},
      ${times(({ closing }) => closing?.openedAt)}, ${times(({ closing }) => closing?.closedAt)})
    as s (account_no, part_no, from_at, to_at, first_taken, first_opened, first_closed, last_taken, last_opened,
      last_closed)`;
}

/** Whether a balance read then holds the event: deposits by their time, changes of orders by our looks too. */
function isHeld(read: 'first' | 'last'): RawBuilder<unknown> {
  const [taken, opened, closed] = ['taken', 'opened', 'closed'].map((name) => sql.ref(`s.${read}_${name}`));
  return sql`coalesce(case when e.shown_at is null
      then e.at <= ${taken} and not (e.at = ${taken} and e.seen_at > ${closed})
      else e.shown_at <= ${closed} or e.at <= ${opened} end, false)`;
}

const COUNTS = sql`e.at >= s.from_at and not ${isHeld('first')} and (e.at < s.to_at or ${isHeld('last')})`;

/** A fee is beside the amount as its record says; an unknown word is read off the credited amount. */
const BESIDE = sql`coalesce(
  o.fee_type = 'ACCOUNT' or (o.fee_type <> 'ORDER' and o.real_fen = o.amount_fen), false)`;
const FEE = sql`coalesce(o.fee_fen, case when not ${BESIDE} then o.amount_fen - o.real_fen end, 0)`;
const CREDITED = sql`coalesce(o.real_fen, case when ${BESIDE} then o.amount_fen else o.amount_fen - ${FEE} end)`;

const SINCE_THE_FIRST = sql`m.effective_from >= (select min(from_at) from span)`;

/**
 * Every event whose effect the profile decides: what its bearer loses, or for a settlement one; what came back has
 * the sign turned. The change that makes a refund whole gives the fee back, one that undoes that takes it again.
 */
const EVENTS = sql`
  select 'deposit' as item, '' as payer, d.account_no as payee, d.deposited_at as at,
    null::timestamptz as shown_at, d.seen_at, d.fee_fen as fen
  from deposit d
  where (d.fee_type = 'ACCOUNT' or (d.fee_type <> 'ORDER' and d.real_fen = d.amount_fen)) and d.fee_fen <> 0
    and d.deposited_at >= (select min(from_at) from span)
  union all
  select x.item, o.account_no, o.payee_account_no, m.effective_from, m.effective_to, null, x.fen
  from movement m
  join transfer_order o on o.account_no = m.order_account and o.out_order_no = m.reference
  cross join lateral (values
    ('transfer', case when m.kind = 'transfer_out' and ${BESIDE} then ${FEE} end),
    ('settle', case when m.kind = 'settlement' then -sign(m.delta_fen)::bigint end),
    ('settleGap', case when m.kind = 'settlement' then -sign(m.delta_fen)::bigint * (o.amount_fen - ${CREDITED}) end)
  ) x (item, fen)
  where m.kind in ('transfer_out', 'settlement') and ${SINCE_THE_FIRST} and x.fen <> 0
  union all
  select case when ${BESIDE} then 'refundBeside' else 'refundInside' end, o.account_no, o.payee_account_no,
    m.effective_from, m.effective_to, null, ${FEE} * (
      (m.total_fen - m.delta_fen = o.amount_fen)::integer - (m.total_fen = o.amount_fen)::integer)
  from (
    select *, sum(delta_fen) over (partition by order_account, reference order by change_no) as total_fen
    from movement where kind = 'refund_in'
  ) m
  join transfer_order o on o.account_no = m.order_account and o.out_order_no = m.reference
  where ${SINCE_THE_FIRST} and ${FEE} <> 0
  union all
  select 'withdraw', o.account_no, o.account_no, m.effective_from, m.effective_to, null,
    -sign(m.delta_fen)::bigint * ${FEE}
  from movement m
  join withdrawal o on o.account_no = m.order_account and o.out_order_no = m.reference
  where m.kind = 'withdrawal' and ${SINCE_THE_FIRST} and ${BESIDE} and ${FEE} <> 0`;

interface OpenRow {
  account_no: string;
  principal_fen: Fen;
  transfer_fee_fen: Fen;
  withdraw_fee_fen: Fen;
  settle_count: bigint;
  settle_gap_fen: Fen;
}

/** What orders that were certainly open when the balances were read held on their accounts, by account. */
export async function sumOpen(
  trx: Transaction<Tables>,
  reads: readonly { accountNo: string; read: ReadTimes }[],
): Promise<Map<string, OpenSums>> {
  const { rows } = await sql<OpenRow>`
    with read as (
      select * from unnest(${reads.map(({ accountNo }) => accountNo)}::text[],
        ${reads.map(({ read }) => read.openedAt)}::timestamptz[],
        ${reads.map(({ read }) => read.closedAt)}::timestamptz[]) r (account_no, opened_at, closed_at)
    ), waiting as (
      select * from order_state_seen where state = 'open'
        or (state in ('moved', 'failed') and last_open_at >= (select min(opened_at) from read))
    ), held as (
      select case s.subject when 'transfer' then o.account_no else o.payee_account_no end as account_no, s.subject,
        s.state, s.since, s.last_open_at, o.amount_fen - ${CREDITED} as gap_fen,
        case s.subject when 'transfer' then o.amount_fen when 'refund' then s.amount_fen else ${CREDITED} end as fen,
        case o.fee_type when 'ACCOUNT' then coalesce(o.fee_fen, 0) else 0 end as fee_fen
      from waiting s join transfer_order o using (account_no, out_order_no) where s.subject <> 'withdrawal'
      union all
      select o.account_no, s.subject, s.state, s.since, s.last_open_at, 0, o.amount_fen,
        case o.fee_type when 'ACCOUNT' then coalesce(o.fee_fen, 0) else 0 end
      from waiting s join withdrawal o using (account_no, out_order_no) where s.subject = 'withdrawal'
    )
    select h.account_no, coalesce(sum(h.fen), 0)::bigint as principal_fen,
      coalesce(sum(h.fee_fen) filter (where h.subject = 'transfer'), 0)::bigint as transfer_fee_fen,
      coalesce(sum(h.fee_fen) filter (where h.subject = 'withdrawal'), 0)::bigint as withdraw_fee_fen,
      count(*) filter (where h.subject = 'settlement') as settle_count,
      coalesce(sum(h.gap_fen) filter (where h.subject = 'settlement'), 0)::bigint as settle_gap_fen
    from held h join read r using (account_no)
    where (h.since is null or h.since <= r.closed_at) and (h.state = 'open' or h.last_open_at >= r.opened_at)
    group by h.account_no`.execute(trx);
  return new Map(
    rows.map((row) => [
      row.account_no,
      {
        principalFen: row.principal_fen,
        transferFeeFen: row.transfer_fee_fen,
        withdrawFeeFen: row.withdraw_fee_fen,
        settleCount: row.settle_count,
        settleGapFen: row.settle_gap_fen,
      },
    ]),
  );
}
