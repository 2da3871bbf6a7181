/**
 * Reads an answer in the order that keeps forged or broken ones out (ENV-20, N6–N9): status and content
 * type, envelope, signature over the strings as received, and only then bizData.
 */
import { createHash } from 'node:crypto';

import {
  AcceptanceUnread,
  AnswerUnread,
  NotThePlatform,
  OutcomeUnknown,
  SignatureWrong,
} from '../core/errors.ts';
import type { ErrorFacts } from '../core/errors.ts';
import { isJsonObject, jsonText, member, parseJson } from '../core/json.ts';
import type { JsonObject } from '../core/json.ts';
import { maskText } from '../core/mask.ts';
import type { HttpAnswer } from '../core/ports.ts';
import { classifyRefusal } from '../core/profile/refusals.ts';
import type { RefusalClass } from '../core/profile/refusals.ts';
import { storableText } from '../core/text.ts';
import type { Instant, Zone } from '../core/time.ts';
import { CODE_SUCCESS, ENDPOINTS } from './contract.ts';
import { signStyle } from './envelope.ts';
import type { EnvelopeRules } from './envelope.ts';
import { piecesToSign } from './sign.ts';

/** What is known of the platform's signing across answers and runs; it is kept, so that a downgrade shows (U4). */
export interface SignatureHabit {
  /** Once true, an unsigned success is a downgrade. */
  everSigned: boolean;
}

export interface AnswerRules extends EnvelopeRules {
  reqId: string;
  zone: Zone;
  habit: Readonly<SignatureHabit>;
  /** What no text of a refusal may show, in every form (`secretForms`). */
  secrets: readonly string[];
}

interface Answered {
  /** Whether it carried a signature, which then was right, over all that it says. */
  signed: boolean;
  /** The platform's time as it states it, whole seconds. */
  timestamp: Instant | undefined;
  /** Whether the signature covers the timestamp; only such a time is believed (N15). */
  timestampSigned: boolean;
}

export interface OpenedSuccess extends Answered {
  kind: 'accepted';
  biz: JsonObject;
  /** bizData exactly as the platform signed it. */
  bizText: string;
}

export interface OpenedRefusal extends Answered {
  kind: 'refused';
  /** Of a bounded form, whatever the platform gave (ENV-23). */
  code: string;
  /** As the platform gave it, without our secrets. */
  msg: string;
  class: RefusalClass;
  retryAfterMs: number | undefined;
}

/** Statuses without an envelope that are worth another try: the gateway had no time or no room. */
const STATUSES_TO_REPEAT: readonly number[] = [408, 429];
const STATUS_TOO_MANY = 429;

/**
 * Opens one answer.
 *
 * An unsigned refusal is always a refusal: whom the platform does not know, it cannot sign for. It says so
 * (`signed: false`), and nothing of a refusal is ever stored as a fact.
 * @throws NotThePlatform for a redirect, and for 4xx without an envelope (U43, N13)
 * @throws SignatureWrong for a wrong signature, or none where one is due; bizData was not parsed (ENV-20)
 * @throws AcceptanceUnread for a signed success whose bizData is none, AnswerUnread for an unsigned one and for JSON that is no
 *   envelope
 * @throws OutcomeUnknown for everything else that is no whole envelope
 */
export function openAnswer(answer: HttpAnswer, rules: AnswerRules): OpenedSuccess | OpenedRefusal {
  const received = { answer, rules };
  if (answer.status >= 300 && answer.status < 400) {
    throw new NotThePlatform(...said(received, `the address redirects (HTTP ${answer.status})`));
  }
  const envelope = readEnvelope(received);
  const code = String(member(envelope, 'code'));
  const proven = proveSignature(envelope, received, code === CODE_SUCCESS ? 'accepted' : 'refused');
  if (answer.status >= 500 && !proven.signed && ENDPOINTS[rules.endpoint].effect === 'change') {
    throw new OutcomeUnknown(...said(received, `HTTP ${answer.status} with an unsigned envelope`));
  }
  const answered = { ...proven, timestamp: timestampOf(envelope, rules.zone) };
  if (code === CODE_SUCCESS) {
    return { kind: 'accepted', ...answered, ...readBiz(envelope, received, proven.signed) };
  }
  const words = textOf(member(envelope, 'msg')).slice(0, MSG_LENGTH_READ);
  const msg = storableText(maskText(words, rules.secrets));
  const meaning = classifyRefusal(rules.profile, { path: rules.endpoint, code, msg });
  return {
    kind: 'refused',
    ...answered,
    code: codeOf(maskText(code.slice(0, MSG_LENGTH_READ), rules.secrets)),
    msg,
    class: answer.status === STATUS_TOO_MANY ? 'RATE_LIMIT' : meaning,
    retryAfterMs: answer.retryAfterMs,
  };
}

