/** The run a workbook is about: its head, its accounts and its proof of extraction, from tables alone. */
import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import { Stopped } from '../../src/core/errors.ts';
import type { Fen } from '../../src/core/fen.ts';
import { isJsonObject, member } from '../../src/core/json.ts';
import type { Assumption } from '../../src/core/profile/profile.ts';
import type { Day, Instant } from '../../src/core/time.ts';
import { findRun } from '../../src/store/runs/runs.ts';
import type { RunAccountTable } from '../../src/store/schema/schema-proof.ts';
import { trailOfRun } from '../../src/store/runs/runs.ts';
import type { Db, Verdict } from '../../src/store/schema/schema.ts';

export interface RunHead {
  runId: string;
  job: 'nightly' | 'backfill';
  fromDay: Day;
  toDay: Day;
  version: number;
  supersedes: string | null;
  verdict: Verdict;
  startedAt: Instant;
  /** When its proof was done; null where that was not kept. */
  finishedAt: Instant | null;
  settingsDigest: string;
  profileDigest: string;
  assumptions: readonly Assumption[];
  facts: unknown;
  /** The highest write number the run looked at, where it was kept: what was written later is not part of it. */
  writtenUpTo: bigint | null;
  /** Where the audit trail stood when its proof was stored: what people had said until then; null: there was none. */
  trailNo: bigint | null;
  /** The same as `verify --trail` takes it. */
  trail: string | null;
}

export interface AccountRow {
  /** Counts the accounts of the run from 1, in the order of their numbers; formulas tell accounts by it. */
  index: number;
  accountNo: string;
  name: string;
  verdict: Verdict;
  reason: string;
  source: 'observed' | 'derived' | null;
  platformFen: Fen | null;
  /** What the platform states as frozen; null where it states nothing. */
  frozenFen: Fen | null;
  /** What orders on their way take from the account. */
  inFlightFen: Fen;
  inflightModel: '' | 'frozen' | 'debited';
  openingFen: Fen | null;
  openingAt: Instant | null;
  inFen: Fen;
  outFen: Fen;
  feeFen: Fen;
  unexplainedFen: Fen | null;
  ledgerFen: Fen | null;
  ledgerOpeningFen: Fen | null;
  ledgerInFen: Fen;
  ledgerOutFen: Fen;
  ledgerFeeFen: Fen;
  lineDifferenceFen: Fen;
  openingDifferenceFen: Fen | null;
  differenceFen: Fen | null;
  assumptions: readonly string[];
  /** Assignments of ambiguous orders that explain the balance equally well. */
  candidates: readonly { assume: string; differenceFen: Fen }[];
}

const WORST_LAST: readonly Verdict[] = [
  'reconciled',
  'reconciled_with_timing',
  'breaks',
  'unverified',
  'incomplete',
];

/** The verdicts from best to worst. */
export function verdictsByWeight(): readonly Verdict[] {
  return WORST_LAST;
}

/**
 * @throws Stopped when there is no such run
 */
export async function readRun(db: Db, runId: string, accounts: readonly AccountRow[]): Promise<RunHead> {
  const row = await findRun(db, runId);
  if (!row) throw new Stopped(`there is no run ${runId}`, { runId });
  return {
    runId,
    job: row.job,
    fromDay: row.from_day,
    toDay: row.to_day,
    version: row.version,
    supersedes: row.supersedes,
    verdict: row.verdict ?? worstVerdict(accounts),
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    settingsDigest: row.settings_digest,
    profileDigest: row.profile_digest,
    assumptions: assumptionsOf(row.assumptions),
    facts: row.facts,
    writtenUpTo: writtenUpToOf(row.facts),
    trailNo: row.trail_no,
    trail: trailOfRun(row),
  };
}

function writtenUpToOf(facts: unknown): bigint | null {
  const number = isJsonObject(facts) ? member(facts, 'writtenUpTo') : undefined;
  return typeof number === 'number' && Number.isSafeInteger(number) ? BigInt(number) : null;
}

/** The worst account decides the run (docs/architecture.md 3.1); a run without accounts has proven nothing. */
function worstVerdict(accounts: readonly AccountRow[]): Verdict {
  if (accounts.length === 0) return 'incomplete';
  const worst = Math.max(0, ...accounts.map(({ verdict }) => WORST_LAST.indexOf(verdict)));
  return WORST_LAST[worst] ?? 'incomplete';
}

function assumptionsOf(stored: unknown): Assumption[] {
  if (!Array.isArray(stored)) return [];
  return stored.filter(isJsonObject).map((one) => {
    const text = (name: string): string => {
      const value = member(one, name);
      return typeof value === 'string' ? value : '';
    };
    const changed = member(one, 'changed') === true;
    return {
      key: text('key'),
      u: text('u'),
      value: text('value'),
      default: text('default'),
      changed,
      description: text('description'),
    };
  });
}

