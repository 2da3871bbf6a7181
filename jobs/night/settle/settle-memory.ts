/**
 * Nothing is sent on the word of a memory that may have been set back (H18, docs/reliability.md 2.3 c): of a database
 * that was restored, or of a whole machine with everything on it. A mark outside both shows it. A restore that is
 * shown holds all sending until an instant that database and mark both know; and who doubts its memory, for whatever
 * reason, first lives so long, by its own clock, that whatever was on its way has arrived and is shown. That holds
 * for each mark: an end of a hold that it does not know may be of a clock that is behind.
 */
import { Stopped } from '../../../src/core/errors.ts';
import { addMs, MINUTE_MS, SECOND_MS } from '../../../src/core/time.ts';
import type { Instant } from '../../../src/core/time.ts';
import type { GuardState, SentStamp } from '../../../src/settlements/attempt-store.ts';
import type { MarkState } from './high-water-mark.ts';
import { liveThrough } from './settle-ports.ts';
import type { SettlePorts } from './settle-ports.ts';

/**
 * A request may be accepted until that long after its time, by clocks that are ten seconds off either way
 * (docs/reliability.md 0.1).
 */
const ON_ITS_WAY_SECONDS = 30;

/** Whoever's clock is further off has every call refused (ENV-13). */
const CLOCKS_APART_MS_MAX = 10 * SECOND_MS;

/** A hold that is over on every clock. */
const LONG_PAST: Instant = '1970-01-01T00:00:00.000Z';

/** How far what is stored here can be trusted. */
export interface Trust {
  /** Nothing may be sent before. */
  heldUntil: Instant | undefined;
  /** When the last hold after a restore ended or ends; undefined: no restore was ever found. */
  lastHold: Instant | undefined;
  /** So long the process must live from here on, by its own clock, before it sends anything; 0: the memory is sure. */
  doubtMs: number;
  /** Why it doubts; empty where it is sure. For people. */
  why: string;
  /**
   * Which start of the database's server this was judged on; empty where it does not say. Nothing is sent on its word
   * once another one answers.
   */
  server: string;
}

/**
 * What mark and database say of each other. `unsure`: nothing shows a restore, and nothing excludes it; `doubted`: so
 * it was found before, and nobody has lived through the wait.
 */
interface Memory {
  is: 'sure' | 'doubted' | 'unsure' | 'set back';
  guard: GuardState;
  marked: MarkState | undefined;
  /** Which books the database holds. */
  books: string;
  /** Which start of its server answers. */
  server: string;
  /** The latest end of a hold that database or mark know of, or that begins now; undefined: there never was one. */
  heldUntil: Instant | undefined;
  /** They know of one that ends later than any can that began by now: the clock was ahead, and it begins anew. */
  isClockBack: boolean;
  /** Database and mark know the same hold, or none: whoever wrote the mark has waited for it, or doubts. */
  isKnownHold: boolean;
}

/** Stores the doubt where one is due. A restored database is accepted as the one in use. */
export async function trustMemory(ports: SettlePorts): Promise<Trust> {
  const memory = await readMemory(ports);
  if (memory.is === 'unsure' || memory.is === 'set back') await beginDoubt(ports, memory);
  const { guard } = memory;
  // Made known before anything is sent, so that a backup of today is known for what it is.
  if (memory.is === 'sure' && guard.sequence === 0n && guard.holdUntil === undefined)
    await ports.book.hold(LONG_PAST);
  return trustIn(ports, memory);
}

/** The same for a rehearsal, which changes nothing. */
export async function readTrust(ports: SettlePorts): Promise<Trust> {
  return trustIn(ports, await readMemory(ports));
}

/**
 * For a call of money by hand, which must not meet an attempt that is forgotten. Before the first use for retries, of
 * which a mark or the database's guard would tell, there is none to forget, and nobody waits. That both tell of a use and
 * of no attempt shows nothing: they may have been set back to before the first one.
 */
