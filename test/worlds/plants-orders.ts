/** Orders: errors that make up for each other under one reference or in one batch, and what is registered late. */
import { addDays } from '../../src/core/time.ts';
import type { BookLine } from '../helpers/company/company-files.ts';
import { STRANGER, later } from './draw-trade.ts';
import type { Trader } from './draw-trade.ts';
import type { Item, Plant, WorldAccount } from './item.ts';
import { transferItem, withdrawalItem } from './trade-items.ts';
import type { TransferFacts } from './trade-items.ts';

/** Two accounts that are known from the beginning. */
function twoStated({ random, accounts }: Trader): [WorldAccount, WorldAccount] | undefined {
  const suiting = accounts.filter((one) => one.isListed && one.isOnPlatform && one.opening === 'stated');
  const first = suiting[random.whole(0, suiting.length - 1)];
  const others = suiting.filter((one) => one !== first);
  const second = others[random.whole(0, others.length - 1)];
  return first === undefined || second === undefined ? undefined : [first, second];
}

function isPosted({ status }: BookLine): boolean {
  return status !== 'pending';
}

/** One side of a transfer is booked twice, and the other side's entry is booked there too: the sums agree. */
function nettedReference(trader: Trader): Item | undefined {
  const pair = twoStated(trader);
  if (pair === undefined) return undefined;
  const [payer, payee] = pair;
  const day = trader.day();
  const drawn = trader.transferFacts(payer, trader.course(day));
  // Which of several orders a repeated entry of a fee belongs to, nobody can tell.
  const given = { payee: payee.no, isPayeeOurs: true, settlesAfter: undefined };
  const facts = { ...drawn, ...given, feeFen: 0n };
  const item = transferItem(facts, trader.style);
  const [twice, moved] = trader.random.chance(0.5) ? [payer, payee] : [payee, payer];
  const fenOf = ({ no }: WorldAccount): bigint => item.truth.find((one) => one.account === no)?.fen ?? 0n;
  const entriesOf = ({ no }: WorldAccount) => item.entries.filter((one) => one.account === no);
  const again = entriesOf(twice).filter(isPosted);
  const common = { reference: facts.no, from: day };
  return {
    ...item,
    name: `${item.name}: booked twice on ${twice.no}, and what belongs to ${moved.no} there too`,
    entries: [
      ...entriesOf(twice),
      ...again.map((entry) => ({ ...entry, id: `${entry.id}-again` })),
      ...entriesOf(moved).map((entry) => ({ ...entry, account: twice.no })),
    ],
    differences: [
      { ...common, account: twice.no, fen: -fenOf(twice), classes: ['duplicate'] },
      { ...common, account: twice.no, fen: -fenOf(moved), classes: ['account', 'ledger_only'] },
      { ...common, account: moved.no, fen: fenOf(moved), classes: ['account', 'platform_only'] },
    ],
  };
}

/** Several orders of one payer under one number; each has its own course. */
function batchOf(trader: Trader, payer: WorldAccount, day: string): { item: Item; facts: TransferFacts[] } {
  const { random } = trader;
  const { sentAt } = trader.course(day);
  const facts = Array.from({ length: random.whole(2, 4) }, () => {
    const doneAt = later(sentAt, random.whole(5, 900));
    const course = {
      sentAt,
      doneAt,
      bookedAt: later(doneAt, random.whole(30, 900)),
      fails: random.chance(0.15),
    };
    return trader.transferFacts(payer, course);
  });
  const outBatchNo = trader.number('M');
  const items = facts.map((one) => transferItem(one, trader.style));
  const [first] = items;
  const [batch] = first?.transfers ?? [];
  if (first === undefined || batch === undefined) throw new Error('a batch has orders');
  const item = {
    ...first,
    name: `batch ${outBatchNo} of ${facts.map(({ no }) => no).join(', ')}`,
    transfers: [
      {
        ...batch,
        outBatchNo,
        orders: items.flatMap(({ transfers }) => transfers.flatMap((one) => one.orders)),
      },
    ],
    orders: items.flatMap(({ orders }) => orders.map((one) => ({ ...one, outBatchNo }))),
    entries: items.flatMap(({ entries }) => entries.map((one) => ({ ...one, outBatchNo }))),
    truth: items.flatMap(({ truth }) => truth),
  };
  return { item, facts };
}

function batch(trader: Trader): Item {
  const payer = trader.account();
  return batchOf(trader, payer, trader.day(payer)).item;
}

/** Of two orders of a batch one is booked with too much and the other with as much too little. */
function nettedBatch(trader: Trader): Item | undefined {
  const payer = trader.account();
  const day = trader.day(payer);
  const { item, facts } = batchOf(trader, payer, day);
  const [more, less] = facts.filter(({ fails }) => !fails);
  if (more === undefined || less === undefined) return undefined;
  const fen = trader.amount(100, 900_000);
  const isPrincipal = (entry: BookLine, { no }: TransferFacts): boolean =>
    entry.account === payer.no && entry.kind === 'transfer_out' && entry.reference === no;
  const common = { account: payer.no, classes: ['amount', 'fee'], from: day };
  return {
    ...item,
    name: `${item.name}: ${more.no} booked with ${fen} more, ${less.no} with ${fen} less`,
    entries: item.entries.map((entry) => {
      const wrongFen = isPrincipal(entry, more) ? fen : isPrincipal(entry, less) ? -fen : 0n;
      return { ...entry, fen: entry.fen + wrongFen };
    }),
    differences: [
      { ...common, reference: more.no, fen: -fen },
      { ...common, reference: less.no, fen },
    ],
  };
}

