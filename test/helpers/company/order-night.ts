/** A night with orders: account P pays Q on the sandbox, the company registers, the job collects. */
import { collectOrders } from '../../../jobs/night/collect/collect-orders.ts';
import type { CollectedOrders, OrderRun } from '../../../jobs/night/collect/collect-orders.ts';
import type { TransferSeed, WithdrawalSeed } from '../../../src/sandbox/orders/order-schema.ts';
import { Night, at } from '../night.ts';
import type { Process } from '../night.ts';
import { lines } from './order-answers.ts';
import { register } from './order-registering.ts';

export const RUN: OrderRun = { runId: 'night-1', toDay: '2026-03-01', today: '2026-03-02' };

export class OrderNight {
  readonly night: Night;
  job: Process;

  private constructor(night: Night, job: Process) {
    this.night = night;
    this.job = job;
  }

  static async open(): Promise<OrderNight> {
    const night = await Night.open({ now: '2026-03-02 02:00:00' });
    await night.accounts({ no: 'P', heldFen: 10_000_000n }, { no: 'Q', heldFen: 0n });
    return new OrderNight(night, await night.process());
  }

  async close(): Promise<void> {
    await this.job.close();
    await this.night.close();
  }

  /** Another process, under another profile. */
  async profile(over: object): Promise<void> {
    await this.job.close();
    await this.night.profile(over);
    this.job = await this.night.process();
  }

  /** A batch of orders of 100 yuan each, submitted at nine, and what the test cares about. */
  batch(
    no: string,
    orders: readonly Partial<TransferSeed['orders'][number]>[],
    over: Partial<TransferSeed> = {},
  ): void {
    const seeded = orders.map((order, place) => ({
      outOrderNo: `${no}-${place + 1}`,
      payeeAcctNo: 'Q',
      amountFen: 10_000n,
      ...order,
    }));
    const submittedAt = '2026-03-01 09:00:00';
    this.night.sandbox.seedTransfers([
      { outBatchNo: no, payerAcctNo: 'P', submittedAt, orders: seeded, ...over },
    ]);
  }

  withdrawal(no: string, over: Partial<WithdrawalSeed> = {}): void {
    const usual = { acctNo: 'P', amountFen: 5_000n, submittedAt: '2026-03-01 10:00:00' };
    this.night.sandbox.seedWithdrawals([{ outOrderNo: no, ...usual, ...over }]);
  }

  /** Registers the first order of each batch. */
  registerBatches(...numbers: readonly string[]): Promise<void> {
    return register(
      this.night.db,
      ...numbers.map((no) => ({
        kind: 'transfer' as const,
        out_batch_no: no,
        out_order_no: `${no}-1`,
        payer_account_no: 'P',
        submitted_at: at('2026-03-01 09:00:00'),
      })),
    );
  }

  registerWithdrawals(...numbers: readonly string[]): Promise<void> {
    const registered = numbers.map(
      (no) => ({ kind: 'withdrawal', out_order_no: no, payer_account_no: 'P' }) as const,
    );
    return register(this.night.db, ...registered);
  }

  collect(over: Partial<OrderRun> = {}): Promise<CollectedOrders> {
    return collectOrders(this.job, { ...RUN, ...over });
  }

  /** The night of that day of March, two o'clock. */
  collectOn(date: string): Promise<CollectedOrders> {
    this.night.moveTo(`2026-03-${date} 02:00:00`);
    const toDay = `2026-03-${String(Number(date) - 1).padStart(2, '0')}`;
    return this.collect({ runId: `night-${date}`, toDay, today: `2026-03-${date}` });
  }

  orders(): Promise<string[]> {
    return lines(this.night.db, 'transfer_order', [
      'out_order_no',
      'effective_state',
      'settlement',
      'refund_fen',
    ]);
  }

  dues(): Promise<string[]> {
    return lines(this.night.db, 'order_due', ['number_kind', 'number', 'state', 'next_day', 'asked_run']);
  }

  /** How often the platform was asked at that path. */
  asked(path: string): number {
    return this.night.sandbox.requests().filter((request) => request.path.endsWith(path)).length;
  }
}

/** Whether an instant lies between two local times of the service; our clock runs on while a test works. */
export function isBetween(instant: string | null, from: string, to: string): boolean {
  return instant !== null && instant >= at(from) && instant <= at(to);
}
