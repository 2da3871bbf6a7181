/** Saving answers about batches and withdrawals: once, whole, and only what changed. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Db } from '../../src/store/schema/schema.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { emptyTables } from '../helpers/dump.ts';
import { batchAnswer, batchUnit, enrolled, lines, listed, save } from '../helpers/company/order-answers.ts';
import { second } from '../helpers/company/order-observations.ts';

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
});
afterAll(() => database.close());
beforeEach(() => emptyTables(db, 'all'));

const orders = () =>
  lines(db, 'transfer_order', ['account_no', 'out_order_no', 'state', 'effective_state', 'version']);
const faults = () => lines(db, 'order_fault', ['account_no', 'reference', 'class', 'first_day', 'cured_day']);
const dues = () => lines(db, 'order_due', ['number', 'state', 'final_day', 'next_day', 'failure']);

test('a batch is saved with its orders, their changes, aliases and the answer they were read from', async () => {
  await enrolled(db, [{ ...batchUnit('B1'), accountNo: '', submittedAt: second(-60) }]);
  const saved = await save(db, [
    batchAnswer(0, [listed('SUCCESS'), listed('PROCESSING', { outOrderNo: 'T2' })], {
      state: 'PART_SUCCESS',
    }),
  ]);
  expect(saved).toEqual({ transferOrders: 2, withdrawals: 0, changed: 2, failures: [], overtaken: [] });
  expect(await orders()).toEqual(['P T1 SUCCESS moved 1', 'P T2 PROCESSING open 1']);
  expect(
    await lines(db, 'order_state_seen', [
      'out_order_no',
      'subject',
      'state',
      'since',
      'last_open_at',
      'first_final_at',
    ]),
  ).toEqual([
    `T1 transfer moved ${second(-60)} - ${second(1)}`,
    `T2 transfer open ${second(-60)} ${second(0)} -`,
  ]);
  expect(await lines(db, 'order_alias', ['order_no', 'out_order_no'])).toEqual(['N-T1 T1', 'N-T2 T2']);
  expect(
    await lines(db, 'transfer_batch', [
      'account_no',
      'out_batch_no',
      'batch_no',
      'state',
      'order_count',
      'contradiction',
    ]),
  ).toEqual(['P B1 N-B1 PART_SUCCESS 2 ']);
  expect(await lines(db, 'raw_answer', ['account_no', 'endpoint'])).toEqual(['P test']);
  expect(await lines(db, 'order_due', ['account_no', 'state', 'asked_run', 'asked_at'])).toEqual([
    `P open night-1 ${second(0)}`,
  ]);
});

test('the same again writes no order and keeps no answer; what is open moves its last look', async () => {
  await enrolled(db, [batchUnit('B1')]);
  const seen = [listed('SUCCESS'), listed('PROCESSING', { outOrderNo: 'T2' })];
  await save(db, [batchAnswer(0, seen)]);
  const before =
    await sql`select account_no, out_order_no, xmin::text, written_no from transfer_order order by 1, 2`.execute(
      db,
    );
  expect(await save(db, [batchAnswer(100, seen)])).toMatchObject({ transferOrders: 2, changed: 0 });
  const after =
    await sql`select account_no, out_order_no, written_no from transfer_order order by 1, 2`.execute(db);
  expect(after.rows).toEqual(
    before.rows.map((row) => ({ ...(row as object), xmin: undefined })).map(({ xmin: _x, ...row }) => row),
  );
  expect(await lines(db, 'raw_answer', ['account_no'])).toHaveLength(1);
  expect(await lines(db, 'order_state_seen', ['out_order_no', 'last_open_at', 'first_final_at'])).toEqual([
    `T1 - ${second(1)}`,
    `T2 ${second(100)} -`,
  ]);
});

test('P3: the former version of a final record is kept as it was stated, once', async () => {
  await enrolled(db, [batchUnit('B1')]);
  await save(db, [batchAnswer(0, [listed('SUCCESS')])]);
  await save(db, [batchAnswer(100, [listed('SUCCESS', { amountFen: 9_000n, realFen: 8_970n })])]);
  await save(db, [batchAnswer(200, [listed('SUCCESS', { amountFen: 9_000n, realFen: 8_970n })])]);
  expect(await lines(db, 'transfer_order', ['amount_fen', 'real_fen', 'version'])).toEqual(['9000 8970 2']);
  const { rows } = await sql<{ version: number; amount: string; at: string; day: string }>`
    select version, content->>'amount_fen' as amount, seen_at as at, replaced_day as day from order_version`.execute(
    db,
  );
  expect(rows).toEqual([{ version: 1, amount: '10000', at: second(1), day: '2026-03-01' }]);
  expect(await faults()).toEqual(['P T1 record_changed 2026-03-01 -']);
  const nextNight = { runId: 'night-2', day: '2026-03-02', today: '2026-03-03' };
  await save(db, [batchAnswer(300, [listed('SUCCESS', { amountFen: 9_000n, realFen: 8_970n })])], nextNight);
  expect(await faults()).toEqual(['P T1 record_changed 2026-03-01 2026-03-02']);
});

test('a refund is bounded by the last look that did not show it, though that look wrote no order', async () => {
  await enrolled(db, [batchUnit('B1')]);
  await save(db, [batchAnswer(0, [listed('SUCCESS')], { state: 'SUCCESS' })]);
  await save(db, [batchAnswer(500, [listed('SUCCESS')], { state: 'SUCCESS' })]);
  await save(db, [batchAnswer(900, [listed('REFUND', { refundFen: 10_000n })], { state: 'REFUND' })]);
  expect(
    await lines(db, 'order_state_seen', ['subject', 'amount_fen', 'since', 'last_open_at', 'first_final_at']),
  ).toEqual([`refund 10000 ${second(500)} ${second(500)} ${second(901)}`, `transfer - - - ${second(1)}`]);
});

test('N11: an answer that comes late changes nothing, in the same batch of answers or a later one', async () => {
  await enrolled(db, [batchUnit('B1')]);
  const platform = { kind: 'batch', numberKind: 'platform', number: 'N-B1' } as const;
  await enrolled(db, [platform]);
  const newest = batchAnswer(100, [listed('SUCCESS')], { state: 'SUCCESS' });
  const older = batchAnswer(50, [listed('PROCESSING')], { unit: platform });
  await save(db, [newest, older]);
  await save(db, [older]);
  expect(await orders()).toEqual(['P T1 SUCCESS moved 1']);
  expect(await lines(db, 'transfer_batch', ['state'])).toEqual(['SUCCESS']);
  expect(await faults()).toEqual([]);
});

test('saving in any grouping gives the same rows', async () => {
  const answers = Array.from({ length: 40 }, (_, at) =>
    batchAnswer(at, [listed('SUCCESS', { outOrderNo: `T${at}` }), listed('FAIL', { outOrderNo: `U${at}` })], {
      unit: batchUnit(`B${at}`),
      outBatchNo: `B${at}`,
      state: 'PART_SUCCESS',
    }),
  );
  const dumped = async () => ({
    orders: await lines(db, 'transfer_order', ['account_no', 'out_order_no', 'effective_state', 'seen_at']),
    changes: await lines(db, 'order_state_seen', ['out_order_no', 'subject', 'state', 'first_final_at']),
    dues: await dues(),
  });
  await enrolled(
    db,
    answers.map(({ unit }) => unit),
  );
  await save(db, answers);
  const together = await dumped();
  await emptyTables(db, 'all');
  await enrolled(
    db,
    answers.map(({ unit }) => unit),
  );
  for (const answer of answers.toReversed()) await save(db, [answer]);
  await save(db, answers);
  expect(await dumped()).toEqual(together);
});
