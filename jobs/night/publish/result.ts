/** The result document of a run (docs/architecture.md 5.5), made from tables alone. Amounts are integers in fen. */
import path from 'node:path';
import type { Locale } from '../../../reports/words/terms.ts';
import type { Fen } from '../../../src/core/fen.ts';
import { isJsonObject, member } from '../../../src/core/json.ts';
import { addDays } from '../../../src/core/time.ts';
import { causeOf, reasonText } from '../../../src/reconcile/balance/reasons.ts';
import { findResult } from '../../../src/store/runs/published-runs.ts';
import { trailOfRun } from '../../../src/store/runs/runs.ts';
import type { Run } from '../../../src/store/runs/runs.ts';
import type { Db, Verdict } from '../../../src/store/schema/schema.ts';
import { listsOfRun } from './result-lists.ts';
import type { BreakResult, ClosedResult, ResultLists, TimingResult } from './result-lists.ts';
import { listSettlements } from './result-settlements.ts';
import type { SettlementResult } from './result-settlements.ts';
import { voucherResult } from '../vouchers/voucher-step.ts';
import type { VoucherResult } from '../vouchers/voucher-step.ts';

/** What a result says beside its lists: it does not grow with what was found. */
export interface ResultHead {
  schema: 1;
  run: {
    id: string;
    job: string;
    from: string;
    to: string;
    version: number;
    supersedes: string | null;
    verdict: Verdict;
    startedAt: string;
    finishedAt: string;
  };
  accounts: AccountResult[];
  restated: { day: string; version: number }[];
  collected: {
    deposits: number;
    windows: number;
    batches: number;
    transferOrders: number;
    withdrawals: number;
  };
  settlements: SettlementResult[];
  vouchers: VoucherResult;
  files: ResultFile[];
  /** `NUMBER:DIGEST`: where the audit trail stood when the proof was stored; null before there was one. */
  auditTrail: string | null;
}

export type RunResult = ResultHead & ResultLists;

export interface WholeResult extends ResultHead {
  breaks: BreakResult[];
  timing: TimingResult[];
  closed: ClosedResult[];
}

/** `path`: where it lies now; `relativePath`: below RECON_HOME, wherever that is moved. */
export interface ResultFile {
  path: string;
  relativePath: string;
  sha256: string;
}

export interface AccountResult {
  accountNo: string;
  verdict: Verdict;
  reason: string;
  /** Why something could not be read; empty where everything was. */
  cause: string;
  source: 'observed' | 'derived' | null;
  statedFen: Fen | null;
  platformFen: Fen | null;
  frozenFen: Fen | null;
  inFlightFen: Fen;
  openingFen: Fen | null;
  movementsFen: Fen;
  unexplainedFen: Fen | null;
  ledgerFen: Fen | null;
  lineDifferenceFen: Fen;
  openingDifferenceFen: Fen | null;
  differenceFen: Fen | null;
  assumptions: string[];
  /** Assignments of ambiguous orders that explain the balance equally well. */
  candidates: { assume: string; differenceFen: Fen }[];
}

/** The tables, and RECON_HOME as it is now. */
export interface ResultHome {
  db: Db;
  home: string;
}

/**
 * @param restated days whose verdict this run changed, with their new versions
 */
export async function headOf(
  of: ResultHome,
  run: Run,
  restated: readonly { day: string; version: number }[],
): Promise<ResultHead> {
  const { db } = of;
  return {
    schema: 1,
    run: {
      id: run.run_id,
      job: run.job,
      from: run.from_day,
      to: run.to_day,
      version: run.version,
      supersedes: run.supersedes,
      verdict: run.verdict ?? 'incomplete',
      startedAt: run.started_at,
      finishedAt: run.finished_at ?? run.started_at,
    },
    accounts: await listAccountResults(db, run.run_id),
    restated: [...restated],
    collected: await countCollected(db, run),
    settlements: await listSettlements(db, run),
    vouchers: await voucherResult(of, run.run_id),
    files: await listFiles(of, run.run_id),
    auditTrail: trailOfRun(run),
  };
}

/** The document: its lists are read when somebody walks them. */
export function withLists(db: Db, head: ResultHead, locale: Locale): RunResult {
  const { schema, run, accounts, restated, collected, settlements, vouchers, files, auditTrail } = head;
  const lists = listsOfRun(db, run.id, locale);
  const rest = { restated, collected, settlements, vouchers, files, auditTrail };
  return { schema, run, accounts, ...lists, ...rest };
}