/** Of a text far beyond what is kept, so that a hostile one costs no time. */
const MSG_LENGTH_READ = 100_000;
/** Codes are short words; what is none must not become a text of its own in tables and on terminals. */
const CODE_LENGTH_MAX = 32;
const NOT_OF_A_CODE = /[^\p{L}\p{N}_.:-]/gu;

function codeOf(text: string): string {
  return text.replace(NOT_OF_A_CODE, '?').slice(0, CODE_LENGTH_MAX);
}

interface Received {
  answer: HttpAnswer;
  rules: AnswerRules;
}

/**
 * Message and facts of an error about an answer: what may be said of it, never its content, which may be
 * personal.
 */
function said({ answer, rules }: Received, what: string): [message: string, facts: ErrorFacts] {
  const facts = {
    endpoint: rules.endpoint,
    reqId: rules.reqId,
    status: answer.status,
    contentType: answer.contentType.slice(0, 100),
    bytes: Buffer.byteLength(answer.text, 'utf8'),
    sha256: createHash('sha256').update(answer.text, 'utf8').digest('hex'),
  };
  return [`${rules.endpoint}: ${what}`, facts];
}

/** An envelope is a JSON object with a textual code; `code: 0` is none (ENV-18). */
function readEnvelope(received: Received): JsonObject {
  const { status, contentType, text, retryAfterMs } = received.answer;
  const value = isJsonType(contentType) ? parsed(text) : undefined;
  if (isJsonObject(value) && typeof member(value, 'code') === 'string') return value;
  const what = `unreadable answer (HTTP ${status}, ${contentType || 'no content type'})`;
  if (status >= 400 && status < 500 && !STATUSES_TO_REPEAT.includes(status)) {
    throw new NotThePlatform(...said(received, `${what}; is PLATFORM_URL the platform's address?`));
  }
  // A page in its place is of something between that did not ask the platform.
  const isAnswer = status < 300 && isJsonType(contentType);
  const Unknown = isAnswer ? AnswerUnread : OutcomeUnknown;
  throw new Unknown(...said(received, what), retryAfterMs === undefined ? {} : { retryAfterMs });
}

function isJsonType(contentType: string): boolean {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return type === '' || type === 'application/json' || type === 'text/json' || type.endsWith('+json');
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A success must be signed where the platform signs at all. */
function proveSignature(
  envelope: JsonObject,
  received: Received,
  kind: 'accepted' | 'refused',
): Pick<Answered, 'signed' | 'timestampSigned'> {
  const { rules } = received;
  const { response, exclude, dropEmpty } = rules.profile.signing;
  const covers = (name: string): boolean =>
    name !== 'sign' &&
    !exclude.includes(name) &&
    (response.fields === 'all' || response.fields.includes(name));
  const sign = member(envelope, 'sign');
  if (sign === undefined || sign === null || sign === '') {
    if (kind === 'refused' || !mustBeSigned(rules)) return { signed: false, timestampSigned: false };
    throw new SignatureWrong(...said(received, 'the answer is not signed, and it must be'));
  }
  const stated = response.fields === 'all' ? Object.keys(envelope) : response.fields;
  const names = stated.filter(covers);
  const members = Object.fromEntries(names.map((name) => [name, signedValue(member(envelope, name))]));
  const text = piecesToSign(members, { names, dropEmpty });
  if (typeof sign !== 'string' || !rules.credentials.verify(text, sign, signStyle(rules))) {
    throw new SignatureWrong(...said(received, 'the signature of the answer is wrong'));
  }
  return { signed: SPEAKING[kind].every(covers), timestampSigned: covers('timestamp') };
}

/** What an answer says, it says in these members: a signature that leaves one of them out proves nothing of it (U4). */
const SPEAKING = { accepted: ['bizData'], refused: ['code', 'msg'] } as const;

function mustBeSigned({ profile, habit }: AnswerRules): boolean {
  const { requireResponseSign } = profile.signing;
  return requireResponseSign === 'always' || (requireResponseSign === 'auto' && habit.everSigned);
}

/** Texts as received; other types as the platform would have joined them; null is no value. */
function signedValue(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : textOf(value);
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : jsonText(value);
}

function timestampOf(envelope: JsonObject, zone: Zone): Instant | undefined {
  return zone.parseCompact(textOf(member(envelope, 'timestamp')));
}

/** bizData is a JSON text of an object (ENV-19); anything else is no answer. */
function readBiz(
  envelope: JsonObject,
  received: Received,
  signed: boolean,
): Pick<OpenedSuccess, 'biz' | 'bizText'> {
  const bizText = member(envelope, 'bizData');
  const biz = typeof bizText === 'string' ? parsed(bizText) : undefined;
  if (typeof bizText === 'string' && isJsonObject(biz)) return { biz, bizText };
  const [message, facts] = said(received, 'bizData is no JSON text of an object');
  throw signed ? new AcceptanceUnread(message, textOf(bizText), facts) : new AnswerUnread(message, facts);
}
