/** What ends a change of a signed period (docs/reconciliation.md 3.11): it is signed anew, or is again what was signed. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { FindingRun } from '../balance/proof-request.ts';
import { cameSince } from './came-since.ts';

/** `signed:2026-03:ledger:17`: of break `b`. */
const part = (n: number): RawBuilder<unknown> => sql`split_part(b.item_key, ':', ${sql.lit(n)})`;

/**
 * What ended break `b`, which is not found any more: a later sign-off of its period or of one that holds it and stands;
 * else what was written in it last, which made it what was signed. Not where the event that signed it is gone.
 */
export const causesOfSigned = (run: FindingRun): RawBuilder<unknown> => sql`
  select c.cause, c.cleared_by
  from (
    select case when length(${part(2)}) = 7 then ${part(2)} || '-01' else ${part(2)} end::date as first_day,
      case when length(${part(2)}) = 7 then interval '1 month' else interval '1 day' end as span
  ) d
  cross join lateral (
    select d.first_day::timestamp at time zone ${run.zone.name} as from_at,
      (d.first_day + d.span)::timestamp at time zone ${run.zone.name} as to_at) t
  cross join lateral (
    select 0 as rank, 'sign_off' as cause, e.period as cleared_by, e.trail_no as written_no from break_event e
    where e.event = 'signed_off' and (e.details ->> 'rowsNo')::bigint > ${part(4)}::bigint
      and (e.period = ${part(2)} or (e.period = left(${part(2)}, 7) and not exists (
        select from break_event l where l.period = e.period and l.event_no > e.event_no)))
    union all
    select 1, 'entry', e.entry_id, e.written_no from ledger_entry e
    where ${part(3)} = 'ledger' and e.account_no = b.account_no and e.booked_at >= t.from_at and e.booked_at < t.to_at
      and ${cameSince(run, { no: sql`e.written_no` })}
    union all
    select 1, 'record', m.reference, m.written_no from movement m
    where ${part(3)} = 'platform' and m.account_no = b.account_no and m.effective_from >= t.from_at
      and m.effective_from < t.to_at and m.reference <> '' and ${cameSince(run, { no: sql`m.written_no` })}
    union all
    select 2, 'reading', ${run.runId}, 0
  ) c
  where exists (select from break_event e
    where e.trail_no = ${part(4)}::bigint and e.period = ${part(2)})
  order by c.rank, c.written_no desc, c.cleared_by limit 1`;
