/** The switches of transfers, refunds, withdrawals, SMS codes and pushes. */
import { z } from 'zod';

import type { Profile } from '../../core/profile/profile.ts';
import { fen } from '../world/seed-schema.ts';

export const feeBearer = z.string().regex(/^(payer|payee|self|external|acct:\S{1,64})$/);

const fee = z.strictObject({ feeType: z.enum(['ORDER', 'ACCOUNT']), feeFen: fen });
const delayMs = z
  .int()
  .min(0)
  .max(366 * 86_400_000);
const names = z.array(z.string().min(1).max(64)).max(20);

export const orderSwitches = {
  /** U23: an amount in flight is frozen, or already debited. Applies to orders made from then on. */
  inflightModel: z.enum(['frozen', 'debited']),
  /** U35: who bears an ACCOUNT fee. Applies to orders made from then on. */
  transferFeeBearer: feeBearer,
  withdrawFeeBearer: feeBearer,
  settleFeeBearer: feeBearer,
  /** Fees of orders that do not say theirs. */
  transferFee: fee,
  withdrawFee: fee,
  settleFee: fee,
  /** How long an order is under way that does not say it; 0: its answer is already final (DIV-28). */
  transferDelayMs: delayMs,
  withdrawDelayMs: delayMs,
  settleDelayMs: delayMs,
  refundDelayMs: delayMs,
  /** U37: order/settle takes the number of the transfer order, or that of its automatic withdrawal. */
  settleIdKind: z.enum(['child', 'withdrawal']),
  /** U38: the remark of order/settle is measured after it has been filtered, or before. */
  settleRemarkMeasured: z.enum(['after', 'before']),
  /** U38: which letters and digits that filter leaves, besides the space. */
  settleRemarkKeeps: z.enum(['anyScript', 'ascii']),
  /** What becomes of a retried settlement whose order does not say it, and how long that takes (STL-14). */
  settleRetryState: z.string().min(1).max(64),
  settleRetryDelayMs: delayMs,
  /** STL-07, STL-09: without it a settlement that is under way or settled is accepted again, and paid again, and one whose order is refunded too. */
  settleGuard: z.boolean(),
  /** How long an accepted retry waits inside the platform before it takes effect. */
  settleQueueMs: delayMs,
  /** So long division/query goes on saying of settlements what was true before. */
  settleViewLagMs: delayMs,
  /** U36: what a refund of a whole order moves. */
  refundAmountRule: z.enum(['amount', 'realAmount']),
  /** U36: a refund gives the fee back to who had lost it. */
  refundFeeReturned: z.boolean(),
  /** U36: division/query shows refunds in the states, or in refundAmount alone. */
  queryShowsRefund: z.boolean(),
  /** U36, DIV-26: where refunds show in the states, they do in those of batch and orders, or of one of them alone. */
  refundWordsIn: z.enum(['both', 'batch', 'orders']),
  /** So long division/query goes on saying of refunds what was true before. */
  refundViewLagMs: delayMs,
  /** DIV-22, REF-08, WDR-12: too little money is refused, or accepted and failed. */
  shortBalance: z.enum(['refuse', 'fail']),
  /** DIV-16: an unknown or closed payee is refused, or its order fails. */
  unknownPayee: z.enum(['refuse', 'fail']),
  /** U25. */
  payerRoles: z.array(z.enum(['FQ', 'JS'])).max(2),
  /** U21: an account pending activation may move money. */
  pendingMayOperate: z.boolean(),
  /** U56. */
  paymentPassword: z.boolean(),
  passwordFree: z.boolean(),
  /** U26: a number that is used again; and within what it has to be unique. */
  duplicate: z.enum(['refuse', 'returnFirst']),
  numberScope: z.enum(['merchant', 'kind', 'batch']),
  /** U27: an order named by both numbers is refused, or the company's or the platform's prevails. */
  bothIds: z.enum(['refuse', 'own', 'platform']),
  /** U29, U30, DIV-18. */
  childAmountMaxFen: fen,
  batch100Fields: names,
  ordersMax: z.int().min(1).max(10_000),
  /** U54: what 32 and 100 count; documented: characters of numbers, and where the text says so a Chinese one as 3. */
  textsCounted: z.enum(['documented', 'characters', 'bytes']),
  /** U32, DIV-25: as each table spells it, or one spelling, or both. */
  payerField: z.enum(['documented', 'payerAcctNo', 'payeyAcctNo', 'both']),
  /** U48: spelling of the fee. */
  transferFeeName: z.enum(['mchFee', 'fee', 'both']),
  withdrawFeeName: z.enum(['fee', 'mchFee', 'both']),
  /** U48: where smsCode, smsFlowNo, recvAcctNo and recvAcctName of a withdrawal are read. */
  withdrawExtraIn: z.enum(['either', 'bizData', 'channelExtra']),
  /** ENV-26: orderList of answers; and whether a request may send an array. */
  orderListAs: z.enum(['string', 'array']),
  orderListArrayAccepted: z.boolean(),
  /** U60: SUCCESS of an order says that it was credited, or that its automatic withdrawal has ended as well. */
  orderSuccessMeans: z.enum(['credited', 'settled']),
  /** U34: settleState of an order without automatic withdrawal. */
  noSettleState: z.enum(['empty', 'null', 'absent']),
  /** U55. */
  smsTtlSeconds: z.int().min(1).max(3_600),
  /** U7: reqNo of sendMsg is the channel code, the number of an application, or either. */
  smsReqNo: z.enum(['either', 'channelCode', 'application']),
  /** U8: an outReqNo asks for one code only. */
  smsOutReqNoOnce: z.boolean(),
  /** U9, SMS-05: the table of answers does not list REFUND. */
  smsRefundSceneEchoed: z.boolean(),
  /** U39: seconds after the event at which a push is tried, how long it waits, what acknowledges it. */
  pushSchedule: z.array(z.int().min(0).max(604_800)).min(1).max(50),
  pushTimeoutSeconds: z.int().min(1).max(300),
  pushAckBody: z.string().min(1).max(64),
  /** U40. */
  pushFormat: z.enum(['envelope', 'flat']),
  /** EVT-04: one push for a batch, or one for each of its orders that succeeded. */
  pushPer: z.enum(['batch', 'order']),
};

