/** `account/queryWithdraw`: a withdrawal as it is now, in any state (WDR-13, WDR-14). */
import type { Call } from '../protocol/handler.ts';
import { numberAsked } from '../orders/numbers-asked.ts';
import { isThere } from '../orders/order-index.ts';
import { wireWithdrawal } from '../orders/order-wire.ts';
import { Refused } from '../protocol/refusal.ts';
import type { WireObject } from '../protocol/wire.ts';

/** @throws Refused without a number and for a withdrawal the caller does not have (ENV-27, ENV-28) */
export function queryWithdraw({ world, biz, caller }: Call<'account/queryWithdraw'>): WireObject {
  const number = numberAsked(world, biz, { own: 'outOrderNo', platform: 'orderNo' });
  const withdrawal = world.orders.withdrawal(caller.credential.merchant, number);
  if (withdrawal && isThere(withdrawal, world.clock.nowMs())) return wireWithdrawal(world, withdrawal);
  throw new Refused('NOT_FOUND', '提现订单不存在 (withdrawal not found)');
}
