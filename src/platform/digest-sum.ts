/**
 * A digest of many records that does not depend on their order: the sum of their digests modulo 2^128.
 * Unlike an exclusive or, a sum does not cancel pairs. It is kept in four 32-bit words, because a million
 * `bigint` additions cost more than the hashing.
 */
import { hash } from 'node:crypto';

/** Half of a SHA-256: enough to tell any two contents apart. */
const DIGEST_DIGITS = 32;

/** 32 hex digits of SHA-256 over the text as UTF-8. */
export function digestOf(content: string): string {
  return hash('sha256', content, 'hex').slice(0, DIGEST_DIGITS);
}

/** Most significant word first. */
type Words = readonly [number, number, number, number];

const WORD_MAX = 0xffff_ffff;

export class DigestSum {
  #words: Words = [0, 0, 0, 0];

  /** Adds one digest of 32 hex digits. */
  add(digest: string): void {
    this.#add([wordAt(digest, 0), wordAt(digest, 8), wordAt(digest, 16), wordAt(digest, 24)]);
  }

  merge(other: DigestSum): void {
    this.#add(other.#words);
  }

  /** 32 hex digits. */
  hex(): string {
    return this.#words.map((word) => word.toString(16).padStart(8, '0')).join('');
  }

  #add(words: Words): void {
    const [a, b, c, d] = this.#words;
    const w3 = d + words[3];
    const w2 = c + words[2] + carryOf(w3);
    const w1 = b + words[1] + carryOf(w2);
    const w0 = a + words[0] + carryOf(w1);
    this.#words = [w0 >>> 0, w1 >>> 0, w2 >>> 0, w3 >>> 0];
  }
}

function wordAt(digest: string, at: number): number {
  return Number.parseInt(digest.slice(at, at + 8), 16);
}

function carryOf(sum: number): number {
  return sum > WORD_MAX ? 1 : 0;
}
