/**
 * A company whose vouchers are archived: what happened is on the real sandbox and in the books, as a night collected
 * it, and each piece of work runs in a process of its own.
 */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Progress } from '../../../jobs/context/progress.ts';
import { RUN_LEASE } from '../../../jobs/night/prove/prove-run.ts';
import { underLease } from '../../../jobs/context/under-lease.ts';
import { fetchVouchers } from '../../../jobs/night/vouchers/voucher-fetch.ts';
import type { Fetched } from '../../../jobs/night/vouchers/voucher-fetch.ts';
import type { VoucherRun } from '../../../jobs/night/vouchers/voucher-run.ts';
import { archiveVouchers } from '../../../jobs/commands/vouchers.ts';
import type { VoucherReport } from '../../../jobs/night/vouchers/voucher-step.ts';
import { fillVoucherDue } from '../../../src/store/vouchers/voucher-due.ts';
import { Books } from './books.ts';
import { Night } from '../night.ts';
import type { NightOptions, Process } from '../night.ts';
import { lines } from './order-answers.ts';
import { OrderBooks } from './order-books.ts';

export interface ArchiveOptions {
  range?: { fromDay: string; toDay: string };
  isEveryBundle?: boolean;
  /** The process as it is to be: mortal, or with a disk that fills up. */
  as?: (process: Process) => Process;
}

export class VoucherNight {
  readonly night: Night;
  readonly #books: Books;
  readonly #orders: OrderBooks;

  private constructor(night: Night) {
    this.night = night;
    this.#books = new Books(night.db);
    this.#orders = new OrderBooks(night.db);
  }

  static async open(options: Partial<NightOptions> = {}): Promise<VoucherNight> {
    const night = await Night.open({ now: '2026-03-02 02:00:00', workbooks: 'each', ...options });
    await night.accounts({ no: 'P', heldFen: 10_000_000n }, { no: 'Q', heldFen: 0n });
    return new VoucherNight(night);
  }

  close(): Promise<void> {
    return this.night.close();
  }

  /** Deposits of account P, on the platform and collected. */
  async deposits(day: string, ...numbers: readonly string[]): Promise<void> {
    const seeds = numbers.map((orderNo, place) => ({
      orderNo,
      amountFen: 10_000n + BigInt(place),
      at: `${day} 10:00:${String(place % 60).padStart(2, '0')}`,
    }));
    this.night.deposits(
      ...seeds.map(({ orderNo, amountFen, at }) => ({
        orderNo,
        payeeAcctNo: 'P',
        amountFen,
        depositTime: at,
        payerName: '张三',
      })),
    );
    await this.#books.deposits(
      'P',
      seeds.map((seed) => ({ ...seed, payerName: '张三' })),
    );
  }

  /** A transfer order from P to Q, paid out where it is settled. */
  async transfer(outOrderNo: string, options: { isSettled?: boolean } = {}): Promise<void> {
    const order = { outOrderNo, orderNo: `N-${outOrderNo}`, payeeAcctNo: 'Q', amountFen: 50_000n };
    this.night.sandbox.seedTransfers([
      {
        outBatchNo: `B-${outOrderNo}`,
        payerAcctNo: 'P',
        submittedAt: '2026-03-01 09:00:00',
        orders: [{ ...order, settle: options.isSettled === true ? {} : null }],
      },
    ]);
    await this.#orders.transfer({
      out: outOrderNo,
      batch: `B-${outOrderNo}`,
      payer: 'P',
      payee: 'Q',
      amountFen: 50_000n,
      ...(options.isSettled === true && { settle: { state: 'moved' } }),
    });
  }

  async withdrawal(outOrderNo: string): Promise<void> {
    this.night.sandbox.seedWithdrawals([
      {
        outOrderNo,
        orderNo: `N-${outOrderNo}`,
        acctNo: 'P',
        amountFen: 5_000n,
        submittedAt: '2026-03-01 09:00:00',
      },
    ]);
    await this.#orders.withdrawal({ out: outOrderNo, account: 'P', amountFen: 5_000n });
  }

  /** Fills the list and fetches, without bundles. */
  fetch(runId = 'fetch-1', as: ArchiveOptions['as'] = (process) => process): Promise<Fetched> {
    return this.inProcess(async (opened) => {
      const job = as(opened);
      await fillVoucherDue(job.db, { timeZone: job.zone.name, autoWithdrawType: '2' });
      return underLease(job, RUN_LEASE, (held, lease) => {
        const run: VoucherRun = { runId, today: held.zone.dayOf(held.clock.wall()), lease };
        return fetchVouchers(held, run);
      });
    });
  }

  /** `recon vouchers`. */
  archive(options: ArchiveOptions = {}): Promise<VoucherReport> {
    const { range, isEveryBundle = false, as = (process: Process) => process } = options;
    return this.inProcess((process) => archiveVouchers(as(process), { range, isEveryBundle }));
  }

  async inProcess<T>(work: (process: Process) => Promise<T>): Promise<T> {
    const process = await this.night.process();
    try {
      return await work(process);
    } finally {
      await process.close();
    }
  }

  /** A killed process leaves its lease behind; on this machine the next one sees that it is no more. */
  async buryTheDead(): Promise<void> {
    await this.night.db.updateTable('lease').set({ pid: 2_147_483_646 }).execute();
  }

  dues(...more: readonly string[]): Promise<string[]> {
    return lines(this.night.db, 'voucher_due', ['kind', 'number', 'state', ...more]);
  }

  files(...more: readonly string[]): Promise<string[]> {
    return lines(this.night.db, 'voucher', ['number', 'file_no', 'condition', ...more]);
  }

  /** How often the platform was asked for a voucher. */
  asked(): number {
    return this.night.sandbox.requests().filter(({ path: asked }) => asked.endsWith('/get/transFiles'))
      .length;
  }

  /** Every file below RECON_HOME in that folder, in order. */
  async below(folder: string): Promise<string[]> {
    const root = path.join(this.night.home, folder);
    const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
      .toSorted();
  }
}

/** What long work said of itself: its name, its total and how often it stepped. */
export function countingProgress(said: string[]): Process['progress'] {
  return (task): Progress => {
    let [total, steps] = [0, 0];
    return {
      total: (units) => void (total = units),
      step: () => void (steps += 1),
      show: () => undefined,
      done: () => void said.push(`${task} ${steps}/${total}`),
    };
  };
}
