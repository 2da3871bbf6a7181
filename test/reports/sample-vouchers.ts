/**
 * A day whose vouchers were archived by the night after it, as the store keeps them: filed, of several files, one that
 * cannot be read, and all ways to have none; and the night that follows and changes most of it.
 */
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Day } from '../../src/core/time.ts';
import { saveRunFacts } from '../../src/store/runs/runs.ts';
import type { Db, VoucherCondition, VoucherKind } from '../../src/store/schema/schema.ts';
import { unitOfWork } from '../../src/store/database/unit-of-work.ts';
import { saveBundle } from '../../src/store/vouchers/voucher-bundles.ts';
import type { BundlePlace } from '../../src/store/vouchers/voucher-bundles.ts';
import type { DueVoucher } from '../../src/store/vouchers/voucher-choice.ts';
import { fillVoucherDue } from '../../src/store/vouchers/voucher-due.ts';
import { saveVoucherAnswers } from '../../src/store/vouchers/voucher-save.ts';
import type { VoucherAnswer } from '../../src/store/vouchers/voucher-save.ts';
import { highestWriteNo, progressOf } from '../../src/store/database/writing.ts';
import { partNameOf } from '../../src/vouchers/names.ts';
import { Books, at } from '../helpers/company/books.ts';
import { OrderBooks } from '../helpers/company/order-books.ts';
import { aFinding } from '../helpers/company/run-rows.ts';

export const A = '6217000000000000001';
export const B = '6217000000000000002';
export const RUN = 'nightly-2026-03-01-v1';

/** What a deposit number from outside may look like. */
export const HOSTILE = '=HYPERLINK("http://evil.example/","x")';
const PAYER = '@SUM(A1:A9)';

const ASSUMPTIONS = JSON.stringify(
  [
    ['retryDays', '30'],
    ['autoWithdrawType', '2'],
    ['kinds', '["deposit","transfer","withdrawal","settlement"]'],
  ].map(([key = '', value = '']) => ({
    key: `vouchers.${key}`,
    u: 'U51',
    value,
    default: value,
    changed: false,
    description: key,
  })),
);

export const pdf = (text: string): string => `%PDF-1.4\n${text}\n%%EOF\n`;
export const digestOf = (text: string): string => createHash('sha256').update(pdf(text)).digest('hex');

export class VoucherBooks {
  readonly #db: Db;
  readonly #home: string;

  constructor(db: Db, home: string) {
    this.#db = db;
    this.#home = home;
  }

