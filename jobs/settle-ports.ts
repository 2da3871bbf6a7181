/** What the retry of settlements reaches the world through; handed in, so that a simulation can hand in its own. */
import type { Clock, Ids, Log } from '../src/core/ports.ts';
import type { Profile } from '../src/core/profile.ts';
import type { Zone } from '../src/core/time.ts';
import type { PlatformClient } from '../src/platform/client.ts';
import type { SettleBook } from '../src/store/settle-book.ts';

/**
 * A number kept outside the database: that of the last change before anything was sent. A database that knows fewer
 * changes than that was restored from a backup (H18).
 */
export interface SettleMark {
  /** Undefined when nothing was ever sent from here. */
  read(): Promise<bigint | undefined>;
  /** Durable when it resolves. */
  write(sequence: bigint): Promise<void>;
}

export interface SettlePorts {
  book: SettleBook;
  client: PlatformClient;
  clock: Clock;
  ids: Ids;
  mark: SettleMark;
  log: Log;
  profile: Profile;
  zone: Zone;
  /** Names this process, at random: clocks that only run forward are compared within one process only. */
  runner: string;
  /** Ends the work between two orders; what was sent is finished. */
  signal: AbortSignal;
}
