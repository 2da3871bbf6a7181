/** Money that comes back from the bank days after it was paid out, and the books of that. */
import { addDays } from '../../src/core/time.ts';
import type { BookLine } from '../helpers/company/company-files.ts';
import { later } from './draw-trade.ts';
import type { Trader } from './draw-trade.ts';
import type { Item, Plant, TrueDifference } from './item.ts';
import { transferItem, withdrawalItem } from './trade-items.ts';

/** A withdrawal or a settlement, done on one day. */
interface Paid {
  item: Item;
  account: string;
  reference: string;
  doneAt: string;
  entry: Omit<BookLine, 'id' | 'fen' | 'at'>;
}

function withdrawn(trader: Trader): Paid {
  const account = trader.account(({ opening }) => opening === 'stated');
  const facts = trader.withdrawalFacts(account, trader.course(trader.day()));
  const { no: reference, doneAt } = facts;
  const entry = { account: account.no, kind: 'withdrawal', reference };
  return { item: withdrawalItem(facts, trader.style), account: account.no, reference, doneAt, entry };
}

function settled(trader: Trader): Paid | undefined {
  const payer = trader.account(({ opening }) => opening === 'stated');
  const payee = trader.accounts.find(
    (one) => one !== payer && one.isListed && one.isOnPlatform && one.autoSettle && one.opening === 'stated',
  );
  if (payee === undefined) return undefined;
  const course = trader.course(trader.day());
  const settledAt = later(course.doneAt, 120);
  const facts = {
    ...trader.transferFacts(payer, course),
    payee: payee.no,
    isPayeeOurs: true,
    settlesAfter: 120,
    settledAt,
    settledBookedAt: later(settledAt, 300),
  };
  const { no: reference } = facts;
  const entry = { account: payee.no, kind: 'settlement', reference, outBatchNo: `B-${reference}` };
  return { item: transferItem(facts, trader.style), account: payee.no, reference, doneAt: settledAt, entry };
}

/** It comes back on one of the next days; the books have that at once, later, with another amount or never. */
function returned(trader: Trader): Item | undefined {
  const { random } = trader;
  const paid = (random.chance(0.5) ? settled(trader) : undefined) ?? withdrawn(trader);
  const { item, account, reference, doneAt } = paid;
  const fen = -(item.truth.findLast((one) => one.account === account)?.fen ?? 0n);
  const day = addDays(doneAt.slice(0, 10), random.whole(1, 2));
  if (fen === 0n || day > (trader.days.at(-1) ?? '') || trader.isUndecided(account, day)) return undefined;
  if (!trader.takeBalanceDay(account, day)) return undefined;
  trader.leaveUndecided([account], day);
  const at = trader.moment(day);
  const back = { ...paid.entry, id: `back-${reference}`, fen, at: later(at, 600) };
  const common = { account, reference, from: day };
  const otherFen = trader.amount();
  const books: { how: string; entries: BookLine[]; differences: TrueDifference[] } = random.one([
    { how: 'booked', entries: [back], differences: [] },
    {
      how: 'not booked',
      entries: [],
      differences: [{ ...common, fen, classes: ['platform_only', 'amount'] }],
    },
    {
      how: 'booked a day later',
      entries: [{ ...back, at: trader.moment(addDays(day, 1)) }],
      differences: [{ ...common, fen, classes: ['platform_only', 'amount'], until: addDays(day, 1) }],
    },
    {
      how: `booked as ${otherFen}`,
      entries: [{ ...back, fen: otherFen }],
      differences: [{ ...common, fen: fen - otherFen, classes: ['amount'] }],
    },
  ]);
  return {
    ...cameBack(
      item,
      new Date(`${at.replace(' ', 'T')}Z`).getTime() - new Date(`${doneAt.replace(' ', 'T')}Z`).getTime(),
    ),
    name: `${item.name}: came back at ${at}, ${books.how}`,
    entries: [...item.entries, ...books.entries],
    truth: [...item.truth, { account, at, fen, notBefore: at }],
    differences: books.differences,
  };
}

function cameBack(item: Item, returnAfterMs: number): Item {
  return {
    ...item,
    withdrawals: item.withdrawals.map((one) => ({ ...one, returnAfterMs })),
    transfers: item.transfers.map((batch) => ({
      ...batch,
      orders: batch.orders.map((order) => ({
        ...order,
        ...(order.settle && { settle: { ...order.settle, returnAfterMs } }),
      })),
    })),
  };
}

export const RETURN_PLANTS: Readonly<Record<string, Plant>> = { returned };