export async function trustForCall(ports: SettlePorts): Promise<Trust> {
  const memory = await readMemory(ports);
  const { is, guard, marked } = memory;
  const isUsed = guard.sequence > 0n || guard.holdUntil !== undefined || marked !== undefined;
  if (is === 'set back' || isUsed) return trustMemory(ports);
  return { ...trustIn(ports, memory), doubtMs: 0 };
}

/**
 * Lives through the wait, after which the memory is sure: whatever it had forgotten is shown by now.
 * @throws Stopped when the memory was set back meanwhile
 */
export async function becomeSure(ports: SettlePorts, { doubtMs, why, server }: Trust): Promise<void> {
  const { book, mark, log, clock, boot } = ports;
  if ((await book.serverStart()) !== server) throw new Stopped(SET_BACK_MEANWHILE);
  log.warn({ event: 'settle.doubts', reason: `${why}: ${WHAT_HELPS}` });
  await liveThrough(ports, clock.monoMs() + doubtMs, { before: 'anything is sent', why });
  const { is, isKnownHold, guard, marked, server: now, books } = await readMemory(ports);
  if (is === 'set back' || !isKnownHold || now !== server) throw new Stopped(SET_BACK_MEANWHILE);
  const known = { books, sequence: guard.sequence, reqId: '', boot, server };
  await mark.write({ ...known, heldUntil: marked?.heldUntil, isDoubtful: false });
  log.info({ event: 'settle.waited', seconds: doubtMs / SECOND_MS });
}

const SET_BACK_MEANWHILE =
  'the database was restored, or its server started anew, while the settlements waited: nothing was sent; call it again';

const OTHER_BOOKS =
  'the mark of what was sent (SETTLE_MARK_FILE) belongs to the books of another database: two installations share ' +
  'the file, or the database was made anew. Give each its own SETTLE_MARK_FILE; where this database takes the place ' +
  'of the other, remove the file, and the wait of a first use begins';

/** @throws Stopped when the mark belongs to other books, whose sends say nothing of these */
async function readMemory(ports: SettlePorts): Promise<Memory> {
  const { book, mark, boot } = ports;
  const guard = await book.guard();
  const server = await book.serverStart();
  const books = await book.booksId();
  const marked = await mark.read();
  if (marked !== undefined && marked.books !== '' && marked.books !== books) throw new Stopped(OTHER_BOOKS);
  const isForgotten =
    marked !== undefined &&
    (guard.sequence < marked.sequence ||
      (marked.reqId !== '' && !(await book.isSend(marked.sequence, marked.reqId))));
  const known = latestOf([guard.holdUntil, marked?.heldUntil]);
  const isClockBack = known !== undefined && known > latestHold(ports);
  const heldUntil = isClockBack ? holdFromNow(ports) : known;
  const isKnownHold = (guard.holdUntil ?? LONG_PAST) === (marked?.heldUntil ?? LONG_PAST);
  const found = { guard, marked, books, server, heldUntil, isClockBack, isKnownHold };
  if (guard.isReplaced || isForgotten) {
    // Never the same as one before it, which another mark may know.
    const another = heldUntil && addMs(heldUntil, 1);
    return { is: 'set back', ...found, heldUntil: latestOf([another, holdFromNow(ports)]) };
  }
  // A machine or a server that was started since may have been set back, with the mark; one that hides it always may.
  const isOfNow = marked?.boot === boot && boot !== '' && marked.server === server && server !== '';
  if (!isOfNow || isClockBack || !isKnownHold) return { is: 'unsure', ...found };
  return { is: marked.isDoubtful ? 'doubted' : 'sure', ...found };
}

