/**
 * A difference of the openings has one key, whatever makes it: once a proof had none, one that comes back is another
 * (docs/reconciliation.md 3.8, 3).
 */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Day } from '../../core/time.ts';

/**
 * SQL: the last day before `before` whose proof that stands neither found the item of this account nor had it cleared;
 * empty where each had. An unexplained amount has the key of its day, and is always the same one.
 */
export function lastDayWithout(
  { account, key }: Record<'account' | 'key', RawBuilder<unknown>>,
  before: Day,
): RawBuilder<unknown> {
  const isOfIt = sql`seen.run_id = r.run_id and seen.account_no = ${account} and seen.item_key = ${key}`;
  return sql`coalesce((
    select max(r.to_day) from run_account p join run r using (run_id)
    where ${key} not like 'unexplained:%' and p.account_no = ${account} and p.chained and p.verdict <> 'incomplete'
      and r.superseded_by is null and r.to_day < ${before}
      and not exists (select from finding seen where ${isOfIt}) and not exists (select from run_cleared seen where ${isOfIt})), '')`;
}
