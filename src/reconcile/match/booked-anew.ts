/** Books that number their entries anew, or go by another source by now, withdraw entries and have others that say the same. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/** What an entry says, whatever id and source the books give it, and whatever time of its day. */
const SAID = sql`account_no, kind, amount_fen, reference, counterparty, day`;

/**
 * A query of `name`, `account_no`, `source`, `entry_id`, `entry_no`: withdrawn entries, each with another one that says the
 * same and was taken in since, whichever of the two was done first; with one of its own status where there is one. Which
 * of equals is which makes no difference.
 * @param gone SQL: rows of `source`, `entry_id`, `name`, `rank`, by which they come first, and `known_no`, the highest
 *   write number that was known while they were in the books
 * @param isMeant SQL: whether the other one may be entry `e`
 */
export const bookedAnew = (
  gone: RawBuilder<unknown>,
  isMeant: RawBuilder<unknown>,
  timeZone: string,
): RawBuilder<unknown> => sql`
  with gone as (
    select g.name, g.rank, g.known_no, w.*, row_number() over (partition by ${SAID}, status order by g.rank, g.name) as nth
    from (${gone}) g
    cross join lateral (
      select e.*, date_trunc('day', e.booked_at, ${timeZone}) as day from ledger_entry e
      where e.source = g.source and e.entry_id = g.entry_id and e.withdrawn and not exists (
        select from ledger_entry c where c.source = g.source and c.entry_id = g.entry_id and c.current)
      order by e.version desc limit 1) w
  ), come as (
    select g.*, e.source, e.entry_id, e.entry_no, e.status,
      row_number() over (partition by ${SAID}, e.status order by e.source, e.entry_id) as nth
    from (select ${SAID}, min(known_no) as known_no from gone group by ${SAID}) g
    join ledger_entry e using (account_no, kind, amount_fen, reference, counterparty)
    where e.current and e.written_no > g.known_no and ${isMeant}
      and e.booked_at >= g.day and e.booked_at < g.day + interval '1 day'
  ), side_by_side as (
    select ${SAID}, gone.name, come.source, come.entry_id, come.entry_no,
      row_number() over (partition by ${SAID}, gone.name is null, come.entry_no is null
        order by gone.rank, gone.name, come.source, come.entry_id) as nth
    from gone full join come using (${SAID}, status, nth)
  )
  select name, account_no, source, entry_id, entry_no from side_by_side where name is not null and entry_no is not null
  union all
  select g.name, account_no, c.source, c.entry_id, c.entry_no
  from side_by_side g join side_by_side c using (${SAID}, nth)
  where g.entry_no is null and c.name is null`;
