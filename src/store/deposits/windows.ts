/**
 * The extraction proof: which windows a run planned, which of them were read in a verified pass, and per
 * account and day what was proven, over all runs (docs/reconciliation.md 3.6).
 */
import { sql } from 'kysely';
import type { Selectable, Transaction } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import type { Day, Instant } from '../../core/time.ts';
import { subtractSpans } from '../../core/window.ts';
import type { DaySpan } from '../../core/window.ts';
import { TEXT_C, copyRows, stageOf } from '../database/bulk.ts';
import type { Db, DbOrTransaction, SyncWindowTable, Tables } from '../schema/schema.ts';

export interface DayProof {
  day: Day;
  count: number;
  sumFen: Fen;
  /** Order independent, of all records of the day. */
  digest: string;
}

export interface ReadWindow {
  runId: string;
  accountNo: string;
  span: DaySpan;
  passes: number;
  pages: number;
  total: number;
  distinct: number;
  inside: number;
  sumFen: Fen;
  digest: string;
  /** Every day of the span, those without records too; none where nothing verified the list. */
  days: readonly DayProof[];
  readAt: Instant;
  /** Why nothing verified the list, which stands all the same; empty where it is verified. */
  unverified: string;
}

export type PlannedWindow = Selectable<SyncWindowTable>;

