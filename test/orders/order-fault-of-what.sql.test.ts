/** Orders of both kinds and batches may share a number: what is wrong with one is ended by looks at that one alone (P6, P7). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Db } from '../../src/store/schema/schema.ts';
import type { OrderAnswer } from '../../src/orders/orders.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { emptyTables } from '../helpers/dump.ts';
import {
  batchAnswer,
  batchUnit,
  enrolled,
  lines,
  listed,
  save,
  withdrawalAnswer,
  withdrawalUnit,
} from '../helpers/company/order-answers.ts';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
});
afterAll(() => database.close());
beforeEach(() => emptyTables(db, 'all'));

const NUMBER = 'T1';
type Subject = 'transfer' | 'withdrawal' | 'batch';

/** A look at what has the number, in a state that nobody knows, or in one that is well. */
const LOOKS: Readonly<Record<Subject, (seconds: number, isOdd: boolean) => OrderAnswer>> = {
  transfer: (seconds, isOdd) => batchAnswer(seconds, [listed(isOdd ? 'ODD' : 'SUCCESS')]),
  withdrawal: (seconds, isOdd) =>
    withdrawalAnswer(seconds, isOdd ? 'ODD' : 'SUCCESS', {
      unit: withdrawalUnit(NUMBER),
      outOrderNo: NUMBER,
      orderNo: 'N-W',
    }),
  batch: (seconds, isOdd) =>
    batchAnswer(seconds, [listed('PROCESSING', { outOrderNo: 'T9' })], {
      unit: batchUnit(NUMBER),
      outBatchNo: NUMBER,
      batchNo: 'N-B9',
      state: isOdd ? 'ODD' : 'PROCESSING',
    }),
};
const SUBJECTS = ['transfer', 'withdrawal', 'batch'] as const;
const PAIRS = SUBJECTS.flatMap((one) =>
  SUBJECTS.filter((other) => other !== one).map((other): [Subject, Subject] => [one, other]),
);

const faults = () => lines(db, 'order_fault', ['subject', 'reference', 'class', 'cured_day']);

test.each(PAIRS)('a %s stays wrong whatever a look at a %s of its number shows', async (wrong, other) => {
  await enrolled(db, [batchUnit('B1'), batchUnit(NUMBER), withdrawalUnit(NUMBER)]);
  await save(db, [LOOKS[wrong](0, true)]);
  await save(db, [LOOKS[other](100, false)]);
  expect(await faults()).toEqual([`${wrong} T1 unknown_state -`]);
  await save(db, [LOOKS[other](200, true)]);
  await save(db, [LOOKS[wrong](300, false)]);
  expect((await faults()).toSorted()).toEqual(
    [`${wrong} T1 unknown_state 2026-03-01`, `${other} T1 unknown_state -`].toSorted(),
  );
});
