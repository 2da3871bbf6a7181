/**
 * How far our clock is from the platform's, learned from the signed time of its answers (N15, U19): reqTime
 * may differ by ten seconds at most, and beyond that every call is refused (ENV-13).
 */
import type { Clock, Log } from '../core/ports.ts';
import { addMs, epochMs, SECOND_MS } from '../core/time.ts';
import type { Instant } from '../core/time.ts';

/** Between two calls the wall clock may be stepped or the machine suspended; more than that is no drift (N16). */
const JUMP_MS = 5_000;

/** An answer tells the offset to within its own duration and the second of its timestamp. */
const PRECISE_WIDTH_MS = 3_000;

export interface OffsetLimits {
  autoOffset: boolean;
  warnOffsetSeconds: number;
  stopOffsetSeconds: number;
}

/** The moment of a send: what goes into reqTime, and what is needed to read the answer's time. */
export interface SendStamp {
  /** Our wall clock, uncorrected. */
  wallAt: Instant;
  /** What the platform's clock shows now, as far as it is known: the instant of reqTime. */
  correctedAt: Instant;
  monoMs: number;
}

export interface ClockOffset {
  stamp(): SendStamp;
  /**
   * Learns from one answer's signed timestamp; an unsigned one must not get here. From a time that is too far off
   * nothing is learned: the answer is an old one, or our clock is wrong.
   * @returns platform minus ours in ms where that is outside the tolerance: the answer is not to be believed
   */
  observe(answered: { sent: SendStamp; timestamp: Instant }): number | undefined;
  /** Platform minus ours, in ms; undefined as long as no signed time was seen. */
  offsetMs(): number | undefined;
}

/** In which direction our clock is off. */
export function clockIs(offsetMs: number): string {
  const seconds = Math.round(Math.abs(offsetMs) / SECOND_MS);
  return `this machine's clock is ${seconds} s ${offsetMs > 0 ? 'behind' : 'ahead of'} the platform's`;
}

export function openClockOffset(options: { clock: Clock; limits: OffsetLimits; log: Log }): ClockOffset {
  return new ObservedOffset(options.clock, options.limits, options.log);
}

/** The offset lies in [leastMs, mostMs). */
interface Bounds {
  leastMs: number;
  mostMs: number;
}

class ObservedOffset implements ClockOffset {
  readonly #clock: Clock;
  readonly #limits: OffsetLimits;
  readonly #log: Log;
  #bounds: Bounds | undefined;
  #warned = false;
  #wallMinusMonoMs: number | undefined;

  constructor(clock: Clock, limits: OffsetLimits, log: Log) {
    this.#clock = clock;
    this.#limits = limits;
    this.#log = log;
  }

  stamp(): SendStamp {
    const wallAt = this.#clock.wall();
    const monoMs = this.#clock.monoMs();
    this.#forgetAfterJump(epochMs(wallAt) - monoMs);
    const offsetMs = this.offsetMs() ?? 0;
    const corrects = this.#limits.autoOffset && exceeds(offsetMs, this.#limits.warnOffsetSeconds);
    return { wallAt, correctedAt: corrects ? addMs(wallAt, offsetMs) : wallAt, monoMs };
  }

  observe({ sent, timestamp }: { sent: SendStamp; timestamp: Instant }): number | undefined {
    const tookMs = Math.max(0, this.#clock.monoMs() - sent.monoMs);
    const ahead = epochMs(timestamp) - epochMs(sent.wallAt);
    // Stamped somewhere between our send and our receipt, and cut to the second below.
    const seen = { leastMs: ahead - tookMs, mostMs: ahead + SECOND_MS };
    if (exceeds(believed(seen), this.#limits.stopOffsetSeconds)) return believed(seen);
    this.#narrow(seen);
    this.#warn();
    return undefined;
  }

  offsetMs(): number | undefined {
    return this.#bounds && believed(this.#bounds);
  }

  /** Every answer narrows what the ones before left open; one that contradicts them starts anew. */
  #narrow(seen: Bounds): void {
    const known = this.#bounds;
    const both = known && {
      leastMs: Math.max(known.leastMs, seen.leastMs),
      mostMs: Math.min(known.mostMs, seen.mostMs),
    };
    this.#bounds = both && both.leastMs < both.mostMs ? both : seen;
  }

  #warn(): void {
    const offsetMs = this.offsetMs() ?? 0;
    if (!exceeds(offsetMs, this.#limits.warnOffsetSeconds)) this.#warned = false;
    else if (!this.#warned) {
      this.#warned = true;
      this.#log.warn({ event: 'clock.differs', offsetMs, corrected: this.#limits.autoOffset });
    }
  }

  /** After a step of the wall clock the old offset says nothing; the next answer tells the new one (N16). */
  #forgetAfterJump(wallMinusMonoMs: number): void {
    const before = this.#wallMinusMonoMs;
    this.#wallMinusMonoMs = wallMinusMonoMs;
    if (before === undefined || Math.abs(wallMinusMonoMs - before) <= JUMP_MS) return;
    this.#log.warn({ event: 'clock.jumped', jumpMs: Math.round(wallMinusMonoMs - before) });
    this.#bounds = undefined;
  }
}

/** The middle of narrow bounds; of wide ones (a slow answer) the least offset that explains them. */
function believed({ leastMs, mostMs }: Bounds): number {
  if (mostMs - leastMs <= PRECISE_WIDTH_MS) return Math.round((leastMs + mostMs) / 2);
  if (leastMs > 0) return Math.ceil(leastMs);
  return mostMs < 0 ? Math.floor(mostMs) : 0;
}

function exceeds(offsetMs: number, seconds: number): boolean {
  return Math.abs(offsetMs) > seconds * SECOND_MS;
}
