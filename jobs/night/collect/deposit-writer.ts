/**
 * Gathers deposits of many windows into batches of thousands and writes them, two batches at a time. A window
 * is recorded as verified only in the batch that holds its last rows, and only when all its earlier rows are
 * committed: the proof is never ahead of the data.
 */
import { saveDeposits } from '../../../src/store/deposits/deposits.ts';
import type { DepositFact, SavedCount } from '../../../src/store/deposits/deposits.ts';
import type { RecordFault } from '../../../src/store/deposits/record-faults.ts';
import type { Db } from '../../../src/store/schema/schema.ts';
import type { ReadWindow } from '../../../src/store/deposits/windows.ts';
import type { Day } from '../../../src/core/time.ts';
import type { Claim } from '../../units/unit.ts';

/** Between one and five thousand rows a statement is where bulk loading pays. */
const ROWS_PER_BATCH = 5_000;
/** Small windows wait for company, but not for ever. */
const WINDOWS_PER_BATCH = 200;
const BATCHES_IN_FLIGHT = 2;

/** The rows of one window on their way; `flights` are the batches that hold some and are not committed yet. */
export class WindowInFlight {
  readonly flights: Set<Promise<void>>;
  /** Its rows may be other ones by now than those that are on their way. */
  isReadAgain: boolean;

  /** @param former the window that it is a part of, where that was read and did not settle */
  constructor(former?: WindowInFlight) {
    this.flights = former?.flights ?? new Set();
    this.isReadAgain = former !== undefined;
  }
}

export class DepositWriter {
  readonly #db: Db;
  readonly #run: { runId: string; day: Day };
  readonly #claim: Claim;
  readonly saved: SavedCount = { added: 0, changed: 0 };
  #deposits: DepositFact[] = [];
  #faults: RecordFault[] = [];
  #windows: ReadWindow[] = [];
  #members = new Set<WindowInFlight>();
  readonly #flights = new Set<Promise<void>>();
  #failure: Error | undefined;

  constructor(db: Db, run: { runId: string; day: Day }, claim: Claim) {
    this.#db = db;
    this.#run = run;
    this.#claim = claim;
  }

  /** Takes rows of a window; waits while two batches are being written. */
  async add(
    window: WindowInFlight,
    deposits: readonly DepositFact[],
    faults: readonly RecordFault[],
  ): Promise<void> {
    if (deposits.length + faults.length === 0) return;
    for (const deposit of deposits) this.#deposits.push(deposit);
    this.#faults.push(...faults);
    this.#members.add(window);
    if (this.#deposits.length >= ROWS_PER_BATCH) await this.#flush();
  }

  /** Records the window as verified, not before its rows. */
  async finish(window: WindowInFlight, proof: ReadWindow): Promise<void> {
    while (window.flights.size > 0) await Promise.all(window.flights);
    this.#throwFailure();
    this.#windows.push(proof);
    if (this.#windows.length >= WINDOWS_PER_BATCH) await this.#flush();
  }

  /** Writes what is left and waits for everything. */
  async close(): Promise<SavedCount> {
    await this.#flush();
    await Promise.all(this.#flights);
    this.#throwFailure();
    return this.saved;
  }

  async #flush(): Promise<void> {
    while (this.#flights.size >= BATCHES_IN_FLIGHT || this.#isBehind()) await Promise.race(this.#flights);
    this.#throwFailure();
    if (this.#deposits.length + this.#faults.length + this.#windows.length === 0) return;
    const batch = { ...this.#run, deposits: this.#deposits, faults: this.#faults, windows: this.#windows };
    const members = this.#members;
    [this.#deposits, this.#faults, this.#windows, this.#members] = [[], [], [], new Set()];
    const flight = this.#write(batch).finally(() => {
      this.#flights.delete(flight);
      for (const member of members) member.flights.delete(flight);
    });
    this.#flights.add(flight);
    for (const member of members) member.flights.add(flight);
  }

  /** What is read later is stored later: a batch that is stored at the second try may be slower than the next one. */
  #isBehind(): boolean {
    return [...this.#members].some((window) => window.isReadAgain && window.flights.size > 0);
  }

  /** A failed batch fails the collection at the next step; nothing of it was stored. */
  async #write(batch: Parameters<typeof saveDeposits>[1]): Promise<void> {
    try {
      const { added, changed } = await saveDeposits(this.#db, batch, (trx) => this.#claim.keep(trx));
      this.saved.added += added;
      this.saved.changed += changed;
    } catch (error) {
      this.#failure ??= error instanceof Error ? error : new Error(String(error));
    }
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }
}
