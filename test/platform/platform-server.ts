/**
 * A small platform for tests: a real HTTP server that signs its answers by itself, without the code under
 * test. What it answers is the test's business.
 */
import { createHash } from 'node:crypto';
import http from 'node:http';
import type { RequestListener } from 'node:http';
import net from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

import type { Clock } from '../../src/core/ports.ts';
import { readProfile } from '../../src/core/profile/profile.ts';
import type { Profile } from '../../src/core/profile/profile.ts';
import { Zone } from '../../src/core/time.ts';
import { openClient } from '../../src/platform/client.ts';
import type { ClientOptions, PlatformClient } from '../../src/platform/client.ts';
import { openCredentials } from '../../src/platform/credentials.ts';
import type { Credentials } from '../../src/platform/credentials.ts';
import { openTransport } from '../../src/platform/transport.ts';
import { countedIds, virtualClock } from '../core/virtual-clock.ts';
import type { VirtualClock } from '../core/virtual-clock.ts';
import { quietLog } from '../helpers/log.ts';

export const SECRET = 'as_test_001';
export const SHANGHAI = new Zone('Asia/Shanghai');

export interface Listening extends AsyncDisposable {
  url: string;
}

/** An HTTP server on a free port of loopback. */
export async function listen(handler: RequestListener): Promise<Listening> {
  const server = http.createServer(handler);
  return await opened(server, () => server.closeAllConnections());
}

/** A TCP server on a free port of loopback, for answers that no HTTP server would send. */
export async function listenRaw(handler: (socket: Socket) => void): Promise<Listening> {
  const sockets = new Set<Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    handler(socket);
  });
  return await opened(server, () => sockets.forEach((socket) => socket.destroy()));
}

async function opened(server: net.Server, hangUp: () => void): Promise<Listening> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        hangUp();
      }),
  };
}

export interface Received {
  method: string;
  path: string;
  headers: http.IncomingHttpHeaders;
  text: string;
  envelope: Record<string, string>;
  biz: Record<string, unknown>;
}

/** Text for HTTP 200 and JSON, or a whole reply; undefined hangs up without one. */
export type Reply =
  | string
  | { status: number; contentType?: string; headers?: Record<string, string>; text: string }
  | undefined;

export interface TestPlatform extends Listening {
  readonly requests: readonly Received[];
}

export async function servePlatform(
  answer: (request: Received, requestNo: number) => Reply | Promise<Reply>,
): Promise<TestPlatform> {
  const requests: Received[] = [];
  const listening = await listen((request, response) => {
    const respond = async (text: string): Promise<void> => {
      const received = receivedFrom(request, text);
      requests.push(received);
      const reply = await answer(received, requests.length);
      if (reply === undefined) return void request.socket.destroy();
      const whole = typeof reply === 'string' ? { status: 200, text: reply } : reply;
      const contentType = whole.contentType ?? 'application/json';
      response.writeHead(whole.status, { 'content-type': contentType, ...whole.headers }).end(whole.text);
    };
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      respond(Buffer.concat(chunks).toString('utf8')).catch((error: unknown) =>
        response.destroy(error as Error),
      );
    });
  });
  return { ...listening, requests };
}

function receivedFrom(request: http.IncomingMessage, text: string): Received {
  const envelope = JSON.parse(text) as Record<string, string>;
  const biz = JSON.parse(envelope['bizData'] ?? '{}') as Record<string, unknown>;
  const { method = '', url = '', headers } = request;
  return { method, path: url, headers, text, envelope, biz };
}

/** Signs as the interface document says: non-empty members but sign, sorted, joined, secret last. */
export function signMembers(members: Record<string, string>, secret: string = SECRET): string {
  const pairs = Object.entries(members)
    .filter(([name, value]) => name !== 'sign' && value !== '')
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`);
  return createHash('md5')
    .update(`${pairs.join('&')}&appSecret=${secret}`)
    .digest('hex')
    .toUpperCase();
}

/** A signed envelope; members given replace the usual ones before signing. */
export function envelopeText(members: Record<string, string>, clock?: Clock): string {
  const wall = clock?.wall() ?? '2026-03-01T16:00:00.000Z';
  const whole = { msg: '成功', timestamp: SHANGHAI.compactText(wall), signType: 'MD5', ...members };
  return JSON.stringify({ ...whole, sign: signMembers(whole) });
}

export function successText(biz: object, clock?: Clock): string {
  return envelopeText({ code: '000000', bizData: JSON.stringify(biz) }, clock);
}

export function refusalText(code: string, msg: string, clock?: Clock): string {
  return envelopeText({ code, msg }, clock);
}

export function profileOf(overrides: object = {}): Profile {
  return readProfile(JSON.stringify(overrides), 'test');
}

export function appCredentials(): Credentials {
  return openCredentials({
    apiKey: undefined,
    appId: 'app_test_001',
    signType: 'MD5',
    secret: SECRET,
    privateKeyText: undefined,
    publicKeyText: undefined,
  });
}

export type TestClient = PlatformClient & AsyncDisposable & { clock: VirtualClock };

export type TestClientOptions = Partial<Omit<ClientOptions, 'clock'>> & { clock?: VirtualClock };

/** A client with a real transport to that address, on a clock that jumps over all pauses. */
export function clientOf(url: string, options: TestClientOptions = {}): TestClient {
  const profile = options.profile ?? profileOf({ http: { rate: { perSecond: 10_000, concurrency: 4 } } });
  const { timeouts, rate, retryAfterMaxSeconds } = profile.http;
  const clock = options.clock ?? virtualClock();
  const http = openTransport({ baseUrl: url, timeouts, connections: rate.concurrency, retryAfterMaxSeconds });
  const client = openClient({
    baseUrl: url,
    channelCode: 'CH01',
    credentials: appCredentials(),
    profile,
    http,
    ids: countedIds(0),
    log: quietLog,
    ...options,
    clock,
  });
  return {
    call: client.call.bind(client),
    callIntended: client.callIntended.bind(client),
    callRaw: client.callRaw.bind(client),
    counters: client.counters.bind(client),
    clockOffsetMs: client.clockOffsetMs.bind(client),
    habit: client.habit.bind(client),
    clock,
    [Symbol.asyncDispose]: () => http.close(),
  };
}
