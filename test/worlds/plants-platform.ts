/** Errors of the platform, of its records and of what the company registered; and odd things that are no errors. */
import { addDays } from '../../src/core/time.ts';
import { later } from './draw-trade.ts';
import type { Trader } from './draw-trade.ts';
import { NEVER, emptyItem } from './item.ts';
import type { Item, Plant, WorldAccount } from './item.ts';
import { depositItem, withdrawalItem } from './trade-items.ts';

/** Money that comes or goes on the platform without any record, and that the books may adjust once it is known. */
export function unrecorded(
  trader: Trader,
  of: { fen: bigint; day: string; account: WorldAccount; adjustedOn?: string },
): Item {
  const { fen, day, adjustedOn } = of;
  const { no } = of.account;
  const at = `${day} 12:00:00`;
  const item = {
    ...emptyItem(`${fen} of ${no} without a record on ${day}`),
    movements: [{ kind: 'adjustment' as const, accountNo: no, amountFen: fen, at }],
    truth: [{ account: no, at, fen, recordedOn: NEVER }],
  };
  const told = { account: no, reference: no, fen, classes: ['unexplained'], from: day };
  if (adjustedOn === undefined) return { ...item, differences: [told] };
  const entry = {
    id: trader.number('A'),
    account: no,
    kind: 'adjustment',
    fen,
    at: trader.moment(adjustedOn),
  };
  return {
    ...item,
    name: `${item.name}, adjusted at ${entry.at}`,
    entries: [entry],
    differences: [{ ...told, until: adjustedOn }],
  };
}

function lostOrFound(trader: Trader): Item | undefined {
  const account = trader.account();
  const day = trader.day(account);
  const fen = trader.amount() * (trader.random.chance(0.3) ? 1n : -1n);
  return trader.takeBalanceDay(account.no, day) ? unrecorded(trader, { fen, day, account }) : undefined;
}

function adjusted(trader: Trader): Item | undefined {
  const account = trader.account();
  const day = trader.day(account);
  const adjustedOn = addDays(day, trader.random.whole(1, 2));
  // What is not told yet cannot be adjusted.
  if (trader.isUndecided(account.no, day) || !trader.takeBalanceDay(account.no, day)) return undefined;
  return unrecorded(trader, { fen: -trader.amount(), day, account, adjustedOn });
}

/** The money is there days before its record is listed. */
function listedLate(trader: Trader): Item | undefined {
  const account = trader.account();
  const day = trader.day(account);
  if (!trader.takeBalanceDay(account.no, day)) return undefined;
  const facts = trader.depositFacts(account, day);
  const item = depositItem({ ...facts, reference: facts.no }, trader.style);
  const listedOn = addDays(day, trader.random.whole(1, 2));
  const [seed] = item.deposits;
  const fen = facts.fen - facts.feeFen;
  const common = { account: account.no, from: day, until: listedOn };
  return {
    ...item,
    name: `${item.name}: listed only on ${listedOn}`,
    deposits: seed === undefined ? [] : [{ ...seed, visibleFrom: later(`${listedOn} 09:00:00`, 0) }],
    truth: item.truth.map((one) => ({ ...one, recordedOn: listedOn })),
    differences: [
      { ...common, reference: account.no, fen, classes: ['unexplained'] },
      { ...common, reference: facts.no, fen: -fen, classes: ['ledger_only'] },
    ],
  };
}

/** A loss and a gain of one amount on different days: each stays. */
function lostAndFound(trader: Trader): Item | undefined {
  const account = trader.account();
  const fen = trader.amount();
  const [first, second] = [trader.day(account), trader.day(account)];
  if (first >= second) return undefined;
  if (![first, second].every((day) => trader.takeBalanceDay(account.no, day))) return undefined;
  const [lost, found] = [
    unrecorded(trader, { fen: -fen, day: first, account }),
    unrecorded(trader, { fen, day: second, account }),
  ];
  return {
    ...lost,
    name: `${lost.name}; ${found.name}`,
    movements: [...lost.movements, ...found.movements],
    truth: [...lost.truth, ...found.truth],
    differences: [...lost.differences, ...found.differences],
  };
}

/** An adjustment that was booked before the loss it would fit clears nothing. */
function adjustedBefore(trader: Trader): Item | undefined {
  const account = trader.account();
  const day = trader.day(account);
  const lostOn = addDays(day, 1);
  if (lostOn > (trader.days.at(-1) ?? '')) return undefined;
  const fen = -trader.amount();
  if (!trader.takeBalanceDay(account.no, lostOn)) return undefined;
  const item = unrecorded(trader, { fen, day: lostOn, account });
  const entry = {
    id: trader.number('A'),
    account: account.no,
    kind: 'adjustment',
    fen,
    at: trader.moment(day),
  };
  return {
    ...item,
    name: `${item.name}, adjusted a day before`,
    entries: [entry],
    differences: [
      ...item.differences,
      { account: account.no, fen: -fen, classes: ['ledger_only'], from: day },
    ],
  };
}

/** The platform pays another amount than was registered, and the books copy it. */
function registeredOther(trader: Trader): Item {
  const account = trader.account();
  const day = trader.day(account);
  const facts = trader.withdrawalFacts(account, trader.course(day));
  const item = withdrawalItem(facts, trader.style);
  const registeredFen = trader.amount();
  return {
    ...item,
    name: `${item.name}: registered as ${registeredFen}, paid as ${facts.fen}`,
    orders: item.orders.map((order) => ({ ...order, fen: registeredFen })),
    differences: [
      { account: account.no, reference: facts.no, fen: undefined, classes: ['amount'], from: day },
    ],
  };
}

/** Registered, refused by the platform, and marked so: nothing came of it. */
function refused(trader: Trader): Item {
  const account = trader.account();
  const [outOrderNo, submittedAt] = [trader.number('W'), trader.moment(trader.day())];
  const order = {
    kind: 'withdrawal' as const,
    outOrderNo,
    payer: account.no,
    fen: trader.amount(),
    submittedAt,
  };
  return { ...emptyItem(`refused withdrawal ${outOrderNo}`), orders: [{ ...order, outcome: 'refused' }] };
}

export const PLATFORM_PLANTS: Readonly<Record<string, Plant>> = {
  lostOrFound,
  adjusted,
  listedLate,
  lostAndFound,
  adjustedBefore,
  registeredOther,
  refused,
};
