/**
 * The one way to the platform: a POST over undici's pool, sent once, never redirected, never decompressed,
 * bounded in time and bytes (N1–N6, N13, N14). What failed is told apart by one question only: can a byte
 * have left?
 */
import { buildConnector, Pool } from 'undici';
import type { Dispatcher } from 'undici';

import { AnswerUnread, codeOf, messageOf, NoAnswer, NotSent, OutcomeUnknown } from '../core/errors.ts';
import { isJsonObject, member, parseJson } from '../core/json.ts';
import type { Http, HttpAnswer, HttpRequest } from '../core/ports.ts';
import { SECOND_MS } from '../core/time.ts';
import { CountedConnection } from './counted-connection.ts';
import type { Carriages } from './counted-connection.ts';
import { patience } from './patience.ts';

export interface TransportOptions {
  /** The platform's address; nothing is ever sent to another origin. */
  baseUrl: string;
  timeouts: { connectMs: number; headersMs: number; bodyMs: number };
  /** Connections held at most: as many as calls are in flight. */
  connections: number;
  retryAfterMaxSeconds: number;
}

/** The service sends six headers; a server that needs more than this is another one. */
const HEADERS_BYTES_MAX = 16_384;

/**
 * Errors that only arise before there is a connection. ETIMEDOUT, ECONNRESET and EHOSTUNREACH are not among
 * them: they also befall a connection in use, and are NotSent only where the connector itself reported them.
 */
export const CODES_NOT_SENT: readonly string[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
];

/** What the usual ones of these mean to who runs the job. */
const PLAIN_WORDS: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'the connection was refused'],
  ['ENOTFOUND', 'nobody knows an address of that name'],
  ['EAI_AGAIN', 'the name service does not answer'],
  ['UND_ERR_CONNECT_TIMEOUT', 'no connection in time'],
  ['CERT_HAS_EXPIRED', 'its certificate has expired'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another name'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is not trusted'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'its certificate is not trusted'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'its certificate is not trusted'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'its certificate is not trusted'],
]);

export function openTransport(options: TransportOptions): Http {
  const origin = new URL(options.baseUrl).origin;
  const { headersMs, bodyMs } = options.timeouts;
  const connectFailures = new WeakSet<Error>();
  const carriages: Carriages = new WeakMap();
  const connect = watchedConnector(options.timeouts.connectMs, connectFailures);
  const pool = new Pool(origin, {
    connections: options.connections,
    factory: (to, of) => new CountedConnection(to, { ...of, connect, carriages }),
    pipelining: 1,
    // Its own would judge silence before what lies in the socket is read (`patience.ts`).
    headersTimeout: 0,
    bodyTimeout: bodyMs,
    maxHeaderSize: HEADERS_BYTES_MAX,
    strictContentLength: true,
    allowH2: false,
  });
  let closed = false;
  return {
    post: async (request) => {
      if (closed) throw new NotSent('the transport is closed');
      const url = new URL(request.url);
      if (url.origin !== origin)
        throw new Error(`Bug: a call to ${url.origin} on the transport of ${origin}`);
      const call = callOf(url, request);
      const carriedSinceMs = () => carriages.get(call)?.sinceMs();
      const reading = new AnswerReading({ ...options, ...request });
      const waiting = patience({ ...request, headersMs, carriedSinceMs }, (why) => reading.giveUp(why));
      reading.onHead = () => waiting.headCame();
      try {
        pool.dispatch(call, reading);
        return await reading.answer;
      } catch (error) {
        const isSilent = carriages.get(call)?.isHeard() !== true && !waiting.stoodStill();
        throw judged(error, { ...request, at: url, connectFailures, isSilent });
      } finally {
        waiting.end();
      }
    },
    close: async () => {
      closed = true;
      await pool.close();
    },
  };
}

/** undici's own connector, which no variable of the environment makes take any certificate, with a note of what failed while there was no connection yet (TLS included). */
function watchedConnector(timeoutMs: number, failures: WeakSet<Error>): buildConnector.connector {
  const connect = buildConnector({ timeout: timeoutMs, allowH2: false, rejectUnauthorized: true });
  return (options, callback) => {
    connect(options, (...outcome) => {
      if (outcome[0]) failures.add(outcome[0]);
      callback(...outcome);
    });
  };
}

function callOf(url: URL, request: HttpRequest): Dispatcher.DispatchOptions {
  return {
    path: `${url.pathname}${url.search}`,
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      accept: 'application/json',
      'accept-encoding': 'identity',
      ...request.headers,
    },
    body: request.body,
  };
}

type AnswerLimits = Pick<HttpRequest, 'bytesMax'> & Pick<TransportOptions, 'retryAfterMaxSeconds'>;

/** Takes one answer piece by piece: it goes whole into a text, for which a stream would do as much work again. */
class AnswerReading implements Dispatcher.DispatchHandler {
  onHead = (): void => {};
  readonly #limits: AnswerLimits;
  readonly #end = Promise.withResolvers<HttpAnswer>();
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;
  #head: { status: number; headers: Headers } = { status: 0, headers: {} };
  #controller: Dispatcher.DispatchController | undefined;
  #givenUp: Error | undefined;

  constructor(limits: AnswerLimits) {
    this.#limits = limits;
  }

  get answer(): Promise<HttpAnswer> {
    return this.#end.promise;
  }

