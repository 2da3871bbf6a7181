/**
 * From what the platform states of orders to what is stored, read by the profile: which words are final, what
 * moved money, what a settlement's word means, how a refund is known (U33, U34, U36, U60).
 */
import { createHash } from 'node:crypto';
import type { Fen } from '../../../src/core/fen.ts';
import type { Profile } from '../../../src/core/profile/profile.ts';
import {
  isPlainLabel,
  isRefundWord,
  REFUND_PART,
  REFUND_WAITS,
  REFUNDED,
  REFUNDING,
} from '../../../src/core/refund-words.ts';
import type {
  EndpointName,
  TransferBatch,
  TransferOrder,
  Withdrawal,
} from '../../../src/platform/contract.ts';
import type { Accepted } from '../../../src/platform/outcome.ts';
import { shownWord } from '../../../src/orders/order-changes-faults.ts';
import type { StateMeaning } from '../../../src/orders/order-observations.ts';
import type { BatchLook, ListedOrder, OrderAnswer, WithdrawalLook } from '../../../src/orders/orders.ts';
import type { SettlementState } from '../../../src/store/schema/schema.ts';

/** Documented words of orders that are under way (DIV-26, WDR-10). */
const UNDER_WAY: readonly string[] = ['INIT', 'PROCESSING'];

export function batchLook(batch: TransferBatch, profile: Profile): BatchLook {
  const orders = batch.orders.map((order) => listedOrder(order, profile));
  return {
    outBatchNo: batch.outBatchNo ?? '',
    batchNo: batch.batchNo ?? '',
    state: batch.state ?? '',
    extParam: batch.extParam ?? '',
    note: batch.note ?? '',
    orders: orders.map((order) => ({ ...order, refundWaits: refundWaits(order, orders, batch.state ?? '') })),
  };
}

type Listed = Omit<ListedOrder, 'refundWaits'>;

/**
 * Whether what is stated of a refund beyond what is confirmed waits. By the document only a batch says that one of its
 * orders waits for that (DIV-26): where none says so itself, each may be the one that has not said that it is refunded.
 * So may each of which a batch says that it was refunded, and that does not say so itself, or of which it says in any
 * other word that does not fit one that moved its money.
 */
function refundWaits(order: Listed, all: readonly Listed[], label: string): boolean {
  const { state } = order;
  if (state === REFUND_WAITS) return true;
  if (label === REFUND_WAITS) return state !== REFUNDED && !all.some((one) => one.state === REFUND_WAITS);
  if (label === REFUND_PART) return !all.some(tellsRefund);
  return !isPlainLabel(label) && !tellsRefund(order);
}

function tellsRefund({ state, refundFen }: Listed): boolean {
  return isRefundWord(state) || (refundFen ?? 0n) > 0n;
}

function listedOrder(order: TransferOrder, profile: Profile): Listed {
  const state = order.state ?? '';
  const settlement = settlementMeaning(order.settleState, profile);
  const meaning = hasArrived(state, settlement, profile) ? 'moved' : childMeaning(state, profile);
  const stated = {
    outOrderNo: order.outOrderNo ?? '',
    orderNo: order.orderNo ?? '',
    payerAccountNo: order.payerAcctNo ?? '',
    payeeAccountNo: order.payeeAcctNo ?? '',
    amountFen: order.amountFen ?? null,
    realFen: order.realFen ?? null,
    feeFen: order.feeFen ?? null,
    feeType: order.feeType ?? '',
    state,
    meaning,
    settleState: order.settleState ?? '',
    settlement,
    settleRemark: order.settleRemark ?? '',
    refundFen: refundedFen(order, profile),
    extParam: order.extParam ?? '',
    note: order.note ?? '',
    unreadable: order.faults,
  };
  return { ...stated, remarks: refundRemarks(stated, profile) };
}

