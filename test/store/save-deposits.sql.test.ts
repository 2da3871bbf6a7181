/** Each fact of a deposit is kept once, in whatever batches it comes again (DEP-12, P2, P3). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { contentOf } from '../../src/core/records/deposit-content.ts';
import type { DepositContent } from '../../src/core/records/deposit-content.ts';
import { digestOf } from '../../src/platform/digest-sum.ts';
import { saveDeposits } from '../../src/store/deposits/deposits.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import { factOf } from '../helpers/company/deposit-line.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { emptyTables } from '../helpers/dump.ts';
import { fc, runs } from '../helpers/properties.ts';

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
});
afterAll(() => database.close());
beforeEach(() => emptyTables(db, 'all'));

const deposit = (orderNo: string, amountFen: number) =>
  factOf('A', { orderNo, amountFen: BigInt(amountFen), at: '2026-03-01 10:00:00' });

const save = (deposits: readonly [orderNo: string, amountFen: number][], reading = 'run-1') =>
  saveDeposits(db, {
    runId: reading,
    day: '2026-03-01',
    deposits: deposits.map(([orderNo, amountFen]) => deposit(orderNo, amountFen)),
    faults: [],
    windows: [],
  });

test('whatever comes again and in whatever order, the last word stands and every former one is kept', async () => {
  // A batch is drawn as what each of its records states now; more records than are looked up first.
  const batch = fc.dictionary(
    fc.integer({ min: 0, max: 59 }).map((no) => `D${no}`),
    fc.integer({ min: 1, max: 3 }),
    { maxKeys: 60, size: 'max' },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 6, size: 'max' }), async (batches) => {
      await emptyTables(db, 'all');
      const told = new Map<string, number[]>();
      for (const one of batches) {
        const records = Object.entries(one);
        const added = records.filter(([orderNo]) => !told.has(orderNo)).length;
        const changed = records.filter(
          ([orderNo, fen]) => told.has(orderNo) && told.get(orderNo)?.at(-1) !== fen,
        );
        expect(await save(records)).toEqual({ added, changed: changed.length });
        for (const [orderNo, fen] of records) {
          const before = told.get(orderNo) ?? [];
          if (before.at(-1) !== fen) told.set(orderNo, [...before, fen]);
        }
      }
      const stored = await db.selectFrom('deposit').select(['order_no', 'amount_fen', 'version']).execute();
      const former = await db
        .selectFrom('deposit_version')
        .select(['order_no', 'amount_fen', 'version'])
        .orderBy('version')
        .execute();
      const kept = [...told].map(([orderNo]) => {
        const versions = [...former, ...stored].filter((row) => row.order_no === orderNo);
        return [orderNo, versions.map((row) => Number(row.amount_fen))];
      });
      expect(new Map(kept as [string, number[]][])).toEqual(told);
      expect(stored).toHaveLength(told.size);
    }),
    { numRuns: runs(60) },
  );
});

test('P3: of forty records that were read before, one restated and two new ones are written, and nothing else', async () => {
  const known = Array.from({ length: 40 }, (_, no): [string, number] => [`D${no}`, 100]);
  expect(await save(known)).toEqual({ added: 40, changed: 0 });
  const numbers = async () =>
    new Map(
      (await db.selectFrom('deposit').select(['order_no', 'written_no']).execute()).map((row) => [
        row.order_no,
        row.written_no,
      ]),
    );
  const before = await numbers();
  const again = known.map(([no, fen]): [string, number] => [no, no === 'D17' ? fen + 1 : fen]);
  expect(await save([['E1', 5], ...again, ['E2', 5]])).toEqual({ added: 2, changed: 1 });
  const after = await numbers();
  const written = [...after].filter(([no, writtenNo]) => before.get(no) !== writtenNo).map(([no]) => no);
  expect(written.toSorted()).toEqual(['D17', 'E1', 'E2']);
});

test('whatever a record states is in the table member for member, and is known when it comes again', async () => {
  const sign = fc.constantFrom('"', '\\', '\\N', '\t', '\n', '\r', '{', ',', "'", 'NULL', ' ', '付', 'a', '');
  const text = fc.array(sign, { maxLength: 4 }).map((signs) => signs.join(''));
  const anAmount = fc.bigInt({ min: 0n, max: 10n ** 15n });
  const aContent = fc.record({
    orderNo: text.map((some) => `D${some}`),
    amountFen: anAmount,
    feeFen: anAmount,
    realFen: fc.option(anAmount, { nil: undefined }),
    feeType: text,
    payerAcctNo: text,
    payerName: text,
    payerBankNo: text,
    payeeAcctNo: text,
    payeeName: text,
    payeeBankNo: text,
    remark: text,
    errCode: text,
    depositedAt: fc.constantFrom('2026-03-01T02:00:00.000Z', '2026-03-01T15:59:59.000Z'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(aContent, { minLength: 1, maxLength: 30 }), async (records) => {
      await emptyTables(db, 'all');
      const deposits = records.map((record) => {
        const content = contentOf(record);
        return { ...deposit(record.orderNo, 1), content, contentDigest: digestOf(content) };
      });
      const batch = { runId: 'r', day: '2026-03-01', deposits, faults: [], windows: [] };
      const last = new Map(records.map((record) => [record.orderNo, record]));
      expect(await saveDeposits(db, batch)).toEqual({ added: last.size, changed: 0 });
      const rows = await db.selectFrom('deposit').selectAll().execute();
      const stored = rows.map((row): [string, DepositContent] => [
        row.order_no,
        {
          orderNo: row.order_no,
          amountFen: row.amount_fen,
          feeFen: row.fee_fen,
          realFen: row.real_fen ?? undefined,
          feeType: row.fee_type,
          payerAcctNo: row.payer_acct_no,
          payerName: row.payer_name,
          payerBankNo: row.payer_bank_no,
          payeeAcctNo: row.payee_acct_no,
          payeeName: row.payee_name,
          payeeBankNo: row.payee_bank_no,
          remark: row.remark,
          errCode: row.err_code,
          depositedAt: row.deposited_at,
        },
      ]);
      expect(new Map(stored)).toEqual(last);
      expect(await saveDeposits(db, { ...batch, runId: 's' })).toEqual({ added: 0, changed: 0 });
    }),
    { numRuns: runs(40) },
  );
});

test('a record that could not be read is cured when it is, though what is stored of it says the same', async () => {
  await save([['D1', 100]]);
  const fault = {
    accountNo: 'A',
    reference: 'D1',
    kind: 'unreadable',
    reason: 'no amount',
    depositedAt: undefined,
  } as const;
  await saveDeposits(db, { runId: 'run-2', day: '2026-03-02', deposits: [], faults: [fault], windows: [] });
  await save([['D2', 100]], 'run-3');
  const cured = () => db.selectFrom('record_fault').select('cured_run').execute();
  expect(await cured()).toEqual([{ cured_run: null }]);
  await save([['D1', 100]], 'run-4');
  expect(await cured()).toEqual([{ cured_run: 'run-4' }]);
});
