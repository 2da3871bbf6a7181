/**
 * A night or a backfill from beginning to end (docs/architecture.md 3): the lease, the run, its steps, its end. Each
 * step reads tables and writes tables; a run that died goes on where it stopped, a finished one makes a new
 * version only when something changed.
 */
import { jsonText } from '../src/core/json.ts';
import { addDays } from '../src/core/time.ts';
import type { Day } from '../src/core/time.ts';
import { match } from '../src/reconcile/match.ts';
import { post } from '../src/reconcile/post.ts';
import { postingRulesOf } from '../src/reconcile/posting-rules.ts';
import { listAccounts } from '../src/store/accounts.ts';
import { chooseActive } from '../src/store/active-accounts.ts';
import { openingsInForce } from '../src/store/openings.ts';
import type { AccountRow } from '../src/store/accounts.ts';
import { versionOf } from '../src/store/database.ts';
import { requireLease } from '../src/store/leases.ts';
import type { Lease } from '../src/store/leases.ts';
import {
  countBegun,
  discardRun,
  findRun,
  forgetRestated,
  openRun,
  saveRunFacts,
  saveStep,
} from '../src/store/runs.ts';
import type { Run, RunSubject } from '../src/store/runs.ts';
import { hasSettled } from '../src/store/settle-list.ts';
import { progressOf } from '../src/store/writing.ts';
import { WrongInput } from '../src/core/errors.ts';
import { besideTheProof } from './beside-the-proof.ts';
import type { BesideTheProof } from './beside-the-proof.ts';
import { bracketAccounts, unknownAccounts, unreadBalances } from './bracket.ts';
import { collectOrders } from './collect-orders.ts';
import { collectDeposits } from './collect.ts';
import type { Context } from './context.ts';
import { numberToAsk } from './listing-number.ts';
import { planAccount, planDays } from './plan-days.ts';
import { RUN_LEASE, proveRun } from './prove-run.ts';
import { publishRun } from './publish.ts';
import { recheckUnexplained } from './recheck.ts';
import { findLateRecords, restateNights, settleLateRecords } from './restate.ts';
import type { LateRecords } from './restate.ts';
import { rulesInForce } from './rules-in-force.ts';
import { storedResult } from './result.ts';
import type { RunResult } from './result.ts';
import { failedSettling, settleNight } from './settle-run.ts';
import { leaveResult, readOrStop } from './stopped-night.ts';
import { underLease } from './under-lease.ts';
import type { VoucherRun } from './voucher-run.ts';
import { voucherStep } from './voucher-step.ts';

export interface RangeRequest {
  job: 'nightly' | 'backfill';
  fromDay: Day;
  toDay: Day;
  /** Empty: all. */
  accounts: readonly string[];
  /** A night retries failed settlements only when it is that of yesterday. */
  mayRetry?: boolean;
  /** Vouchers are fetched and bundled, unless the caller leaves them out. */
  mayFetchVouchers?: boolean;
}

export interface RangeOutcome {
  result: RunResult;
  /** False when nothing had changed and the stored result stands. */
  isNew: boolean;
}

/**
 * @throws LockHeld when another run is under way; WrongInput when there is no account; Stopped when it cannot go on
 */
export async function runRange(context: Context, request: RangeRequest): Promise<RangeOutcome> {
  const accounts = await chooseAccounts(context, request);
  return underLease(context, RUN_LEASE, (held, lease) => runUnderLease(held, { request, accounts, lease }));
}

interface Working {
  request: RangeRequest;
  accounts: readonly AccountRow[];
  lease: Lease;
}

async function runUnderLease(context: Context, working: Working): Promise<RangeOutcome> {
  const { run, resumed } = await begin(context, working);
  const log = context.log.with({ runId: run.run_id });
  const at: Context = { ...context, log };
  log.info({ event: resumed ? 'run.resumed' : 'run.opened', from: run.from_day, to: run.to_day });
  try {
    return await runOpened(at, run, working);
  } catch (error) {
    await leaveResult(at, { ...working, runId: run.run_id }, error);
    throw error;
  }
}

