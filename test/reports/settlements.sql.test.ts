/**
 * Sheet 11: attempts as the run knew them, what is not certain with a total of its own (M1, docs/architecture.md
 * 5.7).
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jsonText } from '../../src/core/json.ts';
import { saveRunFacts } from '../../src/store/runs/runs.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import type { AttemptOutcome, AttemptState } from '../../src/store/schema/schema.ts';
import { at } from '../helpers/company/books.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { testFolder } from '../intake/in-folder.ts';
import { columnValues, publish } from './publish.ts';
import type { PublishedBook } from './publish.ts';
import { ORDER_RUN } from './sample-order-run.ts';
import { aSampleOfOrders } from './sample-orders.ts';

const folder = await testFolder();
let database: TestDatabase;
let book: PublishedBook;

interface Event {
  sequence: bigint;
  state: AttemptState;
  outcome?: AttemptOutcome;
  note?: string;
}

async function anAttempt(
  db: Db,
  of: { order: string; fen: bigint; feeFen?: bigint },
  events: readonly Event[],
): Promise<void> {
  const last = events.at(-1);
  if (last === undefined) throw new Error('an attempt without an event');
  const key = { account_no: 'P', out_order_no: of.order, attempt_no: 1 };
  const wasSent = events.some(({ state }) => state === 'SENT');
  await db
    .insertInto('settle_attempt')
    .values({
      ...key,
      req_id: `req-${of.order}`,
      order_no: `PO-${of.order}`,
      payee_account_no: 'Q',
      amount_fen: of.fen,
      remark: 'recon retry 1',
      state: last.state,
      outcome: last.outcome ?? null,
      run_id: 'settle-1',
      fence: 1n,
      planned_at: at('2026-03-02 02:00:00'),
      req_time: wasSent ? at('2026-03-02 02:00:01') : null,
      sent_at: wasSent ? at('2026-03-02 02:00:01') : null,
      runner: 'r1',
      answer_fee_fen: of.feeFen ?? null,
      closed_at: last.outcome === undefined ? null : at('2026-03-02 02:00:02'),
    })
    .execute();
  for (const { sequence, state, outcome, note } of events) {
    await db
      .insertInto('settle_event')
      .values({
        ...key,
        sequence,
        state,
        outcome: outcome ?? null,
        note: note ?? '',
        at: at('2026-03-02 02:00:00'),
        run_id: 'settle-1',
      })
      .execute();
  }
}

beforeAll(async () => {
  database = await testDatabase();
  const { db } = database;
  await aSampleOfOrders(db);
  await anAttempt(db, { order: 'OLD', fen: 700n }, [
    { sequence: 1n, state: 'PLANNED' },
    { sequence: 2n, state: 'SENT' },
  ]);
  await anAttempt(db, { order: 'LOST', fen: 1_000n }, [
    { sequence: 3n, state: 'PLANNED' },
    { sequence: 4n, state: 'SENT' },
    { sequence: 5n, state: 'UNKNOWN', note: '=1+1 no answer' },
    // After the run: its report must not know it.
    { sequence: 12n, state: 'CLOSED', outcome: 'FAIL', note: 'two queries agree' },
  ]);
  await anAttempt(db, { order: 'PAID', fen: 3_000n, feeFen: 20n }, [
    { sequence: 6n, state: 'PLANNED' },
    { sequence: 7n, state: 'SENT' },
    { sequence: 8n, state: 'ACK_SUCCESS' },
    { sequence: 9n, state: 'CLOSED', outcome: 'SUCCESS' },
  ]);
  await anAttempt(db, { order: 'LATER', fen: 5_000n }, [{ sequence: 11n, state: 'PLANNED' }]);
  await saveRunFacts(db, ORDER_RUN, jsonText({ settle: { after: 2n, upTo: 10n, state: 'done' } }));
  book = await publish(db, { runId: ORDER_RUN, path: folder.path('settled.xlsx') });
});
afterAll(() => database.close());

const SHEET = '结算重试';

test('attempts changed since the run before are listed as they were known, older open ones below them, later ones not at all', () => {
  const rows = (from: number, to: number): unknown[][] =>
    ['E', 'F', 'G', 'H', 'I'].map((column) => columnValues(book, { sheet: SHEET, column, from, to }));
  expect(book.value(SHEET, 'A14')).toBe('上次对账以来的重试');
  expect(rows(16, 17)).toEqual([
    ['LOST', 'PAID'],
    [10, 30],
    [undefined, 0.2],
    [1, 1],
    ['结果未知', '成功'],
  ]);
  expect(book.value(SHEET, 'A19')).toBe('更早发出、结果仍未确定的重试');
  expect(rows(21, 21)).toEqual([['OLD'], [7], [undefined], [1], ['结果未知']]);
  expect(book.value(SHEET, 'P16')).toBe('=1+1 no answer');
  expect(book.cell(SHEET, 'P16')?.formula).toBeUndefined();
});

test('every outcome has its count and sum; what is not certain is neither failed nor succeeded', () => {
  expect(columnValues(book, { sheet: SHEET, column: 'A', from: 5, to: 12 })).toEqual([
    '待人工确认',
    '结果未知',
    '处理中',
    '成功',
    '失败',
    '已退票',
    '未发出',
    '合计',
  ]);
  expect(columnValues(book, { sheet: SHEET, column: 'B', from: 5, to: 12 })).toEqual([
    0, 2, 0, 1, 0, 0, 0, 3,
  ]);
  expect(columnValues(book, { sheet: SHEET, column: 'C', from: 5, to: 12 })).toEqual([
    0, 17, 0, 30, 0, 0, 0, 47,
  ]);
  expect(book.cell(SHEET, 'C6')?.formula).toContain('$F$16:$F$17');
  expect(book.cell(SHEET, 'C6')?.formula).toContain('$F$21:$F$21');
});

test('a run that knows of no change says so, and lists the orders whose settlement it found failed', async () => {
  await saveRunFacts(database.db, ORDER_RUN, jsonText({ settle: { after: 0n, upTo: 0n, state: 'off' } }));
  const empty = await publish(database.db, { runId: ORDER_RUN, path: folder.path('off.xlsx'), locale: 'en' });
  expect(empty.value('Settlements', 'A3')).toBe('This run retries no settlements.');
  expect(empty.value('Settlements', 'A16')).toBe('Nothing was retried.');
  expect(empty.value('Settlements', 'B12')).toBe(0);
});
