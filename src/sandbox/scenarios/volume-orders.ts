/**
 * Very many transfer orders and withdrawals without keeping one of them: each is computed from the seed and its
 * place. What they do to the accounts is summed once, in arrays. Most succeed at once; some fail, some stay
 * under way for ever, some are refunded a day later.
 */
import type { Fen } from '../../core/fen.ts';
import { addDays, DAY_MS, epochMs, SECOND_MS } from '../../core/time.ts';
import type { Day, Zone } from '../../core/time.ts';
import type { Life } from '../orders/life.ts';
import { realOf } from '../orders/money.ts';
import type { FeeType, TransferBatch, TransferOrder, Withdrawal } from '../orders/order.ts';
import { mixed } from '../world/random.ts';
import type { BankCard } from '../world/account.ts';

export interface VolumeOrderOptions {
  seed: number;
  accounts: number;
  /** The first day, and how many days the orders are spread over. */
  from: Day;
  days: number;
  transferBatches: number;
  ordersPerBatch: number;
  withdrawals: number;
}

/** Who owns what a scenario computes. */
export const VOLUME_MERCHANT = 'main';

interface Money {
  amountFen: Fen;
  feeFen: Fen;
  feeType: FeeType;
  realFen: Fen;
}

/** What an order is worth and what became of it. */
interface Drawn extends Money {
  state: 'SUCCESS' | 'FAIL' | 'PROCESSING';
  refunded: boolean;
}

/** An order by its place, with the accounts of both sides; a withdrawal has no payee. */
export interface VolumeOrder extends Drawn {
  /** The place of its batch and its own there, or its own among the withdrawals. */
  nth: number;
  place: number;
  payer: number;
  payee: number | undefined;
  submittedAtMs: number;
}

/** Streams of draws, so that one kind of order does not shift the others. */
const [TRANSFER_STREAM, WITHDRAWAL_STREAM, BATCH_TIME, WITHDRAWAL_TIME] = [11, 12, 13, 14];

export class VolumeOrders {
  readonly options: VolumeOrderOptions;
  readonly #startMs: number;
  readonly #spanMs: number;
  readonly accountNo: (account: number) => string;

  constructor(options: VolumeOrderOptions, of: { zone: Zone; accountNo: (account: number) => string }) {
    this.options = options;
    this.#startMs = epochMs(of.zone.dayStart(options.from));
    this.#spanMs = epochMs(of.zone.dayStart(addDays(options.from, options.days))) - this.#startMs;
    this.accountNo = of.accountNo;
  }

  /** Transfer orders batch by batch, then withdrawals. */
  *all(): Generator<VolumeOrder> {
    const { transferBatches, ordersPerBatch, withdrawals } = this.options;
    for (let batch = 0; batch < transferBatches; batch++) {
      for (let place = 0; place < ordersPerBatch; place++) yield this.#transfer(batch, place);
    }
    for (let nth = 0; nth < withdrawals; nth++) yield this.#withdrawal(nth);
  }

  /** Undefined before the first and beyond the last. */
  batch(nth: number): TransferBatch | undefined {
    const { transferBatches, ordersPerBatch } = this.options;
    if (nth < 0 || nth >= transferBatches) return undefined;
    const { payer, submittedAtMs } = this.#transfer(nth, 0);
    return {
      merchant: VOLUME_MERCHANT,
      outBatchNo: batchName('VB', nth),
      batchNo: batchName('TBV', nth),
      payerAcctNo: this.accountNo(payer),
      submittedAtMs,
      extParam: '',
      note: '',
      orders: Array.from({ length: ordersPerBatch }, (_, place) => this.#transferOrder(nth, place)),
      showing: undefined,
      notify: undefined,
    };
  }

  /** Undefined before the first and beyond the last. @param cardOf the bank account that an account withdraws to */
  withdrawal(nth: number, cardOf: (accountNo: string) => BankCard): Withdrawal | undefined {
    if (nth < 0 || nth >= this.options.withdrawals) return undefined;
    const order = this.#withdrawal(nth);
    const acctNo = this.accountNo(order.payer);
    return {
      merchant: VOLUME_MERCHANT,
      ...orderNumbers(order),
      acctNo,
      ...moneyOf(order),
      submittedAtMs: order.submittedAtMs,
      card: cardOf(acctNo),
      life: lifeOf(order, '提现失败'),
      showing: undefined,
    };
  }

  #transferOrder(batch: number, place: number): TransferOrder {
    const order = this.#transfer(batch, place);
    const { amountFen, payee = 0, submittedAtMs, refunded } = order;
    const life = [{ atMs: refundMs(submittedAtMs), state: 'REFUND', note: '' }];
    return {
      ...orderNumbers(order),
      body: '货款',
      ...moneyOf(order),
      payeeAcctNo: this.accountNo(payee),
      extParam: '',
      life: lifeOf(order, '交易失败'),
      settlements: [],
      retries: [],
      refunds: refunded ? [{ reqId: '', amountFen, whole: true, life }] : [],
      showing: undefined,
    };
  }

