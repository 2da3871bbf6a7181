/**
 * One of the two numbers that an order was registered under may be wrong, or never stated by the platform: it is compared
 * with its registration all the same, and is one order (docs/reconciliation.md 3.8, 5).
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { putRight } from '../../helpers/company/put-right.ts';
import { findingsOf } from '../../helpers/night.ts';
import type { Night } from '../../helpers/night.ts';
import { openTrade } from '../../helpers/trade.ts';
import type { Trade } from '../../helpers/trade.ts';

let night: Night;
let trade: Trade;

beforeEach(async () => {
  ({ night, trade } = await openTrade('2026-03-02', { P: 100_000n, Q: 50_000n }));
});
afterEach(() => night.close());

const submittedAt = '2026-03-02 12:00:00';
const isWithdrawn = (named = 'N1'): void => {
  night.sandbox.seedWithdrawals([
    { outOrderNo: 'W1', orderNo: 'N1', acctNo: 'P', amountFen: 90_000n, submittedAt },
  ]);
  trade.books(`P withdrawal ${named} -90000 2026-03-02 12:05`);
};
const REGISTERED = { kind: 'withdrawal', outOrderNo: 'W9', orderNo: 'N1', payer: 'P', submittedAt } as const;
/** Answers about withdrawals do not state that number. */
const statesNot = (number: 'outOrderNo' | 'orderNo') =>
  night.sandbox.addFault({ path: 'account/queryWithdraw', kind: 'record', remove: [number], times: null });

/** What each of these nights found. */
async function nights(count: number): Promise<string[][]> {
  const found: string[][] = [];
  for (let n = 0; n < count; n++) found.push(findingsOf(await trade.night(`2026-03-0${n + 2}`)));
  return found;
}

test.each([
  { as: 'with another amount', registered: { fen: 100n }, told: ['amount P W1 0'] },
  { as: 'of another account', registered: { fen: 90_000n, payer: 'Q' }, told: ['account P W1 0'] },
  { as: 'as it was paid', registered: { fen: 90_000n }, told: [] },
])('a withdrawal that was registered $as, under a wrong number of the company', async (its) => {
  isWithdrawn();
  trade.registers({ ...REGISTERED, ...its.registered });
  expect(await nights(2)).toEqual([its.told, its.told]);
});

test('the same where no answer states its number', async () => {
  isWithdrawn();
  statesNot('outOrderNo');
  trade.registers({ ...REGISTERED, fen: 100n });
  expect(await nights(2)).toEqual([['amount P W9 0'], ['amount P W9 0']]);
});

test.each([
  { as: 'under both numbers, booked under its own', outOrderNo: 'W9', named: 'W1' },
  { as: "under the platform's number, booked under its own", outOrderNo: '', named: 'W1' },
  { as: "under the platform's number, booked under that", outOrderNo: '', named: 'N1' },
])(
  "a withdrawal that was registered $as, where no answer repeats the platform's",
  async ({ outOrderNo, named }) => {
    isWithdrawn(named);
    statesNot('orderNo');
    trade.registers({ ...REGISTERED, outOrderNo, fen: 100n });
    expect(await nights(2)).toEqual([['amount P W1 0'], ['amount P W1 0']]);
  },
);

test.each([
  { fen: 90_000n, told: [] },
  { fen: 100n, told: ['amount P N1 0'] },
])(
  'a withdrawal that the books alone named is the same one when $fen fen are registered of it',
  async (its) => {
    isWithdrawn();
    statesNot('outOrderNo');
    expect(await nights(1)).toEqual([[]]);
    trade.registers({ ...REGISTERED, fen: its.fen });
    expect((await nights(3)).slice(1)).toEqual([its.told, its.told]);
  },
);

test.each([
  { fen: 100n, told: ['batch_children P B1 0'] },
  { fen: 90_000n, told: [] },
])(
  'a transfer that was registered with $fen fen, under a wrong number of its batch',
  async ({ fen, told }) => {
    const orders = [{ outOrderNo: 'T1', payeeAcctNo: 'Q', amountFen: 90_000n }];
    night.sandbox.seedTransfers([{ outBatchNo: 'B1', batchNo: 'M1', payerAcctNo: 'P', submittedAt, orders }]);
    const parties = { payer: 'P', payee: 'Q' } as const;
    trade.registers({
      ...parties,
      kind: 'transfer',
      outBatchNo: 'B9',
      batchNo: 'M1',
      outOrderNo: 'T1',
      fen,
      submittedAt,
    });
    trade.books('P transfer_out T1 -90000 2026-03-02 12:05', 'Q transfer_in T1 90000 2026-03-02 12:05');
    expect(await nights(2)).toEqual([told, told]);
  },
);

test.each([90_000n, 100n])(
  'a transfer that the books named and that is registered later with %i fen, under a batch that nobody knows',
  async (fen) => {
    const orders = [{ outOrderNo: 'T1', payeeAcctNo: 'Q', amountFen: 90_000n }];
    night.sandbox.seedTransfers([{ outBatchNo: 'B1', payerAcctNo: 'P', submittedAt, orders }]);
    trade.books('P transfer_out T1 -90000 2026-03-02 12:05 B1', 'Q transfer_in T1 90000 2026-03-02 12:05 B1');
    expect(await nights(1)).toEqual([[]]);
    await trade.until('2026-03-03 10:00:00');
    const order = { kind: 'transfer', outOrderNo: 'T1', payer: 'P', payee: 'Q', fen, submittedAt } as const;
    await night.orders({ ...order, outBatchNo: 'B9' });
    const later = await trade.night('2026-03-03');
    expect([later.result.run.verdict, ...findingsOf(later)]).toEqual(['breaks', 'state P T1 0']);
    await trade.until('2026-03-04 10:00:00');
    await putRight(night, { ...order, outBatchNo: 'B1' });
    const told = fen === 100n ? ['batch_children P B1 0'] : [];
    expect(findingsOf(await trade.night('2026-03-04'))).toEqual(told);
    expect(findingsOf(await trade.night('2026-03-05'))).toEqual(told);
  },
);
