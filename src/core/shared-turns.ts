/**
 * Turns at a rate that several processes share: taken a few at a time from wherever all of them take theirs, each good
 * for the moment it was given for and no other. Who comes late for one takes another: so no stretch of a second holds
 * more than the rate, whoever was paused, killed or slow.
 */
import type { Clock } from './ports.ts';
import { sleepUntil } from './pacing.ts';
import type { TakeTurn } from './pacing.ts';

/** As many as are asked for at once at most; the others ask beside them. */
const TURNS_MAX = 20;

/** So much later than its moment a turn may still be used; the rate is lower by that part of a second. */
export const LATE_MS = 40;

/** How much longer than the quickest of the latest answers the next one may take. */
const PATIENCE = 2;
const ANSWERS_KEPT = 5;

/** Before more turns are asked for where too many are given already. */
const BUSY_MS = 100;

/** So often spare turns are asked for: before those in hand are too late. */
const SPARE_EVERY_MS = 30;

/** Most of them are lost, which may cost this part of the rate, and nothing where turns are given further ahead than that. */
const SPARE_PART = 0.1;
const ROOMY_MS = 10;

/** Who has taken no turn for so long takes no more for now. */
const TAKING_MS = 500;

export interface TurnsTaken {
  turns: number;
  intervalMs: number;
  padMs: number;
}

export interface SharedTurns {
  take: TakeTurn;
  /** How long all who took a turn have waited for it. */
  waitedMs(): number;
}

interface Turn {
  /** Not before. */
  fromMs: number;
  /** Not after. */
  untilMs: number;
}

/** @param of.takeSome in how many ms the first turn is; undefined: none now */
export function sharedTurns(of: {
  clock: Clock;
  perSecond: number;
  takeSome: (request: TurnsTaken) => Promise<number | undefined>;
}): SharedTurns {
  const { clock, perSecond, takeSome } = of;
  // In a second that begins anywhere lie the turns of that second and those that were late into it.
  const intervalMs = (1_000 + LATE_MS) / perSecond;
  const sparesMax = Math.min(TURNS_MAX, Math.floor((SPARE_PART * SPARE_EVERY_MS) / intervalMs));
  const waiting: PromiseWithResolvers<Turn>[] = [];
  let spares: Turn[] = [];
  let isRoomy = false;
  let isAsking = false;
  let isKeepingSpares = false;
  const answersMs = [0];
  let waitedMs = 0;
  let takenMs = 0;

  /** Once at a time, and on while somebody waits. */
  async function askAlone(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    try {
      do await ask();
      while (waiting.length > 0);
    } catch (error) {
      // Where nobody waits, the next one asks again and is told.
      isRoomy = false;
      for (const one of waiting.splice(0)) one.reject(error);
    }
    isAsking = false;
  }

  async function ask(): Promise<void> {
    const turns = Math.min(waiting.length + (isRoomy ? sparesMax : 0), TURNS_MAX);
    // When the database had which time is known to the length of its answer; where that is always long, less is given.
    const lateMs = Math.max(LATE_MS, PATIENCE * Math.min(...answersMs) + LATE_MS / 2);
    const askedMs = clock.monoMs();
    const waitMs = await takeSome({ turns, intervalMs, padMs: lateMs - LATE_MS });
    const answeredMs = clock.monoMs();
    isRoomy = waitMs !== undefined && waitMs <= ROOMY_MS;
    if (waitMs === undefined) return clock.sleep(BUSY_MS);
    answersMs.splice(0, answersMs.length - ANSWERS_KEPT + 1);
    answersMs.push(answeredMs - askedMs);
    for (let nth = 0; nth < turns; nth++) {
      const at = waitMs + nth * intervalMs;
      const turn = { fromMs: answeredMs + at, untilMs: askedMs + at + lateMs };
      const one = waiting.shift();
      if (one === undefined) spares.push(turn);
      else one.resolve(turn);
    }
  }

  /** While turns are taken and nobody has to wait for one, some are in hand before a call needs them. */
  async function keepSpares(): Promise<void> {
    if (isKeepingSpares) return;
    isKeepingSpares = true;
    while (isRoomy && sparesMax > 0 && clock.monoMs() - takenMs < TAKING_MS) {
      await clock.sleep(SPARE_EVERY_MS);
      await askAlone();
    }
    isKeepingSpares = false;
  }

  function takeSpare(): Turn | undefined {
    const nowMs = clock.monoMs();
    spares = spares.filter(({ untilMs }) => untilMs >= nowMs);
    return spares.shift();
  }

  function nextTurn(): Promise<Turn> {
    const one = Promise.withResolvers<Turn>();
    waiting.push(one);
    void askAlone();
    return one.promise;
  }

  async function take(signal: AbortSignal | undefined): Promise<void> {
    const beganMs = clock.monoMs();
    for (;;) {
      signal?.throwIfAborted();
      const { fromMs, untilMs } = takeSpare() ?? (await nextTurn());
      await sleepUntil(clock, fromMs, signal);
      const nowMs = clock.monoMs();
      if (nowMs > untilMs) continue;
      waitedMs += nowMs - beganMs;
      takenMs = nowMs;
      void keepSpares();
      return;
    }
  }

  return { take, waitedMs: () => Math.round(waitedMs) };
}
