/**
 * The life of an order: the words the platform says of it, each from an instant on. It is laid down when the
 * order is made, so that moving the clock is all it takes to see it change.
 */

/** A word from an instant on, with the note that goes with it. */
export interface Turn {
  atMs: number;
  state: string;
  note: string;
}

/** In the order of their instants. */
export type Life = readonly Turn[];

/** How a life goes, counted from its beginning. */
export interface Course {
  /** The word it ends with. */
  state: string;
  /** How long it is under way before that; 0: it ends at once. */
  delayMs: number;
  note?: string | undefined;
  /** After its end the money comes back after so long, with the word FAIL (U49). */
  returnAfterMs?: number | undefined;
  returnNote?: string | undefined;
  /** The whole life instead of all that. */
  states?: readonly { afterMs: number; state: string; note?: string | undefined }[] | undefined;
}

/** What is said while it is under way, and why it failed where nobody gave a reason (DIV-30). */
export interface Sayings {
  underWay: string;
  failed: string;
  returned: string;
}

/** A course as it was planned, with what it is without a plan. */
export function courseOf(
  given: { [K in keyof Course]?: Course[K] | undefined },
  usual: { state?: string; delayMs: number },
): Course {
  const { note, returnAfterMs, returnNote, states } = given;
  const { state = usual.state ?? 'SUCCESS', delayMs = usual.delayMs } = given;
  return { state, delayMs, note, returnAfterMs, returnNote, states };
}

export function lifeOf(course: Course, startMs: number, sayings: Sayings): Life {
  const turn = (afterMs: number, state: string, note?: string): Turn => ({
    atMs: startMs + afterMs,
    state,
    note: note ?? (isFailure(state) ? sayings.failed : ''),
  });
  if (course.states) {
    const turns = course.states.map(({ afterMs, state, note }) => turn(afterMs, state, note));
    return turns.sort((a, b) => a.atMs - b.atMs);
  }
  const turns = course.delayMs > 0 ? [turn(0, sayings.underWay, '')] : [];
  turns.push(turn(course.delayMs, course.state, course.note));
  if (course.returnAfterMs !== undefined) {
    turns.push(turn(course.delayMs + course.returnAfterMs, 'FAIL', course.returnNote ?? sayings.returned));
  }
  return turns;
}

/** What is said at an instant; undefined before the beginning. */
export function turnAt(life: Life, ms: number): Turn | undefined {
  for (let place = life.length - 1; place >= 0; place--) {
    const turn = life[place];
    if (turn && turn.atMs <= ms) return turn;
  }
  return undefined;
}

/** Where the money is: with its owner, held for the order, gone to where it was sent. */
export type Phase = 'free' | 'held' | 'gone';

export interface PhaseTurn {
  atMs: number;
  phase: Phase;
}

/** What a word means for the money; undefined where it says nothing about it. */
export type Meaning = (state: string) => Phase | undefined;

/** The words of transfer orders, withdrawals and settlements that end them (U33, U34). */
export const orderMeaning: Meaning = (state) => {
  if (state === 'SUCCESS') return 'gone';
  if (isFailure(state)) return 'free';
  return state === 'INIT' || state === 'PROCESSING' ? 'held' : undefined;
};

export const refundMeaning: Meaning = (state) => {
  if (state === 'REFUND') return 'gone';
  return state === 'WAIT_CONFIRM' ? 'held' : 'free';
};

/** The order or settlement ended, and its money is with its owner. */
export function isFailure(state: string): boolean {
  return state === 'FAIL' || state === 'FAILED' || state === 'CLOSE';
}

/**
 * Where the money is, from instant to instant. A word nobody knows leaves it where it is, held if it is the
 * first; a word of something under way never brings back what has gone, but holds again what came back.
 */
export function phasesOf(life: Life, meaning: Meaning): PhaseTurn[] {
  const phases: PhaseTurn[] = [];
  for (const { atMs, state } of life) {
    const before = phases.at(-1)?.phase;
    const meant = meaning(state) ?? before ?? 'held';
    const phase = before === 'gone' && meant === 'held' ? 'gone' : meant;
    if (phase !== before) phases.push({ atMs, phase });
  }
  return phases;
}

/** When the money first went; undefined when it never does. */
export function goneAtMs(life: Life, meaning: Meaning): number | undefined {
  return phasesOf(life, meaning).find(({ phase }) => phase === 'gone')?.atMs;
}
