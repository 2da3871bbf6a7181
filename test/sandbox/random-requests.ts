/** Random requests of all 17 endpoints, right ones and ones that are corrupt in every layer of the document. */

import type { Sandbox } from '../../src/sandbox/server/sandbox.ts';
import type { SandboxRequest } from '../../src/sandbox/protocol/exchange.ts';
import { md5Signed, members, PATHS, PREFIX } from './caller.ts';
import type { Members } from './caller.ts';
import { ACCOUNTS, newest, orderToRefund, validBiz } from './random-business.ts';
import type { Choices } from './random-business.ts';
import { reqTimeOf } from './state/state-twins.ts';
import { fc } from '../helpers/properties.ts';

export const choices: fc.Arbitrary<Choices> = fc.record({
  endpoint: fc.constantFrom(...PATHS),
  no: fc.nat(3),
  other: fc.nat(3),
  account: fc.constantFrom(...ACCOUNTS),
  amount: fc.integer({ min: 1, max: 40_000 }),
  flag: fc.boolean(),
});

const GIANT = '长'.repeat(20_000);
const DEEP = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
const odd = fc.constantFrom<unknown>(
  null,
  '',
  ' ',
  0,
  -1,
  1.5,
  1e15,
  1e300,
  '007',
  true,
  [],
  {},
  [[]],
  '{}',
  '"',
  'null',
  '\ud800',
  'a\u0000b',
  '\u202e\ufeff',
  '长'.repeat(40),
  GIANT,
  'x'.repeat(33),
  'O-0,O-1,O-0',
  '2026-02-30',
  '9'.repeat(30),
);

export type Spoiling =
  /** A member of the business data, by its place: left out, replaced, swapped with the next, retyped, cut in half. */
  | { kind: 'drop' | 'swap' | 'retype' | 'halve'; at: number }
  | { kind: 'set'; at: number; value: unknown }
  /** Texts that no serializer writes: put in front of the members. */
  | { kind: 'raw'; text: string }
  | { kind: 'bizData'; text: string }
  | { kind: 'envelope'; name: string; value: unknown }
  | { kind: 'unsigned'; name: string; value: unknown }
  | { kind: 'secret' }
  | { kind: 'body'; text: string }
  | { kind: 'transport'; over: Partial<SandboxRequest> };

const at = fc.nat(40);

const inMembers: fc.Arbitrary<Spoiling> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('drop' as const, 'swap' as const, 'retype' as const, 'halve' as const),
    at,
  }),
  fc.record({ kind: fc.constant('set' as const), at, value: odd }),
  fc.constantFrom<Spoiling>(
    { kind: 'raw', text: '"__proto__":{"accountNo":"P"},' },
    { kind: 'raw', text: '"constructor":{"prototype":{"x":1}},"toString":"x","hasOwnProperty":0,' },
    { kind: 'raw', text: '"accountNo":"P","accountNo":["P"],' },
    { kind: 'raw', text: `"remark":${DEEP},"extParam":${DEEP},` },
    { kind: 'raw', text: '"amount":1e400,"num":-0,' },
  ),
);
const inEnvelope: fc.Arbitrary<Spoiling> = fc.oneof(
  fc
    .constantFrom('', '{', '[]', 'null', '"x"', '1', DEEP, '{"a":1}{', '\ufeff{}')
    .map((text): Spoiling => ({ kind: 'bizData', text })),
  fc.record({
    kind: fc.constantFrom('envelope' as const, 'unsigned' as const),
    name: fc.constantFrom(
      'reqId',
      'reqTime',
      'version',
      'signType',
      'bizData',
      'apiKey',
      'appId',
      'sign',
      '__proto__',
    ),
    value: fc.oneof(
      odd,
      fc.constantFrom<unknown>('20260301115949', '20260301120011', 'RSA2', 'app_sandbox_main'),
    ),
  }),
  fc.constant<Spoiling>({ kind: 'secret' }),
  fc
    .constantFrom('', '{', '[]', 'null', '"x"', DEEP, `"${GIANT}"`, '{"sign":1}', '{"apiKey":{},"sign":"x"}')
    .map((text): Spoiling => ({ kind: 'body', text })),
  fc
    .constantFrom<Partial<SandboxRequest>>(
      { method: 'GET' },
      { method: 'PUT' },
      { path: `${PREFIX}/acct/queryInfo/` },
      { path: `${PREFIX}/__proto__` },
      { path: `${PREFIX}//division/pay` },
      { path: '/control/reset' },
      { path: '' },
      { contentType: 'text/plain' },
      { contentType: 'application/json; charset=gbk' },
      { contentType: '' },
    )
    .map((over): Spoiling => ({ kind: 'transport', over })),
);
/** Two requests in five are as they should be. */
export const spoiling: fc.Arbitrary<Spoiling | undefined> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  { weight: 4, arbitrary: inMembers },
  { weight: 2, arbitrary: inEnvelope },
);

