/**
 * Calls of money by hand, and the time that the platform tells of: those that were dated by a clock that was ahead were
 * refused, and what they name would wait until that time has come; and that a refund was not taken nobody can know
 * before its time is over.
 */
import { Stopped } from '../../../src/core/errors.ts';
import type { Denial, Denied } from '../../../src/settlements/call-store.ts';
import type { FailedSettlement } from '../../../src/settlements/settle-order.ts';
import { lookAtOrder, lookFault, mayBeRefunded } from './settle-look.ts';
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

/**
 * Keeps a person's word that the platform took no refund of that order by that request. Whether its time is over this
 * clock alone does not say: one that is ahead is refused every query. What queries show of a refund now they need not
 * show later, though it goes on (U36): that word does not stand against it.
 * @throws Stopped where no signed answer lists that order without a refund: nothing is kept
 */
export async function denyRefund(ports: SettlePorts, denial: Omit<Denial, 'at'>): Promise<Denied> {
  const { book } = ports;
  const { reqId, accountNo, outOrderNo } = denial;
  const order = (await book.listFailed()).find(
    (failed) => failed.accountNo === accountNo && failed.outOrderNo === outOrderNo,
  );
  if (order?.refundUnseen === undefined) return 'unknown';
  const look = await lookAtOrder(ports, order);
  const told = nowToldBy(look);
  const fault = lookFault(look)?.reason;
  if (told === undefined || look.order === undefined || fault !== undefined) {
    throw new Stopped(
      `nothing was noted: whether the time of the request ${reqId} is over only a query of ${outOrderNo} shows, and ` +
        `none was answered as it should be: ${fault ?? 'it does not list it'}`,
    );
  }
  const refund = mayBeRefunded(look.order);
  if (refund !== undefined) {
    throw new Stopped(
      `nothing was noted: the platform itself shows a refund of ${outOrderNo}, or what may be one: ${refund}. Ask it ` +
        'what that is, and say so once it shows none',
    );
  }
  return book.saveDenied({ ...denial, at: told.earliest });
}
