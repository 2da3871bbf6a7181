/** Every transfer, refund, settlement and withdrawal of the period with both sides, account by account. */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Fen } from '../../src/core/fen.ts';
import type { Instant } from '../../src/core/time.ts';
import type { Window } from '../../src/core/window.ts';
import type { ChangeState, Db, Tables } from '../../src/store/schema/schema.ts';
import { FOUND, LEGS, REMARKS, asThen, layOutFindings, layOutLegs, movedInPeriod } from './order-legs.ts';
import type { OrderKind, OrderSide } from '../words/order-words.ts';
import type { ItemClass } from './read-items.ts';
import type { RunHead } from './read-run.ts';
import { dropStage, indexStage, layAside, staging } from './stage.ts';
import type { Stage } from './stage.ts';
import type { OrderResult } from '../words/terms.ts';
import { VOUCHERS_OF_RECORDS } from './voucher-orders.ts';
import type { VoucherOfRecord } from './voucher-orders.ts';
import { namesOfEntries } from '../../src/store/runs/entry-names.ts';

export interface OrderRow extends VoucherOfRecord {
  n: bigint;
  account_index: number;
  account_no: string;
  kind: OrderKind;
  side: OrderSide;
  out_order_no: string;
  order_no: string;
  out_batch_no: string;
  payer_account_no: string;
  payee_account_no: string;
  submitted_at: Instant | null;
  final_at: Instant | null;
  amount_fen: Fen | null;
  fee_fen: Fen | null;
  fee_type: string;
  state: ChangeState;
  settle_state: ChangeState | null;
  refunded_fen: Fen | null;
  counted: boolean;
  /** What the account gains, a fee beside it taken off; null where nothing counts in the period. */
  effect_fen: Fen | null;
  ledger_ref: string;
  booked_at: Instant | null;
  ledger_fen: Fen | null;
  difference_fen: Fen | null;
  rule: string;
  result: OrderResult;
  class: ItemClass | null;
}

export type OrderList = 'transfers' | 'withdrawals';

export const ORDERS: Readonly<Record<OrderList, Stage<OrderRow>>> = {
  transfers: { name: 'report_transfer' },
  withdrawals: { name: 'report_withdrawal' },
};

const WIDE = { name: 'report_wide_order' };
const SHOWN = { name: 'report_shown' };

/** Numbers the rows of both lists by account and time. What the run found wins over what is matched now. */
export async function stageOrders(session: Db, head: RunHead, period: Window): Promise<void> {
  await staging(session, async (trx) => {
    await layOutFindings(trx, head);
    await layOutLegs(trx, head, period);
    await sumWideGroups(trx);
    await placeFindings(trx);
    await layAside(trx, ORDERS.transfers, numberedRows(transferRecords(head, period)));
    await layAside(trx, ORDERS.withdrawals, numberedRows(withdrawalRecords()));
    for (const stage of [FOUND, REMARKS, LEGS, WIDE, SHOWN]) await dropStage(trx, stage);
    for (const stage of Object.values(ORDERS)) await indexStage(trx, stage);
  });
}

/** Matched groups of several lines, leg by leg; what a group has beyond its movements is its last leg's. */
async function sumWideGroups(trx: Transaction<Tables>): Promise<void> {
  await layAside(
    trx,
    WIDE,
    sql`
    select l.account_no, l.leg, l.dedup_key, min(x.rule) as rule,
      ${namesOfEntries(sql`x.line_no`)} as ledger_ref, min(e.booked_at) as booked_at,
      sum(e.amount_fen)::bigint as ledger_fen
    from (
      select l.*, w.group_key, row_number() over (partition by l.account_no, l.family, l.reference
        order by l.change_no desc, l.leg desc) = 1 as is_last
      from report_leg l
      join match w on w.account_no = l.account_no and w.group_key = l.family || ':' || l.reference
        and w.line_no = 2
      where l.counted
    ) l
    left join match x on x.account_no = l.account_no and x.group_key = l.group_key
      and (x.dedup_key in (l.dedup_key, l.fee_key) or (x.dedup_key is null and l.is_last))
    left join ledger_entry e on e.entry_no = x.entry_no
    group by l.account_no, l.leg, l.dedup_key`,
  );
}

