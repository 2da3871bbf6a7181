/** A folder with a state file, a clock and the sandboxes that were started on it, anew for each test. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';

import { openKeptSandbox } from '../../../src/sandbox/state/kept-sandbox.ts';
import type { KeptOptions, KeptSandbox } from '../../../src/sandbox/state/kept-sandbox.ts';
import { aFolder, call, control, HandClock } from './state-twins.ts';

export interface Place {
  folder: string;
  file: string;
  clock: HandClock;
}

/** Of the running test. */
export const place: Place = { folder: '', file: '', clock: new HandClock() };
const running: KeptSandbox[] = [];

/** For each test of the file that calls it. */
export function inAPlace(): void {
  let folder: Awaited<ReturnType<typeof aFolder>>;
  beforeEach(async () => {
    folder = await aFolder();
    Object.assign(place, {
      folder: folder.path,
      file: path.join(folder.path, 'state.jsonl'),
      clock: new HandClock(),
    });
  });
  afterEach(async () => {
    for (const kept of running.splice(0)) kept.close();
    await folder[Symbol.asyncDispose]();
  });
}

export async function start(over: Partial<KeptOptions> = {}): Promise<KeptSandbox> {
  const kept = await openKeptSandbox({ path: place.file, clock: place.clock, ...over });
  running.push(kept);
  return kept;
}

export function stop(kept: KeptSandbox): void {
  running.splice(running.indexOf(kept), 1);
  kept.close();
}

export const ACCOUNTS = {
  accounts: [{ accountNo: 'P', role: 'FQ', balanceFen: 100_000 }, { accountNo: 'Q' }],
};

/** With two accounts, P of 100,000 fen. */
export async function startWithAccounts(over: Partial<KeptOptions> = {}): Promise<KeptSandbox> {
  const kept = await start(over);
  expect(control(kept.sandbox, 'POST', '/accounts', ACCOUNTS).status).toBe(200);
  return kept;
}

export function withdraw(kept: KeptSandbox, outOrderNo: string) {
  return call(kept.sandbox, 'account/withdraw', { outOrderNo, acctNo: 'P', amount: 1_000 });
}

export function pay(kept: KeptSandbox, over: object = {}) {
  const orderList = JSON.stringify([{ outOrderNo: 'O-1', body: 'x', amount: '500', payeeAcctNo: 'Q' }]);
  const batch = {
    outBatchNo: 'B-1',
    payerAcctNo: 'P',
    num: 1,
    amount: 500,
    currency: 'CNY',
    clientIp: '10.0.0.1',
  };
  return call(kept.sandbox, 'division/pay', { ...batch, orderList, ...over });
}

export const linesOf = async (): Promise<string[]> =>
  (await readFile(place.file, 'utf8')).split('\n').slice(0, -1);
