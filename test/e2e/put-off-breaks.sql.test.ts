/**
 * Breaks whose entry or record moved on to where this proof finds nothing of it: they are told all the same, and go on
 * (docs/reconciliation.md 3.11).
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findingsOf } from '../helpers/night.ts';
import type { Night } from '../helpers/night.ts';
import { openTrade } from '../helpers/trade.ts';
import type { Trade } from '../helpers/trade.ts';

let night: Night;
let trade: Trade;
afterEach(() => night.close());

const DAY = '2026-03-02';
const ENTRY = { id: 'E', account: 'P', kind: 'withdrawal', fen: -100n, at: '2026-03-02 12:05:00' } as const;

async function openBreaks(): Promise<string[]> {
  const open = await night.db.selectFrom('break').selectAll().where('status', '=', 'open').execute();
  return open.map((row) => `${row.break_id} ${row.item_key}`).toSorted();
}

test.each([
  ['beyond the cut', { at: '2026-03-04 00:30:00' }],
  ['not posted', { status: 'pending' }],
] as const)(
  'an entry that disagrees with a movement of the next day, %s, keeps its break',
  async (_, put) => {
    ({ night, trade } = await openTrade(DAY, { P: 1_000n }));
    const times = { submittedAt: '2026-03-04 00:20:00', finalAt: '2026-03-04 00:25:00' };
    trade.withdrawals({ outOrderNo: 'W', acctNo: 'P', amountFen: 90n, ...times });
    await night.entries([{ ...ENTRY, reference: 'N' }]);
    const [told] = (await trade.night(DAY)).result.breaks;
    await trade.until('2026-03-04 01:00:00');
    await night.entries([{ ...ENTRY, reference: 'W', ...put }]);
    const { result } = await trade.night('2026-03-03');
    expect(result.closed).toEqual([]);
    expect(result.accounts).toMatchObject([{ verdict: 'unverified' }]);
    const last = await trade.night('2026-03-04');
    expect(findingsOf(last)).toContain('amount P W 10');
    const amount = last.result.breaks.find(({ class: is }) => is === 'amount');
    expect([amount?.id, amount?.firstSeen]).toEqual([told?.id, DAY]);
  },
);

test('two breaks of one order that a proof neither finds nor ends are shown as one', async () => {
  ({ night, trade } = await openTrade(DAY, { P: 1_000n }));
  const times = { submittedAt: '2026-03-02 12:00:00', finalAt: '2026-03-04 12:00:00' };
  trade.withdrawals({ outOrderNo: 'W', acctNo: 'P', amountFen: 100n, ...times, state: 'FAIL' });
  await night.entries([{ ...ENTRY, reference: 'N' }]);
  const [told] = (await trade.night(DAY)).result.breaks;
  await night.entries([{ ...ENTRY, reference: 'W' }]);
  await trade.night('2026-03-03');
  await night.entries([{ ...ENTRY, reference: 'W', status: 'pending' }]);
  for (const day of ['2026-03-04', '2026-03-05']) {
    const { result } = await trade.night(day);
    expect(result.accounts.map(({ verdict, reason }) => `${verdict}: ${reason}`)).toEqual([
      expect.stringMatching(new RegExp(`^unverified: .*${told?.id}`)),
    ]);
  }
  const last = {
    id: 'L',
    account: 'P',
    kind: 'adjustment',
    fen: 0n,
    at: ENTRY.at,
    status: 'pending',
  } as const;
  await night.entries([last], { replace: true });
  const { result } = await trade.night('2026-03-06');
  expect(result.run.verdict).toBe('reconciled');
  expect(await openBreaks()).toEqual([]);
});

describe('what nobody has booked is dated behind the cut: the day before is proven again, and its break goes on', () => {
  beforeEach(async () => {
    ({ night, trade } = await openTrade(DAY, { P: 1_000n }));
  });

  /** The two nights after that one: what they proved again, what they ended, and the break as they tell it. */
  async function nightsAfter(): Promise<object[]> {
    const all: object[] = [];
    for (const day of ['2026-03-03', '2026-03-04']) {
      const { result } = await trade.night(day);
      const { restated, closed, breaks } = result;
      const found = breaks.find(({ class: is }) => is !== 'record_changed');
      all.push({ restated, closed, id: found?.id, firstSeen: found?.firstSeen, class: found?.class });
    }
    return all;
  }

  const goesOn = (id: string | undefined): object[] => {
    const known = { closed: [], id, firstSeen: DAY, class: 'platform_only' };
    return [
      { ...known, restated: [{ day: DAY, version: 2 }] },
      { ...known, restated: [] },
    ];
  };

  test('a deposit that the platform dates anew', async () => {
    const deposit = { payeeAcctNo: 'P', orderNo: 'D', amountFen: 100n, depositTime: `${DAY} 23:50:00` };
    night.deposits(deposit);
    const [told] = (await trade.night(DAY)).result.breaks;
    const set = { depositTime: '2026-03-03 00:10:00' };
    night.sandbox.addFault({ kind: 'record', path: 'query/deposit', set, times: null });
    expect(await nightsAfter()).toEqual(goesOn(told?.id));
  });

  test('an order that only its entry had dated, when the books take that back and the registry states it later', async () => {
    const times = { submittedAt: '2026-03-03 00:30:00', finalAt: '2026-03-03 00:40:00' };
    night.sandbox.seedWithdrawals([{ outOrderNo: 'W', acctNo: 'P', amountFen: 100n, ...times }]);
    await night.entries([{ ...ENTRY, fen: -90n, reference: 'W' }]);
    const [told] = (await trade.night(DAY)).result.breaks;
    const last = { id: 'L', account: 'P', kind: 'adjustment', fen: 0n, at: ENTRY.at } as const;
    await night.entries([{ ...last, status: 'pending' }], { replace: true });
    await night.orders({ kind: 'withdrawal', outOrderNo: 'W', payer: 'P', fen: 100n, ...times });
    expect(await nightsAfter()).toEqual(goesOn(told?.id));
  });
});
