import { describe, expect, test } from 'vitest';

import { addDays, addMonthClamped, daysBetween, parseDay, Zone } from '../../src/core/time.ts';
import type { Day } from '../../src/core/time.ts';
import {
  askedDates,
  halve,
  lastDay,
  monthWalk,
  spanOfDay,
  subtractSpans,
  windowOf,
} from '../../src/core/window.ts';
import type { DaySpan, EndInclusive } from '../../src/core/window.ts';
import { fc, runs } from '../helpers/properties.ts';

const READINGS: EndInclusive[] = ['unknown', 'yes', 'no'];
const LAST_DAY_OFFSET = 40_541; // 1990-01-01 … 2100-12-31

const aDay = fc.integer({ min: 0, max: LAST_DAY_OFFSET }).map((days) => addDays('1990-01-01', days));
const aRange = fc
  .tuple(aDay, fc.integer({ min: 1, max: 800 }))
  .map(([from, days]): DaySpan => ({ from, to: addDays(from, days) }));
const aReading = fc.constantFrom(...READINGS);

describe('the month walk (spec/reconciliation.md 3.6, DEP-12, H15)', () => {
  test('spans adjoin, cover the range and nothing else', () => {
    fc.assert(
      fc.property(aRange, aReading, (range, reading) => {
        const spans = monthWalk(range, reading);
        expect(spans[0]?.from).toBe(range.from);
        expect(spans.at(-1)?.to).toBe(range.to);
        for (const [at, span] of spans.entries()) {
          expect(span.from < span.to).toBe(true);
          expect(spans[at + 1]?.from ?? range.to).toBe(span.to);
        }
      }),
    );
  });

  test('DEP-03: the dates asked lie at most one calendar month and 30 days apart', () => {
    fc.assert(
      fc.property(aRange, aReading, (range, reading) => {
        for (const span of monthWalk(range, reading)) {
          const asked = askedDates(span, reading);
          expect(asked.startDate <= asked.endDate).toBe(true);
          expect(asked.endDate <= addMonthClamped(asked.startDate)).toBe(true);
          expect(daysBetween({ from: asked.startDate, to: asked.endDate })).toBeLessThanOrEqual(30);
        }
      }),
    );
  });

  test('31 January of a leap year', () => {
    const range = { from: '2024-01-31', to: '2024-05-01' };
    expect(monthWalk(range, 'unknown')).toEqual([
      { from: '2024-01-31', to: '2024-02-28' },
      { from: '2024-02-28', to: '2024-03-27' },
      { from: '2024-03-27', to: '2024-04-26' },
      { from: '2024-04-26', to: '2024-05-01' },
    ]);
    expect(monthWalk(range, 'yes')).toEqual([
      { from: '2024-01-31', to: '2024-02-29' },
      { from: '2024-02-29', to: '2024-03-29' },
      { from: '2024-03-29', to: '2024-04-29' },
      { from: '2024-04-29', to: '2024-05-01' },
    ]);
  });

  test('an empty range has no span, a day has one', () => {
    expect(monthWalk({ from: '2026-03-01', to: '2026-03-01' }, 'unknown')).toEqual([]);
    expect(monthWalk(spanOfDay('2026-03-01'), 'yes')).toEqual([{ from: '2026-03-01', to: '2026-03-02' }]);
  });
});

