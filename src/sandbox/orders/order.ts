/**
 * Transfer batches with their orders, and withdrawals: what is true of them. What an answer shows instead is in
 * `showing`; what it looks like at an instant is reckoned here.
 */
import type { Fen } from '../../core/fen.ts';
import type { Caller } from '../protocol/sandbox-keys.ts';
import type { WirePatch } from '../world/wire-patch.ts';
import type { BankCard } from '../world/account.ts';
import { turnAt } from './life.ts';
import type { Life, Turn } from './life.ts';
import type { RetryOutcome } from './order-schema.ts';

export type FeeType = 'ORDER' | 'ACCOUNT';

export interface Fee {
  feeFen: Fen;
  feeType: FeeType;
}

/** When an order is shown, and differently from certain instants on (P3, P4, P5). */
export interface Showing {
  visibleFromMs: number;
  /** Exclusive. */
  vanishesAtMs: number;
  /** In the order of their instants. */
  patches: readonly { atMs: number; patch: WirePatch }[];
}

export interface TransferBatch {
  merchant: string;
  outBatchNo: string;
  batchNo: string;
  payerAcctNo: string;
  submittedAtMs: number;
  extParam: string;
  note: string;
  orders: readonly TransferOrder[];
  showing: Showing | undefined;
  notify: { url: string; caller: Caller } | undefined;
}

export interface TransferOrder extends Fee {
  outOrderNo: string;
  orderNo: string;
  body: string;
  amountFen: Fen;
  realFen: Fen;
  payeeAcctNo: string;
  extParam: string;
  life: Life;
  /** Its automatic withdrawal, if it has one, and then each retry that was accepted. */
  settlements: Settlement[];
  /** What becomes of the retries, the first of them first; of those beyond the switches decide. */
  retries: readonly RetryOutcome[];
  refunds: Refund[];
  showing: Showing | undefined;
}

export interface Settlement extends Fee {
  amountFen: Fen;
  /** Of the request that asked for it; empty for the automatic one. */
  reqId: string;
  /** What the request said; empty for the automatic one. */
  remark: string;
  /** The bank account it is paid to (STL-04). */
  bankAccountNo: string;
  life: Life;
}

export interface Refund {
  amountFen: Fen;
  /** Of the request that asked for it; empty for one that was put in. */
  reqId: string;
  /** It gives back the whole order. */
  whole: boolean;
  /** WAIT_CONFIRM, REFUND, FAIL. */
  life: Life;
}

export interface Withdrawal extends Fee {
  merchant: string;
  outOrderNo: string;
  orderNo: string;
  acctNo: string;
  amountFen: Fen;
  realFen: Fen;
  submittedAtMs: number;
  /** The bank account it is paid to (WDR-05, WDR-06); E gets a corporate payment, P a personal one (WDR-08). */
  card: BankCard;
  life: Life;
  showing: Showing | undefined;
}

export interface OrderNow {
  state: string;
  note: string;
  settleState: string;
  settleRemark: string;
  refundFen: Fen;
}

/**
 * What is true of a transfer order at an instant.
 * @param showsRefund whether a refund shows in the state, or in the refunded amount alone (U36)
 * @param seen where what is said of its settlement or of its refunds lags behind: the instant it is of
 */
export function orderAt(
  order: TransferOrder,
  ms: number,
  showsRefund: boolean,
  { settledMs = ms, refundedMs = ms }: { settledMs?: number; refundedMs?: number } = {},
): OrderNow {
  const { state, note } = turnAt(order.life, ms) ?? { state: 'INIT', note: '' };
  const settled = settlementAt(order, settledMs);
  const now = { state, note, settleState: settled?.state ?? '', settleRemark: settled?.note ?? '' };
  if (order.refunds.length === 0) return { ...now, refundFen: 0n };
  const refunded = refundedAt(order, refundedMs, showsRefund);
  const { refundFen } = refunded;
  if (!showsRefund || state !== 'SUCCESS') return { ...now, refundFen };
  return { ...now, refundFen, state: refunded.state, note: refunded.note || note };
}

/**
 * What is said of its settlement: by the try that began last, whatever those before it still come to. Where the
 * platform has nothing to say, the remark of the request stands (STL-14).
 */
function settlementAt(order: TransferOrder, ms: number): Turn | undefined {
  let [latest, sinceMs]: [Turn | undefined, number] = [undefined, -Infinity];
  for (const { life, remark } of order.settlements) {
    const turn = turnAt(life, ms);
    const startMs = life[0]?.atMs ?? 0;
    if (!turn || startMs < sinceMs) continue;
    [latest, sinceMs] = [{ ...turn, note: turn.note || remark }, startMs];
  }
  return latest;
}

/** What its refunds come to, the state they give a successful order, and why the last of them failed if it did. */
function refundedAt(
  order: TransferOrder,
  ms: number,
  showsWaiting: boolean,
): { state: string; refundFen: Fen; note: string } {
  let [refundFen, isWhole, isWaiting, note] = [0n, false, false, ''];
  for (const refund of order.refunds) {
    const turn = turnAt(refund.life, ms);
    const waits = turn?.state === 'WAIT_CONFIRM' && showsWaiting;
    if (turn) note = turn.note;
    if (turn?.state !== 'REFUND' && !waits) continue;
    refundFen += refund.amountFen;
    isWhole ||= refund.whole;
    isWaiting ||= waits;
  }
  if (isWaiting) return { state: 'WAIT_CONFIRM', refundFen, note };
  return { state: isWhole || refundFen >= order.amountFen ? 'REFUND' : 'SUCCESS', refundFen, note };
}

/** The label of a batch as its orders make it (DIV-26, DIV-31, REF-09). */
export function labelOf(
  orders: readonly Pick<OrderNow, 'state' | 'refundFen'>[],
  showsRefund: boolean,
): string {
  const states = new Set(orders.map(({ state }) => state));
  if (states.size === 1 && states.has('INIT')) return 'INIT';
  if ([...states].some((state) => !ENDED.has(state))) return 'PROCESSING';
  if (states.has('WAIT_CONFIRM')) return 'WAIT_CONFIRM';
  if (states.has('REFUND') && !states.has('SUCCESS')) return 'REFUND';
  if (showsRefund && orders.some(({ refundFen }) => refundFen > 0n)) return 'PART_REFUND';
  if (!states.has('SUCCESS')) return states.has('FAIL') ? 'FAIL' : 'CLOSE';
  return states.size === 1 ? 'SUCCESS' : 'PART_SUCCESS';
}

const ENDED: ReadonlySet<string> = new Set(['SUCCESS', 'FAIL', 'CLOSE', 'REFUND', 'WAIT_CONFIRM']);

export function isShown(of: { showing: Showing | undefined }, ms: number): boolean {
  const { showing } = of;
  return !showing || (showing.visibleFromMs <= ms && ms < showing.vanishesAtMs);
}
