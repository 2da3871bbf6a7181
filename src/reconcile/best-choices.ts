/**
 * Which orders lie outside a balance, as bits of a mask: of the choices that are tried, those that explain the
 * balance best. Pure arithmetic.
 */
import type { Fen } from '../core/fen.ts';

/** Balance and frozen amount fit; only the balance does; only the frozen amount does; nothing does. */
export const FIT = 0;
export const BALANCE_FITS = 1;
export const FROZEN_FITS = 2;
export const UNFIT = 3;

/** Enough to tell one from several; what is beyond would be several in any case. */
const FOUND_MAX = 4_096;

/** Masks of the best rank so far; of those where nothing fits only the one with the least unexplained amount. */
export class BestChoices {
  rank = Number.MAX_SAFE_INTEGER;
  #masks: number[] = [];
  #leastFen = 0n;
  /** Outside in every choice of that rank, and outside in any of them; beyond FOUND_MAX too. */
  #always = 0;
  #ever = 0;

  offer(mask: number, unexplainedFen: Fen, rank: number): void {
    if (rank > this.rank) return;
    const isLess =
      rank >= FROZEN_FITS && this.#masks.length > 0 && magnitude(unexplainedFen) < this.#leastFen;
    if (rank < this.rank || isLess) this.#masks = [];
    this.rank = rank;
    if (rank >= FROZEN_FITS && this.#masks.length > 0) return;
    const isFirst = this.#masks.length === 0;
    this.#always = isFirst ? mask : this.#always & mask;
    this.#ever = isFirst ? mask : this.#ever | mask;
    if (this.#masks.length < FOUND_MAX) this.#masks.push(mask);
    this.#leastFen = magnitude(unexplainedFen);
  }

  /** The side of the balance on which all choices put the item of that bit; undefined where they differ. */
  sideOf(at: number): 'inside' | 'outside' | undefined {
    const bit = 1 << at;
    if ((this.#always & bit) !== 0) return 'outside';
    return (this.#ever & bit) === 0 ? 'inside' : undefined;
  }

  nearestTo(usual: number): number[] {
    const far = (mask: number): number => (mask ^ usual).toString(2).replaceAll('0', '').length;
    return this.#masks.toSorted((a, b) => far(a) - far(b) || a - b);
  }
}

function magnitude(fen: Fen): Fen {
  return fen < 0n ? -fen : fen;
}
