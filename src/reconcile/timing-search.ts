/**
 * Tries every way in which orders may lie inside or outside a balance, and keeps those that explain it best: both
 * balance and frozen amount, else the balance alone, else the one that leaves the least. Pure arithmetic.
 */
import type { Fen } from '../core/fen.ts';
import { BALANCE_FITS, BestChoices, FIT, FROZEN_FITS, UNFIT } from './best-choices.ts';

/** before: before the cut; between: after the cut, but in the balance; after: not in the balance. */
export type Place = 'before' | 'between' | 'after';

export interface TimingItem {
  key: string;
  /** What it changes the account by; 0 for an order that failed. */
  deltaFen: Fen;
  /** What it held on the account while it was open. */
  debitFen: Fen;
  /** Where it counts unless something speaks against it; what the question's figures are reckoned with. */
  usual: Place;
  /** What its bounds allow, at least one, in order of preference. */
  places: readonly Place[];
  /** The side of the cut on which the books have it; undefined where they do not have it at all. */
  bookedSide: 'before' | 'after' | undefined;
  /** What differs from the books when it counts before the cut, and when it does not. */
  lineFen: { before: Fen; notBefore: Fen };
  /** Key of the item that cannot come after this one: the transfer of a settlement or refund. */
  notBeforeItem: string | undefined;
}

export type InflightModel = 'frozen' | 'debited';

export interface TimingQuestion {
  /** Balance less what was expected with every item at its first place, under the frozen model. */
  unexplainedFen: Fen;
  /** The account's closing with every item at its first place, under the frozen model. */
  closingFen: Fen;
  /** Undefined where the platform states none. */
  frozenFen: Fen | undefined;
  /** Held by orders that were certainly open. */
  openFen: Fen;
  /** Whether a frozen amount beyond those may be held by what our looks leave open. */
  mayHold: (fen: Fen) => boolean;
  items: readonly TimingItem[];
  /** The profile's model, or auto; and what fitted last time. */
  model: InflightModel | 'auto';
  knownModel: InflightModel | undefined;
}

export interface Assignment {
  model: InflightModel;
  places: ReadonlyMap<string, Place>;
  openFen: Fen;
  unexplainedFen: Fen;
  closingFen: Fen;
}

/** More cannot be weighed (spec/reconciliation.md 3.4). */
export const ITEMS_MAX = 20;

export type Side = 'inside' | 'outside';

export interface Search {
  rank: number;
  assignments: Assignment[];
  /** Items that may lie on either side of the balance, and lie on the same one in all of the assignments. */
  certain: ReadonlyMap<string, Side>;
}

/**
 * Tries every in-or-out choice under one model, one flip at a time (Gray code), and keeps those of the best
 * rank, the ones nearest to the usual places first.
 */
export function search(question: TimingQuestion, model: InflightModel): Search {
  const wavering = question.items.filter(isWavering);
  if (wavering.length > ITEMS_MAX) throw new Error('Bug: more orders than can be weighed');
  const isAllowed = orderRule(question.items, wavering);
  const found = new BestChoices();
  const tally = new Tally(question, wavering);
  for (let step = 1; ; step++) {
    const heldFen = model === 'debited' ? tally.openFen : 0n;
    const unexplainedFen = tally.unexplainedFen + heldFen;
    if (isAllowed(tally.outside)) {
      found.offer(
        tally.outside,
        unexplainedFen,
        rankOf(question, { model, unexplainedFen, openFen: tally.openFen }),
      );
    }
    if (step >= 2 ** wavering.length) break;
    tally.flip(31 - Math.clz32(step & -step));
  }
  const usual = wavering.reduce((mask, { usual }, at) => (usual === 'after' ? mask | (1 << at) : mask), 0);
  const assignments = found
    .nearestTo(usual)
    .map((mask) => assign(question, model, outsideOf(question.items, wavering, mask)));
  const certain = wavering.flatMap(({ key }, at) => {
    const side = found.sideOf(at);
    return side === undefined ? [] : [[key, side] as const];
  });
  return { rank: found.rank, assignments, certain: new Map(certain) };
}

/** The sums of one choice, kept up as single items go out of the balance and come back into it. */
class Tally {
  outside = 0;
  unexplainedFen: Fen;
  openFen: Fen;
  readonly #wavering: readonly TimingItem[];
  readonly #bits: ReadonlyMap<string, number>;
  /** Items that hold something only once that one is in the balance. */
  readonly #followers: ReadonlyMap<string, readonly TimingItem[]>;

  /** Begins with every item in the balance that may be. */
  constructor({ items, unexplainedFen, openFen }: TimingQuestion, wavering: readonly TimingItem[]) {
    this.#wavering = wavering;
    this.#bits = new Map(wavering.map(({ key }, at) => [key, 1 << at]));
    this.#followers = Map.groupBy(
      items.filter(({ notBeforeItem }) => notBeforeItem !== undefined),
      ({ notBeforeItem }) => notBeforeItem ?? '',
    );
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
    if (!this.#isHeldBack(item)) this.openFen += sign * item.debitFen;
    for (const follower of this.#followers.get(item.key) ?? []) {
      if (this.#isOut(follower)) this.openFen -= sign * follower.debitFen;
    }
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

function assign(question: TimingQuestion, model: InflightModel, outside: ReadonlySet<string>): Assignment {
  const places = new Map<string, Place>();
  let { unexplainedFen, openFen, closingFen } = question;
  for (const item of question.items) {
    const place = outside.has(item.key) ? 'after' : insidePlace(item);
    places.set(item.key, place);
    openFen += heldBy(item, outside);
    unexplainedFen += unexplainedBy(item, place === 'after');
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

/**
 * Inside the balance, the side of the cut on which the books have it. What they do not have is not put off to the
 * next day: the balance is rolled back only over what is known to be later.
 */
function insidePlace({ places, bookedSide }: TimingItem): Place {
  const inside = places.filter((place) => place !== 'after');
  const wanted: Place = bookedSide === 'after' ? 'between' : 'before';
  return inside.includes(wanted) ? wanted : (inside[0] ?? 'between');
}

export function lineAt({ lineFen }: TimingItem, place: Place): Fen {
  return place === 'before' ? lineFen.before : lineFen.notBefore;
}

function rankOf(
  { frozenFen, mayHold }: TimingQuestion,
  tried: Pick<Assignment, 'model' | 'openFen' | 'unexplainedFen'>,
): number {
  const isFrozenRight =
    frozenFen === undefined ||
    frozenFen === frozenDue(tried) ||
    (tried.model === 'frozen' && mayHold(frozenFen - tried.openFen));
  if (tried.unexplainedFen === 0n) return isFrozenRight ? FIT : BALANCE_FITS;
  return isFrozenRight ? FROZEN_FITS : UNFIT;
}

export function frozenDue({ model, openFen }: Pick<Assignment, 'model' | 'openFen'>): Fen {
  return model === 'frozen' ? openFen : 0n;
}
