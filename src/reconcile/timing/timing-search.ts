/**
 * Tries every way in which orders may lie inside or outside a balance, and keeps those that explain it best: both
 * balance and frozen amount, else one of the two, else those that leave the least. Pure arithmetic.
 */
import type { Fen } from '../../core/fen.ts';
import { BestChoices, ONE_FITS, compareFen } from './best-choices.ts';
import { BoundedSums } from './possible-holds.ts';
import { rankOf } from './timing-rank.ts';
import { ITEMS_MAX } from './timing-question.ts';
import {
  bitsOf,
  followsItsTransfer,
  insidePlace,
  isAfter,
  isAmbiguous,
  isOut,
  isOutside,
  orderRule,
  outsidePlace,
} from './timing-sides.ts';
import type { Assignment, InflightModel, Place, TimingItem, TimingQuestion } from './timing-question.ts';

export type Side = 'inside' | 'outside';

export interface Search {
  rank: number;
  /** Those that leave least first, of them the ones nearest to the usual places. */
  assignments: Assignment[];
  /** There are more than can be kept. */
  isCapped: boolean;
  /** Items that may be among the movements up to the balance or not, and are the same in all of the assignments. */
  certain: ReadonlyMap<string, Side>;
  /** Orders that no look had shown are too many to tell what they leave out of the frozen amount: nothing is taken for it. */
  isUnseenUndecided: boolean;
}

/**
 * Tries every in-or-out choice under one model and keeps those of the best rank. What orders that no look had shown
 * leave out of the frozen amount is asked where nothing explains it without that: of all choices, or of none.
 */
export function search(question: TimingQuestion, model: InflightModel): Search {
  const ambiguousItems = question.items.filter(isAmbiguous);
  if (ambiguousItems.length > ITEMS_MAX) throw new Error('Bug: more orders than can be weighed');
  let found = bestChoices(question, model, ambiguousItems);
  let isUnseenUndecided = false;
  if (found.rank === ONE_FITS && model === 'frozen' && question.items.some(isUnseen)) {
    const sums = new BoundedSums();
    const withUnseen = bestChoices(question, model, ambiguousItems, sums);
    isUnseenUndecided = sums.isSpent;
    if (!isUnseenUndecided) found = withUnseen;
  }
  const assignments = found
    .inOrder()
    .flatMap(({ mask }) => assignmentsOf(question, model, outsideOf(question.items, ambiguousItems, mask)));
  const certain = ambiguousItems.flatMap(({ key }, at) => {
    const side = found.sideOf(at);
    return side === undefined ? [] : [[key, side] as const];
  });
  return {
    rank: found.rank,
    assignments,
    isCapped: found.isCapped,
    certain: new Map(certain),
    isUnseenUndecided,
  };
}

/** One flip at a time (Gray code). */
function bestChoices(
  question: TimingQuestion,
  model: InflightModel,
  ambiguousItems: readonly TimingItem[],
  sums?: BoundedSums,
): BestChoices {
  const isAllowed = orderRule(question.items, ambiguousItems);
  const usual = ambiguousItems.reduce((mask, { usual }, at) => (isOut(usual) ? mask | (1 << at) : mask), 0);
  const found = new BestChoices(usual);
  const tally = new Tally(question, ambiguousItems);
  for (let step = 1; ; step++) {
    const { outside: mask, openFen } = tally;
    const heldFen = model === 'debited' ? openFen : 0n;
    const unexplainedFen = tally.unexplainedFen + heldFen;
    if (isAllowed(mask)) {
      const unseen = sums && { sums, holds: () => tally.unseenHolds() };
      const rank = rankOf(question, { model, unexplainedFen, openFen }, unseen);
      found.offer({ mask, unexplainedFen, rank }, () => tally.effect(heldFen));
    }
    if (step >= 2 ** ambiguousItems.length) return found;
    tally.flip(31 - Math.clz32(step & -step));
  }
}

