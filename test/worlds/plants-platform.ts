/** Errors of the platform, of its records and of what the company registered; and odd things that are no errors. */
import { addDays } from '../../src/core/time.ts';
import { later } from './draw-trade.ts';
import type { Trader } from './draw-trade.ts';
import { emptyItem } from './item.ts';
import type { Item, Plant } from './item.ts';
import { depositItem, withdrawalItem } from './trade-items.ts';

/** Money that comes or goes on the platform without any record. */
function unrecorded(
  trader: Trader,
  given: { fen?: bigint; day?: string; account?: string } = {},
): Item | undefined {
  const account =
    given.account === undefined ? trader.account() : trader.account(({ no }) => no === given.account);
  const day = given.day ?? trader.day(account);
  const fen = given.fen ?? trader.amount() * (trader.random.chance(0.3) ? 1n : -1n);
  const { no } = account;
  if (!trader.takeBalanceDay(no, day)) return undefined;
  return {
    ...emptyItem(`${fen} of ${no} without a record on ${day}`),
    movements: [{ kind: 'adjustment', accountNo: no, amountFen: fen, at: `${day} 12:00:00` }],
    truth: [{ account: no, at: `${day} 12:00:00`, fen }],
    differences: [{ account: no, reference: no, fen, classes: ['unexplained'], from: day }],
  };
}

/** The books adjust it, once it is known. */
function adjusted(trader: Trader): Item | undefined {
  const account = trader.account();
  const day = trader.day(account);
  const adjustedOn = addDays(day, trader.random.whole(1, 2));
  const fen = -trader.amount();
  const item = unrecorded(trader, { fen, day, account: account.no });
  if (item === undefined) return undefined;
  const at = trader.moment(adjustedOn);
  return {
    ...item,
    name: `${item.name}, adjusted at ${at}`,
    entries: [{ id: trader.number('A'), account: account.no, kind: 'adjustment', fen, at }],
    differences: item.differences.map((one) => ({ ...one, until: adjustedOn })),
  };
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
  const [lost, found] = [
    unrecorded(trader, { fen: -fen, day: first, account: account.no }),
    unrecorded(trader, { fen, day: second, account: account.no }),
  ];
  if (lost === undefined || found === undefined) return undefined;
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
  const item = unrecorded(trader, { fen, day: lostOn, account: account.no });
  if (item === undefined) return undefined;
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
  unrecorded: (trader) => unrecorded(trader),
  adjusted,
  listedLate,
  lostAndFound,
  adjustedBefore,
  registeredOther,
  refused,
};
