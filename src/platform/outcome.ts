/**
 * What a call comes to: accepted, refused and unknown are three different things (ENV-21…23). Accepted does
 * not mean that money moved: that is for the state in the answer to say.
 */
import type { JsonObject } from '../core/json.ts';
import type { RefusalClass } from '../core/profile/refusals.ts';
import type { Instant } from '../core/time.ts';
import type { Answers, ChangingEndpoint, EndpointName } from './contract.ts';

interface Asked {
  /** The number of the request that brought this outcome: the last one, where a query was repeated. */
  reqId: string;
  /** Our wall clock at its send; an older observation never replaces a newer one (N11). */
  requestedAt: Instant;
}

interface Answered extends Asked {
  /** Whether the answer was signed (and the signature right); a settlement is never retried on one that was not. */
  signed: boolean;
  /** The platform's time as the answer states it. */
  timestamp: Instant | undefined;
  /** Whether the signature covers that time. */
  timestampSigned: boolean;
  /** A try of the same query before was answered, and that cannot be taken: it may have said anything. */
  isAfterUnread?: true;
}

export interface Accepted<T> extends Answered {
  kind: 'accepted';
  answer: T;
  /** bizData as the platform signed it, for keeping beside what was read from it. */
  bizText: string;
}

/**
 * The platform says no. `DUPLICATE` on a changing call is a reason to ask, not a failure: the first one may
 * have arrived (N12, M2).
 */
export interface Refused extends Answered {
  kind: 'refused';
  code: string;
  msg: string;
  class: RefusalClass;
}

/** A changing call that may or may not have been done; only a query can tell (ENV-22). */
export interface Unknown extends Asked {
  kind: 'unknown';
  reason: string;
  /** Whether anything came back: what cannot be proven may say all the same that it was accepted. */
  isAnswered: boolean;
  /** bizData of a signed acceptance that cannot be read, or is about something else: it was accepted all the same. */
  acceptedText?: string;
}

export type OutcomeOf<K extends EndpointName, T> =
  Accepted<T> | Refused | (K extends ChangingEndpoint ? Unknown : never);

export type CallOutcome<K extends EndpointName> = OutcomeOf<K, Answers[K]>;

/** An endpoint called by its name, its answer not decoded: for support (`recon call`). */
export type RawOutcome = Accepted<JsonObject> | Refused | Unknown;
