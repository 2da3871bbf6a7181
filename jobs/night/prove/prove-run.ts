/** Step 6 for one run: hands the proof what it is about and stores how it ended, in one transaction. */
import { Stopped } from '../src/core/errors.ts';
import { addDays } from '../src/core/time.ts';
import type { Instant, Zone } from '../src/core/time.ts';
import { match } from '../src/reconcile/match.ts';
import { prove } from '../src/reconcile/prove.ts';
import type { Proof } from '../src/reconcile/prove.ts';
import type { ProofRequest } from '../src/reconcile/gather.ts';
import { postingRulesOf } from '../src/reconcile/posting-rules.ts';
import type { AccountRow } from '../src/store/accounts.ts';
import { requireLease } from '../src/store/leases.ts';
import { saveVerdict } from '../src/store/runs.ts';
import type { Run } from '../src/store/runs.ts';
import type { Db, DbOrTransaction } from '../src/store/schema.ts';
import { unitOfWork } from '../src/store/unit-of-work.ts';
import { highestWriteNo, progressOf } from '../src/store/writing.ts';
import type { Context } from './context.ts';

/** One name for all runs: two never work on the same books at once. */
export const RUN_LEASE = 'run';

/** Files that keep coming while the books are proven are a misuse; this many in a row are waited for. */
const MATCH_TRIES_MAX = 5;

export interface ProofParts {
  accounts: readonly AccountRow[];
  /** Of the version before: an equal proof is not saved. */
  knownDigest: string | undefined;
  /** Accounts that the run could not read and that nobody has asked for again on its behalf, with the reason. */
  stillUnread?: ReadonlyMap<string, string>;
}

/**
 * A file may be taken in between the matching and the proof: what it brought is matched before it is reckoned
 * with.
 * @throws Stopped when files keep coming, or when the lease was lost
 */
export async function proveRun(context: Context, run: Run, { accounts, ...of }: ProofParts): Promise<Proof> {
  for (let tries = 0; tries < MATCH_TRIES_MAX; tries++) {
    if (await hasUnmatchedFiles(context.db)) await match(context.db, context.zone.name);
    const proof = await proveIfMatched(context, run, { accounts, ...of });
    if (proof !== undefined) return proof;
  }
  throw new Stopped(
    'ledger files keep being taken in while the books are proven; start the run again after them',
  );
}

/** Undefined when a file was taken in meanwhile. From the look to the end of the proof none can be. */
async function proveIfMatched(
  context: Context,
  run: Run,
  { accounts, knownDigest, stillUnread }: ProofParts,
): Promise<Proof | undefined> {
  const request = { ...(await proofRequest(context, run, accounts)), stillUnread };
  return unitOfWork(context.db, async (trx) => {
    await requireLease(trx, { name: RUN_LEASE, holder: '', fence: run.fence });
    await highestWriteNo(trx);
    if (await hasUnmatchedFiles(trx)) return undefined;
    const proof = await prove(trx, request, knownDigest);
    if (proof.saved) {
      await saveVerdict(trx, run, {
        state: proof.verdict === 'incomplete' ? 'incomplete' : 'finished',
        verdict: proof.verdict,
        finishedAt: request.at,
        outcomeDigest: proof.digest,
      });
    }
    return proof;
  });
}

/** What a run's proof is about. */
export async function proofRequest(
  { db, zone, clock, profile }: Context,
  run: Run,
  accounts: readonly AccountRow[],
): Promise<ProofRequest> {
  const cut = zone.dayStart(addDays(run.to_day, 1));
  return {
    runId: run.run_id,
    job: run.job,
    fromDay: run.from_day,
    toDay: run.to_day,
    at: clock.wall(),
    zone,
    span: { fromDay: run.from_day, toDay: run.to_day, from: zone.dayStart(run.from_day), cut },
    accounts: accounts.map((account) => ({
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
      agingDays: profile.agingDays,
      inflightModel: profile.inflight.model,
      posting: postingRulesOf(profile),
    },
    ledgerIncomplete: await incompleteLedger(db, { cut, zone }),
  };
}

async function hasUnmatchedFiles(db: DbOrTransaction): Promise<boolean> {
  const row = await db
    .selectFrom('ledger_entry')
    .select('entry_no')
    .where('written_no', '>', await progressOf(db, 'match'))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The first ledger source that says it is complete, but not up to the cut. */
async function incompleteLedger(
  db: Db,
  { cut, zone }: { cut: Instant; zone: Zone },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('ledger_source')
    .selectAll()
    .where('complete_to', '<', cut)
    .orderBy('source')
    .executeTakeFirst();
  if (row === undefined || row.complete_to === null) return undefined;
  return `${row.source} to ${zone.localText(row.complete_to)}`;
}
