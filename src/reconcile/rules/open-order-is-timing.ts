/** An order under way at the cut is told, and is a difference to nobody unless the books are ahead of it. */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Tables } from '../../store/schema/schema.ts';
import { NO_ACCOUNT, firstOfCompany } from '../../store/orders/told-on.ts';
import type { ProofRules } from '../balance/proof-request.ts';
import type { ProofSpan } from '../balance/scope.ts';

/**
 * Orders that were open on the platform at the cut and that the books have not posted: `in_flight`, with what they
 * hold (negative) as their amount and no difference; `state` when they have been under way for longer than
 * agingDays. Orders the company registered and the platform does not know: `in_flight` where the last look came within
 * the minutes that they are given to appear, else `unknown_not_found`, and `state` as well when that lasts; on their
 * payer, else on their payee; where neither is the company's they are the run's own. What the books have posted is told by the rules of the lines. Needs `debit`, and is
 * asked after them.
 */
export async function openOrderIsTiming(
  trx: Transaction<Tables>,
  span: ProofSpan,
  rules: Pick<ProofRules, 'agingDays' | 'unknownGraceMinutes'>,
): Promise<void> {
  await tellOpen(trx, span, rules.agingDays);
  await tellUnknown(trx, span, rules);
}

async function tellOpen(trx: Transaction<Tables>, span: ProofSpan, agingDays: number): Promise<void> {
  await sql`
    insert into found (account_no, item_key, class, severity, reference, platform_fen, ledger_fen,
      difference_fen, line, platform_ref, platform_state, platform_at, counterparty, note)
    select account_no, item_key, case when is_old then 'state' else 'in_flight' end,
      case when is_old then 'break' else 'timing' end, out_order_no, ${movedByNow('debit_fen')}, null, 0, true,
      out_order_no, stated, since_at, counterparty,
      case when is_old then 'under way for more than ' || ${agingDays}::integer || ' days; ' || ${amountHeld('debit_fen')}
        else '' end
    from (
      select d.account_no, 'line:' || d.subject || ':' || d.out_order_no as item_key, d.out_order_no,
        sum(d.debit_fen)::bigint as debit_fen, min(d.stated) as stated, min(d.counterparty) as counterparty,
        min(coalesce(nullif(d.held_since, '-infinity'), d.since, d.first_seen_at)) as since_at,
        min(coalesce(nullif(d.held_since, '-infinity'), d.since, d.first_seen_at))
          < ${span.cut}::timestamptz - make_interval(days => ${agingDays}) as is_old
      from debit d
      join stage_scope s on s.account_no = d.account_no
      where coalesce(d.since, d.last_open_at, d.first_seen_at) < ${span.cut}
        and (d.state = 'open' or d.held_since < ${span.cut})
        and case d.state when 'open' then true when 'failed' then d.last_open_at >= ${span.cut}
          else exists (select from movement m where m.account_no = d.account_no
            and m.dedup_key >= ${principalKey} and m.dedup_key < ${principalKey} || ';'
            and m.reference = d.out_order_no and m.order_account = d.order_account and m.change_no = d.change_no
            and m.effective_from >= ${span.cut}) end
      group by d.account_no, d.subject, d.out_order_no
    ) x
    where not exists (select from found f where f.account_no = x.account_no and f.item_key = x.item_key)
      and not exists (
        select from match g join ledger_entry e on e.entry_no = g.entry_no
        where g.account_no = x.account_no and 'line:' || g.group_key = x.item_key
          and e.status = 'posted' and e.booked_at < ${span.cut})`.execute(trx);
}

/**
 * While it is on its way an order shows what it is about to take. When that lasts too long it is a break, and a
 * break's amounts are what either side has: the platform has moved nothing.
 */
function movedByNow(column: string): RawBuilder<unknown> {
  return sql`case when not is_old then -${sql.ref(column)} end`;
}

function amountHeld(column: string): RawBuilder<unknown> {
  return sql`'its amount is ' || ${sql.ref(column)} || ' fen'`;
}

/** What the key of the movement begins with that an order's change makes on the account it takes money from. */
const principalKey = sql`case d.subject when 'transfer' then 'transfer_out' when 'refund' then 'refund_out'
  else d.subject end || ':' || d.out_order_no`;

/** The first look that did not find the registered order `r`. */
const FIRST_MISSED = sql`(select min(d.not_found_since) from order_due d
  where d.kind = case r.kind when 'transfer' then 'batch' else r.kind end
    and d.number = case r.kind when 'transfer' then case d.number_kind when 'out' then r.out_batch_no else r.batch_no end
      else case d.number_kind when 'out' then r.out_order_no else r.order_no end end)`;

