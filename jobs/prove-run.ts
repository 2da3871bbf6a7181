/** Step 6 for one run: hands the proof what it is about and stores how it ended, in one transaction. */
import type { Transaction } from 'kysely';
import { Stopped } from '../src/core/errors.ts';
import { addDays } from '../src/core/time.ts';
import { match } from '../src/reconcile/match.ts';
import { prove } from '../src/reconcile/prove.ts';
import type { Proof } from '../src/reconcile/prove.ts';
import type { AccountRow } from '../src/store/accounts.ts';
import { requireLease } from '../src/store/leases.ts';
import { saveVerdict } from '../src/store/runs.ts';
import type { Run } from '../src/store/runs.ts';
import type { Db, DbOrTransaction, Tables } from '../src/store/schema.ts';
import { unitOfWork } from '../src/store/unit-of-work.ts';
import { highestWriteNo, progressOf } from '../src/store/writing.ts';
import type { Context } from './context.ts';

/** One name for all runs: two never work on the same books at once. */
export const RUN_LEASE = 'run';

export async function proveRun(
  context: Context,
  run: Run,
  accounts: readonly AccountRow[],
  knownDigest: string | undefined,
): Promise<Proof> {
  const { db, zone, clock, profile } = context;
  const cut = zone.dayStart(addDays(run.to_day, 1));
  const ledgerIncomplete = await incompleteLedger(db, cut);
  const at = clock.wall();
  await matchWhatCameSince(db, zone.name);
  return unitOfWork(db, async (trx) => {
    await requireLease(trx, { name: RUN_LEASE, holder: '', fence: run.fence });
    await requireMatched(trx);
    const proof = await prove(
      trx,
      {
        runId: run.run_id,
        job: run.job,
        fromDay: run.from_day,
        toDay: run.to_day,
        at,
        zone,
        span: { fromDay: run.from_day, toDay: run.to_day, from: zone.dayStart(run.from_day), cut },
        accounts: accounts.map((account) => ({
          accountNo: account.account_no,
          opening:
            account.opening_at === null || account.opening_fen === null
              ? undefined
              : { at: account.opening_at, fen: account.opening_fen },
        })),
        rules: { observedMinutes: profile.snapshot.observedMinutes, agingDays: profile.agingDays },
        ledgerIncomplete,
      },
      knownDigest,
    );
    if (proof.saved) {
      await saveVerdict(trx, run, {
        state: proof.verdict === 'incomplete' ? 'incomplete' : 'finished',
        verdict: proof.verdict,
        finishedAt: at,
        outcomeDigest: proof.digest,
      });
    }
    return proof;
  });
}

/** A file may have been taken in since the matching: what it brought is matched before it is reckoned with. */
async function matchWhatCameSince(db: Db, timeZone: string): Promise<void> {
  if ((await unmatchedSince(db)) > 0) await match(db, timeZone);
}

/** From here to the end of the proof no file is taken in. */
async function requireMatched(trx: Transaction<Tables>): Promise<void> {
  await highestWriteNo(trx);
  if ((await unmatchedSince(trx)) === 0) return;
  throw new Stopped('files were taken in while the books were being proven; start the run again');
}

async function unmatchedSince(db: DbOrTransaction): Promise<number> {
  const done = await progressOf(db, 'match');
  const row = await db
    .selectFrom('ledger_entry')
    .select((eb) => eb.fn.countAll<bigint>().as('n'))
    .where('written_no', '>', done)
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

/** The first ledger source that says it is complete, but not up to the cut. */
async function incompleteLedger(db: Db, cut: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('ledger_source')
    .selectAll()
    .where('complete_to', '<', cut)
    .orderBy('source')
    .executeTakeFirst();
  return row && `${row.source} to ${row.complete_to}`;
}
