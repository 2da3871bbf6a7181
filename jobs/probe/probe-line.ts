/**
 * The line a probe asks over: single signed queries in whatever manner is tried, their answers as they came. It
 * keeps the client's rules (rate, a fresh time and a new reqId for each attempt), but neither decodes nor believes.
 */
import { NotSent, OutcomeUnknown, messageOf } from '../../src/core/errors.ts';
import { isJsonObject, member, parseJson } from '../../src/core/json.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { maskPersonal } from '../../src/core/mask.ts';
import { pacer } from '../../src/core/pacing.ts';
import type { Pacer } from '../../src/core/pacing.ts';
import type { Clock, Http, HttpAnswer, Ids } from '../../src/core/ports.ts';
import type { Profile } from '../../src/core/profile/profile.ts';
import { classifyRefusal } from '../../src/core/profile/refusals.ts';
import type { RefusalClass } from '../../src/core/profile/refusals.ts';
import { retryRead } from '../../src/core/retry.ts';
import type { Read } from '../../src/core/retry.ts';
import { addMs } from '../../src/core/time.ts';
import type { Day, Instant, Zone } from '../../src/core/time.ts';
import { CODE_SUCCESS, ENDPOINTS, PATH_PREFIX } from '../../src/platform/contract.ts';
import type { ChangingEndpoint, EndpointName } from '../../src/platform/contract.ts';
import type { Credentials, SignStyle } from '../../src/platform/credentials.ts';
import { sealRequest, signStyle } from '../../src/platform/envelope.ts';

/** A probe reads; what changes something cannot even be named here. */
export type ReadingEndpoint = Exclude<EndpointName, ChangingEndpoint>;

/** One envelope that came back, whatever it says. */
export interface Answered {
  kind: 'answered';
  endpoint: ReadingEndpoint;
  status: number;
  code: string;
  msg: string;
  isAccepted: boolean;
  /** What the profile in force takes the refusal for; undefined where it is none. */
  class: RefusalClass | undefined;
  envelope: JsonObject;
  /** Empty where there is none. */
  biz: JsonObject;
  style: SignStyle;
  reqTime: string;
  sentAt: Instant;
}

/** No envelope came back, or one that says only that there were too many. */
export interface Silent {
  kind: 'silent';
  reason: string;
}

export type Heard = Answered | Silent;

/** In what this request differs from the others. */
export interface Manner {
  style?: SignStyle;
  /** Another spelling of the member that carries the credential (U6). */
  credentialName?: string;
  /** The signature is made over another string: well formed and wrong. */
  isWronglySigned?: boolean;
  reqTime?: string;
  reqId?: string;
  /** Not repeated when nothing comes back, because what it says depends on its moment or its number. */
  isSingle?: boolean;
}

export interface LineParts {
  baseUrl: string;
  credentials: Credentials;
  profile: Profile;
  zone: Zone;
  http: Http;
  clock: Clock;
  ids: Ids;
  signal: AbortSignal;
}

/** A number no registry gives and no company should. */
export const MADE_UP = 'recon-probe-0';

/** Who probes waits at a screen. */
const ATTEMPTS_MAX = 3;
const SHOWN_MAX = 80;

export class ProbeLine {
  /** Every answer so far, oldest first. */
  readonly heard: Answered[] = [];
  /** How requests are signed until a manner says otherwise; set to what the platform accepts. */
  style: SignStyle;
  /** What is added to our clock and zone to get the platform's local time. */
  shiftMs = 0;
  readonly parts: LineParts;
  readonly #pacer: Pacer;

  constructor(parts: LineParts) {
    const { profile, credentials, clock } = parts;
    this.parts = parts;
    this.style = signStyle({ profile, credentials, endpoint: 'acct/queryInfo' });
    this.#pacer = pacer({ clock, ...profile.http.rate });
  }

  /** Asks once, or up to three times where nothing comes back; rejects only when the command is stopped. */
  async ask(endpoint: ReadingEndpoint, biz: object, manner: Manner = {}): Promise<Heard> {
    const { clock, ids, profile, signal } = this.parts;
    const { maxAttempts, retryQueries } = profile.http;
    const isRepeated = retryQueries && manner.isSingle !== true;
    const attemptsMax = isRepeated ? Math.min(ATTEMPTS_MAX, maxAttempts) : 1;
    try {
      const { answered, isTransient } = await retryRead({ clock, ids, attemptsMax, signal }, () =>
        this.#pacer.run(() => this.#send(endpoint, biz, manner), signal),
      );
      // It says nothing of what was asked: neither the signature nor the data need have been looked at (N18).
      return isTransient ? { kind: 'silent', reason: 'asked too often' } : answered;
    } catch (error) {
      if (!(error instanceof OutcomeUnknown || error instanceof NotSent)) throw error;
      return { kind: 'silent', reason: messageOf(error) };
    }
  }

