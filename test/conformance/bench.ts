/**
 * A caller with a sandbox of its own: seeded accounts, the control surface, a clock that stands until it is
 * moved, and a listener for pushes. Everything is asked and seen from outside.
 */
import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

import type { ClientRsaKeys } from '../../src/sandbox/protocol/sandbox-keys.ts';
import { API_KEY, API_SECRET } from '../sandbox/caller.ts';
import { Caller, requireRefusal } from './caller.ts';
import type { Answered, CallerCredential, Members } from './caller.ts';
import type { Target } from './wire.ts';

/** A payer, two payees, one that settles automatically, a closed account, and one of another company. */
export const PAYER = '100001';
export const PAYEE = '200001';
export const PAYEE_2 = '200002';
export const AUTO = '200003';
export const CLOSED = '300001';
export const FOREIGN = '900001';
/** What the payer, the closed and the foreign account hold at first, in fen; the others hold nothing. */
export const PAYER_FEN = 10_000_000;

export const MAIN: CallerCredential = {
  field: 'apiKey',
  id: API_KEY.apiKey,
  secret: API_SECRET,
  secretName: 'appSecret',
};
export const OTHER: CallerCredential = {
  field: 'apiKey',
  id: 'ak_sandbox_other',
  secret: 'synthetic-api-secret-other',
  secretName: 'appSecret',
};
export const APP: CallerCredential = {
  field: 'appId',
  id: 'app_sandbox_main',
  secret: 'synthetic-app-secret-main',
  secretName: 'appSecret',
};

const card = (bankAccountNo: string, over: Members = {}): Members => ({
  bankAccountNo,
  bankAccountName: '收付公司',
  mobile: '13812345678',
  ...over,
});

export const BOUND_CARD = '6222000000000001';
export const CARD_OUT = '6222000000000002';
export const CARD_IN = '6222000000000003';
export const SETTLE_CARD = '6222000000000004';

const ACCOUNTS: readonly Members[] = [
  {
    accountNo: PAYER,
    role: 'FQ',
    balanceFen: PAYER_FEN,
    name: '付款公司',
    bindCard: card(BOUND_CARD),
    whiteCards: [card(CARD_OUT), card(CARD_IN, { whiteType: 'IN' })],
  },
  { accountNo: PAYEE, name: '收款公司', bindCard: card('6222000000000011', { accountType: 'P' }) },
  { accountNo: PAYEE_2, name: '另一收款公司' },
  { accountNo: AUTO, name: '自动提现公司', autoSettle: true, settleCards: [card(SETTLE_CARD)] },
  { accountNo: CLOSED, name: '已销户公司', state: '0', role: 'FQ', balanceFen: PAYER_FEN },
  { accountNo: FOREIGN, name: '他家公司', merchant: 'other', role: 'FQ', balanceFen: PAYER_FEN },
];

/** What is looked at to tell whether a call left a trace (ERR-06); paths that are not there say so each time. */
const STATE = [
  '/accounts',
  '/transfers',
  '/withdrawals',
  '/sms',
  '/pushes',
  '/outcomes',
  '/openings',
  '/changes',
];

export interface Listener extends AsyncDisposable {
  url: string;
  readonly received: readonly Members[];
}

export class Bench extends Caller {
  readonly target: Target;
  #count = 0;

  constructor(target: Target, credential = MAIN) {
    const { sandbox, wire } = target;
    const nowMs = (): number => target.sandbox.clock.nowMs();
    super({ wire, credential, channelCode: sandbox.channelCode, nowMs, accountNo: PAYER });
    this.target = target;
  }

  /** The same world, seen by another. */
  as(credential: CallerCredential): Bench {
    return new Bench(this.target, credential);
  }

  async seedAccounts(): Promise<void> {
    await this.control('/accounts', { accounts: ACCOUNTS });
  }

  /** POST with a body, GET without. */
  async control(path: string, body?: Members): Promise<Members> {
    const reply = await this.target.wire({
      method: body === undefined ? 'GET' : 'POST',
      path: `/control${path}`,
      contentType: 'application/json',
      body: JSON.stringify(body ?? {}),
    });
    assert.equal(reply.status, 200, `${path}: ${reply.body}`);
    return JSON.parse(reply.body) as Members;
  }

  async advance(ms: number): Promise<void> {
    await this.control('/clock', { advanceMs: ms });
  }

  async switches(patch: Members): Promise<void> {
    await this.control('/switches', patch);
  }

