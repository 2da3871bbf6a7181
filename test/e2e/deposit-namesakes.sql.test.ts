/** Two deposits of one number on two accounts are two: what changes of one leaves the other alone (3.3). */
import { afterEach, expect, test } from 'vitest';
import { findingsOf } from '../helpers/night.ts';
import type { Night } from '../helpers/night.ts';
import { closingsOf, movementsOf, openTrade } from '../helpers/trade.ts';
import type { Trade } from '../helpers/trade.ts';

let night: Night;
let trade: Trade;
afterEach(() => night.close());

test('3.3 a changed deposit of A leaves the fee of the deposit of B that has the same number', async () => {
  ({ night, trade } = await openTrade('2026-03-02', { A: 100_000n, B: 100_000n }));
  const depositTime = '2026-03-02 10:00:00';
  night.deposits(
    {
      payeeAcctNo: 'A',
      orderNo: 'D1',
      amountFen: 10_000n,
      depositTime,
      changes: [{ at: '2026-03-03 12:00:00', set: { payerName: 'Other' } }],
    },
    { payeeAcctNo: 'B', orderNo: 'D1', amountFen: 20_000n, feeFen: 30n, feeType: 'ACCOUNT', depositTime },
  );
  trade.books(
    'A deposit D1 10000 2026-03-02 10:05',
    'B deposit D1 20000 2026-03-02 10:05',
    'B fee D1 -30 2026-03-02 10:05',
  );
  expect(findingsOf(await trade.night('2026-03-02'))).toEqual([]);
  const second = await trade.night('2026-03-03');
  expect(closingsOf(second)).toEqual(['A 110000', 'B 119970']);
  expect(await movementsOf(night)).toEqual([
    'A deposit:D1 10000',
    'B deposit:D1 20000',
    'B deposit_fee:D1 -30 (30)',
  ]);
  expect(findingsOf(second)).toEqual(['record_changed A D1 0']);
  expect(findingsOf(await trade.night('2026-03-04'))).toEqual([]);
});
