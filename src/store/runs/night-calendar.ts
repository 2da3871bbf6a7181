/**
 * Nights as a calendar shows them: how each ended, what its accounts came to in all, and the run that is under way.
 * Asked for by whoever looks, while a night may be at work: each statement reads `run` or the rows of runs it names.
 */
import { sql } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import type { Day, Instant } from '../../core/time.ts';
import { findLivingFence } from '../database/leases.ts';
import type { DbOrTransaction, RunTable, SyncWindowTable, Verdict } from '../schema/schema.ts';
import type { UnitCount } from '../units/unit-counts.ts';

export interface CalendarNight {
  runId: string;
  day: Day;
  version: number;
  verdict: Verdict;
  startedAt: Instant;
  /** When it was proven, and when all of it was done; a night that is proven anew has others. */
  finishedAt: Instant;
  publishedAt: Instant | null;
}

/** The standing nights of all accounts in those days that came to a verdict, the latest first. */
export async function listCalendar(
  db: DbOrTransaction,
  span: { from: Day; through: Day },
): Promise<CalendarNight[]> {
  const { rows } = await sql<CalendarNight>`
    select run_id as "runId", to_day as day, version, verdict, started_at as "startedAt",
      finished_at as "finishedAt", published_at as "publishedAt"
    from run
    where superseded_by is null and job = 'nightly' and accounts = '' and verdict is not null
      and finished_at is not null and to_day between ${span.from} and ${span.through}
    order by to_day desc, job desc, version desc, run_id desc`.execute(db);
  return rows.filter(({ day }, at) => rows[at - 1]?.day !== day);
}

/** The first day whose night of all accounts came to a verdict. */
export async function findFirstDay(db: DbOrTransaction): Promise<Day | undefined> {
  const { rows } = await sql<{ day: Day | null }>`
    select min(to_day) as day from run
    where superseded_by is null and job = 'nightly' and accounts = '' and verdict is not null`.execute(db);
  return rows[0]?.day ?? undefined;
}

/** What the accounts of a night came to in all. */
export interface NightFigures {
  verdicts: Readonly<Record<Verdict, number>>;
  accounts: number;
  /** Null where a balance of an account is not known: a sum without it would show a fall that nobody had. */
  platformFen: Fen | null;
  ledgerFen: Fen | null;
  /** Regardless of the sign, so that two accounts do not hide each other. */
  unexplainedFen: Fen | null;
}

/** @param group of whose accounts, as the list has it now; undefined: of all */
export async function readFigures(
  db: DbOrTransaction,
  runIds: readonly string[],
  group?: string,
): Promise<ReadonlyMap<string, NightFigures>> {
  const isOfGroup =
    group === undefined
      ? sql`true`
      : sql`account_no in (select account_no from account where account_group = ${group})`;
  const { rows } = await sql<Omit<NightFigures, 'verdicts'> & { runId: string } & Record<Verdict, number>>`
    select run_id as "runId", count(*)::integer as accounts,
      count(*) filter (where verdict = 'reconciled')::integer as reconciled,
      count(*) filter (where verdict = 'reconciled_with_timing')::integer as reconciled_with_timing,
      count(*) filter (where verdict = 'breaks')::integer as breaks,
      count(*) filter (where verdict = 'unverified')::integer as unverified,
      count(*) filter (where verdict = 'incomplete')::integer as incomplete,
      case when count(platform_fen) = count(*) then sum(platform_fen)::bigint end as "platformFen",
      case when count(ledger_fen) = count(*) then sum(ledger_fen)::bigint end as "ledgerFen",
      case when count(unexplained_fen) = count(*) then sum(abs(unexplained_fen))::bigint end as "unexplainedFen"
    from run_account where run_id = any(${runIds}::text[]) and ${isOfGroup} group by run_id`.execute(db);
  return new Map(
    rows.map(({ runId, accounts, platformFen, ledgerFen, unexplainedFen, ...verdicts }) => [
      runId,
      { accounts, platformFen, ledgerFen, unexplainedFen, verdicts },
    ]),
  );
}

export interface AccountGroups {
  /** In order; the accounts without one make none. */
  names: readonly string[];
  /** Another one as soon as a list was imported: it may have moved accounts. */
  asOf: Instant | null;
}

