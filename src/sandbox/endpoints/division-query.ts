/** `division/query`: a transfer batch and its orders as they are now (DIV-29…31, REF-10). */
import type { JsonObject } from '../../core/json.ts';
import type { Call } from '../protocol/handler.ts';
import { numberAsked } from '../orders/numbers-asked.ts';
import { isThere } from '../orders/order-index.ts';
import { wireBatch } from '../orders/order-wire.ts';
import type { TransferBatch } from '../orders/order.ts';
import { Refused } from '../protocol/refusal.ts';
import type { WireObject } from '../protocol/wire.ts';
import type { World } from '../world/world.ts';

/** @throws Refused without a number and for a batch the caller does not have (ENV-27, ENV-28) */
export function divisionQuery({ world, biz, caller }: Call<'division/query'>): WireObject {
  return wireBatch(world, requestedBatch(world, biz, caller.credential.merchant), 'query');
}

/** @throws Refused when there is none by now */
export function requestedBatch(world: World, biz: JsonObject, merchant: string): TransferBatch {
  const number = numberAsked(world, biz, { own: 'outBatchNo', platform: 'batchNo' });
  const batch = world.orders.batch(merchant, number);
  if (batch && isThere(batch, world.clock.nowMs())) return batch;
  throw new Refused('NOT_FOUND', '批次不存在 (batch not found)');
}
