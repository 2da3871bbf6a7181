/** Every posted entry of the books is on the platform. */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Tables } from '../store/schema.ts';
import type { ProofSpan } from './scope.ts';

/**
 * A posted entry no movement was found for is, in this order: `ambiguous` when it could be paired in more than one
 * way; `account` when the platform has its reference open in the same direction on another account; `pending` when
 * its order is still open on the platform, `unknown_not_found` when the company registered it and the platform does
 * not know it (both timing, until they are older than agingDays); `state` when its order ended without moving
 * money, or has been pending for too long; else `ledger_only`. Entries of one reference are one finding.
 */
export async function entryHasMovement(
  trx: Transaction<Tables>,
  span: ProofSpan,
  agingDays: number,
): Promise<void> {
  await sumEntries(trx, span);
  await sql`
    insert into found (account_no, item_key, class, severity, reference, platform_fen, ledger_fen,
      difference_fen, line, platform_state, ledger_ref, ledger_state, ledger_at, counterparty, note)
    select account_no, 'line:' || family || ':' || item, class,
      case when class in ('pending', 'unknown_not_found') then 'timing' else 'break' end,
      reference, null, amount_fen, -amount_fen, true, stated, ledger_ref, 'posted', booked_at, counterparty,
      case class when 'account' then 'on the platform on ' || other
        when 'state' then case standing when 'open' then 'open on the platform since ' || since_text
          else 'ended on the platform without moving money' end
        when 'ledger_only' then case standing
          when 'unknown' then 'registered, but the platform does not know it'
          when 'unasked' then 'not asked for: the books name no batch' else '' end
        else '' end
    from (
      select x.*, coalesce(to_char(x.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI"Z"'), '') as since_text,
        case when ambiguous then 'ambiguous'
          when other is not null then 'account'
          when standing = 'open' then case when is_old then 'state' else 'pending' end
          when standing = 'failed' then 'state'
          when standing = 'unknown' and not is_old then 'unknown_not_found'
          else 'ledger_only' end as class
      from (
        select e.*, p.other, p.standing, coalesce(p.stated, '') as stated, p.since,
          coalesce(p.since, e.booked_at) < ${span.cut}::timestamptz - make_interval(days => ${agingDays}) as is_old
        from entry_sum e cross join lateral (${standingOfEntry}) p
      ) x
    ) y`.execute(trx);
}

/**
 * One row for what the books have under one reference and family of an account; an entry without is alone. What
 * they booked of an order and took back is nothing the platform could lack.
 */
async function sumEntries(trx: Transaction<Tables>, span: ProofSpan): Promise<void> {
  await sql`drop table if exists entry_sum`.execute(trx);
  await sql`
    create temporary table entry_sum on commit drop as
    select account_no, family, item, max(named) as named,
      case when max(named) = '' then min(entry_id) else max(named) end as reference,
      sum(amount_fen)::bigint as amount_fen, bool_or(ambiguous) as ambiguous,
      bool_and(out_batch_no = '') as batchless, min(booked_at) as booked_at, min(counterparty) as counterparty,
      left(string_agg(entry_id, ', ' order by entry_id), 200) as ledger_ref
    from (
      select e.*, e.reference as named,
        case when e.reference = '' then 'entry:' || e.source || '/' || e.entry_id else e.reference end as item
      from open_entry e
      join stage_scope s on s.account_no = e.account_no
      where e.status = 'posted' and e.booked_at >= s.ledger_from and e.booked_at < ${span.cut}
    ) x
    group by account_no, family, item
    having family = 'deposit' or sum(amount_fen) <> 0`.execute(trx);
}

/** What the platform, and the registry, say of the order an entry names. */
const standingOfEntry = sql`
  select
    (select case when o.first_account <> e.account_no then o.first_account
        when o.last_account <> e.account_no then o.last_account end
      from reference_on_platform o
      where o.family = e.family and o.reference = e.named and e.named <> ''
        and o.direction = sign(e.amount_fen)) as other,
    q.standing, q.stated, q.since
  from (select 1) one
  left join lateral (
    select * from (
      select case e.family
          when 'transfer' then case t.effective_state when 'open' then 'open' when 'failed' then 'failed' end
          when 'settlement' then case t.settlement when 'open' then 'open' when 'unknown' then 'open'
            when 'failed' then 'failed' end
          else case when t.refund_waiting_fen <> 0 then 'open'
            when exists (select from order_state_seen r where r.account_no = t.account_no
              and r.out_order_no = t.out_order_no and r.subject = 'refund' and r.state = 'failed') then 'failed' end
          end as standing,
        case e.family when 'settlement' then t.settle_state else t.state end as stated,
        coalesce(t.submitted_at, t.first_seen_at) as since, 1 as rank
      from transfer_order t
      where e.family in ('transfer', 'settlement', 'refund') and t.out_order_no = e.named and e.named <> ''
        and (t.account_no = e.account_no or t.payee_account_no = e.account_no)
      union all
      select case w.effective_state when 'open' then 'open' when 'failed' then 'failed' end, w.state,
        coalesce(w.submitted_at, w.first_seen_at), 1
      from withdrawal w
      where e.family = 'withdrawal' and w.account_no = e.account_no and w.out_order_no = e.named
      union all
      select 'unknown', '', r.submitted_at, 2
      from order_registry r
      where r.kind = case e.family when 'withdrawal' then 'withdrawal' else 'transfer' end
        and e.family in ('transfer', 'withdrawal') and e.named <> '' and r.outcome <> 'refused'
        and r.registered_as in (e.named, 'order:' || e.named)
      union all
      select 'unasked', '', null, 3 where e.family in ('transfer', 'refund') and e.batchless and e.named <> ''
    ) s
    order by rank limit 1
  ) q on true`;
