/** A clock for whole nights: it runs on with the host's, can be moved to another moment, and keeps nobody waiting. */
import { systemClock } from '../../src/core/clock.ts';
import type { Clock } from '../../src/core/ports.ts';
import { addMs, epochMs } from '../../src/core/time.ts';
import type { Instant } from '../../src/core/time.ts';

/** What keeps calls below their rate waits its few milliseconds; what waits for better times waits no longer. */
const PAUSE_MS_MAX = 20;

export class NightClock implements Clock {
  readonly #real = systemClock();
  #aheadMs = 0;
  #patience = 1;
  /** The pauses that were asked for and cut short, in ms. */
  readonly cutShort: number[] = [];

  constructor(startsAt: Instant) {
    this.moveTo(startsAt);
  }

  moveTo(instant: Instant): void {
    this.#aheadMs = epochMs(instant) - epochMs(this.#real.wall());
  }

  wall(): Instant {
    return addMs(this.#real.wall(), this.#aheadMs);
  }

  /** Whatever is measured seems to take that many times less: a loaded machine must not make a request stale. */
  bePatient(patience: number): void {
    this.#patience = patience;
  }

  monoMs(): number {
    return this.#real.monoMs() / this.#patience;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms > PAUSE_MS_MAX) this.cutShort.push(ms);
    return this.#real.sleep(Math.min(ms, PAUSE_MS_MAX), signal);
  }
}
