/** A machine the job runs on: its clock, which is off and may be set anew, and the mark it keeps on its disk. */
import type { Clock } from '../../../src/core/ports.ts';
import { instantOf } from '../../../src/core/time.ts';
import { FIRST_START } from '../book-store.ts';
import type { MarkState } from '../../../jobs/night/settle/high-water-mark.ts';
import type { HostPlan } from './draw-plan.ts';
import type { Kernel } from './kernel.ts';

/** A clock that was put right is still not exact. */
const SET_SKEW_MS = 700;

export class Host {
  readonly no: number;
  mark: MarkState | undefined;
  /** Which start of the machine it is. */
  boot: string;
  readonly #kernel: Kernel;
  readonly #beginsMs: number;
  #skewMs: number;
  #starts = 1;

  constructor(kernel: Kernel, plan: HostPlan & { beginsMs: number }, no: number) {
    this.no = no;
    this.#beginsMs = plan.beginsMs;
    this.boot = `boot-${no}-1`;
    // Nothing was ever sent from here.
    const start = { boot: this.boot, server: FIRST_START };
    this.mark = { books: '', sequence: 0n, reqId: '', ...start, heldUntil: undefined, isDoubtful: false };
    this.#kernel = kernel;
    this.#skewMs = plan.skewMs;
    if (plan.jump) {
      const { atMs, toSkewMs } = plan.jump;
      kernel.at(atMs, () => (this.#skewMs = toSkewMs));
    }
  }

  /** The machine is switched off and on. */
  startAnew(): void {
    this.#starts += 1;
    this.boot = `boot-${this.no}-${this.#starts}`;
  }

  setClock(): void {
    this.#skewMs = SET_SKEW_MS;
  }

  wallMs(): number {
    return this.#beginsMs + this.#kernel.nowMs + this.#skewMs;
  }

  /** Of a process that starts now: its monotonic clock begins anew. */
  clock(): Clock {
    const bornMs = this.#kernel.nowMs;
    return {
      wall: () => instantOf(this.wallMs()),
      monoMs: () => this.#kernel.nowMs - bornMs,
      sleep: (ms, signal) => this.#kernel.sleep(ms, signal),
    };
  }
}
