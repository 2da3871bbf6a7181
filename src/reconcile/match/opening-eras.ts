/**
 * Records that are merely alike are paired within one era: on the same side of where the proof of their account
 * begins and of where its books do. What crosses an opening is known by its number or not at all.
 */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/**
 * Where proof and books of each account begin, as far as it is known: `baseline_at`, `ledger_from`; `stated_at` where the
 * account list stated the former. What a proof has rested on is in force, whatever is stated since.
 */
export const OPENINGS = sql`
  select a.account_no, f.stated_at, coalesce(f.stated_at, b.at) as baseline_at,
    case when u.amount_fen is not null then u.at
      else coalesce(case when u.account_no is null then o.at end, f.stated_at, b.at) end as ledger_from
  from account a
  left join proven_opening p on p.account_no = a.account_no
  left join account_baseline b on b.account_no = a.account_no
  left join ledger_opening u on u.account_no = a.account_no
  left join (
    select account_no, max(booked_at) as at from ledger_entry
    where kind = 'opening' and current and status = 'posted' group by account_no
  ) o on o.account_no = a.account_no
  cross join lateral (
    select case when p.account_no is null then a.opening_at else p.opening_at end as stated_at) f`;

/** The era of an instant; `o` is a row of OPENINGS. */
export function eraOf(instant: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(coalesce((${instant} >= o.baseline_at)::integer, 0)
    + coalesce((${instant} >= o.ledger_from)::integer, 0))`;
}

/** Groups of look-alikes that lie across an opening: it was not known yet when they were paired. */
export const GROUPS_ACROSS_OPENINGS = sql`
  select distinct x.account_no, x.group_key
  from (${OPENINGS}) o
  cross join lateral (values (o.baseline_at), (o.ledger_from)) edge (at)
  join ledger_entry e on e.account_no = o.account_no
    and e.booked_at >= edge.at - interval '2 days' and e.booked_at < edge.at + interval '2 days'
  join match x on x.entry_no = e.entry_no and x.rule <> 'reference'
  join movement m on m.account_no = x.account_no and m.dedup_key = x.dedup_key
  where ${eraOf(sql`m.effective_from`)} <> ${eraOf(sql`e.booked_at`)}`;
