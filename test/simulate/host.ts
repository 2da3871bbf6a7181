/** A machine the job runs on: its clock, which is off and may be set anew, and the mark it keeps on its disk. */
import type { Clock } from '../../src/core/ports.ts';
import { instantOf } from '../../src/core/time.ts';
import { BEGINS_MS } from './bank.ts';
import type { HostPlan } from './draw-plan.ts';
import type { Kernel } from './kernel.ts';

/** A clock that was put right is still not exact. */
const SET_SKEW_MS = 700;

export class Host {
  readonly no: number;
  mark: bigint | undefined;
  readonly #kernel: Kernel;
  #skewMs: number;

  constructor(kernel: Kernel, plan: HostPlan, no: number) {
    this.no = no;
    this.#kernel = kernel;
    this.#skewMs = plan.skewMs;
    if (plan.jump) {
      const { atMs, toSkewMs } = plan.jump;
      kernel.at(atMs, () => (this.#skewMs = toSkewMs));
    }
  }

  setClock(): void {
    this.#skewMs = SET_SKEW_MS;
  }

  wallMs(): number {
    return BEGINS_MS + this.#kernel.nowMs + this.#skewMs;
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
