/** What becomes of accounts: openings that hold a deposit already or are stated anew, accounts that end. */
import { addDays } from '../../src/core/time.ts';
import { later, two } from './draw-trade.ts';
import type { Trader } from './draw-trade.ts';
import { emptyItem } from './item.ts';
import type { Item, Plant, Statement, WorldAccount } from './item.ts';
import { unrecorded } from './plants-platform.ts';
import { depositItem, transferItem, withdrawalItem } from './trade-items.ts';

/** On one side of the opening the deposit, on the other an entry that only looks like it: neither is the other. */
function acrossOpening(trader: Trader): Item {
  const account = trader.account(({ opening }) => opening === 'stated');
  const [first = ''] = trader.days;
  const before = addDays(first, -1);
  const isHeld = trader.random.chance(0.5);
  const drawn = trader.depositFacts(account, isHeld ? before : first);
  const facts = { ...drawn, bookedAt: trader.moment(isHeld ? first : before), reference: '' };
  const item = depositItem(facts, trader.style);
  const fen = facts.fen - facts.feeFen;
  const told = isHeld
    ? { fen: -fen, classes: ['ledger_only'] }
    : { reference: facts.no, fen, classes: ['platform_only'] };
  return {
    ...item,
    name: `${item.name} of ${facts.at}: booked alike at ${facts.bookedAt}`,
    before: isHeld ? [{ account: account.no, fen }] : [],
    truth: isHeld ? [] : item.truth,
    differences: [{ account: account.no, from: first, ...told }],
  };
}

/** On one side of the opening the deposit, on the other an entry of its number and another amount: nothing crosses. */
function otherAcrossOpening(trader: Trader): Item {
  const account = trader.account(({ opening }) => opening === 'stated');
  const [first = ''] = trader.days;
  const before = addDays(first, -1);
  const isHeld = trader.random.chance(0.5);
  const drawn = trader.depositFacts(account, isHeld ? before : first);
  const bookedAt = trader.moment(isHeld ? first : before);
  const facts = { ...drawn, bookedAt, reference: drawn.no, feeFen: 0n };
  const item = depositItem(facts, trader.style);
  const otherFen = trader.amount() * (trader.random.chance(0.5) ? 1n : -1n);
  const told = { account: account.no, reference: facts.no, fen: isHeld ? -otherFen : facts.fen };
  return {
    ...item,
    name: `${item.name} of ${facts.at}: booked as ${otherFen} at ${bookedAt}`,
    before: isHeld ? [{ account: account.no, fen: facts.fen }] : [],
    truth: isHeld ? [] : item.truth,
    entries: item.entries.map((entry) => ({ ...entry, fen: otherFen })),
    differences: [{ ...told, classes: ['amount', 'ledger_only', 'platform_only'], from: first }],
  };
}

/** A list that states another opening than the one proofs have begun with, for good or for a day. */
function openingRestated(trader: Trader): Item | undefined {
  const { random } = trader;
  const account = trader.account(({ opening }) => opening === 'stated');
  const [first = ''] = trader.days;
  const on = trader.day(account);
  // It is a fact once a night has used it.
  if (on === first || !trader.takeOnce(`opening of ${account.no}`)) return undefined;
  if (!trader.takeBalanceDay(account.no, first)) return undefined;
  const moreFen = trader.amount() * (random.chance(0.5) ? 1n : -1n);
  const days = [first, addDays(first, -2), on] as const;
  const opening = random.chance(0.25) ? undefined : { at: `${random.one(days)} 00:00:00`, moreFen };
  const back = { account: account.no, on: addDays(on, 1), opening: { at: `${first} 00:00:00`, moreFen: 0n } };
  const statements: Statement[] = [
    { account: account.no, on, opening },
    ...(random.chance(0.3) ? [back] : []),
  ];
  const what = opening === undefined ? 'none' : `${moreFen} more at ${opening.at}`;
  return { ...emptyItem(`opening of ${account.no} stated as ${what} on ${on}`), statements };
}

/** An account of its own that ends: with its money, emptied, or emptied while something is wrong with it. */
function ending(trader: Trader): Item {
  const { random } = trader;
  const [fen, no] = [trader.amount(), trader.number('L')];
  const day = trader.day();
  const account: WorldAccount = {
    no,
    fen,
    autoSettle: false,
    opening: 'stated',
    bookedFen: random.chance(0.5) ? fen : undefined,
    isListed: true,
    isOnPlatform: true,
    activeTo: `${addDays(day, random.whole(-1, 1))} 12:00:00`,
  };
  const item = endingItem(trader, account, day);
  return {
    ...item,
    name: `${no} ends at ${account.activeTo}: ${item.name}`,
    accounts: [account],
  };
}

