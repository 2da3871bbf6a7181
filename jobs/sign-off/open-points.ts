/** What stands open when a period is signed: whoever signs it all the same says why. */
import { sql } from 'kysely';
import { yuanForPeople } from '../../src/core/fen.ts';
import type { Fen } from '../../src/core/fen.ts';
import { addDays } from '../../src/core/time.ts';
import type { Zone } from '../../src/core/time.ts';
import type { Period } from '../../src/store/periods/period.ts';
import type { Run } from '../../src/store/runs/runs.ts';
import { toldSince } from '../../src/store/runs/told-since.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import type { PeriodRuns } from './period-runs.ts';

export interface OpenPoint {
  what: 'break' | 'account' | 'day' | 'ledger';
  /** A break id, an account, a day or the number of entries. */
  of: string;
  /** A sentence. */
  text: string;
}

/** @param session where the last run's items lie aside */
export async function openPoints(
  session: Db,
  of: { period: Period; proven: PeriodRuns; zone: Zone },
): Promise<OpenPoint[]> {
  const last = of.proven.runs.at(-1) ?? of.proven.runs[0];
  return [
    ...of.proven.unproven.map((day): OpenPoint => ({
      what: 'day',
      of: day,
      text: `${day} is not proven by any finished run of all accounts`,
    })),
    ...(await unverifiedAccounts(session, last)),
    ...(await unshownAccounts(session, of.zone, last)),
    ...(await unexplainedBreaks(session)),
    ...(await lateEntries(session, { ...of, last })),
  ];
}

async function unverifiedAccounts(session: Db, last: Run): Promise<OpenPoint[]> {
  const rows = await session
    .selectFrom('run_account')
    .select(['account_no', 'verdict'])
    .where('run_id', '=', last.run_id)
    .where('verdict', 'in', ['unverified', 'incomplete'])
    .orderBy('account_no')
    .execute();
  return rows.map(({ account_no: of, verdict }) => ({
    what: 'account',
    of,
    text: `account ${of} is ${verdict}`,
  }));
}

/**
 * On the list for the last day, and put there after its run; or had left by then, and told of by another run from within
 * the period on: no figure that is signed has them.
 */
async function unshownAccounts(session: Db, zone: Zone, last: Run): Promise<OpenPoint[]> {
  const [from, to] = [zone.dayStart(last.to_day), zone.dayStart(addDays(last.to_day, 1))];
  const { rows } = await sql<{ account_no: string; is_listed: boolean }>`
    select a.account_no, l.is_listed from account a
    cross join lateral (select (a.active_from is null or a.active_from < ${to})
      and (a.active_to is null or a.active_to > ${from}) and (a.opening_at is null or a.opening_at < ${to}) as is_listed) l
    where not exists (select from run_account p where p.run_id = ${last.run_id} and p.account_no = a.account_no)
      and (l.is_listed or ${toldSince(sql.ref('a.account_no'), { day: last.to_day, zone })})
    order by a.account_no`.execute(session);
  return rows.map(({ account_no: of, is_listed: isListed }) => ({
    what: 'account',
    of,
    text: isListed
      ? `account ${of} is on the list and no part of ${last.run_id}; run it again to prove it, or say from when it is (active_from)`
      : `account ${of} is no part of ${last.run_id}, and another run tells of it from before its end on; run it again to prove it`,
  }));
}

interface Unexplained {
  break_id: string;
  class: string;
  account_no: string;
  reference: string;
  difference_fen: Fen;
  work_status: string;
}

/** Of which nobody has said why they are there, or nobody any more: as the progress on the summary counts them. */
async function unexplainedBreaks(session: Db): Promise<OpenPoint[]> {
  const { rows } = await sql<Unexplained>`
    select break_id, class, account_no, reference, difference_fen, work_status from report_item
    where list = 'break' and work_status in ('open', 'assigned', 'expired') order by n`.execute(session);
  return rows.map((row) => ({
    what: 'break',
    of: row.break_id,
    text: `${row.break_id} ${row.class} ${row.reference}${row.account_no === '' ? '' : ` of ${row.account_no}`}: ${yuanForPeople(row.difference_fen)}, ${row.work_status}`,
  }));
}

/** Booked in the period and written since its end was proven: no figure that is signed has them. */
async function lateEntries(
  session: Db,
  { period, zone, last }: { period: Period; zone: Zone; last: Run },
): Promise<OpenPoint[]> {
  const [from, to] = [zone.dayStart(period.from), zone.dayStart(addDays(period.to, 1))];
  const { rows } = await sql<{ count: number }>`
    select count(distinct (e.source, e.entry_id))::integer as count from ledger_entry e, run r
    where r.run_id = ${last.run_id} and e.written_no > (r.facts ->> 'writtenUpTo')::bigint
      and e.booked_at >= ${from} and e.booked_at < ${to}`.execute(session);
  const count = rows[0]?.count ?? 0;
  if (count === 0) return [];
  const text = `ledger entries booked in the period that came or changed since ${last.run_id}: ${count}; run it again to prove them`;
  return [{ what: 'ledger', of: String(count), text }];
}