export async function readAccounts(db: Db, runId: string): Promise<AccountRow[]> {
  const { rows } = await sql<Selectable<RunAccountTable> & { name: string }>`
    select r.*, coalesce(a.name, '') as name from run_account r
    left join account a on a.account_no = r.account_no
    where r.run_id = ${runId} order by r.account_no`.execute(db);
  return rows.map((row, at) => ({
    index: at + 1,
    accountNo: row.account_no,
    name: row.name,
    verdict: row.verdict,
    reason: row.reason,
    source: row.source,
    platformFen: row.platform_fen,
    frozenFen: row.frozen_fen,
    inFlightFen: row.in_flight_fen,
    inflightModel: row.inflight_model,
    openingFen: row.opening_fen,
    openingAt: row.opening_at,
    inFen: row.in_fen,
    outFen: row.out_fen,
    feeFen: row.fee_fen,
    unexplainedFen: row.unexplained_fen,
    ledgerFen: row.ledger_fen,
    ledgerOpeningFen: row.ledger_opening_fen,
    ledgerInFen: row.ledger_in_fen,
    ledgerOutFen: row.ledger_out_fen,
    ledgerFeeFen: row.ledger_fee_fen,
    lineDifferenceFen: row.line_difference_fen,
    openingDifferenceFen: row.opening_difference_fen,
    differenceFen: row.difference_fen,
    assumptions: Array.isArray(row.assumptions) ? row.assumptions.map(String) : [],
    candidates: candidatesOf(row.candidates),
  }));
}

function candidatesOf(stored: unknown): AccountRow['candidates'] {
  if (!Array.isArray(stored)) return [];
  return stored.filter(isJsonObject).flatMap((one) => {
    const [assume, fen] = [member(one, 'assume'), member(one, 'differenceFen')];
    return typeof assume === 'string' && typeof fen === 'number' && Number.isSafeInteger(fen)
      ? [{ assume, differenceFen: BigInt(fen) }]
      : [];
  });
}

/** All registry accounts of the company, also those that are not part of the run. */
export async function readCompanyAccounts(
  db: Db,
  ofRun: readonly Pick<AccountRow, 'accountNo' | 'name'>[],
): Promise<Map<string, string>> {
  const rows = await db.selectFrom('account').select(['account_no', 'name']).execute();
  return new Map([
    ...ofRun.map(({ accountNo, name }) => [accountNo, name] as const),
    ...rows.map((row) => [row.account_no, row.name] as const),
  ]);
}

export interface Extraction {
  windows: number;
  verified: number;
  pages: number;
  rereads: number;
  /** Days of accounts in the period that no verified pass of this or an earlier run covers. */
  gapDays: number;
  /** Days of accounts that two windows of the run cover. */
  overlapDays: number;
  /** Records read beyond their window, because the listing's end date may be part of it, and left out. */
  leftOut: number;
}

/** How the run's readings tile its period, account by account; no day before an account's opening is needed. */
export async function readExtraction(db: Db, head: RunHead, timeZone: string): Promise<Extraction> {
  const { rows } = await sql<Extraction>`
    with own as (
      select state, pages, passes, distinct_count, inside_count, from_day::date as from_date,
        lag(to_day::date) over (partition by account_no order by from_day) as before
      from sync_window where run_id = ${head.runId}
    ), needed as (
      select r.account_no, greatest(${head.fromDay}::date,
        coalesce((a.opening_at at time zone ${timeZone})::date, ${head.fromDay}::date)) as from_date
      from run_account r left join account a on a.account_no = r.account_no where r.run_id = ${head.runId}
    ), gap as (
      select greatest(0, ${head.toDay}::date + 1 - n.from_date) - count(d.day) as days
      from needed n left join sync_day d on d.account_no = n.account_no
        and d.day >= to_char(n.from_date, 'YYYY-MM-DD') and d.day <= ${head.toDay}
      group by n.account_no, n.from_date
    )
    select count(*)::integer as windows,
      (count(*) filter (where state = 'verified'))::integer as verified,
      coalesce(sum(pages), 0)::integer as pages,
      coalesce(sum(greatest(0, passes - 1)), 0)::integer as rereads,
      (select coalesce(sum(days), 0) from gap)::integer as "gapDays",
      coalesce(sum(greatest(0, before - from_date)), 0)::integer as "overlapDays",
      coalesce(sum(distinct_count - inside_count) filter (where state in ('verified', 'unverified')), 0)::integer as "leftOut"
    from own`.execute(db);
  const row = rows[0];
  if (!row) throw new Error('Bug: a sum without a row');
  return row;
}
