/**
 * A company's trade over some days: what it does on the platform is there from the beginning and happens in its
 * time; what it registers and books is handed in when the company would know it.
 */
import type { NightOutcome } from './findings.ts';
import { addDays } from '../../src/core/time.ts';
import type { TransferSeed, WithdrawalSeed } from '../../src/sandbox/orders/order-schema.ts';
import type { BookLine, OrderLine } from './company/company-files.ts';
import { Night } from './night.ts';
import type { NightOptions } from './night.ts';

/** A company whose accounts held, and had in the books, these amounts when that day began. */
export async function openTrade(
  day: string,
  openings: Readonly<Record<string, bigint>>,
  options: Omit<NightOptions, 'now'> & { autoSettle?: readonly string[] } = {},
): Promise<{ night: Night; trade: Trade }> {
  const { autoSettle = [], ...nightOptions } = options;
  const night = await Night.open({ ...nightOptions, now: `${day} 08:00:00` });
  await night.accounts(
    ...Object.entries(openings).map(([no, fen]) => ({
      no,
      opening: { fen, at: `${day} 00:00:00` },
      autoSettle: autoSettle.includes(no),
    })),
  );
  return { night, trade: new Trade(night) };
}

export class Trade {
  readonly #night: Night;
  #orders: OrderLine[] = [];
  #entries: BookLine[] = [];
  #booked = 0;

  constructor(night: Night) {
    this.#night = night;
  }

  /** Batches that are registered as they are submitted. */
  transfers(...seeds: readonly TransferSeed[]): void {
    this.#night.sandbox.seedTransfers(seeds);
    this.#orders.push(...seeds.flatMap(registeredTransfers));
  }

  withdrawals(...seeds: readonly WithdrawalSeed[]): void {
    this.#night.sandbox.seedWithdrawals(seeds);
    this.#orders.push(
      ...seeds.map(({ outOrderNo, acctNo, amountFen, submittedAt }) => ({
        kind: 'withdrawal' as const,
        outOrderNo,
        payer: acctNo,
        fen: BigInt(amountFen),
        submittedAt,
      })),
    );
  }

  /** What the company registers beside what is on the platform. */
  registers(...lines: readonly OrderLine[]): void {
    this.#orders.push(...lines);
  }

  /** `account kind reference fen day time`, and a batch number where the books give one. */
  books(...lines: readonly string[]): void {
    this.#entries.push(...lines.map((line) => bookLine(line, `E${++this.#booked}`)));
  }

  /** The night of that day at two in the morning after it, with all that the company knows by then. */
  async night(day: string): Promise<NightOutcome> {
    await this.until(`${addDays(day, 1)} 02:00:00`);
    return this.#night.night(day);
  }

  /** The same as the cron calls it: failed settlements are retried. */
  async settlingNight(day: string): Promise<NightOutcome> {
    await this.until(`${addDays(day, 1)} 02:00:00`);
    return this.#night.settlingNight(day);
  }

  /** Balances and open orders as they are a few seconds after midnight, when that day begins. */
  async snapshot(day: string): Promise<void> {
    await this.until(`${day} 00:00:05`);
    await this.#night.snapshot();
  }

  /** Moves the clock and hands in what the company knows by then. */
  async until(now: string): Promise<void> {
    this.#night.moveTo(now);
    const [orders, entries] = [
      this.#orders.filter(({ submittedAt }) => submittedAt < now),
      this.#entries.filter(({ at }) => at < now),
    ];
    this.#orders = this.#orders.filter((order) => !orders.includes(order));
    this.#entries = this.#entries.filter((entry) => !entries.includes(entry));
    if (orders.length > 0) await this.#night.orders(...orders);
    if (entries.length > 0) await this.#night.entries(entries);
  }
}

function registeredTransfers({ outBatchNo, payerAcctNo, submittedAt, orders }: TransferSeed): OrderLine[] {
  return orders.map(({ outOrderNo, payeeAcctNo, amountFen }) => ({
    kind: 'transfer',
    outBatchNo,
    outOrderNo,
    payer: payerAcctNo,
    payee: payeeAcctNo,
    fen: BigInt(amountFen),
    submittedAt,
  }));
}

function bookLine(line: string, id: string): BookLine {
  const [account = '', kind = '', reference = '', fen = '', day = '', time = '', outBatchNo] =
    line.split(' ');
  return {
    id,
    account,
    kind,
    reference,
    fen: BigInt(fen),
    at: `${day} ${time}:00`,
    ...(outBatchNo !== undefined && { outBatchNo }),
  };
}

/** The four numbers of each account: `P 30 = 0 + 10 + 20`, difference = opening difference + lines + unexplained. */
export function fourNumbersOf({ result }: NightOutcome): string[] {
  return result.accounts.map(
    ({ accountNo, differenceFen, openingDifferenceFen, lineDifferenceFen, unexplainedFen }) =>
      `${accountNo} ${differenceFen} = ${openingDifferenceFen} + ${lineDifferenceFen} + ${unexplainedFen}`,
  );
}

/** What each account holds at the cut, as it counts: `P 1000`. */
export function closingsOf({ result }: NightOutcome): string[] {
  return result.accounts.map(({ accountNo, platformFen }) => `${accountNo} ${platformFen}`);
}

/** The movements of all accounts: `account key delta`, fees in brackets. */
export async function movementsOf({ db }: Night): Promise<string[]> {
  const rows = await db
    .selectFrom('movement')
    .selectAll()
    .orderBy('account_no')
    .orderBy('dedup_key')
    .execute();
  return rows.map(
    (row) =>
      `${row.account_no} ${row.dedup_key} ${row.delta_fen}${row.fee_fen === 0n ? '' : ` (${row.fee_fen})`}`,
  );
}
