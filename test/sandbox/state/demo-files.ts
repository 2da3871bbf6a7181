/** The demo's month, the company's files as a reader of CSV sees them, and the platform's answers at an instant. */
import { Zone } from '../../../src/core/time.ts';
import { createSandbox } from '../../../src/sandbox/server/create-sandbox.ts';
import { demoBooks } from '../../../src/sandbox/scenarios/demo-books.ts';
import { demoScenario } from '../../../src/sandbox/scenarios/demo.ts';
import { ask, rows } from '../caller.ts';
import type { Answered, Members } from '../caller.ts';

export const THROUGH = '2026-03-31';
const ZONE = new Zone('Asia/Shanghai');

export const scenario = demoScenario({ seed: 1, through: THROUGH, timeZone: 'Asia/Shanghai' });
export const [firstNight, secondNight] = scenario.nights;
export const books = demoBooks(scenario);

export type Row = Record<string, string>;

export function readCsv(text: string): Row[] {
  const [header = '', ...lines] = text.trimEnd().split('\n');
  const names = header.split(',');
  return lines.map((line) =>
    Object.fromEntries(line.split(',').map((cell, place) => [names[place] ?? '', cell])),
  );
}

export function fenOf(yuan: string | undefined): number {
  return Math.round(Number(yuan) * 100);
}

export const ledger = readCsv(books.ledgerCsv).map((row) => ({
  accountNo: row['account_no'] ?? '',
  kind: row['kind'] ?? '',
  fen: fenOf(row['amount_yuan']),
  reference: row['reference'] ?? '',
  batch: row['out_batch_no'] ?? '',
  bookedAt: row['booked_at'] ?? '',
  status: row['status'] ?? '',
}));

/** The ledger's balance at a cut: posted entries booked before it. */
export function ledgerBalance(accountNo: string, cut: string): number {
  return ledger
    .filter((entry) => entry.accountNo === accountNo && entry.status === 'posted' && entry.bookedAt < cut)
    .reduce((sum, entry) => sum + entry.fen, 0);
}

/** One who asks the demo's platform when its clock stands at that instant. */
export class PlatformAt {
  readonly #sandbox: ReturnType<typeof createSandbox>;
  readonly #reqTime: { reqTime: string };

  constructor(at: string) {
    this.#sandbox = createSandbox({ now: at, scenario: { name: 'demo', through: THROUGH } });
    this.#reqTime = { reqTime: ZONE.compactText(at) };
  }

  ask(endpoint: string, biz: unknown): Answered {
    return ask(this.#sandbox, endpoint, biz, this.#reqTime);
  }

  /** `[balance, frozen]` */
  money(accountNo: string): [unknown, unknown] {
    const { balance, frozen } = this.ask('acct/queryInfo', { accountNo }).biz;
    return [balance, frozen];
  }

  /** All deposits of the month and of the night after it. */
  deposits(accountNo: string): Members[] {
    const listed: Members[] = [];
    for (let page = 1; page <= 5; page++) {
      const span = { startDate: '2026-03-02', endDate: '2026-04-01', page, pageSize: 100 };
      listed.push(...rows(this.ask('query/deposit', { ...span, payeeAcctNo: accountNo })));
    }
    return listed;
  }

  /** The batch's label and orders; undefined when the platform does not know it. */
  batch(outBatchNo: string): { label: unknown; orders: Members[] } | undefined {
    const answer = this.ask('division/query', { outBatchNo });
    if (!answer.ok) return undefined;
    return { label: answer.biz['state'], orders: JSON.parse(String(answer.biz['orderList'])) as Members[] };
  }

  /** One order of a batch, by the company's number, which begins like its batch's. */
  order(outOrderNo: string): Members | undefined {
    const outBatchNo = `PB${outOrderNo.slice(2, -3)}`;
    return this.batch(outBatchNo)?.orders.find((order) => order['outOrderNo'] === outOrderNo);
  }

  /** Retries its settlement. @returns what came of it at once */
  retry(outOrderNo: string): unknown {
    return this.ask('order/settle', { outOrderNo, remark: 'recon retry 1' }).biz['state'];
  }

  withdrawal(outOrderNo: string): Members | undefined {
    const answer = this.ask('account/queryWithdraw', { outOrderNo });
    return answer.ok ? answer.biz : undefined;
  }
}