  /** Ends it with that error, at the latest when its turn comes. */
  giveUp(why: Error): void {
    this.#givenUp = why;
    this.#controller?.abort(why);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#givenUp) controller.abort(this.#givenUp);
  }

  /** What is thrown here closes the connection and is what the call ends with. */
  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status < 200) return;
    this.#head = { status, headers };
    this.onHead();
    const refusal = refusedUnread(headers, this.#limits.bytesMax);
    if (refusal !== undefined) throw unreadable(refusal, this.#retryAfterMs());
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#bytes += chunk.byteLength;
    if (this.#bytes > this.#limits.bytesMax) throw unreadable(tooLarge(this.#limits.bytesMax), undefined);
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    try {
      this.#end.resolve(this.#read());
    } catch (error) {
      this.#end.reject(error);
    }
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end.reject(error);
  }

  #read(): HttpAnswer {
    const { status, headers } = this.#head;
    const retryAfterMs = this.#retryAfterMs();
    const text = decoded(Buffer.concat(this.#chunks, this.#bytes));
    if (endsWithConnection(headers) && !provesItself(text)) {
      throw unreadable('the answer states no length and may be cut', retryAfterMs);
    }
    return { status, contentType: headerText(headers['content-type']), retryAfterMs, text };
  }

  #retryAfterMs(): number | undefined {
    return readRetryAfter(this.#head.headers, this.#limits.retryAfterMaxSeconds);
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

function decoded(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch (error) {
    throw new AnswerUnread('the answer is not UTF-8', {}, { cause: error });
  }
}

type Headers = Dispatcher.ResponseData['headers'];

function unreadable(what: string, retryAfterMs: number | undefined): OutcomeUnknown {
  return new OutcomeUnknown(what, {}, retryAfterMs === undefined ? {} : { retryAfterMs });
}

function headerText(value: string | string[] | undefined): string {
  return Array.isArray(value) ? value.join(', ') : (value ?? '');
}

/** A decoder would turn kilobytes into gigabytes; we asked for none, so an encoded body is refused (N14). */
function refusedUnread(headers: Headers, bytesMax: number): string | undefined {
  const encoding = headerText(headers['content-encoding']).trim().toLowerCase();
  if (encoding !== '' && encoding !== 'identity') return `the answer is encoded (${encoding.slice(0, 40)})`;
  const stated = Number(headerText(headers['content-length']));
  return stated > bytesMax ? tooLarge(bytesMax) : undefined;
}

function tooLarge(bytesMax: number): string {
  return `the answer is larger than ${bytesMax} bytes`;
}

/** A body with neither length nor chunks ends where the connection ends: a cut one looks whole (N2). */
function endsWithConnection(headers: Headers): boolean {
  return (
    headers['content-length'] === undefined && !/chunked/i.test(headerText(headers['transfer-encoding']))
  );
}

/** A JSON object that carries a signature is whole when it parses, and the signature will prove it. */
function provesItself(text: string): boolean {
  try {
    const value = parseJson(text);
    const sign = isJsonObject(value) ? member(value, 'sign') : undefined;
    return typeof sign === 'string' && sign !== '';
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** Seconds, or a date that is read against the answer's own; never more than the limit (N6). */
function readRetryAfter(headers: Headers, maxSeconds: number): number | undefined {
  const text = headerText(headers['retry-after']).trim();
  if (text === '') return undefined;
  const seconds = /^\d{1,9}$/.test(text)
    ? Number(text)
    : (Date.parse(text) - Date.parse(headerText(headers['date']))) / SECOND_MS;
  if (!(seconds >= 0)) return undefined;
  return Math.min(seconds, maxSeconds) * SECOND_MS;
}

interface Judging {
  at: URL;
  deadlineMs: number;
  connectFailures: WeakSet<Error>;
  /** No byte came back, and the process was there to hear one. */
  isSilent: boolean;
}

/** How a connection in use ends, or is given up, without an answer. */
const CODES_NO_ANSWER: readonly string[] = [
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_SOCKET',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
];

/** NotSent where no byte can have left, NoAnswer where none came to who was there, OutcomeUnknown for all else (N1, ENV-22). */
function judged(error: unknown, { at: url, deadlineMs, connectFailures, isSilent }: Judging): Error {
  if (error instanceof OutcomeUnknown) return error;
  if (!(error instanceof Error)) return new OutcomeUnknown(`${url.host}: ${messageOf(error)}`);
  const code = codeOf(error) ?? error.name;
  const facts = { host: url.host, path: url.pathname, code };
  if (connectFailures.has(error) || CODES_NOT_SENT.includes(code)) {
    const why = PLAIN_WORDS.get(code);
    const said = [why, error.message || code].filter((text) => text !== undefined);
    return new NotSent(`${url.host} cannot be reached: ${said.join(': ')}`, facts, { cause: error });
  }
  const isOverdue = error.name === 'TimeoutError';
  const what = isOverdue ? `no whole answer within ${deadlineMs} ms` : error.message;
  const isUnanswered = isSilent && (isOverdue || CODES_NO_ANSWER.includes(code));
  const Unknown = isUnanswered ? NoAnswer : OutcomeUnknown;
  return new Unknown(`${url.host}: ${what || code}`, facts, { cause: error });
}
