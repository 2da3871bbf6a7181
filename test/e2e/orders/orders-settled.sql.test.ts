/** Where SUCCESS of an order waits for its automatic withdrawal, its money arrives before the word does (U60). */
import { afterEach, expect, test } from 'vitest';
import { findingsOf } from '../../helpers/night.ts';
import type { Night } from '../../helpers/night.ts';
import { closingsOf, fourNumbersOf, movementsOf, openTrade } from '../../helpers/trade.ts';

let night: Night;
afterEach(() => night.close());

test('U60: an order whose settlement is under way has arrived, and one without a settlement keeps its money', async () => {
  const opened = await openTrade(
    '2026-03-02',
    { P: 100_000n, Q: 0n, R: 0n },
    {
      autoSettle: ['Q'],
      switches: { orderSuccessMeans: 'settled' },
      profile: { states: { childSuccessMeans: 'settled' } },
    },
  );
  ({ night } = opened);
  const { trade } = opened;
  trade.transfers({
    outBatchNo: 'B1',
    payerAcctNo: 'P',
    submittedAt: '2026-03-02 09:00:00',
    orders: [
      { outOrderNo: 'T1', payeeAcctNo: 'Q', amountFen: 1_000n, settle: { delayMs: 27 * 3_600_000 } },
      { outOrderNo: 'T2', payeeAcctNo: 'R', amountFen: 200n },
    ],
  });
  trade.books(
    'P transfer_out T1 -1000 2026-03-02 09:01',
    'Q transfer_in T1 1000 2026-03-02 09:01',
    'P transfer_out T2 -200 2026-03-02 09:01',
    'R transfer_in T2 200 2026-03-02 09:01',
    'Q settlement T1 -1000 2026-03-03 12:01',
  );
  const first = await trade.night('2026-03-02');
  expect(findingsOf(first)).toEqual(['in_flight Q T1 0']);
  expect(closingsOf(first)).toEqual(['P 98800', 'Q 1000', 'R 200']);
  const second = await trade.night('2026-03-03');
  expect(findingsOf(second)).toEqual([]);
  expect(second.result.run.verdict).toBe('reconciled');
  expect(closingsOf(second)).toEqual(['P 98800', 'Q 0', 'R 200']);
  expect(fourNumbersOf(second)).toEqual(['P 0 = 0 + 0 + 0', 'Q 0 = 0 + 0 + 0', 'R 0 = 0 + 0 + 0']);
  expect(await movementsOf(night)).toEqual([
    'P transfer_out:T1 -1000',
    'P transfer_out:T2 -200',
    'Q settlement:T1 -1000',
    'Q transfer_in:T1 1000',
    'R transfer_in:T2 200',
  ]);
});
