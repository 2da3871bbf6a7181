/**
 * One signed request and its answer: stamped at the send, opened, proven, decoded. It keeps what is learned
 * from answer to answer: the clock's offset, the platform's habit of signing, whether anything verifies at all.
 */
import { AcceptanceUnread, AnswerUnread, OutcomeUnknown, SignatureWrong, Stopped } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import { secretForms } from '../core/mask.ts';
import { pacer } from '../core/pacing.ts';
import type { Pacer } from '../core/pacing.ts';
import type { Clock, Http, Ids, Log } from '../core/ports.ts';
import type { Profile } from '../core/profile/profile.ts';
import { epochMs, SECOND_MS, Zone } from '../core/time.ts';
import type { Instant } from '../core/time.ts';
import { otherSubject } from './answer-about.ts';
import { openAnswer } from './answer.ts';
import type { OpenedRefusal, OpenedSuccess, SignatureHabit } from './answer.ts';
import { clockIs, openClockOffset } from './clock-offset.ts';
import type { ClockOffset, SendStamp } from './clock-offset.ts';
import { ENDPOINTS } from './contract.ts';
import type { EndpointName } from './contract.ts';
import type { Credentials } from './credentials.ts';
import { sealRequest } from './envelope.ts';
import type { Accepted, Refused } from './outcome.ts';

export interface ExchangeOptions {
  credentials: Credentials;
  profile: Profile;
  http: Http;
  clock: Clock;
  ids: Ids;
  log: Log;
  /** What earlier runs saw of the platform's signing; it is kept up to date here (U4). */
  habit?: SignatureHabit;
  /** Ends waiting for a place; a call that was sent is finished. */
  signal?: AbortSignal;
  /** What the platform may echo and nobody may read. */
  secrets?: readonly string[];
  /** Shared by several clients; by default one of its own at the profile's rate. */
  pacer?: Pacer;
}

/** For the run's log. */
export interface CallCounters {
  /** Requests that were sent or tried, repetitions included. */
  calls: number;
  retries: number;
  refusals: number;
  signatureFaults: number;
}

/** One call, the same for each of its attempts. */
export interface Plan<T> {
  endpoint: EndpointName;
  url: string;
  biz: JsonObject;
  /** Other numbers of the account that it asks for. */
  knownAs: readonly string[];
  decode: (biz: JsonObject) => T;
  /** Who called shows a refusal to people, beside whom the log need not say it. */
  isShown?: boolean;
}

/** One request of a call: a new reqId and a fresh time (ENV-29). */
export interface Attempt {
  reqId: string;
  sent: SendStamp;
}

export interface Exchanged<T> {
  outcome: Accepted<T> | Refused;
  retryAfterMs: number | undefined;
}

/** So late a busy machine hears what came in time. */
const LATE_MS = 2 * SECOND_MS;

/** So long after its request the answer to a query is heard at most: one that is later is asked again. */
export function heardWithinMs(deadlineMs: number): number {
  return deadlineMs + LATE_MS;
}

export class Exchange {
  readonly counters: CallCounters = { calls: 0, retries: 0, refusals: 0, signatureFaults: 0 };
  readonly habit: SignatureHabit;
  readonly zone: Zone;
  readonly offset: ClockOffset;
  readonly #options: ExchangeOptions;
  readonly #pacer: Pacer;
  readonly #secrets: readonly string[];
  /** Calls whose answers did not verify, each counted once however often it was repeated. */
  readonly #unproven = new WeakSet<Plan<unknown>>();
  #unprovenCalls = 0;
  /** One answer verified: then those that do not are matters of their own. */
  #hasProven = false;
  #halt: Stopped | undefined;

  constructor(options: ExchangeOptions) {
    const { profile, clock, log } = options;
    this.#options = options;
    this.#secrets = secretForms(options.secrets ?? []);
    this.#pacer = options.pacer ?? pacer({ clock, ...profile.http.rate });
    this.habit = options.habit ?? { everSigned: false };
    this.zone = new Zone(profile.service.timeZone);
    this.offset = openClockOffset({ clock, limits: profile.clock, log });
  }

