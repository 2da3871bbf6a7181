/** Errors of the books: each is an item of its own, with what a night must say of it. */
import { addDays } from '../../src/core/time.ts';
import type { BookLine } from '../helpers/company/company-files.ts';
import type { Trader } from './draw-trade.ts';
import { emptyItem } from './item.ts';
import type { Item, Plant, TrueDifference } from './item.ts';
import { depositItem, transferItem, withdrawalItem } from './trade-items.ts';

export interface Subject {
  item: Item;
  account: string;
  reference: string;
  day: string;
  /** What truly moved, its fee included. */
  fen: bigint;
  kind: string;
  at: string;
}

/** Something that happened well within a day, booked by its number; the side of it that is to be corrupt. */
export function subjectOf(trader: Trader): Subject {
  const account = trader.account();
  const day = trader.day(account);
  const kind = trader.random.one(['deposit', 'withdrawal', 'transfer_out'] as const);
  if (kind === 'deposit') {
    const facts = trader.depositFacts(account, day);
    const item = depositItem({ ...facts, reference: facts.no }, trader.style);
    return subject(item, { account: account.no, reference: facts.no, day, kind });
  }
  if (kind === 'withdrawal') {
    const facts = trader.withdrawalFacts(account, trader.course(day));
    return subject(withdrawalItem(facts, trader.style), {
      account: account.no,
      reference: facts.no,
      day,
      kind,
    });
  }
  const facts = trader.transferFacts(account, trader.course(day));
  return subject(transferItem(facts, trader.style), { account: account.no, reference: facts.no, day, kind });
}

/** What a transfer brings to an account of the company. */
export function incomingOf(trader: Trader): Subject | undefined {
  const payer = trader.account();
  const day = trader.day(payer);
  const facts = trader.transferFacts(payer, trader.course(day));
  const payee = trader.accounts.find(({ no }) => no === facts.payee);
  if (payee?.opening !== 'stated') return undefined;
  const kind = 'transfer_in';
  return subject(transferItem(facts, trader.style), { account: payee.no, reference: facts.no, day, kind });
}

function subject(item: Item, of: Omit<Subject, 'item' | 'fen' | 'at'>): Subject {
  const own = item.truth.find(({ account }) => account === of.account);
  return { ...of, item, fen: own?.fen ?? 0n, at: own?.at ?? '' };
}

export function isOf({ account, reference, kind }: Subject, entry: BookLine): boolean {
  return (
    entry.account === account && entry.reference === reference && [kind, 'fee'].includes(entry.kind ?? '')
  );
}

/** The same item with other books of the subject, and with what is wrong about them. */
function corrupt(
  of: Subject,
  how: string,
  change: (own: readonly BookLine[]) => BookLine[],
  differences: readonly Omit<TrueDifference, 'from'>[],
): Item {
  const own = of.item.entries.filter((entry) => isOf(of, entry));
  const others = of.item.entries.filter((entry) => !isOf(of, entry));
  return {
    ...of.item,
    name: `${of.item.name}: ${how}`,
    entries: [...others, ...change(own)],
    differences: differences.map((one) => ({ from: of.day, ...one })),
  };
}

const ONE_SIDED = ['platform_only', 'account'];

function missing(trader: Trader): Item {
  const of = subjectOf(trader);
  const { account, reference, fen } = of;
  return corrupt(of, 'not booked', () => [], [{ account, reference, fen, classes: ['platform_only'] }]);
}

/** Booked days later, as of then. */
function bookedLate(trader: Trader): Item | undefined {
  const of = subjectOf(trader);
  const { account, reference, fen } = of;
  const bookedOn = addDays(of.day, trader.random.whole(1, 2));
  const at = trader.moment(bookedOn);
  return corrupt(of, `booked at ${at}`, (own) => own.filter(isPosted).map((entry) => ({ ...entry, at })), [
    { account, reference, fen, classes: ['platform_only'], until: bookedOn },
  ]);
}

function wrongAmount(trader: Trader): Item {
  const of = subjectOf(trader);
  const { account, reference } = of;
  const moreFen = trader.amount(100, 900_000) * (trader.random.chance(0.5) ? 1n : -1n);
  return corrupt(of, `booked with ${moreFen} more`, (own) => changed(own, of.kind, moreFen), [
    { account, reference, fen: -moreFen, classes: ['amount', 'fee'] },
  ]);
}

function changed(own: readonly BookLine[], kind: string, moreFen: bigint): BookLine[] {
  return own.map((entry) => (entry.kind === kind ? { ...entry, fen: entry.fen + moreFen } : entry));
}

export function isPosted({ status }: BookLine): boolean {
  return status !== 'pending';
}

function bookedTwice(trader: Trader): Item {
  const of = subjectOf(trader);
  const { account, reference, fen } = of;
  const again = (own: readonly BookLine[]): BookLine[] =>
    own.filter(isPosted).map((entry) => ({ ...entry, id: `${entry.id}-again` }));
  return corrupt(of, 'booked twice', (own) => [...own, ...again(own)], [
    { account, reference, fen: -fen, classes: ['duplicate'] },
  ]);
}