/** The sums of one choice, kept up as single items go out of the balance and come back into it. */
class Tally {
  outside = 0;
  unexplainedFen: Fen;
  openFen: Fen;
  /** What the closing is more than with every item in the balance that may be. */
  #closingFen = 0n;
  /** Items that leave another line outside the balance than in it. */
  readonly #lined: number;
  readonly #ambiguousItems: readonly TimingItem[];
  readonly #bits: ReadonlyMap<string, number>;
  /** Items that hold something only once that one is in the balance. */
  readonly #followers: ReadonlyMap<string, readonly TimingItem[]>;
  readonly #unseen: readonly TimingItem[];

  /** Begins with every item in the balance that may be. */
  constructor({ items, unexplainedFen, openFen }: TimingQuestion, ambiguousItems: readonly TimingItem[]) {
    this.#ambiguousItems = ambiguousItems;
    this.#bits = bitsOf(ambiguousItems);
    this.#lined = ambiguousItems.reduce(
      (mask, item, at) =>
        lineAt(item, insidePlace(item)) === lineAt(item, outsidePlace(item)) ? mask : mask | (1 << at),
      0,
    );
    this.#followers = Map.groupBy(
      items.filter(({ notBeforeItem }) => notBeforeItem !== undefined),
      ({ notBeforeItem }) => notBeforeItem ?? '',
    );
    this.#unseen = items.filter(isUnseen).toSorted((a, b) => compareFen(a.debitFen, b.debitFen));
    this.unexplainedFen = items.reduce(
      (sum, item) => sum + unexplainedBy(item, isOutside(item)),
      unexplainedFen,
    );
    const out = new Set(items.filter(isAfter).map(({ key }) => key));
    this.openFen = items.reduce((sum, item) => sum + heldBy(item, out), openFen);
  }

  flip(at: number): void {
    const item = this.#ambiguousItems[at];
    if (item === undefined) throw new Error('Bug: no such item');
    this.outside ^= 1 << at;
    const sign = (this.outside & (1 << at)) !== 0 ? 1n : -1n;
    this.unexplainedFen += sign * item.deltaFen;
    if (insidePlace(item) === 'between') this.#closingFen += sign * item.deltaFen;
    if (!this.#isHeldBack(item)) this.openFen += sign * item.debitFen;
    for (const follower of this.#followers.get(item.key) ?? []) {
      if (this.#isOut(follower)) this.openFen -= sign * follower.debitFen;
    }
  }

  /** What is unexplained, the closing and the lines; choices that agree in them are one. */
  effect(heldFen: Fen): string {
    return [this.unexplainedFen + heldFen, this.#closingFen + heldFen, this.outside & this.#lined].join(' ');
  }

  /** What is outside and no look had shown, in order of the amounts. */
  unseenHolds(): Fen[] {
    return this.#unseen
      .filter((item) => this.#isOut(item) && !this.#isHeldBack(item))
      .map(({ debitFen }) => debitFen);
  }

  #isOut(item: TimingItem): boolean {
    const bit = this.#bits.get(item.key);
    return bit === undefined ? isAfter(item) : (this.outside & bit) !== 0;
  }

  /** What it waits for is itself not in the balance: it holds nothing yet. */
  #isHeldBack({ notBeforeItem }: TimingItem): boolean {
    const bit = notBeforeItem === undefined ? undefined : this.#bits.get(notBeforeItem);
    return bit !== undefined && (this.outside & bit) !== 0;
  }
}

/** What an item outside the balance holds on the account: nothing as long as its transfer is outside as well. */
function heldBy({ key, debitFen, notBeforeItem }: TimingItem, outside: ReadonlySet<string>): Fen {
  const isWaiting = notBeforeItem !== undefined && outside.has(notBeforeItem);
  return outside.has(key) && !isWaiting ? debitFen : 0n;
}

/** Nobody can say that the platform had it when the balance was read. */
function isUnseen({ isSeenBefore, debitFen }: TimingItem): boolean {
  return !isSeenBefore && debitFen > 0n;
}

/** What is unexplained more when an item is in or outside the balance than with it at its usual place. */
function unexplainedBy({ usual, deltaFen }: TimingItem, outside: boolean): Fen {
  if (outside === isOut(usual)) return 0n;
  return outside ? deltaFen : -deltaFen;
}

/** Between which amounts what is unexplained lies, wherever the items are. */
export function rangeOf(question: TimingQuestion): { least: Fen; most: Fen } {
  const { items, model, openFen, unexplainedFen } = question;
  const changes = items.flatMap((item) => {
    const sides = isAmbiguous(item) ? [true, false] : [isOutside(item)];
    return [sides.map((outside) => unexplainedBy(item, outside)).toSorted(compareFen)];
  });
  const heldFen = model === 'frozen' ? 0n : items.reduce((sum, { debitFen }) => sum + debitFen, openFen);
  return {
    least: changes.reduce((sum, of) => sum + (of.at(0) ?? 0n), unexplainedFen),
    most: changes.reduce((sum, of) => sum + (of.at(-1) ?? 0n), unexplainedFen + heldFen),
  };
}

function outsideOf(
  items: readonly TimingItem[],
  ambiguousItems: readonly TimingItem[],
  mask: number,
): ReadonlySet<string> {
  const outside = new Set(items.filter(isOutside).map(({ key }) => key));
  ambiguousItems.forEach(({ key }, at) => {
    if ((mask & (1 << at)) !== 0) outside.add(key);
  });
  return outside;
}

/**
 * The ways in which one choice may be divided by the cut: as the books have it, and for each order in the balance
 * that they lack and nobody saw at the cut the other way too.
 */
function assignmentsOf(
  question: TimingQuestion,
  model: InflightModel,
  outside: ReadonlySet<string>,
): Assignment[] {
  const usual = new Map<string, Place>(
    question.items.map((item) => [item.key, outside.has(item.key) ? outsidePlace(item) : insidePlace(item)]),
  );
  const divided = question.items
    .filter((item) => usual.get(item.key) === 'before' && isEitherSide(item))
    .map(({ key }) => new Map(usual).set(key, 'between'))
    .filter((places) => question.items.every((item) => followsItsTransfer(item, places)));
  return [usual, ...divided].map((places) => assign(question, model, places));
}

/** In the balance, and neither our looks nor the books tell on which side of the cut. */
function isEitherSide({ places, bookedSide, deltaFen }: TimingItem): boolean {
  return (
    bookedSide === undefined && deltaFen !== 0n && places.includes('before') && places.includes('between')
  );
}

function assign(
  question: TimingQuestion,
  model: InflightModel,
  places: ReadonlyMap<string, Place>,
): Assignment {
  const after = new Set([...places].flatMap(([key, place]) => (place === 'after' ? [key] : [])));
  let { unexplainedFen, openFen, closingFen } = question;
  for (const item of question.items) {
    const place = places.get(item.key) ?? 'after';
    openFen += heldBy(item, after);
    unexplainedFen += unexplainedBy(item, isOut(place));
    closingFen += laterChange(item.usual, place) * item.deltaFen;
  }
  const heldFen = model === 'debited' ? openFen : 0n;
  return {
    model,
    places,
    openFen,
    unexplainedFen: unexplainedFen + heldFen,
    closingFen: closingFen + heldFen,
  };
}

/** The closing is the balance less what came between cut and balance. */
function laterChange(usual: Place, place: Place): bigint {
  return (usual === 'between' ? 1n : 0n) - (place === 'between' ? 1n : 0n);
}

export function lineAt({ lineFen }: TimingItem, place: Place): Fen {
  return place === 'before' ? lineFen.before : lineFen.notBefore;
}
