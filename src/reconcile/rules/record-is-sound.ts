/** What the platform says of one deposit agrees with itself and with what it said before. */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Tables } from '../store/schema.ts';
import type { ProofSpan } from './scope.ts';

/**
 * `ORDER`: credited amount = amount − fee; `ACCOUNT`: credited amount = amount (DIV-27, P10). It says nothing
 * about a difference to the books, so its own is zero; the amounts are shown as given.
 */
export async function feeAddsUp(trx: Transaction<Tables>, span: ProofSpan): Promise<void> {
  await sql`
    insert into found (account_no, item_key, class, severity, reference, platform_fen, ledger_fen,
      difference_fen, line, platform_ref, platform_state, platform_at, counterparty, note)
    select d.account_no, 'fee_invariant:deposit:' || d.order_no, 'fee_invariant', 'break', d.order_no,
      d.real_fen, null, 0, false, d.order_no, d.fee_type, d.deposited_at, d.payer_name,
      'amount ' || d.amount_fen || ', fee ' || d.fee_fen || ' ' || d.fee_type || ', credited ' || d.real_fen || ' fen'
    from (
      select d.* from deposit d where d.deposited_at >= ${span.from} and d.deposited_at < ${span.cut}
      union
      select d.* from break b
      join deposit d on d.account_no = b.account_no and 'fee_invariant:deposit:' || d.order_no = b.item_key
      where b.class = 'fee_invariant' and b.first_day <= ${span.toDay}
        and (b.status = 'open' or b.closed_day > ${span.toDay})
    ) d
    join stage_scope s using (account_no)
    cross join lateral (
      select case d.fee_type when 'ACCOUNT' then d.amount_fen else d.amount_fen - d.fee_fen end as fen
    ) due
    where d.real_fen is not null and d.real_fen <> due.fen
      and not (d.fee_type not in ('ORDER', 'ACCOUNT') and d.real_fen = d.amount_fen)`.execute(trx);
}

/**
 * A record that changed is shown on the day it was noticed (a change within its own day: on that day) and for
 * as long as its line does not agree.
 */
export async function recordsStay(
  trx: Transaction<Tables>,
  span: ProofSpan,
  timeZone: string,
): Promise<void> {
  await sql`
    insert into found (account_no, item_key, class, severity, reference, platform_fen, ledger_fen,
      difference_fen, line, platform_ref, platform_state, platform_at, counterparty, note)
    select v.account_no, 'record_changed:deposit:' || v.order_no, 'record_changed', 'break', v.order_no,
      max(d.amount_fen), null, 0, false, v.order_no, '',
      max(d.deposited_at), max(d.payer_name),
      'was ' || min(v.amount_fen) || ' fen, dated '
        || to_char(min(v.deposited_at) at time zone ${timeZone}, 'YYYY-MM-DD HH24:MI:SS')
    from (
      select v.*, greatest(v.replaced_day, to_char(v.deposited_at at time zone ${timeZone}, 'YYYY-MM-DD'))
        as noticed_day
      from deposit_version v
    ) v
    join stage_scope s using (account_no)
    join deposit d using (account_no, order_no)
    where v.noticed_day <= ${span.toDay} and d.deposited_at < ${span.cut}
      and (v.noticed_day >= ${span.fromDay} or exists (
        select from found f where f.account_no = v.account_no and f.item_key = 'line:deposit:' || v.order_no))
    group by v.account_no, v.order_no`.execute(trx);
  await sql`
    insert into found (account_no, item_key, class, severity, reference, platform_fen, ledger_fen,
      difference_fen, line, platform_ref, platform_state, platform_at, counterparty, note)
    select f.account_no, case f.kind when 'vanished' then 'record_vanished' else 'bad_record' end || ':deposit:' || f.reference,
      case f.kind when 'vanished' then 'record_vanished' else 'bad_record' end, 'break', f.reference,
      d.amount_fen, null, 0, false, f.reference, '', coalesce(d.deposited_at, f.deposited_at),
      coalesce(d.payer_name, ''), f.reason
    from record_fault f
    join stage_scope s using (account_no)
    left join deposit d on d.account_no = f.account_no and d.order_no = f.reference
    where f.cured_run is null and f.first_day <= ${span.toDay}
      and coalesce(d.deposited_at, f.deposited_at, ${span.from}::timestamptz) < ${span.cut}`.execute(trx);
}

/**
 * An empty listing is no proof that nothing came (U24, docs/reconciliation.md 3.6): suspect when the books have
 * deposits in the span that the platform lacks, or when the balance rose by more than the movements say. Suspicion of
 * an earlier span stays for as long as both its listing is empty and the books or the balance say otherwise. To be
 * asked after the balance items are found.
 */
export async function depositsAreListed(
  trx: Transaction<Tables>,
  span: ProofSpan,
  timeZone: string,
): Promise<void> {
  await sql`
    insert into found (account_no, item_key, class, severity, reference, platform_fen, ledger_fen,
      difference_fen, line, note)
    select p.account_no, 'empty_suspect:' || p.from_day || ':' || p.to_day, 'empty_suspect', 'break',
      p.account_no, 0, b.fen, 0, false,
      'no deposit listed for the period; the books have ' || b.n || ' the platform lacks'
    from (
      select account_no, ledger_from, ${span.fromDay} as from_day, ${span.toDay} as to_day from stage_scope
      union
      select s.account_no, s.ledger_from, split_part(x.item_key, ':', 2), split_part(x.item_key, ':', 3)
      from stage_scope s
      join break x on x.account_no = s.account_no and x.class = 'empty_suspect'
        and (x.status = 'open' or x.closed_day > ${span.toDay}) and x.first_day < ${span.toDay}
    ) p
    cross join lateral (
      select p.from_day::timestamp at time zone ${timeZone} as from_at,
        (p.to_day::date + 1)::timestamp at time zone ${timeZone} as to_at
    ) t
    cross join lateral (
      select count(*) as n, coalesce(sum(e.amount_fen), 0)::bigint as fen from open_entry e
      where e.account_no = p.account_no and e.kind = 'deposit' and e.status = 'posted'
        and not exists (select from reference_on_platform o where o.reference = e.reference)
        and e.booked_at >= greatest(t.from_at, p.ledger_from) and e.booked_at < t.to_at
    ) b
    where (b.n > 0 or exists (
        select from found f where f.account_no = p.account_no and f.difference_fen > 0
          and f.item_key = 'unexplained:' || p.to_day))
      and not exists (
      select from deposit d where d.account_no = p.account_no
        and d.deposited_at >= t.from_at and d.deposited_at < t.to_at)`.execute(trx);
}
