/**
 * What stops a night leaves a result of it: every account `incomplete`, with the cause in words. A platform of which
 * nothing verifies ends the reading, and what was read is proven as far as it goes; whatever else stops the night leaves
 * the bare verdict. The run stays open and goes on the next time.
 */
import { messageOf, Stopped } from '../src/core/errors.ts';
import { jsonText } from '../src/core/json.ts';
import { maskPersonal, maskText } from '../src/core/mask.ts';
import { reason } from '../src/reconcile/reasons.ts';
import type { AccountRow } from '../src/store/accounts.ts';
import { requireLease } from '../src/store/leases.ts';
import type { Lease } from '../src/store/leases.ts';
import { findRun, saveResult, saveRunFacts, saveVerdict } from '../src/store/runs.ts';
import type { Run } from '../src/store/runs.ts';
import type { Context } from './context.ts';
import { publishRun } from './publish.ts';
import { resultOf } from './result.ts';

/** A cause is a sentence, not a report. */
const CAUSE_LENGTH_MAX = 500;

/**
 * Reads the platform; what stops that is kept as a fact of the run.
 * @returns undefined when it was stopped
 * @throws what is no stop of the reading: an abort, a lost lease, a fault of the program
 */
export async function readOrStop<T>(
  context: Context,
  { run, lease }: { run: Run; lease: Lease },
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    const facts = await read();
    await saveRunFacts(context.db, run.run_id, jsonText({ stopped: '', ...facts }));
    return facts;
  } catch (error) {
    context.signal.throwIfAborted();
    await requireLease(context.db, lease);
    if (!(error instanceof Stopped)) throw error;
    const stopped = causeText(context, error);
    context.log.error({ event: 'run.stopped', reason: stopped });
    await saveRunFacts(context.db, run.run_id, jsonText({ stopped }));
    return undefined;
  }
}

/**
 * Leaves a result of a run that an error ended before its proof was stored. It throws nothing: the error itself is
 * what the caller has to tell.
 */
export async function leaveResult(
  context: Context,
  of: { runId: string; accounts: readonly AccountRow[]; lease: Lease },
  error: unknown,
): Promise<void> {
  if (context.signal.aborted) return;
  try {
    const run = await saveBareVerdict(context, of, error);
    if (run !== undefined) await publishBare(context, run);
  } catch (unwritten) {
    context.log.error({ event: 'result.unwritten', reason: messageOf(unwritten) });
  }
}

/** What is proven already stands: of a finished run nothing is to be said, of an incomplete one what its proof says. */
async function saveBareVerdict(
  { db, clock, settings }: Context,
  { runId, accounts, lease }: { runId: string; accounts: readonly AccountRow[]; lease: Lease },
  error: unknown,
): Promise<Run | undefined> {
  const cause = causeText({ settings }, error);
  return db.transaction().execute(async (trx) => {
    await requireLease(trx, lease);
    const run = await findRun(trx, runId);
    if (run === undefined || run.state === 'finished') return undefined;
    if (run.state === 'incomplete') return run.step === 'published' ? undefined : run;
    await trx.deleteFrom('finding').where('run_id', '=', runId).execute();
    await trx.deleteFrom('run_account').where('run_id', '=', runId).execute();
    for (const { account_no } of accounts) {
      const verdict = { verdict: 'incomplete' as const, reason: reason('run_stopped', cause) };
      await trx
        .insertInto('run_account')
        .values({ run_id: runId, account_no, ...EMPTY, ...verdict })
        .execute();
    }
    const end = {
      state: 'incomplete',
      verdict: 'incomplete',
      finishedAt: clock.wall(),
      outcomeDigest: '',
    } as const;
    await saveVerdict(trx, run, end);
    return findRun(trx, runId);
  });
}

const EMPTY = {
  source: null,
  stated_fen: null,
  platform_fen: null,
  frozen_fen: null,
  opening_fen: null,
  opening_at: null,
  unexplained_fen: null,
  ledger_fen: null,
  ledger_opening_fen: null,
  opening_difference_fen: null,
  difference_fen: null,
};

/** With the workbook where it can be written, else the document alone. */
async function publishBare(context: Context, run: Run): Promise<void> {
  try {
    await publishRun(context, run.run_id, []);
  } catch (error) {
    context.log.error({ event: 'report.unwritten', reason: messageOf(error) });
    await saveResult(context.db, run.run_id, jsonText(await resultOf(context.db, run, [])));
  }
}

function causeText({ settings }: Pick<Context, 'settings'>, error: unknown): string {
  return maskPersonal(maskText(messageOf(error), settings.secrets)).slice(0, CAUSE_LENGTH_MAX);
}
