/** Makes orders from what is asked and what is planned of them, and books what they move (U23, U35, U37). */
import type { Fen } from '../../core/fen.ts';
import type { Bookings } from '../world/bookings.ts';
import { patchesOf } from '../world/seed.ts';
import { timeMs } from '../world/seed-schema.ts';
import type { Account } from '../world/account.ts';
import type { World } from '../world/world.ts';
import { courseOf, lifeOf, orderMeaning, phasesOf, refundMeaning } from './life.ts';
import { addEffects, feeOf, realOf, refundLegs, transferLegs, withdrawalLegs } from './money.ts';
import type { Parties } from './money.ts';
import type { RefundOutcome, ShowingSeed, TransferOutcome, WithdrawalOutcome } from './order-schema.ts';
import type { Refund, Showing, TransferOrder, Withdrawal } from './order.ts';
import { planSettlement } from './settlement.ts';

const TRANSFER_SAYINGS = { underWay: 'PROCESSING', failed: '交易失败', returned: '已退回' };
const WITHDRAWAL_SAYINGS = { underWay: 'PROCESSING', failed: '提现失败', returned: '银行退票' };
const REFUND_SAYINGS = { underWay: 'WAIT_CONFIRM', failed: '退款失败', returned: '退款撤销' };

export type OrderAsked = Pick<
  TransferOrder,
  'outOrderNo' | 'orderNo' | 'body' | 'amountFen' | 'payeeAcctNo' | 'extParam'
>;

/**
 * A transfer order with its automatic withdrawal, if it gets one.
 * @throws WrongInput when a fee that is taken inside an amount is larger than it
 */
export function planTransfer(
  world: World,
  asked: OrderAsked,
  of: { outcome: TransferOutcome; startMs: number; payee: Account | undefined },
): TransferOrder {
  const { outcome, startMs } = of;
  const { transferFee, transferDelayMs } = world.switches;
  const fee = feeOf(outcome, transferFee, asked);
  const life = lifeOf(courseOf(outcome, { delayMs: transferDelayMs }), startMs, TRANSFER_SAYINGS);
  const order = { ...asked, ...fee, realFen: realOf(asked.amountFen, fee), life };
  const settles = outcome.settle === undefined ? of.payee?.autoSettle === true : outcome.settle !== null;
  return {
    ...order,
    settlements: settles
      ? planSettlement(world, order, { outcome: outcome.settle ?? {}, payee: of.payee })
      : [],
    retries: outcome.settle?.retries ?? [],
    refunds: [],
    showing: showingOf(world, outcome, startMs),
  };
}

/** A transfer order that could not be carried out: it fails at once, and nothing moves. */
export function failedTransfer(order: TransferOrder, atMs: number, note: string): TransferOrder {
  return { ...order, life: [{ atMs, state: 'FAIL', note }], settlements: [] };
}

export function planWithdrawal(
  world: World,
  asked: Pick<Withdrawal, 'merchant' | 'outOrderNo' | 'orderNo' | 'acctNo' | 'amountFen' | 'card'>,
  of: { outcome: WithdrawalOutcome; startMs: number },
): Withdrawal {
  const { outcome, startMs } = of;
  const { withdrawFee, withdrawDelayMs } = world.switches;
  const fee = feeOf(outcome, withdrawFee, asked);
  return {
    ...asked,
    ...fee,
    realFen: realOf(asked.amountFen, fee),
    submittedAtMs: startMs,
    life: lifeOf(courseOf(outcome, { delayMs: withdrawDelayMs }), startMs, WITHDRAWAL_SAYINGS),
    showing: showingOf(world, outcome, startMs),
  };
}

export function failedWithdrawal(withdrawal: Withdrawal, note: string): Withdrawal {
  return { ...withdrawal, life: [{ atMs: withdrawal.submittedAtMs, state: 'FAIL', note }] };
}

/** @param of.amountFen a part; undefined: the whole order, as the switch wants it (U36) */
export function planRefund(
  world: World,
  order: TransferOrder,
  of: { outcome: RefundOutcome; startMs: number; amountFen: Fen | undefined; reqId: string },
): Refund {
  const { outcome, startMs } = of;
  const { refundAmountRule, refundDelayMs } = world.switches;
  const wholeFen = refundAmountRule === 'amount' ? order.amountFen : order.realFen;
  const course = { ...outcome, state: outcome.state ?? 'REFUND', delayMs: outcome.delayMs ?? refundDelayMs };
  return {
    amountFen: of.amountFen ?? wholeFen,
    reqId: of.reqId,
    whole: of.amountFen === undefined,
    life: lifeOf(course, startMs, REFUND_SAYINGS),
  };
}

/** A refund that could not be carried out: nothing moves. */
export function failedRefund({ reqId }: Refund, atMs: number, note: string): Refund {
  return { amountFen: 0n, reqId, whole: false, life: [{ atMs, state: 'FAIL', note }] };
}

/** What a transfer order moves, without its settlement. */
export function bookTransfer(world: World, bookings: Bookings, order: TransferOrder, of: Parties): void {
  const { outOrderNo, amountFen, feeFen, feeType } = order;
  addEffects(bookings, {
    legs: transferLegs(world, { amountFen, feeFen, feeType, ...of }),
    phases: phasesOf(order.life, orderMeaning),
    reference: outOrderNo,
    model: world.switches.inflightModel,
  });
}

export function bookWithdrawal(
  world: World,
  bookings: Bookings,
  withdrawal: Withdrawal,
  account: Account,
): void {
  const { outOrderNo, amountFen, feeFen, feeType } = withdrawal;
  addEffects(bookings, {
    legs: withdrawalLegs(world, { amountFen, feeFen, feeType, account }),
    phases: phasesOf(withdrawal.life, orderMeaning),
    reference: outOrderNo,
    model: world.switches.inflightModel,
  });
}

export function bookRefund(
  world: World,
  bookings: Bookings,
  of: { order: TransferOrder; refund: Refund } & Parties,
): void {
  const { order, refund, payer, payee } = of;
  const { amountFen, whole, life } = refund;
  const { feeFen, feeType } = order;
  const isReturned = world.switches.refundFeeReturned && whole;
  const returnedFee = isReturned ? { feeFen, feeType, of: order.amountFen } : undefined;
  addEffects(bookings, {
    legs: refundLegs(world, { amountFen, payer, payee, returnedFee }),
    phases: phasesOf(life, refundMeaning),
    reference: order.outOrderNo,
    model: world.switches.inflightModel,
  });
}

/** Undefined where nothing but the truth is shown, from the beginning. */
export function showingOf(world: World, seed: ShowingSeed, startMs: number): Showing | undefined {
  const { visibleFrom, vanishesAt, listed, changes } = seed;
  if (visibleFrom === undefined && vanishesAt === undefined && !listed && !changes?.length) return undefined;
  return {
    visibleFromMs: visibleFrom === undefined ? startMs : timeMs(world.zone, visibleFrom),
    vanishesAtMs: vanishesAt === undefined ? Infinity : timeMs(world.zone, vanishesAt),
    patches: patchesOf(world, { listed, changes: changes ?? [] }),
  };
}
