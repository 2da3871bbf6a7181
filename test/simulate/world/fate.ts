/** Where processes die and where their databases fail: drawn for a seed, or at one chosen call. */
import type { SeedPlan } from './draw-plan.ts';
import { latencyMs } from './mortal-process.ts';
import type { Fate, Site, When } from './mortal-process.ts';
import { Stream } from './random.ts';

export interface CrashPoint {
  /** The port call of the seed, counted from 1. */
  call: number;
  when: When;
}

/** Longer than a lease lasts. */
const LATE_MS_LEAST = 70_000;

/** Longer than a look holds, and shorter than a lease. */
const PAUSE_MS = { least: 14_000, most: 45_000 };

export class FateOfSeed implements Fate {
  readonly #plan: SeedPlan;
  readonly #counted: (what: string) => void;
  readonly #at: CrashPoint | undefined;
  readonly #crashes: Stream;
  readonly #schedule: Stream;
  readonly #pauses: Stream;
  readonly #late: Stream;
  #isCalm = false;

  constructor(of: { plan: SeedPlan; counted: (what: string) => void; at: CrashPoint | undefined }) {
    this.#plan = of.plan;
    this.#counted = of.counted;
    this.#at = of.at;
    this.#crashes = new Stream(of.plan.seed, 'crashes');
    this.#schedule = new Stream(of.plan.seed, 'latencies');
    this.#pauses = new Stream(of.plan.seed, 'pauses');
    this.#late = new Stream(of.plan.seed, 'late answers');
  }

  calm(): void {
    this.#isCalm = true;
  }

  dies(call: number): When | undefined {
    if (this.#at !== undefined) return this.#at.call === call ? this.#at.when : undefined;
    const { rate } = this.#plan.crashes;
    if (this.#isCalm || rate === 0 || !this.#crashes.chance(rate)) return undefined;
    return this.#crashes.one(['before', 'within', 'after']);
  }

  fails(site: Site): 'before' | 'after' | undefined {
    const { before, after } = this.#plan.book;
    if (this.#isCalm || before + after === 0 || !site.startsWith('book.')) return undefined;
    const drawn = this.#crashes.fraction();
    if (drawn < before) return 'before';
    return drawn < before + after ? 'after' : undefined;
  }

  latencyMs(site: Site): number {
    const { latency } = this.#plan;
    // What passes before a request leaves is not the network's.
    if (site === 'platform.post' || latency.some + latency.long === 0) return 0;
    return latencyMs(this.#schedule, this.#isCalm ? { ...latency, long: 0 } : latency);
  }

  /** How long a process stands still before it stores what it has looked at, and how soon of that it is settled by hand. */
  pause(): { ms: number; byHandMs: number } | undefined {
    if (this.#isCalm || !this.#pauses.chance(this.#plan.pauseRate)) return undefined;
    return { ms: this.#pauses.whole(PAUSE_MS.least, PAUSE_MS.most), byHandMs: this.#pauses.whole(1, 1_000) };
  }

  /** How long a process stands still right after its send; undefined: it does not. */
  lateMs(): number | undefined {
    const { rate, msMax } = this.#plan.late;
    if (this.#isCalm || rate === 0 || !this.#late.chance(rate)) return undefined;
    return this.#late.whole(LATE_MS_LEAST, msMax);
  }

  diedAt(site: Site, when: When): void {
    this.#counted(`crash.${site}.${when}`);
  }

  failedAt(site: Site, when: 'before' | 'after'): void {
    this.#counted(`failure.${site}.${when}`);
  }
}
