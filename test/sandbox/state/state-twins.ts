/**
 * Two sandboxes that are asked the same: one that is never stopped, and one that is kept in a file and started
 * again every now and then. A clock that the test moves drives both.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';

import type { Clock } from '../../../src/core/ports.ts';
import { createSandbox } from '../../../src/sandbox/server/create-sandbox.ts';
import type { Sandbox } from '../../../src/sandbox/server/sandbox.ts';
import type { SandboxOptions } from '../../../src/sandbox/server/create-sandbox.ts';
import type { SandboxReply, SandboxRequest } from '../../../src/sandbox/protocol/exchange.ts';
import type { PushSender } from '../../../src/sandbox/world/pushes.ts';
import { openKeptSandbox } from '../../../src/sandbox/state/kept-sandbox.ts';
import type { KeptOptions, KeptSandbox } from '../../../src/sandbox/state/kept-sandbox.ts';
import { NOON, PREFIX, answered, md5Signed, members } from '../caller.ts';
import type { Answered, Members } from '../caller.ts';

/** A machine's clock that goes when it is told to. */
export class HandClock implements Clock {
  #ms = Date.parse(NOON);

  wall(): string {
    return new Date(this.#ms).toISOString();
  }

  monoMs(): number {
    return this.#ms;
  }

  sleep(): Promise<void> {
    return Promise.reject(new Error('nobody waits here'));
  }

  tick(ms: number): void {
    this.#ms += ms;
  }
}

export async function aFolder(): Promise<{ path: string } & AsyncDisposable> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'recon-state-'));
  return { path: folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

export type Steered = Pick<KeptSandbox['sandbox'], 'answer' | 'control' | 'clock'>;

export function control(
  of: Steered,
  method: string,
  at: string,
  given?: unknown,
): Members & { status: number } {
  const { status, body } = of.control({
    method,
    path: `/control${at}`,
    contentType: 'application/json',
    body: given === undefined ? '' : JSON.stringify(given),
  });
  return { status, ...(JSON.parse(body) as Members) };
}

/** The service's time as reqTime has it. */
export function reqTimeOf({ clock }: Steered): string {
  const local = new Date(clock.nowMs() + 8 * 3_600_000).toISOString();
  return local.slice(0, 19).replace(/[-T:]/g, '');
}

export function signedCall(of: Steered, endpoint: string, biz: unknown, over: Members = {}) {
  const body = JSON.stringify(md5Signed(members(biz, { reqTime: reqTimeOf(of), ...over })));
  return { method: 'POST', path: `${PREFIX}/${endpoint}`, contentType: 'application/json', body };
}

export function call(of: Steered, endpoint: string, biz: unknown, over: Members = {}): Answered {
  return answered(of.answer(signedCall(of, endpoint, biz, over)));
}

/** What the control surface shows of a state, but for the log of requests. */
const SHOWN = [
  '/clock',
  '/accounts',
  '/transfers',
  '/withdrawals',
  '/payouts',
  '/outcomes',
  '/sms',
  '/pushes',
  '/faults',
  '/switches',
  '/vouchers',
  '/openings',
  '/changes',
  '/decisions',
];

export function shown(of: Steered): unknown[] {
  return SHOWN.map((at) => control(of, 'GET', at));
}

export class Twins {
  readonly clock = new HandClock();
  readonly lasting: Sandbox;
  readonly #options: Omit<KeptOptions, 'clock'>;
  #kept: KeptSandbox | undefined;
  /** Of both, the requests that are held. */
  readonly #held: [() => SandboxReply, () => SandboxReply][] = [];

  constructor(file: string, options: Omit<SandboxOptions, 'clock'> = {}) {
    this.#options = { ...options, path: file };
    this.lasting = createSandbox({ ...options, clock: this.clock });
  }

  get kept(): KeptSandbox {
    if (!this.#kept) throw new Error('it is not started');
    return this.#kept;
  }

  /** It takes a second. Requests that are held belong to a process: they are carried out before it ends. */
  async restart(): Promise<void> {
    this.clock.tick(1_000);
    for (let open = this.#held.length; open > 0; open--) this.resume();
    this.stop();
    this.#kept = await openKeptSandbox({ ...this.#options, clock: this.clock });
  }

  stop(): void {
    this.#kept?.close();
    this.#kept = undefined;
  }

  /** Both answer it alike. */
  call(endpoint: string, biz: unknown, over: Members = {}): SandboxReply {
    return this.ask(signedCall(this.lasting, endpoint, biz, over));
  }

  ask(request: SandboxRequest): SandboxReply {
    return this.#alike(this.lasting.answer(request), this.kept.sandbox.answer(request));
  }

  control(method: string, at: string, given?: unknown): Members & { status: number } {
    const reply = control(this.lasting, method, at, given);
    expect(control(this.kept.sandbox, method, at, given)).toEqual(reply);
    return reply;
  }

  /** The request that has been held longest is carried out. */
  resume(): void {
    const [lasting, kept] = this.#held.shift() ?? [];
    if (lasting && kept) this.#alike(lasting(), kept());
  }

  async push(send: PushSender): Promise<void> {
    const count = await this.lasting.deliverPushes(send);
    expect(await this.kept.sandbox.deliverPushes(send)).toBe(count);
  }

  compare(): void {
    expect(shown(this.kept.sandbox)).toEqual(shown(this.lasting));
  }

  #alike(lasting: SandboxReply, kept: SandboxReply): SandboxReply {
    expect({ status: kept.status, headers: kept.headers, body: kept.body }).toEqual({
      status: lasting.status,
      headers: lasting.headers,
      body: lasting.body,
    });
    expect(kept.fault?.kind).toBe(lasting.fault?.kind);
    if (lasting.fault?.kind === 'hold' && kept.fault?.kind === 'hold') {
      this.#held.push([lasting.fault.resume, kept.fault.resume]);
    }
    return lasting;
  }
}
