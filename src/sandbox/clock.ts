/**
 * The sandbox's clock: it stands still at an instant, or follows the Clock port at a distance. All that the
 * sandbox does by time (the window of reqTime, deposits that take effect, records that become visible) goes
 * by it and by nothing else.
 */
import type { Clock } from '../core/ports.ts';
import { epochMs, instantOf } from '../core/time.ts';
import type { Instant } from '../core/time.ts';

export class SandboxClock {
  readonly #port: Clock | undefined;
  #frozenAtMs: number | undefined;
  #offsetMs = 0;

  /**
   * Without a port the clock stands still until it is set or advanced.
   * @param start where it begins; by default at the port's time
   */
  constructor(port: Clock | undefined, start: Instant | undefined) {
    this.#port = port;
    if (!port && start === undefined)
      throw new Error('Bug: a sandbox needs a clock or an instant to begin at');
    if (!port) this.#frozenAtMs = 0;
    if (start !== undefined) this.set(start);
  }

  nowMs(): number {
    return this.#frozenAtMs ?? this.#portMs() + this.#offsetMs;
  }

  now(): Instant {
    return instantOf(this.nowMs());
  }

  /** Goes to that instant; a running clock runs on from there. */
  set(instant: Instant): void {
    this.#moveTo(epochMs(instant));
  }

  advance(ms: number): void {
    this.#moveTo(this.nowMs() + ms);
  }

  get running(): boolean {
    return this.#frozenAtMs === undefined;
  }

  freeze(): void {
    this.#frozenAtMs = this.nowMs();
  }

  /** @throws Error when there is no port to follow */
  run(): void {
    const now = this.nowMs();
    this.#offsetMs = now - this.#portMs();
    this.#frozenAtMs = undefined;
  }

  get canRun(): boolean {
    return this.#port !== undefined;
  }

  #moveTo(ms: number): void {
    if (this.#frozenAtMs === undefined) this.#offsetMs = ms - this.#portMs();
    else this.#frozenAtMs = ms;
  }

  #portMs(): number {
    if (!this.#port) throw new Error('Bug: this sandbox has no clock to follow');
    return epochMs(this.#port.wall());
  }
}
