/**
 * Calls of money by hand that were dated by a clock that was ahead: the platform refused them, and what they name would
 * wait until that time has come.
 */
import type { FailedSettlement } from '../../../src/settlements/settle-order.ts';
import { lookAtOrder } from './settle-look.ts';
import type { SettlePorts } from './settle-ports.ts';
import { latestOnItsWay, nowToldBy } from './settle-resolution.ts';

/**
 * They count as sent when a signed answer that lists an order's batch shows that no request is on its way for so long.
 * @param list gives the orders as they are stored now: one call may name, or withdraw from the payee of, many
 */
export async function withCallsRedated(
  ports: SettlePorts,
  list: () => Promise<FailedSettlement[]>,
): Promise<FailedSettlement[]> {
  const { book, clock, log } = ports;
  let orders = await list();
  for (let place = 0; place < orders.length; place++) {
    const order = orders[place];
    // No look tells of an earlier now, and one that can change nothing is not taken.
    if (order?.lastShownAt === undefined || order.lastShownAt <= latestOnItsWay(clock.wall())) continue;
    const told = nowToldBy(await lookAtOrder(ports, order));
    if (told === undefined || order.lastShownAt <= told.latest) continue;
    await book.redateCalls(told);
    log.warn({ event: 'settle.calls_redated', to: told.now });
    orders = await list();
  }
  return orders;
}
