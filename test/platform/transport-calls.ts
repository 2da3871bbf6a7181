/** Calls over the transport to servers that answer in bytes. */
import type { Socket } from 'node:net';
import type { Http, HttpAnswer } from '../../src/core/ports.ts';
import { openTransport } from '../../src/platform/transport.ts';
import { listenRaw } from './platform-server.ts';

const TIMEOUTS = { connectMs: 500, headersMs: 2_000, bodyMs: 2_000 };

export function transportTo(
  baseUrl: string,
  timeouts: Partial<typeof TIMEOUTS> = {},
): Http & AsyncDisposable {
  const http = openTransport({
    baseUrl,
    timeouts: { ...TIMEOUTS, ...timeouts },
    connections: 2,
    retryAfterMaxSeconds: 60,
  });
  return { ...http, [Symbol.asyncDispose]: () => http.close() };
}

export async function post(
  http: Http,
  url: string,
  limits: { deadlineMs?: number } = {},
): Promise<HttpAnswer> {
  return await http.post({ url: `${url}/x`, body: '{}', deadlineMs: 10_000, bytesMax: 8_388_608, ...limits });
}

export async function failureOf(
  url: string,
  options: Partial<typeof TIMEOUTS> & { deadlineMs?: number } = {},
) {
  const { deadlineMs = 10_000, ...timeouts } = options;
  await using http = transportTo(url, timeouts);
  return await post(http, url, { deadlineMs }).then(
    (answer) => new Error(`answered ${answer.status}`),
    (error: unknown) => error as Error,
  );
}

/** Answers each request with those bytes, told when one is whole; counts them. */
export async function bytesServer(reply: (socket: Socket) => void) {
  let requests = 0;
  const server = await listenRaw((socket) => {
    socket.on('data', (data) => {
      if (!data.toString('latin1').includes('\r\n\r\n')) return;
      requests += 1;
      reply(socket);
    });
  });
  return { ...server, requests: () => requests };
}

export const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
