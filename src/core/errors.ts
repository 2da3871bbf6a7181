/**
 * One class per reaction: retry, ask, fix, stop. A fault of the programmer is a plain `Error('Bug: …')`.
 * A break in the books is data and never an error.
 */

/** Facts that go with an error into the log; secrets and personal numbers are masked there. */
export type ErrorFacts = Readonly<Record<string, string | number | boolean | null>>;

abstract class FactualError extends Error {
  readonly facts: ErrorFacts;
  constructor(message: string, facts: ErrorFacts = {}, options?: ErrorOptions) {
    super(message, options);
    this.name = this.constructor.name;
    this.facts = facts;
  }
}

/** Reaction: fix. Arguments, settings or an input file are wrong; nothing was done. Exit status 2. */
export class WrongInput extends FactualError {
  /** Every fault, one clear sentence each. */
  readonly faults: readonly string[];
  constructor(
    message: string,
    faults: readonly string[] = [],
    facts: ErrorFacts = {},
    options?: ErrorOptions,
  ) {
    const list = faults.map((fault) => `\n- ${fault}`).join('');
    super(`${message}${list}`, facts, options);
    this.faults = faults;
  }
}

/**
 * Reaction: fix, and go on with the others. One request is not what the document takes, so that our own checks did not
 * send it; of the platform it says nothing.
 */
export class WrongRequest extends WrongInput {}

/** Reaction: stop. The job cannot go on; what was collected is kept. Exit status 1. */
export class Stopped extends FactualError {}

/** Reaction: come back later. Another run holds the lock. Exit status 4. */
export class LockHeld extends FactualError {}

/** The books of the company's database did not come; it is told of by itself, whatever becomes of the night. */
export class BooksNotPulled extends Stopped {}

/** Reaction: retry at will. The request provably never left this machine (N1). */
export class NotSent extends FactualError {}

/**
 * Reaction: ask. The request may have arrived; only a query can tell (ENV-22, N5). Queries themselves are
 * repeated, calls that change something never are.
 */
export class OutcomeUnknown extends FactualError {
  /** The platform's wish, where it gave one (Retry-After), already capped. */
  readonly retryAfterMs: number | undefined;
  constructor(message: string, facts: ErrorFacts = {}, options?: ErrorOptions & { retryAfterMs?: number }) {
    super(message, facts, options);
    this.retryAfterMs = options?.retryAfterMs;
  }
}

/** Reaction: ask. Nothing at all came back: no word of the platform was overlooked or disbelieved. */
export class NoAnswer extends OutcomeUnknown {}

/** Reaction: ask. An answer came whole and cannot be taken: it may have said anything of what was asked. */
export class AnswerUnread extends OutcomeUnknown {}

/** Reaction: ask. The platform verifiably accepted what was asked, and what it says of it cannot be read or is another's. */
export class AcceptanceUnread extends AnswerUnread {
  /** bizData as it was signed. */
  readonly bizText: string;
  constructor(message: string, bizText: string, facts: ErrorFacts = {}, options?: ErrorOptions) {
    super(message, facts, options);
    this.bizText = bizText;
  }
}

/**
 * Reaction: stop and look. An answer carries a wrong signature, or none where one is due (ENV-20, N8, N9);
 * nothing of it was parsed or stored.
 */
export class SignatureWrong extends FactualError {}

/** Reaction: fix the configuration. The address answers, but not like the platform (redirect, 404 …). */
export class NotThePlatform extends FactualError {}

/** The code that the system, the database or Node gave the error; undefined where there is none. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** The SQLSTATE disk_full: the message names a file of the server, or of the embedded database, and a device. */
const DISK_FULL = '53100';

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return codeOf(error) === DISK_FULL ? `the disk of the database is full: ${message}` : message;
}
