/** What an account's last proof before a span knew: what was written since is news, whichever day it is stamped with. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { NO_ACCOUNT } from '../../store/orders/told-on.ts';
import type { ProofSpan } from './scope.ts';

/**
 * A query of `account_no` and `no`, the write number up to which the last proof of the account for a day before the span
 * knew the records: 0 without one, the highest there is where it was not kept. Of several versions and tries the first
 * decides, so that what a restated one was told meanwhile is told by the night as well. What is the run's own is known to whatever
 * run proved an account.
 * @param accounts SQL: rows of `account_no`
 */
export function knownBefore(accounts: RawBuilder<unknown>, { fromDay }: ProofSpan): RawBuilder<unknown> {
  return sql`
    select a.account_no, coalesce((
      select coalesce(p.known_no, 9223372036854775807)
      from run_account p join run r using (run_id)
      where p.chained and (p.account_no = a.account_no or a.account_no = ${NO_ACCOUNT}) and r.to_day < ${fromDay}
      order by r.to_day desc, 1 limit 1), 0) as no
    from (${accounts}) a`;
}
