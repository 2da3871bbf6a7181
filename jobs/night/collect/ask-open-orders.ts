/** What an account has open, asked again inside its bracket (docs/reconciliation.md 3.4). */
import pLimit from 'p-limit';
import type { Instant } from '../../../src/core/time.ts';
import { listOpenOf } from '../../../src/store/orders/order-due.ts';
import type { DueUnit } from '../../../src/store/orders/order-due.ts';
import type { Context } from '../../context/context.ts';
import type { Claim } from '../../units/unit.ts';
import { askClaimed, CHUNK_UNITS } from './ask-claimed.ts';
import { askOrder } from './ask-order.ts';
import { keyOf, oneAtATime } from './one-at-a-time.ts';
import { chunksOf, claimantOf, writerOf } from './order-units.ts';
import type { AskingRun } from './order-units.ts';

/**
 * Asks again for everything that may still move the account's money; for brackets. The looks count as taken not
 * before the balance they belong to was read.
 * @returns how many of them could not be read: then the balance cannot be placed among the orders
 */
export async function askOpenOrders(
  context: Context,
  run: AskingRun,
  { accountNo, notBefore, claim }: { accountNo: string; notBefore: Instant; claim: Claim },
): Promise<{ failed: number }> {
  const units = await listOpenOf(context.db, accountNo);
  const asking = {
    by: claimantOf(run, claim),
    runId: run.runId,
    inTurn: pLimit(context.profile.http.rate.concurrency),
    ask: (unit: DueUnit) => askOrder(context, unit, notBefore),
    writer: () => writerOf(context, run, claim),
  };
  let failed = 0;
  for (const chunk of chunksOf(units, CHUNK_UNITS)) {
    context.signal.throwIfAborted();
    const keys = chunk.map(keyOf);
    failed += await oneAtATime(context.clock, keys, async () => {
      const written = await askClaimed(context, chunk, asking);
      return written.failed;
    });
  }
  return { failed };
}
