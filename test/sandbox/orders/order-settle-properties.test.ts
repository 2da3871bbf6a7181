/** Random retries in random worlds: the accounts lose what banks were paid and fees, and not one fen else. */
import { expect, test } from 'vitest';

import type { Sandbox } from '../../../src/sandbox/server/sandbox.ts';
import type { SwitchesPatch } from '../../../src/sandbox/control/switches.ts';
import { expectRefused, money, theOrder } from './orders-caller.ts';
import { failed, retry } from './settle-caller.ts';
import type { Retries } from './settle-caller.ts';
import { fc, runs } from '../../helpers/properties.ts';

const BEFORE_FEN = 90_000 + 65_000 + 5_000;

const switches: fc.Arbitrary<SwitchesPatch> = fc.record({
  inflightModel: fc.constantFrom('frozen' as const, 'debited' as const),
  settleFeeBearer: fc.constantFrom('payer', 'payee', 'self', 'external', 'acct:X'),
  settleFee: fc.record({
    feeType: fc.constantFrom('ORDER' as const, 'ACCOUNT' as const),
    feeFen: fc.nat(60),
  }),
  settleGuard: fc.boolean(),
  settleQueueMs: fc.constantFrom(0, 0, 7_000),
  settleRetryDelayMs: fc.constantFrom(0, 3_000),
  shortBalance: fc.constantFrom('refuse' as const, 'fail' as const),
});

const script: fc.Arbitrary<Retries> = fc.array(
  fc.oneof(
    fc.record(
      { state: fc.constantFrom('SUCCESS', 'FAIL'), delayMs: fc.nat(5_000), feeFen: fc.nat(60) },
      { requiredKeys: [] },
    ),
    fc.record({ delayMs: fc.nat(5_000), returnAfterMs: fc.nat(9_000) }),
  ),
  { maxLength: 5 },
);

const act = fc.record({
  waitMs: fc.constantFrom(0, 0, 1_000, 4_000, 20_000),
  remark: fc.constantFrom('再次提现', 'x!', '!'),
});

interface Try {
  feeFen: number;
  feeType: string;
}

function tries(sandbox: Sandbox): Map<string, Try> {
  const reply = sandbox.control({ method: 'GET', path: '/control/transfers', contentType: '', body: '' });
  const { transfers } = JSON.parse(reply.body) as {
    transfers: { orders: { settlements: (Try & { reqId: string })[] }[] }[];
  };
  const all = transfers.flatMap(({ orders }) => orders.flatMap(({ settlements }) => settlements));
  return new Map(all.map((settlement) => [settlement.reqId, settlement]));
}

/** What the accounts have lost to banks and for fees by now. */
function lostFen(sandbox: Sandbox): number {
  const of = tries(sandbox);
  const nowMs = sandbox.clock.nowMs();
  const isBorne = sandbox.switches().settleFeeBearer !== 'external';
  let lost = 0;
  for (const { reqId, atMs, amountFen, returnedAtMs } of sandbox.payouts()) {
    if (atMs > nowMs || (returnedAtMs ?? Infinity) <= nowMs) continue;
    const { feeFen, feeType } = of.get(reqId) ?? { feeFen: NaN, feeType: '' };
    lost += Number(amountFen) + (feeType === 'ACCOUNT' && isBorne ? feeFen : 0);
  }
  return lost;
}

const sumOf = (sandbox: Sandbox): number =>
  ['P', 'Q', 'X'].map((no) => money(sandbox, no)[0]).reduce((sum, fen) => sum + fen, 0);

function rich(patch: SwitchesPatch, retries: Retries): Sandbox {
  const sandbox = failed(patch, retries);
  sandbox.seedMovements([{ kind: 'adjustment', accountNo: 'Q', amountFen: 50_000 }]);
  return sandbox;
}

test('STL-09, ERR-06: random retries change the sum of balances by payouts and fees alone', () => {
  fc.assert(
    fc.property(switches, script, fc.array(act, { maxLength: 10 }), (patch, retries, acts) => {
      const sandbox = rich(patch, retries);
      const isFrozen = patch.inflightModel === 'frozen';
      for (const { waitMs, remark } of acts) {
        sandbox.clock.advance(waitMs);
        if (remark === '!') expectRefused(sandbox, () => retry(sandbox, { remark }));
        else retry(sandbox, { remark });
        if (isFrozen) expect(sumOf(sandbox)).toBe(BEFORE_FEN - lostFen(sandbox));
      }
      sandbox.clock.advance(86_400_000);
      expect(sumOf(sandbox)).toBe(BEFORE_FEN - lostFen(sandbox));
      expect(money(sandbox, 'Q')[1]).toBe(0);
    }),
    { numRuns: runs(200) },
  );
});

test('STL-07, STL-09: with the guard no two payouts of one order are out at once, and the query says the truth', () => {
  fc.assert(
    fc.property(switches, script, fc.array(act, { maxLength: 10 }), (patch, retries, acts) => {
      const sandbox = rich({ ...patch, settleGuard: true }, retries);
      for (const { waitMs } of acts) {
        sandbox.clock.advance(waitMs);
        retry(sandbox);
        const nowMs = sandbox.clock.nowMs();
        const out = sandbox
          .payouts()
          .filter(({ atMs, returnedAtMs = Infinity }) => atMs <= nowMs && nowMs < returnedAtMs);
        expect(out.length).toBe(theOrder(sandbox, 'B-1')['settleState'] === 'SUCCESS' ? 1 : 0);
      }
      const payouts = sandbox.payouts();
      for (const [place, { atMs }] of payouts.entries()) {
        expect(payouts[place - 1]?.returnedAtMs ?? (place === 0 ? -Infinity : Infinity)).toBeLessThanOrEqual(
          atMs,
        );
      }
    }),
    { numRuns: runs(200) },
  );
});
