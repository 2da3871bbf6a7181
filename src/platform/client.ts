/**
 * The client of all 17 endpoints. Queries are repeated, each time as a new request; a call that changes
 * something is sent exactly once, and where no verified answer comes its outcome is unknown (ENV-22, ENV-29).
 */
import {
  AcceptanceUnread,
  AnswerUnread,
  NoAnswer,
  NotSent,
  NotThePlatform,
  OutcomeUnknown,
  SignatureWrong,
  WrongInput,
  WrongRequest,
} from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import { retryRead } from '../core/retry.ts';
import type { Read } from '../core/retry.ts';
import type { SignatureHabit } from './answer.ts';
import type { SendStamp } from './clock-offset.ts';
import { ENDPOINTS, PATH_PREFIX } from './contract.ts';
import type { ChangingEndpoint, EndpointName, Requests } from './contract.ts';
import { DECODERS } from './decode.ts';
import { Exchange } from './exchange.ts';
import type { Attempt, CallCounters, Exchanged, ExchangeOptions, Plan } from './exchange.ts';
import type { Accepted, CallOutcome, RawOutcome, Refused, Unknown } from './outcome.ts';
import { isLocalPlatform, requestFaults, requestWarnings } from './requests/request-faults.ts';
import type { CheckRules } from './requests/request-faults.ts';

export interface ClientOptions extends ExchangeOptions {
  /** The address before `/api/open/virtualBank`; a trailing slash is fine (ENV-03). */
  baseUrl: string;
  /** Undefined as long as nothing is called whose path carries it (SMS-01). */
  channelCode: string | undefined;
}

/** What has to be stored before a changing call may leave (docs/reliability.md 2.2). */
export interface Intent {
  /** The request's number, stored already. */
  reqId: string;
  /**
   * Stores that the request leaves now, with the time it carries (`correctedAt`); called in the call's turn, right
   * before the send. The request leaves when this has resolved, and not at all when it rejects.
   */
  commit(stamp: SendStamp): Promise<void>;
}

/** What lies longer than that between the time a request carries and its send makes it stale (N15). */
const INTENT_AGE_MS_MAX = 1_000;

export interface CallOptions {
  /** Sends what our own checks would not, so that the platform's can be tried (LIM). */
  isUnchecked?: boolean;
  /** Other numbers of the account that is asked for: an answer that states one of them is about it too (U24). */
  knownAs?: readonly string[];
}

export interface RawOptions extends CallOptions {
  /** Of a changing call: what is stored before it leaves, as of `callIntended`. */
  intent?: Intent;
}

export interface PlatformClient {
  /**
   * One call. A query comes back accepted or refused; a changing call may also be unknown.
   * @throws WrongRequest with every fault of the request before anything is sent, unless `limits.checkRequests` is off
   * @throws NotSent when no byte can have left: changing calls at once, queries after their last attempt
   * @throws OutcomeUnknown when no attempt of a query brought a readable answer
   * @throws SignatureWrong when the attempts of a query ended with a wrong signature (ENV-20)
   * @throws NotThePlatform when the address answers a query like something else
   * @throws Stopped when nothing of the platform verifies: the signatures (N8) or the clocks (N15)
   */
  call<K extends EndpointName>(
    endpoint: K,
    request: Requests[K],
    options?: CallOptions,
  ): Promise<CallOutcome<K>>;
  /**
   * A changing call whose intention is stored before it leaves; sent once or not at all.
   * @throws WrongRequest as `call` does, before `intent.commit`
   * @throws NotSent when no byte can have left, also when storing took so long that the request had grown stale
   * @throws what `intent.commit` threw: nothing was sent then
   */
  callIntended<K extends ChangingEndpoint>(
    endpoint: K,
    request: Requests[K],
    intent: Intent,
  ): Promise<CallOutcome<K>>;
  /** The same with business data as given and as answered: for support (`recon call`), which shows refusals itself. */
  callRaw(endpoint: EndpointName, biz: JsonObject, options?: RawOptions): Promise<RawOutcome>;
  counters(): Readonly<CallCounters>;
  /** Platform minus ours in ms; undefined before the first signed time. */
  clockOffsetMs(): number | undefined;
  /** What is known of the platform's signing by now, to be kept for the next run. */
  habit(): Readonly<SignatureHabit>;
}

