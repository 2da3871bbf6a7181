/** What is pushed of transfers: that they succeeded (EVT-04). */
import { pushBody } from '../protocol/reply.ts';
import type { Caller } from '../protocol/sandbox-keys.ts';
import type { World } from '../world/world.ts';
import { orderMeaning, phasesOf } from './life.ts';
import type { PhaseTurn } from './life.ts';
import { sealOrderList, wireBatch } from './order-wire.ts';
import type { TransferBatch } from './order.ts';

/** The batch has been made: its life is laid down, and so is what will be pushed of it. */
export function pushBatch(world: World, batch: TransferBatch): void {
  const { notify, outBatchNo } = batch;
  if (!notify) return;
  for (const { outOrderNo, eventMs } of eventsOf(batch, world.switches.pushPer)) {
    world.pushes.add({
      kind: 'transfer',
      url: notify.url,
      about: { outBatchNo, outOrderNo },
      eventMs,
      bodyOf: () => bodyOf(world, batch, notify.caller),
    });
  }
}

/** What division/query would answer. */
function bodyOf(world: World, batch: TransferBatch, caller: Caller): string {
  const members = wireBatch(world, batch, 'query');
  sealOrderList(world, members);
  return pushBody(world, caller, members);
}

/** Successes alone are pushed: of a batch once all its orders have ended, or of each order (EVT-04). */
function eventsOf(batch: TransferBatch, per: 'batch' | 'order'): { outOrderNo: string; eventMs: number }[] {
  const ends = batch.orders.map(({ outOrderNo, life }) => ({
    outOrderNo,
    end: phasesOf(life, orderMeaning).find(({ phase }) => phase !== 'held'),
  }));
  const succeeded = ends.flatMap(({ outOrderNo, end }) =>
    end?.phase === 'gone' ? [{ outOrderNo, eventMs: end.atMs }] : [],
  );
  if (per === 'order') return succeeded;
  const allEnded = ends.map(({ end }) => end).filter((end) => end !== undefined);
  if (succeeded.length === 0 || allEnded.length < ends.length) return [];
  return [{ outOrderNo: '', eventMs: latest(allEnded) }];
}

function latest(ends: readonly PhaseTurn[]): number {
  return Math.max(...ends.map(({ atMs }) => atMs));
}