export async function readGroups(db: DbOrTransaction, limit: number): Promise<AccountGroups> {
  const groups = await sql<{ name: string }>`
    select account_group as name from account where account_group <> ''
    group by account_group order by account_group limit ${limit}`.execute(db);
  const { rows } = await sql<{ asOf: Instant | null }>`
    select max(imported_at) as "asOf" from intake_file where kind = 'accounts'`.execute(db);
  return { names: groups.rows.map(({ name }) => name), asOf: rows[0]?.asOf ?? null };
}

export interface UnfinishedRun {
  runId: string;
  job: RunTable['job'];
  from: Day;
  to: Day;
  /** How many accounts it was asked for; 0: all. */
  someAccounts: number;
  /** The last step that was finished. */
  step: string;
  startedAt: Instant;
  begun: number;
  /** Whether a living process is at it. */
  isUnderWay: boolean;
  windows: { state: SyncWindowTable['state']; count: number }[];
  units: Pick<UnitCount, 'state' | 'count'>[];
}

/**
 * The run that a living process is at; else the latest night from that day on that was begun and came to no end.
 * @param of.lease the name of the lease under which runs are played
 */
export async function findUnfinishedRun(
  db: DbOrTransaction,
  { since, lease }: { since: Day; lease: string },
): Promise<UnfinishedRun | undefined> {
  const fence = (await findLivingFence(db, lease)) ?? null;
  const { rows } = await sql<Omit<UnfinishedRun, 'windows' | 'units'>>`
    select run_id as "runId", job, from_day as "from", to_day as "to", step, started_at as "startedAt", begun,
      case accounts when '' then 0 else cardinality(string_to_array(accounts, ',')) end as "someAccounts",
      coalesce(fence = ${fence}::bigint, false) as "isUnderWay"
    from run
    where superseded_by is null and (state = 'open' or step <> 'published')
      and (fence = ${fence}::bigint or job = 'nightly' and to_day >= ${since})
    order by "isUnderWay" desc, to_day desc, job desc, version desc, run_id desc limit 1`.execute(db);
  const [run] = rows;
  return run === undefined ? undefined : { ...run, ...(await readProgress(db, run.runId)) };
}

async function readProgress(
  db: DbOrTransaction,
  runId: string,
): Promise<Pick<UnfinishedRun, 'windows' | 'units'>> {
  const windows = await sql<UnfinishedRun['windows'][number]>`
    select state, count(*)::integer as count from sync_window where run_id = ${runId}
    group by state order by state`.execute(db);
  const units = await sql<UnfinishedRun['units'][number]>`
    select u.state, count(*)::integer as count from work_unit u join run r on r.run_id = u.run_id
    where u.run_id = ${runId} and u.begun = r.begun group by u.state order by u.state`.execute(db);
  return { windows: windows.rows, units: units.rows };
}

export interface NightFile {
  runId: string;
  job: RunTable['job'];
  from: Day;
  to: Day;
  version: number;
  isSuperseded: boolean;
  verdict: Verdict;
  path: string;
  bytes: bigint;
}

/** What was published of the latest runs; of one day, of all versions that have it. */
export async function listNightFiles(
  db: DbOrTransaction,
  { day, runs }: { day: Day | undefined; runs: number },
): Promise<NightFile[]> {
  const standing = day === undefined ? sql`superseded_by is null` : sql`${day} between from_day and to_day`;
  const { rows } = await sql<NightFile>`
    select r.run_id as "runId", r.job, r.from_day as "from", r.to_day as "to", r.version,
      r.superseded_by is not null as "isSuperseded", r.verdict, f.path, f.bytes
    from (select run_id, job, from_day, to_day, version, superseded_by, verdict from run
      where ${standing} and verdict is not null
      order by to_day desc, job desc, version desc, run_id desc limit ${runs}) r
    join run_file f on f.run_id = r.run_id
    order by r.to_day desc, r.job desc, r.version desc, r.run_id desc, f.path`.execute(db);
  return rows;
}

/** The paths and sizes of all that was published of a run. */
export async function listFilesOfRun(
  db: DbOrTransaction,
  runId: string,
): Promise<{ path: string; sha256: string; bytes: bigint }[]> {
  return db
    .selectFrom('run_file')
    .select(['path', 'sha256', 'bytes'])
    .where('run_id', '=', runId)
    .orderBy('path')
    .execute();
}