/** One order of a batch is not booked by the payer. */
function batchLacksOne(trader: Trader): Item | undefined {
  const payer = trader.account();
  const day = trader.day(payer);
  const { item, facts } = batchOf(trader, payer, day);
  const lacking = facts.find(({ fails }) => !fails);
  const fen = item.truth.find(({ account }) => account === payer.no)?.fen;
  if (lacking === undefined || fen === undefined) return undefined;
  const { no: reference } = lacking;
  return {
    ...item,
    name: `${item.name}: ${reference} not booked`,
    entries: item.entries.filter((one) => one.account !== payer.no || one.reference !== reference),
    differences: [{ account: payer.no, reference, fen, classes: ['platform_only', 'account'], from: day }],
  };
}

function oneOrder(trader: Trader, day: string, account: WorldAccount): Item {
  const course = trader.course(day);
  if (trader.random.chance(0.5)) return withdrawalItem(trader.withdrawalFacts(account, course), trader.style);
  const facts = trader.transferFacts(account, course);
  return transferItem(
    { ...facts, payee: STRANGER, isPayeeOurs: false, settlesAfter: undefined },
    trader.style,
  );
}

/**
 * The books name it, so it is asked for and seen; the registry has it only afterwards.
 */
function registeredAfterwards(trader: Trader): Item {
  const account = trader.account(({ opening }) => opening === 'stated');
  const day = trader.day(account);
  const item = oneOrder(trader, day, account);
  const handedInAt = trader.moment(addDays(day, trader.random.whole(1, 2)));
  return {
    ...item,
    name: `${item.name}: booked, and registered only at ${handedInAt}`,
    orders: item.orders.map((order) => ({ ...order, handedInAt })),
  };
}

/** Neither registered nor booked until days later: until then nobody can explain what it moved. */
function knownLate(trader: Trader): Item | undefined {
  const account = trader.account();
  const day = trader.day(account);
  const on = addDays(day, trader.random.whole(1, 2));
  if (!trader.takeBalanceDay(account.no, day)) return undefined;
  const item = oneOrder(trader, day, account);
  const handedInAt = trader.moment(on);
  const fen = item.truth[0]?.fen;
  return {
    ...item,
    name: `${item.name}: registered and booked only at ${handedInAt}`,
    orders: item.orders.map((order) => ({ ...order, handedInAt })),
    entries: item.entries.filter(isPosted).map((entry) => ({ ...entry, at: handedInAt })),
    truth: item.truth.map((one) => ({ ...one, recordedOn: on })),
    differences: [
      { account: account.no, reference: account.no, fen, classes: ['unexplained'], from: day, until: on },
    ],
  };
}

/** So long an order may be under way, and what is under way be booked, before it is a break. */
const AGING_DAYS = 3;

/**
 * Booked with another amount while it is under way, or while the platform does not know it: only what agrees is a
 * matter of time, and that only for so long. Then nothing is known of what the platform does not know, whoever
 * registered it.
 */
function openOther(trader: Trader): Item {
  const account = trader.account(({ opening }) => opening === 'stated');
  const day = trader.day(account);
  const sentAt = trader.moment(day);
  const doneAt = `${addDays(trader.days.at(-1) ?? '', 2)} 12:00:00`;
  const course = { sentAt, doneAt, bookedAt: later(sentAt, 60), fails: false };
  const facts = { ...trader.withdrawalFacts(account, course), feeFen: 0n };
  const item = withdrawalItem(facts, { fees: 'within', when: 'done' });
  const [isKnown, otherFen] = [trader.random.chance(0.5), trader.amount()];
  const [common, oldOn] = [{ account: account.no, reference: facts.no }, addDays(day, AGING_DAYS)];
  const wrong = { ...common, fen: otherFen - facts.fen, classes: ['amount'], from: day };
  return {
    ...item,
    name: `${item.name}: ${isKnown ? 'under way' : 'unknown'}, and booked as ${otherFen}`,
    withdrawals: isKnown ? item.withdrawals : [],
    entries: item.entries.map((entry) => ({ ...entry, fen: -otherFen })),
    truth: [],
    differences: isKnown
      ? [wrong, { ...common, fen: facts.fen, classes: ['state'], from: oldOn }]
      : [
          { ...wrong, until: oldOn },
          { ...common, fen: otherFen, classes: ['ledger_only'], from: oldOn },
        ],
  };
}

export const ORDER_PLANTS: Readonly<Record<string, Plant>> = {
  nettedReference,
  batch,
  nettedBatch,
  batchLacksOne,
  registeredAfterwards,
  knownLate,
  openOther,
};
