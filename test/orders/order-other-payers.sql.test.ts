/** Orders that state another payer than their batch has are orders of that batch all the same: none gets lost. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ListedOrder } from '../../src/orders/orders.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { emptyTables } from '../helpers/dump.ts';
import {
  batchAnswer,
  batchUnit,
  enrolled,
  lines,
  listed,
  notFound,
  save,
} from '../helpers/company/order-answers.ts';

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
});
afterAll(() => database.close());
beforeEach(() => emptyTables(db, 'all'));

const PLATFORM = { kind: 'batch', numberKind: 'platform', number: 'N-B1' } as const;

async function vanished(): Promise<string[]> {
  const all = await lines(db, 'order_fault', ['account_no', 'reference', 'class', 'cured_day']);
  return all.filter((line) => line.endsWith(' record_vanished -'));
}

describe.each([
  ["the company's", batchUnit('B1')],
  ["the platform's", PLATFORM],
])('P4: where a batch is asked for by %s number', (_number, unit) => {
  const answer = (seconds: number, ...of: readonly ListedOrder[]) => batchAnswer(seconds, of, { unit });
  const missing = (how: string) => (how === 'not found' ? notFound(200, unit) : answer(200));
  beforeEach(() => enrolled(db, [unit]));

  test.each(['not listed', 'not found'])(
    'an order that stated another payer than at first is missed once it is %s',
    async (how) => {
      await save(db, [answer(0, listed('PROCESSING', { payerAccountNo: '' }))]);
      await save(db, [answer(100, listed('SUCCESS', { payerAccountNo: 'P2' }))]);
      await save(db, [missing(how)]);
      expect(await vanished()).toEqual(['P2 T1 record_vanished -']);
      await save(db, [answer(300, listed('SUCCESS', { payerAccountNo: 'P2' }))]);
      expect(await vanished()).toEqual([]);
    },
  );

  test.each(['not listed', 'not found'])(
    'every order of a batch of two payers is missed once it is %s',
    async (how) => {
      const other = listed('SUCCESS', { payerAccountNo: 'P2', outOrderNo: 'T2' });
      await save(db, [answer(0, listed('SUCCESS'), other)]);
      await save(db, [missing(how)]);
      expect(await vanished()).toEqual(['P T1 record_vanished -', 'P2 T2 record_vanished -']);
    },
  );

  test.each(['not listed', 'not found'])(
    "another payer's batch of that number is not missed where it is %s, nor another batch",
    async (how) => {
      const others = { kind: 'batch', numberKind: 'platform', number: 'N-B2' } as const;
      await enrolled(db, [{ ...others, accountNo: 'P2' }, batchUnit('B3')]);
      await save(db, [answer(0, listed('SUCCESS'))]);
      const other = listed('SUCCESS', { payerAccountNo: 'P2', outOrderNo: 'T2' });
      await save(db, [batchAnswer(0, [other], { unit: others, batchNo: 'N-B2' })]);
      const third = { unit: batchUnit('B3'), outBatchNo: 'B3', batchNo: 'N-B3' };
      await save(db, [batchAnswer(0, [listed('SUCCESS', { outOrderNo: 'T3' })], third)]);
      await save(db, [missing(how)]);
      expect(await vanished()).toEqual(['P T1 record_vanished -']);
    },
  );
});

test.each(['not listed', 'not found'])(
  'P4: a batch that is known of two payers by one number of the platform is one: its order is missed once it is %s',
  async (how) => {
    await enrolled(db, [
      { ...batchUnit('B1'), accountNo: '' },
      { ...PLATFORM, accountNo: '' },
    ]);
    await save(db, [batchAnswer(0, [listed('PROCESSING')])]);
    const other = listed('SUCCESS', { payerAccountNo: 'P2' });
    await save(db, [batchAnswer(100, [other], { unit: PLATFORM })]);
    expect(await lines(db, 'transfer_batch', ['account_no', 'out_batch_no'])).toEqual(['P B1', 'P2 B1']);
    await save(db, [how === 'not found' ? notFound(200, batchUnit('B1')) : batchAnswer(200, [])]);
    expect(await vanished()).toEqual(['P2 T1 record_vanished -']);
  },
);

test.each<[string, Partial<ListedOrder>]>([
  ['refund', { refundFen: 100n }],
  ['settlement', { settlement: 'settled', settleState: 'SUCCESS' }],
])(
  'M1: a %s that a record of another payer may have shown is dated after the look before that',
  async (subject, done) => {
    await enrolled(db, [batchUnit('B1')]);
    await save(db, [batchAnswer(0, [listed('SUCCESS')])]);
    await save(db, [batchAnswer(100, [listed('SUCCESS', { payerAccountNo: 'P2', ...done })])]);
    expect(await lines(db, 'order_state_seen', ['subject', 'state'])).toEqual(['transfer moved']);
    await save(db, [batchAnswer(200, [listed('SUCCESS', done)])]);
    const seen = await db.selectFrom('order_state_seen').selectAll().execute();
    const first = seen.find((change) => change.subject === 'transfer')?.first_final_at;
    const after = seen.find((change) => change.subject === subject);
    expect([after?.state, after?.last_open_at]).toEqual(['moved', first]);
  },
);
