/**
 * What the books have once more before their opening is told, though nothing before it counts: all entries of a reference
 * are held against its movements (docs/reconciliation.md 3.8, 4).
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { NightOutcome } from '../../helpers/findings.ts';
import { findingsOf } from '../../helpers/night.ts';
import type { Night } from '../../helpers/night.ts';
import { openTrade } from '../../helpers/trade.ts';
import type { Trade } from '../../helpers/trade.ts';

let night: Night;
let trade: Trade;

beforeEach(async () => {
  ({ night, trade } = await openTrade('2026-03-02', { P: 100_000n }));
});
afterEach(() => night.close());

const told = ({ result, ...outcome }: NightOutcome): string[] => [
  result.run.verdict,
  ...findingsOf({ result, ...outcome }),
];
const OPENING = { id: 'O', account: 'P', kind: 'opening', fen: 100_000n, at: '2026-03-02 00:00:00' };
const MISDATED = { id: 'X', account: 'P', at: '2026-02-28 09:05:00' };

test.each([
  { which: 'a deposit', reference: 'D1', kind: 'deposit', fen: 100n, isStated: true },
  { which: 'a deposit', reference: 'D1', kind: 'deposit', fen: 100n, isStated: false },
  { which: 'a withdrawal', reference: 'W1', kind: 'withdrawal', fen: -500n, isStated: true },
])(
  '$which that is booked once more, before the opening (stated: $isStated)',
  async ({ reference, kind, fen, isStated }) => {
    const [sentAt, bookedAt] = ['2026-03-02 09:00:00', '2026-03-02 09:05:00'];
    night.deposits({ payeeAcctNo: 'P', orderNo: 'D1', amountFen: 100n, depositTime: sentAt });
    trade.withdrawals({ outOrderNo: 'W1', acctNo: 'P', amountFen: 500n, submittedAt: sentAt });
    await trade.until('2026-03-02 20:00:00');
    await night.entries([
      ...(isStated ? [OPENING] : []),
      { id: 'E1', account: 'P', fen: 100n, at: bookedAt, reference: 'D1' },
      { id: 'E2', account: 'P', fen: -500n, at: bookedAt, reference: 'W1', kind: 'withdrawal' },
    ]);
    expect(told(await trade.night('2026-03-02'))).toEqual(['reconciled']);
    await trade.until('2026-03-03 10:00:00');
    const again = { ...MISDATED, reference, kind };
    await night.entries([{ ...again, fen }]);
    const duplicate = ['breaks', `duplicate P ${reference} 0`];
    expect(told(await trade.night('2026-03-03'))).toEqual(duplicate);
    expect(told(await trade.night('2026-03-04'))).toEqual(duplicate);
    await trade.until('2026-03-05 10:00:00');
    const isReversed = kind === 'withdrawal';
    // Its day is handed in anew without it, or it is booked back there.
    if (isReversed) await night.entries([{ ...again, id: 'Y', fen: -fen }]);
    else await night.entries([{ ...MISDATED, id: 'Z', fen: 7n }], { replace: true });
    const last = await trade.night('2026-03-05');
    expect(told(last)).toEqual(['reconciled']);
    const ended = last.result.closed.map(({ cause, clearedBy }) => `${cause} ${clearedBy}`);
    expect(ended).toEqual([`entry ${isReversed ? 'Y' : 'E1'}`]);
  },
);

test('an entry that was dated before the opening in error, and once more as it should be', async () => {
  night.deposits({ payeeAcctNo: 'P', orderNo: 'D1', amountFen: 100n, depositTime: '2026-03-02 09:00:00' });
  await trade.until('2026-03-02 20:00:00');
  await night.entries([
    { ...MISDATED, reference: 'D1', fen: 60n },
    { id: 'E1', account: 'P', fen: 100n, at: '2026-03-02 09:05:00', reference: 'D1' },
  ]);
  expect(told(await trade.night('2026-03-02'))).toEqual(['breaks', 'amount P D1 0']);
});
