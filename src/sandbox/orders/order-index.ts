/**
 * All transfer batches and withdrawals there are, found by the company's number or the platform's. Nothing lists
 * them (docs/reconciliation.md 3.1). A scenario may compute very many of them instead of keeping them.
 */
import { isShown } from './order.ts';
import type { TransferBatch, TransferOrder, Withdrawal } from './order.ts';

/** The company's own number or the platform's. */
export type OrderNumber = { own: string; platform?: undefined } | { platform: string; own?: undefined };

/** Orders that are made when they are asked for: the same number always makes the same order. */
export interface ComputedOrders {
  batch(merchant: string, number: OrderNumber): TransferBatch | undefined;
  withdrawal(merchant: string, number: OrderNumber): Withdrawal | undefined;
  /** The batch of a transfer order with that number of its own. */
  batchOf(merchant: string, number: OrderNumber): TransferBatch | undefined;
}

/** A transfer order in its batch. */
export interface OrderInBatch {
  merchant: string;
  batch: TransferBatch;
  order: TransferOrder;
}

export class OrderIndex {
  readonly #batches = new Numbered<TransferBatch>();
  readonly #orders = new Numbered<OrderInBatch>();
  readonly #withdrawals = new Numbered<Withdrawal>();
  #computed: ComputedOrders | undefined;

  compute(orders: ComputedOrders): void {
    this.#computed = orders;
  }

  addBatch(batch: TransferBatch): void {
    this.#batches.add(batch, { own: batch.outBatchNo, platform: batch.batchNo });
    const { merchant } = batch;
    for (const order of batch.orders) {
      this.#orders.add({ merchant, batch, order }, { own: order.outOrderNo, platform: order.orderNo });
    }
  }

  addWithdrawal(withdrawal: Withdrawal): void {
    this.#withdrawals.add(withdrawal, { own: withdrawal.outOrderNo, platform: withdrawal.orderNo });
  }

  /** Whether it is there already or not yet shown; an order that is computed may be changed by who keeps it. */
  batch(merchant: string, number: OrderNumber): TransferBatch | undefined {
    return this.#batches.get(merchant, number) ?? this.#computed?.batch(merchant, number);
  }

  withdrawal(merchant: string, number: OrderNumber): Withdrawal | undefined {
    return this.#withdrawals.get(merchant, number) ?? this.#computed?.withdrawal(merchant, number);
  }

  /** Keeps a batch that was computed, so that what changes in it stays. */
  keepBatch(batch: TransferBatch): void {
    if (!this.#batches.get(batch.merchant, { own: batch.outBatchNo })) this.addBatch(batch);
  }

  /**
   * Whether a number of an order is used already, as far as it has to be unique (U26).
   * @param of.scope within what
   */
  isOrderNoTaken(of: {
    merchant: string;
    outOrderNo: string;
    kind: 'transfer' | 'withdrawal';
    scope: 'merchant' | 'kind' | 'batch';
  }): boolean {
    const { merchant, outOrderNo, kind, scope } = of;
    const isTransfer = (): boolean => this.transferOrder(merchant, { own: outOrderNo }) !== undefined;
    const isWithdrawal = (): boolean => this.withdrawal(merchant, { own: outOrderNo }) !== undefined;
    if (scope === 'merchant') return isTransfer() || isWithdrawal();
    if (kind === 'withdrawal') return isWithdrawal();
    return scope === 'kind' && isTransfer();
  }

  /** As batches are found; of several with one number the last that was sent (U26). */
  transferOrder(merchant: string, number: OrderNumber): OrderInBatch | undefined {
    const kept = this.#orders.get(merchant, number);
    if (kept) return kept;
    const batch = this.#computed?.batchOf(merchant, number);
    const order = batch?.orders.find(
      ({ outOrderNo, orderNo }) => outOrderNo === number.own || orderNo === number.platform,
    );
    return batch && order && { merchant, batch, order };
  }

  batches(): Iterable<TransferBatch> {
    return this.#batches.all();
  }

  withdrawals(): Iterable<Withdrawal> {
    return this.#withdrawals.all();
  }
}

/** Whether an order can be found at that instant: it has been submitted, is shown, and has not vanished. */
export function isThere(of: Pick<TransferBatch, 'submittedAtMs' | 'showing'>, ms: number): boolean {
  return of.submittedAtMs <= ms && isShown(of, ms);
}

class Numbered<T extends { merchant: string }> {
  readonly #own = new Map<string, T>();
  readonly #platform = new Map<string, T>();

  add(item: T, numbers: { own: string; platform: string }): void {
    this.#own.set(keyOf(item.merchant, numbers.own), item);
    this.#platform.set(keyOf(item.merchant, numbers.platform), item);
  }

  get(merchant: string, { own, platform }: OrderNumber): T | undefined {
    return own === undefined
      ? this.#platform.get(keyOf(merchant, platform))
      : this.#own.get(keyOf(merchant, own));
  }

  all(): Iterable<T> {
    return this.#own.values();
  }
}

/** Numbers are unique within a company; merchants have names without NUL. */
function keyOf(merchant: string, number: string): string {
  return `${merchant}\u0000${number}`;
}
