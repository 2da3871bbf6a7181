/** Transfers whose automatic withdrawal has failed, and calls that retry it. */
import type { Sandbox } from '../../../src/sandbox/server/sandbox.ts';
import type { TransferSeed } from '../../../src/sandbox/orders/order-schema.ts';
import type { SwitchesPatch } from '../../../src/sandbox/control/switches.ts';
import type { Answered, Members } from '../caller.ts';
import { call, money, theOrder } from './orders-caller.ts';
import { seedOne, three } from '../three-accounts.ts';

type SettleSeed = NonNullable<TransferSeed['orders'][number]['settle']>;
export type Retries = NonNullable<SettleSeed['retries']>;

/** O-1 of 10,000 from P to Q, whose settlement has failed: P 90,000, Q 15,000, X 5,000. */
export function failed(switches: SwitchesPatch = {}, retries: Retries = [], over: Partial<SettleSeed> = {}) {
  const sandbox = three(switches, true);
  seedOne(sandbox, { settle: { state: 'FAIL', remark: '账户已注销', retries, ...over } });
  return sandbox;
}

export const RETRY = { outOrderNo: 'O-1', remark: 'recon retry 1' };

export function retry(sandbox: Sandbox, over: Members = {}, envelope: Members = {}): Answered {
  return call(sandbox, 'order/settle', { ...RETRY, ...over }, envelope);
}

/** `[settleState, settleRemark]` of O-1 as the query shows it. */
export function settledAs(sandbox: Sandbox): [unknown, unknown] {
  const { settleState, settleRemark } = theOrder(sandbox, 'B-1');
  return [settleState, settleRemark];
}

/** What is seen after each wait: settleState and the money of Q. */
export function seenAfter(sandbox: Sandbox, waitsMs: readonly number[]): unknown {
  return waitsMs.map((ms) => {
    sandbox.clock.advance(ms);
    return [settledAs(sandbox)[0], money(sandbox, 'Q')];
  });
}

/** `instant of the payout after noon in ms, amount, instant of the return` of every payout. */
export function payouts(sandbox: Sandbox): [number, bigint, number | undefined][] {
  const sinceNoon = (ms: number): number => ms - Date.parse('2026-03-01T04:00:00.000Z');
  return sandbox
    .payouts()
    .map(({ atMs, amountFen, returnedAtMs }) => [
      sinceNoon(atMs),
      amountFen,
      returnedAtMs === undefined ? undefined : sinceNoon(returnedAtMs),
    ]);
}
