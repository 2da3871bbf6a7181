/** Records that could not be read or that vanished: kept until a later reading finds them whole (P4, P9). */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Day, Instant } from '../../core/time.ts';
import type { DaySpan } from '../../core/window.ts';
import type { Db, Tables } from '../schema/schema.ts';

export interface RecordFault {
  accountNo: string;
  /** orderNo, or the record's place on its page where it has none. */
  reference: string;
  kind: 'unreadable' | 'vanished';
  /** Which member and why; no personal value. */
  reason: string;
  depositedAt: Instant | undefined;
}

export async function saveFaults(
  trx: Transaction<Tables>,
  batch: { runId: string; day: Day; faults: readonly RecordFault[] },
): Promise<void> {
  for (const fault of batch.faults) {
    await trx
      .insertInto('record_fault')
      .values({
        account_no: fault.accountNo,
        reference: fault.reference,
        kind: fault.kind,
        reason: fault.reason,
        deposited_at: fault.depositedAt ?? null,
        first_run: batch.runId,
        first_day: batch.day,
        cured_run: null,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['account_no', 'reference', 'kind'])
          .doUpdateSet((eb) => ({ reason: eb.ref('excluded.reason'), cured_run: null })),
      )
      .execute();
  }
}

/** A record that was just read whole is no longer unreadable, whether or not it is stored by now. */
export async function cureFaults(
  trx: Transaction<Tables>,
  { runId, readable }: { runId: string; readable: readonly { accountNo: string; orderNo: string }[] },
): Promise<void> {
  const uncured = trx
    .selectFrom('record_fault')
    .select('reference')
    .where('cured_run', 'is', null)
    .where('kind', '=', 'unreadable')
    .limit(1);
  if (readable.length === 0 || (await uncured.executeTakeFirst()) === undefined) return;
  await sql`
    update record_fault f set cured_run = ${runId}
    from unnest(${readable.map(({ accountNo }) => accountNo)}::text[],
      ${readable.map(({ orderNo }) => orderNo)}::text[]) s (account_no, order_no)
    where f.account_no = s.account_no and f.reference = s.order_no and f.cured_run is null
      and f.kind = 'unreadable'`.execute(trx);
}

/** A record as a listing names it. */
export interface ListedRecord {
  accountNo: string;
  reference: string;
}

/**
 * A record that states no number goes by its content (`decode-deposit.ts`), so that it has another name once any of it is
 * put right. It is unreadable no more when the run has read every day on which it may lie in verified windows and none
 * of them lists it: its own day, or all that was read by the run that noted it where its time could not be read either.
 * @param listed the unreadable records of this run's windows
 */
export async function cureNameless(
  db: Db,
  { runId, timeZone }: { runId: string; timeZone: string },
  listed: readonly ListedRecord[],
): Promise<void> {
  await sql`
    update record_fault f set cured_run = ${runId}
    where f.kind = 'unreadable' and f.cured_run is null and f.reference like '#%'
      and not exists (
        select from unnest(${listed.map(({ accountNo }) => accountNo)}::text[],
          ${listed.map(({ reference }) => reference)}::text[]) l (account_no, reference)
        where l.account_no = f.account_no and l.reference = f.reference)
      and (
        select bool_and(exists (
          select from sync_window w where w.run_id = ${runId} and w.account_no = f.account_no
            and w.state = 'verified' and may.day >= w.from_day and may.day < w.to_day))
        from (
          select to_char(f.deposited_at at time zone ${timeZone}, 'YYYY-MM-DD') as day where f.deposited_at is not null
          union all
          select to_char(d.day, 'YYYY-MM-DD') from sync_window w
          cross join generate_series(w.from_day::timestamp, w.to_day::timestamp - interval '1 day', '1 day') d (day)
          where f.deposited_at is null and w.run_id = f.first_run and w.account_no = f.account_no
        ) may)`.execute(db);
}

/** A window of a run that stored records outnumber: some of them are no longer listed. */
export interface ShortWindow {
  accountNo: string;
  span: DaySpan;
}

/**
 * Windows of the run that hold more stored records than were read, and the cure of earlier vanished records in
 * verified windows that hold exactly what was read (P4).
 */
export async function compareWithStored(db: Db, runId: string, timeZone: string): Promise<ShortWindow[]> {
  return db.transaction().execute(async (trx) => {
    await sql`
      create temporary table stored_count on commit drop as
      select w.account_no, w.from_day, w.to_day, w.from_at, w.to_at, w.inside_count, w.state,
        (select count(*) from deposit d where d.account_no = w.account_no
           and d.deposited_at >= w.from_at and d.deposited_at < w.to_at) as stored_count
      from (select *, from_day::timestamp at time zone ${timeZone} as from_at,
              to_day::timestamp at time zone ${timeZone} as to_at
            from sync_window where run_id = ${runId} and state in ('verified', 'unverified')) w`.execute(trx);
    await sql`
      update record_fault f set cured_run = ${runId}
      from stored_count w, deposit d
      where f.kind = 'vanished' and f.cured_run is null and f.account_no = w.account_no
        and d.account_no = f.account_no and d.order_no = f.reference
        and d.deposited_at >= w.from_at and d.deposited_at < w.to_at
        and w.state = 'verified' and w.stored_count = w.inside_count`.execute(trx);
    const { rows } = await sql<{ account_no: string; from_day: Day; to_day: Day }>`
      select account_no, from_day, to_day from stored_count where stored_count > inside_count
      order by account_no, from_day`.execute(trx);
    return rows.map((row) => ({ accountNo: row.account_no, span: { from: row.from_day, to: row.to_day } }));
  });
}

/** Stores which records a window no longer lists, and that the others are there again. */
export async function saveVanished(
  db: Db,
  seen: {
    runId: string;
    day: Day;
    accountNo: string;
    present: readonly string[];
    missing: readonly RecordFault[];
  },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await saveFaults(trx, { runId: seen.runId, day: seen.day, faults: seen.missing });
    await sql`
      update record_fault set cured_run = ${seen.runId}
      where account_no = ${seen.accountNo} and kind = 'vanished' and cured_run is null
        and reference = any(${seen.present}::text[])`.execute(trx);
  });
}