function wrongAccount(trader: Trader): Item | undefined {
  const of = subjectOf(trader);
  const { account, reference, fen } = of;
  const parties = of.item.entries.map((entry) => entry.account);
  const others = trader.accounts.filter(
    ({ no, isListed, isOnPlatform, opening }) =>
      isListed && isOnPlatform && opening === 'stated' && !parties.includes(no),
  );
  const [other] = others;
  if (other === undefined) return undefined;
  return corrupt(
    of,
    `booked on ${other.no}`,
    (own) => own.map((entry) => ({ ...entry, account: other.no })),
    [
      { account, reference, fen, classes: ONE_SIDED },
      { account: other.no, reference, fen: -fen, classes: ['ledger_only', 'account'] },
    ],
  );
}

/** A number that nothing has: neither side may be taken for the other. */
function wrongReference(trader: Trader): Item {
  const of = subjectOf(trader);
  const { account, reference, fen } = of;
  const wrong = trader.number('N');
  const renamed = (entry: BookLine): BookLine => ({ ...entry, reference: wrong });
  return corrupt(of, `booked under ${wrong}`, (own) => own.map(renamed), [
    { account, reference, fen, classes: ['platform_only'] },
    { account, reference: wrong, fen: -fen, classes: ['ledger_only'] },
  ]);
}

function forgottenFee(trader: Trader): Item {
  const account = trader.account();
  const day = trader.day(account);
  const facts = trader.withdrawalFacts(account, trader.course(day));
  const charged = { ...facts, feeFen: trader.amount(100, 999), feeType: 'ACCOUNT' as const };
  const item = withdrawalItem(charged, { ...trader.style, fees: 'apart' });
  const of = subject(item, { account: account.no, reference: facts.no, day, kind: 'withdrawal' });
  return corrupt(of, 'its fee not booked', (own) => own.filter(({ kind }) => kind !== 'fee'), [
    { account: of.account, reference: of.reference, fen: -charged.feeFen, classes: ['fee', 'amount'] },
  ]);
}

function nothingBehindIt(trader: Trader): Item {
  const { no: account, ...of } = trader.account();
  const day = trader.day({ no: account, ...of });
  const [id, fen] = [trader.number('P'), trader.amount()];
  const kind = trader.random.one(['deposit', 'withdrawal', 'transfer_in']);
  const signedFen = kind === 'withdrawal' ? -fen : fen;
  const reference = kind === 'transfer_in' || trader.random.chance(0.5) ? trader.number('N') : '';
  const entry = { id, account, kind, fen: signedFen, at: trader.moment(day), reference };
  return {
    ...emptyItem(`entry ${id} with nothing behind it`),
    entries: [reference === '' ? { ...entry, counterparty: `payer of ${id}` } : entry],
    differences: [{ account, fen: -signedFen, classes: ['ledger_only'], from: day }],
  };
}

function failedButBooked(trader: Trader): Item {
  const account = trader.account();
  const day = trader.day(account);
  const course = trader.course(day, true);
  const facts = trader.withdrawalFacts(account, course);
  const item = withdrawalItem({ ...facts, feeFen: 0n }, trader.style);
  const { no: reference } = facts;
  return {
    ...item,
    name: `${item.name}: failed, and booked`,
    entries: [
      {
        id: `e-${reference}`,
        account: account.no,
        kind: 'withdrawal',
        fen: -facts.fen,
        reference,
        at: course.bookedAt,
      },
    ],
    differences: [{ account: account.no, reference, fen: facts.fen, classes: ['state'], from: day }],
  };
}

/** Pending with another amount: only what agrees is a matter of time. */
function pendingOther(trader: Trader): Item {
  const of = subjectOf(trader);
  const { account, reference, fen, day } = of;
  const at = `${addDays(day, 1)} 12:00:00`;
  const id = `e-${reference}-pending`;
  const otherFen = trader.random.chance(0.5) ? 1n : fen + trader.amount();
  const entry = { id, account, kind: of.kind, fen: otherFen, at: of.at, reference };
  const right = { ...entry, fen, at };
  return corrupt(
    of,
    `pending as ${otherFen}, right on the next day`,
    () => [{ ...entry, status: 'pending' }, right],
    [{ account, reference, fen: fen - otherFen, classes: ['amount'], until: addDays(day, 1) }],
  );
}

/** Booked after midnight, before the night looks, with another amount. */
function lateOther(trader: Trader): Item {
  const of = subjectOf(trader);
  const { account, reference, fen, day } = of;
  const otherFen = fen < 0n ? -trader.amount() : trader.amount();
  const entry = { id: `e-${reference}-late`, account, kind: of.kind, fen: otherFen, reference };
  return corrupt(
    of,
    `booked as ${otherFen} after midnight`,
    () => [{ ...entry, at: `${addDays(day, 1)} 00:30:00` }],
    [{ account, reference, fen: fen - otherFen, classes: ['amount'] }],
  );
}

export const BOOK_PLANTS: Readonly<Record<string, Plant>> = {
  missing,
  bookedLate,
  wrongAmount,
  bookedTwice,
  wrongAccount,
  wrongReference,
  forgottenFee,
  nothingBehindIt,
  failedButBooked,
  pendingOther,
  lateOther,
};
