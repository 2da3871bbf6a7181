/**
 * Tries every way in which orders may lie inside or outside a balance, and keeps those that explain it best: both
 * balance and frozen amount, else one of the two, else those that leave the least. Pure arithmetic.
 */
import type { Fen } from '../core/fen.ts';
import { BestChoices, compareFen } from './best-choices.ts';
import { rankOf } from './timing-rank.ts';
import { ITEMS_MAX } from './timing-question.ts';
import type { Assignment, InflightModel, Place, TimingItem, TimingQuestion } from './timing-question.ts';

export type Side = 'inside' | 'outside';

export interface Search {
  rank: number;
  /** Those that leave least first, of them the ones nearest to the usual places. */
  assignments: Assignment[];
  /** There are more than can be kept. */
  isCapped: boolean;
  /** Items that may lie on either side of the balance, and lie on the same one in all of the assignments. */
  certain: ReadonlyMap<string, Side>;
}

/**
 * Tries every in-or-out choice under one model, one flip at a time (Gray code), and keeps those of the best
 * rank.
 */
export function search(question: TimingQuestion, model: InflightModel): Search {
  const wavering = question.items.filter(isWavering);
  if (wavering.length > ITEMS_MAX) throw new Error('Bug: more orders than can be weighed');
  const isAllowed = orderRule(question.items, wavering);
  const usual = wavering.reduce((mask, { usual }, at) => (usual === 'after' ? mask | (1 << at) : mask), 0);
  const found = new BestChoices(usual);
  const tally = new Tally(question, wavering);
  for (let step = 1; ; step++) {
    const { outside: mask, openFen } = tally;
    const heldFen = model === 'debited' ? openFen : 0n;
    const unexplainedFen = tally.unexplainedFen + heldFen;
    if (isAllowed(mask)) {
      const rank = rankOf(question, {
        model,
        unexplainedFen,
        openFen,
        unseenHolds: () => tally.unseenHolds(),
      });
      found.offer({ mask, unexplainedFen, rank }, () => tally.effect(heldFen));
    }
    if (step >= 2 ** wavering.length) break;
    tally.flip(31 - Math.clz32(step & -step));
  }
  const assignments = found
    .inOrder()
    .flatMap(({ mask }) => assignmentsOf(question, model, outsideOf(question.items, wavering, mask)));
  const certain = wavering.flatMap(({ key }, at) => {
    const side = found.sideOf(at);
    return side === undefined ? [] : [[key, side] as const];
  });
  return { rank: found.rank, assignments, isCapped: found.isCapped, certain: new Map(certain) };
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
  readonly #wavering: readonly TimingItem[];
  readonly #bits: ReadonlyMap<string, number>;
  /** Items that hold something only once that one is in the balance. */
  readonly #followers: ReadonlyMap<string, readonly TimingItem[]>;
  readonly #unseen: readonly TimingItem[];

  /** Begins with every item in the balance that may be. */
  constructor({ items, unexplainedFen, openFen }: TimingQuestion, wavering: readonly TimingItem[]) {
    this.#wavering = wavering;
    this.#bits = new Map(wavering.map(({ key }, at) => [key, 1 << at]));
    this.#lined = wavering.reduce(
      (mask, item, at) =>
        lineAt(item, insidePlace(item)) === item.lineFen.notBefore ? mask : mask | (1 << at),
      0,
    );
    this.#followers = Map.groupBy(
      items.filter(({ notBeforeItem }) => notBeforeItem !== undefined),
      ({ notBeforeItem }) => notBeforeItem ?? '',
    );
    this.#unseen = items.filter(isUnseen);
    this.unexplainedFen = items.reduce(
      (sum, item) => sum + unexplainedBy(item, isOutside(item)),
      unexplainedFen,
    );
    const out = new Set(items.filter(isOutside).map(({ key }) => key));
    this.openFen = items.reduce((sum, item) => sum + heldBy(item, out), openFen);
  }

  flip(at: number): void {
    const item = this.#wavering[at];
    if (item === undefined) throw new Error('Bug: no such item');
    this.outside ^= 1 << at;
    const sign = this.#isOut(item) ? 1n : -1n;
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

  unseenHolds(): Fen[] {
    return this.#unseen
      .filter((item) => this.#isOut(item) && !this.#isHeldBack(item))
      .map(({ debitFen }) => debitFen);
  }

  #isOut(item: TimingItem): boolean {
    const bit = this.#bits.get(item.key);
    return bit === undefined ? isOutside(item) : (this.outside & bit) !== 0;
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

function isWavering({ places }: TimingItem): boolean {
  return places.includes('after') && places.length > 1;
}

function isOutside({ places }: TimingItem): boolean {
  return places.every((place) => place === 'after');
}

/** What is unexplained more when an item is in or outside the balance than with it at its usual place. */
function unexplainedBy({ usual, deltaFen }: TimingItem, outside: boolean): Fen {
  if (outside === (usual === 'after')) return 0n;
  return outside ? deltaFen : -deltaFen;
}

/** Between which amounts what is unexplained lies, wherever the items are. */
export function rangeOf(question: TimingQuestion): { least: Fen; most: Fen } {
  const { items, model, openFen, unexplainedFen } = question;
  const changes = items.flatMap((item) => {
    const sides = isWavering(item) ? [true, false] : [isOutside(item)];
    return [sides.map((outside) => unexplainedBy(item, outside)).toSorted(compareFen)];
  });
  const heldFen = model === 'frozen' ? 0n : items.reduce((sum, { debitFen }) => sum + debitFen, openFen);
  return {
    least: changes.reduce((sum, of) => sum + (of.at(0) ?? 0n), unexplainedFen),
    most: changes.reduce((sum, of) => sum + (of.at(-1) ?? 0n), unexplainedFen + heldFen),
  };
}

/** A settlement or refund in the balance has its transfer in the balance. */
function orderRule(
  items: readonly TimingItem[],
  wavering: readonly TimingItem[],
): (outside: number) => boolean {
  const bitOf = new Map(wavering.map(({ key }, at) => [key, 1 << at]));
  const alwaysOut = new Set(items.filter(isOutside).map(({ key }) => key));
  const rules = items.flatMap(({ key, places, notBeforeItem: first }) => {
    if (first === undefined || alwaysOut.has(key)) return [];
    const later = places.includes('after') ? (bitOf.get(key) ?? 0) : 0;
    const earlier = alwaysOut.has(first) ? -1 : (bitOf.get(first) ?? 0);
    return earlier === 0 ? [] : [{ later, earlier }];
  });
  return (outside) =>
    rules.every(({ later, earlier }) => {
      const isLaterOut = later !== 0 && (outside & later) !== 0;
      const isEarlierOut = earlier === -1 || (outside & earlier) !== 0;
      return isLaterOut || !isEarlierOut;
    });
}

function outsideOf(
  items: readonly TimingItem[],
  wavering: readonly TimingItem[],
  mask: number,
): ReadonlySet<string> {
  const outside = new Set(items.filter(isOutside).map(({ key }) => key));
  wavering.forEach(({ key }, at) => {
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
    question.items.map((item) => [item.key, outside.has(item.key) ? 'after' : insidePlace(item)]),
  );
  const divided = question.items
    .filter((item) => usual.get(item.key) === 'before' && isEitherSide(item))
    .map(({ key }) => new Map(usual).set(key, 'between'))
    .filter((places) => question.items.every((item) => followsItsTransfer(item, places)));
  return [usual, ...divided].map((places) => assign(question, model, { outside, places }));
}

/** In the balance, and neither our looks nor the books tell on which side of the cut. */
function isEitherSide({ places, bookedSide, deltaFen }: TimingItem): boolean {
  return (
    bookedSide === undefined && deltaFen !== 0n && places.includes('before') && places.includes('between')
  );
}

/** A settlement or refund before the cut has its transfer before it as well. */
function followsItsTransfer({ key, notBeforeItem }: TimingItem, places: ReadonlyMap<string, Place>): boolean {
  return (
    notBeforeItem === undefined || places.get(notBeforeItem) !== 'between' || places.get(key) !== 'before'
  );
}

function assign(
  question: TimingQuestion,
  model: InflightModel,
  { outside, places }: { outside: ReadonlySet<string>; places: ReadonlyMap<string, Place> },
): Assignment {
  let { unexplainedFen, openFen, closingFen } = question;
  for (const item of question.items) {
    const place = places.get(item.key) ?? 'after';
    openFen += heldBy(item, outside);
    unexplainedFen += unexplainedBy(item, place === 'after');
    closingFen += laterChange(item.usual, place) * item.deltaFen;
  }
  const heldFen = model === 'debited' ? openFen : 0n;
  return {
    model,
    places,
    openFen,
    unseenHolds: () =>
      question.items.filter(isUnseen).flatMap((item) => {
        const fen = heldBy(item, outside);
        return fen === 0n ? [] : [fen];
      }),
    unexplainedFen: unexplainedFen + heldFen,
    closingFen: closingFen + heldFen,
  };
}

/** The closing is the balance less what came between cut and balance. */
function laterChange(usual: Place, place: Place): bigint {
  return (usual === 'between' ? 1n : 0n) - (place === 'between' ? 1n : 0n);
}

/** Inside the balance, the side of the cut on which the books have it; what they lack is before it first of all. */
function insidePlace({ places, bookedSide }: TimingItem): Place {
  const inside = places.filter((place) => place !== 'after');
  const wanted: Place = bookedSide === 'after' ? 'between' : 'before';
  return inside.includes(wanted) ? wanted : (inside[0] ?? 'between');
}

export function lineAt({ lineFen }: TimingItem, place: Place): Fen {
  return place === 'before' ? lineFen.before : lineFen.notBefore;
}
