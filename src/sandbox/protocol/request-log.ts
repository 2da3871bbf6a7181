/** What was asked of the sandbox, with raw bodies: for counting calls and looking for leaks (CTL, SIG-06). */
import type { Instant } from '../../core/time.ts';

export interface LoggedRequest {
  /** Counts from 1 since the last reset. */
  no: number;
  at: Instant;
  method: string;
  path: string;
  contentType: string;
  /** The body as received. */
  body: string;
  /** The code that was answered; absent when no envelope was. */
  code: string | undefined;
  /** The faults that were played on this call. */
  faults: readonly string[];
}

/** Older requests make way: a long load test must not fill the memory. */
const KEPT_MAX = 20_000;

export class RequestLog {
  #kept: LoggedRequest[] = [];
  #count = 0;

  add(request: Omit<LoggedRequest, 'no'>): void {
    this.#kept.push({ no: ++this.#count, ...request });
    if (this.#kept.length >= 2 * KEPT_MAX) this.#kept = this.#kept.slice(-KEPT_MAX);
  }

  /** The requests after that number, as far as they are kept; oldest first. */
  after(no: number): readonly LoggedRequest[] {
    return this.#kept.slice(-KEPT_MAX).filter((request) => request.no > no);
  }

  get last(): LoggedRequest | undefined {
    return this.#kept.at(-1);
  }

  get count(): number {
    return this.#count;
  }
}
