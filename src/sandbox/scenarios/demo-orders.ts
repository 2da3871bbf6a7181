/**
 * Transfers and withdrawals of the demo. What is sent is seeded on the platform and registered by the company at
 * once, with its true time; what the books say of it is for whoever sends it to decide.
 */
import type { Fen } from '../../core/fen.ts';
import { addMs, epochMs, SECOND_MS } from '../../core/time.ts';
import type { Instant } from '../../core/time.ts';
import type { TransferSeed, WithdrawalSeed } from '../orders/order-schema.ts';
import type { DemoAccount } from './demo-accounts.ts';
import type { DemoDraft } from './demo-draft.ts';

type OrderSeed = TransferSeed['orders'][number];
type FeeType = 'ORDER' | 'ACCOUNT';

/** A transfer order to be sent. */
export interface OrderPlan {
  payee: DemoAccount;
  amountFen: Fen;
  feeFen?: Fen;
  feeType?: FeeType;
  /** SUCCESS by default. */
  state?: 'SUCCESS' | 'FAIL' | 'CLOSE' | 'PROCESSING';
  note?: string;
  /** How long it is under way, and its settlement after it where the payee settles automatically. */
  seconds: number;
  settleSeconds?: number;
  /** What the platform does or shows otherwise. */
  seed?: Partial<OrderSeed>;
}

export interface BatchPlan {
  payer: DemoAccount;
  /** `yyyy-MM-dd HH:mm:ss` in service time, as all times here. */
  at: string;
  orders: readonly OrderPlan[];
  /** By default it is. */
  registered?: boolean;
  /** What the platform does or shows otherwise. */
  seed?: Partial<TransferSeed>;
}

/** Both numbers of an order, either of which the books may name it by. */
export interface OrderNumbers {
  outOrderNo: string;
  orderNo: string;
  /** Empty for a withdrawal. */
  outBatchNo: string;
}

export interface SentOrder extends OrderNumbers {
  payer: DemoAccount;
  payee: DemoAccount;
  amountFen: Fen;
  feeFen: Fen;
  feeType: FeeType;
  sentAt: string;
  /** When its money moved; undefined when it never does. */
  doneAt: string | undefined;
  /** When the payee's bank was paid. */
  settledAt: string | undefined;
  /** Takes the refunds. */
  batch: TransferSeed;
}

/** What arrives. */
export function creditedFen({ amountFen, feeFen, feeType }: SentOrder): Fen {
  return feeType === 'ORDER' ? amountFen - feeFen : amountFen;
}

export function later(draft: DemoDraft, at: string, seconds: number): string {
  return draft.zone.localText(addMs(instant(draft, at), seconds * SECOND_MS));
}

export function msBetween(draft: DemoDraft, from: string, to: string): number {
  return epochMs(instant(draft, to)) - epochMs(instant(draft, from));
}

function instant(draft: DemoDraft, at: string): Instant {
  const parsed = draft.zone.parseLocal(at);
  if (parsed === undefined) throw new Error(`Bug: ${at} is no time`);
  return parsed;
}

/** The letters keep the numbers from looking like bank cards. */
function numbered(at: string, no: number): { own: string; platform: string } {
  const day = at.slice(0, 10).replaceAll('-', '');
  return { own: `${day}K${String(no).padStart(4, '0')}`, platform: `${day}K${String(no).padStart(6, '0')}` };
}

/** Sends a batch. @returns its orders, in their order */
export function sendBatch(draft: DemoDraft, plan: BatchPlan): SentOrder[] {
  const { own, platform } = numbered(plan.at, draft.transfers.length + 1);
  const batch: TransferSeed = {
    outBatchNo: `PB${own}`,
    batchNo: `TB${platform}`,
    payerAcctNo: plan.payer.accountNo,
    submittedAt: plan.at,
    orders: [],
    refunds: [],
    ...plan.seed,
  };
  draft.transfers.push(batch);
  return plan.orders.map((order, place) => {
    const nth = `N${String(place + 1).padStart(2, '0')}`;
    const sent = sentOrder(draft, plan, {
      order,
      batch,
      own: `PO${own}${nth}`,
      platform: `TO${platform}${nth}`,
    });
    batch.orders.push(seedOf(order, sent));
    if (plan.registered !== false) {
      const { outBatchNo, outOrderNo, orderNo, amountFen } = sent;
      draft.registry.push({
        kind: 'transfer',
        outBatchNo,
        outOrderNo,
        batchNo: `TB${platform}`,
        orderNo,
        payerAccountNo: plan.payer.accountNo,
        payeeAccountNo: order.payee.accountNo,
        amountFen,
        submittedAt: plan.at,
        outcome: 'accepted',
      });
    }
    return sent;
  });
}

