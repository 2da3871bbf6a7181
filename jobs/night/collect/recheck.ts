/**
 * A refund can be made at any time, a bank may send money back, and nobody tells: where a balance stays unexplained, every
 * batch and withdrawal of the account's last weeks is asked again in the same night, whatever its turn
 * (docs/reconciliation.md 3.5, REF-10, U49).
 */
import { findUnexplained } from '../../../src/reconcile/prove/gather-in-time.ts';
import type { AccountRow } from '../../../src/store/intake/accounts.ts';
import { keepLease } from '../../../src/store/database/leases.ts';
import type { Run } from '../../../src/store/runs/runs.ts';
import { unitOfWork } from '../../../src/store/database/unit-of-work.ts';
import { recheckOrders } from './collect-orders.ts';
import type { Context } from '../../context/context.ts';
import { RUN_LEASE, proofRequest } from '../prove/prove-run.ts';

/** @returns how many orders turned out to have changed */
export async function recheckUnexplained(
  context: Context,
  run: Run,
  accounts: readonly AccountRow[],
): Promise<number> {
  const request = await proofRequest(context, run, accounts);
  const unexplained = await unitOfWork(context.db, async (trx) => {
    const found = await findUnexplained(trx, request);
    await keepLease(trx, { name: RUN_LEASE, holder: '', fence: run.fence });
    return found;
  });
  if (unexplained.length === 0) return 0;
  const today = context.zone.dayOf(context.clock.wall());
  const changed = await recheckOrders(context, { runId: run.run_id, toDay: run.to_day, today }, unexplained);
  context.log.info({ event: 'orders.rechecked', accounts: unexplained.length, changed });
  return changed;
}
