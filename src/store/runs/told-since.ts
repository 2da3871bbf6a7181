/** Accounts that came to be told of after a day, or again: what is known of them by now may lie before its end. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Day, Instant } from '../../core/time.ts';

/** SQL: those that a run which stands and ends after that day proves from before its end on. */
export const toldSince = ({ day, end }: { day: Day; end: Instant }): RawBuilder<unknown> => sql`
  select t.account_no from run_account t join run r using (run_id)
  where r.superseded_by is null and r.to_day > ${day} and t.opening_at < ${end}`;