export function openClient(options: ClientOptions): PlatformClient {
  return new Client(options);
}

class Client implements PlatformClient {
  readonly #options: ClientOptions;
  readonly #exchange: Exchange;
  readonly #rules: CheckRules;

  constructor(options: ClientOptions) {
    const { profile, channelCode, baseUrl } = options;
    this.#options = options;
    this.#exchange = new Exchange(options);
    this.#rules = { profile, channelCode, isPlatformLocal: isLocalPlatform(baseUrl) };
  }

  async call<K extends EndpointName>(
    endpoint: K,
    request: Requests[K],
    options?: CallOptions,
  ): Promise<CallOutcome<K>> {
    this.#check(endpoint, request, options);
    return (await this.#run(this.#planOf(endpoint, request, options))) as CallOutcome<K>;
  }

  async callIntended<K extends ChangingEndpoint>(
    endpoint: K,
    request: Requests[K],
    intent: Intent,
  ): Promise<CallOutcome<K>> {
    this.#check(endpoint, request);
    return (await this.#change(this.#planOf(endpoint, request), intent)) as CallOutcome<K>;
  }

  async callRaw(endpoint: EndpointName, biz: JsonObject, options?: RawOptions): Promise<RawOutcome> {
    this.#check(endpoint, biz, options);
    const plan = { endpoint, url: this.#urlOf(endpoint), biz, knownAs: options?.knownAs ?? [] };
    return await this.#run({ ...plan, decode: (answered) => answered, isShown: true }, options?.intent);
  }

  counters(): Readonly<CallCounters> {
    return { ...this.#exchange.counters };
  }

  clockOffsetMs(): number | undefined {
    return this.#exchange.offset.offsetMs();
  }

  habit(): Readonly<SignatureHabit> {
    return { ...this.#exchange.habit };
  }

  /** @throws WrongRequest with every fault; nothing was sent then */
  #check(endpoint: EndpointName, request: object, options?: CallOptions): void {
    const { profile, log } = this.#options;
    if (!profile.limits.checkRequests || options?.isUnchecked === true) return;
    const faults = requestFaults(endpoint, request, this.#rules);
    if (faults.length > 0)
      throw new WrongRequest(`${endpoint}: nothing was sent, the request is wrong:`, faults);
    for (const reason of requestWarnings(endpoint, request, this.#rules)) {
      log.warn({ event: 'call.odd', endpoint, reason });
    }
  }

  #planOf<K extends EndpointName>(endpoint: K, request: Requests[K], options?: CallOptions): Plan<unknown> {
    const decoding = { profile: this.#options.profile, zone: this.#exchange.zone };
    const decode = (biz: JsonObject) => DECODERS[endpoint](biz, decoding);
    const biz: JsonObject = { ...request };
    return { endpoint, url: this.#urlOf(endpoint), biz, knownAs: options?.knownAs ?? [], decode };
  }

  #urlOf(endpoint: EndpointName): string {
    const { baseUrl, channelCode } = this.#options;
    const template = ENDPOINTS[endpoint].path;
    if (template.includes('{') && channelCode === undefined) {
      throw new WrongInput(`${endpoint} needs the channel code: PLATFORM_CHANNEL_CODE is not set`);
    }
    const path = template.replace('{channel_code}', encodeURIComponent(channelCode ?? ''));
    return `${baseUrl.replace(/\/+$/, '')}${PATH_PREFIX}${path}`;
  }

  #run<T>(plan: Plan<T>, intent?: Intent): Promise<Accepted<T> | Refused | Unknown> {
    return ENDPOINTS[plan.endpoint].effect === 'change' ? this.#change(plan, intent) : this.#read(plan);
  }

  /** One send. What provably never left is an error, and all else without a verified answer is unknown. */
  #change<T>(plan: Plan<T>, intent?: Intent): Promise<Accepted<T> | Refused | Unknown> {
    return this.#exchange.inTurn(async (attempt): Promise<Accepted<T> | Refused | Unknown> => {
      if (intent) await this.#commit(intent, attempt);
      try {
        return (await this.#exchange.perform(plan, attempt)).outcome;
      } catch (error) {
        if (!isUnanswered(error)) throw error;
        const { reqId, sent } = attempt;
        this.#options.log.warn({
          event: 'call.unknown',
          endpoint: plan.endpoint,
          reqId,
          reason: error.message,
        });
        const reason = error.message;
        const isAnswered = !(error instanceof NoAnswer);
        const unknown = { kind: 'unknown', reason, isAnswered, reqId, requestedAt: sent.wallAt } as const;
        return error instanceof AcceptanceUnread ? { ...unknown, acceptedText: error.bizText } : unknown;
      }
    }, intent?.reqId);
  }

  /** @throws NotSent when the run was stopped meanwhile, or the request is stale by now (N15) */
  async #commit(intent: Intent, { reqId, sent }: Attempt): Promise<void> {
    const { clock, signal } = this.#options;
    await intent.commit(sent);
    if (signal?.aborted === true) throw new NotSent('the run was stopped before the request left', { reqId });
    const ageMs = clock.monoMs() - sent.monoMs;
    if (ageMs <= INTENT_AGE_MS_MAX) return;
    throw new NotSent(`storing what was about to be sent took ${Math.round(ageMs)} ms: nothing was sent`, {
      reqId,
    });
  }

