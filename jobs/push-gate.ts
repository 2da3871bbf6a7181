/**
 * How much may come in: so many new pushes a minute, so many waiting and so many bytes in all, so that a flood of
 * distinct bodies fills neither disk nor log (I10). What nobody signed is stopped earlier, which leaves room for what
 * the platform signed.
 */
import { MINUTE_MS } from '../src/core/time.ts';
import type { Clock } from '../src/core/ports.ts';
import { bytesTaken } from '../src/store/push-stock.ts';
import type { PushStock } from '../src/store/push-stock.ts';

export interface PushLimits {
  perMinute: number;
  waiting: number;
  bytes: bigint;
}

export type PushGateLimits = Readonly<Record<'unsigned' | 'signed', PushLimits>>;

const MEGABYTE = 1_048_576n;

/** A company of a million orders a day in batches of a hundred has seven batches a minute. */
const PUSH_LIMITS: PushGateLimits = {
  unsigned: { perMinute: 600, waiting: 10_000, bytes: 256n * MEGABYTE },
  signed: { perMinute: 6_000, waiting: 20_000, bytes: 1_024n * MEGABYTE },
};

export type Admission = 'admitted' | 'too_many' | 'full';

export class PushGate {
  readonly #clock: Clock;
  readonly #limits: PushGateLimits;
  #minuteFromMs = Number.NEGATIVE_INFINITY;
  #came = { unsigned: 0, signed: 0 };
  #stock: PushStock = { waiting: 0, bytes: 0n };

  constructor(clock: Clock, limits = PUSH_LIMITS) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Counts the push, whatever becomes of it: a body that comes again costs a write too. */
  admit(isSigned: boolean): Admission {
    const now = this.#clock.monoMs();
    if (now - this.#minuteFromMs >= MINUTE_MS) {
      this.#minuteFromMs = now;
      this.#came = { unsigned: 0, signed: 0 };
    }
    const kind = isSigned ? 'signed' : 'unsigned';
    const limits = this.#limits[kind];
    if (this.#came[kind] >= limits.perMinute) return 'too_many';
    this.#came[kind] += 1;
    const isFull = this.#stock.waiting >= limits.waiting || this.#stock.bytes >= limits.bytes;
    return isFull ? 'full' : 'admitted';
  }

  /** One more is kept. */
  kept(bytes: number): void {
    this.#stock = { waiting: this.#stock.waiting + 1, bytes: this.#stock.bytes + bytesTaken(bytes) };
  }

  /** What the tables say: after a start, and as hints are processed and dropped. */
  measured(stock: PushStock): void {
    this.#stock = stock;
  }
}