/**
 * Since when the registered order `r` has been on its way: the earliest of its submission, of its file and of the first
 * look that did not find it, so that no later statement makes it younger.
 */
export const REGISTERED_SINCE = sql`least(r.submitted_at, ${FIRST_MISSED},
  (select i.imported_at from intake_file i where i.file_id = r.file_id))`;

/** The earliest submission that was ever stated: what was told once is not put off by a later one. */
const FIRST_STATED = sql`least(r.submitted_at, q.first_submitted_at)`;

/**
 * The batch in which the platform shows the registered order `r` of its payer, whose own batch it does not know. One that
 * failed there may have been sent once more.
 */
const SHOWN_IN_ANOTHER_BATCH = sql`
  select min(o.out_batch_no) as shown_in from transfer_order o
  where r.kind = 'transfer' and r.out_order_no <> '' and r.payer_account_no in ('', o.account_no)
    and o.out_order_no = r.out_order_no and o.effective_state <> 'failed'`;

async function tellUnknown(
  trx: Transaction<Tables>,
  span: ProofSpan,
  { agingDays, unknownGraceMinutes }: Pick<ProofRules, 'agingDays' | 'unknownGraceMinutes'>,
): Promise<void> {
  await sql`
    insert into found (account_no, item_key, class, severity, reference, platform_fen, ledger_fen,
      difference_fen, line, platform_state, platform_at, counterparty, note)
    select account_no, item_key, case when is_old then 'state' when is_new then 'in_flight' else 'unknown_not_found' end,
      case when is_old then 'break' else 'timing' end, reference, ${movedByNow('amount_fen')}, null, 0, true, '',
      since_at, counterparty, case when shown_in is not null then 'registered in a batch that the platform does not know: '
            || 'the order is in batch ' || shown_in
          when is_new and not is_old then 'registered, and given time to appear on the platform'
          else 'registered, but the platform does not know it' end
        || case when is_old and amount_fen is not null then '; ' || ${amountHeld('amount_fen')} else '' end
    from (
      select distinct on (t.account_no, r.kind, n.own) t.account_no,
        'line:' || r.kind || ':' || n.own as item_key, n.own as reference, k.since_at,
        case when t.account_no in (r.payer_account_no, ${NO_ACCOUNT}) then r.amount_fen end as amount_fen,
        case t.account_no when r.payee_account_no then r.payer_account_no else r.payee_account_no end as counterparty,
        o.shown_in, o.shown_in is not null
          or coalesce(k.since_at < ${span.cut}::timestamptz - make_interval(days => ${agingDays}), false) as is_old,
        coalesce(q.asked_at <= ${FIRST_STATED} + make_interval(mins => ${unknownGraceMinutes}), false) as is_new
      from order_due q
      join order_registry r on (q.kind = 'withdrawal' and r.kind = 'withdrawal'
          and r.registered_as in (q.number, 'order:' || q.number))
        or (q.kind = 'batch' and r.kind = 'transfer' and q.number_kind = 'out' and r.out_batch_no = q.number)
        or (q.kind = 'batch' and r.kind = 'transfer' and q.number_kind = 'platform' and r.batch_no = q.number)
      cross join lateral (${firstOfCompany(sql`
        select 1 as rank, r.payer_account_no as account_no union all select 2, r.payee_account_no`)}) t
      left join stage_scope s on s.account_no = t.account_no
      cross join lateral (
        select case when r.out_order_no <> '' then r.out_order_no when r.order_no <> '' then r.order_no
          when r.out_batch_no <> '' then r.out_batch_no else r.batch_no end as own) n
      cross join lateral (
        select coalesce(${FIRST_STATED}, ${REGISTERED_SINCE}) as since_at) k
      cross join lateral (${SHOWN_IN_ANOTHER_BATCH}) o
      where q.state = 'not_found' and r.outcome <> 'refused'
        and (s.account_no is not null or t.account_no = ${NO_ACCOUNT})
        and (r.submitted_at is null or ${FIRST_STATED} < ${span.cut})
      order by t.account_no, r.kind, n.own, k.since_at, q.asked_at desc nulls last, r.registered_as
    ) x
    where not exists (select from found f where f.account_no = x.account_no and f.item_key = x.item_key)`.execute(
    trx,
  );
}
