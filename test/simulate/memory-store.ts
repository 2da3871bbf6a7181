/** The books of a simulation in memory: the contract of the database's (test/settlements/settlement-attempts.sql.test.ts), and fast. */
import { callLagMs } from '../../jobs/night/settle/settle-cooling.ts';
import { LockHeld } from '../../src/core/errors.ts';
import type { Clock } from '../../src/core/ports.ts';
import { addMs } from '../../src/core/time.ts';
import type { Instant } from '../../src/core/time.ts';
import { LEASE_MS } from '../../src/store/database/leases.ts';
import type { Lease } from '../../src/store/database/leases.ts';
import { MemoryBooks } from '../helpers/settlements/memory-books.ts';
import type { MemoryBackup } from '../helpers/settlements/memory-books.ts';
import { MemoryAttemptStore } from '../helpers/settlements/memory-attempt-store.ts';
import type { AttemptFacts, BookOptions, BookStore, OpenedBook } from './book-store.ts';
import { Killed } from './world/mortal-process.ts';
import { ZONE } from './world/profiles.ts';

interface Held {
  holder: string;
  until: Instant;
}

const FREE: Held = { holder: '', until: '' };

export class MemoryStore implements BookStore {
  readonly kind = 'memory';
  #books = new MemoryBooks();
  #held: Held = FREE;
  #copy: { books: MemoryBackup; held: Held } | undefined;

  reset(accountNos: readonly string[]): Promise<void> {
    this.#books = new MemoryBooks();
    for (const accountNo of accountNos) this.#books.listedAccounts.add(accountNo);
    this.#held = FREE;
    this.#copy = undefined;
    return Promise.resolve();
  }

  async takeLease(holder: string, clock: Clock): Promise<Lease> {
    const now = clock.wall();
    if (this.#held.holder !== '' && this.#held.until > now) {
      throw new LockHeld(
        `another run holds the lock settle (${this.#held.holder}) until ${this.#held.until}`,
      );
    }
    this.#held = { holder, until: addMs(now, LEASE_MS) };
    return await Promise.resolve(this.#books.takeLease(holder));
  }

  async renewLease(lease: Lease, clock: Clock): Promise<void> {
    this.#books.requireLease(lease);
    this.#held = { ...this.#held, until: addMs(clock.wall(), LEASE_MS) };
    await Promise.resolve();
  }

  releaseLease(lease: Lease): Promise<void> {
    const { fence, holder } = this.#books;
    if (fence === lease.fence && holder === lease.holder) this.#held = FREE;
    return Promise.resolve();
  }

  expireLease(): Promise<void> {
    this.#held = FREE;
    return Promise.resolve();
  }

  currentLease(): Promise<Lease> {
    const { fence, holder } = this.#books;
    return Promise.resolve({ name: 'settle', holder, fence });
  }

  open({ lease, runId, profile, now }: BookOptions): OpenedBook {
    const { amountRule } = profile.settle;
    const lagMs = (slowestLookMs: number): number => callLagMs(profile, slowestLookMs);
    const saving = { runId, day: ZONE.dayOf(now()) };
    const book = new MemoryAttemptStore(this.#books, { lease, saving, amountRule, callLagMs: lagMs, now });
    return { book, breakOff: () => breakOff() };
  }

  attempts(): Promise<readonly AttemptFacts[]> {
    return Promise.resolve([...this.#books.attempts.values()]);
  }

  snapshot(): Promise<void> {
    this.#copy = { books: this.#books.backup(), held: this.#held };
    return Promise.resolve();
  }

  restore(as: { isReplaced: boolean; isStarted: boolean }): Promise<void> {
    if (this.#copy === undefined) throw new Error('Bug: nothing was copied');
    this.#books.restore(this.#copy.books, as);
    this.#held = this.#copy.held;
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** A change in memory is done at once: broken off it was never begun. */
function breakOff(): never {
  throw new Killed('killed within a change');
}
