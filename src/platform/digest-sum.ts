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

/** The first 48 bits of a digest: as many as a number holds exactly. */
export function fingerprintOf(digest: string): number {
  return wordAt(digest, 0) * 0x1_0000 + (wordAt(digest, 8) >>> 16);
}

const WORD_MAX = 0xffff_ffff;

export class DigestSum {
  /** Most significant word first. */
  #w0 = 0;
  #w1 = 0;
  #w2 = 0;
  #w3 = 0;

  /** Adds one digest of 32 hex digits. */
  add(digest: string): void {
    this.#add(wordAt(digest, 0), wordAt(digest, 8), wordAt(digest, 16), wordAt(digest, 24));
  }

  merge(other: DigestSum): void {
    this.#add(other.#w0, other.#w1, other.#w2, other.#w3);
  }

  /** 32 hex digits. */
  hex(): string {
    const words = [this.#w0, this.#w1, this.#w2, this.#w3];
    return words.map((word) => word.toString(16).padStart(8, '0')).join('');
  }

  #add(a: number, b: number, c: number, d: number): void {
    const w3 = this.#w3 + d;
    const w2 = this.#w2 + c + carryOf(w3);
    const w1 = this.#w1 + b + carryOf(w2);
    const w0 = this.#w0 + a + carryOf(w1);
    [this.#w0, this.#w1, this.#w2, this.#w3] = [w0 >>> 0, w1 >>> 0, w2 >>> 0, w3 >>> 0];
  }
}

/** Eight hex digits in lower case. */
function wordAt(digest: string, from: number): number {
  let word = 0;
  for (let at = from; at < from + 8; at++) word = (word << 4) | hexDigit(digest.charCodeAt(at));
  return word >>> 0;
}

function hexDigit(code: number): number {
  return code < LETTER_A ? code - DIGIT_0 : code - LETTER_A + 10;
}

const [DIGIT_0, LETTER_A] = [0x30, 0x61];

function carryOf(sum: number): number {
  return sum > WORD_MAX ? 1 : 0;
}
