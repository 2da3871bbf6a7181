/** Accounts that came to be told of after a day, or again: what is known of them by now may lie before its end. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Day, Instant } from '../../core/time.ts';
import type { Db } from '../schema/schema.ts';

/**
 * SQL: whether a run that stands and ends after that day proves the account from before its end on, or the last one up to then,
 * whichever run it is, with something left on either side.
 */
export const toldSince = (
  accountNo: RawBuilder<unknown>,
  { day, end }: { day: Day; end: Instant },
): RawBuilder<boolean> => sql`
  (${accountNo} in (
    select t.account_no from run_account t join run r using (run_id)
    where r.superseded_by is null and r.to_day > ${day} and t.opening_at < ${end})
  or coalesce((
    select p.platform_fen <> 0 or p.ledger_fen <> 0 from run_account p join run r using (run_id)
    where p.chained and p.account_no = ${accountNo} and r.superseded_by is null and r.to_day <= ${day}
    order by r.to_day desc, r.job desc limit 1), false))`;

/**
 * Of these accounts those that the run is without, by what was written since: no figure of it has what they hold from before
 * its end on.
 * @param of.after the highest write number there was when it was looked at
 */
export async function listMissed(
  db: Db,
  of: { runId: string; day: Day; end: Instant; after: bigint },
): Promise<string[]> {
  const { rows } = await sql<{ account_no: string }>`
    select a.account_no from account a
    where not exists (select from run_account p where p.run_id = ${of.runId} and p.account_no = a.account_no)
      and ${toldSince(sql.ref('a.account_no'), of)}
      and (exists (select from ledger_entry e where e.account_no = a.account_no and e.current and not e.withdrawn
          and e.booked_at < ${of.end} and e.written_no > ${of.after})
        or exists (select from movement m where m.account_no = a.account_no and m.effective_from < ${of.end}
          and m.written_no > ${of.after}))
    order by a.account_no`.execute(db);
  return rows.map((row) => row.account_no);
}
