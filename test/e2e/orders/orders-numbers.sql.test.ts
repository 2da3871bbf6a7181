/**
 * Numbers of orders: either side's, the batch's alone, one for several (docs/reconciliation.md 3.2, U26); and who
 * bears fees.
 */
import { afterEach, expect, test } from 'vitest';
import { findingsOf } from '../../helpers/night.ts';
import type { Night } from '../../helpers/night.ts';
import { closingsOf, fourNumbersOf, movementsOf, openTrade } from '../../helpers/trade.ts';
import type { Trade } from '../../helpers/trade.ts';

let night: Night;
let trade: Trade;
afterEach(() => night.close());

const DAY = '2026-03-02';
const B1 = { outBatchNo: 'B1', payerAcctNo: 'P', submittedAt: '2026-03-02 09:00:00' } as const;
const T1 = { outOrderNo: 'T1', payeeAcctNo: 'Q', amountFen: 10_000n } as const;

test('3.2: books that name orders by the platform’s numbers agree with those that name them by the company’s', async () => {
  ({ night, trade } = await openTrade(DAY, { P: 100_000n, Q: 0n }));
  trade.transfers({
    ...B1,
    orders: [{ ...T1, orderNo: 'N1', feeFen: 30n, feeType: 'ACCOUNT' }],
    refunds: [{ outOrderNo: 'T1', amountFen: 1_000n, at: '2026-03-02 15:00:00' }],
  });
  trade.withdrawals({
    outOrderNo: 'W1',
    orderNo: 'N2',
    acctNo: 'P',
    amountFen: 700n,
    feeFen: 7n,
    feeType: 'ACCOUNT',
    submittedAt: '2026-03-02 12:00:00',
  });
  trade.books(
    'P transfer_out N1 -10000 2026-03-02 09:05',
    'P fee T1 -30 2026-03-02 09:05',
    'Q transfer_in T1 10000 2026-03-02 09:05',
    'P refund_in T1 1000 2026-03-02 15:05',
    'Q refund_out N1 -1000 2026-03-02 15:05',
    'P withdrawal W1 -700 2026-03-02 12:05',
    'P fee N2 -7 2026-03-02 12:05',
  );
  const outcome = await trade.night(DAY);
  expect(findingsOf(outcome)).toEqual([]);
  expect(closingsOf(outcome)).toEqual(['P 90263', 'Q 9000']);
});

test('3.2: a number that is the company’s of one order and the platform’s of another names the own order of its account', async () => {
  ({ night, trade } = await openTrade(DAY, { P: 100_000n, Q: 50_000n }));
  const withdrawal = { amountFen: 900n, submittedAt: '2026-03-02 12:00:00' };
  const beside = { feeFen: 7n, feeType: 'ACCOUNT' } as const;
  trade.withdrawals(
    { ...withdrawal, ...beside, outOrderNo: 'X9', orderNo: 'N1', acctNo: 'P' },
    { ...withdrawal, ...beside, outOrderNo: 'W2', orderNo: 'X9', acctNo: 'Q' },
  );
  trade.books(
    'P withdrawal X9 -900 2026-03-02 12:05',
    'P fee X9 -7 2026-03-02 12:05',
    'Q withdrawal X9 -900 2026-03-02 12:05',
    'Q fee X9 -7 2026-03-02 12:05',
  );
  const outcome = await trade.night(DAY);
  expect(findingsOf(outcome)).toEqual([]);
  expect(closingsOf(outcome)).toEqual(['P 99093', 'Q 49093']);
});

test('3.2: a batch registered by its number alone is asked for whole', async () => {
  ({ night, trade } = await openTrade(DAY, { P: 100_000n, Q: 0n }));
  night.sandbox.seedTransfers([
    { ...B1, orders: [T1, { ...T1, outOrderNo: 'T2', amountFen: 300n, finalAt: '2026-03-03 12:00:00' }] },
  ]);
  trade.registers({
    kind: 'transfer',
    outBatchNo: 'B1',
    outOrderNo: '',
    payer: 'P',
    fen: 10_300n,
    submittedAt: B1.submittedAt,
  });
  trade.books('P transfer_out T1 -10000 2026-03-02 09:05', 'Q transfer_in T1 10000 2026-03-02 09:05');
  const outcome = await trade.night(DAY);
  expect(findingsOf(outcome)).toEqual(['in_flight P T2 0']);
  expect(closingsOf(outcome)).toEqual(['P 90000', 'Q 10000']);
});

