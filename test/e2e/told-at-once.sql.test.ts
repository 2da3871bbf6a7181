/** All known entries of a reference are held against its movement, whatever day or status they have (3.8, point 4). */
import { afterEach, expect, test } from 'vitest';
import type { BookLine } from '../helpers/company/company-files.ts';
import type { Night } from '../helpers/night.ts';
import { findingsOf } from '../helpers/night.ts';
import { openTrade } from '../helpers/trade.ts';

let night: Night;
afterEach(() => night.close());

const BOOKED: BookLine = {
  id: 'E1',
  account: 'P',
  kind: 'withdrawal',
  reference: 'W1',
  fen: -500n,
  at: '2026-03-10 12:00:00',
};

async function nightOfBookedTwice(again: Partial<BookLine>) {
  const { night: opened, trade } = await openTrade('2026-03-10', { P: 100_000n });
  night = opened;
  trade.withdrawals({
    outOrderNo: 'W1',
    acctNo: 'P',
    amountFen: 500n,
    submittedAt: '2026-03-10 11:00:00',
  });
  await trade.until('2026-03-11 01:30:00');
  await night.entries([BOOKED, { ...BOOKED, id: 'E2', ...again }]);
  return trade;
}

test('an order that is booked, and pending once more, is not reconciled', async () => {
  const trade = await nightOfBookedTwice({ status: 'pending' });
  for (const day of ['2026-03-10', '2026-03-11', '2026-03-16']) {
    const { result } = await trade.night(day);
    expect(`${day} ${result.run.verdict}`).toBe(`${day} breaks`);
  }
});

test('an order that is booked before the cut and once more after it is not reconciled', async () => {
  const trade = await nightOfBookedTwice({ at: '2026-03-11 01:00:00' });
  const out = await trade.night('2026-03-10');
  expect(findingsOf(out)).toContain('duplicate P W1 500');
  expect(out.result.run.verdict).toBe('breaks');
});

test('an order that is booked, and pending with another amount, is not reconciled', async () => {
  const trade = await nightOfBookedTwice({ status: 'pending', fen: -300n });
  const { result } = await trade.night('2026-03-10');
  expect(result.run.verdict).toBe('breaks');
});

test.each([
  ['pending', { status: 'pending' as const }],
  ['dated after the cut', { at: '2026-03-12 01:00:00' }],
])('a second booking that becomes %s stays the break that it is', async (_, again) => {
  const trade = await nightOfBookedTwice({});
  expect(findingsOf(await trade.night('2026-03-10'))).toEqual(['duplicate P W1 500']);
  await trade.until('2026-03-12 01:30:00');
  await night.entries([{ ...BOOKED, id: 'E2', ...again }]);
  const next = await trade.night('2026-03-11');
  const told = await night.db
    .selectFrom('break')
    .select('status')
    .where('item_key', '=', 'line:withdrawal:W1')
    .execute();
  expect(told).toEqual([{ status: 'open' }]);
  expect(next.result.run.verdict).toBe('breaks');
});

test('an order under way that is booked, and pending once more, stays a break when it is done', async () => {
  const { night: opened, trade } = await openTrade('2026-03-10', { P: 100_000n });
  night = opened;
  trade.withdrawals({
    outOrderNo: 'W1',
    acctNo: 'P',
    amountFen: 500n,
    submittedAt: '2026-03-10 11:00:00',
    states: [
      { afterMs: 0, state: 'PROCESSING' },
      { afterMs: 24 * 3_600_000, state: 'SUCCESS' },
    ],
  });
  await trade.until('2026-03-11 01:30:00');
  await night.entries([BOOKED, { ...BOOKED, id: 'E2', status: 'pending' }]);
  expect(findingsOf(await trade.night('2026-03-10'))).toEqual(['amount P W1 500']);
  const next = await trade.night('2026-03-11');
  expect(next.result.run.verdict).toBe('breaks');
});

test('a second booking that is dated anew after every cut is told every night', async () => {
  const trade = await nightOfBookedTwice({ at: '2026-03-11 01:00:00' });
  const verdicts: string[] = [];
  for (const day of [10, 11, 12, 13, 14, 15]) {
    await trade.until(`2026-03-${day + 1} 01:30:00`);
    await night.entries([{ ...BOOKED, id: 'E2', at: `2026-03-${day + 1} 01:00:00` }]);
    verdicts.push((await trade.night(`2026-03-${day}`)).result.run.verdict);
  }
  expect(verdicts).toEqual(['breaks', 'breaks', 'breaks', 'breaks', 'breaks', 'breaks']);
});
