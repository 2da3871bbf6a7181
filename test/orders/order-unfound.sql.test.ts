/** Withdrawals, and what cannot be found or read: a state of the list, never of an order (P14, U49). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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
  withdrawalAnswer,
  withdrawalUnit,
} from '../helpers/company/order-answers.ts';
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

describe('withdrawals', () => {
  const rows = () => lines(db, 'withdrawal', ['account_no', 'out_order_no', 'effective_state', 'version']);

  test('are saved with their changes; a return is the second', async () => {
    await enrolled(db, [withdrawalUnit('W1')]);
    await save(db, [withdrawalAnswer(0, 'SUCCESS')]);
    expect(await dues()).toEqual(['W1 final 2026-03-02 2026-03-03 ']);
    await save(db, [withdrawalAnswer(100, 'FAIL')], { today: '2026-03-05' });
    expect(await rows()).toEqual(['P W1 returned 1']);
    expect(await lines(db, 'order_state_seen', ['subject', 'change_no', 'state', 'last_open_at'])).toEqual([
      `withdrawal 1 moved -`,
      `withdrawal 2 returned ${second(1)}`,
    ]);
    // The bank's time begins anew.
    expect(await dues()).toEqual(['W1 final 2026-03-05 2026-03-06 ']);
  });

  test('one that does not repeat its number or account has those it was asked by', async () => {
    await enrolled(db, [withdrawalUnit('W1')]);
    await save(db, [withdrawalAnswer(0, 'SUCCESS', { accountNo: '', outOrderNo: '' })]);
    expect(await rows()).toEqual(['P W1 moved 1']);
  });

  test('one that was found under the platform’s number is asked for by that from now on, as one row', async () => {
    await enrolled(db, [{ ...withdrawalUnit('N-5'), origin: 'ledger', accountNo: 'P' }]);
    const foundAs = { kind: 'withdrawal', numberKind: 'platform', number: 'N-5' } as const;
    const found = withdrawalAnswer(0, 'SUCCESS', {
      unit: withdrawalUnit('N-5'),
      foundAs,
      outOrderNo: 'W5',
      orderNo: 'N-5',
    });
    await save(db, [found]);
    expect(await rows()).toEqual(['P W5 moved 1']);
    expect(await lines(db, 'order_due', ['number_kind', 'number', 'origin', 'state', 'asked_run'])).toEqual([
      'platform N-5 ledger final night-1',
    ]);
    expect(await lines(db, 'order_alias', ['order_no', 'out_order_no'])).toEqual(['N-5 W5']);
  });

  test('an open one moves to the account it turns out to be of', async () => {
    await enrolled(db, [withdrawalUnit('W1')]);
    await save(db, [withdrawalAnswer(0, 'PROCESSING')]);
    await save(db, [withdrawalAnswer(100, 'SUCCESS', { accountNo: 'P2' })]);
    expect(await rows()).toEqual(['P2 W1 moved 1']);
    expect(await lines(db, 'order_due', ['account_no'])).toEqual(['P2']);
  });
});

describe('what cannot be found or read', () => {
  test('P14: not found is a state of the list and never of an order; it stays for 90 days after submission', async () => {
    await enrolled(db, [{ ...batchUnit('B1'), submittedAt: second(0) }]);
    await save(db, [notFound(0, batchUnit('B1'))]);
    expect(await lines(db, 'order_due', ['state', 'next_day', 'not_found_since', 'asked_at'])).toEqual([
      `not_found  ${second(1)} ${second(0)}`,
    ]);
    await save(db, [notFound(50, batchUnit('B1'))], { today: '2026-05-30' });
    expect(await dues()).toEqual(['B1 not_found -  ']);
    await save(db, [notFound(60, batchUnit('B1'))], { today: '2026-05-31' });
    expect(await dues()).toEqual(['B1 not_found - - ']);
    expect(await orders()).toEqual([]);
  });

  test('what the company was refused and the platform does not know is never asked for again', async () => {
    await enrolled(db, [batchUnit('B1'), batchUnit('B2'), withdrawalUnit('W1')]);
    const own = {
      kind: 'transfer',
      out_batch_no: 'B1',
      amount_fen: null,
      submitted_at: null,
      file_id: null,
    } as const;
    await db
      .insertInto('order_registry')
      .values([
        { ...own, out_order_no: 'T1', outcome: 'refused' },
        { ...own, out_batch_no: 'B2', out_order_no: 'T2', outcome: 'refused' },
        { ...own, out_batch_no: 'B2', out_order_no: 'T3', outcome: 'unknown' },
        { ...own, kind: 'withdrawal', out_batch_no: '', out_order_no: 'W1', outcome: 'refused' },
      ])
      .execute();
    await save(db, [
      notFound(0, batchUnit('B1')),
      notFound(0, batchUnit('B2')),
      notFound(0, withdrawalUnit('W1')),
    ]);
    expect(await dues()).toEqual(['B1 refused - - ', 'B2 not_found -  ', 'W1 refused - - ']);
  });

  test('P14: what was found before and is not any more is kept, said, and asked for again', async () => {
    await enrolled(db, [batchUnit('B1'), withdrawalUnit('W1')]);
    await save(db, [
      batchAnswer(0, [listed('SUCCESS')], { state: 'SUCCESS' }),
      withdrawalAnswer(0, 'PROCESSING'),
    ]);
    await save(db, [notFound(100, batchUnit('B1')), notFound(100, withdrawalUnit('W1'))]);
    expect(await orders()).toEqual(['P T1 SUCCESS moved 1']);
    expect(await faults()).toEqual([
      'P T1 record_vanished 2026-03-01 -',
      'P W1 record_vanished 2026-03-01 -',
    ]);
    expect(await dues()).toEqual(['B1 final 2026-03-02  ', 'W1 open -  ']);
    await save(db, [batchAnswer(200, [listed('SUCCESS')], { state: 'SUCCESS' })]);
    expect((await faults())[0]).toBe('P T1 record_vanished 2026-03-01 2026-03-01');
  });

  test('P14: also a withdrawal that is asked for by the platform’s number, and the order of such a batch', async () => {
    const withdrawal = { kind: 'withdrawal', numberKind: 'platform', number: 'N-W1' } as const;
    const batch = { kind: 'batch', numberKind: 'platform', number: 'N-B1' } as const;
    await enrolled(db, [withdrawal, batch]);
    await save(db, [
      withdrawalAnswer(0, 'SUCCESS', { unit: withdrawal }),
      batchAnswer(0, [listed('SUCCESS')], { unit: batch, state: 'SUCCESS' }),
    ]);
    await save(db, [notFound(100, withdrawal), notFound(100, batch)]);
    expect(await faults()).toEqual([
      'P T1 record_vanished 2026-03-01 -',
      'P W1 record_vanished 2026-03-01 -',
    ]);
    // An answer without the company's number is still about the same withdrawal.
    await save(db, [withdrawalAnswer(200, 'SUCCESS', { unit: withdrawal, outOrderNo: '' })]);
    expect(await lines(db, 'withdrawal', ['out_order_no'])).toEqual(['W1']);
  });

  test('an answer that says nothing leaves all as it was, with the reason masked; a later success clears it', async () => {
    await enrolled(db, [batchUnit('B1')]);
    await save(db, [batchAnswer(0, [listed('PROCESSING')])]);
    const failed = { kind: 'failed', unit: batchUnit('B1'), reason: 'odd answer for 13812345678' } as const;
    expect((await save(db, [failed], { runId: 'night-2' })).failures).toEqual([
      { unit: batchUnit('B1'), reason: 'odd answer for 138****5678' },
    ]);
    expect(await lines(db, 'order_due', ['state', 'asked_run', 'failure', 'asked_at'])).toEqual([
      `open night-2 odd answer for 138****5678 ${second(0)}`,
    ]);
    expect(await orders()).toEqual(['P T1 PROCESSING open 1']);
    await save(db, [batchAnswer(100, [listed('PROCESSING')])], { runId: 'night-3' });
    expect(await lines(db, 'order_due', ['asked_run', 'failure'])).toEqual(['night-3 ']);
  });

  test('a snapshot leaves the night’s list alone, but for a failure it could cure', async () => {
    await enrolled(db, [batchUnit('B1'), batchUnit('B2')]);
    const failed = (number: string, reason: string) =>
      ({ kind: 'failed', unit: batchUnit(number), reason }) as const;
    await save(db, [failed('B1', 'first'), failed('B2', 'first')]);
    const snapshot = { runId: 'snapshot-1', keepsList: false };
    await save(
      db,
      [
        failed('B1', 'second'),
        batchAnswer(0, [listed('SUCCESS')], { unit: batchUnit('B2'), outBatchNo: 'B2' }),
      ],
      snapshot,
    );
    expect(await lines(db, 'order_due', ['number', 'asked_run', 'failure'])).toEqual([
      'B1 night-1 first',
      'B2 night-1 ',
    ]);
  });
});
