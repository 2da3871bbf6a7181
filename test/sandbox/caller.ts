/**
 * A caller of the sandbox that knows the document and not the project: it signs by itself, so that the
 * sandbox and the tests do not share one mistake.
 */
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';

import type { SandboxReply } from '../../src/sandbox/protocol/exchange.ts';
import { createSandbox } from '../../src/sandbox/server/create-sandbox.ts';
import type { Sandbox } from '../../src/sandbox/server/sandbox.ts';
import type { SandboxOptions } from '../../src/sandbox/server/create-sandbox.ts';

export const PREFIX = '/api/open/virtualBank';
/** The 17 paths below the prefix. */
export const PATHS = [
  'acct/sendMsg/SANDBOX',
  'acct/addApply',
  'acct/auditApply',
  'acct/auditApplyResult',
  'acct/reviseApply',
  'acct/changeApply',
  'acct/changeConfirm',
  'acct/changeApplyResult',
  'acct/queryInfo',
  'division/pay',
  'division/query',
  'division/refund',
  'account/withdraw',
  'account/queryWithdraw',
  'query/deposit',
  'get/transFiles',
  'order/settle',
];

/** Noon of 1 March 2026 in the service's zone, and how reqTime writes it. */
export const NOON = '2026-03-01T04:00:00.000Z';
export const NOON_REQ_TIME = '20260301120000';

export const API_KEY = { apiKey: 'ak_sandbox_main' };
export const API_SECRET = 'synthetic-api-secret-main';
export const APP_ID = { appId: 'app_sandbox_main' };
export const APP_SECRET = 'synthetic-app-secret-main';

/** A sandbox whose clock stands at noon. */
export function sandboxAtNoon(options: SandboxOptions = {}): Sandbox {
  return createSandbox({ now: NOON, ...options });
}

let count = 0;

/** A number no call has used yet. */
export function newReqId(): string {
  return `r${String(++count).padStart(31, '0')}`;
}

export type Members = Record<string, unknown>;

/** The six members of a request before it is signed, with `over` in their place. */
export function members(biz: unknown, over: Members = {}): Members {
  return {
    ...('appId' in over || 'apiKey' in over || 'APIkey' in over ? {} : API_KEY),
    bizData: typeof biz === 'string' ? biz : JSON.stringify(biz),
    reqId: newReqId(),
    reqTime: NOON_REQ_TIME,
    signType: 'MD5',
    version: '1.0',
    ...over,
  };
}

const SIGNED = ['APIkey', 'apiKey', 'appId', 'bizData', 'reqId', 'reqTime', 'signType', 'version'];

export function textToSign(of: Members, names: readonly string[] = SIGNED): string {
  const pairs = names.toSorted().filter((name) => of[name] !== undefined && of[name] !== '');
  return pairs.map((name) => `${name}=${String(of[name])}`).join('&');
}

export function md5(text: string): string {
  return createHash('md5').update(text, 'utf8').digest('hex').toUpperCase();
}

/** The members with their MD5 signature. */
export function md5Signed(of: Members, secret = API_SECRET, secretName = 'appSecret'): Members {
  const last = secretName === '' ? secret : `${secretName}=${secret}`;
  return { ...of, sign: md5(`${textToSign(of)}&${last}`) };
}

export function rsaSigned(of: Members, privateKeyPem: string, suffix = ''): Members {
  const text = `${textToSign(of)}${suffix}`;
  return {
    ...of,
    sign: sign('sha256', Buffer.from(text), createPrivateKey(privateKeyPem)).toString('base64'),
  };
}

export function rsaVerifies(text: string, signature: string, publicKeyPem: string): boolean {
  return verify('sha256', Buffer.from(text), createPublicKey(publicKeyPem), Buffer.from(signature, 'base64'));
}

export interface Answered {
  status: number;
  text: string;
  envelope: Members;
  biz: Members;
  ok: boolean;
}

/** Sends a body as it is. */
export function send(sandbox: Sandbox, endpoint: string, body: unknown): Answered {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return answered(sandbox.answer({ ...POST, path: `${PREFIX}/${endpoint}`, body: text }));
}

const POST = { method: 'POST', contentType: 'application/json' };

export function answered(reply: SandboxReply): Answered {
  const envelope = JSON.parse(reply.body) as Members;
  const bizData = envelope['bizData'];
  const biz = typeof bizData === 'string' ? (JSON.parse(bizData) as Members) : {};
  return { status: reply.status, text: reply.body, envelope, biz, ok: envelope['code'] === '000000' };
}

/** A call in API Key mode with MD5. */
export function ask(sandbox: Sandbox, endpoint: string, biz: unknown, over: Members = {}): Answered {
  return send(sandbox, endpoint, md5Signed(members(biz, over)));
}

/** A month of one account's deposits, as a client asks for it. */
export function deposits(sandbox: Sandbox, over: Members = {}): Answered {
  return ask(sandbox, 'query/deposit', {
    startDate: '2026-03-01',
    endDate: '2026-03-31',
    payeeAcctNo: '100001',
    pageSize: 100,
    ...over,
  });
}

export function rows(page: Answered): Members[] {
  return page.biz['depositList'] as Members[];
}

export function orderNos(page: Answered): unknown[] {
  return rows(page).map((row) => row['orderNo']);
}

/** A refusal: an envelope with another code, a reason and no business data. */
export function isRefusal(page: Answered): boolean {
  const { code, msg, bizData } = page.envelope;
  return typeof code === 'string' && code !== '000000' && typeof msg === 'string' && msg !== '' && !bizData;
}