function sentOrder(
  draft: DemoDraft,
  { payer, at }: BatchPlan,
  of: { order: OrderPlan; batch: TransferSeed; own: string; platform: string },
): SentOrder {
  const { payee, amountFen, feeFen = 0n, feeType = 'ORDER', state = 'SUCCESS', seconds } = of.order;
  const doneAt = state === 'SUCCESS' ? later(draft, at, seconds) : undefined;
  const settles = payee.seed.autoSettle && doneAt !== undefined;
  return {
    outBatchNo: of.batch.outBatchNo,
    outOrderNo: of.own,
    orderNo: of.platform,
    payer,
    payee,
    amountFen,
    feeFen,
    feeType,
    sentAt: at,
    doneAt,
    settledAt: settles ? later(draft, doneAt, of.order.settleSeconds ?? 0) : undefined,
    batch: of.batch,
  };
}

function seedOf(
  { payee, state, note, seconds, settleSeconds = 0, seed }: OrderPlan,
  sent: SentOrder,
): OrderSeed {
  const { outOrderNo, orderNo, amountFen, feeFen, feeType } = sent;
  return {
    outOrderNo,
    orderNo,
    payeeAcctNo: payee.accountNo,
    amountFen,
    feeFen,
    feeType,
    delayMs: seconds * SECOND_MS,
    ...(state && { state }),
    ...(note !== undefined && { note }),
    ...(payee.seed.autoSettle && { settle: { delayMs: settleSeconds * SECOND_MS } }),
    ...seed,
  };
}

/** The whole order goes back. */
export function refund(order: SentOrder, at: string, waitsMs = 0): void {
  order.batch.refunds?.push({ outOrderNo: order.outOrderNo, at, delayMs: waitsMs });
}

/** A withdrawal to be sent. */
export interface WithdrawalPlan {
  account: DemoAccount;
  at: string;
  amountFen: Fen;
  feeFen?: Fen;
  feeType?: FeeType;
  /** SUCCESS by default. */
  state?: 'SUCCESS' | 'FAIL' | 'PROCESSING';
  note?: string;
  seconds: number;
  registered?: boolean;
  /** What the platform does or shows otherwise. */
  seed?: Partial<WithdrawalSeed>;
}

export interface SentWithdrawal extends OrderNumbers {
  account: DemoAccount;
  amountFen: Fen;
  feeFen: Fen;
  feeType: FeeType;
  sentAt: string;
  doneAt: string | undefined;
}

export function sendWithdrawal(draft: DemoDraft, plan: WithdrawalPlan): SentWithdrawal {
  const { account, at, amountFen, feeFen = 0n, feeType = 'ORDER', state = 'SUCCESS', seconds } = plan;
  const { own, platform } = numbered(at, draft.withdrawals.length + 1);
  const [outOrderNo, orderNo] = [`PW${own}`, `WD${platform}`];
  draft.withdrawals.push({
    outOrderNo,
    orderNo,
    acctNo: account.accountNo,
    amountFen,
    feeFen,
    feeType,
    submittedAt: at,
    state,
    delayMs: seconds * SECOND_MS,
    ...(plan.note !== undefined && { note: plan.note }),
    ...plan.seed,
  });
  if (plan.registered !== false) {
    draft.registry.push({
      kind: 'withdrawal',
      outBatchNo: '',
      outOrderNo,
      batchNo: '',
      orderNo,
      payerAccountNo: account.accountNo,
      payeeAccountNo: '',
      amountFen,
      submittedAt: at,
      outcome: 'accepted',
    });
  }
  const doneAt = state === 'SUCCESS' ? later(draft, at, seconds) : undefined;
  return { outOrderNo, orderNo, outBatchNo: '', account, amountFen, feeFen, feeType, sentAt: at, doneAt };
}
