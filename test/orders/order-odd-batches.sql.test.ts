/** Batches whose orders are missing, doubled, nameless or somebody else's: kept, said, and never money twice. */
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
import { second } from '../helpers/company/order-observations.ts';
import { register } from '../helpers/company/order-registering.ts';

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

test('P4: an order its batch lists no more is kept and said, until it is listed again', async () => {
  await enrolled(db, [batchUnit('B1')]);
  const both = [listed('SUCCESS'), listed('SUCCESS', { outOrderNo: 'T2' })];
  await save(db, [batchAnswer(0, both, { state: 'SUCCESS' })]);
  await save(db, [batchAnswer(100, [listed('SUCCESS')], { state: 'SUCCESS' })]);
  expect(await orders()).toEqual(['P T1 SUCCESS moved 1', 'P T2 SUCCESS moved 1']);
  expect(await faults()).toEqual(['P T2 record_vanished 2026-03-01 -']);
  expect(await dues()).toEqual(['B1 final 2026-03-02 2026-03-03 ']);
  await save(db, [batchAnswer(200, both, { state: 'SUCCESS' })]);
  expect(await faults()).toEqual(['P T2 record_vanished 2026-03-01 2026-03-01']);
});

test.each(['not listed', 'not found'])(
  'P4: one whose batch is %s is missed, also where another payer has an order of its number',
  async (how) => {
    const unit = batchUnit('B2');
    await enrolled(db, [batchUnit('B1'), { ...unit, accountNo: 'R' }]);
    const own = [listed('SUCCESS')];
    const others = (seconds: number, ...of: readonly ListedOrder[]) =>
      batchAnswer(seconds, of, { unit, outBatchNo: 'B2', batchNo: 'N-B2' });
    const other = listed('SUCCESS', { payerAccountNo: 'R', orderNo: 'N-R' });
    await save(db, [batchAnswer(0, own), others(0, other)]);
    await save(db, [batchAnswer(100, own), how === 'not found' ? notFound(100, unit) : others(100)]);
    expect(await faults()).toEqual(['R T1 record_vanished 2026-03-01 -']);
  },
);

test('an order twice in one answer is kept open until it is listed once', async () => {
  await enrolled(db, [batchUnit('B1')]);
  await save(db, [batchAnswer(0, [listed('SUCCESS'), listed('FAIL', { amountFen: 1n })])]);
  const columns = ['out_order_no', 'effective_state', 'amount_fen'] as const;
  expect(await lines(db, 'transfer_order', columns)).toEqual(['T1 open 10000']);
  expect(await faults()).toEqual(['P T1 bad_record 2026-03-01 -']);
  await save(db, [batchAnswer(100, [listed('FAIL', { amountFen: 1n })])]);
  expect(await lines(db, 'transfer_order', columns)).toEqual(['T1 failed 1']);
});

test('a record whose number of the platform another record states is said, and nothing of its settlement counts', async () => {
  await enrolled(db, [batchUnit('B1')]);
  await save(db, [batchAnswer(0, [listed('SUCCESS', { settleState: 'FAIL', settlement: 'failed' })])]);
  const paid = { settleState: 'SUCCESS', settlement: 'settled' } as const;
  await save(db, [
    batchAnswer(100, [
      listed('SUCCESS', { ...paid, orderNo: '' }),
      listed('SUCCESS', { outOrderNo: 'T2', orderNo: 'N-T1' }),
    ]),
  ]);
  expect(await lines(db, 'transfer_order', ['out_order_no', 'settlement'])).toEqual(['T1 failed', 'T2 none']);
  expect(await lines(db, 'order_fault', ['reference', 'class', 'note'])).toEqual([
    'T1 bad_record another record of the answer states its orderNo N-T1',
  ]);
});

test('orders without number or payer stand under another name, are kept open, and go when they can be told', async () => {
  await enrolled(db, [batchUnit('B1')]);
  const nameless = [
    listed('SUCCESS', { outOrderNo: '', orderNo: 'N-7' }),
    listed('SUCCESS', { outOrderNo: '', orderNo: '' }),
    listed('SUCCESS', { outOrderNo: 'T3', payerAccountNo: '' }),
    listed('SUCCESS', { outOrderNo: 'T4' }),
  ].map((order, at) => ({ ...order, ...(at < 2 && { outOrderNo: '', orderNo: at === 0 ? 'N-7' : '' }) }));
  await save(db, [batchAnswer(0, nameless)]);
  expect(await orders()).toEqual([
    'P B1#2 SUCCESS open 1',
    'P N-7 SUCCESS open 1',
    'P T3 SUCCESS open 1',
    'P T4 SUCCESS moved 1',
  ]);
  expect(await lines(db, 'order_fault', ['reference', 'class', 'note'])).toEqual([
    'B1#2 bad_record outOrderNo is not stated',
    'N-7 bad_record outOrderNo is not stated',
    'T3 bad_record payerAcctNo is not stated',
  ]);
  await save(db, [
    batchAnswer(100, [
      listed('SUCCESS', { outOrderNo: 'T1', orderNo: 'N-7' }),
      listed('SUCCESS', { outOrderNo: 'T2' }),
      listed('SUCCESS', { outOrderNo: 'T3' }),
      listed('SUCCESS', { outOrderNo: 'T4' }),
    ]),
  ]);
  expect(await orders()).toEqual(['T1', 'T2', 'T3', 'T4'].map((no) => `P ${no} SUCCESS moved 1`));
  expect(await lines(db, 'order_fault', ['reference', 'cured_day'])).toEqual([
    'B1#2 2026-03-01',
    'N-7 2026-03-01',
    'T3 2026-03-01',
  ]);
});

