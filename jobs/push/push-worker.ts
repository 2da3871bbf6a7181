/**
 * Works off the pushes that were kept, for as long as the process runs: within seconds of a push, after a start what
 * was left, and in between what had to wait for a night. Old ones are dropped.
 */
import { LockHeld, Stopped, messageOf } from '../../src/core/errors.ts';
import { DAY_MS, MINUTE_MS, addMs } from '../../src/core/time.ts';
import {
  countPushes,
  dropPushes,
  measurePushes,
  vacuumPushes,
  wakeRegisteredPushes,
} from '../../src/store/pushes/push-stock.ts';
import { lazyPlatform } from '../context/context.ts';
import type { Context, LazyPlatform } from '../context/context.ts';
import type { PushGate } from './push-gate.ts';
import { processPushes } from './push-round.ts';
import type { Pacing, Round } from './push-round.ts';
import type { PushTally } from './push-tally.ts';
import { Quota } from './quota.ts';

export interface PushPaces {
  /** From the first push to the question: what comes in the meantime is asked for with it. */
  debounceMs: number;
  /** Between looks when nothing comes: a night may have ended, another process have stopped. */
  pollMs: number;
  /** Between two questions about one batch. */
  spacingMs: number;
  /** After a question without an answer, or a failure of ours. */
  restMs: number;
  /** Between looks at what is old or was registered since. */
  sweepMs: number;
}

const PACES: PushPaces = {
  debounceMs: 1_000,
  pollMs: 30_000,
  spacingMs: 10_000,
  restMs: 60_000,
  sweepMs: 60_000,
};

/** Long enough for every question about a push that comes up within a quarter. */
const KEPT_DAYS = 90;
/** Both together are below what the gate lets in, so that neither a flood nor success shuts anybody out. */
const UNSIGNED_BYTES_KEPT = 67_108_864n;
const SIGNED_BYTES_KEPT = 536_870_912n;
/** Warnings about what pushes say. */
const WARNINGS_PER_MINUTE = 20;

export interface PushWorker {
  /** Something new was kept. */
  nudge(): void;
  /** Begins nothing more and waits for what is at work; the context's own signal ends it as well. */
  close(): Promise<void>;
}

/** What the worker tells of what it finds in the tables. */
export interface PushGauges {
  gate: PushGate;
  tally: PushTally;
}

/** The worker has a client of its own: what halts it halts neither night nor snapshot. */
export function openPushWorker(context: Context, gauges: PushGauges, paces: PushPaces = PACES): PushWorker {
  const closing = new AbortController();
  const signal = AbortSignal.any([context.signal, closing.signal]);
  const platform = lazyPlatform(context, context.db, signal);
  const worker = new Worker({ ...context, signal, platform: platform.open }, { ...gauges, platform }, paces);
  const work = async (): Promise<void> => {
    await worker.run();
    await platform.close();
  };
  const working = work();
  const close = (): Promise<void> => {
    closing.abort(new Error('no more pushes are worked off'));
    return working;
  };
  return { nudge: () => worker.nudge(), close };
}

class Worker {
  readonly #context: Context;
  readonly #parts: PushGauges & { platform: LazyPlatform };
  readonly #paces: PushPaces;
  readonly #pacing: Pacing;
  #sweepAtMs = Number.NEGATIVE_INFINITY;
  #nudged = new AbortController();

  constructor(context: Context, parts: PushGauges & { platform: LazyPlatform }, paces: PushPaces) {
    this.#context = context;
    this.#parts = parts;
    this.#paces = paces;
    const { spacingMs, restMs } = paces;
    const warnings = new Quota(context.realClock, { max: WARNINGS_PER_MINUTE, spanMs: MINUTE_MS });
    this.#pacing = { spacingMs, restMs, notBeforeMs: new Map(), warnings };
  }

  nudge(): void {
    this.#nudged.abort(new Error('a push came'));
  }

  /** Never rejects: what fails is said and tried again. */
  async run(): Promise<void> {
    const { signal } = this.#context;
    while (!signal.aborted) {
      try {
        await this.#pause(await this.#look());
      } catch (error) {
        if (error instanceof LockHeld) await this.#pause(this.#paces.pollMs);
        else await this.#rest(error);
      }
    }
  }

  /** Whoever posts must not make a failure come sooner again; a client that was halted is opened anew. */
  async #rest(failure: unknown): Promise<void> {
    const { signal, log, realClock } = this.#context;
    if (signal.aborted) {
      log.warn({ event: 'push.left', reason: messageOf(failure) });
      return;
    }
    log.error({ event: 'push.failed', error: failure });
    const sayUnclosed = (error: unknown): void =>
      log.warn({ event: 'push.unclosed', reason: messageOf(error) });
    if (failure instanceof Stopped) await this.#parts.platform.close().catch(sayUnclosed);
    await realClock.sleep(this.#paces.restMs, signal).catch(() => undefined);
  }

  /** @returns how long nothing need be done unless something comes */
  async #look(): Promise<number> {
    const { db, realClock } = this.#context;
    const { pollMs } = this.#paces;
    const round = await processPushes(this.#context, this.#pacing);
    const nowMs = realClock.monoMs();
    if (nowMs >= this.#sweepAtMs) {
      this.#sweepAtMs = nowMs + this.#paces.sweepMs;
      if ((await this.#sweep()) > 0) return 0;
    } else if (round.done > 0) {
      this.#parts.gate.measured(await measurePushes(db));
    }
    return pauseAfter(round, { nowMs: realClock.monoMs(), pollMs });
  }

  /** @returns how many hints wait again */
  async #sweep(): Promise<number> {
    const { db, clock, log } = this.#context;
    const processedBefore = addMs(clock.wall(), -KEPT_DAYS * DAY_MS);
    const dropped = await dropPushes(db, {
      processedBefore,
      unsignedBytesMax: UNSIGNED_BYTES_KEPT,
      signedBytesMax: SIGNED_BYTES_KEPT,
    });
    if (dropped > 0) await vacuumPushes(db);
    const woken = await wakeRegisteredPushes(db);
    this.#parts.gate.measured(await measurePushes(db));
    this.#parts.tally.hinted(await countPushes(db));
    log[dropped + woken > 0 ? 'info' : 'debug']({ event: 'push.swept', dropped, woken });
    return woken;
  }

  /** A pause that is cut short means that a push came, or that we are stopped, which is looked at above. */
  async #pause(ms: number): Promise<void> {
    const { signal, realClock } = this.#context;
    const cut = AbortSignal.any([signal, this.#nudged.signal]);
    await realClock.sleep(ms, cut).catch(() => undefined);
    if (!this.#nudged.signal.aborted || signal.aborted) return;
    await realClock.sleep(this.#paces.debounceMs, signal).catch(() => undefined);
    this.#nudged = new AbortController();
  }
}

function pauseAfter({ isFull, nextMs }: Round, at: { nowMs: number; pollMs: number }): number {
  if (isFull) return 0;
  if (nextMs === undefined) return at.pollMs;
  return Math.min(at.pollMs, Math.max(0, nextMs - at.nowMs));
}