  async #read<T>(plan: Plan<T>): Promise<Accepted<T> | Refused> {
    const { clock, ids, profile, signal } = this.#options;
    const attemptsMax = profile.http.retryQueries ? profile.http.maxAttempts : 1;
    const unread: AnswerUnread[] = [];
    try {
      const { outcome } = await retryRead({ clock, ids, attemptsMax, signal }, async (attemptNumber) => {
        if (attemptNumber > 1) this.#exchange.counters.retries += 1;
        return await this.#readOnce(plan, unread);
      });
      return unread.length === 0 ? outcome : { ...outcome, isAfterUnread: true };
    } catch (error) {
      // That an answer came counts, whatever became of the tries after it.
      const last = isUnanswered(error) || error instanceof NotSent ? (unread.at(-1) ?? error) : error;
      throw last instanceof OutcomeUnknown && last.cause instanceof SignatureWrong ? last.cause : last;
    }
  }

  /** @param unread answers of tries before it that cannot be taken; its own is added */
  #readOnce<T>(plan: Plan<T>, unread: AnswerUnread[]): Promise<Exchanged<T> & Read> {
    return this.#exchange.inTurn(async (attempt) => {
      try {
        const exchanged = await this.#exchange.perform(plan, attempt);
        this.#exchange.throwIfHalted();
        return { ...exchanged, isTransient: isTransient(exchanged.outcome) };
      } catch (error) {
        this.#exchange.throwIfHalted();
        this.#logUnanswered(plan, attempt.reqId, error);
        // A corrupt answer to a query costs no more than another query.
        const fault =
          error instanceof SignatureWrong
            ? new AnswerUnread(error.message, error.facts, { cause: error })
            : error;
        if (fault instanceof AnswerUnread) unread.push(fault);
        throw fault;
      }
    });
  }

  #logUnanswered({ endpoint }: Plan<unknown>, reqId: string, error: unknown): void {
    if (error instanceof OutcomeUnknown) {
      this.#options.log.info({
        event: 'call.unanswered',
        endpoint,
        reqId,
        reason: error.message,
        ...error.facts,
      });
    }
  }
}

/** A query may be too early, or its reqId delivered twice on the way (N12): a new request cures both. */
function isTransient(outcome: Accepted<unknown> | Refused): boolean {
  return outcome.kind === 'refused' && (outcome.class === 'RATE_LIMIT' || outcome.class === 'DUPLICATE');
}

/** Something may have arrived, and nothing that can be believed came back. */
function isUnanswered(error: unknown): error is OutcomeUnknown | NotThePlatform | SignatureWrong {
  return (
    error instanceof OutcomeUnknown || error instanceof NotThePlatform || error instanceof SignatureWrong
  );
}
