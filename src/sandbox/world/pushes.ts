/**
 * Pushes of transfers that succeeded and of results of openings and changes (EVT-01, EVT-04, EVT-06, EVT-09): when
 * each is due, how it is tried and what came of it. What one says it makes up itself, whenever it is tried.
 * They are tried by whoever asks for it, so that nothing here waits; a receiver that fails is written down.
 */
import { messageOf } from '../../core/errors.ts';
import { instantOf, SECOND_MS } from '../../core/time.ts';
import type { Instant } from '../../core/time.ts';

/** By which time and which switches pushes are tried. */
export interface PushRules {
  readonly clock: { nowMs(): number; now(): Instant };
  readonly switches: {
    readonly pushSchedule: readonly number[];
    readonly pushTimeoutSeconds: number;
    readonly pushAckBody: string;
  };
}

/** One POST of JSON; rejects when nothing whole came back in time. */
export type PushSender = (push: {
  url: string;
  body: string;
  timeoutMs: number;
}) => Promise<{ status: number; body: string }>;

export interface PushAttempt {
  at: Instant;
  /** As it was sent. */
  sent: string;
  /** Absent when nothing came back. */
  status: number | undefined;
  /** What came back, as much as a person needs to see; or why nothing did. */
  answer: string;
}

export type PushKind = 'transfer' | 'opening' | 'change';

/** What a push is about: a batch and whose success it tells (empty: the whole batch's), or an opening or change. */
export interface PushSubject {
  outBatchNo?: string;
  outOrderNo?: string;
  reqNo?: string;
}

/** Something that is to be pushed once it has happened. */
export interface PushEvent {
  kind: PushKind;
  url: string;
  about: PushSubject;
  /** When it happens. */
  eventMs: number;
  /** What is sent, as it is by then. */
  bodyOf: () => string;
}

export interface LoggedPush extends PushSubject {
  no: number;
  kind: PushKind;
  url: string;
  /** When that happened. */
  eventAt: Instant;
  attempts: readonly PushAttempt[];
  acknowledged: boolean;
}

/** A try that is over, as it is kept and played again (state/). */
export interface TriedPush {
  no: number;
  /** It was asked for beyond the schedule. */
  isExtra: boolean;
  attempt: PushAttempt;
  acknowledged: boolean;
}

interface Push extends PushEvent {
  no: number;
  attempts: PushAttempt[];
  acknowledged: boolean;
  /** How many places of the schedule are used. */
  tried: number;
  /** Asked for beyond the schedule: to see that a push that comes again does no harm (EVT-08). */
  extra: number;
  /** A try is on its way. */
  busy: boolean;
}

const SHOWN_LENGTH_MAX = 200;

export class PushPlan {
  readonly #pushes: Push[] = [];
  /** Those that may yet be tried: a long life must not be looked through at every call. */
  #open: Push[] = [];

  /** It is pushed when its time has come. */
  add(event: PushEvent): void {
    const untried = { attempts: [], acknowledged: false, tried: 0, extra: 0, busy: false };
    const push = { no: this.#pushes.length + 1, ...event, ...untried };
    this.#pushes.push(push);
    this.#open.push(push);
  }

  log(): readonly LoggedPush[] {
    return this.#pushes.map(({ no, kind, url, about, eventMs, attempts, acknowledged }) => ({
      no,
      kind,
      url,
      ...about,
      eventAt: instantOf(eventMs),
      attempts,
      acknowledged,
    }));
  }

  /** Tries a push once more, whatever came of it. @returns whether there is one of that number */
  repeat(no: number): boolean {
    const push = this.#pushes[no - 1];
    if (!push) return false;
    push.extra++;
    if (!this.#open.includes(push)) this.#open.push(push);
    return true;
  }

  /** Takes over a try of an earlier life (state/). @returns whether there is a push of that number */
  restore({ no, isExtra, attempt, acknowledged }: TriedPush): boolean {
    const push = this.#pushes[no - 1];
    if (!push) return false;
    countTry(push, isExtra);
    push.attempts.push(attempt);
    push.acknowledged = acknowledged;
    return true;
  }

  /** When the next try is due, by the sandbox's clock; undefined when none is to come or all are on their way. */
  nextMs(rules: PushRules): number | undefined {
    let next: number | undefined;
    for (const push of this.#open) {
      if (push.busy) continue;
      const ms = dueMs(rules, push);
      if (ms !== undefined && (next === undefined || ms < next)) next = ms;
    }
    return next;
  }

  /**
   * Tries everything that is due by now.
   * @param tried is told of every try as soon as it is over
   * @returns how many tries that took
   */
  async deliver(
    rules: PushRules,
    send: PushSender,
    tried: (push: TriedPush) => void = () => undefined,
  ): Promise<number> {
    const counts = await Promise.all(this.#open.map((push) => deliverOne(rules, push, { send, tried })));
    this.#open = this.#open.filter((push) => push.busy || dueMs(rules, push) !== undefined);
    return counts.reduce((sum, count) => sum + count, 0);
  }
}

/** One push is tried by one at a time, and again at once when a clock that jumped left several tries due. */
async function deliverOne(
  rules: PushRules,
  push: Push,
  to: { send: PushSender; tried: (push: TriedPush) => void },
): Promise<number> {
  if (push.busy) return 0;
  push.busy = true;
  try {
    let count = 0;
    for (let due = dueMs(rules, push); due !== undefined && due <= rules.clock.nowMs(); count++) {
      const isExtra = push.extra > 0;
      countTry(push, isExtra);
      const attempt = await tryOnce(rules, push, to.send);
      to.tried({ no: push.no, isExtra, attempt, acknowledged: push.acknowledged });
      due = dueMs(rules, push);
    }
    return count;
  } finally {
    push.busy = false;
  }
}

function countTry(push: Push, isExtra: boolean): void {
  if (isExtra) push.extra--;
  else push.tried++;
}

/** Whatever goes wrong is what came of the try. */
async function tryOnce(rules: PushRules, push: Push, send: PushSender): Promise<PushAttempt> {
  const at = rules.clock.now();
  const { pushTimeoutSeconds, pushAckBody } = rules.switches;
  let sent = '';
  let attempt: PushAttempt;
  try {
    sent = push.bodyOf();
    const { status, body } = await send({
      url: push.url,
      body: sent,
      timeoutMs: pushTimeoutSeconds * SECOND_MS,
    });
    attempt = { at, sent, status, answer: body.slice(0, SHOWN_LENGTH_MAX) };
    push.acknowledged ||= status === 200 && body.trim().toLowerCase() === pushAckBody.toLowerCase();
  } catch (error) {
    attempt = { at, sent, status: undefined, answer: messageOf(error).slice(0, SHOWN_LENGTH_MAX) };
  }
  push.attempts.push(attempt);
  return attempt;
}

/** The next place of the schedule, until one is acknowledged or all are used (U39). */
function dueMs(rules: PushRules, push: Push): number | undefined {
  if (push.extra > 0) return push.eventMs;
  if (push.acknowledged) return undefined;
  const afterSeconds = rules.switches.pushSchedule[push.tried];
  return afterSeconds === undefined ? undefined : push.eventMs + afterSeconds * SECOND_MS;
}
