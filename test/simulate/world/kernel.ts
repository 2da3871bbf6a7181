/**
 * Virtual time: a queue of what is to happen, in the order of time and of having been asked for. Time goes on only
 * when everything that could run has run: all microtasks, and all real input and output that is in flight.
 */

/** Something that is to happen; called off by `callOff`. */
export interface Due {
  atMs: number;
  order: number;
  happen: (() => void) | undefined;
}

/** A seed that needs more than that goes round in circles. */
const STEPS_MAX = 200_000;

export class Kernel {
  /** Since the beginning of the simulation. */
  nowMs = 0;
  /** Sorted, the next one last. */
  readonly #queue: Due[] = [];
  #asked = 0;
  #inFlight = 0;
  #whenIdle: (() => void) | undefined;
  #lastWork: Promise<void> = Promise.resolve();
  readonly #worksOutside: boolean;

  /** @param options.worksOutside whether some of the work is done outside this process, in time of its own */
  constructor(options: { worksOutside: boolean }) {
    this.#worksOutside = options.worksOutside;
  }

  at(atMs: number, happen: () => void): Due {
    const due: Due = { atMs: Math.max(atMs, this.nowMs), order: this.#asked++, happen };
    let place = this.#queue.length;
    while (place > 0 && isBefore(this.#queue[place - 1], due)) place--;
    this.#queue.splice(place, 0, due);
    return due;
  }

  callOff(due: Due): void {
    due.happen = undefined;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(signal.reason as Error);
        return;
      }
      const stop = (): void => {
        this.callOff(due);
        reject(signal?.reason as Error);
      };
      const due = this.at(this.nowMs + Math.ceil(ms), () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      });
      signal?.addEventListener('abort', stop, { once: true });
    });
  }

  /**
   * Real work (a database call): time stands still until it is done. One is done after the other, and what follows
   * from one before the next begins, so that the order of answers from outside decides nothing.
   */
  async during<T>(work: () => Promise<T>): Promise<T> {
    if (!this.#worksOutside) return await work();
    const before = this.#lastWork;
    const own = Promise.withResolvers<void>();
    this.#lastWork = own.promise;
    this.#inFlight += 1;
    await before;
    try {
      return await work();
    } finally {
      setImmediate(() => {
        this.#inFlight -= 1;
        own.resolve();
        if (this.#inFlight === 0) this.#whenIdle?.();
      });
    }
  }

  /**
   * Lets it happen until the work is done.
   * @throws what the work throws; Error when nothing can happen any more, or too much has
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    let outcome: { value: T } | { error: unknown } | undefined;
    work().then(
      (value) => (outcome = { value }),
      (error: unknown) => (outcome = { error }),
    );
    for (let step = 0; step < STEPS_MAX; step++) {
      await this.#quiet();
      if (outcome !== undefined) return valueOf(outcome);
      const due = this.#next();
      this.nowMs = due.atMs;
      due.happen();
    }
    throw new Error(`the simulation did not end within ${STEPS_MAX} steps`);
  }

  #next(): Due & { happen: () => void } {
    for (;;) {
      const due = this.#queue.pop();
      if (due === undefined) throw new Error('the simulation stands still: nothing is due any more');
      if (due.happen !== undefined) return due as Due & { happen: () => void };
    }
  }

  async #quiet(): Promise<void> {
    do {
      if (this.#inFlight > 0) await new Promise<void>((resolve) => (this.#whenIdle = resolve));
      await new Promise<void>((resolve) => setImmediate(resolve));
    } while (this.#inFlight > 0);
  }
}

/** Whether the queued one happens before the other, and so lies behind it in the queue. */
function isBefore(queued: Due | undefined, other: Due): boolean {
  if (queued === undefined) return false;
  return queued.atMs < other.atMs || (queued.atMs === other.atMs && queued.order < other.order);
}

function valueOf<T>(outcome: { value: T } | { error: unknown }): T {
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}
