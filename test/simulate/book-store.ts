/** What a simulation needs of the place where attempts are kept, in memory or in a database. */
import type { Clock } from '../../src/core/ports.ts';
import type { Profile } from '../../src/core/profile/profile.ts';
import type { Instant } from '../../src/core/time.ts';
import type { Lease } from '../../src/store/database/leases.ts';
import type { AttemptOutcome, AttemptState } from '../../src/store/schema/schema.ts';
import type { SettlementAttemptStore } from '../../src/settlements/attempt-store.ts';

/** An attempt as the oracle reads it, past the ports. */
export interface AttemptFacts {
  reqId: string;
  outOrderNo: string;
  attemptNo: number;
  amountFen: bigint;
  state: AttemptState;
  outcome: AttemptOutcome | undefined;
  fence: bigint;
  runId: string;
  note: string;
  closedAt: Instant | undefined;
}

export interface BookOptions {
  lease: Lease;
  runId: string;
  profile: Profile;
  now: () => Instant;
}

/** A book of one process, and how it dies within a change. */
export interface OpenedBook {
  book: SettlementAttemptStore;
  /** The next change breaks off half way, with `Killed`, and is undone; nothing where it is over before. */
  breakOff(): void;
}

/** The start of the server that every seed begins with. */
export const FIRST_START = '1/1';

export interface BookStore {
  readonly kind: 'memory' | 'postgres' | 'embedded';
  /** Empties it and lists these accounts as the company's. */
  reset(accountNos: readonly string[]): Promise<void>;
  /** @throws LockHeld when a living holder has it */
  takeLease(holder: string, clock: Clock): Promise<Lease>;
  /** @throws Stopped when it was lost */
  renewLease(lease: Lease, clock: Clock): Promise<void>;
  releaseLease(lease: Lease, clock: Clock): Promise<void>;
  /** Whoever comes next gets it, though its holder lives. */
  expireLease(): Promise<void>;
  /** Whoever has it. */
  currentLease(): Promise<Lease>;
  open(options: BookOptions): OpenedBook;
  attempts(): Promise<readonly AttemptFacts[]>;
  /** Keeps a copy of everything. */
  snapshot(): Promise<void>;
  /** Goes back to the copy; `isReplaced`: into another database; `isStarted`: its server was started for that. */
  restore(as: { isReplaced: boolean; isStarted: boolean }): Promise<void>;
  close(): Promise<void>;
}
