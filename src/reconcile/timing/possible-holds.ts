/** What may have been frozen when a balance was read, as far as our looks leave it open. */
import type { Fen } from '../../core/fen.ts';

/** The sums of half of these are told apart in a moment; of more it is not known whether an amount is one of them. */
const HOLDS_MAX = 30;

/** Whether an amount is the sum of some of these. Where they are too many to tell, none is: what is frozen is shown. */
export function sumsOfHolds(holds: readonly Fen[]): (fen: Fen) => boolean {
  if (holds.length === 0 || holds.length > HOLDS_MAX) return () => false;
  const half = Math.floor(holds.length / 2);
  let halves: { first: ReadonlySet<Fen>; second: ReadonlySet<Fen> } | undefined;
  return (fen) => {
    if (fen <= 0n) return false;
    halves ??= { first: allSums(holds.slice(0, half)), second: allSums(holds.slice(half)) };
    const { first, second } = halves;
    return [...first].some((sum) => second.has(fen - sum));
  };
}

/** Of more than that nothing is told. */
export function areTooManyHolds(holds: readonly Fen[]): boolean {
  return holds.length > HOLDS_MAX;
}

function allSums(holds: readonly Fen[]): Set<Fen> {
  let sums = new Set([0n]);
  for (const hold of holds) sums = new Set([...sums].flatMap((sum) => [sum, sum + hold]));
  return sums;
}

/** Sums made for one balance: enough for some 38 of any amounts, or for twenty on either side of it; a second at most. */
const WORK_MAX = 1_000_000;

/** The same for what is asked once for every choice of orders, whatever their number, with a bound on the work of all. */
export class BoundedSums {
  #workLeft = WORK_MAX;
  readonly #known = new Map<string, boolean>();

  /** There was more to ask than could be told: no answer of these counts. */
  get isSpent(): boolean {
    return this.#workLeft < 0;
  }

  /** @param holds above 0, in order of their amounts, so that equal ones are asked once */
  has(holds: readonly Fen[], fen: Fen): boolean {
    if (this.isSpent || fen <= 0n) return false;
    this.#workLeft -= 1;
    const key = `${fen}:${holds.join(' ')}`;
    const known = this.#known.get(key) ?? this.#isSum(holds, fen);
    this.#known.set(key, known);
    return known;
  }

  #isSum(holds: readonly Fen[], fen: Fen): boolean {
    const half = Math.floor(holds.length / 2);
    const first = this.#sumsUpTo(fen, holds.slice(0, half));
    const second = this.#sumsUpTo(fen, holds.slice(half));
    return [...first].some((sum) => second.has(fen - sum));
  }

  #sumsUpTo(most: Fen, holds: readonly Fen[]): Set<Fen> {
    let sums = new Set([0n]);
    for (const hold of holds) {
      this.#workLeft -= sums.size;
      if (this.isSpent) break;
      const more = new Set(sums);
      for (const sum of sums) if (sum + hold <= most) more.add(sum + hold);
      sums = more;
    }
    return sums;
  }
}
