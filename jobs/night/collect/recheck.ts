/**
 * A refund can be made at any time and is told by nobody: where a balance stays unexplained, every batch of the
 * account's last weeks is asked again in the same night, whatever its turn (docs/reconciliation.md 3.5, REF-10).
 */
import { findUnexplained } from '../src/reconcile/gather-in-time.ts';
import type { AccountRow } from '../src/store/accounts.ts';
import { requireLease } from '../src/store/leases.ts';
import type { Run } from '../src/store/runs.ts';
import { unitOfWork } from '../src/store/unit-of-work.ts';
import { recheckBatches } from './collect-orders.ts';
import type { Context } from './context.ts';
import { RUN_LEASE, proofRequest } from './prove-run.ts';

/** @returns how many orders turned out to have changed */
export async function recheckUnexplained(
  context: Context,
  run: Run,
  accounts: readonly AccountRow[],
): Promise<number> {
  const request = await proofRequest(context, run, accounts);
  const unexplained = await unitOfWork(context.db, async (trx) => {
    await requireLease(trx, { name: RUN_LEASE, holder: '', fence: run.fence });
    return findUnexplained(trx, request);
  });
  if (unexplained.length === 0) return 0;
  const today = context.zone.dayOf(context.clock.wall());
  const changed = await recheckBatches(context, { runId: run.run_id, toDay: run.to_day, today }, unexplained);
  context.log.info({ event: 'orders.rechecked', accounts: unexplained.length, changed });
  return changed;
}
