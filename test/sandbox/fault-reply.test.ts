/** Faults of the answer itself, as far as they need no socket (docs/reliability.md 1a). */
import { expect, test } from 'vitest';

import type { Sandbox } from '../../src/sandbox/server/sandbox.ts';
import type { SandboxReply } from '../../src/sandbox/protocol/exchange.ts';
import type { FaultSeed } from '../../src/sandbox/faults/fault-schema.ts';
import { API_SECRET, ask, md5, md5Signed, members, PREFIX, sandboxAtNoon, textToSign } from './caller.ts';
import type { Answered } from './caller.ts';

const INFO = { accountNo: '100001' };
const SIGNED = ['code', 'msg', 'timestamp', 'signType', 'bizData'];

function sandboxWith(...faults: FaultSeed[]): Sandbox {
  const sandbox = sandboxAtNoon();
  sandbox.seedAccounts([{ accountNo: '100001', balanceFen: 100, drift: { fen: 1 } }]);
  for (const fault of faults) sandbox.addFault(fault);
  return sandbox;
}

const info = (sandbox: Sandbox): Answered => ask(sandbox, 'acct/queryInfo', INFO);

/** The reply as it is, for those that are no envelope. */
function raw(sandbox: Sandbox): SandboxReply {
  const body = JSON.stringify(md5Signed(members(INFO)));
  const path = `${PREFIX}/acct/queryInfo`;
  return sandbox.answer({ method: 'POST', path, contentType: 'application/json', body });
}

function isAuthentic({ envelope }: Answered): boolean {
  return envelope['sign'] === md5(`${textToSign(envelope, SIGNED)}&appSecret=${API_SECRET}`);
}

test.each(['corrupt_biz_data', 'corrupt_sign'] as const)(
  'N8, ENV-20: %s leaves an envelope whose signature is wrong',
  (kind) => {
    const reply = info(sandboxWith({ kind }));
    expect(reply.ok).toBe(true);
    expect(isAuthentic(reply)).toBe(false);
    expect(isAuthentic(info(sandboxWith()))).toBe(true);
  },
);

test('N9: sign left out', () => {
  expect(info(sandboxWith({ kind: 'omit_sign' })).envelope).not.toHaveProperty('sign');
});

test('ENV-18, ENV-19: a numeric code, bizData as an object, bizData missing', () => {
  const numeric = info(sandboxWith({ kind: 'envelope', set: { code: 0 } }));
  expect(numeric.envelope['code']).toBe(0);
  const object = info(sandboxWith({ kind: 'biz_data_object' }));
  expect(object.envelope['bizData']).toMatchObject({ accountNo: '100001' });
  expect(info(sandboxWith({ kind: 'envelope', remove: ['bizData'] })).envelope).not.toHaveProperty('bizData');
});

test('U42: a refusal with a code nobody knows, signed', () => {
  const reply = info(sandboxWith({ kind: 'unmapped_code', code: 'E1', msg: '系统繁忙' }));
  expect(reply.envelope).toMatchObject({ code: 'E1', msg: '系统繁忙' });
  expect(isAuthentic(reply)).toBe(true);
});

test('N18: a burst of refusals for being too frequent', () => {
  const sandbox = sandboxWith({ kind: 'too_frequent', times: 2 });
  expect([info(sandbox), info(sandbox), info(sandbox)].map((reply) => reply.ok)).toEqual([
    false,
    false,
    true,
  ]);
});

test('N5, ENV-22: cut before it was processed, and after', () => {
  const before = sandboxWith({ kind: 'drop_before' });
  expect(raw(before).fault).toEqual({ kind: 'drop' });
  expect(info(before).biz['balance']).toBe(101);
  const after = sandboxWith({ kind: 'drop_after' });
  expect(raw(after).fault).toEqual({ kind: 'drop' });
  expect(info(after).biz['balance']).toBe(102);
});

