/** What ends a line: an entry that is matched, and what came to be by a later day whose proof stands already. */
import { sql } from 'kysely';
import type { FindingRun } from '../balance/proof-request.ts';
import { familyOf } from './break-keeps-its-id.ts';
import { BOOKED, cameSince } from './came-since.ts';
import { ORDERS_OF_LINE } from './orders-of-line.ts';

/**
 * The entry that had the group of line `b` matched, whichever number that has by now: of those written since it was last
 * found the last, else the last that was booked. A group that does not agree ends what was only timing in it.
 * @param isEnded of row `x` of `match`
 */
export const matchedEntry = (
  run: FindingRun,
  isEnded = sql`(x.outcome = 'equal' or b.severity = 'timing')`,
) => sql`(select e.entry_id from match x join ledger_entry e on e.entry_no = x.entry_no
  where x.account_no = b.account_no and ${isEnded}
    and x.group_key = any(array[substr(b.item_key, 6), substr(b.item_key, 11)] || array(
      select l.family || ':' || n.name from lapsed l join name_of_line n using (break_id)
      where l.break_id = b.break_id and n.name <> b.reference))
  order by case when ${cameSince(run, BOOKED)} then e.written_no end desc nulls last, e.booked_at desc, e.entry_id limit 1)`;

/**
 * What ended a line, by the cut of the proof `later`, that a run of days long past finds and that one does not: both sides
 * are there by then and agree, or its order failed between the two cuts. A proof that does not find it may not have known
 * of it yet, and ends nothing: what is left is told, or ended, by the next night.
 */
export const endsInTime = (run: FindingRun) => {
  const cutOfLater = sql`((later.to_day::date + 1)::timestamp at time zone ${run.zone.name})`;
  const isThere = sql`x.outcome = 'equal' and not exists (
    select from match y left join ledger_entry e on e.entry_no = y.entry_no
    left join movement m on m.account_no = y.account_no and m.dedup_key = y.dedup_key
    where y.account_no = x.account_no and y.group_key = x.group_key
      and coalesce(e.booked_at, m.effective_from) >= ${cutOfLater})`;
  return sql`
    select 0 as rank, 'entry' as cause, ${matchedEntry(run, isThere)} as cleared_by
    union all
    select 3, 'record', n.reference where n.severity = 'timing' and exists (
      select from (select ${familyOf(sql`n.item_key`)} as family, n.reference as name) l
      cross join lateral (select l.name) n
      cross join lateral (${ORDERS_OF_LINE}) o
      join order_state_seen s on s.account_no = o.account_no and s.out_order_no = o.out_order_no and s.subject = l.family
      cross join lateral (select coalesce(s.last_open_at, s.since, s.first_final_at) as at) c
      where s.state = 'failed' and c.at >= ${run.span.cut} and c.at < ${cutOfLater})`;
};
