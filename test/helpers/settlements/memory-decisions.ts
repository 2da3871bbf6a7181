/** What people were shown and what they decided, in the books in memory. */
import type { Instant } from '../../../src/core/time.ts';
import type { Window } from '../../../src/core/window.ts';
import type { Lease } from '../../../src/store/database/leases.ts';
import type {
  BalanceSeen,
  Evidence,
  SettlementAttemptStore,
} from '../../../src/settlements/attempt-store.ts';
import { done } from './memory-attempts.ts';
import { MemoryCallStore } from './memory-call-store.ts';
import type { CallStoreOptions } from './memory-call-store.ts';
import type { MemoryBooks } from './memory-books.ts';

export class MemoryDecisions extends MemoryCallStore {
  readonly #books: MemoryBooks;
  readonly #lease: Lease;

  constructor(books: MemoryBooks, options: CallStoreOptions) {
    super(books, options);
    [this.#books, this.#lease] = [books, options.lease];
  }

  balancesOf(): Promise<BalanceSeen[]> {
    return Promise.resolve([]);
  }

  shownBalancesOf(accountNo: string, from: Instant): Promise<BalanceSeen[]> {
    return done(() =>
      this.#books.evidence
        .filter(({ reqId }) => this.#books.attempts.get(reqId)?.payeeAccountNo === accountNo)
        .flatMap(({ balance }) => balance ?? [])
        .filter(({ at }) => at >= from)
        .toSorted((one, other) => (one.at < other.at ? -1 : 1)),
    );
  }

  saveEvidence(evidence: Evidence): Promise<void> {
    return done(() => {
      this.#books.requireLease(this.#lease);
      const first = this.#evidence(evidence);
      this.#books.evidence = this.#books.evidence.filter((known) => known !== first);
      this.#books.evidence.push(first ?? evidence);
    });
  }

  findEvidence(reqId: string, digest: string): Promise<Evidence | undefined> {
    return done(() => this.#evidence({ reqId, digest }));
  }

  newestShown(reqId: string): Promise<string | undefined> {
    return done(() => this.#books.evidence.findLast((known) => known.reqId === reqId)?.digest);
  }

  #evidence({ reqId, digest }: Pick<Evidence, 'reqId' | 'digest'>): Evidence | undefined {
    return this.#books.evidence.find((known) => known.reqId === reqId && known.digest === digest);
  }

  isApproved(planDigest: string, { from, to }: Window): Promise<boolean> {
    return done(() =>
      this.#books.approvals.some(
        (known) => known.planDigest === planDigest && known.approvedAt >= from && known.approvedAt < to,
      ),
    );
  }

  saveApproval({
    planDigest,
    approvedAt,
  }: Parameters<SettlementAttemptStore['saveApproval']>[0]): Promise<void> {
    return done(() => {
      this.#books.requireLease(this.#lease);
      this.#books.approvals.push({ planDigest, approvedAt });
    });
  }
}