/** All of it at once, where its lists are known to be short. */
export async function wholeResult(result: RunResult): Promise<WholeResult> {
  const [breaks, timing] = [await result.breaks.whole(), await result.timing.whole()];
  return { ...result, breaks, timing, closed: await result.closed.whole() };
}

/** The result of a run that was published, as it was saved. */
export async function storedResult(of: ResultHome, runId: string, locale: Locale): Promise<RunResult> {
  const { db } = of;
  const stored = await findResult(db, runId);
  if (stored === undefined || stored === null) throw new Error(`Bug: run ${runId} has no result`);
  const head = withAmounts(stored) as ResultHead;
  // One that is older than the audit trail says nothing of it.
  const [files, vouchers] = [await listFiles(of, runId), await voucherResult(of, runId)];
  return withLists(db, { ...head, files, vouchers, auditTrail: head.auditTrail ?? null }, locale);
}

/** JSON from the database, whose members called `…Fen` are integers, with amounts. */
function withAmounts(stored: unknown): unknown {
  const isAmount = (key: string, value: unknown): value is number =>
    key.endsWith('Fen') && typeof value === 'number';
  return JSON.parse(JSON.stringify(stored), (key: string, value: unknown) =>
    isAmount(key, value) ? BigInt(value) : value,
  );
}

async function listAccountResults(db: Db, runId: string): Promise<AccountResult[]> {
  const rows = await db
    .selectFrom('run_account')
    .selectAll()
    .where('run_id', '=', runId)
    .orderBy('account_no')
    .execute();
  return rows.map((row) => ({
    accountNo: row.account_no,
    verdict: row.verdict,
    reason: row.reason === '' ? '' : reasonText(row.reason),
    cause: causeOf(row.reason),
    source: row.source,
    statedFen: row.stated_fen,
    platformFen: row.platform_fen,
    frozenFen: row.frozen_fen,
    inFlightFen: row.in_flight_fen,
    openingFen: row.opening_fen,
    movementsFen: row.movements_fen,
    unexplainedFen: row.unexplained_fen,
    ledgerFen: row.ledger_fen,
    lineDifferenceFen: row.line_difference_fen,
    openingDifferenceFen: row.opening_difference_fen,
    differenceFen: row.difference_fen,
    assumptions: (row.assumptions as string[]).map((stored) => reasonText(stored)),
    candidates: withAmounts(row.candidates) as AccountResult['candidates'],
  }));
}

async function countCollected(db: Db, run: Run): Promise<ResultHead['collected']> {
  const days = await db
    .selectFrom('sync_day')
    .innerJoin('run_account', 'run_account.account_no', 'sync_day.account_no')
    .select((eb) => eb.fn.sum<string>('record_count').as('n'))
    .where('run_account.run_id', '=', run.run_id)
    .where('day', '>=', run.from_day)
    .where('day', '<', addDays(run.to_day, 1))
    .executeTakeFirst();
  const windows = await db
    .selectFrom('sync_window')
    .select((eb) => eb.fn.countAll<bigint>().as('n'))
    .where('run_id', '=', run.run_id)
    .where('state', '=', 'verified')
    .executeTakeFirstOrThrow();
  return {
    deposits: Number(days?.n ?? 0),
    windows: Number(windows.n),
    ...countOrders(run),
  };
}

type OrderCounts = Pick<ResultHead['collected'], 'batches' | 'transferOrders' | 'withdrawals'>;

/** As the run recorded it, and a restated version from the one before: the list says only who asked last. */
function countOrders({ facts }: Run): OrderCounts {
  const asked = isJsonObject(facts) ? member(facts, 'asked') : undefined;
  const kept = (name: keyof OrderCounts): number => {
    const count = isJsonObject(asked) ? member(asked, name) : undefined;
    return typeof count === 'number' ? count : 0;
  };
  return {
    batches: kept('batches'),
    transferOrders: kept('transferOrders'),
    withdrawals: kept('withdrawals'),
  };
}

/** They tell of the other files and cannot tell of themselves. */
export const RESULT = 'result.json';
export const MANIFEST = 'manifest.json';

export function isDocument(file: string): boolean {
  return [RESULT, MANIFEST].includes(path.basename(file));
}

async function listFiles({ db, home }: ResultHome, runId: string): Promise<ResultFile[]> {
  const all = await db
    .selectFrom('run_file')
    .select(['path', 'sha256'])
    .where('run_id', '=', runId)
    .orderBy('path')
    .execute();
  return all
    .filter((file) => !isDocument(file.path))
    .map(({ path: relativePath, sha256 }) => ({ path: path.join(home, relativePath), relativePath, sha256 }));
}
