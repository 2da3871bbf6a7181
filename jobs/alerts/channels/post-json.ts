/**
 * One POST to a receiver that may be slow or hostile: bounded in time and bytes, never redirected, its certificate
 * verified whatever the environment says.
 */
import { Agent, buildConnector, request } from 'undici';
import { NotSent, codeOf, messageOf } from '../../../src/core/errors.ts';
import { isJsonObject, parseJson } from '../../../src/core/json.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import { SECOND_MS } from '../../../src/core/time.ts';

/** Who takes longer is asked again later. */
export const ANSWER_MS_MAX = 10 * SECOND_MS;
/** Robots answer with a line. */
const ANSWER_BYTES_MAX = 16_384;

export interface Posting {
  url: string;
  body: string;
  headers?: Readonly<Record<string, string>>;
  /** Of a stop; a receiver is not waited for beyond it. */
  signal: AbortSignal;
}

export interface Posted {
  status: number;
  /** As far as it was read. */
  text: string;
}

/** @throws NotSent where no whole answer came, or one that takes nothing */
export async function postJson({ url, body, headers, signal }: Posting): Promise<Posted> {
  const dispatcher = new Agent({
    connect: buildConnector({ timeout: ANSWER_MS_MAX, allowH2: false, rejectUnauthorized: true }),
    headersTimeout: ANSWER_MS_MAX,
    bodyTimeout: ANSWER_MS_MAX,
    maxHeaderSize: ANSWER_BYTES_MAX,
  });
  try {
    const answer = await request(url, {
      method: 'POST',
      dispatcher,
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS_MAX)]),
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'accept-encoding': 'identity',
        'user-agent': 'recon',
        ...headers,
      },
      body,
    });
    const text = await beginningOf(answer.body);
    if (answer.statusCode >= 200 && answer.statusCode < 300) return { status: answer.statusCode, text };
    throw new NotSent(
      `the receiver answered with status ${answer.statusCode}${redirected(answer.statusCode)}`,
    );
  } catch (error) {
    if (error instanceof NotSent) throw error;
    throw new NotSent(whatBefell(error), {}, { cause: error });
  } finally {
    await dispatcher.destroy();
  }
}

function redirected(status: number): string {
  return status >= 300 && status < 400 ? ': redirects are not followed' : '';
}

/** Reads no further than the limit; leaving the loop closes the connection. */
async function beginningOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes >= ANSWER_BYTES_MAX) break;
  }
  return Buffer.concat(chunks).subarray(0, ANSWER_BYTES_MAX).toString('utf8');
}

/** No address: that of a robot is its key. */
function whatBefell(error: unknown): string {
  const code = codeOf(error);
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer within ${ANSWER_MS_MAX} ms`;
  return code === undefined ? messageOf(error) : `the receiver cannot be reached: ${code}`;
}

/** What a robot says of a message; it answers 200 also where it takes none. @throws NotSent */
export function robotAnswer({ text }: Posted): JsonObject {
  try {
    const answer = parseJson(text);
    if (isJsonObject(answer)) return answer;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new NotSent('the receiver’s answer is no JSON object: is this the address of a robot?');
}
