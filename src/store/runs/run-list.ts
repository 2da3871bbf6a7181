/** Runs as people ask for them: the latest of a span of days, and one with what it came to. */
import { sql } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import type { Day, Instant } from '../../core/time.ts';
import type { DbOrTransaction, FindingTable, SyncWindowTable, Verdict } from '../schema/schema.ts';

export interface ListedRun {
  runId: string;
  job: 'nightly' | 'backfill';
  from: Day;
  to: Day;
  /** Empty: all of the list. */
  accounts: string[];
  version: number;
  supersedes: string | null;
  supersededBy: string | null;
  state: 'open' | 'finished' | 'incomplete';
  /** The last step that was finished. */
  step: string;
  verdict: Verdict | null;
  startedAt: Instant;
  /** When its proof was stored. */
  finishedAt: Instant | null;
  /** When all of it was done; null: not yet, or before that was kept. */
  publishedAt: Instant | null;
  /** How often it was begun. */
  begun: number;
  settingsDigest: string;
  profileDigest: string;
}

export interface RunFilter {
  from: Day | undefined;
  to: Day | undefined;
  limit: number;
}

const COLUMNS = sql`run_id as "runId", job, from_day as "from", to_day as "to",
  case accounts when '' then '{}'::text[] else string_to_array(accounts, ',') end as accounts, version, supersedes,
  superseded_by as "supersededBy", state, step, verdict, started_at as "startedAt", finished_at as "finishedAt", published_at as "publishedAt", begun,
  settings_digest as "settingsDigest", profile_digest as "profileDigest"`;

/** Those that have any of the days, the latest day first, and of a day the latest version. */
export async function listRuns(db: DbOrTransaction, { from, to, limit }: RunFilter): Promise<ListedRun[]> {
  const { rows } = await sql<ListedRun>`
    select ${COLUMNS} from run
    where (${from ?? null}::text is null or to_day >= ${from ?? null})
      and (${to ?? null}::text is null or from_day <= ${to ?? null})
    order by to_day desc, job desc, version desc, run_id desc limit ${limit}`.execute(db);
  return rows;
}

export async function findListedRun(db: DbOrTransaction, runId: string): Promise<ListedRun | undefined> {
  const { rows } = await sql<ListedRun>`select ${COLUMNS} from run where run_id = ${runId}`.execute(db);
  return rows[0];
}

/** The latest ids that a mistyped one may have been meant to be. */
export async function latestRunIds(db: DbOrTransaction, limit: number): Promise<string[]> {
  const runs = await listRuns(db, { from: undefined, to: undefined, limit });
  return runs.map(({ runId }) => runId);
}

export interface RunAccountLine {
  accountNo: string;
  verdict: Verdict;
  reason: string;
  platformFen: Fen | null;
  ledgerFen: Fen | null;
  differenceFen: Fen | null;
  unexplainedFen: Fen | null;
}

export interface ListedFile {
  /** Below RECON_HOME. */
  path: string;
  sha256: string;
  /** When policy last removed it; it may have been written again since. */
  prunedAt: Instant | null;
}

export interface RunContents {
  accounts: RunAccountLine[];
  found: { severity: FindingTable['severity']; class: FindingTable['class']; count: number }[];
  windows: { state: SyncWindowTable['state']; count: number }[];
  files: ListedFile[];
}

export async function readRunContents(db: DbOrTransaction, runId: string): Promise<RunContents> {
  const accounts = await sql<RunAccountLine>`
    select account_no as "accountNo", verdict, reason, platform_fen as "platformFen", ledger_fen as "ledgerFen",
      difference_fen as "differenceFen", unexplained_fen as "unexplainedFen"
    from run_account where run_id = ${runId} order by account_no`.execute(db);
  const found = await sql<RunContents['found'][number]>`
    select severity, class, count(*)::integer as count from finding where run_id = ${runId}
    group by severity, class order by severity, class`.execute(db);
  const windows = await sql<RunContents['windows'][number]>`
    select state, count(*)::integer as count from sync_window where run_id = ${runId}
    group by state order by state`.execute(db);
  const files = await sql<ListedFile>`
    select path, sha256, (select max(p.pruned_at) from pruned p where p.key = path and p.sha256 = f.sha256) as "prunedAt"
    from run_file f where run_id = ${runId} order by path`.execute(db);
  return { accounts: accounts.rows, found: found.rows, windows: windows.rows, files: files.rows };
}
