/** What is counted of pages of deposits, record by record (docs/reconciliation.md 3.6, P2, P9, P17). */
import { describe, expect, test } from 'vitest';

import { addDays } from '../../../src/core/time.ts';
import { windowOf } from '../../../src/core/window.ts';
import type { DepositRecord, UnreadableRecord } from '../../../src/platform/contract.ts';
import { DepositTally } from '../../../src/platform/deposit-tally.ts';
import { SHANGHAI } from '../platform-server.ts';
import { aRecord } from './deposit-record.ts';

const SPAN = { from: '2026-03-02', to: '2026-03-05' };

/** The day after the span is asked for as well. */
function aTally(): DepositTally {
  const asked = windowOf(SHANGHAI, { ...SPAN, to: addDays(SPAN.to, 1) });
  return new DepositTally({ zone: SHANGHAI, span: windowOf(SHANGHAI, SPAN), asked });
}

const anUnreadable = (over: Partial<UnreadableRecord> = {}): UnreadableRecord => ({
  reference: 'U1',
  depositedAt: '2026-03-02T02:00:00.000Z',
  reason: 'amount is no amount',
  ...over,
});

function add(tally: DepositTally, deposits: DepositRecord[], unreadable: UnreadableRecord[] = []) {
  return tally.add({ total: 0, page: 1, pageSize: 100, deposits, unreadable });
}

describe('days', () => {
  test('are told in their order, each with its own records, to the second at which the next one begins', () => {
    const tally = aTally();
    add(tally, [
      aRecord({ orderNo: 'D3', amountFen: 5n, depositedAt: '2026-03-03T16:00:00.000Z' }),
      aRecord({ orderNo: 'D1', amountFen: 7n, depositedAt: '2026-03-01T16:00:00.000Z' }),
      aRecord({ orderNo: 'D2', amountFen: 9n, depositedAt: '2026-03-03T15:59:59.000Z' }),
      aRecord({ orderNo: 'D4', amountFen: 11n, depositedAt: '2026-03-03T16:00:01.000Z' }),
    ]);
    const days = [...tally.days()].map(([day, { count, sumFen }]) => [day, count, sumFen]);
    expect(days).toEqual([
      ['2026-03-02', 1, 7n],
      ['2026-03-03', 1, 9n],
      ['2026-03-04', 2, 16n],
    ]);
    expect(tally.total()).toMatchObject({ count: 4, sumFen: 32n, unreadable: 0 });
  });

  test('what lies in the day that was asked beside the span is neither inside nor outside', () => {
    const tally = aTally();
    const beside = aRecord({ depositedAt: '2026-03-04T16:00:00.000Z' });
    const outside = aRecord({ orderNo: 'D2', depositedAt: '2026-03-05T16:00:00.000Z' });
    expect(add(tally, [beside, outside])).toEqual({
      inside: [],
      contents: [],
      digests: [],
      unreadable: [],
      outside: [outside],
    });
    expect([tally.distinct, tally.outside]).toEqual([2, 1]);
  });
});

describe('P9: what cannot be read', () => {
  test('counts among the distinct records and on its day, and is handed on once', () => {
    const tally = aTally();
    expect(add(tally, [], [anUnreadable()]).unreadable).toEqual([anUnreadable()]);
    expect(add(tally, [], [anUnreadable()]).unreadable).toEqual([]);
    expect([tally.distinct, tally.duplicates, tally.changed]).toEqual([1, 1, []]);
    expect(tally.days().get('2026-03-02')).toMatchObject({ count: 0, unreadable: 1, sumFen: 0n });
  });

  test('is handed on, and counts, without a time as well: it may be of any day', () => {
    const tally = aTally();
    const undated = anUnreadable({ depositedAt: undefined });
    expect(add(tally, [], [undated]).unreadable).toEqual([undated]);
    expect([tally.days().size, tally.total().unreadable]).toEqual([0, 1]);
  });

  test('is nothing of the span where its time lies elsewhere', () => {
    const tally = aTally();
    const elsewhere = anUnreadable({ depositedAt: '2026-03-04T16:00:00.000Z' });
    expect(add(tally, [], [elsewhere]).unreadable).toEqual([]);
    expect([tally.distinct, tally.total().unreadable]).toEqual([1, 0]);
  });

  test.each<[string, Partial<UnreadableRecord>]>([
    ['number', { reference: 'U2' }],
    ['time', { depositedAt: '2026-03-02T02:00:01.000Z' }],
    ['no time', { depositedAt: undefined }],
    ['reason', { reason: 'fee is no amount' }],
  ])('with another %s it is another, and so is what was read', (_name, over) => {
    const [one, other] = [aTally(), aTally()];
    add(one, [], [anUnreadable()]);
    add(other, [], [anUnreadable(over)]);
    expect(one.total().digest).not.toBe(other.total().digest);
  });
});

describe('P2: a number that comes twice', () => {
  test('with other content is handed on again, counts, and is named', () => {
    const tally = aTally();
    const other = aRecord({ amountFen: 101n });
    expect(add(tally, [aRecord(), other]).inside).toEqual([aRecord(), other]);
    expect([tally.distinct, tally.duplicates, tally.changed]).toEqual([1, 1, ['D1']]);
  });

  test('a hundred are named, and all are counted', () => {
    const tally = aTally();
    const rows = Array.from({ length: 101 }, (_, at) => aRecord({ orderNo: `D${at}` }));
    add(tally, rows);
    add(
      tally,
      rows.map((row) => ({ ...row, amountFen: 101n })),
    );
    expect([tally.duplicates, tally.changed.length, tally.changed.at(-1)]).toEqual([101, 100, 'D99']);
  });
});