  /** @throws Stopped once the platform's signatures or the clocks forbid to go on (N8, N15) */
  throwIfHalted(): void {
    if (this.#halt) throw this.#halt;
  }

  /**
   * Runs a task in its turn; reqTime is made when all waiting is over (N15), and so is the reqId where the request
   * does not have one already.
   */
  inTurn<T>(task: (attempt: Attempt) => Promise<T>, reqId?: string): Promise<T> {
    return this.#pacer.run(async () => {
      this.throwIfHalted();
      return await task({ reqId: reqId ?? this.#options.ids.reqId(), sent: this.offset.stamp() });
    }, this.#options.signal);
  }

  /**
   * Sends one request and reads its answer.
   * @throws NotSent, OutcomeUnknown of the transport; NotThePlatform, SignatureWrong, AcceptanceUnread, OutcomeUnknown of
   *   the answer
   */
  async perform<T>(plan: Plan<T>, attempt: Attempt): Promise<Exchanged<T>> {
    const opened = await this.#sendAndOpen(plan, attempt);
    this.#learn(plan, opened, attempt);
    const answered = {
      reqId: attempt.reqId,
      requestedAt: attempt.sent.wallAt,
      signed: opened.signed,
      timestamp: opened.timestamp,
      timestampSigned: opened.timestampSigned,
    };
    if (opened.kind === 'accepted') {
      const { kind, bizText } = opened;
      const outcome = { kind, ...answered, answer: this.#readAccepted(plan, opened), bizText };
      return { outcome, retryAfterMs: undefined };
    }
    this.counters.refusals += 1;
    const { kind, code, msg, retryAfterMs } = opened;
    const { log } = this.#options;
    const level = plan.isShown === true ? 'debug' : 'info';
    log[level]({ event: 'call.refused', endpoint: plan.endpoint, reqId: attempt.reqId, code, msg });
    return { outcome: { kind, ...answered, code, msg, class: opened.class }, retryAfterMs };
  }

  /** @throws AcceptanceUnread where it is signed and says nothing that can be believed: it was accepted all the same */
  #readAccepted<T>(plan: Plan<T>, { biz, bizText, signed }: OpenedSuccess): T {
    try {
      this.#requireAsked(plan, biz);
      return plan.decode(biz);
    } catch (error) {
      if (!signed || !(error instanceof OutcomeUnknown)) throw error;
      throw new AcceptanceUnread(error.message, bizText, error.facts, { cause: error });
    }
  }

  /** @throws AnswerUnread for an answer about something else: of what was asked nothing is known */
  #requireAsked({ endpoint, biz: asked, knownAs }: Plan<unknown>, biz: JsonObject): void {
    const other = otherSubject({ endpoint, asked, knownAs, profile: this.#options.profile }, biz);
    if (other !== undefined) throw new AnswerUnread(`${endpoint}: ${other}`, { endpoint });
  }

  async #sendAndOpen(plan: Plan<unknown>, { reqId, sent }: Attempt): Promise<OpenedSuccess | OpenedRefusal> {
    const { profile, credentials, http } = this.#options;
    const rules = { profile, credentials, endpoint: plan.endpoint };
    const reqTime = this.zone.compactText(sent.correctedAt);
    const body = sealRequest(rules, { reqId, reqTime }, plan.biz);
    this.counters.calls += 1;
    const limits = limitsOf(plan.endpoint, profile.http);
    const answer = await http.post({ url: plan.url, body, ...limits });
    if (ENDPOINTS[plan.endpoint].effect === 'read') this.#requireHeardInTime(limits, { reqId, sent });
    try {
      const opening = { ...rules, reqId, zone: this.zone, habit: this.habit, secrets: this.#secrets };
      return openAnswer(answer, opening);
    } catch (error) {
      if (error instanceof SignatureWrong) this.#countSignatureFault(plan, error);
      throw error;
    }
  }

  /**
   * What a query shows was so at some time between its request and its answer. Whoever stood still meanwhile, on a machine
   * that was suspended or with the answer in its socket, or whose clock was set, takes it for news that it may not be for
   * long.
   * @throws AnswerUnread where more time went by, on either clock, than a call may take
   */
  #requireHeardInTime({ deadlineMs }: { deadlineMs: number }, { reqId, sent }: Attempt): void {
    const { clock } = this.#options;
    const byWallMs = epochMs(clock.wall()) - epochMs(sent.wallAt);
    const tookMs = Math.max(clock.monoMs() - sent.monoMs, byWallMs);
    if (tookMs <= heardWithinMs(deadlineMs)) return;
    throw new AnswerUnread(`its answer was heard ${Math.round(tookMs)} ms after its request`, { reqId });
  }

  #countSignatureFault(plan: Plan<unknown>, fault: SignatureWrong): void {
    this.counters.signatureFaults += 1;
    this.#options.log.warn({ event: 'signature.wrong', reason: fault.message, ...fault.facts });
    this.#haltWhereNothingVerifies(
      plan,
      fault,
      (calls) =>
        `no answer verifies: ${calls} requests were answered with a wrong signature or none: do PLATFORM_SECRET, ` +
        'PLATFORM_SIGN_TYPE and the signing keys of the profile fit this platform?',
    );
  }

