/** The due list of account P in a test database: what gets on it, what is chosen of it, and what answers make of it. */
import type { Db } from '../../../src/store/schema/schema.ts';
import { listDueVouchers } from '../../../src/store/vouchers/voucher-choice.ts';
import type { DueVoucher, VoucherFilter } from '../../../src/store/vouchers/voucher-choice.ts';
import { fillVoucherDue } from '../../../src/store/vouchers/voucher-due.ts';
import { saveVoucherAnswers } from '../../../src/store/vouchers/voucher-save.ts';
import type { VoucherAnswer, VoucherFile } from '../../../src/store/vouchers/voucher-save.ts';
import { Books } from './books.ts';
import { lines } from './order-answers.ts';
import { OrderBooks } from './order-books.ts';
import { at } from '../service-time.ts';

export const TODAY = '2026-03-02';
export const KINDS = ['deposit', 'transfer', 'withdrawal', 'settlement'] as const;
export const WHOLE = { bytes: 40_000, pages: 1, condition: 'whole', remark: '' } as const;
export const ALL_MONTHS = { from: '0000-00', to: '9999-12' };

export type Answered =
  | { files: readonly Partial<VoucherFile>[] }
  | { refused: string; isForGood?: boolean }
  | { unanswered: string };

export function filter(over: Partial<VoucherFilter> = {}): VoucherFilter {
  return { today: TODAY, kinds: KINDS, window: undefined, ...over };
}

export class VoucherList {
  readonly #db: Db;
  readonly books: Books;
  readonly orders: OrderBooks;

  constructor(db: Db) {
    this.#db = db;
    this.books = new Books(db);
    this.orders = new OrderBooks(db);
  }

  dues(...more: string[]): Promise<string[]> {
    return lines(this.#db, 'voucher_due', ['kind', 'number', 'state', ...more]);
  }

  files(...more: string[]): Promise<string[]> {
    return lines(this.#db, 'voucher', ['number', 'file_no', 'sha256', 'condition', ...more]);
  }

  fill(): Promise<void> {
    return fillVoucherDue(this.#db, { timeZone: 'Asia/Shanghai', autoWithdrawType: '2' });
  }

  /** Deposits of the first of March. */
  async deposits(...numbers: readonly string[]): Promise<void> {
    await this.books.deposits(
      'P',
      numbers.map((orderNo, place) => ({ orderNo, at: `2026-03-01 10:00:0${place}`, amountFen: 100n })),
    );
    await this.fill();
  }

  choose(over: Partial<VoucherFilter> = {}, limit = 100, after?: DueVoucher): Promise<DueVoucher[]> {
    return listDueVouchers(this.#db, filter(over), { after, limit });
  }

  /** Whatever was answered for it before. */
  async unitOf(number: string): Promise<DueVoucher> {
    const window = { from: at('2020-01-01 00:00:00'), to: at('2030-01-01 00:00:00') };
    const found = (await this.choose({ window })).find((unit) => unit.number === number);
    if (found === undefined) throw new Error(`${number} is not on the list`);
    return found;
  }

  /** In the night of that day, whose vouchers are asked for during three days. */
  async answer(number: string, answered: Answered, day = TODAY): Promise<void> {
    const asked = { unit: await this.unitOf(number), askedAt: at(`${day} 02:00:00`) };
    const save = { runId: `night-${day}`, today: day, retryDays: 3 };
    await saveVoucherAnswers(this.#db, { ...save, answers: [answerOf(number, asked, answered)] });
  }
}

function answerOf(
  number: string,
  asked: Pick<VoucherAnswer, 'unit' | 'askedAt'>,
  answered: Answered,
): VoucherAnswer {
  if ('refused' in answered) {
    const { refused: reason, isForGood = false } = answered;
    return { kind: 'refused', ...asked, reason, isForGood };
  }
  if ('unanswered' in answered) return { kind: 'unanswered', ...asked, reason: answered.unanswered };
  const files = answered.files.map((file, place) => {
    const usual = { ...WHOLE, fileNo: place + 1, sha256: `${number}-${place}` };
    return { ...usual, ...file };
  });
  return { kind: 'files', ...asked, reqId: 'r1', files };
}