  /** The platform's local time, as far as it is known. */
  compactNow(aheadMs = 0): string {
    return this.parts.zone.compactText(addMs(this.parts.clock.wall(), this.shiftMs + aheadMs));
  }

  today(): Day {
    return this.parts.zone.dayOf(addMs(this.parts.clock.wall(), this.shiftMs));
  }

  async #send(
    endpoint: ReadingEndpoint,
    biz: object,
    manner: Manner,
  ): Promise<Read & { answered: Answered }> {
    const { http, profile, clock, ids, baseUrl } = this.parts;
    const style = manner.style ?? this.#styleOf(endpoint);
    const sentAt = clock.wall();
    const reqTime = manner.reqTime ?? this.compactNow();
    const credentials =
      manner.isWronglySigned === true ? corrupted(this.parts.credentials) : this.parts.credentials;
    const rules = { profile: inManner(profile, endpoint, { ...manner, style }), credentials, endpoint };
    const body = sealRequest(rules, { reqId: manner.reqId ?? ids.reqId(), reqTime }, biz);
    const { timeouts, bytesMax, filesBytesMax } = profile.http;
    const isFiles = ENDPOINTS[endpoint].answer === 'files';
    const answer = await http.post({
      url: `${baseUrl}${PATH_PREFIX}${ENDPOINTS[endpoint].path}`,
      body,
      deadlineMs: isFiles ? timeouts.filesDeadlineMs : timeouts.deadlineMs,
      bytesMax: isFiles ? filesBytesMax : bytesMax,
    });
    const answered = readAnswer(profile, answer, { endpoint, style, reqTime, sentAt });
    this.heard.push(answered);
    return { answered, isTransient: answered.class === 'RATE_LIMIT', retryAfterMs: answer.retryAfterMs };
  }

  /** An endpoint may have a name of its own for the secret (U1). */
  #styleOf(endpoint: ReadingEndpoint): SignStyle {
    const own = this.parts.profile.signing.secretNameByPath[endpoint];
    return own === undefined ? this.style : { ...this.style, secretName: own };
  }
}

function corrupted(credentials: Credentials): Credentials {
  const { field, id, signType } = credentials;
  return {
    field,
    id,
    signType,
    sign: (text, style) => credentials.sign([text, 'credentials.sign(`${text}&`, style)'].flat(), style),
    verify: (text, sign, style) => credentials.verify(text, sign, style),
  };
}

/** The profile under which the client would send just this request. */
function inManner(
  profile: Profile,
  endpoint: ReadingEndpoint,
  { style, credentialName }: Manner & { style: SignStyle },
): Profile {
  const { signing, envelope } = profile;
  const secretName = { apiKey: style.secretName, app: style.secretName };
  const spelled =
    credentialName === undefined
      ? envelope
      : { credentialNameByPath: { ...envelope.credentialNameByPath, [endpoint]: credentialName } };
  return {
    ...profile,
    signing: { ...signing, md5Case: style.md5Case, secretName, secretNameByPath: {} },
    envelope: spelled,
  };
}

/** @throws OutcomeUnknown when it is no envelope */
function readAnswer(
  profile: Profile,
  { status, contentType, text }: HttpAnswer,
  asked: Pick<Answered, 'endpoint' | 'style' | 'reqTime' | 'sentAt'>,
): Answered {
  const envelope = objectIn(text);
  const code = envelope && member(envelope, 'code');
  if (envelope === undefined || typeof code !== 'string' || (status >= 300 && status < 400)) {
    const what = `HTTP ${status}, ${contentType || 'no content type'}, no answer of the service`;
    throw new OutcomeUnknown(`${what}; is PLATFORM_URL the platform's address?`);
  }
  const msg = textOf(member(envelope, 'msg'));
  const isAccepted = code === CODE_SUCCESS;
  const bizText = member(envelope, 'bizData');
  const biz = (typeof bizText === 'string' ? objectIn(bizText) : undefined) ?? {};
  const meaning = isAccepted ? undefined : classifyRefusal(profile, { path: asked.endpoint, code, msg });
  return {
    kind: 'answered',
    ...asked,
    status,
    code,
    msg,
    isAccepted,
    class: status === 429 && !isAccepted ? 'RATE_LIMIT' : meaning,
    envelope,
    biz,
  };
}

function objectIn(text: string): JsonObject | undefined {
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function isAccepted(heard: Heard): heard is Answered {
  return heard.kind === 'answered' && heard.isAccepted;
}

/** What came back as a person may read it: the code, and the reason of a refusal. */
export function saidBy(heard: Heard): string {
  if (heard.kind === 'silent') return cut(maskPersonal(`no answer: ${heard.reason}`));
  return cut(maskPersonal(heard.isAccepted ? heard.code : `${heard.code} ${heard.msg}`.trim()));
}

function cut(text: string): string {
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
}
