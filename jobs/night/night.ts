/**
 * A night or a backfill from beginning to end (docs/architecture.md 3): collect → bracket → settle → post → match →
 * prove → vouchers → publish. Each step reads tables and writes tables; a run that died goes on where it stopped, a
 * finished one makes a new version only when something changed.
 */
import { WrongInput } from '../../src/core/errors.ts';
import { jsonText } from '../../src/core/json.ts';
import { addDays } from '../../src/core/time.ts';
import type { Day } from '../../src/core/time.ts';
import { match } from '../../src/reconcile/match/match.ts';
import { post } from '../../src/reconcile/post/post.ts';
import { postingRulesOf } from '../../src/reconcile/post/posting-rules.ts';
import { reportsMore } from '../../src/settlements/settle-list.ts';
import { versionOf } from '../../src/store/database/database.ts';
import { keepLease } from '../../src/store/database/leases.ts';
import type { Lease } from '../../src/store/database/leases.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import { progressOf } from '../../src/store/database/writing.ts';
import { NO_ACCOUNTS, listAccounts } from '../../src/store/intake/accounts.ts';
import type { AccountRow } from '../../src/store/intake/accounts.ts';
import { chooseActive } from '../../src/store/intake/active-accounts.ts';
import {
  accountsOfSubject,
  countBegun,
  findRun,
  forgetRestated,
  isProven,
  openRun,
  saveRunFacts,
} from '../../src/store/runs/runs.ts';
import { savePublished } from '../../src/store/runs/published-runs.ts';
import { discardRun } from '../../src/store/runs/undone-runs.ts';
import type { Run, RunSubject } from '../../src/store/runs/runs.ts';
import type { Context } from '../context/context.ts';
import { underLease } from '../context/under-lease.ts';
import { bracketStep, collectStep, listedAccount } from './collect/collect-step.ts';
import type { Reading } from './collect/collect-step.ts';
import { numberToAsk } from './collect/listing-number.ts';
import { recheckUnexplained } from './collect/recheck.ts';
import type { Proof } from '../../src/reconcile/prove/prove.ts';
import { RUN_LEASE, proveRun } from './prove/prove-run.ts';
import { findLateRecords, markLateRecordsProcessed, proveInOrder } from './prove/restate.ts';
import type { LateRecords, Restated } from './prove/restate.ts';
import { rulesInForce } from './prove/rules-in-force.ts';
import { publishRun } from './publish/publish.ts';
import { storedResult } from './publish/result.ts';
import { countBreaks } from './publish/result-lists.ts';
import type { RunResult } from './publish/result.ts';
import { failedSettling, settleNight } from './settle/settle-run.ts';
import { nightSteps } from './steps.ts';
import type { NightSteps } from './steps.ts';
import { leaveResult } from './stopped-night.ts';
import type { VoucherRun } from './vouchers/voucher-run.ts';
import { voucherStep } from './vouchers/voucher-step.ts';

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

/** What all steps of one run have in common. */
interface Night {
  context: Context;
  request: RangeRequest;
  accounts: readonly AccountRow[];
  lease: Lease;
  run: Run;
  steps: NightSteps;
}

/** What the proof left for what comes after it. */
interface Proven {
  /** False when it is that of the version before. */
  isSaved: boolean;
  restated: readonly Restated[];
  late: LateRecords;
}

/**
 * @throws LockHeld when another run is under way; WrongInput when there is no account; Stopped when it cannot go on
 */
export async function reconcileRange(context: Context, request: RangeRequest): Promise<RangeOutcome> {
  const subject = subjectOf(request);
  // What is wrong with the request is said before anything is written; who takes part is decided under the lease.
  await chooseAccounts(context, request, subject);
  return underLease(context, RUN_LEASE, async (held, lease) => {
    const accounts = await chooseAccounts(held, request, subject);
    const { run, resumed } = await begin(held, { subject, lease });
    const log = held.log.with({ runId: run.run_id });
    const at: Context = { ...held, log };
    log.info({ event: resumed ? 'run.resumed' : 'run.opened', from: run.from_day, to: run.to_day });
    try {
      const steps = nightSteps(at, { runId: run.run_id, lease });
      return await play({ context: at, request, accounts, lease, run, steps });
    } catch (error) {
      await leaveResult(at, { runId: run.run_id, accounts, lease }, error);
      throw error;
    }
  });
}

async function play(night: Night): Promise<RangeOutcome> {
  const { steps, context } = night;
  if (!isProven(night.run)) {
    await steps.read('collected', () => collectStep(context, readingOf(night)));
    await steps.read('bracketed', () => bracketStep(context, readingOf(night)));
    await settle(night);
    await steps.do('posted', () => postFacts(night));
    await steps.do('matched', () => matchBooks(night));
  }
  const proven = await prove(night);
  await archiveVouchers(night);
  return publish(night, proven);
}

function readingOf({ run, accounts, request }: Night): Reading {
  return { run, accounts, asked: request.accounts };
}

/** Its effects fall after the cut, so it never disturbs the proof. */
async function settle({ context, run, request, steps }: Night): Promise<void> {
  const mayRetry = request.mayRetry === true && steps.isReadable();
  const settled = await steps.optional('settle', () => settleNight(context, run, { mayRetry }));
  const facts = settled ?? (await failedSettling(context, run));
  await saveRunFacts(context.db, run.run_id, jsonText({ settle: facts }));
}

async function postFacts({ context: { db, profile } }: Night): Promise<void> {
  await post(db, postingRulesOf(profile));
}

