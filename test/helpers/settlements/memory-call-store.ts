/** Changes of the books in memory, each in its turn; those of calls of money by hand. */
import type { Instant } from '../../../src/core/time.ts';
import type {
  CallByHand,
  CallFacts,
  CallStore,
  Denial,
  Denied,
  MoneyNamed,
  OpenForCall,
} from '../../../src/settlements/call-store.ts';
import type { AttemptStoreOptions } from '../../../src/settlements/settle-attempts.ts';
import type { Lease } from '../../../src/store/database/leases.ts';
import { done, SLOWEST_LOOK_MS } from './memory-attempts.ts';
import type { MemoryBooks, MemoryCall } from './memory-books.ts';
import { deny, openMet, setCalls } from './memory-calls.ts';

export type CallStoreOptions = Pick<AttemptStoreOptions, 'lease' | 'callLagMs'>;

export class MemoryCallStore implements CallStore {
  readonly #books: MemoryBooks;
  readonly #lease: Lease;
  readonly #lagMs: number;

  constructor(books: MemoryBooks, { lease, callLagMs }: CallStoreOptions) {
    [this.#books, this.#lease, this.#lagMs] = [books, lease, callLagMs(SLOWEST_LOOK_MS)];
  }

  openMet(named: MoneyNamed): Promise<OpenForCall[]> {
    return done(() => openMet(this.#books, named));
  }

  saveCall(call: CallByHand, server: string, allow: (facts: CallFacts) => void): Promise<void> {
    return this.inTurn(() => {
      const { holdUntil } = this.#books.requireTrusted(server);
      allow({ holdUntil, open: openMet(this.#books, call) });
      if (!this.#books.calls.has(call.reqId)) this.#books.calls.set(call.reqId, { ...call, isTaken: true });
    });
  }

  saveNotTaken(reqId: string): Promise<void> {
    return done(() => setCalls(this.#books, (call) => call.reqId === reqId, { isTaken: false }));
  }

  saveDenied(denial: Denial): Promise<Denied> {
    return this.inTurn(() => deny(this.#books, denial, this.#lagMs));
  }

  redateCalls({ now, latest }: { now: Instant; latest: Instant }): Promise<void> {
    const isMeant = ({ reqTime }: MemoryCall): boolean => reqTime > latest;
    return this.inTurn(() => setCalls(this.#books, isMeant, { reqTime: now, isTaken: false }));
  }

  /** Undone as a whole where it throws, which is before anything else is changed. */
  protected inTurn<T>(work: () => T, isFenced = true): Promise<T> {
    return done(() => {
      const books = this.#books;
      if (isFenced) books.requireLease(this.#lease);
      const former = books.guard;
      const identity = books.attempts.size === 0 ? books.identity : 0;
      books.guard ??= { sequence: books.events.at(-1)?.sequence ?? 0n, identity, holdUntil: undefined };
      try {
        return work();
      } catch (error) {
        books.guard = former;
        throw error;
      }
    });
  }
}