test('N11: a request that waits in the network is processed when it gets through', () => {
  const sandbox = sandboxWith({ kind: 'hold', ms: 9_000 });
  const { fault } = raw(sandbox);
  sandbox.clock.advance(10_000);
  const reply = fault?.kind === 'hold' ? fault.resume() : undefined;
  expect(reply?.body).toContain('"code":"000000"');
  const late = sandboxWith({ kind: 'hold', ms: 11_000 });
  const held = raw(late).fault;
  late.clock.advance(11_000);
  expect(held?.kind === 'hold' ? held.resume().body : '').toContain('reqTime');
});

test('N12: delivered twice, the second answer says duplicate and the first one worked', () => {
  const sandbox = sandboxWith({ kind: 'twice' });
  expect(info(sandbox).envelope['msg']).toContain('duplicate');
  expect(info(sandbox).biz['balance']).toBe(102);
  expect(info(sandboxWith({ kind: 'twice', answer: 'first' })).ok).toBe(true);
});

test.each([
  [{ kind: 'http_status' }, 500, 'application/json; charset=utf-8', '{"status":500'],
  [{ kind: 'http_status', status: 502, content: 'html' }, 502, 'text/html', '<html>'],
  [{ kind: 'http_status', status: 503, content: 'empty' }, 503, 'application/json; charset=utf-8', ''],
  [
    { kind: 'http_status', status: 500, content: 'envelope' },
    500,
    'application/json; charset=utf-8',
    '{"code":"000000"',
  ],
] as const)('N6: %o', (fault, status, contentType, begin) => {
  const reply = raw(sandboxWith(fault));
  expect([reply.status, reply.headers['content-type']]).toEqual([status, contentType]);
  expect(reply.body.startsWith(begin)).toBe(true);
});

test('N6: 429 with Retry-After, and nothing processed where that is asked for', () => {
  const sandbox = sandboxWith({ kind: 'http_status', status: 429, retryAfter: '3', processed: false });
  expect(raw(sandbox)).toMatchObject({ status: 429, headers: { 'retry-after': '3' } });
  expect(info(sandbox).biz['balance']).toBe(101);
});

test('N13: a redirect', () => {
  const reply = raw(sandboxWith({ kind: 'redirect', to: 'http://127.0.0.1:1/elsewhere' }));
  expect([reply.status, reply.headers['location']]).toEqual([307, 'http://127.0.0.1:1/elsewhere']);
});

test.each([
  ['html', 'text/html', /^<html>/],
  ['text', 'application/json; charset=utf-8', /^Internal/],
  ['empty', 'application/json; charset=utf-8', /^$/],
  ['null', 'application/json; charset=utf-8', /^null$/],
  ['array', 'application/json; charset=utf-8', /^\[\{"code"/],
  ['number', 'application/json; charset=utf-8', /^1e3$/],
  ['deep', 'application/json; charset=utf-8', /\[{100000}\]{100000}/],
  ['truncated', 'application/json; charset=utf-8', /^\{"code":"000000"[^}]*$/],
] as const)('N7: status 200 with a body that is no envelope: %s', (content, contentType, form) => {
  const reply = raw(sandboxWith({ kind: 'body', content }));
  expect([reply.status, reply.headers['content-type']]).toEqual([200, contentType]);
  expect(reply.body).toMatch(form);
});

test('CTL: the log has every request with its raw body, its code and its faults', () => {
  const sandbox = sandboxWith({ kind: 'drop_before', skip: 1 });
  const first = info(sandbox);
  raw(sandbox);
  const [one, two] = sandbox.requests();
  expect(one).toMatchObject({
    no: 1,
    path: `${PREFIX}/acct/queryInfo`,
    code: first.envelope['code'],
    faults: [],
  });
  expect(JSON.parse(one?.body ?? '')).toMatchObject({ apiKey: 'ak_sandbox_main', signType: 'MD5' });
  expect(two).toMatchObject({ no: 2, code: undefined, faults: ['drop_before'] });
  expect(sandbox.requests(1)).toHaveLength(1);
});