/** Movements and entries find each other; once more after late refunds. */
async function matchBooks(night: Night): Promise<void> {
  const { context, run, accounts, steps } = night;
  await match(context.db, context.zone.name);
  if (steps.isReadable() && (await recheckUnexplained(context, run, accounts)) > 0) {
    await postFacts(night);
    await match(context.db, context.zone.name);
  }
  await saveRunFacts(context.db, run.run_id, jsonText(await circumstances(context)));
}

/** Up to where the books were known, and with what they were read: a report written again looks no further. */
async function circumstances({ db, database }: Context) {
  const writtenUpTo = await progressOf(db, 'match');
  return { writtenUpTo, versions: { node: process.versions.node, database: await versionOf(database) } };
}

/** The run's own days, among the days that late records or a new closing change. */
async function prove(night: Night): Promise<Proven> {
  const { context, run, lease } = night;
  const late = await findLateRecords(context, run);
  const { own: isSaved, restated } = await proveInOrder(context, { run, lease, late }, async () => {
    if (isProven(run)) return true;
    return (await proveOwn(night, late, await knownDigest(context, run))).saved;
  });
  return { isSaved, restated, late };
}

function proveOwn({ context, run, accounts }: Night, { upTo }: LateRecords, digest?: string): Promise<Proof> {
  return proveRun(context, run, { accounts, knownDigest: digest, facts: { restatedUpTo: upTo } });
}

/**
 * Of the version before, where it was proven by the same rules. None where an earlier try of this run stored a proof:
 * breaks are as that left them.
 */
async function knownDigest(context: Context, run: Run): Promise<string | undefined> {
  if (run.supersedes === null || run.trail_no !== null) return undefined;
  const before = await findRun(context.db, run.supersedes);
  const isSame =
    before?.profile_digest === context.profileDigest && before.settings_digest === context.settingsDigest;
  return isSame ? (before.outcome_digest ?? undefined) : undefined;
}

async function archiveVouchers({ context, request, run, lease, steps }: Night): Promise<void> {
  if (request.mayFetchVouchers !== true || !steps.isReadable()) return;
  const of = voucherRunOf(context, { request, run, lease });
  await steps.optional('vouchers', () => voucherStep(context, of));
}

/** A night asks for all that is due, a backfill for what moved money in its days. */
function voucherRunOf(
  { zone, clock }: Context,
  { request, run, lease }: { request: RangeRequest; run: Run; lease: Lease },
): VoucherRun {
  const of = { runId: run.run_id, today: zone.dayOf(clock.wall()), lease };
  if (request.job === 'nightly') return of;
  const { fromDay, toDay } = request;
  const window = { from: zone.dayStart(fromDay), to: zone.dayStart(addDays(toDay, 1)) };
  return { ...of, window: { ...window, fromMonth: fromDay.slice(0, 7), toMonth: toDay.slice(0, 7) } };
}

async function publish(night: Night, { isSaved, restated, late }: Proven): Promise<RangeOutcome> {
  const { context, run, lease, steps } = night;
  const { db, log, settings } = context;
  if (!isSaved && run.supersedes !== null && restated.length === 0 && !(await hasSettled(db, run))) {
    await discardRun(db, run, lease);
    await markLateRecordsProcessed(context, late);
    log.info({ event: 'run.unchanged', standing: run.supersedes });
    steps.throwFailure();
    const of = { db, home: settings.home };
    return { result: await storedResult(of, run.supersedes, settings.reportLocale), isNew: false };
  }
  if (!isSaved) await proveOwn(night, late);
  await saveRunFacts(db, run.run_id, jsonText({ restated }));
  const { result } = await publishRun(context, run.run_id, restated);
  await savePublished(db, run.run_id, context.clock.wall());
  await markLateRecordsProcessed(context, late);
  log.info({ event: 'run.closed', verdict: result.run.verdict, breaks: await countBreaks(db, run.run_id) });
  steps.throwFailure();
  return { result, isNew: true };
}

/** What became of settlements since the version before, by this run or by hand. */
async function hasSettled(db: Db, { run_id: runId, supersedes }: Run): Promise<boolean> {
  const before = supersedes === null ? undefined : await findRun(db, supersedes);
  return reportsMore(await findRun(db, runId), before);
}

function subjectOf({ job, fromDay, toDay, accounts }: RangeRequest): RunSubject {
  return { job, fromDay, toDay, accounts: accounts.toSorted().join(',') };
}

async function begin(
  context: Context,
  { subject, lease }: { subject: RunSubject; lease: Lease },
): Promise<{ run: Run; resumed: boolean }> {
  return context.db.transaction().execute(async (trx) => {
    await keepLease(trx, lease);
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

/** Those of its days, and those that a version or an earlier try of it was about, whatever is said of them since. */
async function chooseAccounts(
  context: Context,
  request: RangeRequest,
  subject: RunSubject,
): Promise<AccountRow[]> {
  const all = await listAccounts(context.db);
  const unknown = request.accounts.filter((no) => !all.some((account) => account.account_no === no));
  if (unknown.length > 0) throw new WrongInput('unknown accounts:', unknown);
  const window = {
    from: context.zone.dayStart(request.fromDay),
    to: context.zone.dayStart(addDays(request.toDay, 1)),
    timeZone: context.zone.name,
  };
  const active = new Set(await chooseActive(context.db, all, window));
  const before = await accountsOfSubject(context.db, subject);
  const chosen = all.filter(
    (account) =>
      (active.has(account) || before.has(account.account_no)) &&
      (request.accounts.length === 0 || request.accounts.includes(account.account_no)),
  );
  for (const account of chosen) numberToAsk(listedAccount(account), context.profile.deposits.accountField);
  if (chosen.length > 0) return chosen;
  throw new WrongInput(
    all.length === 0 ? NO_ACCOUNTS : `no account is active between ${request.fromDay} and ${request.toDay}`,
  );
}
