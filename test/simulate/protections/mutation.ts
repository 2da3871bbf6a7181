/** How a protection is taken away: by wrapping ports. */
import type { SettleMark } from '../../../jobs/night/settle/high-water-mark.ts';
import type { Profile } from '../../../src/core/profile/profile.ts';
import type { PlatformClient } from '../../../src/platform/client.ts';
import type { SettlementAttemptStore } from '../../../src/settlements/attempt-store.ts';

/** The starts of machine and server that are now. */
export interface Starts {
  boot: string;
  serverStart: () => Promise<string>;
  /** Of a process that calls by hand. */
  isCall: boolean;
}

export interface Mutation {
  /** What is taken away, in words. */
  without: string;
  book?: (book: SettlementAttemptStore, of: { runner: string; isCall: boolean }) => SettlementAttemptStore;
  /** @param of.remembered what a seed remembers from process to process */
  client?: (
    client: PlatformClient,
    of: { book: SettlementAttemptStore; remembered: Map<string, unknown> },
  ) => PlatformClient;
  mark?: (mark: SettleMark, of: Starts) => SettleMark;
  profile?: (profile: Profile) => Profile;
  /** Calls by hand go on beside whoever has the lease. */
  callsAtOnce?: true;
  /** A book that asks nobody whether its lease is still its own. */
  ignoresFence?: true;
}
