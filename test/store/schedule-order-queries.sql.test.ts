/** What gets onto the list of what is to be asked: what the company registered, and what only its books name. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findPlatformNumber } from '../../src/store/orders/order-due.ts';
import { countUnaskable, scheduleOrderQueries } from '../../src/store/orders/schedule-order-queries.ts';
import type { Db, LedgerKind } from '../../src/store/schema/schema.ts';
import { saveProgress, takeWriteNo } from '../../src/store/database/writing.ts';
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
  withdrawalUnit,
} from '../helpers/company/order-answers.ts';
import { register } from '../helpers/company/order-registering.ts';
import { anAccount, anIntakeFile } from '../helpers/company/run-rows.ts';
import { at } from '../helpers/service-time.ts';

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
});
afterAll(() => database.close());
beforeEach(() => emptyTables(db, 'all'));

const dues = () =>
  lines(db, 'order_due', ['kind', 'number_kind', 'number', 'account_no', 'origin', 'state', 'next_day']);

interface Entry {
  kind: LedgerKind;
  reference?: string;
  batch?: string;
  account?: string;
}

let entries = 0;

/** Takes entries into the books, as one file. */
async function book(...booked: readonly Entry[]): Promise<void> {
  const fileId = await anIntakeFile(db, { file_id: 'books', kind: 'ledger', sha256: 'b' });
  for (const { account = 'A1' } of booked) await anAccount(db, { account_no: account });
  await db.transaction().execute(async (trx) => {
    const writtenNo = await takeWriteNo(trx);
    const rows = booked.map((entry) => ({
      account_no: entry.account ?? 'A1',
      source: 'erp',
      entry_id: `E${++entries}`,
      version: 1,
      kind: entry.kind,
      amount_fen: -100n,
      reference: entry.reference ?? '',
      out_batch_no: entry.batch ?? '',
      booked_at: at('2026-03-01 10:00:00'),
      status: 'posted' as const,
      file_id: fileId,
      written_no: writtenNo,
    }));
    await trx.insertInto('ledger_entry').values(rows).execute();
  });
}

describe('the registry', () => {
  test('a batch is asked for once, from its earliest submission on, for the account that pays', async () => {
    const order = { kind: 'transfer', out_batch_no: 'B1', batch_no: 'N-B1' } as const;
    await register(
      db,
      { ...order, out_order_no: 'T1', submitted_at: at('2026-03-01 09:00:05'), order_no: 'N-T1' },
      { ...order, out_order_no: 'T2', submitted_at: at('2026-03-01 09:00:00'), payer_account_no: 'P' },
      { kind: 'withdrawal', out_order_no: 'W1', order_no: 'N-W1', payer_account_no: 'A' },
    );
    expect(await scheduleOrderQueries(db, '2026-03-03T02:00:00.000Z')).toEqual({
      registered: 2,
      ledgerOnly: 0,
    });
    expect(await dues()).toEqual(['batch out B1 P registry new ', 'withdrawal out W1 A registry new ']);
    expect(await lines(db, 'order_due', ['number', 'submitted_at'])).toEqual([
      `B1 ${at('2026-03-01 09:00:00')}`,
      'W1 -',
    ]);
    expect(await lines(db, 'order_alias', ['order_no', 'out_order_no'])).toEqual(['N-T1 T1', 'N-W1 W1']);
    expect(await scheduleOrderQueries(db, '2026-03-03T02:00:00.000Z')).toEqual({
      registered: 0,
      ledgerOnly: 0,
    });
  });

  test('where the company has no number of its own the platform’s is asked for', async () => {
    await register(db, { kind: 'transfer', batch_no: 'N-B1' }, { kind: 'withdrawal', order_no: 'N-W1' });
    await scheduleOrderQueries(db, '2026-03-03T02:00:00.000Z');
    expect(await dues()).toEqual([
      'batch platform N-B1  registry new ',
      'withdrawal platform N-W1  registry new ',
    ]);
  });

  test('what is registered again is asked for once more, also when nothing more was expected of it', async () => {
    await enrolled(db, [{ ...batchUnit('B1'), accountNo: '', origin: 'ledger' }, withdrawalUnit('W1')]);
    await db
      .updateTable('order_due')
      .set({ state: 'refused', next_day: null })
      .where('number', '=', 'W1')
      .execute();
    await save(db, [batchAnswer(0, [listed('SUCCESS')], { state: 'SUCCESS' })]);
    await register(
      db,
      { kind: 'transfer', out_batch_no: 'B1', out_order_no: 'T1' },
      { kind: 'withdrawal', out_order_no: 'W1' },
    );
    await scheduleOrderQueries(db, '2026-03-03T02:00:00.000Z');
    expect(await dues()).toEqual(['batch out B1 P registry final ', 'withdrawal out W1 P registry new ']);
  });

  test('a number the platform does not know may have another there', async () => {
    await register(
      db,
      { kind: 'transfer', out_batch_no: 'B1', out_order_no: 'T1', batch_no: 'N-B1' },
      { kind: 'transfer', out_batch_no: 'B2', out_order_no: 'T2' },
      { kind: 'withdrawal', out_order_no: 'W1', order_no: 'N-W1' },
    );
    const numberOf = (unit: Parameters<typeof findPlatformNumber>[1]) => findPlatformNumber(db, unit);
    expect(await numberOf({ ...batchUnit('B1'), origin: 'registry' })).toBe('N-B1');
    expect(await numberOf({ ...batchUnit('B2'), origin: 'registry' })).toBeUndefined();
    expect(await numberOf({ ...withdrawalUnit('W1'), origin: 'registry' })).toBe('N-W1');
    expect(await numberOf({ ...withdrawalUnit('X'), origin: 'ledger' })).toBe('X');
    expect(await numberOf({ ...batchUnit('X'), origin: 'ledger' })).toBeUndefined();
  });
});

