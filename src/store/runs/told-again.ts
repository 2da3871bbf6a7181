/** An account that had left its runs and came back: what is known of it by now may lie in the days between. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Day, Instant } from '../../core/time.ts';

/** SQL: runs that stand and end after that day, and whose proof of the account begins before its end. */
export const toldAgain = (
  accountNo: RawBuilder<unknown>,
  { day, end }: { day: Day; end: Instant },
): RawBuilder<unknown> => sql`
  select from run_account t join run r using (run_id)
  where t.account_no = ${accountNo} and r.superseded_by is null and r.to_day > ${day} and t.opening_at < ${end}`;
