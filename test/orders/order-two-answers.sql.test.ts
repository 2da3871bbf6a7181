/** Two answers about one order say the same in one save as in two, and what is wrong with it goes along with its payer. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { UnitKey } from '../../src/store/orders/order-due.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { emptyTables } from '../helpers/dump.ts';
import { batchAnswer, batchUnit, enrolled, lines, listed, save } from '../helpers/company/order-answers.ts';

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
});
afterAll(() => database.close());
beforeEach(() => emptyTables(db, 'all'));

const byPlatform: UnitKey = { kind: 'batch', numberKind: 'platform', number: 'N-B1' };
const faults = () => lines(db, 'order_fault', ['account_no', 'reference', 'class', 'note', 'cured_day']);

test.each(['one save', 'two saves'])('a word that is taken back takes no money back: %s', async (how) => {
  await enrolled(db, [batchUnit('B1'), byPlatform]);
  await save(db, [batchAnswer(0, [listed('REFUND', { refundFen: 100n })])]);
  const again = [
    batchAnswer(100, [listed('SUCCESS', { refundFen: 0n })]),
    batchAnswer(200, [listed('SUCCESS', { refundFen: 0n })], { unit: byPlatform }),
  ];
  if (how === 'one save') await save(db, again);
  else for (const answer of again) await save(db, [answer]);
  expect(await lines(db, 'transfer_order', ['out_order_no', 'refund_fen'])).toEqual(['T1 100']);
  expect(await faults()).toEqual(['P T1 state_regression it was REFUND and says so no more -']);
});

test.each(['one save', 'two saves'])('what is wrong stays so under another payer: %s', async (how) => {
  await enrolled(db, [batchUnit('B1'), byPlatform]);
  await save(db, [batchAnswer(0, [listed('STRANGE')])]);
  expect(await faults()).toEqual(['P T1 unknown_state state "STRANGE" is not known -']);
  const others = [listed('STRANGE', { payerAccountNo: 'Q' })];
  const again = [batchAnswer(100, others), batchAnswer(200, others, { unit: byPlatform })];
  if (how === 'one save') await save(db, again);
  else await save(db, again.slice(0, 1));
  expect(await faults()).toEqual([
    'P T1 unknown_state state "STRANGE" is not known 2026-03-01',
    'Q T1 unknown_state state "STRANGE" is not known -',
  ]);
});
