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

interface TurnsOf {
  clock: Clock;
  perSecond: number;
  /** In how many ms the first turn is; undefined: none now. */
  takeSome: (request: TurnsTaken) => Promise<number | undefined>;
}

interface Turn {
  /** Not before. */
  fromMs: number;
  /** Not after. */
  untilMs: number;
}

export function sharedTurns(of: TurnsOf): SharedTurns {
  const hand = new TurnsInHand(of);
  return { take: (signal) => hand.take(signal), waitedMs: () => Math.round(hand.waitedMs) };
}

class TurnsInHand {
  readonly #clock: Clock;
  readonly #takeSome: TurnsOf['takeSome'];
  /** In a second that begins anywhere lie the turns of that second and those that were late into it. */
  readonly #intervalMs: number;
  readonly #sparesMax: number;
  readonly #waiting: PromiseWithResolvers<Turn>[] = [];
  readonly #answersMs = [0];
  #spares: Turn[] = [];
  #isRoomy = false;
  #isAsking = false;
  #isKeepingSpares = false;
  #takenMs = 0;
  waitedMs = 0;

  constructor({ clock, perSecond, takeSome }: TurnsOf) {
    this.#clock = clock;
    this.#takeSome = takeSome;
    this.#intervalMs = (1_000 + LATE_MS) / perSecond;
    this.#sparesMax = Math.min(TURNS_MAX, Math.floor((SPARE_PART * SPARE_EVERY_MS) / this.#intervalMs));
  }

  async take(signal: AbortSignal | undefined): Promise<void> {
    const beganMs = this.#clock.monoMs();
    for (;;) {
      signal?.throwIfAborted();
      const { fromMs, untilMs } = this.#takeSpare() ?? (await this.#nextTurn());
      await sleepUntil(this.#clock, fromMs, signal);
      const nowMs = this.#clock.monoMs();
      if (nowMs > untilMs) continue;
      this.waitedMs += nowMs - beganMs;
      this.#takenMs = nowMs;
      void this.#keepSpares();
      return;
    }
  }

  #takeSpare(): Turn | undefined {
    const nowMs = this.#clock.monoMs();
    this.#spares = this.#spares.filter(({ untilMs }) => untilMs >= nowMs);
    return this.#spares.shift();
  }

  #nextTurn(): Promise<Turn> {
    const one = Promise.withResolvers<Turn>();
    this.#waiting.push(one);
    void this.#askAlone();
    return one.promise;
  }

  /** While turns are taken and nobody has to wait for one, some are in hand before a call needs them. */
  async #keepSpares(): Promise<void> {
    if (this.#isKeepingSpares) return;
    this.#isKeepingSpares = true;
    while (this.#isRoomy && this.#sparesMax > 0 && this.#clock.monoMs() - this.#takenMs < TAKING_MS) {
      await this.#clock.sleep(SPARE_EVERY_MS);
      await this.#askAlone();
    }
    this.#isKeepingSpares = false;
  }

  /** Once at a time, and on while somebody waits. */
  async #askAlone(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      do await this.#ask();
      while (this.#waiting.length > 0);
    } catch (error) {
      // Where nobody waits, the next one asks again and is told.
      this.#isRoomy = false;
      for (const one of this.#waiting.splice(0)) one.reject(error);
    }
    this.#isAsking = false;
  }

  async #ask(): Promise<void> {
    const turns = Math.min(this.#waiting.length + (this.#isRoomy ? this.#sparesMax : 0), TURNS_MAX);
    // When the database had which time is known to the length of its answer; where that is always long, less is given.
    const lateMs = Math.max(LATE_MS, PATIENCE * Math.min(...this.#answersMs) + LATE_MS / 2);
    const intervalMs = this.#intervalMs;
    const askedMs = this.#clock.monoMs();
    const waitMs = await this.#takeSome({ turns, intervalMs, padMs: lateMs - LATE_MS });
    const answeredMs = this.#clock.monoMs();
    this.#isRoomy = waitMs !== undefined && waitMs <= ROOMY_MS;
    if (waitMs === undefined) return this.#clock.sleep(BUSY_MS);
    this.#answersMs.splice(0, this.#answersMs.length - ANSWERS_KEPT + 1);
    this.#answersMs.push(answeredMs - askedMs);
    for (let nth = 0; nth < turns; nth++) {
      const at = waitMs + nth * intervalMs;
      const turn = { fromMs: answeredMs + at, untilMs: askedMs + at + lateMs };
      const one = this.#waiting.shift();
      if (one === undefined) this.#spares.push(turn);
      else one.resolve(turn);
    }
  }
}
