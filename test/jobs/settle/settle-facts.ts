/** What the retry of settlements judges, one valid value a call, with what the test cares about. */
import type { SettleLook } from '../../../jobs/night/settle/settle-look.ts';
import type { PlanLine } from '../../../jobs/night/settle/settle-policy.ts';
import type { ListedOrder } from '../../../src/orders/orders.ts';
import type { OpenAttempt } from '../../../src/settlements/attempt-store.ts';
import type { FailedSettlement } from '../../../src/settlements/settle-order.ts';
import { batchAnswer, listed } from '../../helpers/company/order-answers.ts';

/** Noon of 2 March in UTC: when everything here happens. */
export const NOON = '2026-03-02T12:00:00.000Z';

export function aFailed(over: Partial<FailedSettlement> = {}): FailedSettlement {
  return {
    accountNo: 'P',
    outOrderNo: 'T1',
    orderNo: 'N-T1',
    outBatchNo: 'B1',
    batchNo: 'N-B1',
    payeeAccountNo: 'Q',
    amountFen: 9_970n,
    effectiveState: 'moved',
    settleRemark: '',
    refundFen: 0n,
    faults: [],
    payeeIsListed: true,
    hasNamesake: false,
    refundUnseen: undefined,
    attempts: 0,
    nextAttemptNo: 1,
    lastClosedAt: undefined,
    lastShownAt: undefined,
    hasOpenAttempt: false,
    isAskedFor: false,
    mayBeTakenTwice: false,
    ...over,
  };
}

export function aLine(over: Partial<PlanLine> = {}): PlanLine {
  return {
    accountNo: 'P',
    outOrderNo: 'T1',
    orderNo: 'N-T1',
    outBatchNo: 'B1',
    batchNo: 'N-B1',
    payeeAccountNo: 'Q',
    amountFen: 9_970n,
    attemptNo: 1,
    remark: 'recon retry 1',
    lastShownAt: undefined,
    ...over,
  };
}

/** An order of 100 yuan that was transferred, of which 99.70 could not be paid out. */
export function aListed(over: Partial<ListedOrder> = {}): ListedOrder {
  return {
    ...listed('SUCCESS', { outOrderNo: 'T1', payeeAccountNo: 'Q' }),
    amountFen: 10_000n,
    realFen: 9_970n,
    feeFen: 30n,
    feeType: 'ORDER',
    settleState: 'FAIL',
    settlement: 'failed',
    refundFen: 0n,
    ...over,
  };
}

/** A signed look at noon at an order that is stated as it was stored. */
export function aLook(over: Partial<SettleLook> & { listed?: Partial<ListedOrder> } = {}): SettleLook {
  const { listed: stated, ...look } = over;
  const { askedAt = NOON } = look;
  const order = aListed(stated);
  return {
    answer: batchAnswer(0, [order]),
    order,
    doubts: [...order.unreadable, ...order.remarks],
    stored: { records: new Map(), before: [], after: [] },
    signed: true,
    timestamp: NOON,
    timestampSigned: true,
    askedAt,
    askedMonoMs: 1_000_000,
    requestedAt: askedAt,
    heardAt: askedAt,
    kept: true,
    ...look,
  };
}

/** Sent at noon by this process, `me`; nobody knows what came of it. */
export function anOpen(over: Partial<OpenAttempt> = {}): OpenAttempt {
  return {
    ...aLine(),
    reqId: 'a'.repeat(32),
    runId: 'run-1',
    runner: 'me',
    plannedAt: NOON,
    state: 'UNKNOWN',
    sent: { reqTime: NOON, sentAt: NOON, sentMonoMs: 500_000 },
    answeredAt: NOON,
    feeFen: undefined,
    note: 'no answer',
    isClaimed: false,
    openSeenAt: undefined,
    failedSeenAt: undefined,
    openShownAt: undefined,
    movedShownAt: undefined,
    elseShownAt: undefined,
    unkeptAt: undefined,
    unfailedShownAt: undefined,
    oddShownAt: undefined,
    isFollowed: false,
    isBeside: false,
    besideEndedAt: undefined,
    ...over,
  };
}
