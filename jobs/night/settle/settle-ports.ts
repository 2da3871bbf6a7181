/** What the retry of settlements reaches the world through; handed in, so that a simulation can hand in its own. */
import type { Clock, Ids, Log } from '../../../src/core/ports.ts';
import type { Profile } from '../../../src/core/profile/profile.ts';
import { addMs, SECOND_MS } from '../../../src/core/time.ts';
import type { Instant, Zone } from '../../../src/core/time.ts';
import type { PlatformClient } from '../../../src/platform/client.ts';
import type { SettlementAttemptStore } from '../../../src/settlements/attempt-store.ts';
import type { SettleMark } from './high-water-mark.ts';
import { counted } from '../../../src/core/text.ts';

const MINUTE_SECONDS = 60;

/** What a wait is for. */
export interface Waiting {
  /** What is done after it. */
  before: string;
  /** Masked. */
  why: string;
}

/** Waits until this process has lived so long, by the clock that only runs forward, and tells it once. */
export async function liveThrough(ports: SettlePorts, monoMs: number, waiting: Waiting): Promise<void> {
  const { clock, log, zone, signal } = ports;
  const leftMs = Math.ceil(monoMs - clock.monoMs()) + 1;
  if (leftMs <= 1) return;
  const [seconds, until] = [Math.ceil(leftMs / SECOND_MS), addMs(clock.wall(), leftMs)];
  log.info({ event: 'settle.waits', seconds, until, ...waiting });
  ports.tell(
    `settlements: waiting ${spanText(seconds)}, until ${zone.localText(until)}, before ${waiting.before}: ${waiting.why}`,
  );
  await clock.sleep(leftMs, signal);
}

function spanText(seconds: number): string {
  return seconds < MINUTE_SECONDS
    ? counted(seconds, 'second')
    : counted(Math.ceil(seconds / MINUTE_SECONDS), 'minute');
}

/**
 * The time now, for spans that must have gone by: from when this is called on no clock of this process may be ahead of
 * the other, so that one that is set forward ends nothing early. Take it once, at the beginning of a step.
 */
export function elapsingNow(clock: Clock): () => Instant {
  const [beganAt, beganMs] = [clock.wall(), clock.monoMs()];
  return () => {
    const [byWall, byMono] = [clock.wall(), addMs(beganAt, Math.floor(clock.monoMs() - beganMs))];
    return byWall < byMono ? byWall : byMono;
  };
}

export interface SettlePorts {
  book: SettlementAttemptStore;
  client: PlatformClient;
  clock: Clock;
  ids: Ids;
  mark: SettleMark;
  /** Which start of the machine this is; empty where it does not say, and nothing is trusted then. */
  boot: string;
  log: Log;
  profile: Profile;
  zone: Zone;
  /** What is waited for, in one line, to whoever is watching. */
  tell: (line: string) => void;
  /** Names this process, at random: clocks that only run forward are compared within one process only. */
  runner: string;
  /** Ends the work between two orders; what was sent is finished. */
  signal: AbortSignal;
}

export interface SettleRequest {
  runId: string;
  /** `dry-run` asks for accounts only and writes nothing; `resolve-only` sends nothing. */
  mode: 'retry' | 'dry-run' | 'resolve-only';
  /** The digest of a plan that is too large to be carried out unseen, whole or as it is shown, and who allows it. */
  approve?: { digest: string; by: string } | undefined;
  only?: OrderChoice | undefined;
  /** Instead of the profile's; `{attempt}` stands for the attempt's number. */
  remark?: string | undefined;
}

/** One order instead of all: by its own number or the platform's, and by its payer where that is needed. */
export interface OrderChoice {
  accountNo?: string | undefined;
  outOrderNo?: string | undefined;
  orderNo?: string | undefined;
}
