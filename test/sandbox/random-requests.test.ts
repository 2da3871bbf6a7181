/**
 * Ten thousand requests, right and corrupt, of all 17 endpoints: no answer is a failure of the sandbox, a refusal
 * changes nothing (ERR-06), money is neither made nor lost but by deposits, payouts and fees, and no account has
 * less than nothing at hand (ACC-09).
 */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';

import { CONTROL_ROUTES } from '../../src/sandbox/control/control-routes.ts';
import type { Sandbox } from '../../src/sandbox/server/sandbox.ts';
import type { SandboxRequest } from '../../src/sandbox/protocol/exchange.ts';
import { sandboxAtNoon } from './caller.ts';
import type { Members } from './caller.ts';
import { ACCOUNTS } from './random-business.ts';
import { choices, codeRequestFor, requestOf, spoiling } from './random-requests.ts';
import { control } from './state/state-twins.ts';
import { fc, runs } from '../helpers/properties.ts';

/** Each share has its seed and asks 2,000 requests: 40 worlds of 50. */
const SEEDS = [11, 22, 33, 44, 55];
/** One share is asked every time; with 5 here it is the whole ten thousand, which takes some ten seconds. */
const SHARES_ASKED = 1;
const WORLDS = 40;
const REQUESTS = 50;
const OPENING_FEN = 500_000;

const FEES = {
  transferFee: { feeType: 'ORDER', feeFen: 3 },
  withdrawFee: { feeType: 'ACCOUNT', feeFen: 2 },
  settleFee: { feeType: 'ORDER', feeFen: 1 },
  withdrawFeeBearer: 'self',
  refundFeeReturned: false,
} as const;

/** Begun anew for each world: what prints its vouchers is made once. */
function beginWorld(sandbox: Sandbox): void {
  sandbox.reset();
  sandbox.seedAccounts(
    ACCOUNTS.map((accountNo) => ({
      accountNo,
      role: accountNo === 'P' ? 'FQ' : 'JS',
      balanceFen: OPENING_FEN,
      autoSettle: accountNo === 'Q',
    })),
  );
  sandbox.planOutcomes([{ kind: 'transfer', payeeAcctNo: 'Q', times: 2, settle: { state: 'FAIL' } }]);
  const decision = { kind: 'opening', outReqNo: 'A-1', firstState: 7, result: 'rejectedByReview' };
  expect(control(sandbox, 'POST', '/decisions', { decisions: [decision] }).status).toBe(200);
}

/** All that the control surface shows but the log of requests: whatever a call leaves is there. */
const SHOWN = CONTROL_ROUTES.filter(({ method, path }) => method === 'GET' && path !== '/requests');

function digestOf(sandbox: Sandbox): string {
  const hash = createHash('sha256');
  for (const { path } of SHOWN) {
    hash.update(sandbox.control({ method: 'GET', path: `/control${path}`, contentType: '', body: '' }).body);
  }
  return hash.digest('hex');
}

/** Its state after its life so far: with these fees and no delays, SUCCESS has moved the money. */
function succeeded(orders: readonly Members[]): Members[] {
  return orders.filter(({ life }) => (life as Members[]).at(-1)?.['state'] === 'SUCCESS');
}

function sum(orders: readonly Members[], name: string): number {
  return orders.reduce((total, order) => total + Number(order[name]), 0);
}

const listed = (sandbox: Sandbox, kind: string): Members[] =>
  control(sandbox, 'GET', `/${kind}`)[kind] as Members[];

/** What has left the accounts: fees of transfers and withdrawals, and what banks were paid. */
function lostFen(sandbox: Sandbox): number {
  const orders = listed(sandbox, 'transfers').flatMap((batch) => batch['orders'] as Members[]);
  const settlements = orders.flatMap((order) => order['settlements'] as Members[]);
  // A refund gives back the order and not its fee.
  const transferred = orders.filter(({ life }) =>
    (life as Members[]).some(({ state }) => state === 'SUCCESS'),
  );
  const withdrawn = succeeded(listed(sandbox, 'withdrawals'));
  return (
    sum(transferred, 'feeFen') +
    sum(succeeded(settlements), 'amountFen') +
    sum(withdrawn, 'amountFen') +
    sum(withdrawn, 'feeFen')
  );
}

function requireSound(sandbox: Sandbox, depositedFen: number): void {
  const accounts = listed(sandbox, 'accounts');
  for (const { balanceFen, frozenFen } of accounts) {
    expect(Number(balanceFen) - Number(frozenFen)).toBeGreaterThanOrEqual(0);
    expect(Number(frozenFen)).toBeGreaterThanOrEqual(0);
  }
  expect(sum(accounts, 'balanceFen')).toBe(ACCOUNTS.length * OPENING_FEN + depositedFen - lostFen(sandbox));
}

/** Asks, and gives whether it was accepted. */
function ask(sandbox: Sandbox, request: SandboxRequest): boolean {
  const { status, headers, body } = sandbox.answer(request);
  expect([200, 404, 405, 415]).toContain(status);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  const envelope = JSON.parse(body) as Members;
  expect(envelope['code']).toMatch(/^\d{6}$/);
  expect(envelope['timestamp']).toMatch(/^\d{14}$/);
  expect(envelope['msg']).not.toBe('');
  return envelope['code'] === '000000';
}

const step = fc.record({
  chosen: choices,
  corrupt: spoiling,
  /** The same body once more; and what happens beside. */
  again: fc.nat(9).map((n) => n === 0),
  deposit: fc.nat(19).map((n) => n === 0),
  advanceMs: fc.constantFrom(0, 0, 0, 1_000, 61_000, 3_600_000),
});

test.each(SEEDS.slice(0, SHARES_ASKED))(
  'ERR-06, ENV-16, ENV-24, ACC-09: 2,000 random requests fail nowhere, leave no trace when refused and no fen astray (seed %i)',
  (seed) => {
    const sandbox = sandboxAtNoon({ switches: FEES });
    fc.assert(
      fc.property(fc.array(step, { minLength: REQUESTS, maxLength: REQUESTS }), (steps) => {
        beginWorld(sandbox);
        let depositedFen = 0;
        let digest = digestOf(sandbox);
        for (const { chosen, corrupt, again, deposit, advanceMs } of steps) {
          sandbox.clock.advance(advanceMs);
          if (deposit) {
            const payeeAcctNo = chosen.account;
            sandbox.seedDeposits([
              { payeeAcctNo, amountFen: chosen.amount, depositTime: '2026-02-28 10:00:00' },
            ]);
            depositedFen += chosen.amount;
          }
          const codeRequest = codeRequestFor(sandbox, chosen);
          if (codeRequest) ask(sandbox, codeRequest);
          if (deposit || codeRequest || advanceMs > 0) digest = digestOf(sandbox);
          const request = requestOf(sandbox, chosen, corrupt);
          const isAccepted = ask(sandbox, request);
          const after = digestOf(sandbox);
          if (isAccepted) requireSound(sandbox, depositedFen);
          else expect(after, `${request.path} was refused and left a trace`).toBe(digest);
          digest = after;
          if (!again || !isAccepted) continue;
          expect(ask(sandbox, request)).toBe(false);
          expect(digestOf(sandbox)).toBe(digest);
        }
        requireSound(sandbox, depositedFen);
      }),
      { seed, numRuns: runs(WORLDS) },
    );
  },
);
