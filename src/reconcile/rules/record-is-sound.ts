/** What the platform says of one deposit agrees with itself and with what it said before. */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Tables } from '../../store/schema/schema.ts';
import type { ChainPlace } from '../balance/chain-places.ts';
import { knownBefore } from '../balance/known-before.ts';
import type { ProofSpan } from '../balance/scope.ts';

/**
 * The break was open on the last day: it stays, whatever day its record has by now.
 * @param of SQL: break `b` is that of `t.account_no` and `x.item_key`
 */
export const wasOpenWithin = (
  { toDay }: ProofSpan,
  of: RawBuilder<unknown> = sql`b.account_no = t.account_no and b.item_key = x.item_key`,
): RawBuilder<unknown> => sql`exists (
  select from break b where ${of} and b.first_day <= ${toDay} and (b.status = 'open' or b.closed_day > ${toDay}))`;

/**
 * A deposit since the account's opening contradicts itself, whichever night read it first or saw it become so. It says
 * nothing about a difference to the books, so its own is zero; the amounts are shown as given.
 */
export async function feeAddsUp(trx: Transaction<Tables>, span: ProofSpan): Promise<void> {
  await sql`
    insert into found (account_no, item_key, class, severity, reference, platform_fen, ledger_fen,
      difference_fen, line, platform_ref, platform_state, platform_at, counterparty, note)
    select d.account_no, x.item_key, 'fee_invariant', 'break', d.order_no,
      d.real_fen, null, 0, false, d.order_no, d.fee_type, d.deposited_at, d.payer_name,
      'amount ' || d.amount_fen || ', fee ' || d.fee_fen || ' ' || d.fee_type || ', credited ' || d.real_fen || ' fen'
    from deposit d
    join stage_scope t on t.account_no = d.account_no
    cross join lateral (select 'fee_invariant:deposit:' || d.order_no as item_key) x
    where d.contradicts_itself
      and ((d.deposited_at >= least(t.baseline_at, ${span.from}::timestamptz) and d.deposited_at < ${span.cut})
        or ${wasOpenWithin(span)})`.execute(trx);
}

/** What the oldest of the versions `v` of deposit `d` stated in that column, where it states something else now. */
function wasAndIs(name: string, column: 'real_fen' | 'fee_fen'): RawBuilder<unknown> {
  const was = sql`((array_agg(v.content ->> ${column} order by v.version))[1])::bigint`;
  const is = sql`max(d.${sql.ref(column)})`;
  return sql`case when ${was} <> ${is}
    then '; ' || ${name} || ' was ' || ${was} || ' fen and is ' || ${is} || ' now' else '' end`;
}

/**
 * A record that changed is shown on the day it was noticed (a change within its own day: on that day), else by the first
 * proof that knows of it, and for as long as its line does not agree.
 */
export async function recordsStay(
  trx: Transaction<Tables>,
  span: ProofSpan,
  timeZone: string,
): Promise<void> {
  await sql`
    with known as materialized (${knownBefore(sql`select distinct account_no from deposit_version`, span)})
    insert into found (account_no, item_key, class, severity, reference, platform_fen, ledger_fen,
      difference_fen, line, platform_ref, platform_state, platform_at, counterparty, note)
    select v.account_no, 'record_changed:deposit:' || v.order_no, 'record_changed', 'break', v.order_no,
      max(d.amount_fen), null, 0, false, v.order_no, '',
      max(d.deposited_at), max(d.payer_name),
      'was ' || min(v.amount_fen) || ' fen, dated '
        || to_char(min(v.deposited_at) at time zone ${timeZone}, 'YYYY-MM-DD HH24:MI:SS')
        || ${wasAndIs('realAmount', 'real_fen')} || ${wasAndIs('fee', 'fee_fen')}
    from (
      select v.*, greatest(v.replaced_day, to_char(v.deposited_at at time zone ${timeZone}, 'YYYY-MM-DD'))
        as noticed_day
      from deposit_version v
    ) v
    join stage_scope s using (account_no)
    join deposit d using (account_no, order_no)
    join known k using (account_no)
    where v.noticed_day <= ${span.toDay}
      and (v.noticed_day >= ${span.fromDay}
        or (v.version = d.version - 1 and d.written_no > k.no) or exists (
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
 * An empty listing is no proof that nothing came (U24, docs/reconciliation.md 3.6): suspect when the books have money
 * in the span that no listing shows, not even as a deposit of another account that is not booked there, or when the
 * balance rose by more than the movements say, under whatever key that amount is kept. Suspicion of another span up to
 * the last day stays for as long as both its listing is empty and the books or the balance say otherwise. To be asked
 * after the balance items are found.
 * @param own what this run could not explain, by account
 */
export async function depositsAreListed(
  trx: Transaction<Tables>,
  span: ProofSpan,
  { timeZone, own }: { timeZone: string; own: ReadonlyMap<string, Pick<ChainPlace, 'unexplained'>> },
): Promise<void> {
  const parts = [...own].flatMap(([accountNo, { unexplained }]) =>
    unexplained.map(({ key, toDay }) => ({ accountNo, key, toDay })),
  );
  await sql`
    with told as (
      select * from unnest(${parts.map(({ accountNo }) => accountNo)}::text[], ${parts.map(({ key }) => key)}::text[],
        ${parts.map(({ toDay }) => toDay)}::text[]) o (account_no, item_key, day)
      union
      select u.account_no, u.item_key, u.to_day from run_unexplained u
      join run r on r.run_id = u.run_id and r.superseded_by is null
      union
      select account_no, item_key, split_part(item_key, ':', 2) from found where class = 'unexplained'
    ), rise as (
      select told.account_no, told.day from told
      join found f using (account_no, item_key) where f.difference_fen > 0
    )
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
        and (x.status = 'open' or x.closed_day > ${span.toDay}) and x.first_day <= ${span.toDay}
    ) p
    cross join lateral (
      select p.from_day::timestamp at time zone ${timeZone} as from_at,
        (p.to_day::date + 1)::timestamp at time zone ${timeZone} as to_at
    ) t
    cross join lateral (
      select count(*) as n, coalesce(sum(e.amount_fen), 0)::bigint as fen from open_entry e
      where e.account_no = p.account_no and e.kind = 'deposit' and e.status = 'posted'
        and not exists (select from open_movement m where m.family = e.family and m.reference = e.reference)
        and e.booked_at >= greatest(t.from_at, p.ledger_from) and e.booked_at < t.to_at
    ) b
    where (b.n > 0 or exists (
        select from rise r where r.account_no = p.account_no and r.day between p.from_day and p.to_day))
      and not exists (
      select from deposit d where d.account_no = p.account_no
        and d.deposited_at >= t.from_at and d.deposited_at < t.to_at)`.execute(trx);
}
