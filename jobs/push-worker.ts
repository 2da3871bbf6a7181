/**
 * Works off the pushes that were kept, for as long as the process runs: within seconds of a push, after a start what
 * was left, and in between what had to wait for a night. Old ones are dropped.
 */
import { LockHeld, messageOf } from '../src/core/errors.ts';
import { DAY_MS, addMs } from '../src/core/time.ts';
import { dropPushes, measurePushes, wakeRegisteredPushes } from '../src/store/push-stock.ts';
import type { Context } from './context.ts';
import type { PushGate } from './push-gate.ts';
import { processPushes } from './push-round.ts';
import type { Round } from './push-round.ts';

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
/** Below what the gate lets in, so that a flood that is over shuts nobody out. */
const UNSIGNED_BYTES_KEPT = 67_108_864n;

export interface PushWorker {
  /** Something new was kept. */
  nudge(): void;
  /** Begins nothing more and waits for what is at work; the context's own signal ends it as well. */
  close(): Promise<void>;
}

export function openPushWorker(context: Context, gate: PushGate, paces: PushPaces = PACES): PushWorker {
  const closing = new AbortController();
  const signal = AbortSignal.any([context.signal, closing.signal]);
  const worker = new Worker({ ...context, signal }, gate, paces);
  const working = worker.run();
  const close = (): Promise<void> => {
    closing.abort(new Error('no more pushes are worked off'));
    return working;
  };
  return { nudge: () => worker.nudge(), close };
}

class Worker {
  readonly #context: Context;
  readonly #gate: PushGate;
  readonly #paces: PushPaces;
  readonly #notBeforeMs = new Map<string, number>();
  #sweepAtMs = Number.NEGATIVE_INFINITY;
  #nudged = new AbortController();

  constructor(context: Context, gate: PushGate, paces: PushPaces) {
    this.#context = context;
    this.#gate = gate;
    this.#paces = paces;
  }

  nudge(): void {
    this.#nudged.abort(new Error('a push came'));
  }

  /** Never rejects: what fails is said and tried again. */
  async run(): Promise<void> {
    const { signal, log } = this.#context;
    while (!signal.aborted) {
      let pauseMs: number;
      try {
        pauseMs = await this.#look();
      } catch (error) {
        pauseMs = this.#paces.restMs;
        if (error instanceof LockHeld) pauseMs = this.#paces.pollMs;
        else if (signal.aborted) log.warn({ event: 'push.left', reason: messageOf(error) });
        else log.error({ event: 'push.failed', error });
      }
      await this.#pause(pauseMs);
    }
  }

  /** @returns how long nothing need be done unless something comes */
  async #look(): Promise<number> {
    const { db, realClock } = this.#context;
    const { spacingMs, restMs, pollMs } = this.#paces;
    const round = await processPushes(this.#context, { spacingMs, restMs, notBeforeMs: this.#notBeforeMs });
    const nowMs = realClock.monoMs();
    if (nowMs >= this.#sweepAtMs) {
      this.#sweepAtMs = nowMs + this.#paces.sweepMs;
      if ((await this.#sweep()) > 0) return 0;
    } else if (round.done > 0) {
      this.#gate.measured(await measurePushes(db));
    }
    return pauseAfter(round, { nowMs: realClock.monoMs(), pollMs });
  }

  /** @returns how many hints wait again */
  async #sweep(): Promise<number> {
    const { db, clock, log } = this.#context;
    const processedBefore = addMs(clock.wall(), -KEPT_DAYS * DAY_MS);
    const dropped = await dropPushes(db, { processedBefore, unsignedBytesMax: UNSIGNED_BYTES_KEPT });
    const woken = await wakeRegisteredPushes(db);
    this.#gate.measured(await measurePushes(db));
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