/** Which leg shows what the run found about its group: the one it is about, of several the last. */
async function placeFindings(trx: Transaction<Tables>): Promise<void> {
  await layAside(
    trx,
    SHOWN,
    sql`
    select distinct on (l.account_no, l.family, l.reference) l.account_no, l.family, l.reference, l.order_account,
      l.change_no, l.leg, f.class, f.ledger_ref, f.ledger_at, f.ledger_fen, f.platform_fen, f.difference_fen
    from report_found f
    join report_leg l on l.account_no = f.account_no and l.family || ':' || l.reference = f.group_key
    order by l.account_no, l.family, l.reference,
      case when f.difference_fen = 0 then l.counted else not l.counted end, l.change_no desc, l.leg desc`,
  );
}

/** The order of each leg as it was last stated, with what became of it later as far as the run knew. */
function transferRecords(head: RunHead, period: Window): RawBuilder<unknown> {
  const { isUnchanged, isKnown, ended } = asThen(head);
  return sql`
    select l.*, o.order_no, o.out_batch_no, o.account_no as payer_account_no, o.payee_account_no, o.submitted_at,
      case l.family when 'transfer' then o.amount_fen
        when 'refund' then (
          select c.amount_fen from order_state_seen c where c.account_no = o.account_no
            and c.out_order_no = o.out_order_no and c.subject = 'refund' and c.change_no = l.change_no)
        else abs(l.principal_fen) end as amount_fen,
      case l.family when 'transfer' then o.fee_fen else nullif(l.fee_fen, 0) end as order_fee_fen,
      case l.family when 'transfer' then o.fee_type else '' end as fee_type,
      case when o.settlement <> 'none' then (
        select case when ${isUnchanged} or c.first_final_at <= ${ended} then c.state else 'open' end
        from order_state_seen c
        where c.account_no = o.account_no and c.out_order_no = o.out_order_no and c.subject = 'settlement'
          and (${isUnchanged} or c.first_final_at <= ${ended} or exists (
            select from report_found f where f.group_key = 'settlement:' || o.out_order_no))
        order by c.change_no desc limit 1
      ) end as settle_state,
      case when o.refund_fen <> 0 or not ${isUnchanged} then (
        select sum(m.delta_fen)::bigint from order_state_seen c
        join movement m on m.account_no = c.account_no
          and m.dedup_key = 'refund_in:' || c.out_order_no || ':' || c.change_no
        where c.account_no = o.account_no and c.out_order_no = o.out_order_no and c.subject = 'refund'
          and m.effective_from < ${period.to} and ${isKnown}
      ) end as refunded_fen
    from report_leg l
    join transfer_order o on o.account_no = l.order_account and o.out_order_no = l.reference
    where l.family <> 'withdrawal'`;
}

function withdrawalRecords(): RawBuilder<unknown> {
  return sql`
    select l.*, w.order_no, '' as out_batch_no, w.account_no as payer_account_no, '' as payee_account_no,
      w.submitted_at, w.amount_fen, w.fee_fen as order_fee_fen, w.fee_type, null::text as settle_state,
      null::bigint as refunded_fen
    from report_leg l
    join withdrawal w on w.account_no = l.order_account and w.out_order_no = l.reference
    where l.family = 'withdrawal'`;
}

const SIDE = sql`case leg when 'transfer_out' then 'payer' when 'refund_in' then 'payer'
  when 'withdrawal' then 'own' when 'fee' then 'bearer' else 'payee' end`;