describe('the dates asked', () => {
  test('the day after is asked as well unless endDate is known to be part of the answer (U44)', () => {
    const span = { from: '2026-03-01', to: '2026-03-11' };
    expect(askedDates(span, 'yes')).toEqual({ startDate: '2026-03-01', endDate: '2026-03-10' });
    expect(askedDates(span, 'no')).toEqual({ startDate: '2026-03-01', endDate: '2026-03-11' });
    expect(askedDates(span, 'unknown')).toEqual({ startDate: '2026-03-01', endDate: '2026-03-11' });
    expect(lastDay(span)).toBe('2026-03-10');
  });

  /** The readings of endDate a server may have: its whole day, none of it, or its first instant. */
  const SERVERS: Readonly<Record<string, (localTime: string, endDate: Day) => boolean>> = {
    wholeDay: (localTime, endDate) => localTime.slice(0, 10) <= endDate,
    exclusive: (localTime, endDate) => localTime.slice(0, 10) < endDate,
    firstInstant: (localTime, endDate) => localTime <= `${endDate} 00:00:00`,
  };

  test.each([
    ['unknown', 'wholeDay'],
    ['unknown', 'exclusive'],
    ['unknown', 'firstInstant'],
    ['yes', 'wholeDay'],
    ['no', 'exclusive'],
    ['no', 'firstInstant'],
  ] as const)('DEP-12: told "%s", a server of reading %s gives every record once', (reading, server) => {
    const zone = new Zone('Asia/Shanghai');
    fc.assert(
      fc.property(aRange, (range) => {
        const records = boundaryRecords(range).map((text) => ({ text, at: zone.parseLocal(text) ?? '' }));
        const seen: string[] = [];
        for (const span of monthWalk(range, reading)) {
          const asked = askedDates(span, reading);
          const window = windowOf(zone, span);
          for (const { text, at } of records) {
            const listed = text.slice(0, 10) >= asked.startDate && SERVERS[server]?.(text, asked.endDate);
            if (listed && at >= window.from && at < window.to) seen.push(text);
          }
        }
        expect(seen.toSorted()).toEqual(records.map(({ text }) => text));
      }),
      { numRuns: runs(25) },
    );
  });

  /** The first and last second and noon of every day of the range, in order. */
  function boundaryRecords(range: DaySpan): string[] {
    const records: string[] = [];
    for (let day = range.from; day < range.to; day = addDays(day, 1)) {
      records.push(`${day} 00:00:00`, `${day} 12:00:00`, `${day} 23:59:59`);
    }
    return records;
  }
});

describe('halving', () => {
  test('both halves together are the span, and they differ by at most a day', () => {
    fc.assert(
      fc.property(aRange, (span) => {
        fc.pre(daysBetween(span) > 1);
        const [left, right] = halve(span) ?? [span, span];
        expect([left.from, left.to, right.to]).toEqual([span.from, right.from, span.to]);
        expect(Math.abs(daysBetween(left) - daysBetween(right))).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('a single day cannot be halved', () => {
    expect(halve(spanOfDay('2026-03-01'))).toBeUndefined();
  });

  test('it ends at single days after few steps', () => {
    let spans: DaySpan[] = [{ from: '2026-01-31', to: '2026-03-02' }];
    for (let step = 0; step < 5; step++) spans = spans.flatMap((span) => halve(span) ?? [span]);
    expect(spans).toHaveLength(30);
    expect(spans.every((span) => parseDay(span.from) !== undefined)).toBe(true);
  });
});

describe('what is left of a span without others', () => {
  const SPAN = { from: '2026-03-05', to: '2026-03-15' };
  const day = (from: number, to: number): DaySpan => ({
    from: addDays('2026-03-01', from - 1),
    to: addDays('2026-03-01', to - 1),
  });

  test.each<[string, DaySpan[], DaySpan[]]>([
    ['none', [], [SPAN]],
    ['before it, to its first day', [day(1, 5)], [SPAN]],
    ['after it, from its end', [day(15, 20)], [SPAN]],
    ['days before it and days after it', [day(1, 3), day(17, 20)], [SPAN]],
    ['days before it, and within', [day(1, 3), day(7, 9)], [day(5, 7), day(9, 15)]],
    ['at its beginning', [day(1, 7)], [day(7, 15)]],
    ['at its end', [day(12, 20)], [day(5, 12)]],
    ['within', [day(7, 9)], [day(5, 7), day(9, 15)]],
    ['two within that adjoin', [day(7, 9), day(9, 10)], [day(5, 7), day(10, 15)]],
    ['exactly it', [SPAN], []],
    ['more than it', [day(1, 20)], []],
    ['its first and its last day', [day(5, 6), day(14, 15)], [day(6, 14)]],
  ])('%s', (_name, others, left) => {
    expect(subtractSpans(SPAN, others)).toEqual(left);
  });
});

test('the window of a day in service time holds its start and not its end', () => {
  expect(windowOf(new Zone('Asia/Shanghai'), spanOfDay('2026-03-02'))).toEqual({
    from: '2026-03-01T16:00:00.000Z',
    to: '2026-03-02T16:00:00.000Z',
  });
});
