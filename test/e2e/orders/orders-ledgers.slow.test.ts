/**
 * Five ledgers of one week: the one kept rightly is reconciled every night; each of the others has exactly the
 * breaks an accountant would list, with their amounts and signs (docs/reconciliation.md 3.3–3.5).
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findingsOf } from '../../helpers/night.ts';
import type { Night } from '../../helpers/night.ts';
import { closingsOf, fourNumbersOf, movementsOf } from '../../helpers/trade.ts';
import type { Trade } from '../../helpers/trade.ts';
import { RIGHT_BOOKS, booksBut, openWeek } from './orders-week.ts';

let night: Night;
let trade: Trade;

beforeEach(async () => {
  ({ night, trade } = await openWeek());
});
afterEach(() => night.close());

const ALL_EVEN = ['P', 'Q', 'R', 'S', 'V'].map((no) => `${no} 0 = 0 + 0 + 0`);

test('E1–E6: books kept rightly are reconciled every night, with what is under way as timing', async () => {
  trade.books(...RIGHT_BOOKS);
  const first = await trade.night('2026-03-02');
  expect(findingsOf(first)).toEqual([]);
  expect(first.result.run.verdict).toBe('reconciled');
  expect(closingsOf(first)).toEqual(['P 549980', 'Q 50000', 'R 40000', 'S 300000', 'V 8992']);

  const second = await trade.night('2026-03-03');
  expect(findingsOf(second)).toEqual(['in_flight P T4 0']);
  expect(second.result.run.verdict).toBe('reconciled_with_timing');
  expect(second.result.timing).toMatchObject([{ amountFen: -7_000n, since: '2026-03-03T15:50:00.000Z' }]);
  expect(closingsOf(second)).toEqual(['P 549980', 'Q 50000', 'R 36000', 'S 249950', 'V 11989']);
  expect(second.result.accounts[0]).toMatchObject({ inFlightFen: 7_000n, frozenFen: 7_000n });

  const third = await trade.night('2026-03-04');
  expect(findingsOf(third)).toEqual(['settle_failed Q T5 0']);
  expect(third.result.run.verdict).toBe('reconciled');
  expect(closingsOf(third)).toEqual(['P 546980', 'Q 59990', 'R 45000', 'S 233944', 'V 11989']);

  const fourth = await trade.night('2026-03-05');
  expect(findingsOf(fourth)).toEqual(['settle_failed Q T5 0', 'in_flight Q T7 0']);
  expect(fourth.result.run.verdict).toBe('reconciled_with_timing');
  expect(closingsOf(fourth)).toEqual(['P 534968', 'Q 71990', 'R 39000', 'S 239944', 'V 11989']);

  const fifth = await trade.night('2026-03-06');
  expect(findingsOf(fifth)).toEqual(['settle_failed Q T5 0']);
  expect(fifth.result.run.verdict).toBe('reconciled');
  expect(closingsOf(fifth)).toEqual(['P 534968', 'Q 59990', 'R 39000', 'S 238944', 'V 11989']);
  for (const outcome of [first, second, third, fourth, fifth])
    expect(fourNumbersOf(outcome)).toEqual(ALL_EVEN);
  expect(await movementsOf(night)).toEqual([
    'P deposit:D1 100000',
    'P refund_in:T2:1 4000',
    'P transfer_fee:T2 -20 (20)',
    'P transfer_fee:T7 -12 (12)',
    'P transfer_out:T1 -30000',
    'P transfer_out:T2 -20000',
    'P transfer_out:T4 -7000',
    'P transfer_out:T7 -12000',
    'Q settlement:T1 -29970',
    'Q settlement:T7 -12000',
    'Q transfer_in:T1 29970 (30)',
    'Q transfer_in:T5 9990 (10)',
    'Q transfer_in:T7 12000',
    'R refund_out:T2:1 -4000',
    'R refund_out:T6:1 -6000',
    'R transfer_in:T2 20000',
    'R transfer_in:T4 7000',
    'R transfer_in:T6 6000',
    'R withdrawal:W2 -4000 (10)',
    'S refund_in:T6:1 6000',
    'S transfer_fee:T6 -6 (6)',
    'S transfer_out:T5 -10000',
    'S transfer_out:T6 -6000',
    'S withdrawal:W1 -50000',
    'S withdrawal:W4 -1000',
    'S withdrawal_fee:W1 -50 (50)',
    'V deposit:D2 7992 (8)',
    'V deposit:D3 3000',
    'V deposit_fee:D3 -3 (3)',
  ]);
});

test('E2–E4: books that forget outside fees lack each of them, and nothing else', async () => {
  trade.books(
    ...booksBut({
      'P fee T2': undefined,
      'S fee W1': undefined,
      'V fee D3': undefined,
      'S fee T6': undefined,
      'P transfer_out T7': '-12000 2026-03-05 14:05',
    }),
  );
  const early = await trade.night('2026-03-03');
  expect(findingsOf(early)).toEqual(['fee P T2 -20', 'fee S W1 -50', 'fee V D3 -3', 'in_flight P T4 0']);
  const late = await trade.night('2026-03-05');
  expect(findingsOf(late)).toEqual([
    'fee P T2 -20',
    'fee P T7 -12',
    'settle_failed Q T5 0',
    'fee S T6 -6',
    'fee S W1 -50',
    'fee V D3 -3',
    'in_flight Q T7 0',
  ]);
  expect(late.result.run.verdict).toBe('breaks');
  expect(fourNumbersOf(late)).toEqual([
    'P -32 = 0 + -32 + 0',
    'Q 0 = 0 + 0 + 0',
    'R 0 = 0 + 0 + 0',
    'S -56 = 0 + -56 + 0',
    'V -3 = 0 + -3 + 0',
  ]);
});

test('DIV-26: books that have failed orders have a state break for each side of each of them', async () => {
  trade.books(
    ...RIGHT_BOOKS,
    'P transfer_out T3 -5000 2026-03-02 09:05',
    'R transfer_in T3 5000 2026-03-02 09:05',
    'P withdrawal W3 -9000 2026-03-05 09:05',
  );
  const early = await trade.night('2026-03-03');
  expect(findingsOf(early)).toEqual(['state P T3 5000', 'state R T3 -5000', 'in_flight P T4 0']);
  const late = await trade.night('2026-03-05');
  expect(findingsOf(late)).toEqual([
    'state P T3 5000',
    'state P W3 9000',
    'settle_failed Q T5 0',
    'state R T3 -5000',
    'in_flight Q T7 0',
  ]);
  expect(fourNumbersOf(late)).toEqual([
    'P 14000 = 0 + 14000 + 0',
    'Q 0 = 0 + 0 + 0',
    'R -5000 = 0 + -5000 + 0',
    'S 0 = 0 + 0 + 0',
    'V 0 = 0 + 0 + 0',
  ]);
});

test('3.5: books that have everything when it is submitted are ahead of the platform for a night, and no longer', async () => {
  trade.books(
    ...booksBut({
      'P transfer_out T4': '-7000 2026-03-03 23:51',
      'R transfer_in T4': '7000 2026-03-03 23:51',
      'Q settlement T7': '-12000 2026-03-05 14:05',
    }),
  );
  const early = await trade.night('2026-03-03');
  expect(findingsOf(early)).toEqual(['pending P T4 7000', 'pending R T4 -7000']);
  expect(early.result.run.verdict).toBe('reconciled_with_timing');
  expect(fourNumbersOf(early)).toContain('P 7000 = 0 + 7000 + 0');
  const late = await trade.night('2026-03-05');
  expect(findingsOf(late)).toEqual(['settle_failed Q T5 0', 'pending Q T7 12000']);
  expect(late.result.run.verdict).toBe('reconciled_with_timing');
  expect(fourNumbersOf(late)).toEqual([
    'P 0 = 0 + 0 + 0',
    'Q 12000 = 0 + 12000 + 0',
    'R 0 = 0 + 0 + 0',
    'S 0 = 0 + 0 + 0',
    'V 0 = 0 + 0 + 0',
  ]);
  const last = await trade.night('2026-03-06');
  expect(findingsOf(last)).toEqual(['settle_failed Q T5 0']);
  expect(fourNumbersOf(last)).toEqual(ALL_EVEN);
});

test('REF-10: books that lack refunds lack them on both accounts, each with its own sign', async () => {
  trade.books(
    ...booksBut({ 'P refund_in T2': undefined, 'R refund_out T2': undefined, 'R refund_out T6': undefined }),
  );
  const late = await trade.night('2026-03-05');
  expect(findingsOf(late)).toEqual([
    'platform_only P T2 4000',
    'settle_failed Q T5 0',
    'platform_only R T2 -4000',
    'platform_only R T6 -6000',
    'in_flight Q T7 0',
  ]);
  expect(fourNumbersOf(late)).toEqual([
    'P 4000 = 0 + 4000 + 0',
    'Q 0 = 0 + 0 + 0',
    'R -10000 = 0 + -10000 + 0',
    'S 0 = 0 + 0 + 0',
    'V 0 = 0 + 0 + 0',
  ]);
});

test('errors that cancel, on one account or between two, are each told under totals of zero', async () => {
  trade.books(
    ...booksBut({
      'P transfer_out T2': '-20100 2026-03-02 09:05',
      'P deposit D1': '100100 2026-03-02 10:00',
      'R transfer_in T2': '20500 2026-03-02 09:05',
      'R withdrawal W2': '-4500 2026-03-03 12:05',
      'R transfer_in T4': undefined,
    }),
    'V transfer_in T4 7000 2026-03-04 09:05',
  );
  const late = await trade.night('2026-03-05');
  expect(findingsOf(late)).toEqual([
    'amount P D1 -100',
    'amount P T2 100',
    'settle_failed Q T5 0',
    'account R T4 7000',
    'amount R T2 -500',
    'amount R W2 500',
    'account V T4 -7000',
    'in_flight Q T7 0',
  ]);
  expect(fourNumbersOf(late)).toEqual([
    'P 0 = 0 + 0 + 0',
    'Q 0 = 0 + 0 + 0',
    'R 7000 = 0 + 7000 + 0',
    'S 0 = 0 + 0 + 0',
    'V -7000 = 0 + -7000 + 0',
  ]);
  expect(late.result.accounts.map(({ verdict }) => verdict)).toEqual([
    'breaks',
    'reconciled_with_timing',
    'breaks',
    'reconciled',
    'breaks',
  ]);
});
