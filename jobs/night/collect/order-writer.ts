/**
 * Gathers answers about orders into batches of some hundred and writes them, two batches at a time. What is being
 * written holds back what is being asked, so that memory stays flat however long the list is.
 */
import type { Log } from '../../../src/core/ports.ts';
import { saveOrders } from '../../../src/orders/orders.ts';
import type { OrderAnswer, OrderSave } from '../../../src/orders/orders.ts';
import type { UnitKey } from '../../../src/store/orders/order-due.ts';
import type { Db } from '../../../src/store/schema/schema.ts';
import { OWN_WORK } from '../../units/unit.ts';
import type { Claim } from '../../units/unit.ts';

/** Answers of a batch, or as many as hold this many orders: some thousand rows a statement is where loading pays. */
const ANSWERS_PER_BATCH = 250;
const ORDERS_PER_BATCH = 2_500;
const BATCHES_IN_FLIGHT = 2;
/** A platform that answers nothing must not fill the log; the count says the rest. */
const FAILURES_LOGGED_MAX = 100;

export interface OrdersWritten {
  transferOrders: number;
  withdrawals: number;
  /** Orders that are new or of which something changed. */
  changed: number;
  /** Batches and withdrawals without an answer that can be kept. */
  failed: number;
}

export class OrderWriter {
  readonly #db: Db;
  readonly #log: Log;
  readonly #save: Omit<OrderSave, 'answers'>;
  readonly #claim: Claim;
  readonly written: OrdersWritten = { transferOrders: 0, withdrawals: 0, changed: 0, failed: 0 };
  /** Asked for under a claim that was no more in force: to be asked for again. */
  readonly overtaken: UnitKey[] = [];
  #answers: OrderAnswer[] = [];
  #orders = 0;
  readonly #flights = new Set<Promise<void>>();
  #failure: Error | undefined;

  /** @param claim what is stored counts only while it is held */
  constructor(db: Db, log: Log, save: Omit<OrderSave, 'answers'>, claim: Claim = OWN_WORK) {
    this.#db = db;
    this.#log = log;
    this.#save = save;
    this.#claim = claim;
  }

  /** Takes an answer; waits while two batches are being written. */
  async add(answer: OrderAnswer): Promise<void> {
    this.#answers.push(answer);
    this.#orders += answer.kind === 'batch' ? answer.batch.orders.length : 1;
    const isFull = this.#answers.length >= ANSWERS_PER_BATCH || this.#orders >= ORDERS_PER_BATCH;
    if (isFull) await this.#flush();
  }

  /** Writes what is left and waits for everything. */
  async close(): Promise<OrdersWritten> {
    await this.#flush();
    await Promise.all(this.#flights);
    this.#throwFailure();
    return this.written;
  }

  async #flush(): Promise<void> {
    const answers = this.#answers;
    [this.#answers, this.#orders] = [[], 0];
    while (this.#flights.size >= BATCHES_IN_FLIGHT) await Promise.race(this.#flights);
    this.#throwFailure();
    if (answers.length === 0) return;
    const flight = this.#write(answers).finally(() => this.#flights.delete(flight));
    this.#flights.add(flight);
  }

  /** A failed batch fails the collection at the next step; nothing of it was stored. */
  async #write(answers: readonly OrderAnswer[]): Promise<void> {
    try {
      const saved = await saveOrders(this.#db, { ...this.#save, answers }, (trx) => this.#claim.keep(trx));
      this.overtaken.push(...saved.overtaken);
      this.written.transferOrders += saved.transferOrders;
      this.written.withdrawals += saved.withdrawals;
      this.written.changed += saved.changed;
      for (const { unit, reason } of saved.failures) {
        this.written.failed += 1;
        if (this.written.failed > FAILURES_LOGGED_MAX) continue;
        this.#log.error({ event: 'order.failed', ...fieldsOf(unit), reason });
      }
    } catch (error) {
      this.#failure ??= error instanceof Error ? error : new Error(String(error));
    }
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }
}

/** Numbers go into the log under the names that are not masked. */
function fieldsOf({ kind, numberKind, number }: UnitKey): Record<string, string> {
  if (kind === 'batch') return numberKind === 'out' ? { outBatchNo: number } : { batchNo: number };
  return numberKind === 'out' ? { outOrderNo: number } : { orderNo: number };
}
