/** Step 6 for one run: hands the proof what it is about and stores how it ended, in one transaction. */
import { addDays } from '../src/core/time.ts';
import { prove } from '../src/reconcile/prove.ts';
import type { Proof } from '../src/reconcile/prove.ts';
import type { AccountRow } from '../src/store/accounts.ts';
import { saveVerdict } from '../src/store/runs.ts';
import type { Run } from '../src/store/runs.ts';
import type { Db } from '../src/store/schema.ts';
import type { Context } from './context.ts';

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
  return db.transaction().execute(async (trx) => {
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
