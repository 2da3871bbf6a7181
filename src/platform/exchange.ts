/**
 * One signed request and its answer: stamped at the send, opened, proven, decoded. It keeps what is learned
 * from answer to answer: the clock's offset, the platform's habit of signing, wrong signatures in a row.
 */
import { SignatureWrong, Stopped } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import { pacer } from '../core/pacing.ts';
import type { Pacer } from '../core/pacing.ts';
import type { Clock, Http, Ids, Log } from '../core/ports.ts';
import type { Profile } from '../core/profile.ts';
import { Zone } from '../core/time.ts';
import { openAnswer } from './answer.ts';
import type { OpenedRefusal, OpenedSuccess, SignatureHabit } from './answer.ts';
import { openClockOffset } from './clock-offset.ts';
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
  biz: object;
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

export class Exchange {
  readonly counters: CallCounters = { calls: 0, retries: 0, refusals: 0, signatureFaults: 0 };
  readonly habit: SignatureHabit;
  readonly zone: Zone;
  readonly offset: ClockOffset;
  readonly #options: ExchangeOptions;
  readonly #pacer: Pacer;
  #signatureFaultsInRow = 0;
  #halt: Stopped | undefined;

  constructor(options: ExchangeOptions) {
    const { profile, clock, log } = options;
    this.#options = options;
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
   * @throws NotSent, OutcomeUnknown of the transport; NotThePlatform, SignatureWrong, OutcomeUnknown of the answer
   */
  async perform<T>(plan: Plan<T>, attempt: Attempt): Promise<Exchanged<T>> {
    const opened = await this.#sendAndOpen(plan, attempt);
    this.#learn(opened, attempt);
    const answered = {
      reqId: attempt.reqId,
      requestedAt: attempt.sent.wallAt,
      signed: opened.signed,
      timestamp: opened.timestamp,
      timestampSigned: opened.timestampSigned,
    };
    if (opened.kind === 'accepted') {
      const { kind, bizText } = opened;
      const outcome = { kind, ...answered, answer: plan.decode(opened.biz), bizText };
      return { outcome, retryAfterMs: undefined };
    }
    this.counters.refusals += 1;
    const { kind, code, msg, retryAfterMs } = opened;
    const { log } = this.#options;
    const level = plan.isShown === true ? 'debug' : 'info';
    log[level]({ event: 'call.refused', endpoint: plan.endpoint, reqId: attempt.reqId, code, msg });
    return { outcome: { kind, ...answered, code, msg, class: opened.class }, retryAfterMs };
  }

  async #sendAndOpen(plan: Plan<unknown>, { reqId, sent }: Attempt): Promise<OpenedSuccess | OpenedRefusal> {
    const { profile, credentials, http } = this.#options;
    const rules = { profile, credentials, endpoint: plan.endpoint };
    const reqTime = this.zone.compactText(sent.correctedAt);
    const body = sealRequest(rules, { reqId, reqTime }, plan.biz);
    this.counters.calls += 1;
    const answer = await http.post({ url: plan.url, body, ...limitsOf(plan.endpoint, profile.http) });
    try {
      return openAnswer(answer, { ...rules, reqId, zone: this.zone, habit: this.habit });
    } catch (error) {
      if (error instanceof SignatureWrong) this.#countSignatureFault(error);
      throw error;
    }
  }

  #countSignatureFault(fault: SignatureWrong): void {
    this.counters.signatureFaults += 1;
    this.#signatureFaultsInRow += 1;
    const { log, profile } = this.#options;
    log.warn({ event: 'signature.wrong', reason: fault.message, ...fault.facts });
    if (this.#signatureFaultsInRow < profile.http.signatureFaultsMax) return;
    this.#halt ??= new Stopped(
      `${this.#signatureFaultsInRow} answers in a row had a wrong signature or none: do PLATFORM_SECRET, ` +
        'PLATFORM_SIGN_TYPE and the signing keys of the profile fit this platform?',
      fault.facts,
      { cause: fault },
    );
  }

  #learn(opened: OpenedSuccess | OpenedRefusal, { sent }: Attempt): void {
    if (opened.signed || opened.kind === 'accepted') this.#signatureFaultsInRow = 0;
    if (!opened.signed) return;
    this.habit.everSigned = true;
    if (!opened.timestampSigned || opened.timestamp === undefined) return;
    try {
      this.offset.observe({ sent, timestamp: opened.timestamp });
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      // The answer at hand is good; a changing call must not lose it. What comes next is not sent.
      this.#halt ??= error;
    }
  }
}

/** Vouchers may be larger and take longer than all else (N3, N14). */
function limitsOf(endpoint: EndpointName, http: Profile['http']): { deadlineMs: number; bytesMax: number } {
  return ENDPOINTS[endpoint].answer === 'files'
    ? { deadlineMs: http.timeouts.filesDeadlineMs, bytesMax: http.filesBytesMax }
    : { deadlineMs: http.timeouts.deadlineMs, bytesMax: http.bytesMax };
}