  /** The day, its proof, and its vouchers as the night archived them. */
  async firstNight(): Promise<void> {
    await this.#theDay();
    await this.archive('2026-03-02 02:30:00', RUN, [
      this.files('D1', ['one']),
      this.files('D2', ['two', 'three']),
      this.files('D3', ['four'], 'encrypted', 'it is encrypted'),
      this.none('D4', 'the platform refused: 404 not ready'),
      { ...this.files('D6', ['junk'], 'rejected', 'something follows its end'), firstAskedDay: '2026-01-30' },
      this.files(HOSTILE, ['five']),
      this.files('T1', ['one'], 'whole', '', 'transfer'),
      {
        ...this.none('T1', 'the platform refused: 404 unknown', 'settlement'),
        isForGood: true,
        accountNo: B,
      },
      this.files('W1', ['six'], 'whole', '', 'withdrawal'),
    ]);
    await this.#bundle(1, '2026-03-02 02:40:00', [
      { kind: 'deposit', number: 'D1', fileNo: 1, part: 1, page: 3 },
      { kind: 'deposit', number: 'D2', fileNo: 1, part: 1, page: 4 },
      { kind: 'deposit', number: 'D2', fileNo: 2, part: 2, page: 2 },
      { kind: 'deposit', number: 'D4', fileNo: 0, part: 2, page: 5 },
    ]);
    await this.keepFacts(RUN, '2026-03-02 02:45:00');
  }

  /** Most of what was missing comes, another version of the bundle is made, and a late deposit of the day appears. */
  async nextNight(): Promise<void> {
    await new Books(this.#db).deposits(A, [{ orderNo: 'D9', at: '2026-03-01 15:00:00', amountFen: 900n }]);
    await this.archive('2026-03-03 02:30:00', 'nightly-2026-03-02-v1', [
      { ...this.files('D4', ['seven']), firstAskedDay: '2026-03-02' },
      this.files('D5', ['one']),
      { ...this.files('D6', ['eight']), firstAskedDay: '2026-01-30' },
      this.none('D9', 'the answer holds no file'),
    ]);
    await this.#bundle(2, '2026-03-03 02:40:00', [
      { kind: 'deposit', number: 'D1', fileNo: 1, part: 1, page: 7 },
    ]);
  }

  async #theDay(): Promise<void> {
    const books = new Books(this.#db);
    const orders = new OrderBooks(this.#db);
    for (const account of [A, B]) {
      await books.account(account, { fen: 100_000n, at: '2026-03-01 00:00:00' });
      await books.proven(account, '2026-03-01', '2026-03-03');
    }
    const deposit = (orderNo: string, hour: string, amountFen: bigint) => ({
      orderNo,
      amountFen,
      at: `2026-03-01 ${hour}:00:00`,
      payerName: PAYER,
    });
    await books.deposits(A, [
      deposit('D1', '08', 1_000n),
      deposit('D2', '09', 2_000n),
      deposit('D3', '10', 3_000n),
      deposit('D4', '11', 4_000n),
      deposit('D5', '12', 5_000n),
      deposit('D6', '13', 6_000n),
      deposit(HOSTILE, '14', 7_000n),
    ]);
    const finalAt = '2026-03-01 10:05:00';
    const between = { payer: A, payee: B, submittedAt: '2026-03-01 10:00:00' };
    await orders.transfer({
      ...between,
      out: 'T1',
      amountFen: 10_000n,
      finalAt,
      settle: { state: 'moved', finalAt },
    });
    await orders.transfer({ ...between, out: 'T2', amountFen: 500n, finalAt, state: 'failed' });
    await orders.withdrawal({
      account: A,
      out: 'W1',
      amountFen: 700n,
      submittedAt: '2026-03-01 11:00:00',
      finalAt,
    });
    await books.balance(A, { at: '2026-03-02 00:00:10', fen: 117_300n });
    await books.balance(B, { at: '2026-03-02 00:00:10', fen: 100_000n });
    await books.night('2026-03-01');
    const writtenUpTo = Number(await progressOf(this.#db, 'match'));
    await saveRunFacts(this.#db, RUN, JSON.stringify({ writtenUpTo }));
    await this.#db.updateTable('run').set({ assumptions: ASSUMPTIONS }).where('run_id', '=', RUN).execute();
    await aFinding(this.#db, {
      run_id: RUN,
      account_no: A,
      break_id: 'B-D6',
      item_key: 'voucher_missing:deposit:D6',
      class: 'voucher_missing',
      severity: 'attention',
      reference: 'D6',
      line: false,
      difference_fen: 0n,
      note: 'the answer holds no file',
    });
  }

  async keepFacts(runId: string, endedAt: string): Promise<void> {
    const writtenUpTo = Number(await unitOfWork(this.#db, highestWriteNo));
    await saveRunFacts(
      this.#db,
      runId,
      JSON.stringify({ vouchers: { writtenUpTo, endedAt: at(endedAt), bundles: [{ path: 'x' }] } }),
    );
  }

  async archive(askedAt: string, runId: string, asked: readonly Asked[]): Promise<void> {
    await fillVoucherDue(this.#db, { timeZone: 'Asia/Shanghai', autoWithdrawType: '2' });
    const answers = asked.map((one) => this.#answer(one, askedAt));
    const today: Day = askedAt.slice(0, 10);
    await saveVoucherAnswers(this.#db, { runId, today, retryDays: 30, answers });
    for (const text of asked.flatMap(({ texts }) => texts)) {
      const sha256 = digestOf(text);
      await this.#write(`vouchers/${sha256.slice(0, 2)}/${sha256}.pdf`, pdf(text));
    }
  }

  files(
    number: string,
    texts: readonly string[],
    condition: VoucherCondition = 'whole',
    remark = '',
    kind: VoucherKind = 'deposit',
  ): Asked {
    return { number, texts, condition, remark, kind, accountNo: A };
  }

  none(number: string, reason: string, kind: VoucherKind = 'deposit'): Asked {
    return { number, texts: [], condition: 'whole', remark: reason, kind, accountNo: A };
  }

  #answer(asked: Asked, askedAt: string): VoucherAnswer {
    const {
      accountNo,
      kind,
      number,
      texts,
      condition,
      remark,
      firstAskedDay = null,
      isForGood = false,
    } = asked;
    const unit: DueVoucher = { accountNo, kind, number, orderNo: number, month: '2026-03', firstAskedDay };
    const of = { unit, askedAt: at(askedAt) };
    if (texts.length === 0) return { ...of, kind: 'refused', reason: remark, isForGood };
    const files = texts.map((text, place) => ({
      fileNo: place + 1,
      sha256: digestOf(text),
      bytes: pdf(text).length,
      pages: condition === 'whole' ? 1 : null,
      condition,
      remark,
    }));
    return { ...of, kind: 'files', files, reqId: 'r1' };
  }

  async #bundle(
    version: number,
    madeAt: string,
    places: readonly Omit<BundlePlace, 'orderAccountNo' | 'pages'>[],
  ): Promise<void> {
    const parts = [1, 2].map((part) => ({
      path: `bundles/2026-03/${A}/${partNameOf({ accountNo: A, month: '2026-03', part })}`,
      sha256: 'b'.repeat(64),
      pages: 9,
      files: 2,
    }));
    for (const part of parts) await this.#write(part.path, pdf('bundle'));
    await saveBundle(
      this.#db,
      {
        accountNo: A,
        month: '2026-03',
        version,
        contentSha256: String(version),
        parts,
        manifestSha256: 'c'.repeat(64),
        pages: 18,
        files: 4,
        missing: 1,
        madeAt: at(madeAt),
        runId: `run-${version}`,
        places: places.map((place) => ({ ...place, orderAccountNo: A, pages: 1 })),
      },
      { mark: undefined, fence: async () => {} },
    );
  }

  async #write(name: string, text: string): Promise<void> {
    const file = path.join(this.#home, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

interface Asked {
  accountNo: string;
  kind: VoucherKind;
  number: string;
  /** What each file holds; none: refused. */
  texts: readonly string[];
  condition: VoucherCondition;
  remark: string;
  firstAskedDay?: Day;
  isForGood?: boolean;
}
