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

  payerOf(batch: number): number {
    return batch % this.options.accounts;
  }

  payeeOf(batch: number, place: number): number {
    return (batch + 1 + place) % this.options.accounts;
  }

  accountOf(withdrawal: number): number {
    return withdrawal % this.options.accounts;
  }

  /** Refunded are only orders whose refund lies within the span too. */
  order(batch: number, place: number): Drawn {
    const drawn = this.#drawn(TRANSFER_STREAM, batch * this.options.ordersPerBatch + place);
    const fits = refundMs(this.batchMs(batch)) < this.#startMs + this.#spanMs;
    return { ...drawn, refunded: drawn.refunded && fits };
  }

  withdrawalDrawn(withdrawal: number): Drawn {
    return this.#drawn(WITHDRAWAL_STREAM, withdrawal);
  }

  batchMs(batch: number): number {
    return this.#timeMs(BATCH_TIME, batch, this.options.transferBatches);
  }

  withdrawalMs(withdrawal: number): number {
    return this.#timeMs(WITHDRAWAL_TIME, withdrawal, this.options.withdrawals);
  }

  /** Undefined before the first and beyond the last. */
  batch(batch: number): TransferBatch | undefined {
    const { transferBatches, ordersPerBatch } = this.options;
    if (batch < 0 || batch >= transferBatches) return undefined;
    const submittedAtMs = this.batchMs(batch);
    return {
      merchant: VOLUME_MERCHANT,
      outBatchNo: batchName('VB', batch),
      batchNo: batchName('TBV', batch),
      payerAcctNo: this.accountNo(this.payerOf(batch)),
      submittedAtMs,
      extParam: '',
      note: '',
      orders: Array.from({ length: ordersPerBatch }, (_, place) =>
        this.#transferOrder(batch, place, submittedAtMs),
      ),
      showing: undefined,
      notify: undefined,
    };
  }

  /** Undefined before the first and beyond the last. @param cardOf the bank account that an account withdraws to */
  withdrawal(withdrawal: number, cardOf: (accountNo: string) => BankCard): Withdrawal | undefined {
    if (withdrawal < 0 || withdrawal >= this.options.withdrawals) return undefined;
    const { amountFen, feeFen, feeType, realFen, state } = this.withdrawalDrawn(withdrawal);
    const submittedAtMs = this.withdrawalMs(withdrawal);
    const acctNo = this.accountNo(this.accountOf(withdrawal));
    return {
      merchant: VOLUME_MERCHANT,
      outOrderNo: batchName('VW', withdrawal),
      orderNo: batchName('WDV', withdrawal),
      acctNo,
      amountFen,
      feeFen,
      feeType,
      realFen,
      submittedAtMs,
      card: cardOf(acctNo),
      life: lifeFrom(submittedAtMs, state, '提现失败'),
      showing: undefined,
    };
  }

  #transferOrder(batch: number, place: number, submittedAtMs: number): TransferOrder {
    const { amountFen, feeFen, feeType, realFen, state, refunded } = this.order(batch, place);
    const refund = {
      amountFen,
      whole: true,
      life: [{ atMs: refundMs(submittedAtMs), state: 'REFUND', note: '' }],
    };
    return {
      outOrderNo: orderName('VO', batch, place),
      orderNo: orderName('TOV', batch, place),
      body: '货款',
      amountFen,
      feeFen,
      feeType,
      realFen,
      payeeAcctNo: this.accountNo(this.payeeOf(batch, place)),
      extParam: '',
      life: lifeFrom(submittedAtMs, state, '交易失败'),
      settlements: [],
      retries: [],
      refunds: refunded ? [refund] : [],
      showing: undefined,
    };
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

function lifeFrom(atMs: number, state: string, failure: string): Life {
  return [{ atMs, state, note: state === 'FAIL' ? failure : '' }];
}

/** `VB00000012`, `VW00000012`; the platform's own begin with TBV and WDV. */
export function batchName(prefix: string, nth: number): string {
  return `${prefix}${String(nth).padStart(8, '0')}`;
}

/** `VO00000012K03`. */
export function orderName(prefix: string, batch: number, place: number): string {
  return `${batchName(prefix, batch)}K${String(place).padStart(2, '0')}`;
}

/** The place a name of that form may have been made from; -1 for any other text. */
export function placeOfName(prefix: string, name: string): number {
  const digits = name.startsWith(prefix) ? name.slice(prefix.length, prefix.length + 8) : '';
  return /^\d{8}$/.test(digits) ? Number.parseInt(digits, 10) : -1;
}
