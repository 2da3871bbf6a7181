/** What the retry of settlements reaches the world through; handed in, so that a simulation can hand in its own. */
import type { Clock, Ids, Log } from '../src/core/ports.ts';
import type { Profile } from '../src/core/profile.ts';
import { addMs, SECOND_MS } from '../src/core/time.ts';
import type { Zone } from '../src/core/time.ts';
import type { PlatformClient } from '../src/platform/client.ts';
import type { SettleBook } from '../src/store/settle-book.ts';
import type { SettleMark } from './settle-mark.ts';

/** Waits until this process has lived so long, by the clock that only runs forward. */
export async function liveThrough({ clock, log, signal }: SettlePorts, monoMs: number): Promise<void> {
  const leftMs = Math.ceil(monoMs - clock.monoMs()) + 1;
  if (leftMs <= 1) return;
  log.info({
    event: 'settle.waits',
    seconds: Math.ceil(leftMs / SECOND_MS),
    until: addMs(clock.wall(), leftMs),
  });
  await clock.sleep(leftMs, signal);
}

export interface SettlePorts {
  book: SettleBook;
  client: PlatformClient;
  clock: Clock;
  ids: Ids;
  mark: SettleMark;
  /** Which start of the machine this is; empty where it does not say, and nothing is trusted then. */
  boot: string;
  log: Log;
  profile: Profile;
  zone: Zone;
  /** Names this process, at random: clocks that only run forward are compared within one process only. */
  runner: string;
  /** Ends the work between two orders; what was sent is finished. */
  signal: AbortSignal;
}
