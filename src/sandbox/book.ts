/**
 * An account's money through time: an opening amount and effects, each at its instant. What the balance is
 * depends on the sandbox's clock alone, so a deposit that is seeded for tomorrow counts from tomorrow.
 */
import type { Fen } from '../core/fen.ts';

export interface Effect {
  atMs: number;
  deltaFen: Fen;
  /** What it was (`deposit`, `interest` …) and of what, for people who look at the control surface. */
  kind: string;
  reference: string;
}

/** Effects that are computed instead of kept: a million deposits of a scenario. They only ever add. */
export interface ComputedEffects {
  sumUntil(ms: number): Fen;
}

export class Book {
  readonly openingFen: Fen;
  #effects: Effect[] = [];
  /** The balance after each effect, without the computed ones; undefined while the order is unknown. */
  #after: Fen[] | undefined = [];
  #computed: ComputedEffects | undefined;

  constructor(openingFen: Fen) {
    this.openingFen = openingFen;
  }

  add(effect: Effect): void {
    this.#effects.push(effect);
    this.#after = undefined;
  }

  compute(effects: ComputedEffects): void {
    this.#computed = effects;
  }

  /** Takes back an effect that was added: for a change that turned out to be impossible. */
  remove(effect: Effect): void {
    this.#effects = this.#effects.filter((known) => known !== effect);
    this.#after = undefined;
  }

  /** The balance once every effect up to and including that instant has taken place. */
  atMs(ms: number): Fen {
    const after = this.#inOrder();
    const count = countUntil(this.#effects, ms);
    const kept = count === 0 ? this.openingFen : (after[count - 1] ?? 0n);
    return kept + (this.#computed?.sumUntil(ms) ?? 0n);
  }

  /** The least it ever is, without the computed effects. */
  least(): Fen {
    return this.#inOrder().reduce((least, fen) => (fen < least ? fen : least), this.openingFen);
  }

  /** The instants at which anything kept takes effect, in order. */
  instants(): readonly number[] {
    this.#inOrder();
    return this.#effects.map((effect) => effect.atMs);
  }

  effects(): readonly Effect[] {
    this.#inOrder();
    return this.#effects;
  }

  #inOrder(): readonly Fen[] {
    if (this.#after) return this.#after;
    const order = this.#effects.map((effect, place) => ({ effect, place }));
    order.sort((a, b) => a.effect.atMs - b.effect.atMs || a.place - b.place);
    this.#effects = order.map(({ effect }) => effect);
    let balanceFen = this.openingFen;
    this.#after = this.#effects.map((effect) => (balanceFen += effect.deltaFen));
    return this.#after;
  }
}

function countUntil(effects: readonly Effect[], ms: number): number {
  let [low, high] = [0, effects.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((effects[middle]?.atMs ?? 0) <= ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The least that balance less frozen ever is (ACC-09 demands it be not below zero). Computed effects only
 * ever add, so the least lies at the beginning or at an effect that is kept.
 */
export function leastAvailable(balance: Book, frozen: Book): Fen {
  let least = balance.openingFen - frozen.openingFen;
  for (const ms of [...balance.instants(), ...frozen.instants()]) {
    const available = balance.atMs(ms) - frozen.atMs(ms);
    if (available < least) least = available;
  }
  return least;
}
