/** An order under way at the cut is told, and is a difference to nobody unless the books are ahead of it. */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Instant } from '../../core/time.ts';
import type { Tables } from '../../store/schema/schema.ts';
import { NO_ACCOUNT, firstOfCompany } from '../../store/orders/told-on.ts';
import type { ProofRules } from '../balance/proof-request.ts';
import type { ProofSpan } from '../balance/scope.ts';
import { wasOpenWithin } from './record-is-sound.ts';

/**
 * Orders that were open on the platform at the cut and that the books have not posted: `in_flight`, with what they
 * hold (negative) as their amount and no difference; `state` when they have been under way for longer than
 * agingDays. One of which nobody states since when is told from the first look on, and of a day on which its line was open. Orders the company registered and the platform does not know: `in_flight` where the last look came within
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
      select d.account_no, ${LINE_OF_DEBIT} as item_key, d.out_order_no,
        sum(d.debit_fen)::bigint as debit_fen, min(d.stated) as stated, min(d.counterparty) as counterparty,
        min(k.since_at) as since_at,
        min(k.since_at) < ${span.cut}::timestamptz - make_interval(days => ${agingDays}) as is_old
      from debit d
      join stage_scope s on s.account_no = d.account_no
      cross join lateral (
        select least(coalesce(d.held_since, d.since, d.first_seen_at),
          case d.change_no when 1 then ${ORDER_TOLD_SINCE} end) as since_at) k
      where ((coalesce(d.since, d.open_since, d.first_seen_at) < ${span.cut} and (d.state = 'open' or d.held_since < ${span.cut}))
          or (d.since is null and d.open_since is not null and ${wasOpenWithin(span, IS_LINE_OF_DEBIT)}))
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

const LINE_OF_DEBIT = sql`'line:' || d.subject || ':' || d.out_order_no`;

/** Break `b` is the line of row `d` of `debit`. */
const IS_LINE_OF_DEBIT = sql`b.account_no = d.account_no and b.item_key = ${LINE_OF_DEBIT}`;

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

/** What is asked for by a number of the registered order `r`, or of its batch. */
const DUE = sql`order_due due where due.kind = case r.kind when 'transfer' then 'batch' else r.kind end
  and (due.number_kind, due.number) in (
    ('out', case r.kind when 'transfer' then r.out_batch_no else r.out_order_no end),
    ('platform', case r.kind when 'transfer' then r.batch_no else r.order_no end))`;

/**
 * Since when the registered order `r` has been on its way: the earliest of its submissions, of its file and of the first
 * look that did not find it, so that no later statement makes it younger.
 */
export const REGISTERED_SINCE = sql`least(r.submitted_at,
  (select least(min(due.first_submitted_at), min(due.not_found_since)) from ${DUE}),
  (select i.imported_at from intake_file i where i.file_id = r.file_id))`;

/** The earliest submission that was ever stated: what was told once is not put off by a later one. */
const FIRST_STATED = sql`least(r.submitted_at, r.first_submitted_at)`;

/** Since when `r` is told: what a submission is stated of was a plan before it, whenever its file came. */
const TOLD_SINCE = sql`coalesce(${FIRST_STATED}, ${REGISTERED_SINCE})`;

/** How the company registered the order of row `d`, as of `debit`: by either number of it, or of its batch alone. */
const REGISTRATIONS = sql`
  select r.*, (select min(due.first_submitted_at) from ${DUE}) as first_submitted_at
  from order_registry r
  where r.kind = d.subject and r.payer_account_no in ('', d.order_account)
    and r.registered_as in (d.out_order_no, 'order:' || d.order_no, 'batch:' || d.out_batch_no,
      (select 'batchNo:' || b.batch_no from transfer_batch b
        where b.account_no = d.order_account and b.out_batch_no = d.out_batch_no))`;

/** Since when the order of row `d` is told by how it was registered; null: it was not. */
export const ORDER_TOLD_SINCE = sql`(select min(${TOLD_SINCE}) from (${REGISTRATIONS}) r)`;

/**
 * The batch in which the platform shows the registered order `r` of its payer, whose own batch it does not know. One that
 * failed there may have been sent once more.
 */
const SHOWN_IN_ANOTHER_BATCH = sql`
  select min(o.out_batch_no) as shown_in from transfer_order o
  where r.is_unknown and r.kind = 'transfer' and r.out_order_no <> '' and r.payer_account_no in ('', o.account_no)
    and o.out_order_no = r.out_order_no and o.effective_state <> 'failed'`;

/**
 * Registrations with the last look that missed them (`missed_at`): of orders that the platform does not know, and of those
 * that it shows by now and that no look had shown by the cut: then they were as unknown as the run of that day told them.
 */
const missedOrders = (cut: Instant): RawBuilder<unknown> => sql`
  select r.*, q.first_submitted_at, q.asked_at as missed_at, true as is_unknown
  from order_due q
  join order_registry r on (q.kind = 'withdrawal' and r.kind = 'withdrawal'
      and r.registered_as in (q.number, 'order:' || q.number))
    or (q.kind = 'batch' and r.kind = 'transfer' and q.number_kind = 'out' and r.out_batch_no = q.number)
    or (q.kind = 'batch' and r.kind = 'transfer' and q.number_kind = 'platform' and r.batch_no = q.number)
  where q.state = 'not_found'
  union all
  select r.*, d.since, false
  from debit d cross join lateral (${REGISTRATIONS}) r
  where d.change_no = 1 and d.since >= ${cut} and ${TOLD_SINCE} < ${cut}`;

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
        coalesce(r.missed_at <= ${FIRST_STATED} + make_interval(mins => ${unknownGraceMinutes}), false) as is_new
      from (${missedOrders(span.cut)}) r
      cross join lateral (${firstOfCompany(sql`
        select 1 as rank, r.payer_account_no as account_no union all select 2, r.payee_account_no`)}) t
      left join stage_scope s on s.account_no = t.account_no
      cross join lateral (
        select case when r.out_order_no <> '' then r.out_order_no when r.order_no <> '' then r.order_no
          when r.out_batch_no <> '' then r.out_batch_no else r.batch_no end as own) n
      cross join lateral (select ${TOLD_SINCE} as since_at) k
      cross join lateral (${SHOWN_IN_ANOTHER_BATCH}) o
      where r.outcome <> 'refused'
        and (s.account_no is not null or t.account_no = ${NO_ACCOUNT})
        and (r.submitted_at is null or ${FIRST_STATED} < ${span.cut})
      order by t.account_no, r.kind, n.own, k.since_at, r.missed_at desc nulls last, r.registered_as
    ) x
    where not exists (select from found f where f.account_no = x.account_no and f.item_key = x.item_key)`.execute(
    trx,
  );
}
