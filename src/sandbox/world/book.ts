/**
 * An account's money through time: an opening amount and effects, each at its instant. What the balance is
 * depends on the sandbox's clock alone, so a deposit that is seeded for tomorrow counts from tomorrow.
 */
import type { Fen } from '../../core/fen.ts';
import { countWhile } from './count-while.ts';
import type { Life } from '../orders/life.ts';

export interface Effect {
  atMs: number;
  deltaFen: Fen;
  /** What it was (`deposit`, `interest` …) and of what, for people who look at the control surface. */
  kind: string;
  reference: string;
  /** What it comes from, where it may be called off before its time. */
  life?: Life;
}

/** Effects that are computed instead of kept: a million deposits of a scenario. */
export interface ComputedEffects {
  /** Their sum up to and including that instant; zero before the first. */
  sumUntil(ms: number): Fen;
}

export class Book {
  readonly openingFen: Fen;
  #effects: Effect[] = [];
  /** The balance after each effect, without the computed ones; undefined while the order is unknown. */
  #after: Fen[] | undefined = [];
  readonly #computed: ComputedEffects[] = [];

  constructor(openingFen: Fen) {
    this.openingFen = openingFen;
  }

  add(effect: Effect): void {
    const last = this.#effects.at(-1);
    if (this.#after && (last === undefined || last.atMs <= effect.atMs)) {
      this.#after.push((this.#after.at(-1) ?? this.openingFen) + effect.deltaFen);
    } else this.#after = undefined;
    this.#effects.push(effect);
  }

  compute(effects: ComputedEffects): void {
    this.#computed.push(effects);
  }

  /** Takes back effects that were added: for a change that turned out to be impossible. */
  remove(effects: ReadonlySet<Effect>): void {
    this.#effects = this.#effects.filter((known) => !effects.has(known));
    this.#after = undefined;
  }

  /** The balance once every effect up to and including that instant has taken place. */
  atMs(ms: number): Fen {
    this.#inOrder();
    return this.keptUntil(countUntil(this.#effects, ms)) + this.computedAt(ms);
  }

  /** The least it ever is, without the computed effects. */
  least(): Fen {
    return this.#inOrder().reduce((least, fen) => (fen < least ? fen : least), this.openingFen);
  }

  effects(): readonly Effect[] {
    this.#inOrder();
    return this.#effects;
  }

  /** The balance after so many of its kept effects. */
  keptUntil(count: number): Fen {
    return count === 0 ? this.openingFen : (this.#inOrder()[count - 1] ?? 0n);
  }

  computedAt(ms: number): Fen {
    let sumFen: Fen = 0n;
    for (const effects of this.#computed) sumFen += effects.sumUntil(ms);
    return sumFen;
  }

  #inOrder(): readonly Fen[] {
    if (this.#after) return this.#after;
    this.#effects.sort((a, b) => a.atMs - b.atMs);
    let balanceFen = this.openingFen;
    this.#after = this.#effects.map((effect) => (balanceFen += effect.deltaFen));
    return this.#after;
  }
}

function countUntil(effects: readonly Effect[], ms: number): number {
  return countWhile(effects.length, (place) => (effects[place]?.atMs ?? 0) <= ms);
}

/**
 * The least that balance less frozen ever is from an instant on (ACC-09 demands it be not below zero); by
 * default from the beginning. Computed effects are looked at where kept ones are and nowhere between: those of
 * a scenario take only what its openings hold for them.
 */
export function leastAvailable(balance: Book, frozen: Book, fromMs = -Infinity): Fen {
  const [taken, held] = [balance.effects(), frozen.effects()];
  let [ofBalance, ofFrozen] = [countUntil(taken, fromMs), countUntil(held, fromMs)];
  const available = (ms: number): Fen => {
    const computedFen = balance.computedAt(ms) - frozen.computedAt(ms);
    return balance.keptUntil(ofBalance) - frozen.keptUntil(ofFrozen) + computedFen;
  };
  let least = available(fromMs);
  while (ofBalance < taken.length || ofFrozen < held.length) {
    const ms = Math.min(taken[ofBalance]?.atMs ?? Infinity, held[ofFrozen]?.atMs ?? Infinity);
    while (taken[ofBalance]?.atMs === ms) ofBalance++;
    while (held[ofFrozen]?.atMs === ms) ofFrozen++;
    const fen = available(ms);
    if (fen < least) least = fen;
  }
  return least;
}