/** Adds the windows a run has yet to read; planning again adds nothing. */
export async function planWindows(
  db: DbOrTransaction,
  runId: string,
  windows: readonly { accountNo: string; span: DaySpan }[],
): Promise<void> {
  for (let at = 0; at < windows.length; at += 1_000) {
    await db
      .insertInto('sync_window')
      .values(
        windows.slice(at, at + 1_000).map(({ accountNo, span }) => ({
          run_id: runId,
          account_no: accountNo,
          from_day: span.from,
          to_day: span.to,
          state: 'planned' as const,
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/**
 * Plans what a run has yet to read: of the given windows what no verified window of its own covers. A run that
 * is resumed on a later day needs other windows than it planned at first, and asks again for those whose list nothing
 * verified.
 */
export async function replanWindows(
  db: Db,
  runId: string,
  windows: readonly { accountNo: string; span: DaySpan }[],
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx
      .deleteFrom('sync_window')
      .where('run_id', '=', runId)
      .where('state', '<>', 'verified')
      .execute();
    const verified = await trx
      .selectFrom('sync_window')
      .select(['account_no', 'from_day', 'to_day'])
      .where('run_id', '=', runId)
      .orderBy('account_no')
      .orderBy('from_day')
      .execute();
    const byAccount = Map.groupBy(verified, (window) => window.account_no);
    const left = windows.flatMap(({ accountNo, span }) =>
      subtractSpans(
        span,
        (byAccount.get(accountNo) ?? []).map(({ from_day: from, to_day: to }) => ({ from, to })),
      ).map((rest) => ({ accountNo, span: rest })),
    );
    await planWindows(trx, runId, left);
  });
}

/** The windows of a run that are not verified yet, in order. */
export async function listOpenWindows(db: Db, runId: string): Promise<PlannedWindow[]> {
  return db
    .selectFrom('sync_window')
    .selectAll()
    .where('run_id', '=', runId)
    .where('state', '<>', 'verified')
    .orderBy('account_no')
    .orderBy('from_day')
    .execute();
}

/** Cuts a planned window in two, for one that does not settle. */
export async function splitWindow(
  trx: Transaction<Tables>,
  window: { runId: string; accountNo: string; span: DaySpan },
  parts: readonly DaySpan[],
): Promise<void> {
  await trx
    .deleteFrom('sync_window')
    .where('run_id', '=', window.runId)
    .where('account_no', '=', window.accountNo)
    .where('from_day', '=', window.span.from)
    .execute();
  await planWindows(
    trx,
    window.runId,
    parts.map((span) => ({ accountNo: window.accountNo, span })),
  );
}

/** Plans windows anew as they were planned at first, whatever was read or cut of them since. */
export async function replanUnread(
  trx: Transaction<Tables>,
  runId: string,
  windows: readonly { accountNo: string; span: DaySpan }[],
): Promise<void> {
  await sql`
    delete from sync_window w
    using unnest(${windows.map(({ accountNo }) => accountNo)}::text[],
      ${windows.map(({ span }) => span.from)}::text[], ${windows.map(({ span }) => span.to)}::text[])
      p (account_no, from_day, to_day)
    where w.run_id = ${runId} and w.account_no = p.account_no
      and w.from_day >= p.from_day and w.to_day <= p.to_day`.execute(trx);
  await planWindows(trx, runId, windows);
}

/** Records that a window could not be read, planned or not; a run with one is incomplete. */
export async function saveFailedWindow(
  db: DbOrTransaction,
  window: { runId: string; accountNo: string; span: DaySpan; reason: string },
): Promise<void> {
  const failed = { to_day: window.span.to, state: 'failed' as const, reason: window.reason };
  await db
    .insertInto('sync_window')
    .values({ run_id: window.runId, account_no: window.accountNo, from_day: window.span.from, ...failed })
    .onConflict((conflict) => conflict.columns(['run_id', 'account_no', 'from_day']).doUpdateSet(failed))
    .execute();
}

/**
 * What a run that is resumed plans anew although it was verified (docs/reconciliation.md 3.8, 13): windows with a day that
 * no reading proves, because it was not over when they were begun, whenever they were ended; and windows with records that
 * could not be read or had vanished. A record without a readable time may lie in any window of its account.
 */
export async function dropDoubtfulWindows(db: Db, runId: string, timeZone: string): Promise<void> {
  await sql`
    delete from sync_window w using record_fault f
    where w.run_id = ${runId} and w.state = 'verified' and f.account_no = w.account_no and f.cured_run is null
      and (f.deposited_at is null
        or (f.deposited_at >= w.from_day::timestamp at time zone ${timeZone}
          and f.deposited_at < w.to_day::timestamp at time zone ${timeZone}))`.execute(db);
  await sql`
    delete from sync_window w
    where w.run_id = ${runId} and w.state = 'verified' and w.to_day::date - w.from_day::date > (
      select count(*) from sync_day d
      where d.account_no = w.account_no and d.day >= w.from_day and d.day < w.to_day)`.execute(db);
}

const STAGE = stageOf('stage_day', {
  account_no: TEXT_C,
  day: 'text',
  record_count: 'integer',
  sum_fen: 'bigint',
  digest: 'text',
  run_id: 'text',
  at: 'timestamptz',
});

/**
 * Marks windows read, and the days of verified ones proven. A day whose earlier proof by another run was equal becomes
 * sealed; one that differs starts anew.
 */
export async function saveReadWindows(
  trx: Transaction<Tables>,
  windows: readonly ReadWindow[],
): Promise<void> {
  for (const window of windows) await saveReadWindow(trx, window);
  const days = windows.flatMap((window) =>
    window.days.map((day) => [
      window.accountNo,
      day.day,
      String(day.count),
      day.sumFen.toString(),
      day.digest,
      window.runId,
      window.readAt,
    ]),
  );
  if (days.length === 0) return;
  await copyRows(trx, STAGE, days);
  await sql`
    insert into sync_day (account_no, day, record_count, sum_fen, digest, verified_run, verified_at)
    select distinct on (account_no, day) account_no, day, record_count, sum_fen, digest, run_id, at
    from stage_day order by account_no, day
    on conflict (account_no, day) do update set
      sealed_run = case when sync_day.digest <> excluded.digest then null
        when sync_day.verified_run <> excluded.verified_run
          then coalesce(sync_day.sealed_run, excluded.verified_run)
        else sync_day.sealed_run end,
      sealed_at = case when sync_day.digest <> excluded.digest then null
        when sync_day.verified_run <> excluded.verified_run
          then coalesce(sync_day.sealed_at, excluded.verified_at)
        else sync_day.sealed_at end,
      verified_run = case when sync_day.digest = excluded.digest then sync_day.verified_run
        else excluded.verified_run end,
      verified_at = case when sync_day.digest = excluded.digest then sync_day.verified_at
        else excluded.verified_at end,
      record_count = excluded.record_count, sum_fen = excluded.sum_fen, digest = excluded.digest
    where sync_day.digest <> excluded.digest
      or (sync_day.sealed_run is null and sync_day.verified_run <> excluded.verified_run)`.execute(trx);
}

async function saveReadWindow(trx: Transaction<Tables>, window: ReadWindow): Promise<void> {
  const proof = {
    to_day: window.span.to,
    state: window.unverified === '' ? ('verified' as const) : ('unverified' as const),
    passes: window.passes,
    pages: window.pages,
    total: window.total,
    distinct_count: window.distinct,
    inside_count: window.inside,
    sum_fen: window.sumFen,
    digest: window.digest,
    reason: window.unverified === '' ? null : window.unverified,
    verified_at: window.unverified === '' ? window.readAt : null,
  };
  await trx
    .insertInto('sync_window')
    .values({ run_id: window.runId, account_no: window.accountNo, from_day: window.span.from, ...proof })
    .onConflict((conflict) => conflict.columns(['run_id', 'account_no', 'from_day']).doUpdateSet(proof))
    .execute();
}
