/**
 * One who calls the service and knows nothing but its document: it makes envelopes, signs them by itself and
 * says whether an answer is a success or a refusal as the document has it.
 */
import assert from 'node:assert/strict';

import { md5, md5Signed, newReqId, PREFIX } from '../sandbox/caller.ts';
import type { Members } from '../sandbox/caller.ts';
import type { Wire } from './wire.ts';

export type { Members } from '../sandbox/caller.ts';

export interface CallerCredential {
  /** The member that carries it, `apiKey` or `appId`. */
  field: string;
  id: string;
  secret: string;
  /** How the secret's pair is called; empty for the bare secret. */
  secretName: string;
}

export interface Answered {
  status: number;
  text: string;
  envelope: Members;
  /** Empty where there is none. */
  biz: Members;
}

export interface CallerOptions {
  wire: Wire;
  credential: CallerCredential;
  channelCode: string;
  nowMs: () => number;
  /** An account that the platform shows to this credential. */
  accountNo: string;
  /** A number no call has used yet. */
  newReqId?: () => string;
}

/** The service's zone is eight hours ahead. */
const ZONE_MS = 8 * 3_600_000;

export class Caller {
  readonly credential: CallerCredential;
  readonly channelCode: string;
  readonly wire: Wire;
  /** One that exists, so that a refusal is one of what is wrong in the request. */
  readonly accountNo: string;
  readonly #options: CallerOptions;

  constructor(options: CallerOptions) {
    this.#options = options;
    this.credential = options.credential;
    this.channelCode = options.channelCode;
    this.wire = options.wire;
    this.accountNo = options.accountNo;
  }

  /** A query without a fault, of acct/queryInfo. */
  get ask(): Members {
    return { accountNo: this.accountNo };
  }

  /** The service's time so many ms from now, as reqTime has it. */
  reqTime(afterMs = 0): string {
    const local = new Date(this.#options.nowMs() + ZONE_MS + afterMs).toISOString();
    return local.slice(0, 19).replace(/[-T:]/g, '');
  }

  /** The six members before they are signed; what is undefined in `over` is left out. */
  members(biz: unknown, over: Members = {}): Members {
    const credentialGiven = ['apiKey', 'appId', 'APIkey'].some((name) => name in over);
    const all: Members = {
      ...(credentialGiven ? {} : { [this.credential.field]: this.credential.id }),
      bizData: typeof biz === 'string' ? biz : JSON.stringify(biz),
      reqId: (this.#options.newReqId ?? newReqId)(),
      reqTime: this.reqTime(),
      signType: 'MD5',
      version: '1.0',
      ...over,
    };
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  }

  signed(members: Members): Members {
    return md5Signed(members, this.credential.secret, this.credential.secretName);
  }

  /** A signed call. */
  post(endpoint: string, biz: unknown, over: Members = {}): Promise<Answered> {
    return this.send(endpoint, this.signed(this.members(biz, over)));
  }

  /** An envelope as it is. */
  send(endpoint: string, envelope: Members): Promise<Answered> {
    return this.request({ path: `${PREFIX}/${endpoint}`, body: JSON.stringify(envelope) });
  }

  /** A request as it is; by default a POST of JSON. */
  async request(of: {
    method?: string;
    path: string;
    contentType?: string;
    body: string;
  }): Promise<Answered> {
    const { status, body } = await this.wire({ method: 'POST', contentType: 'application/json', ...of });
    return answeredBy(status, body);
  }

  /** A success: the code, a signature that is right where there is one, and bizData that holds an object. */
  async accepts(endpoint: string, biz: unknown, over: Members = {}): Promise<Answered> {
    const answered = await this.post(endpoint, biz, over);
    this.requireSuccess(answered);
    return answered;
  }

  /** The same of an answer that is here already. */
  requireSuccess({ envelope, text }: Answered): void {
    assert.equal(envelope['code'], '000000', `expected success, got ${text.slice(0, 300)}`);
    assert.equal(typeof envelope['bizData'], 'string', 'bizData is a string');
    if (envelope['sign'] === undefined || envelope['signType'] !== 'MD5') return;
    assert.equal(envelope['sign'], this.answerSign(envelope), 'the sign of the answer is right');
  }

  /** What an answer's sign must be: all members that are not empty, sorted, and the secret last (U4). */
  answerSign(envelope: Members): string {
    const { secret, secretName } = this.credential;
    const names = Object.keys(envelope).filter((name) => name !== 'sign' && envelope[name] !== '');
    const pairs = names.sort().map((name) => `${name}=${String(envelope[name])}`);
    return md5(`${pairs.join('&')}&${secretName === '' ? '' : `${secretName}=`}${secret}`);
  }

  async refuses(endpoint: string, biz: unknown, over: Members = {}): Promise<Answered> {
    return requireRefusal(await this.post(endpoint, biz, over));
  }

  /** The same of an envelope that was signed, or not, elsewhere. */
  async refusesSent(endpoint: string, envelope: Members): Promise<Answered> {
    return requireRefusal(await this.send(endpoint, envelope));
  }
}

/** REFUSE: another code, a reason, no business data (ERR-01). */
export function requireRefusal(answered: Answered): Answered {
  const { code, msg, bizData } = answered.envelope;
  assert.notEqual(code, '000000', `expected a refusal, got ${answered.text.slice(0, 300)}`);
  assert.equal(typeof code, 'string', 'the code of a refusal is text');
  assert.ok(typeof msg === 'string' && msg !== '', 'a refusal has a reason');
  assert.ok(bizData === undefined || bizData === '', 'a refusal has no bizData');
  return answered;
}

/** No success: an envelope with another code, or none and a status that says it is the caller's fault. */
export function requireNotTaken({ status, envelope, text }: Answered): void {
  const { code } = envelope;
  const said = `HTTP ${status}: ${text.slice(0, 300)}`;
  if (code === undefined) assert.ok(status >= 400 && status < 500, `neither an envelope nor a 4xx: ${said}`);
  else assert.ok(typeof code === 'string' && code !== '000000', `expected a refusal, got ${said}`);
}

function answeredBy(status: number, text: string): Answered {
  const envelope = objectIn(text);
  const { bizData } = envelope;
  return { status, text, envelope, biz: typeof bizData === 'string' ? objectIn(bizData) : {} };
}

function objectIn(text: string): Members {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Members) : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
