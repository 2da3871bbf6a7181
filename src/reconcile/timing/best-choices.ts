/**
 * Which orders lie outside a balance, as bits of a mask: of the choices that are tried, those that explain the
 * balance best. Pure arithmetic.
 */
import { absolute } from '../../core/fen.ts';
import type { Fen } from '../../core/fen.ts';

/**
 * Balance and frozen amount fit; the frozen amount lacks what orders would hold that the platform may not have had yet;
 * one of the two fits, and neither is worth more than the other; nothing does.
 */
export const FIT = 0;
export const LACKS_UNSEEN = 1;
export const ONE_FITS = 2;
export const UNFIT = 3;

/** Enough to tell one from several, and more than can be looked at. */
const EFFECTS_MAX = 4_096;

export interface Choice {
  mask: number;
  unexplainedFen: Fen;
  rank: number;
}

/** Choices of the best rank so far; of those with the same effect the one nearest to the usual places. */
export class BestChoices {
  rank = Number.MAX_SAFE_INTEGER;
  readonly #usual: number;
  #byEffect = new Map<string, Choice>();
  #leastFen = 0n;
  /** Outside in every choice of that rank, and outside in any of them; beyond EFFECTS_MAX too. */
  #always = -1;
  #ever = 0;

  /** @param usual what lies outside with everything at its usual place */
  constructor(usual: number) {
    this.#usual = usual;
  }

  /** @param effectOf what the choice does to closing and lines; asked only where it may matter */
  offer(choice: Choice, effectOf: () => string): void {
    if (choice.rank > this.rank) return;
    if (choice.rank < this.rank) this.#begin(choice);
    this.#always &= choice.mask;
    this.#ever |= choice.mask;
    const fen = absolute(choice.unexplainedFen);
    // Whatever there are of them, the one that leaves least is among those kept.
    if (this.isCapped && fen >= this.#leastFen) return;
    if (fen < this.#leastFen) this.#leastFen = fen;
    const effect = effectOf();
    const known = this.#byEffect.get(effect);
    if (known === undefined || this.#far(choice) < this.#far(known)) this.#byEffect.set(effect, choice);
  }

  /** Not all of them are kept. */
  get isCapped(): boolean {
    return this.#byEffect.size >= EFFECTS_MAX;
  }

  #begin({ rank, unexplainedFen }: Choice): void {
    this.rank = rank;
    this.#byEffect = new Map();
    this.#leastFen = absolute(unexplainedFen);
    this.#always = -1;
    this.#ever = 0;
  }

  /** The side of the balance on which all choices put the item of that bit; undefined where they differ. */
  sideOf(at: number): 'inside' | 'outside' | undefined {
    const bit = 1 << at;
    if ((this.#always & bit) !== 0) return 'outside';
    return (this.#ever & bit) === 0 ? 'inside' : undefined;
  }

  /** Those that leave least come first, of them those nearest to the usual places. */
  inOrder(): Choice[] {
    return [...this.#byEffect.values()].toSorted(
      (a, b) =>
        compareFen(absolute(a.unexplainedFen), absolute(b.unexplainedFen)) ||
        this.#far(a) - this.#far(b) ||
        a.mask - b.mask,
    );
  }

  #far({ mask }: Choice): number {
    return (mask ^ this.#usual).toString(2).replaceAll('0', '').length;
  }
}

export function compareFen(a: Fen, b: Fen): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