async function beginDoubt(ports: SettlePorts, memory: Memory): Promise<void> {
  const { book, mark, log, boot } = ports;
  const { is, guard, marked, books, server, heldUntil = LONG_PAST, isClockBack } = memory;
  const cut = isClockBack && { latest: heldUntil };
  await book.hold(heldUntil, { latestSend: latestSend(ports), ...cut });
  // Only now: a run that dies before this finds the same and doubts again.
  const { sequence } = await book.guard();
  await mark.write({
    books,
    sequence,
    reqId: '',
    boot,
    server,
    heldUntil: memory.heldUntil,
    isDoubtful: true,
  });
  const { isReplaced } = guard;
  const counts = { sequence: guard.sequence, marked: marked?.sequence, isReplaced };
  const facts = { memory: is, ...(memory.heldUntil !== undefined && { until: heldUntil }), ...counts };
  if (is === 'set back') log.warn({ event: 'settle.held', ...facts });
  else log.info({ event: 'settle.doubted', ...facts });
}

function trustIn(ports: SettlePorts, memory: Memory): Trust {
  const { heldUntil: lastHold, server } = memory;
  const heldUntil = lastHold !== undefined && ports.clock.wall() < lastHold ? lastHold : undefined;
  if (memory.is === 'sure') return { heldUntil, lastHold, doubtMs: 0, why: '', server };
  return { heldUntil, lastHold, doubtMs: doubtMsOf(ports), why: whyDoubted(ports, memory), server };
}

const WHAT_HELPS =
  'nothing excludes that what was sent is forgotten here, so it must arrive and be shown before anything is sent. ' +
  'Where the queries of the platform never lag behind, settle.viewLagSeconds 0 makes that 150 seconds; nobody waits ' +
  'where SETTLE_MARK_FILE is kept and machine and database server run on between two calls';

function whyDoubted({ boot }: SettlePorts, memory: Memory): string {
  const { is, marked, server, isClockBack, isKnownHold } = memory;
  if (is === 'set back') return 'the database was restored or replaced';
  if (isClockBack) return 'it was held by a clock that was ahead of this one';
  if (marked !== undefined && !isKnownHold) return 'a restore was found elsewhere, by whatever clock';
  if (is === 'doubted') return 'it was doubted before, and nobody has waited to the end';
  if (boot === '') return 'this machine does not say since when it runs';
  if (server === '') return 'the database server does not say since when it runs';
  if (marked === undefined) return 'there is no mark of what was sent (SETTLE_MARK_FILE)';
  if (marked.boot !== boot) return 'this machine was started, or is another one, since the last call';
  return 'the database server was started, or is another one, since the last call';
}

function holdFromNow(ports: SettlePorts): Instant {
  const coolDownMs = ports.profile.settle.coolDownMinutes * MINUTE_MS;
  return addMs(ports.clock.wall(), Math.max(coolDownMs + lagMsOf(ports), doubtMsOf(ports)));
}

/** No hold that began by now ends later, by clocks that are ten seconds off either way. */
function latestHold(ports: SettlePorts): Instant {
  return addMs(holdFromNow(ports), 2 * CLOCKS_APART_MS_MAX);
}

function latestOf(ends: readonly (Instant | undefined)[]): Instant | undefined {
  let latest: Instant | undefined;
  for (const until of ends) if (until !== undefined && until > (latest ?? LONG_PAST)) latest = until;
  return latest;
}

/** The latest at which a request may have left that a restored database has forgotten, by a clock that may be slow. */
function latestSend({ clock }: SettlePorts): SentStamp {
  const sentAt = clock.wall();
  return { reqTime: addMs(sentAt, CLOCKS_APART_MS_MAX), sentAt, sentMonoMs: clock.monoMs() };
}

/** What was sent has arrived by then, and is not hidden any more by queries that lag behind. */
function doubtMsOf(ports: SettlePorts): number {
  return (ON_ITS_WAY_SECONDS + ports.profile.settle.marginSeconds) * SECOND_MS + lagMsOf(ports);
}

function lagMsOf({ profile }: SettlePorts): number {
  return profile.settle.viewLagSeconds * SECOND_MS;
}
