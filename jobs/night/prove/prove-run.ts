/** Step 6 for one run: hands the proof what it is about and stores how it ended, in one transaction. */
import { Stopped } from '../../../src/core/errors.ts';
import { jsonText } from '../../../src/core/json.ts';
import { addDays } from '../../../src/core/time.ts';
import type { Instant } from '../../../src/core/time.ts';
import { match } from '../../../src/reconcile/match/match.ts';
import type { FailedAccount } from '../../../src/reconcile/balance/apart-from-failing.ts';
import { proveApart } from '../../../src/reconcile/prove/prove-apart.ts';
import type { Proof } from '../../../src/reconcile/prove/prove.ts';
import type { ProofRequest } from '../../../src/reconcile/balance/proof-request.ts';
import { isPosted, post } from '../../../src/reconcile/post/post.ts';
import { postingRulesOf } from '../../../src/reconcile/post/posting-rules.ts';
import type { PostingRules } from '../../../src/reconcile/post/posting-rules.ts';
import { listAccounts } from '../../../src/store/intake/accounts.ts';
import type { AccountRow } from '../../../src/store/intake/accounts.ts';
import {
  findCompleteTo,
  hasLedgerCome,
  lateText,
  listStated,
} from '../../../src/store/intake/ledger-complete.ts';
import { keepLease, requireLease } from '../../../src/store/database/leases.ts';
import { saveRunFacts, saveVerdict } from '../../../src/store/runs/runs.ts';
import type { Run } from '../../../src/store/runs/runs.ts';
import type { DbOrTransaction } from '../../../src/store/schema/schema.ts';
import { unitOfWork } from '../../../src/store/database/unit-of-work.ts';
import { hasWritten, highestWriteNo, progressOf } from '../../../src/store/database/writing.ts';
import type { Context } from '../../context/context.ts';

/** One name for all runs: two never work on the same books at once. */
export const RUN_LEASE = 'run';

/** What keeps coming while the books are proven is a misuse; this often it is waited for. */
const TRIES_MAX = 5;

/** What the list says of it is read by the proof: it may have been put right since the run began. */
type NamedAccount = Pick<AccountRow, 'account_no'>;

export interface ProofParts {
  accounts: readonly NamedAccount[];
  /** Of the version before: an equal proof is not saved. */
  knownDigest: string | undefined;
  /** Accounts that the run could not read and that nobody has asked for again on its behalf, with the reason. */
  stillUnread?: ReadonlyMap<string, string>;
  /** What the run records about itself together with its proof. */
  facts?: object;
}

/**
 * A file may be taken in between the matching and the proof, and a snapshot may store a balance with its records after
 * the posting: what they brought is posted and matched before it is reckoned with.
 * @throws Stopped when more keeps coming, or when the lease was lost
 */
export async function proveRun(context: Context, run: Run, { accounts, ...of }: ProofParts): Promise<Proof> {
  const rules = postingRulesOf(context.profile);
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    if (!(await isPostedAndMatched(context.db, rules))) {
      await post(context.db, rules);
      await match(context.db, context.zone.name);
    }
    const proof = await proveIfMatched(context, run, { accounts, ...of });
    if (proof === undefined) continue;
    for (const { accountNo, cause } of proof.failed) {
      context.log.error({ event: 'proof.failed', account: accountNo, reason: cause });
    }
    return proof;
  }
  throw new Stopped(
    'files or records keep being taken in while the books are proven; start the run again after them',
  );
}

/** Undefined when something was taken in meanwhile. From the look to the end of the proof nothing can be. */
async function proveIfMatched(
  context: Context,
  run: Run,
  { accounts, knownDigest, stillUnread, facts = {} }: ProofParts,
): Promise<(Proof & { failed: FailedAccount[] }) | undefined> {
  const request = { ...(await proofRequest(context, run, accounts)), stillUnread };
  const lease = { name: RUN_LEASE, holder: '', fence: run.fence };
  return unitOfWork(context.db, async (trx) => {
    await requireLease(trx, lease);
    await highestWriteNo(trx);
    if (!(await isPostedAndMatched(trx, request.rules.posting))) return undefined;
    const proof = await proveApart(trx, request, knownDigest);
    if (proof.saved) {
      await saveVerdict(trx, run, {
        state: proof.verdict === 'incomplete' ? 'incomplete' : 'finished',
        verdict: proof.verdict,
        finishedAt: request.at,
        outcomeDigest: proof.digest,
      });
      await saveRunFacts(trx, run.run_id, jsonText(facts));
    }
    await keepLease(trx, lease);
    return proof;
  });
}

/** What a run's proof is about. The list is read after the moment of the proof: what it states later is news to it. */
export async function proofRequest(
  context: Context,
  run: Run,
  accounts: readonly NamedAccount[],
): Promise<ProofRequest> {
  const { db, zone, clock, profile } = context;
  const cut = zone.dayStart(addDays(run.to_day, 1));
  const at = clock.wall();
  const names = new Set(accounts.map(({ account_no: accountNo }) => accountNo));
  const listed = (await listAccounts(db)).filter(({ account_no: accountNo }) => names.has(accountNo));
  return {
    runId: run.run_id,
    job: run.job,
    fromDay: run.from_day,
    toDay: run.to_day,
    at,
    zone,
    span: { fromDay: run.from_day, toDay: run.to_day, from: zone.dayStart(run.from_day), cut },
    accounts: listed.map((account) => ({
      accountNo: account.account_no,
      replacedBy: account.replaced_by ?? undefined,
      activeTo: account.active_to ?? undefined,
      opening:
        account.opening_at === null || account.opening_fen === null
          ? undefined
          : { at: account.opening_at, fen: account.opening_fen },
    })),
    rules: {
      observedMinutes: profile.snapshot.observedMinutes,
      listsAreVerified: profile.deposits.verify,
      agingDays: profile.agingDays,
      unknownGraceMinutes: profile.inflight.unknownGraceMinutes,
      inflightModel: profile.inflight.model,
      posting: postingRulesOf(profile),
    },
    ledgerIncomplete: await incompleteLedger(context, cut),
  };
}

async function isPostedAndMatched(db: DbOrTransaction, rules: PostingRules): Promise<boolean> {
  if (!(await isPosted(db, rules))) return false;
  const matched = await progressOf(db, 'match');
  return !(await hasWritten(db, 'movement', matched)) && !(await hasWritten(db, 'ledger_entry', matched));
}

/**
 * The first ledger source that says it is complete, but not up to the cut, or of which nothing but a file that failed or
 * waits has come. Where the ledger comes by itself, a source has to have said so, and of the company's database its own:
 * none that came is no ledger without entries.
 */
async function incompleteLedger(
  { db, zone, settings }: Pick<Context, 'db' | 'zone' | 'settings'>,
  cut: Instant,
): Promise<string | undefined> {
  const stated = await listStated(db, { cut, zone });
  const { inbox, books } = settings;
  if (stated.length === 0 && (inbox ?? books?.query) !== undefined)
    return (await hasLedgerCome(db)) ? 'no ledger says until when it is whole' : 'no ledger has come yet';
  const late = stated.find(({ complete_to: completeTo }) => completeTo === null || completeTo < cut);
  if (late !== undefined) return lateText(late, zone);
  if (books?.query === undefined || (await findCompleteTo(db, books.source)) !== null) return undefined;
  return `${books.source} has not come yet`;
}