  async plan(...outcomes: Members[]): Promise<void> {
    await this.control('/outcomes', { outcomes });
  }

  rsaKeys(): ClientRsaKeys {
    return this.target.sandbox.clientRsaKeys();
  }

  /** Everything the sandbox holds. */
  async everything(): Promise<readonly string[]> {
    const replies = STATE.map((path) =>
      this.target.wire({ method: 'GET', path: `/control${path}`, contentType: '', body: '' }),
    );
    return (await Promise.all(replies)).map(({ body }) => body);
  }

  /** A refusal that changes nothing. */
  override async refuses(endpoint: string, biz: unknown, over: Members = {}): Promise<Answered> {
    return await this.untouched(() => this.post(endpoint, biz, over));
  }

  override async refusesSent(endpoint: string, envelope: Members): Promise<Answered> {
    return await this.untouched(() => this.send(endpoint, envelope));
  }

  async untouched(act: () => Promise<Answered>): Promise<Answered> {
    const before = await this.everything();
    const answered = requireRefusal(await act());
    assert.deepEqual(await this.everything(), before, 'a refused call leaves no trace');
    return answered;
  }

  /** Each of these bodies is refused, and nothing changes; the text of a failure names the case. */
  async refusesEach(endpoint: string, cases: Readonly<Record<string, unknown>>): Promise<void> {
    for (const [name, biz] of Object.entries(cases)) {
      try {
        await this.refuses(endpoint, biz);
      } catch (error) {
        throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`, {
          cause: error,
        });
      }
    }
  }

  /** A number nothing has yet. */
  newNumber(prefix: string): string {
    return `${prefix}${++this.#count}`;
  }

  /** `[balance, frozen]`; available is always the rest and never negative (ACC-09). */
  async money(accountNo: string): Promise<[number, number]> {
    const { biz } = await this.accepts('acct/queryInfo', { accountNo });
    const [balance, frozen] = [Number(biz['balance']), Number(biz['frozen'])];
    assert.equal(biz['availableBalance'], balance - frozen, 'available = balance - frozen');
    assert.ok(balance - frozen >= 0, 'available is never negative');
    return [balance, frozen];
  }

  /** Asks for a code and reads it off the phone. */
  async smsCode(over: Members = {}): Promise<{ smsCode: string; smsFlowNo: string }> {
    const biz = { reqNo: `RQ${PAYEE}`, outReqNo: this.newNumber('S'), sceneType: 'REFUND', ...over };
    const { smsFlowNo } = (await this.accepts(`acct/sendMsg/${this.channelCode}`, biz)).biz;
    const codes = (await this.control('/sms'))['codes'] as Members[];
    const sent = codes.find((code) => code['smsFlowNo'] === smsFlowNo);
    return { smsCode: String(sent?.['smsCode']), smsFlowNo: String(smsFlowNo) };
  }

  /** Waits until what is due has been pushed and answered. */
  async pushesDone(): Promise<void> {
    const { sandbox } = this.target;
    if (this.target.url === '') await sandbox.deliverPushes(pushOverHttp);
    for (let look = 0; look < 200; look++) {
      await this.control('/clock');
      const dueMs = sandbox.nextPushMs();
      if (dueMs !== undefined && dueMs > sandbox.clock.nowMs()) return;
      if (dueMs === undefined && (await this.#allTried())) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    throw new Error('pushes that are due were not sent');
  }

  /** With nothing left to come, each push has been tried and the last try is over. */
  async #allTried(): Promise<boolean> {
    const pushes = (await this.control('/pushes'))['pushes'] as {
      acknowledged: boolean;
      attempts: unknown[];
    }[];
    const placesMax = this.target.sandbox.switches().pushSchedule.length;
    return pushes.every(({ acknowledged, attempts }) => acknowledged || attempts.length >= placesMax);
  }
}

async function pushOverHttp({
  url,
  body,
}: {
  url: string;
  body: string;
}): Promise<{ status: number; body: string }> {
  const reply = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return { status: reply.status, body: await reply.text() };
}

/** A receiver of pushes that answers 500 at first, so many times, and then `success`. */
export async function listener(failuresFirst = 0): Promise<Listener> {
  const received: Members[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push(JSON.parse(Buffer.concat(chunks).toString('utf8')) as Members);
      response.writeHead(received.length > failuresFirst ? 200 : 500);
      response.end(received.length > failuresFirst ? 'success' : 'later');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/notify`,
    received,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
