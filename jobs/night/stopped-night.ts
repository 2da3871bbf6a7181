/**
 * What stops a night leaves a result of it: every account `incomplete`, with the cause in words. A platform of which
 * nothing verifies ends the reading, and what was read is proven as far as it goes; whatever else stops the night leaves
 * the bare verdict. The run stays open and goes on the next time.
 */
import { messageOf } from '../../src/core/errors.ts';
import { jsonText } from '../../src/core/json.ts';
import { maskPersonal, maskText } from '../../src/core/mask.ts';
import { reason } from '../../src/reconcile/balance/reasons.ts';
import { saveAccounts } from '../../src/reconcile/prove/save-accounts.ts';
import type { AccountRow } from '../../src/store/intake/accounts.ts';
import { keepLease } from '../../src/store/database/leases.ts';
import type { Lease } from '../../src/store/database/leases.ts';
import { saveResult } from '../../src/store/runs/published-runs.ts';
import { findRun, saveVerdict } from '../../src/store/runs/runs.ts';
import type { Run } from '../../src/store/runs/runs.ts';
import type { Context } from '../context/context.ts';
import { publishRun } from './publish/publish.ts';
import { headOf } from './publish/result.ts';

/** A cause is a sentence, not a report. */
const CAUSE_LENGTH_MAX = 500;

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
    await keepLease(trx, lease);
    const run = await findRun(trx, runId);
    if (run === undefined || run.state === 'finished') return undefined;
    if (run.state === 'incomplete') return run.step === 'published' ? undefined : run;
    const why = reason('run_stopped', cause);
    const bare = accounts.map(({ account_no: accountNo }) => ({ accountNo, reason: why }));
    await saveAccounts(trx, runId, { accounts: [], bare });
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

/** With the workbook where it can be written, else the document alone. */
async function publishBare(context: Context, run: Run): Promise<void> {
  const { db, settings } = context;
  try {
    await publishRun(context, run.run_id, []);
  } catch (error) {
    context.log.error({ event: 'report.unwritten', reason: messageOf(error) });
    await saveResult(db, run.run_id, jsonText(await headOf({ db, home: settings.home }, run, [])));
  }
}

/** For people: nothing secret or personal in it. */
export function causeText({ settings }: Pick<Context, 'settings'>, error: unknown): string {
  return maskPersonal(maskText(messageOf(error), settings.secrets)).slice(0, CAUSE_LENGTH_MAX);
}