  /** Refunded are only orders whose refund lies within the span too. */
  #transfer(batch: number, place: number): VolumeOrder {
    const { accounts, transferBatches, ordersPerBatch } = this.options;
    const drawn = this.#drawn(TRANSFER_STREAM, batch * ordersPerBatch + place);
    const submittedAtMs = this.#timeMs(BATCH_TIME, batch, transferBatches);
    const fits = refundMs(submittedAtMs) < this.#startMs + this.#spanMs;
    const [payer, payee] = [batch % accounts, (batch + 1 + place) % accounts];
    return { ...drawn, refunded: drawn.refunded && fits, nth: batch, place, payer, payee, submittedAtMs };
  }

  #withdrawal(nth: number): VolumeOrder {
    const { accounts, withdrawals } = this.options;
    const submittedAtMs = this.#timeMs(WITHDRAWAL_TIME, nth, withdrawals);
    const drawn = this.#drawn(WITHDRAWAL_STREAM, nth);
    return { ...drawn, nth, place: 0, payer: nth % accounts, payee: undefined, submittedAtMs };
  }

  #drawn(stream: number, nth: number): Drawn {
    const draw = mixed(this.options.seed, stream, nth, 1);
    const fate = mixed(this.options.seed, stream, nth, 2) % 1_000;
    const state = fate < 30 ? 'FAIL' : fate < 40 ? 'PROCESSING' : 'SUCCESS';
    return { ...drawnMoney(draw), state, refunded: fate >= 995 };
  }

  #timeMs(stream: number, nth: number, count: number): number {
    const within = mixed(this.options.seed, stream, nth) / 4_294_967_296;
    const ms = this.#startMs + ((nth + within) * this.#spanMs) / Math.max(1, count);
    return Math.floor(ms / SECOND_MS) * SECOND_MS;
  }
}

/** What a deposit or an order is worth: one half without a fee, of the others most with one inside the amount. */
export function drawnMoney(draw: number): Money {
  const kind = draw % 10;
  const amountFen = BigInt(100 + (draw % 4_999_900));
  const feeType: FeeType = kind < 8 ? 'ORDER' : 'ACCOUNT';
  const fee = { feeFen: kind < 5 ? 0n : BigInt(1 + (draw % 97)), feeType };
  return { amountFen, ...fee, realFen: realOf(amountFen, fee) };
}

/** Refunds of the volume are made a day after their order. */
export function refundMs(submittedAtMs: number): number {
  return submittedAtMs + DAY_MS;
}

function moneyOf({ amountFen, feeFen, feeType, realFen }: VolumeOrder): Money {
  return { amountFen, feeFen, feeType, realFen };
}

function lifeOf({ submittedAtMs, state }: VolumeOrder, failure: string): Life {
  return [{ atMs: submittedAtMs, state, note: state === 'FAIL' ? failure : '' }];
}

/** The company's own number of an order, and the platform's. */
export function orderNumbers({ nth, place, payee }: VolumeOrder): { outOrderNo: string; orderNo: string } {
  if (payee === undefined) return { outOrderNo: batchName('VW', nth), orderNo: batchName('WDV', nth) };
  return { outOrderNo: orderName('VO', nth, place), orderNo: orderName('TOV', nth, place) };
}

/** The same of its batch; both are empty for a withdrawal. */
export function batchNumbers({ nth, payee }: VolumeOrder): { outBatchNo: string; batchNo: string } {
  if (payee === undefined) return { outBatchNo: '', batchNo: '' };
  return { outBatchNo: batchName('VB', nth), batchNo: batchName('TBV', nth) };
}

/** `VB00000012`, `VW00000012`; the platform's own begin with TBV and WDV. */
export function batchName(prefix: string, nth: number): string {
  return `${prefix}${String(nth).padStart(8, '0')}`;
}

/** `VO00000012K03`. */
function orderName(prefix: string, batch: number, place: number): string {
  return `${batchName(prefix, batch)}K${String(place).padStart(2, '0')}`;
}

/** The place a name of that form may have been made from; -1 for any other text. */
export function placeOfName(prefix: string, name: string): number {
  const digits = name.startsWith(prefix) ? name.slice(prefix.length, prefix.length + 8) : '';
  return /^\d{8}$/.test(digits) ? Number.parseInt(digits, 10) : -1;
}
