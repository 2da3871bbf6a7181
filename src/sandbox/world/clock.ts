/**
 * The sandbox's clock: it stands still at an instant, or follows the Clock port at a distance. All that the
 * sandbox does by time (the window of reqTime, deposits that take effect, records that become visible) goes
 * by it and by nothing else.
 */
import { WrongInput } from '../../core/errors.ts';
import type { Clock } from '../../core/ports.ts';
import { epochMs, instantOf } from '../../core/time.ts';
import type { Instant } from '../../core/time.ts';

/** What a Date can hold, either way from 1970. */
const INSTANT_MS_MAX = 8.64e15;

export class SandboxClock {
  readonly #port: Clock | undefined;
  #frozenAtMs: number | undefined;
  #offsetMs = 0;
  /** The port's time while it is held. */
  #heldMs: number | undefined;
  /** The instant that was last told: a request asks for the same one several times. */
  #told: { ms: number; instant: Instant } = { ms: Number.NaN, instant: '' };

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
    const ms = this.nowMs();
    if (ms !== this.#told.ms) this.#told = { ms, instant: instantOf(ms) };
    return this.#told.instant;
  }

  /** Goes to that instant; a running clock runs on from there. */
  set(instant: Instant): void {
    this.#moveTo(epochMs(instant));
  }

  advance(ms: number): void {
    this.#moveTo(this.nowMs() + ms);
  }

  /** All of that work happens at one instant: what a request does late and what it does early, it does at once. */
  during<T>(work: () => T): T {
    if (!this.#port || this.#heldMs !== undefined) return work();
    this.#heldMs = this.#portMs();
    try {
      return work();
    } finally {
      this.#heldMs = undefined;
    }
  }

  /** How far it is ahead of the port, in ms; undefined while it stands. */
  get offsetMs(): number | undefined {
    return this.#frozenAtMs === undefined ? this.#offsetMs : undefined;
  }

  /** Runs on as far ahead of the port as it was, but never from an instant before that one. */
  goOn(from: { offsetMs: number; notBeforeMs: number }): void {
    this.run();
    const nowMs = this.#portMs() + from.offsetMs;
    this.#moveTo(Math.max(nowMs, from.notBeforeMs));
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

  /** @throws WrongInput for an instant no calendar has */
  #moveTo(ms: number): void {
    if (!(Math.abs(ms) <= INSTANT_MS_MAX)) throw new WrongInput('the clock cannot go that far');
    if (this.#frozenAtMs === undefined) this.#offsetMs = ms - this.#portMs();
    else this.#frozenAtMs = ms;
  }

  #portMs(): number {
    if (this.#heldMs !== undefined) return this.#heldMs;
    if (!this.#port) throw new Error('Bug: this sandbox has no clock to follow');
    return epochMs(this.#port.wall());
  }
}
