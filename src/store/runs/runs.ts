/**
 * Runs: one execution for a day or a range, version by version. A run that died or stayed incomplete goes on
 * under its version; a finished one makes the next.
 */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { Day, Instant } from '../../core/time.ts';
import { headText } from './audit-trail.ts';
import type { DbOrTransaction, RunTable, Verdict } from '../schema/schema.ts';

/** Without its document, which grows with the accounts: who wants that asks for it. */
export type Run = Omit<Selectable<RunTable>, 'result'>;

export const RUN_COLUMNS = [
  'run_id',
  'job',
  'from_day',
  'to_day',
  'accounts',
  'version',
  'supersedes',
  'superseded_by',
  'step',
  'state',
  'verdict',
  'fence',
  'clock_at',
  'started_at',
  'finished_at',
  'settings_digest',
  'profile_digest',
  'assumptions',
  'outcome_digest',
  'facts',
  'begun',
  'trail_no',
  'trail_digest',
  'published_at',
] as const satisfies readonly (keyof Run)[];

/** Where the audit trail stood when its proof was stored, as `verify --trail` takes it; null: there was none yet. */
export function trailOfRun({ trail_no: no, trail_digest: digest }: Run): string | null {
  return no === null || digest === null ? null : headText({ no, digest });
}

/** What a run is about; versions of the same share it. */
export interface RunSubject {
  job: 'nightly' | 'backfill';
  fromDay: Day;
  toDay: Day;
  /** Empty for all accounts, else the sorted numbers, joined by a comma. */
  accounts: string;
}

export interface RunFacts {
  fence: bigint;
  clockAt: Instant;
  startedAt: Instant;
  settingsDigest: string;
  profileDigest: string;
  assumptions: string;
}

export function subjectOf(run: Run): RunSubject {
  return { job: run.job, fromDay: run.from_day, toDay: run.to_day, accounts: run.accounts };
}

/** The newest version, whatever its state. */
export async function findLatestRun(db: DbOrTransaction, subject: RunSubject): Promise<Run | undefined> {
  return db
    .selectFrom('run')
    .select(RUN_COLUMNS)
    .where('job', '=', subject.job)
    .where('from_day', '=', subject.fromDay)
    .where('to_day', '=', subject.toDay)
    .where('accounts', '=', subject.accounts)
    .orderBy('version', 'desc')
    .executeTakeFirst();
}

export async function findRun(db: DbOrTransaction, runId: string): Promise<Run | undefined> {
  return db.selectFrom('run').select(RUN_COLUMNS).where('run_id', '=', runId).executeTakeFirst();
}

/**
 * Opens the next version, or goes on with the one that is not finished. One whose proof is stored and that was
 * not published yet comes back as it is.
 */
export async function openRun(
  db: DbOrTransaction,
  subject: RunSubject,
  facts: RunFacts,
): Promise<{ run: Run; resumed: boolean }> {
  const latest = await findLatestRun(db, subject);
  if (latest !== undefined && (latest.state !== 'finished' || latest.step !== 'published')) {
    const { fence, settingsDigest, profileDigest, assumptions } = facts;
    const anew = {
      state: 'open' as const,
      settings_digest: settingsDigest,
      profile_digest: profileDigest,
      assumptions,
    };
    const run = await db
      .updateTable('run')
      .set({ fence, ...(latest.state !== 'finished' && anew) })
      .where('run_id', '=', latest.run_id)
      .returning(RUN_COLUMNS)
      .executeTakeFirstOrThrow();
    return { run, resumed: true };
  }
  const version = (latest?.version ?? 0) + 1;
  const run = await db
    .insertInto('run')
    .values({
      run_id: runIdOf(subject, version),
      job: subject.job,
      from_day: subject.fromDay,
      to_day: subject.toDay,
      accounts: subject.accounts,
      version,
      supersedes: latest?.run_id ?? null,
      superseded_by: null,
      state: 'open',
      verdict: null,
      fence: facts.fence,
      clock_at: facts.clockAt,
      started_at: facts.startedAt,
      finished_at: null,
      settings_digest: facts.settingsDigest,
      profile_digest: facts.profileDigest,
      assumptions: facts.assumptions,
      outcome_digest: null,
    })
    .returning(RUN_COLUMNS)
    .executeTakeFirstOrThrow();
  return { run, resumed: false };
}

