/** Whom the sandbox answers over HTTP: programs of this machine, and no page of a browser that was led here. */
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { systemClock } from '../../src/core/clock.ts';
import { serve } from '../../src/sandbox/server/serve.ts';
import type { ServedSandbox } from '../../src/sandbox/server/serve.ts';
import { md5Signed, members, PREFIX, sandboxAtNoon } from './caller.ts';

let served: ServedSandbox;
beforeAll(async () => {
  served = await serve(sandboxAtNoon(), { port: 0, controls: true, clock: systemClock() });
});
afterAll(() => served.close());

function ask(path: string, headers: Record<string, string>, body?: string): Promise<[number, string]> {
  const { promise, resolve, reject } = Promise.withResolvers<[number, string]>();
  const method = body === undefined ? 'GET' : 'POST';
  const outgoing = request(`${served.url}${path}`, { method, headers, agent: false }, (answer) => {
    let text = '';
    answer.setEncoding('utf8').on('data', (more: string) => (text += more));
    answer.on('end', () => resolve([answer.statusCode ?? 0, text]));
  });
  outgoing.on('error', reject).end(body);
  return promise;
}

const port = (): string => new URL(served.url).port;

test.each([
  ['a name that was pointed here', () => ({ host: `evil.example:${port()}` })],
  ['a name that begins as this machine', () => ({ host: `localhost.evil.example:${port()}` })],
  ['an address of another machine', () => ({ host: '192.168.0.7' })],
  ['a page of elsewhere', () => ({ host: `127.0.0.1:${port()}`, origin: 'http://evil.example' })],
  ['a page without an origin', () => ({ host: `127.0.0.1:${port()}`, origin: 'null' })],
  ['a page of another port', () => ({ host: `127.0.0.1:${port()}`, origin: 'http://127.0.0.1:1' })],
])('codes by SMS are not shown to %s, and nothing is changed', async (_name, headers) => {
  const [status, text] = await ask('/control/sms', headers());
  expect([status, text]).toEqual([403, expect.stringMatching(/^\{"error":"the sandbox /)]);
  const json = { ...headers(), 'content-type': 'application/json' };
  const [refused] = await ask('/control/accounts', json, '{"accounts":[{"accountNo":"9","balanceFen":1}]}');
  expect(refused).toBe(403);
  const call = JSON.stringify(md5Signed(members({ accountNo: '100001' })));
  expect((await ask(`${PREFIX}/acct/queryInfo`, json, call))[0]).toBe(403);
});

test.each([
  ['127.0.0.1', () => ({ host: `127.0.0.1:${port()}` })],
  ['localhost', () => ({ host: `LOCALHOST:${port()}` })],
  ['[::1]', () => ({ host: `[::1]:${port()}` })],
  ['a page of its own', () => ({ host: `127.0.0.1:${port()}`, origin: `http://127.0.0.1:${port()}` })],
])('who asks as %s is answered', async (_name, headers) => {
  expect((await ask('/control/sms', headers()))[0]).toBe(200);
});
