/**
 * The orders of a period whose vouchers are wanted, and what became of each as the run knew it. The list of what is
 * due is written over by every night, so only what later nights leave as it is decides: the write numbers of files,
 * the day an order was first asked for, and whether it was asked for again since.
 */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Day } from '../../src/core/time.ts';
import type { Window } from '../../src/core/window.ts';
import type { RunHead } from './read-run.ts';
import type { VoucherFacts } from './voucher-facts.ts';
import type { VoucherState } from '../words/voucher-words.ts';

export const DUE = { name: 'report_due' };
export const FILES = { name: 'report_voucher_file' };
/** One row an order, for its list and for the sheets of deposits and orders. */
export const ORDERS_WITH_VOUCHERS = { name: 'report_voucher_order' };

/** What the sheets of deposits and orders show of a record's voucher; null: none is wanted. */
export interface VoucherOfRecord {
  voucher_state: VoucherState | null;
  voucher_files: number | null;
  /** Of the only file. */
  voucher_sha256: string | null;
  voucher_since: Day | null;
}

/** To be joined by the order's own account, its kind and its number. */
export const VOUCHERS_OF_RECORDS = sql`(
  select order_account_no as voucher_account_no, kind as voucher_kind, number as voucher_number,
    state as voucher_state, files as voucher_files, sha256 as voucher_sha256, since as voucher_since
  from report_voucher_order)`;

/**
 * Orders of the run's accounts, an order between two of them once, with their state as if they had no file. Why one is
 * missing is written over by whoever asks next, so it is what the run itself found; a refusal for good stays.
 */
export function dueOrders(
  { runId, fromDay, toDay }: RunHead,
  period: Window,
  known: VoucherFacts | undefined,
): RawBuilder<unknown> {
  return sql`
    with own as (
      select account_no, row_number() over (order by account_no)::integer as account_index
      from run_account where run_id = ${runId}
    )
    select coalesce(p.account_index, q.account_index) as account_index,
      coalesce(p.account_no, q.account_no) as account_no, d.account_no as order_account_no, d.kind, d.number, d.order_no,
      d.moved_at, d.month, d.amount_fen,
      case when p.account_no is null then d.account_no else d.counterparty end as counterparty,
      ${unfiledState(known)} as state, d.first_asked_day,
      case when ${isAsThen(known)} and d.state = 'unavailable' then d.reason else coalesce(n.note, '') end as reason
    from voucher_due d
    left join (
      select account_no, item_key, note from finding where run_id = ${runId} and class = 'voucher_missing'
    ) n on n.account_no = d.account_no and n.item_key = 'voucher_missing:' || d.kind || ':' || d.number
    left join own p on p.account_no = d.account_no
    left join own q on q.account_no = d.other_account_no
    where coalesce(p.account_no, q.account_no) is not null
      and d.month between ${fromDay.slice(0, 7)} and ${toDay.slice(0, 7)}
      and d.moved_at >= ${period.from} and d.moved_at < ${period.to} and ${wasThere(known)}`;
}

/** Not asked for again since: its row is as the run left it. */
function isAsThen(known: VoucherFacts | undefined): RawBuilder<unknown> {
  return sql`coalesce(d.asked_at <= ${known?.endedAt ?? null}::timestamptz, false)`;
}

/** Later nights ask again for what was missing only; an order first asked for on the run's day was asked by it. */
function unfiledState(known: VoucherFacts | undefined): RawBuilder<unknown> {
  if (known === undefined) return sql`'not_asked'`;
  const { endedDay, overBy, settlementsAsked } = known;
  const isUntyped =
    settlementsAsked === undefined
      ? sql`d.state = 'unavailable' and d.tries = 0`
      : sql`${!settlementsAsked}::boolean`;
  return sql`
    case when ${isAsThen(known)} then case when d.state in ('given_up', 'unavailable') then d.state else 'missing' end
      when d.first_asked_day < ${endedDay} or (d.first_asked_day = ${endedDay} and d.tries > 1)
        then case when d.first_asked_day <= ${overBy ?? null}::text then 'given_up' else 'missing' end
      when d.kind = 'settlement' and ${isUntyped} then 'unavailable'
      else 'not_asked' end`;
}

/** What became known after the run is no part of it. */
function wasThere(known: VoucherFacts | undefined): RawBuilder<unknown> {
  if (known === undefined) return sql`false`;
  const { writtenUpTo, endedAt } = known;
  return sql`not exists (
      select from deposit n where d.kind = 'deposit' and n.account_no = d.account_no and n.order_no = d.number
        and n.written_no > ${writtenUpTo}::bigint and n.version = 1)
    and not exists (
      select from movement m where d.kind <> 'deposit' and m.account_no = d.account_no
        and m.dedup_key = case d.kind when 'transfer' then 'transfer_out' else d.kind end || ':' || d.number
        and m.written_no > ${writtenUpTo}::bigint and m.effective_to > ${endedAt}::timestamptz)`;
}

/** Originals that lay in the archive then. */
export function filesOfOrders(known: VoucherFacts | undefined): RawBuilder<unknown> {
  return sql`
    select k.order_account_no, k.kind, k.number, v.file_no, v.sha256, v.pages, v.condition,
      case when v.condition = 'whole' then '' else v.remark end as remark
    from ${sql.table(DUE.name)} k
    join voucher v on v.account_no = k.order_account_no and v.kind = k.kind and v.number = k.number
    where v.written_no <= ${known?.writtenUpTo ?? null}::bigint and v.condition <> 'rejected'`;
}

/** Orders of a kind the run did not ask for are left out, unless they were filed before. */
export function statesOfOrders(known: VoucherFacts | undefined): RawBuilder<unknown> {
  const state = sql`
    case when f.files is null then k.state when f.unread > 0 then 'unreadable' else 'filed' end`;
  return sql`
    select s.*, case when state in ('missing', 'given_up') then first_asked_day end as since from (
      select k.account_index, k.account_no, k.order_account_no, k.kind, k.number, k.order_no, k.moved_at, k.month,
        k.amount_fen, k.counterparty, k.first_asked_day, k.reason, ${state} as state,
        coalesce(f.files, 0) as files, coalesce(f.first_file_no, 0) as first_file_no,
        case when f.files = 1 then f.sha256 end as sha256
      from ${sql.table(DUE.name)} k
      left join (
        select order_account_no, kind, number, count(*)::integer as files, min(file_no) as first_file_no,
          count(*) filter (where condition <> 'whole') as unread, min(sha256) as sha256
        from ${sql.table(FILES.name)} group by order_account_no, kind, number
      ) f on f.order_account_no = k.order_account_no and f.kind = k.kind and f.number = k.number
      where f.files is not null or k.kind = any(${known?.kinds ?? []}::text[])
    ) s`;
}