/** What moved money moved it, also where the word may still change; all other final words moved none (U33). */
function childMeaning(state: string, { states }: Profile): StateMeaning {
  if (states.child.moved.includes(state)) return 'moved';
  if (states.child.final.includes(state)) return 'failed';
  if (UNDER_WAY.includes(state)) return 'open';
  return REFUNDING.includes(state) ? 'refunding' : 'unknown';
}

/**
 * Where SUCCESS waits for the bank to be paid as well (U60), an order that is still called under way has arrived as
 * soon as its settlement has begun.
 */
function hasArrived(state: string, settlement: SettlementState, { states }: Profile): boolean {
  const hasBegun = settlement !== 'none' && settlement !== 'unknown';
  return states.childSuccessMeans === 'settled' && UNDER_WAY.includes(state) && hasBegun;
}

function settlementMeaning(word: string | undefined, { settle: { stateMap } }: Profile): SettlementState {
  if (word === undefined) return 'none';

  const mapped = Object.hasOwn(stateMap, word) ? stateMap[word] : undefined;
  return mapped === 'inFlight' ? 'open' : (mapped ?? 'unknown');
}

/**
 * The sum refunded so far as the platform states it; by `refund.postBy` `state` the whole amount where the word is
 * REFUND and no sum is stated. Null where the order does not say (U36).
 */
function refundedFen({ state, refundFen, amountFen }: TransferOrder, { refund }: Profile): Fen | null {
  if (refundFen !== undefined) return refundFen;
  return refund.postBy === 'state' && state === REFUNDED ? (amountFen ?? null) : null;
}

/** What an order states of a refund that cannot be so, one sentence each; the stated sum counts all the same (U36). */
function refundRemarks(
  { state, meaning, refundFen, amountFen }: Omit<Listed, 'remarks'>,
  { refund }: Profile,
): string[] {
  const fen = refundFen ?? 0n;
  const remarks: string[] = [];
  if (state === REFUNDED && fen === 0n) {
    remarks.push(`it is ${REFUNDED}, and refundAmount is ${refundFen ?? 'not stated'}`);
  }
  // Where refunds are known by their sum, the word of an order that moved its money need not tell them.
  const isTold = isRefundWord(state) || (meaning === 'moved' && refund.postBy === 'refundAmount');
  if (fen > 0n && !isTold) {
    remarks.push(`refundAmount is ${fen} fen, and ${shownWord(state) || 'no state'} is no word of a refund`);
  }
  if (amountFen !== null && fen > amountFen) {
    remarks.push(`refundAmount is ${fen} fen, more than its amount of ${amountFen} fen`);
  }
  return remarks;
}

/** The words of withdrawals are documented, and no profile reads them otherwise (WDR-10). */
const WITHDRAWAL_MEANINGS: Readonly<Record<string, StateMeaning>> = {
  INIT: 'open',
  PROCESSING: 'open',
  SUCCESS: 'moved',
  FAIL: 'failed',
};

export function withdrawalLook(withdrawal: Withdrawal): WithdrawalLook {
  const state = withdrawal.state ?? '';
  return {
    accountNo: withdrawal.acctNo ?? '',
    outOrderNo: withdrawal.outOrderNo ?? '',
    orderNo: withdrawal.orderNo ?? '',
    amountFen: withdrawal.amountFen ?? null,
    realFen: withdrawal.realFen ?? null,
    feeFen: withdrawal.feeFen ?? null,
    feeType: withdrawal.feeType ?? '',
    state,
    meaning: Object.hasOwn(WITHDRAWAL_MEANINGS, state)
      ? (WITHDRAWAL_MEANINGS[state] ?? 'unknown')
      : 'unknown',
    note: withdrawal.note ?? '',
    unreadable: [],
  };
}

type Evidence = Extract<OrderAnswer, { kind: 'batch' }>['evidence'];

export function evidenceOfOrder(endpoint: EndpointName, outcome: Accepted<unknown>): Evidence {
  const { bizText, reqId, requestedAt, signed } = outcome;
  const sha256 = createHash('sha256').update(bizText, 'utf8').digest('hex');
  return { sha256, endpoint, reqId, requestedAt, signed, bizText };
}
