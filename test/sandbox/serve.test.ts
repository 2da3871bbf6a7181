/** The sandbox over HTTP, watched by a plain client of Node. */
import { Agent, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';

import { afterEach, describe, expect, test } from 'vitest';

import { systemClock } from '../../src/core/clock.ts';
import type { Sandbox } from '../../src/sandbox/server/sandbox.ts';
import type { FaultSeed } from '../../src/sandbox/faults/fault-schema.ts';
import { serve } from '../../src/sandbox/server/serve.ts';
import type { ServedSandbox } from '../../src/sandbox/server/serve.ts';
import { md5Signed, members, PREFIX, sandboxAtNoon } from './caller.ts';

const open: ServedSandbox[] = [];

afterEach(async () => {
  for (const served of open.splice(0)) await served.close();
});

async function served(sandbox: Sandbox, controls = false): Promise<string> {
  const server = await serve(sandbox, { port: 0, controls, clock: systemClock() });
  open.push(server);
  return server.url;
}

async function servedWith(...faults: FaultSeed[]): Promise<string> {
  const sandbox = sandboxAtNoon();
  sandbox.seedAccounts([{ accountNo: '100001', balanceFen: 100 }]);
  for (const fault of faults) sandbox.addFault(fault);
  return served(sandbox);
}

interface Seen {
  status: number;
  headers: IncomingMessage['headers'];
  bytes: Buffer;
  /** Why the answer ended early, if it did. */
  broken: string | undefined;
}

interface Sent {
  url: string;
  method?: string;
  path?: string;
  contentType?: string;
  body?: string;
  /** Gives up after that long. */
  patienceMs?: number;
}

/** One call; a broken connection is something to look at and no error. */
function call(sent: Sent): Promise<Seen> {
  const { promise, resolve } = Promise.withResolvers<Seen>();
  const seen: Seen = { status: 0, headers: {}, bytes: Buffer.alloc(0), broken: undefined };
  const finish = (broken?: Error & { code?: string }): void =>
    resolve({ ...seen, broken: broken && (broken.code ?? broken.message) });
  const body = sent.body ?? JSON.stringify(md5Signed(members({ accountNo: '100001' })));
  const agent = new Agent({ keepAlive: false });
  const outgoing = request(`${sent.url}${sent.path ?? `${PREFIX}/acct/queryInfo`}`, {
    method: sent.method ?? 'POST',
    agent,
    headers: { 'content-type': sent.contentType ?? 'application/json' },
    ...(sent.patienceMs === undefined ? {} : { signal: AbortSignal.timeout(sent.patienceMs) }),
  });
  outgoing.on('error', finish);
  outgoing.on('response', (incoming) => {
    Object.assign(seen, { status: incoming.statusCode, headers: incoming.headers });
    incoming.on('data', (chunk: Buffer) => (seen.bytes = Buffer.concat([seen.bytes, chunk])));
    incoming.on('error', finish);
    incoming.on('end', () => finish());
  });
  outgoing.end(body);
  return promise;
}

const codeOf = ({ bytes }: Seen): unknown => (JSON.parse(bytes.toString()) as { code?: unknown }).code;

describe('the service', () => {
  test('ENV-01…04: answers a signed POST below the prefix; other methods and paths execute nothing', async () => {
    const url = await servedWith();
    const whole = await call({ url });
    expect([whole.status, codeOf(whole)]).toEqual([200, '000000']);
    expect(whole.headers['content-type']).toBe('application/json; charset=utf-8');
    expect((await call({ url, method: 'GET', body: '' })).status).toBe(405);
    expect((await call({ url, method: 'PUT' })).status).toBe(405);
    expect((await call({ url, path: '/acct/queryInfo' })).status).toBe(404);
    expect((await call({ url, contentType: 'application/x-www-form-urlencoded' })).status).toBe(415);
    expect((await call({ url, contentType: '' })).status).toBe(415);
  });

  test('ENV-30: the body is read as UTF-8', async () => {
    const url = await servedWith();
    const body = JSON.stringify(md5Signed(members({ accountNo: '100001', remark: '划付𠮷￥' })));
    expect(codeOf(await call({ url, body }))).toBe('000000');
  });

  test('it listens on loopback only', async () => {
    expect((await servedWith()).startsWith('http://127.0.0.1:')).toBe(true);
    const everywhere = serve(sandboxAtNoon(), {
      port: 0,
      host: '0.0.0.0',
      controls: false,
      clock: systemClock(),
    });
    await expect(everywhere).rejects.toThrow('this machine only');
  });
});

test('a port that is taken is said in one sentence', async () => {
  const port = Number(new URL(await servedWith()).port);
  const second = serve(sandboxAtNoon(), { port, controls: false, clock: systemClock() });
  await expect(second).rejects.toThrow(`port ${port} is taken by another program`);
});

describe('the control surface', () => {
  test('CTL: it is off by default, and never below the prefix of the service', async () => {
    const url = await servedWith();
    expect((await call({ url, path: '/control/clock', body: '{}' })).status).toBe(404);
    const controlled = await served(sandboxAtNoon(), true);
    expect((await call({ url: controlled, path: `${PREFIX}/control/clock`, body: '{}' })).status).toBe(404);
  });

  test('CTL: it is reached by JSON only, so that no web page can', async () => {
    const url = await served(sandboxAtNoon(), true);
    const body = JSON.stringify({ advanceMs: 1_000 });
    const moved = await call({ url, path: '/control/clock', body });
    expect(JSON.parse(moved.bytes.toString())).toEqual({ now: '2026-03-01T04:00:01.000Z', running: false });
    expect((await call({ url, path: '/control/clock', body, contentType: 'text/plain' })).status).toBe(400);
  });
});

describe('faults of the transport', () => {
  test.each(['drop_before', 'drop_after'] as const)(
    'N5: %s cuts the connection without a byte',
    async (kind) => {
      const seen = await call({ url: await servedWith({ kind }) });
      expect(seen).toMatchObject({ status: 0, broken: 'ECONNRESET' });
    },
  );

  test.each(['length', 'chunked'] as const)(
    'N2: a body of framing %s breaks off and the client sees it',
    async (framing) => {
      const seen = await call({ url: await servedWith({ kind: 'reset', afterBytes: 27, framing }) });
      expect(seen.status).toBe(200);
      expect(seen.broken).toBe('ECONNRESET');
      expect(seen.bytes.toString()).toBe('{"code":"000000","msg":"成');
    },
  );

  test('N2: a body that ends with the connection breaks off unseen', async () => {
    const seen = await call({ url: await servedWith({ kind: 'reset', afterBytes: 27, framing: 'close' }) });
    expect(seen.broken).toBeUndefined();
    expect(seen.bytes.toString()).toBe('{"code":"000000","msg":"成');
  });

  test('N4: a stalled body keeps the connection open', async () => {
    const url = await servedWith({ kind: 'stall', afterBytes: 5 });
    const seen = await call({ url, patienceMs: 150 });
    expect(seen.bytes.toString()).toBe('{"cod');
    expect(seen.broken).not.toBeUndefined();
  });

  test('N3: a drip arrives whole in the end', async () => {
    const seen = await call({ url: await servedWith({ kind: 'drip', bytesPerChunk: 100, everyMs: 1 }) });
    expect(codeOf(seen)).toBe('000000');
  });

  test.each(['delay', 'hold'] as const)('N11: %s answers late and whole', async (kind) => {
    expect(codeOf(await call({ url: await servedWith({ kind, ms: 20 }) }))).toBe('000000');
  });

  test('N14: a compressed answer says so', async () => {
    const seen = await call({ url: await servedWith({ kind: 'gzip' }) });
    expect(seen.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(seen.bytes).toString()).toContain('"code":"000000"');
  });

  test('N14: a flood is as long as asked for, and stops when nobody listens', async () => {
    const seen = await call({ url: await servedWith({ kind: 'flood', bytes: 1_000_000 }) });
    expect(seen.bytes.length).toBe(1_000_000 + '{"code":"000000","msg":"'.length + '"}'.length);
    const url = await servedWith({ kind: 'flood', bytes: 2_000_000_000 });
    expect((await call({ url, patienceMs: 100 })).broken).not.toBeUndefined();
  });

  test('N14: huge headers are more than a client takes', async () => {
    const seen = await call({ url: await servedWith({ kind: 'huge_headers' }) });
    expect(seen.broken).toBe('HPE_HEADER_OVERFLOW');
  });

  test('N13: a redirect says where to', async () => {
    const seen = await call({ url: await servedWith({ kind: 'redirect', to: 'http://127.0.0.1:1/' }) });
    expect([seen.status, seen.headers['location']]).toEqual([307, 'http://127.0.0.1:1/']);
  });

  test('closing does not wait for answers that are still to come', async () => {
    const sandbox = sandboxAtNoon();
    sandbox.addFault({ kind: 'delay', ms: 600_000 });
    sandbox.addFault({ kind: 'stall', skip: 1 });
    sandbox.addFault({ kind: 'drip', skip: 2, everyMs: 600_000 });
    const url = await served(sandbox);
    const waiting = [call({ url }), call({ url }), call({ url })];
    await expect.poll(() => sandbox.requests().length).toBe(3);
    for (const server of open.splice(0)) await server.close();
    expect((await Promise.all(waiting)).every((seen) => seen.broken !== undefined)).toBe(true);
  });
});