/** Accounts that any version or try of it was about. */
export async function accountsOfSubject(db: DbOrTransaction, subject: RunSubject): Promise<Set<string>> {
  const rows = await db
    .selectFrom('run_account')
    .innerJoin('run', 'run.run_id', 'run_account.run_id')
    .select('run_account.account_no')
    .distinct()
    .where('run.job', '=', subject.job)
    .where('run.from_day', '=', subject.fromDay)
    .where('run.to_day', '=', subject.toDay)
    .where('run.accounts', '=', subject.accounts)
    .execute();
  return new Set(rows.map((row) => row.account_no));
}

/** Speaks for itself in logs and files, and is the same on every machine: `nightly-2026-03-01-v1`. */
function runIdOf({ job, fromDay, toDay, accounts }: RunSubject, version: number): string {
  const days = fromDay === toDay ? fromDay : `${fromDay}_${toDay}`;
  const some = accounts === '' ? '' : `-${createHash('sha256').update(accounts).digest('hex').slice(0, 8)}`;
  return `${job}-${days}${some}-v${version}`;
}

/** It died after its proof was stored: what is left is to publish it. */
export function isProven(run: Run): boolean {
  return run.state === 'finished';
}

export async function saveStep(db: DbOrTransaction, runId: string, step: string): Promise<void> {
  await db.updateTable('run').set({ step }).where('run_id', '=', runId).execute();
}

export interface RunEnd {
  state: 'finished' | 'incomplete';
  verdict: Verdict;
  finishedAt: Instant;
  outcomeDigest: string;
}

/** Closes the run's proof; a finished version takes the place of the one before. */
export async function saveVerdict(db: DbOrTransaction, run: Run, end: RunEnd): Promise<void> {
  await db
    .updateTable('run')
    .set({
      step: 'proven',
      state: end.state,
      verdict: end.verdict,
      finished_at: end.finishedAt,
      outcome_digest: end.outcomeDigest,
    })
    .where('run_id', '=', run.run_id)
    .execute();
  if (end.state !== 'finished' || run.supersedes === null) return;
  await db
    .updateTable('run')
    .set({ superseded_by: run.run_id })
    .where('run_id', '=', run.supersedes)
    .execute();
}

/** Adds to what the run recorded about itself; a fact of the same name is replaced. */
export async function saveRunFacts(db: DbOrTransaction, runId: string, factsText: string): Promise<void> {
  await sql`update run set facts = facts || ${factsText}::jsonb where run_id = ${runId}`.execute(db);
}

/** Finished runs that stand, nights and backfills, whose last day lies in the span, oldest first. */
export async function listStandingRuns(
  db: DbOrTransaction,
  span: { from: Day; before?: Day },
): Promise<Run[]> {
  return db
    .selectFrom('run')
    .select(RUN_COLUMNS)
    .where('state', '=', 'finished')
    .where('superseded_by', 'is', null)
    .where('to_day', '>=', span.from)
    .where('to_day', '<', span.before ?? '9999-12-31')
    .orderBy('to_day')
    .orderBy('from_day')
    .orderBy('run_id')
    .execute();
}

/** The newest proof of each subject whose last day lies in the span, `incomplete` ones included, oldest day first. */
export async function listProofs(db: DbOrTransaction, span: { from: Day; before?: Day }): Promise<Run[]> {
  return db
    .selectFrom('run')
    .select(RUN_COLUMNS)
    .where('verdict', 'is not', null)
    .where('to_day', '>=', span.from)
    .where('to_day', '<', span.before ?? '9999-12-31')
    .where(
      sql<boolean>`not exists (
        select from run newer
        where newer.job = run.job and newer.from_day = run.from_day and newer.to_day = run.to_day
          and newer.accounts = run.accounts and newer.version > run.version and newer.verdict is not null)`,
    )
    .orderBy('to_day')
    .orderBy('from_day')
    .orderBy('run_id')
    .execute();
}

/** One more time that the run was begun. */
export async function countBegun(db: DbOrTransaction, runId: string): Promise<void> {
  await db
    .updateTable('run')
    .set((eb) => ({ begun: eb('begun', '+', 1) }))
    .where('run_id', '=', runId)
    .execute();
}

/** A run that was published and is begun once more has not restated anything yet. */
export async function forgetRestated(db: DbOrTransaction, runId: string): Promise<void> {
  await sql`update run set facts = facts - 'restatedBy' where facts ->> 'restatedBy' = ${runId}`.execute(db);
}