  /** One request that is answered wrongly is one fault, and no reason to leave the others unasked (N8, N15). */
  #haltWhereNothingVerifies(
    plan: Plan<unknown>,
    fault: SignatureWrong | OutcomeUnknown,
    sentence: (calls: number) => string,
  ): void {
    if (!this.#unproven.has(plan)) this.#unprovenCalls += 1;
    this.#unproven.add(plan);
    if (this.#hasProven || this.#unprovenCalls < this.#options.profile.http.signatureFaultsMax) return;
    this.#halt ??= new Stopped(sentence(this.#unprovenCalls), fault.facts, { cause: fault });
  }

  /** @throws AnswerUnread for the answer to a query whose signed time is outside the tolerance */
  #learn(plan: Plan<unknown>, opened: OpenedSuccess | OpenedRefusal, attempt: Attempt): void {
    if (opened.signed) this.habit.everSigned = true;
    const { timestamp } = opened;
    const isTimed = opened.signed && opened.timestampSigned && timestamp !== undefined;
    if (isTimed && !this.#isInTime(plan, timestamp, attempt)) return;
    if (opened.signed || opened.kind === 'accepted') this.#hasProven = true;
  }

  /**
   * An old answer that is given again is rightly signed too (N15). That of a changing call is kept all the same, and
   * nothing is learned of its time: it may be the acceptance after which nothing is sent again (docs/reliability.md
   * 2.3 a).
   */
  #isInTime(plan: Plan<unknown>, timestamp: Instant, { sent, reqId }: Attempt): boolean {
    const apartMs = this.offset.observe({ sent, timestamp });
    if (apartMs === undefined) return true;
    const { endpoint } = plan;
    const fault = new AnswerUnread(
      `${endpoint}: the answer's signed time is too far off: it is an old answer, or ${clockIs(apartMs)}`,
      { endpoint, reqId, offsetMs: apartMs },
    );
    this.#haltWhereNothingVerifies(
      plan,
      fault,
      () => `${clockIs(apartMs)}; more than 10 s are refused: set the clock`,
    );
    if (ENDPOINTS[endpoint].effect === 'read') throw fault;
    return false;
  }
}

/** Vouchers may be larger and take longer than all else (N3, N14). */
function limitsOf(endpoint: EndpointName, http: Profile['http']): { deadlineMs: number; bytesMax: number } {
  return ENDPOINTS[endpoint].answer === 'files'
    ? { deadlineMs: http.timeouts.filesDeadlineMs, bytesMax: http.filesBytesMax }
    : { deadlineMs: http.timeouts.deadlineMs, bytesMax: http.bytesMax };
}