test('a number that is an order of another batch already is no second order of that name', async () => {
  await enrolled(db, [batchUnit('B1'), batchUnit('B2')]);
  await save(db, [batchAnswer(0, [listed('SUCCESS')])]);
  await save(db, [
    batchAnswer(10, [listed('SUCCESS', { amountFen: 5n })], {
      unit: batchUnit('B2'),
      outBatchNo: 'B2',
      batchNo: 'N-B2',
    }),
  ]);
  expect(
    await lines(db, 'transfer_order', ['out_order_no', 'out_batch_no', 'effective_state', 'amount_fen']),
  ).toEqual(['B2#1 B2 open 5', 'T1 B1 moved 10000']);
});

test('an open order that turns out to be another payer’s moves there with all that is known of it', async () => {
  await enrolled(db, [batchUnit('B1')]);
  await save(db, [batchAnswer(0, [listed('PROCESSING')])]);
  await save(db, [batchAnswer(100, [listed('SUCCESS', { payerAccountNo: 'P2' })])]);
  expect(await orders()).toEqual(['P2 T1 SUCCESS moved 1']);
  expect(await lines(db, 'order_state_seen', ['account_no', 'state', 'last_open_at'])).toEqual([
    `P2 moved ${second(0)}`,
  ]);
});

test.each(['P', ''])(
  'nor is it left behind where two answers of one night differ in the payer, the first stating "%s"',
  async (payerAccountNo) => {
    const unit = { kind: 'batch', numberKind: 'platform', number: 'N-B1' } as const;
    await enrolled(db, [batchUnit('B1'), unit]);
    const first = batchAnswer(0, [listed('PROCESSING', { payerAccountNo })], { unit });
    await save(db, [first, batchAnswer(1, [listed('SUCCESS', { payerAccountNo: 'P2' })])]);
    expect(await orders()).toEqual(['P2 T1 SUCCESS moved 1']);
    expect(await faults()).toEqual([]);
    expect(await lines(db, 'order_state_seen', ['account_no', 'state'])).toEqual(['P2 moved']);
  },
);

test.each(['N-T1', ''])(
  'nor does what stands for a record without number stay that another answer of the night names, by "%s"',
  async (orderNo) => {
    const unit = { kind: 'batch', numberKind: 'platform', number: 'N-B1' } as const;
    await enrolled(db, [batchUnit('B1'), unit]);
    const first = batchAnswer(0, [listed('SUCCESS', { outOrderNo: '', orderNo })], { unit });
    await save(db, [first, batchAnswer(1, [listed('SUCCESS')])]);
    expect(await orders()).toEqual(['P T1 SUCCESS moved 1']);
    expect(await faults()).toEqual([]);
    expect(await lines(db, 'order_state_seen', ['out_order_no', 'state'])).toEqual(['T1 moved']);
  },
);

test('a batch of which nobody knows the payer is a failure, not a fact', async () => {
  await enrolled(db, [{ ...batchUnit('B1'), accountNo: '' }]);
  const saved = await save(db, [batchAnswer(0, [listed('SUCCESS', { payerAccountNo: '' })])]);
  expect(saved.failures).toEqual([
    { unit: batchUnit('B1'), reason: 'no order of the batch states its payer' },
  ]);
  expect(await orders()).toEqual([]);
  expect(await dues()).toEqual(['B1 new -  no order of the batch states its payer']);
});

test('P7: a batch label that is not known is said under the batch, and its orders count all the same', async () => {
  await enrolled(db, [batchUnit('B1')]);
  await save(db, [batchAnswer(0, [listed('SUCCESS')], { state: 'HALF' })]);
  expect(await lines(db, 'order_fault', ['reference', 'class', 'note'])).toEqual([
    'B1 unknown_state batch: state "HALF" is not known',
  ]);
  await save(db, [batchAnswer(100, [listed('SUCCESS')], { state: 'SUCCESS' })]);
  expect(await faults()).toEqual(['P B1 unknown_state 2026-03-01 2026-03-01']);
});