test.each([
  { as: 'another amount', registered: { fen: 100n } },
  { as: 'another payer', registered: { payer: 'Q' } },
  { as: 'another payee', registered: { payee: 'P' } },
])('3.8: a batch registered by its number alone, with $as, is a break', async ({ registered }) => {
  ({ night, trade } = await openTrade(DAY, { P: 100_000n, Q: 50_000n }));
  night.sandbox.seedTransfers([{ ...B1, orders: [T1] }]);
  trade.registers({
    kind: 'transfer',
    outBatchNo: 'B1',
    outOrderNo: '',
    payer: 'P',
    fen: 10_000n,
    submittedAt: B1.submittedAt,
    ...registered,
  });
  trade.books('P transfer_out T1 -10000 2026-03-02 09:05', 'Q transfer_in T1 10000 2026-03-02 09:05');
  expect(findingsOf(await trade.night(DAY))).toEqual(['batch_children P B1 0']);
});

test('U26: one number for a transfer and a withdrawal, and for transfers of two payers, are orders of their own', async () => {
  ({ night, trade } = await openTrade(
    DAY,
    { P: 100_000n, Q: 0n, R: 50_000n },
    { switches: { numberScope: 'batch' } },
  ));
  trade.transfers({ ...B1, orders: [T1] });
  const B2 = { ...B1, outBatchNo: 'B2', payerAcctNo: 'R' } as const;
  night.sandbox.seedTransfers([{ ...B2, orders: [{ ...T1, amountFen: 3_000n }] }]);
  // A number stands for one order in the registry: the other is registered by its batch.
  trade.registers({
    kind: 'transfer',
    outBatchNo: 'B2',
    outOrderNo: '',
    payer: 'R',
    fen: 3_000n,
    submittedAt: B2.submittedAt,
  });
  trade.withdrawals({ outOrderNo: 'T1', acctNo: 'P', amountFen: 700n, submittedAt: '2026-03-02 12:00:00' });
  trade.books(
    'P transfer_out T1 -10000 2026-03-02 09:05',
    'Q transfer_in T1 10000 2026-03-02 09:05',
    'R transfer_out T1 -3000 2026-03-02 09:05',
    'Q transfer_in T1 3000 2026-03-02 09:05',
    'P withdrawal T1 -700 2026-03-02 12:05',
  );
  const outcome = await trade.night(DAY);
  expect(findingsOf(outcome)).toEqual([]);
  expect(closingsOf(outcome)).toEqual(['P 89300', 'Q 13000', 'R 47000']);
  expect(fourNumbersOf(outcome)).toEqual(['P 0 = 0 + 0 + 0', 'Q 0 = 0 + 0 + 0', 'R 0 = 0 + 0 + 0']);
  expect((await movementsOf(night)).filter((line) => line.startsWith('Q'))).toHaveLength(2);
});

test('U35: fees that another account bears are on that account, in the books and in the proof', async () => {
  const bearer = 'acct:F';
  ({ night, trade } = await openTrade(
    DAY,
    { F: 1_000n, P: 100_000n, Q: 0n },
    {
      autoSettle: ['Q'],
      switches: { transferFeeBearer: bearer, withdrawFeeBearer: bearer, settleFeeBearer: bearer },
      profile: {
        fees: {
          bearer: { transfer: bearer, withdraw: bearer, settle: bearer },
          settle: { feeType: 'ACCOUNT', feeFen: 20 },
        },
      },
    },
  ));
  const beside = { feeFen: 30n, feeType: 'ACCOUNT' } as const;
  trade.transfers({
    ...B1,
    orders: [{ ...T1, ...beside, settle: { feeFen: 20n, feeType: 'ACCOUNT' } }],
  });
  trade.withdrawals({
    ...beside,
    outOrderNo: 'W1',
    acctNo: 'P',
    amountFen: 700n,
    feeFen: 7n,
    submittedAt: '2026-03-02 23:00:00',
    finalAt: '2026-03-03 09:00:00',
  });
  trade.books(
    'P transfer_out T1 -10000 2026-03-02 09:05',
    'Q transfer_in T1 10000 2026-03-02 09:05',
    'F fee T1 -30 2026-03-02 09:05',
    'Q settlement T1 -10000 2026-03-02 09:05',
    'F fee T1 -20 2026-03-02 09:05',
    'P withdrawal W1 -700 2026-03-03 09:05',
    'F fee W1 -7 2026-03-03 09:05',
  );
  const first = await trade.night(DAY);
  expect(findingsOf(first)).toEqual(['in_flight P W1 0']);
  expect(closingsOf(first)).toEqual(['F 950', 'P 90000', 'Q 0']);
  const second = await trade.night('2026-03-03');
  expect(findingsOf(second)).toEqual([]);
  expect(closingsOf(second)).toEqual(['F 943', 'P 89300', 'Q 0']);
  expect(fourNumbersOf(second)).toEqual(['F 0 = 0 + 0 + 0', 'P 0 = 0 + 0 + 0', 'Q 0 = 0 + 0 + 0']);
});
