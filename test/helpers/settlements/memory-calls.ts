/** Calls of money by hand in the books in memory, as `src/settlements/calls-by-hand.ts` keeps and reads them. */
import { addMs } from '../../../src/core/time.ts';
import type { Instant } from '../../../src/core/time.ts';
import type { Known, TransferRow } from '../../../src/orders/order-observations.ts';
import type { Denial, Denied, MoneyNamed, OpenForCall } from '../../../src/settlements/call-store.ts';
import type { OrderKey } from '../../../src/settlements/settle-order.ts';
import { endOf } from '../../../src/settlements/attempt-store.ts';
import { byKey, keyText } from './memory-books.ts';
import type { MemoryBooks, MemoryCall } from './memory-books.ts';
import { wasSentBeside } from './memory-shown.ts';

function isNamed(numbers: readonly string[], own: readonly string[]): boolean {
  const inOneCase = new Set(own.map((number) => number.toLowerCase()));
  return numbers.some((number) => inOneCase.has(number.toLowerCase()));
}

function namesOrder({ orders }: MoneyNamed, row: TransferRow): boolean {
  return isNamed(orders, [row.out_order_no, row.order_no, row.stated_no]);
}

/** When a call that names the order, or withdraws from its payee, last left or was about to. */
export function lastCallOf({ calls }: MemoryBooks, row: TransferRow): Instant[] {
  return [...calls.values()]
    .filter((call) => namesOrder(call, row) || isNamed(call.accounts, [row.payee_account_no]))
    .map(({ reqTime }) => reqTime);
}

function denialText(reqId: string, key: OrderKey): string {
  return `${reqId}\t${keyText(key)}`;
}

type KnownOrder = Pick<Known<TransferRow>, 'row' | 'changes'>;

/**
 * Whether it is a refund by hand of the order that may have been taken, of which nobody says that it was not, late enough
 * to know, and no look has shown one since.
 */
function isWaitedFor({ denials }: MemoryBooks, call: MemoryCall, known: KnownOrder, lagMs: number): boolean {
  const { row } = known;
  const key = { accountNo: row.account_no, outOrderNo: row.out_order_no };
  const deniedAt = denials.get(denialText(call.reqId, key));
  const since = endOf(call.reqTime, [row.refund_shown_at]);
  const isDenied = deniedAt !== undefined && deniedAt > addMs(since, lagMs);
  return call.endpoint === 'division/refund' && call.isTaken && namesOrder(call, row) && !isDenied;
}

/**
 * The request of the first refund by hand of the order that may have been taken, since which no query has shown that one
 * is done, later than a view may lag behind.
 */
export function refundUnseenOf(books: MemoryBooks, known: KnownOrder, lagMs: number): string | undefined {
  const isDoneSince = (reqTime: Instant): boolean =>
    known.changes.some(
      ({ subject, amount_fen: fen, state, first_final_at: finalAt, is_odd: isOdd }) =>
        subject === 'refund' &&
        !isOdd &&
        (fen ?? 0n) > 0n &&
        state === 'moved' &&
        finalAt !== null &&
        finalAt > addMs(reqTime, lagMs),
    );
  const sortedBy = ({ reqTime, reqId }: MemoryCall): string => `${reqTime} ${reqId}`;
  return [...books.calls.values()]
    .filter((call) => isWaitedFor(books, call, known, lagMs) && !isDoneSince(call.reqTime))
    .toSorted((one, other) => (sortedBy(one) < sortedBy(other) ? -1 : 1))[0]?.reqId;
}

/** Somebody says that the platform took no refund of that order by that request. */
export function deny(books: MemoryBooks, { reqId, at, ...key }: Denial, lagMs: number): Denied {
  const [call, known] = [books.calls.get(reqId), books.orders.get(keyText(key))];
  if (call === undefined || known === undefined || !isWaitedFor(books, call, known, lagMs)) return 'unknown';
  const shownAt = known.row.settle_shown_at ?? '';
  const notBefore = addMs(shownAt > call.reqTime ? shownAt : call.reqTime, lagMs);
  if (at <= notBefore) return { notBefore };
  books.denials.set(denialText(reqId, key), at);
  return 'noted';
}

/**
 * Attempts that are not closed, of an order that is named or out of an account that is withdrawn from, and of such an order
 * those that may have been taken as well as another one.
 */
export function openMet({ attempts, orders }: MemoryBooks, named: MoneyNamed): OpenForCall[] {
  const all = [...attempts.values()];
  return all
    .filter((attempt) => {
      const row = orders.get(keyText(attempt))?.row;
      const isOwn = isNamed(named.orders, [attempt.outOrderNo, attempt.orderNo]);
      const isOfOrder = isOwn || (row !== undefined && namesOrder(named, row));
      if (attempt.state !== 'CLOSED') {
        return isOfOrder || isNamed(named.accounts, [attempt.payeeAccountNo]);
      }
      const others = all.filter((other) => keyText(other) === keyText(attempt));
      const isBesideOne = others.some((other) => wasSentBeside(attempt, other));
      return isOfOrder && isBesideOne;
    })
    .toSorted(byKey)
    .map(({ outOrderNo, attemptNo, state, payeeAccountNo }) => ({
      outOrderNo,
      attemptNo,
      state,
      payeeAccountNo,
    }));
}

export function setCalls(
  { calls }: MemoryBooks,
  isMeant: (call: MemoryCall) => boolean,
  set: Partial<MemoryCall>,
): void {
  for (const call of [...calls.values()].filter(isMeant)) calls.set(call.reqId, { ...call, ...set });
}