test('a batch and its only order may have one number: faults of either do not cure the other’s', async () => {
  await enrolled(db, [batchUnit('X')]);
  const answer = (seconds: number, state: string, label: string) =>
    batchAnswer(seconds, [listed(state, { outOrderNo: 'X' })], {
      unit: batchUnit('X'),
      outBatchNo: 'X',
      state: label,
    });
  const ofBoth = () => lines(db, 'order_fault', ['subject', 'reference', 'class', 'cured_day']);
  await save(db, [answer(0, 'ODD', 'SUCCESS')]);
  expect(await ofBoth()).toEqual(['transfer X unknown_state -']);
  await save(db, [answer(100, 'SUCCESS', 'HALF')]);
  expect(await ofBoth()).toEqual(['batch X unknown_state -', 'transfer X unknown_state 2026-03-01']);
  await save(db, [answer(200, 'SUCCESS', 'SUCCESS')]);
  expect(await ofBoth()).toEqual(['batch X unknown_state 2026-03-01', 'transfer X unknown_state 2026-03-01']);
});

describe('a batch that is asked for by the platform’s number is one batch, whether or not its answers state the company’s', () => {
  const platform = { kind: 'batch', numberKind: 'platform', number: 'N-B1' } as const;
  const answer = (seconds: number, state: string, outBatchNo: string) =>
    batchAnswer(seconds, [listed(state)], { unit: platform, outBatchNo, state });
  const known = async () => [
    ...(await lines(db, 'transfer_order', ['out_batch_no', 'out_order_no', 'effective_state'])),
    ...(await lines(db, 'transfer_batch', ['out_batch_no', 'contradiction'])),
    ...(await faults()),
  ];

  test('known by the company’s', async () => {
    await enrolled(db, [platform]);
    await save(db, [answer(0, 'PROCESSING', 'B1')]);
    await save(db, [answer(100, 'SUCCESS', '')]);
    expect(await known()).toEqual(['B1 T1 moved', 'B1 ']);
  });

  test('known by the platform’s alone at first', async () => {
    await enrolled(db, [platform]);
    await save(db, [answer(0, 'PROCESSING', '')]);
    await save(db, [answer(100, 'PROCESSING', 'B1')]);
    await save(db, [answer(200, 'SUCCESS', '')]);
    expect(await known()).toEqual(['N-B1 T1 moved', 'N-B1 ']);
  });

  test('found by it because the company’s is not known there, and held against what was registered ever after', async () => {
    await register(db, {
      kind: 'transfer',
      out_batch_no: 'B1',
      batch_no: 'N-B1',
      out_order_no: 'T1',
      amount_fen: 9_000n,
    });
    await enrolled(db, [batchUnit('B1')]);
    await save(db, [
      batchAnswer(0, [listed('PROCESSING')], { unit: batchUnit('B1'), foundAs: platform, outBatchNo: '' }),
    ]);
    await save(db, [answer(100, 'SUCCESS', '')]);
    const differs = 'order T1: amount 90.00 was registered, 100.00 is stated';
    expect(await known()).toEqual(['B1 T1 moved', `B1 ${differs}`]);
  });

  test.each([
    { as: 'first', at: { platform: 0, own: 100 }, isFirst: true },
    { as: 'last', at: { platform: 100, own: 0 }, isFirst: false },
    { as: 'at the same time, and stored first', at: { platform: 0, own: 0 }, isFirst: true },
    { as: 'at the same time, and stored last', at: { platform: 0, own: 0 }, isFirst: false },
  ])(
    'found by it $as, and held against what was registered under it alone, though no answer states it',
    async ({ at, isFirst }) => {
      const wrong = batchUnit('B9');
      await register(db, {
        kind: 'transfer',
        out_batch_no: 'B9',
        batch_no: 'N-B1',
        out_order_no: 'T1',
        amount_fen: 9_000n,
      });
      await enrolled(db, [wrong, batchUnit('B1')]);
      const states = { outBatchNo: 'B1', batchNo: '', state: 'SUCCESS' };
      const byPlatform = { ...states, unit: wrong, foundAs: platform };
      const answers = [
        batchAnswer(at.platform, [listed('SUCCESS')], byPlatform),
        batchAnswer(at.own, [listed('SUCCESS')], { ...states, unit: batchUnit('B1') }),
      ];
      for (const one of isFirst ? answers : answers.toReversed()) await save(db, [one]);
      const differs = 'order T1: amount 90.00 was registered, 100.00 is stated';
      expect(await known()).toEqual(['B1 T1 moved', `B1 ${differs}`]);
    },
  );
});
