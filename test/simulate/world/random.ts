/**
 * Chance for a simulation: streams of numbers that a seed and a name decide, so that a new kind of fault draws from
 * its own stream and leaves everything else of a seed as it was.
 */

/** One stream (sfc32): fast, and the same on every machine. */
export class Stream {
  #a: number;
  #b: number;
  #c: number;
  #count = 1;

  constructor(seed: number, name: string) {
    this.#a = mixed(seed, 0x9e3779b9);
    this.#b = mixed(textHash(name), seed);
    this.#c = mixed(seed ^ 0x5bf03635, textHash(name));
    for (let round = 0; round < 12; round++) this.#next();
  }

  /** In [0, 1). */
  fraction(): number {
    return this.#next() / 4_294_967_296;
  }

  /** A whole number from the first to the last, both included. */
  whole(first: number, last: number): number {
    return first + Math.floor(this.fraction() * (last - first + 1));
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  one<T>(of: readonly [T, ...T[]]): T {
    return of[this.whole(0, of.length - 1)] ?? of[0];
  }

  /** So many random bits as 32 hex digits. */
  hex32(): string {
    let digits = '';
    for (let part = 0; part < 4; part++) digits += this.#next().toString(16).padStart(8, '0');
    return digits;
  }

  #next(): number {
    const sum = (this.#a + this.#b + this.#count) | 0;
    this.#count = (this.#count + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    this.#c |= 0;
    return sum >>> 0;
  }
}

function mixed(one: number, other: number): number {
  let bits = (one ^ Math.imul(other, 0x85ebca6b)) | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return bits ^ (bits >>> 16);
}

/** FNV-1a. */
export function textHash(text: string, start = 0x811c9dc5): number {
  let bits = start;
  for (let at = 0; at < text.length; at++) bits = Math.imul(bits ^ text.charCodeAt(at), 0x01000193);
  return bits >>> 0;
}