function endingItem(trader: Trader, account: WorldAccount, day: string): Item {
  const { random } = trader;
  const { no, fen } = account;
  const drawn = random.fraction();
  if (drawn < 0.2) return emptyItem('with its money');
  if (drawn < 0.5 && trader.takeBalanceDay(no, day))
    return unrecorded(trader, { fen: -fen, day, account, adjustedOn: addDays(day, 1) });
  const facts = { ...trader.withdrawalFacts(account, trader.course(day)), fen, feeFen: 0n };
  const item = withdrawalItem(facts, trader.style);
  if (drawn < 0.7) return item;
  const isBooked = random.chance(0.5);
  const bookedOn = addDays(day, 1);
  const late = { id: `e-${facts.no}`, account: no, kind: 'withdrawal', reference: facts.no, fen: -fen };
  const missing = { account: no, reference: facts.no, fen: -fen, classes: ['platform_only'], from: day };
  return {
    ...item,
    name: `${item.name}, booked ${isBooked ? `on ${bookedOn}` : 'never'}`,
    entries: isBooked ? [{ ...late, at: trader.moment(bookedOn) }] : [],
    differences: [{ ...missing, ...(isBooked && { until: bookedOn }) }],
  };
}

/**
 * An account that the company lists only after it paid another one: what its order was registered otherwise is told on the
 * payee until then.
 */
function joining(trader: Trader): Item | undefined {
  const { random } = trader;
  const payee = trader.accounts.find(
    ({ isListed, isOnPlatform, opening, autoSettle }) =>
      isListed && isOnPlatform && opening === 'stated' && !autoSettle,
  );
  if (payee === undefined) return undefined;
  const day = trader.day();
  const listedOn = addDays(day, random.whole(1, 2));
  const account: WorldAccount = {
    no: trader.number('J'),
    fen: trader.amount(1_000_000, 5_000_000),
    autoSettle: false,
    opening: 'stated',
    bookedFen: undefined,
    isListed: true,
    isOnPlatform: true,
    listedOn,
  };
  const { no } = account;
  const drawn = trader.transferFacts(account, trader.course(day));
  const facts = { ...drawn, payee: payee.no, isPayeeOurs: true, settlesAfter: undefined };
  const item = transferItem(facts, trader.style);
  const otherFen = random.chance(0.7) ? trader.amount() : facts.fen;
  const [reference, thread] = [`B-${facts.no}`, {}];
  const told = { reference, fen: undefined, classes: ['batch_children'], thread };
  return {
    ...item,
    name: `${no} pays ${item.name}, registered as ${otherFen}, and is listed on ${listedOn}`,
    accounts: [account],
    orders: item.orders.map((order) => ({ ...order, fen: otherFen })),
    entries: item.entries.filter((entry) => entry.account !== no),
    statements: [{ account: no, on: listedOn, opening: { at: `${listedOn} 00:00:00`, moreFen: 0n } }],
    differences:
      otherFen === facts.fen
        ? []
        : [
            { ...told, account: payee.no, from: day, until: listedOn },
            { ...told, account: no, from: listedOn },
          ],
  };
}

/** Its record carries a moment after the balance that holds it was read: at midnight, or at night. */
function stampedAhead(trader: Trader): Item {
  const { random } = trader;
  const account = trader.account();
  const next = addDays(trader.day(account), 1);
  const [cameAt, stampedAt] = random.chance(0.5)
    ? [later(`${next} 00:00:00`, random.whole(-3, 4)), `${next} 00:00:${two(random.whole(6, 15))}`]
    : [`${next} 01:59:${two(random.whole(50, 59))}`, `${next} 02:00:${two(random.whole(10, 59))}`];
  const facts = { ...trader.depositFacts(account, next), at: stampedAt, bookedAt: later(stampedAt, 600) };
  const item = depositItem(facts, trader.style);
  return {
    ...item,
    name: `${item.name}: came at ${cameAt}, stamped ${stampedAt}`,
    deposits: item.deposits.map((seed) => ({ ...seed, bookedAt: cameAt, visibleFrom: cameAt })),
  };
}

export const ACCOUNT_PLANTS: Readonly<Record<string, Plant>> = {
  acrossOpening,
  otherAcrossOpening,
  openingRestated,
  ending,
  stampedAhead,
  joining,
};
