/**
 * How much may come in: so many requests a second, so many new pushes a minute, so many waiting and so many bytes in
 * all, so that a flood of distinct bodies fills neither disk nor log (I10). What nobody signed is stopped earlier, and
 * what was kept already has an allowance of its own, which leaves room for what the platform signed.
 */
import { MINUTE_MS, SECOND_MS } from '../../src/core/time.ts';
import type { Clock } from '../../src/core/ports.ts';
import { bytesTaken } from '../../src/store/pushes/push-stock.ts';
import type { PushStock } from '../../src/store/pushes/push-stock.ts';
import { Quota } from './quota.ts';

export interface PushLimits {
  perMinute: number;
  waiting: number;
  bytes: bigint;
}

export interface PushGateLimits {
  /** Requests of any kind: a signature that is wrong costs the most. */
  perSecond: number;
  /** Bodies that were kept a while ago and come again. */
  repeatedPerMinute: number;
  /** The bytes are those of the unsigned alone. */
  unsigned: PushLimits;
  /** The bytes are those of all that is kept. */
  signed: PushLimits;
}

const MEGABYTE = 1_048_576n;

/** A company of a million orders a day in batches of twenty, the most there can be (DIV-18), has 35 batches a minute. */
export const PUSH_LIMITS: PushGateLimits = {
  perSecond: 100,
  repeatedPerMinute: 600,
  unsigned: { perMinute: 600, waiting: 10_000, bytes: 256n * MEGABYTE },
  signed: { perMinute: 6_000, waiting: 20_000, bytes: 1_024n * MEGABYTE },
};

/** Digests that are remembered: ten minutes of unsigned pushes at their most. */
const REMEMBERED_MAX = 6_000;

export type Admission = 'admitted' | 'too_many' | 'full';

export class PushGate {
  readonly #limits: PushGateLimits;
  readonly #requests: Quota;
  readonly #came: Readonly<Record<'repeated' | 'unsigned' | 'signed', Quota>>;
  readonly #known = new Set<string>();
  #stock: PushStock = { waiting: 0, bytes: 0n, unsignedBytes: 0n };

  constructor(clock: Clock, limits = PUSH_LIMITS) {
    this.#limits = limits;
    const perMinute = (max: number): Quota => new Quota(clock, { max, spanMs: MINUTE_MS });
    this.#requests = new Quota(clock, { max: limits.perSecond, spanMs: SECOND_MS });
    this.#came = {
      repeated: perMinute(limits.repeatedPerMinute),
      unsigned: perMinute(limits.unsigned.perMinute),
      signed: perMinute(limits.signed.perMinute),
    };
  }

  /** Counts a request, before anything of it is read. */
  mayEnter(): boolean {
    return this.#requests.take();
  }

  /** Counts the push, whatever becomes of it: a body that comes again costs a write too, but takes no room. */
  admit({ signed, sha256 }: { signed: boolean; sha256: string }): Admission {
    if (this.#known.has(sha256)) return this.#came.repeated.take() ? 'admitted' : 'too_many';
    const kind = signed ? 'signed' : 'unsigned';
    if (!this.#came[kind].take()) return 'too_many';
    const { waiting, bytes, unsignedBytes } = this.#stock;
    const limits = this.#limits[kind];
    const isFull = waiting >= limits.waiting || (signed ? bytes : unsignedBytes) >= limits.bytes;
    return isFull ? 'full' : 'admitted';
  }

  /** It is kept, and was not before when it `isNew`. */
  kept(
    { sha256, signed }: { sha256: string; signed: boolean },
    { size, isNew }: { size: number; isNew: boolean },
  ): void {
    this.#remember(sha256);
    if (!isNew) return;
    const taken = bytesTaken(size);
    const { waiting, bytes, unsignedBytes } = this.#stock;
    this.#stock = {
      waiting: waiting + 1,
      bytes: bytes + taken,
      unsignedBytes: unsignedBytes + (signed ? 0n : taken),
    };
  }

  /** The oldest is forgotten, and counts as new when it comes once more. */
  #remember(sha256: string): void {
    this.#known.add(sha256);
    for (const oldest of this.#known) {
      if (this.#known.size <= REMEMBERED_MAX) return;
      this.#known.delete(oldest);
    }
  }

  /** What the tables say: after a start, and as hints are processed and dropped. */
  measured(stock: PushStock): void {
    this.#stock = stock;
  }
}
