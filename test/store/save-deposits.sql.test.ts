/** Each fact of a deposit is kept once, in whatever batches it comes again (DEP-12, P2, P3). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
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
