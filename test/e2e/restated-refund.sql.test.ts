/**
 * A night told an amount together with an order that is registered later. Of a refund of it that no look saw on its way
 * only the books or a balance tell when it was: nothing puts it on the day of its transfer (docs/reconciliation.md 3.4).
 */
import { afterEach, expect, test } from 'vitest';
import type { Night } from '../helpers/night.ts';
import { openTrade } from '../helpers/trade.ts';
import type { Trade } from '../helpers/trade.ts';

let night: Night;
let trade: Trade;
afterEach(() => night.close());

const cases = [
  { day: '2026-03-02', isBookedLate: true, lostFen: -1_000n },
  { day: '2026-03-03', isBookedLate: true, lostFen: -1_000n },
  { day: '2026-03-03', isBookedLate: true, lostFen: 40n },
  { day: '2026-03-03', isBookedLate: false, lostFen: -1_000n },
];

test.each(cases)(
  'a difference of $lostFen beside a refund of $day; its books are late: $isBookedLate',
  async ({ day, isBookedLate, lostFen }) => {
    ({ night, trade } = await openTrade('2026-03-02', { P: 10_000n, Q: 10_000n }));
    const movement = { kind: 'adjustment', at: '2026-03-02 12:00:00', amountFen: lostFen } as const;
    night.sandbox.seedMovements([
      { ...movement, accountNo: 'P' },
      { ...movement, accountNo: 'Q' },
    ]);
    night.sandbox.seedTransfers([
      {
        outBatchNo: 'B',
        payerAcctNo: 'P',
        submittedAt: '2026-03-02 13:00:00',
        orders: [{ outOrderNo: 'T', payeeAcctNo: 'Q', amountFen: 500n }],
        refunds: [{ outOrderNo: 'T', at: `${day} 15:00:00`, amountFen: 70n }],
      },
    ]);
    const first = await trade.night('2026-03-02');
    const ids = new Set(
      first.result.breaks.filter((each) => each.class === 'unexplained').map(({ id }) => id),
    );
    trade.registers({
      kind: 'transfer',
      outBatchNo: 'B',
      outOrderNo: 'T',
      payer: 'P',
      payee: 'Q',
      fen: 500n,
      submittedAt: '2026-03-02 13:00:00',
    });
    trade.books('P transfer_out T -500 2026-03-02 13:05 B', 'Q transfer_in T 500 2026-03-02 13:05 B');
    const refund = [`P refund_in T 70 ${day} 15:05 B`, `Q refund_out T -70 ${day} 15:05 B`];
    if (!isBookedLate) trade.books(...refund);
    await trade.night('2026-03-03');
    if (isBookedLate) trade.books(...refund);
    // Run once more with nothing changed, they say the same.
    for (const again of ['2026-03-04', '2026-03-03', '2026-03-02', '2026-03-04']) {
      const { result } = await trade.night(again);
      if (again !== '2026-03-04') continue;
      const left = result.breaks.filter((each) => each.class !== 'empty_suspect');
      expect(left.map((each) => `${each.class} ${each.accountNo} ${each.differenceFen}`)).toEqual([
        `unexplained P ${lostFen}`,
        `unexplained Q ${lostFen}`,
      ]);
      expect(new Set(left.map(({ id }) => id))).toEqual(ids);
    }
  },
);
