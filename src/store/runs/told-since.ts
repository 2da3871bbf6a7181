/** Accounts that came to be told of after a day, or again: what is known of them by now may lie before its end. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { addDays } from '../../core/time.ts';
import type { Day, Zone } from '../../core/time.ts';
import type { Db } from '../schema/schema.ts';

/** SQL: whether anything is known of the account that a proof did not see: written since, or of what comes after its end. */
export const knownSince = (
  accountNo: RawBuilder<unknown>,
  { written, cut }: { written: RawBuilder<unknown>; cut: RawBuilder<unknown> },
): RawBuilder<boolean> => sql`
  (exists (select from ledger_entry e where e.account_no = ${accountNo}
    and (e.written_no > ${written} or (e.current and e.booked_at >= ${cut})))
  or exists (select from movement m where m.account_no = ${accountNo}
    and (m.written_no > ${written} or m.effective_from >= ${cut}))
  or exists (select from deposit d where d.account_no = ${accountNo} and d.written_no > ${written})
  or exists (select from transfer_order o where o.account_no = ${accountNo} and o.written_no > ${written})
  or exists (select from withdrawal w where w.account_no = ${accountNo} and w.written_no > ${written})
  or exists (select from order_fault f where f.account_no = ${accountNo} and f.noted_no > ${written}))`;

/** SQL: whether a run that stands and ends after that day proves the account, which is such there, from before its end on. */
const provenLater = (
  accountNo: RawBuilder<unknown>,
  { day, zone }: { day: Day; zone: Zone },
  such: RawBuilder<unknown> = sql`true`,
): RawBuilder<boolean> => sql`${accountNo} in (
  select t.account_no from run_account t join run r using (run_id)
  where r.superseded_by is null and r.to_day > ${day} and t.opening_at < ${zone.dayStart(addDays(day, 1))} and ${such})`;

/**
 * SQL: whether a run that stands and ends after that day proves the account from before its end on, or the last one up to then,
 * whichever run it is, with something left on either side. Where the one leaves nothing and agrees, and nothing is known
 * that the other did not see, it tells of what was proven before, once more.
 */
export const toldSince = (
  accountNo: RawBuilder<unknown>,
  { day, zone }: { day: Day; zone: Zone },
): RawBuilder<boolean> => {
  const later = provenLater(accountNo, { day, zone });
  const isLeft = sql`(t.verdict not in ('reconciled', 'reconciled_with_timing') or t.platform_fen <> 0 or t.ledger_fen <> 0)`;
  const cut = sql`((r.to_day::date + 1)::timestamp at time zone ${zone.name})`;
  return sql`
  (${provenLater(accountNo, { day, zone }, isLeft)} or coalesce((
    select p.platform_fen <> 0 or p.ledger_fen <> 0
      or (${later} and ${knownSince(sql.ref('p.account_no'), { written: sql`coalesce(p.known_no, 0)`, cut })})
    from run_account p join run r using (run_id)
    where p.chained and p.account_no = ${accountNo} and r.superseded_by is null and r.to_day <= ${day}
    order by r.to_day desc, r.job desc limit 1), ${later}))`;
};

/**
 * Of these accounts those that the run is without, by what was written since: no figure of it has what they hold from before
 * its end on.
 * @param of.after the highest write number there was when it was looked at
 */
export async function listMissed(
  db: Db,
  of: { runId: string; day: Day; zone: Zone; after: bigint },
): Promise<string[]> {
  const end = of.zone.dayStart(addDays(of.day, 1));
  const { rows } = await sql<{ account_no: string }>`
    select a.account_no from account a
    where not exists (select from run_account p where p.run_id = ${of.runId} and p.account_no = a.account_no)
      and (${provenLater(sql.ref('a.account_no'), of)} or ${toldSince(sql.ref('a.account_no'), of)})
      and (exists (select from ledger_entry e where e.account_no = a.account_no and e.current and not e.withdrawn
          and e.booked_at < ${end} and e.written_no > ${of.after})
        or exists (select from movement m where m.account_no = a.account_no and m.effective_from < ${end}
          and m.written_no > ${of.after}))
    order by a.account_no`.execute(db);
  return rows.map((row) => row.account_no);
}
