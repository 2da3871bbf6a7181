/** Chance that repeats: everything the sandbox draws comes from a seed, so that a run can be played again. */

/** A 32-bit number that depends on all parts and on their order. */
export function mixed(...parts: readonly number[]): number {
  let hash = 0x9e3779b9;
  for (const part of parts) {
    hash = Math.imul(hash ^ (part | 0), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return hash >>> 0;
}

/** A sequence of draws (mulberry32). */
export class Seeded {
  #state: number;

  constructor(seed: number) {
    this.#state = mixed(seed);
  }

  /** Where the sequence stands: what is drawn from here depends on it alone (state/). */
  get state(): number {
    return this.#state;
  }

  set state(state: number) {
    this.#state = state;
  }

  /** A 32-bit number. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let hash = this.#state;
    hash = Math.imul(hash ^ (hash >>> 15), hash | 1);
    hash ^= hash + Math.imul(hash ^ (hash >>> 7), hash | 61);
    return (hash ^ (hash >>> 14)) >>> 0;
  }

  /** In [0, 1). */
  fraction(): number {
    return this.next() / 4_294_967_296;
  }

  /** A whole number, both ends included. */
  whole(range: { min: number; max: number }): number {
    return range.min + Math.floor(this.fraction() * (range.max - range.min + 1));
  }

  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new Error('Bug: nothing to pick from');
    return items[this.whole({ min: 0, max: items.length - 1 })] as T;
  }

  /** A new list with the same items in another order. */
  shuffled<T>(items: readonly T[]): T[] {
    const shuffled = [...items];
    for (let last = shuffled.length - 1; last > 0; last--) {
      const other = this.whole({ min: 0, max: last });
      [shuffled[last], shuffled[other]] = [shuffled[other] as T, shuffled[last] as T];
    }
    return shuffled;
  }
}
