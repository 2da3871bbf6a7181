/**
 * Gathers what asking for vouchers brought into batches of some hundred orders and writes them, two batches at a
 * time. The originals are in the archive before their rows are written: a row never names a file that is not there.
 */
import { saveVoucherAnswers } from '../../../src/store/vouchers/voucher-save.ts';
import type { VoucherAnswer, VoucherSave } from '../../../src/store/vouchers/voucher-save.ts';
import type { Db } from '../../../src/store/schema/schema.ts';

/** What a killed process asks for again at most, twice over; a row a transaction would cost a third of the night. */
const ANSWERS_PER_BATCH = 200;
const BATCHES_IN_FLIGHT = 2;

export class VoucherWriter {
  readonly #db: Db;
  readonly #save: Omit<VoucherSave, 'answers'>;
  #answers: VoucherAnswer[] = [];
  readonly #flights = new Set<Promise<void>>();
  #failure: Error | undefined;

  constructor(db: Db, save: Omit<VoucherSave, 'answers'>) {
    this.#db = db;
    this.#save = save;
  }

  /** Takes an answer; waits while two batches are being written. */
  async add(answer: VoucherAnswer): Promise<void> {
    this.#answers.push(answer);
    if (this.#answers.length >= ANSWERS_PER_BATCH) await this.#flush();
  }

  /** Writes what is left and waits for everything. */
  async close(): Promise<void> {
    await this.#flush();
    await Promise.all(this.#flights);
    this.#throwFailure();
  }

  async #flush(): Promise<void> {
    const answers = this.#answers;
    this.#answers = [];
    while (this.#flights.size >= BATCHES_IN_FLIGHT) await Promise.race(this.#flights);
    this.#throwFailure();
    if (answers.length === 0) return;
    const flight = this.#write(answers).finally(() => this.#flights.delete(flight));
    this.#flights.add(flight);
  }

  /** A failed batch fails the fetching at the next step; nothing of it was stored. */
  async #write(answers: readonly VoucherAnswer[]): Promise<void> {
    try {
      await saveVoucherAnswers(this.#db, { ...this.#save, answers });
    } catch (error) {
      this.#failure ??= error instanceof Error ? error : new Error(String(error));
    }
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }
}