/** Both sides of each record; of a group with several rows, one shows what the run found about it. */
function numberedRows(records: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select row_number() over (order by account_no, sort_at, reference, family desc, change_no, leg desc) as n,
      account_index, account_no, family as kind, ${SIDE} as side, reference as out_order_no, order_no, out_batch_no,
      payer_account_no, payee_account_no, submitted_at, final_at,
      coalesce(amount_fen, abs(found_platform_fen)) as amount_fen, order_fee_fen as fee_fen, fee_type, state,
      settle_state, nullif(refunded_fen, 0) as refunded_fen, counted, effect_fen,
      case when shows then found_ref else coalesce(booked_ref, '') end as ledger_ref,
      case when shows then found_at else booked_at end as booked_at,
      case when shows then found_ledger_fen else booked_fen end as ledger_fen,
      case when shows then found_difference_fen when result = 'matched' then 0 end as difference_fen,
      case when shows and class in ('platform_only', 'ambiguous', 'account') then '' else coalesce(rule, '')
        end as rule,
      result, class, voucher_state, voucher_files, voucher_sha256, voucher_since
    from (
      select *,
        case when shows then severity when not counted then 'uncounted'
          when rule is not null and (severity is null or booked_fen = effect_fen) then 'matched'
          else coalesce(severity, 'open') end as result,
        coalesce(found_class, remark_class) as class
      from (${withFindings(records)}) p
    ) q
    left join ${VOUCHERS_OF_RECORDS} v on voucher_kind = family and voucher_number = reference
      and voucher_account_no = case family when 'settlement' then payee_account_no else payer_account_no end`;
}

/** A group of one line is one movement and one entry, or an entry alone. */
function withFindings(records: RawBuilder<unknown>): RawBuilder<unknown> {
  const isWide = sql`b.account_no is not null`;
  return sql`
    select p.*, case when ${isWide} then b.rule else x.rule end as rule,
      case when ${isWide} then b.ledger_ref else e.entry_id end as booked_ref,
      case when ${isWide} then b.booked_at else e.booked_at end as booked_at,
      case when ${isWide} then b.ledger_fen else e.amount_fen end as booked_fen,
      f.severity, h.leg is not null as shows, h.class as found_class, h.ledger_ref as found_ref,
      h.ledger_at as found_at, h.ledger_fen as found_ledger_fen, h.platform_fen as found_platform_fen,
      h.difference_fen as found_difference_fen, r.class as remark_class
    from (${records}) p
    left join match x on x.account_no = p.account_no and x.group_key = p.family || ':' || p.reference
      and x.line_no = 1 and coalesce(x.dedup_key, p.dedup_key) = p.dedup_key
    left join ledger_entry e on e.entry_no = x.entry_no
    left join report_wide_order b on b.account_no = p.account_no and b.dedup_key = p.dedup_key
    left join report_found f on f.account_no = p.account_no and f.group_key = p.family || ':' || p.reference
    left join report_shown h on h.account_no = p.account_no and h.family = p.family and h.reference = p.reference
      and h.order_account = p.order_account and h.change_no = p.change_no and h.leg = p.leg
    left join report_remark r on r.account_no = p.account_no and r.reference = p.reference
      and p.family <> 'refund' and r.of_settlement = (p.family = 'settlement')`;
}

/** Rows that are alike in everything the sheets sum by. */
export interface OrderSum {
  kind: OrderKind;
  side: OrderSide;
  counted: boolean;
  result: OrderResult;
  count: number;
  effectFen: Fen;
}

/** The sums of a list, and what its movements come to in the tables, whatever became of the rows. */
export interface OrderTotals {
  sums: readonly OrderSum[];
  movedFen: Fen;
}

export async function sumOrders(
  session: Db,
  head: RunHead,
  period: Window,
): Promise<Record<OrderList, OrderTotals>> {
  const { rows } = await sql<{ isWithdrawal: boolean; fen: Fen }>`
    select m.family = 'withdrawal' as "isWithdrawal", sum(m.delta_fen)::bigint as fen
    from movement m join run_account a on a.account_no = m.account_no and a.run_id = ${head.runId}
    where ${movedInPeriod(head, period)} group by 1`.execute(session);
  const movedFen = (isWithdrawal: boolean): Fen =>
    rows.find((row) => row.isWithdrawal === isWithdrawal)?.fen ?? 0n;
  return {
    transfers: { sums: await sumRows(session, ORDERS.transfers), movedFen: movedFen(false) },
    withdrawals: { sums: await sumRows(session, ORDERS.withdrawals), movedFen: movedFen(true) },
  };
}

async function sumRows(session: Db, stage: Stage<OrderRow>): Promise<OrderSum[]> {
  const { rows } = await sql<OrderSum>`
    select kind, side, counted, result, count(*)::integer as count,
      coalesce(sum(effect_fen), 0)::bigint as "effectFen"
    from ${sql.table(stage.name)} group by 1, 2, 3, 4 order by 1, 2, 3, 4`.execute(session);
  return rows;
}
