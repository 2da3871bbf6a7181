/** How findings and lists name the entries of one group. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/** A group may have any number of entries; a list shows the first of them. */
const LENGTH_MAX = 200;

/** SQL aggregate: the numbers of the entries `e` in that order, each whole; that there are more is said. Null of none. */
export function namesOfEntries(order: RawBuilder<unknown> = sql`e.entry_id`): RawBuilder<string | null> {
  const all = sql`string_agg(e.entry_id, ', ' order by ${order})`;
  const whole = sql`regexp_replace(left(${all}, ${sql.lit(LENGTH_MAX + 1)}), ',[^,]*$', ', …')`;
  return sql`case when length(${all}) <= ${sql.lit(LENGTH_MAX)} then ${all} else ${whole} end`;
}