/** What a phone has to show before some calls can be right. */
const SCENES: Readonly<Record<string, string>> = {
  'acct/auditApply': 'OPEN',
  'acct/changeConfirm': 'MODIFY',
  'division/refund': 'REFUND',
};

/** The request for the code that the one that was chosen will need, if any. */
export function codeRequestFor(sandbox: Sandbox, chosen: Choices): SandboxRequest | undefined {
  const sceneType = SCENES[chosen.endpoint];
  if (sceneType === undefined || !chosen.flag) return undefined;
  const reqNo =
    sceneType === 'REFUND'
      ? `RQ${String(orderToRefund(sandbox, chosen)['payeeAcctNo'])}`
      : newest(sandbox, sceneType === 'OPEN' ? 'openings' : 'changes', 'reqNo');
  return signed(sandbox, 'acct/sendMsg/SANDBOX', { reqNo, outReqNo: 'S', sceneType });
}

function signed(sandbox: Sandbox, endpoint: string, biz: Members): SandboxRequest {
  const body = JSON.stringify(md5Signed(members(biz, { reqTime: reqTimeOf(sandbox) })));
  return { method: 'POST', path: `${PREFIX}/${endpoint}`, contentType: 'application/json', body };
}

/** A signed request at the sandbox's time. */
export function requestOf(sandbox: Sandbox, chosen: Choices, corrupt: Spoiling | undefined): SandboxRequest {
  const biz = spoiltBiz(validBiz(sandbox, chosen), corrupt);
  const raw = corrupt?.kind === 'raw' ? `{${corrupt.text}${biz.slice(1)}` : biz;
  const bizData = corrupt?.kind === 'bizData' ? corrupt.text : raw;
  const over = corrupt?.kind === 'envelope' ? { [corrupt.name]: corrupt.value } : {};
  const secret = corrupt?.kind === 'secret' ? 'synthetic-wrong' : undefined;
  const signed = md5Signed(
    members(bizData, { apiKey: 'ak_sandbox_main', reqTime: reqTimeOf(sandbox), ...over }),
    secret,
  );
  if (corrupt?.kind === 'unsigned') signed[corrupt.name] = corrupt.value;
  return {
    method: 'POST',
    path: `${PREFIX}/${chosen.endpoint}`,
    contentType: 'application/json',
    body: corrupt?.kind === 'body' ? corrupt.text : JSON.stringify(signed),
    ...(corrupt?.kind === 'transport' ? corrupt.over : {}),
  };
}

function spoiltBiz(biz: Members, corrupt: Spoiling | undefined): string {
  const names = Object.keys(biz);
  if (!corrupt || !('at' in corrupt) || names.length === 0) return JSON.stringify(biz);
  const name = names[corrupt.at % names.length] ?? '';
  const next = names[(corrupt.at + 1) % names.length] ?? '';
  const value = biz[name];
  if (corrupt.kind === 'drop') delete biz[name];
  if (corrupt.kind === 'set') biz[name] = corrupt.value;
  if (corrupt.kind === 'swap') [biz[name], biz[next]] = [biz[next], value];
  if (corrupt.kind === 'retype') biz[name] = typeof value === 'string' ? Number(value) : String(value);
  if (corrupt.kind === 'halve') {
    const text = String(value);
    biz[name] = text.slice(0, text.length / 2);
  }
  return JSON.stringify(biz);
}