async function runOpened(at: Context, run: Run, working: Working): Promise<RangeOutcome> {
  const { log, db } = at;
  const { accounts } = working;
  const beside = besideTheProof(at, () => requireLease(db, working.lease));
  const late = await reachLateRecords(at, run, { ...working, beside });
  const restated = await restateNights(at, { run, lease: working.lease, late, side: 'before' });
  await requireLease(db, working.lease);
  const isSaved =
    isProven(run) || (await proveRun(at, run, { accounts, knownDigest: await knownDigest(at, run) })).saved;
  restated.push(...(await restateNights(at, { run, lease: working.lease, late, side: 'after' })));
  if (working.request.mayFetchVouchers === true && !late.isStopped) {
    await beside.run('vouchers', () => voucherStep(at, voucherRunOf(at, run, working)));
  }
  const isIdle = restated.length === 0 && !(await hasSettled(db, run.run_id));
  if (!isSaved && run.supersedes !== null && isIdle) {
    await discardRun(db, run);
    await settleLateRecords(at, late);
    log.info({ event: 'run.unchanged', standing: run.supersedes });
    beside.throwFailure();
    return { result: await standingResult(at, run.supersedes), isNew: false };
  }
  if (!isSaved) await proveRun(at, run, { accounts, knownDigest: undefined });
  await saveRunFacts(db, run.run_id, jsonText({ restated }));
  const { result } = await publishRun(at, run.run_id, restated);
  await saveStep(db, run.run_id, 'published');
  await settleLateRecords(at, late);
  log.info({ event: 'run.closed', verdict: result.run.verdict, breaks: result.breaks.length });
  beside.throwFailure();
  return { result, isNew: true };
}

/** A night asks for all that is due, a backfill for what moved money in its days. */
function voucherRunOf({ zone, clock }: Context, run: Run, { lease, request }: Working): VoucherRun {
  const of = { runId: run.run_id, today: zone.dayOf(clock.wall()), lease };
  if (request.job === 'nightly') return of;
  const { fromDay, toDay } = request;
  const window = { from: zone.dayStart(fromDay), to: zone.dayStart(addDays(toDay, 1)) };
  return { ...of, window: { ...window, fromMonth: fromDay.slice(0, 7), toMonth: toDay.slice(0, 7) } };
}

/** It died after its proof was stored: what is left is to publish it. */
function isProven(run: Run): boolean {
  return run.state === 'finished';
}

interface Reached extends LateRecords {
  /** The platform could not be read to the end: nothing more is asked of it in this run. */
  isStopped: boolean;
}

/** Steps 1 to 5, as far as the run has not done them before it died. */
async function reachLateRecords(
  context: Context,
  run: Run,
  working: Working & { beside: BesideTheProof },
): Promise<Reached> {
  if (isProven(run)) return { ...(await findLateRecords(context)), isStopped: false };
  const facts = await readOrStop(context, { run, lease: working.lease }, () =>
    collectFacts(context, run, working),
  );
  const isStopped = facts === undefined;
  const mayRetry = working.request.mayRetry === true && !isStopped;
  const settled = await working.beside.run('settle', () => settleNight(context, run, { mayRetry }));
  const settle = settled ?? (await failedSettling(context, run));
  await saveRunFacts(context.db, run.run_id, jsonText({ settle }));
  await reconcileFacts(context, run, { accounts: working.accounts, mayAsk: !isStopped });
  await saveRunFacts(context.db, run.run_id, jsonText(await circumstances(context)));
  return { ...(await findLateRecords(context)), isStopped };
}

async function begin(context: Context, { request, lease }: Working): Promise<{ run: Run; resumed: boolean }> {
  const subject: RunSubject = {
    job: request.job,
    fromDay: request.fromDay,
    toDay: request.toDay,
    accounts: request.accounts.toSorted().join(','),
  };
  return context.db.transaction().execute(async (trx) => {
    await requireLease(trx, lease);
    const opened = await openRun(trx, subject, {
      fence: lease.fence,
      clockAt: context.clock.wall(),
      startedAt: context.clock.wall(),
      ...rulesInForce(context),
    });
    await countBegun(trx, opened.run.run_id);
    const isAnew = opened.run.state === 'open' && opened.run.step === 'published';
    if (isAnew) await forgetRestated(trx, opened.run.run_id);
    return opened;
  });
}