export type OrderSwitches = z.output<z.ZodObject<typeof orderSwitches>>;

const NO_FEE = { feeType: 'ORDER', feeFen: 0n } as const;

export function defaultOrderSwitches(profile: Profile): OrderSwitches {
  const { emulator, fees, notify } = profile;
  return {
    inflightModel: emulator.inflightModel,
    transferFeeBearer: fees.bearer.transfer,
    withdrawFeeBearer: fees.bearer.withdraw,
    settleFeeBearer: fees.bearer.settle,
    transferFee: NO_FEE,
    withdrawFee: NO_FEE,
    settleFee: profile.fees.settle ?? NO_FEE,
    transferDelayMs: 0,
    withdrawDelayMs: 0,
    settleDelayMs: 0,
    refundDelayMs: 0,
    settleIdKind: profile.settle.idKind,
    settleRemarkMeasured: 'after',
    settleRemarkKeeps: 'anyScript',
    settleRetryState: 'SUCCESS',
    settleRetryDelayMs: 0,
    settleGuard: true,
    settleQueueMs: 0,
    settleViewLagMs: 0,
    refundAmountRule: 'amount',
    refundFeeReturned: profile.refund.feeReturned,
    queryShowsRefund: true,
    refundWordsIn: 'both',
    refundViewLagMs: 0,
    shortBalance: 'refuse',
    unknownPayee: 'refuse',
    payerRoles: [...profile.division.payerRoles],
    pendingMayOperate: emulator.pendingMayOperate,
    paymentPassword: emulator.paymentPassword,
    passwordFree: emulator.passwordFree,
    duplicate: emulator.duplicate,
    numberScope: 'merchant',
    bothIds: profile.compat.bothIds,
    childAmountMaxFen: profile.limits.childAmountMaxFen,
    batch100Fields: [...emulator.batch100Fields],
    ordersMax: 20,
    textsCounted: 'documented',
    payerField: 'documented',
    transferFeeName: 'mchFee',
    withdrawFeeName: emulator.feeName,
    withdrawExtraIn: 'either',
    orderListAs: 'string',
    orderListArrayAccepted: false,
    orderSuccessMeans: profile.states.childSuccessMeans,
    noSettleState: 'empty',
    smsTtlSeconds: profile.sms.ttlSeconds,
    smsReqNo: 'either',
    smsOutReqNoOnce: false,
    smsRefundSceneEchoed: true,
    pushSchedule: [...notify.schedule],
    pushTimeoutSeconds: notify.timeout,
    pushAckBody: notify.ackBody,
    pushFormat: notify.format,
    pushPer: 'batch',
  };
}
