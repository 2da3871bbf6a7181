/**
 * What people say of a break (docs/reconciliation.md 3.13), as the last event of its life that says something holds
 * it, and how that is to be seen: what was said of another amount, was to be gone and is found again, or was written
 * off for a time that is over, holds no more. No proof reads any of this.
 */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

type Sql = RawBuilder<unknown>;

/** What people said of the break of that id last, as `work`; up to that place of the trail where one is given. */
export function lastWorkOf(breakId: Sql, upTo?: Sql): Sql {
  const known = upTo === undefined ? sql`` : sql`and e.trail_no <= ${upTo}`;
  return sql`
    select e.work from break_event e where e.break_id = ${breakId} and e.work is not null ${known}
    order by e.event_no desc limit 1`;
}

/** What the break is at that moment. */
export interface SeenBreak {
  /** jsonb; null where nobody said anything. */
  work: Sql;
  class: Sql;
  differenceFen: Sql;
  /** The last day of the newest run that found it. */
  foundDay: Sql;
  today: Sql;
}

const saidOfThis = (said: Sql, { class: itemClass, differenceFen }: SeenBreak): Sql => sql`(
  ${said} ->> 'class' = ${itemClass} and (${said} ->> 'differenceFen')::bigint = ${differenceFen})`;

/** The status by which people see it. */
export function statusOf(seen: SeenBreak): Sql {
  const { work, foundDay, today } = seen;
  const unsaid = sql`case when coalesce(${work} ->> 'owner', '') = '' then 'open' else 'assigned' end`;
  return sql`case
    when ${work} is null or ${work} ->> 'status' in ('open', 'assigned') then ${unsaid}
    when not ${saidOfThis(work, seen)} then ${unsaid}
    when ${work} ->> 'status' = 'resolved' and ${foundDay} >= ${work} ->> 'day' then ${unsaid}
    when ${work} ->> 'status' = 'written_off'
      and coalesce(${work} -> 'inForce' ->> 'expires', ${work} -> 'writeOff' ->> 'expires') < ${today} then 'expired'
    else ${work} ->> 'status' end`;
}

/** Whether its write-off awaits approval, and can still be approved. */
export function isProposed(seen: SeenBreak): Sql {
  const writeOff = sql`(${seen.work} -> 'writeOff')`;
  return sql`coalesce(jsonb_typeof(${writeOff}) = 'object' and ${writeOff} ->> 'approvedBy' is null
    and ${writeOff} ->> 'expires' >= ${seen.today} and ${saidOfThis(writeOff, seen)}, false)`;
}