describe('the books', () => {
  test('name batches and withdrawals that nobody registered; deposits and fees take no part', async () => {
    await book(
      { kind: 'transfer_out', reference: 'T1', batch: 'B1', account: 'A1' },
      { kind: 'transfer_in', reference: 'T1', batch: 'B1', account: 'A2' },
      { kind: 'transfer_in', reference: 'T9', batch: 'B9', account: 'A2' },
      { kind: 'withdrawal', reference: 'W1', account: 'A1' },
      { kind: 'deposit', reference: 'D1', batch: 'B2' },
      { kind: 'fee', reference: 'T5', batch: 'B5' },
    );
    expect(await scheduleOrderQueries(db, '2026-03-03T02:00:00.000Z')).toEqual({
      registered: 0,
      ledgerOnly: 3,
    });
    expect(await dues()).toEqual([
      'batch out B1 A1 ledger new ',
      'batch out B9  ledger new ',
      'withdrawal out W1 A1 ledger new ',
    ]);
  });

  test('what registry, answers or aliases know is not asked for on their account', async () => {
    await register(
      db,
      { kind: 'transfer', out_batch_no: 'B1', out_order_no: 'T1' },
      { kind: 'withdrawal', out_order_no: 'W1', order_no: 'N-W1' },
      { kind: 'withdrawal', order_no: 'N-W2' },
    );
    await enrolled(db, [batchUnit('B3')]);
    await save(db, [
      batchAnswer(0, [listed('SUCCESS', { outOrderNo: 'T3', payeeAccountNo: 'A2', payerAccountNo: 'A1' })], {
        unit: batchUnit('B3'),
        outBatchNo: 'B3',
      }),
    ]);
    await book(
      { kind: 'transfer_out', reference: 'T1', batch: 'OTHER' },
      { kind: 'withdrawal', reference: 'W1' },
      { kind: 'withdrawal', reference: 'N-W1' },
      { kind: 'withdrawal', reference: 'N-W2' },
      { kind: 'transfer_out', reference: 'T3', batch: 'OTHER' },
      { kind: 'settlement', reference: 'T3', batch: 'OTHER', account: 'A2' },
      { kind: 'refund_out', reference: 'N-T3', batch: 'OTHER', account: 'A2' },
    );
    expect(await scheduleOrderQueries(db, '2026-03-03T02:00:00.000Z')).toMatchObject({ ledgerOnly: 0 });
  });

  test('only what was written since is looked at', async () => {
    await book({ kind: 'withdrawal', reference: 'W1' });
    await scheduleOrderQueries(db, '2026-03-03T02:00:00.000Z');
    await db.deleteFrom('order_due').execute();
    expect(await scheduleOrderQueries(db, '2026-03-03T02:00:00.000Z')).toEqual({
      registered: 0,
      ledgerOnly: 0,
    });
    await book({ kind: 'withdrawal', reference: 'W2' });
    expect(await scheduleOrderQueries(db, '2026-03-03T02:00:00.000Z')).toEqual({
      registered: 0,
      ledgerOnly: 1,
    });
    expect(await dues()).toEqual(['withdrawal out W2 A1 ledger new ']);
  });

  test('transfers without a batch number and withdrawals without any cannot be asked for; they are counted', async () => {
    await book(
      { kind: 'transfer_out', reference: 'T1' },
      { kind: 'settlement', reference: 'T1' },
      { kind: 'transfer_in', reference: 'T1', account: 'A2' },
      { kind: 'transfer_out' },
      { kind: 'withdrawal' },
      { kind: 'transfer_out', reference: 'T2', batch: 'B2' },
    );
    await scheduleOrderQueries(db, '2026-03-03T02:00:00.000Z');
    expect([...(await countUnaskable(db))]).toEqual([
      ['A1', 3],
      ['A2', 1],
    ]);
    expect([...(await countUnaskable(db, ['A2']))]).toEqual([['A2', 1]]);
    // Matched entries are known; those the matching left over are counted still.
    await db.transaction().execute(async (trx) => saveProgress(trx, 'match', await takeWriteNo(trx)));
    expect([...(await countUnaskable(db))]).toEqual([]);
    const { entry_no: entryNo } = await db
      .selectFrom('ledger_entry')
      .select('entry_no')
      .where('account_no', '=', 'A2')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('unmatched')
      .values({ account_no: 'A2', side: 'ledger', item_key: String(entryNo) })
      .execute();
    expect([...(await countUnaskable(db))]).toEqual([['A2', 1]]);
  });
});
