/**
 * A database restored from a backup has forgotten what was sent since (H18). A number kept outside shows it; then
 * nothing is sent until whatever was on its way has arrived.
 */
import path from 'node:path';
import { Stopped } from '../src/core/errors.ts';
import type { Files } from '../src/core/ports.ts';
import { addMs, MINUTE_MS, SECOND_MS } from '../src/core/time.ts';
import type { Instant } from '../src/core/time.ts';
import type { GuardState, SentStamp } from '../src/store/settle-book.ts';
import type { SettleMark, SettlePorts } from './settle-ports.ts';

/** A request may be accepted until that long after its time, by our clock (reliability.md 0.1). */
const ON_ITS_WAY_SECONDS = 20;

/** Whoever's clock is further off has every call refused (ENV-13). */
const CLOCKS_APART_MS_MAX = 10 * SECOND_MS;

/** A hold that is over on every clock. */
const LONG_PAST: Instant = '1970-01-01T00:00:00.000Z';

/** Until when nothing may be sent; undefined: it may. A restored database is accepted as the one in use. */
export async function holdAfterRestore(ports: SettlePorts): Promise<Instant | undefined> {
  const { book, mark, log } = ports;
  const guard = await book.guard();
  const marked = await mark.read();
  if (!wasRestored(guard, marked)) {
    if (isFirstUse(guard, marked)) await book.hold(LONG_PAST);
    return stillHeld(ports, guard.holdUntil);
  }
  const until = holdFrom(ports, guard);
  await book.hold(until, latestSend(ports));
  // Only now: a run that dies before this finds the same and holds again.
  await mark.write((await book.guard()).sequence);
  log.warn({ event: 'settle.held', until, sequence: guard.sequence, marked, isReplaced: guard.isReplaced });
  return until;
}

/** The latest at which a request may have left that a restored database has forgotten, by a clock that may be slow. */
function latestSend({ clock }: SettlePorts): SentStamp {
  const sentAt = clock.wall();
  return { reqTime: addMs(sentAt, CLOCKS_APART_MS_MAX), sentAt, sentMonoMs: clock.monoMs() };
}

/** The same for a rehearsal, which changes nothing. */
export async function readHold(ports: SettlePorts): Promise<Instant | undefined> {
  const guard = await ports.book.guard();
  const isRestored = wasRestored(guard, await ports.mark.read());
  return isRestored ? holdFrom(ports, guard) : stillHeld(ports, guard.holdUntil);
}

/** Nothing was ever sent: the database is made known now, so that a backup of today is known for what it is. */
function isFirstUse({ sequence, holdUntil }: GuardState, marked: bigint | undefined): boolean {
  return sequence === 0n && holdUntil === undefined && marked === undefined;
}

function wasRestored({ isReplaced, sequence }: GuardState, marked: bigint | undefined): boolean {
  return isReplaced || (marked !== undefined && sequence < marked);
}

function holdFrom({ clock, profile }: SettlePorts, { holdUntil }: GuardState): Instant {
  const { coolDownMinutes, marginSeconds } = profile.settle;
  const waitMs = Math.max(coolDownMinutes * MINUTE_MS, (ON_ITS_WAY_SECONDS + marginSeconds) * SECOND_MS);
  const until = addMs(clock.wall(), waitMs);
  return holdUntil !== undefined && holdUntil > until ? holdUntil : until;
}

function stillHeld({ clock }: SettlePorts, until: Instant | undefined): Instant | undefined {
  return until !== undefined && clock.wall() < until ? until : undefined;
}

const MARK_FORM = /^(\d{1,19})\n$/;

/** The mark as a file of its own, `settle/mark` below RECON_HOME. */
export function fileMark(files: Files, file: string): SettleMark {
  return {
    read: async () => {
      if ((await files.size(file)) === undefined) return undefined;
      const digits = MARK_FORM.exec(Buffer.from(await files.read(file)).toString('utf8'))?.[1];
      if (digits !== undefined) return BigInt(digits);
      throw new Stopped(
        `${file} does not hold the number that was written there: what was sent from here is not known; ` +
          'remove it only when no settlement has been retried in the last hour',
        { path: file },
      );
    },
    write: async (sequence) => {
      await files.makeFolder(path.dirname(file));
      await files.writeWhole(file, `${sequence}\n`);
    },
  };
}
