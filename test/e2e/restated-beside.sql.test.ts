/**
 * A night that is proven again because of one account says of the others what it said before: what was told of them
 * keeps its amount and its id (docs/reconciliation.md 3.4).
 */
import { afterEach, expect, test } from 'vitest';
import { findingsOf } from '../helpers/night.ts';
import type { Night } from '../helpers/night.ts';
import { openTrade } from '../helpers/trade.ts';
import type { Trade } from '../helpers/trade.ts';

let night: Night;
let trade: Trade;
afterEach(() => night.close());

test.each([
  { lostFen: -286_508n, withdrawnFen: 837_294n },
  { lostFen: -314_625n, withdrawnFen: 99_903n },
])(
  'a loss of $lostFen beside an order that is booked and not registered',
  async ({ lostFen, withdrawnFen }) => {
    ({ night, trade } = await openTrade('2026-03-02', { P: 50_000_000n, Q: 50_000_000n }));
    const movement = {
      kind: 'adjustment',
      accountNo: 'P',
      amountFen: lostFen,
      at: '2026-03-02 12:00:00',
    } as const;
    night.sandbox.seedMovements([movement]);
    night.deposits({
      payeeAcctNo: 'Q',
      orderNo: 'D1',
      amountFen: 500n,
      depositTime: '2026-03-02 13:00:00',
      visibleFrom: '2026-03-03 09:00:00',
    });
    trade.books('Q deposit D1 500 2026-03-02 13:05');
    const submittedAt = '2026-03-03 12:00:00';
    night.sandbox.seedWithdrawals([{ outOrderNo: 'W1', acctNo: 'P', amountFen: withdrawnFen, submittedAt }]);
    trade.books(`P withdrawal W1 ${-withdrawnFen} 2026-03-03 12:05`);
    const told = `unexplained P P ${lostFen}`;
    expect(findingsOf(await trade.night('2026-03-02'))).toContain(told);
    const [known] = await night.db.selectFrom('break').selectAll().where('account_no', '=', 'P').execute();
    const second = await trade.night('2026-03-03');
    expect([findingsOf(second), second.result.breaks.map(({ id }) => id)]).toEqual([
      [told],
      [known?.break_id],
    ]);
  },
);

test.each([70n, 130n])(
  'a loss of days that are proven together stays one beside an order of %s that may lie on either of them',
  async (withdrawnFen) => {
    ({ night, trade } = await openTrade('2026-03-02', { P: 1_000n }));
    const lost = { kind: 'adjustment', accountNo: 'P', amountFen: -100n, at: '2026-03-03 12:00:00' } as const;
    night.sandbox.seedMovements([lost]);
    const submittedAt = '2026-03-04 10:00:00';
    night.sandbox.seedWithdrawals([{ outOrderNo: 'W1', acctNo: 'P', amountFen: withdrawnFen, submittedAt }]);
    trade.books(`P withdrawal W1 ${-withdrawnFen} 2026-03-04 10:05`);
    await trade.night('2026-03-02');
    await trade.snapshot('2026-03-04');
    const first = await trade.night('2026-03-04');
    expect(findingsOf(first)).toEqual(['unexplained P P -100']);
    const again = await trade.night('2026-03-04');
    expect(again.result.breaks).toEqual(first.result.breaks);
  },
);

test.each([
  { foundFen: -40n, toldFen: -100n },
  { foundFen: 40n, toldFen: -20n },
])(
  'of $toldFen that were told $foundFen are left once late books have an order on its day',
  async ({ foundFen, toldFen }) => {
    ({ night, trade } = await openTrade('2026-03-02', { P: 1_000n }));
    const beside = {
      kind: 'adjustment',
      accountNo: 'P',
      amountFen: foundFen,
      at: '2026-03-02 12:30:00',
    } as const;
    night.sandbox.seedMovements([beside]);
    const submittedAt = '2026-03-02 12:00:00';
    night.sandbox.seedWithdrawals([{ outOrderNo: 'W1', acctNo: 'P', amountFen: 60n, submittedAt }]);
    expect(findingsOf(await trade.night('2026-03-02'))).toEqual([`unexplained P P ${toldFen}`]);
    trade.books('P withdrawal W1 -60 2026-03-02 12:05');
    const [known] = await night.db.selectFrom('break').selectAll().execute();
    const { result } = await trade.night('2026-03-03');
    const unexplained = result.breaks.filter((each) => each.class === 'unexplained');
    expect(unexplained.map(({ id, differenceFen }) => [id, differenceFen])).toEqual([
      [known?.break_id, foundFen],
    ]);
  },
);