/** Steps 1 and 2: what the platform says. Both are repeated whole or in part until everything is read. */
async function collectFacts(context: Context, run: Run, { accounts, request }: Working) {
  const { db, zone, clock, profile } = context;
  const startedMs = context.realClock.monoMs();
  const today = zone.dayOf(clock.wall());
  const listed = accounts.map(listedAccount);
  const span = { job: run.job, fromDay: run.from_day, toDay: run.to_day };
  const openingOf = await openingsInForce(db);
  const planned = await Promise.all(
    accounts.map((account) =>
      planAccount(db, zone, span, {
        accountNo: account.account_no,
        openingAt: openingOf(account)?.at,
      }),
    ),
  );
  const { lookbackDays, endInclusive } = profile.deposits;
  const spans = await planDays(db, { ...span, today, lookbackDays, endInclusive }, planned);
  const collected = await collectDeposits(
    context,
    { runId: run.run_id, toDay: run.to_day, today },
    listed,
    spans,
  );
  const asking = { runId: run.run_id, toDay: run.to_day, today, accounts: request.accounts };
  const { batches, transferOrders, withdrawals, ...orders } = await collectOrders(context, asking);
  await saveStep(db, run.run_id, 'collected');
  const collectedMs = context.realClock.monoMs();
  const fromDay = today > run.to_day ? today : addDays(run.to_day, 1);
  const purpose = 'bracket' as const;
  const bracketing = { runId: run.run_id, purpose, toDay: run.to_day, fromDay };
  const bracketed = await bracketAccounts(context, bracketing, listed);
  await saveStep(db, run.run_id, 'bracketed');
  return {
    ...collected,
    unreadBalances: unreadBalances(bracketed),
    unknownAccounts: unknownAccounts(bracketed),
    asked: { batches, transferOrders, withdrawals },
    orders,
    calls: (await context.platform()).counters(),
    collectMs: Math.round(collectedMs - startedMs),
    bracketMs: Math.round(context.realClock.monoMs() - collectedMs),
  };
}

/** Steps 4 and 5: facts become movements, movements and entries find each other; once more after late refunds. */
async function reconcileFacts(
  context: Context,
  run: Run,
  { accounts, mayAsk }: { accounts: readonly AccountRow[]; mayAsk: boolean },
): Promise<void> {
  const { db, profile, zone } = context;
  const rules = postingRulesOf(profile);
  await post(db, rules);
  await saveStep(db, run.run_id, 'posted');
  await match(db, zone.name);
  if (mayAsk && (await recheckUnexplained(context, run, accounts)) > 0) {
    await post(db, rules);
    await match(db, zone.name);
  }
  await saveStep(db, run.run_id, 'matched');
}

/** Up to where the books were known, and with what they were read: a report written again looks no further. */
async function circumstances({ db, database }: Context) {
  const writtenUpTo = await progressOf(db, 'match');
  return { writtenUpTo, versions: { node: process.versions.node, database: await versionOf(database) } };
}

async function knownDigest(context: Context, run: Run): Promise<string | undefined> {
  if (run.supersedes === null) return undefined;
  const before = await findRun(context.db, run.supersedes);
  const isSame =
    before?.profile_digest === context.profileDigest && before.settings_digest === context.settingsDigest;
  return isSame ? (before.outcome_digest ?? undefined) : undefined;
}

async function standingResult(context: Context, runId: string): Promise<RunResult> {
  const run = await findRun(context.db, runId);
  if (run === undefined) throw new Error(`Bug: run ${runId} is gone`);
  return storedResult(run.result);
}

async function chooseAccounts(context: Context, request: RangeRequest): Promise<AccountRow[]> {
  const all = await listAccounts(context.db);
  const unknown = request.accounts.filter((no) => !all.some((account) => account.account_no === no));
  if (unknown.length > 0) throw new WrongInput('unknown accounts:', unknown);
  const window = {
    from: context.zone.dayStart(request.fromDay),
    to: context.zone.dayStart(addDays(request.toDay, 1)),
    timeZone: context.zone.name,
  };
  const active = await chooseActive(context.db, all, window);
  const chosen = active.filter(
    ({ account_no: no }) => request.accounts.length === 0 || request.accounts.includes(no),
  );
  for (const account of chosen) numberToAsk(listedAccount(account), context.profile.deposits.accountField);
  if (chosen.length > 0) return chosen;
  throw new WrongInput(
    all.length === 0
      ? 'there are no accounts yet: recon accounts import FILE comes first'
      : `no account is active between ${request.fromDay} and ${request.toDay}`,
  );
}

function listedAccount(account: AccountRow) {
  return { accountNo: account.account_no, eleAcctNo: account.ele_acct_no ?? undefined };
}
