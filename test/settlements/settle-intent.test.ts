/** What speaks against storing an attempt, by what is known within its transaction (docs/reliability.md 2.3 b). */
import { expect, test } from 'vitest';
import { refusalOf } from '../../src/settlements/settle-intent.ts';
import type { FailedSettlement, PlannedAttempt } from '../../src/settlements/settle-order.ts';
import { aFailed } from '../jobs/settle/settle-facts.ts';

const ORDER = aFailed({ lastShownAt: '2026-03-01T04:00:00.000Z' });
const PLANNED: PlannedAttempt = {
  accountNo: 'P',
  outOrderNo: 'T1',
  orderNo: 'N-T1',
  payeeAccountNo: 'Q',
  amountFen: 9_970n,
  attemptNo: 1,
  remark: 'again',
  reqId: 'r1',
  runId: 'run-1',
  runner: 'one',
  plannedAt: '2026-03-02T04:00:00.000Z',
};
const USED = { attempts: 0, sumFen: 0n };

function against(order: Partial<FailedSettlement> | undefined, used = USED) {
  return refusalOf({ order: order && { ...ORDER, ...order }, used, holdUntil: undefined }, PLANNED, {
    isFresh: () => true,
    lastShownAt: ORDER.lastShownAt,
    limits: { day: { from: '', to: '' }, maxPerRun: 2, maxFenPerRun: 10_000n, maxAttempts: 3 },
    server: 's',
    refusal: () => undefined,
  });
}

test('nothing speaks against what is as it was planned', () => {
  expect(against({})).toBeUndefined();
});

test.each<[string, Partial<FailedSettlement>]>([
  ['was shown otherwise since', { lastShownAt: '2026-03-01T05:00:00.000Z' }],
  ['is not moved', { effectiveState: 'open' }],
  ['is refunded', { refundFen: 1n }],
  ['is named in a refund by hand that may be dated before what was shown', { refundUnseen: 'RQ1' }],
  ['contradicts itself', { faults: ['record_changed'] }],
  ['has a namesake', { hasNamesake: true }],
  ['has a payee that is not listed', { payeeIsListed: false }],
  ['has another number', { orderNo: 'N-T2' }],
  ['has another payee', { payeeAccountNo: 'R' }],
  ['has another amount', { amountFen: 9_971n }],
])('an order is not settled that by now %s', (_what, order) => {
  expect(against(order)).toBe('shown');
});

test('an order is not settled that is failed no more, was taken by another attempt, or has used up a limit', () => {
  expect(against(undefined)).toBe('shown');
  expect([against({ hasOpenAttempt: true }), against({ nextAttemptNo: 2 })]).toEqual(['taken', 'taken']);
  expect([
    against({ attempts: 3 }),
    against({}, { attempts: 2, sumFen: 0n }),
    against({}, { attempts: 0, sumFen: 31n }),
    against({}, { attempts: 1, sumFen: 30n }),
  ]).toEqual(['capped', 'capped', 'capped', undefined]);
});
