/** So many of something in a span of time, and no more until the next one begins. */
import type { Clock } from '../../src/core/ports.ts';

export class Quota {
  readonly #clock: Clock;
  readonly #spanMs: number;
  readonly #max: number;
  #fromMs = Number.NEGATIVE_INFINITY;
  #taken = 0;

  constructor(clock: Clock, limit: { max: number; spanMs: number }) {
    this.#clock = clock;
    this.#max = limit.max;
    this.#spanMs = limit.spanMs;
  }

  /** Takes one; false when there is none left. */
  take(): boolean {
    const now = this.#clock.monoMs();
    if (now - this.#fromMs >= this.#spanMs) [this.#fromMs, this.#taken] = [now, 0];
    if (this.#taken >= this.#max) return false;
    this.#taken += 1;
    return true;
  }
}
