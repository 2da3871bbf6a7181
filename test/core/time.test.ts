import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

import {
  addDays,
  addMonthClamped,
  addMs,
  daysBetween,
  firstOfMonth,
  instantOf,
  parseDay,
  parseOffsetInstant,
  Zone,
} from '../../src/core/time.ts';
import { fc } from '../helpers/properties.ts';

const shanghai = new Zone('Asia/Shanghai');

test('H15: under four host time zones days tile and local text round-trips, with the same results', async () => {
  const script = fileURLToPath(new URL('zone-facts.ts', import.meta.url));
  const digests: string[] = [];
  for (const hostZone of ['UTC', 'Asia/Shanghai', 'America/New_York', 'Pacific/Chatham']) {
    const ran = await promisify(execFile)(process.execPath, [script], { env: { TZ: hostZone } });
    digests.push(ran.stdout.trim());
  }
  expect(digests[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(new Set(digests).size).toBe(1);
});

describe('days', () => {
  test.each(['2024-02-29', '2000-02-29', '1900-01-01', '2199-12-31', '2026-03-02'])('%s is a day', (text) => {
    expect(parseDay(text)).toBe(text);
  });

  test.each([
    '2024-02-30',
    '2023-02-29',
    '1900-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '1899-12-31',
    '2200-01-01',
    '2026/03/01',
    '20260301',
    '2026-3-1',
    '２０２６-03-01',
    ' 2026-03-01',
    '2026-03-01\n',
    '',
  ])('I1: %j is not', (text) => {
    expect(parseDay(text)).toBeUndefined();
  });

  test('counting days forth and back', () => {
    expect(addDays('2024-02-28', 2)).toBe('2024-03-01');
    expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
    expect(daysBetween({ from: '2024-02-28', to: '2024-03-01' })).toBe(2);
    expect(firstOfMonth('2026-03-31')).toBe('2026-03-01');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40_000 }), fc.integer({ min: -800, max: 800 }), (start, days) => {
        const from = addDays('1990-01-01', start);
        expect(daysBetween({ from, to: addDays(from, days) })).toBe(days);
      }),
    );
  });

  test.each([
    ['2024-01-31', '2024-02-29'],
    ['2026-01-31', '2026-02-28'],
    ['2026-01-28', '2026-02-28'],
    ['2026-12-15', '2027-01-15'],
    ['2026-03-31', '2026-04-30'],
    ['2026-02-28', '2026-03-28'],
  ])('H15: a month after %s is %s', (day, expected) => {
    expect(addMonthClamped(day)).toBe(expected);
  });
});

describe('the service time zone (U18)', () => {
  test('a day starts at 16:00 UTC of the day before', () => {
    expect(shanghai.dayStart('2026-03-02')).toBe('2026-03-01T16:00:00.000Z');
    expect(shanghai.dayOf('2026-03-01T15:59:59.999Z')).toBe('2026-03-01');
    expect(shanghai.dayOf('2026-03-01T16:00:00.000Z')).toBe('2026-03-02');
  });

  test('H15: in the summer of 1991 Shanghai was nine hours ahead', () => {
    expect(shanghai.dayStart('1991-07-01')).toBe('1991-06-30T15:00:00.000Z');
    expect(shanghai.localText('1991-09-14T15:00:00.000Z')).toBe('1991-09-15 00:00:00');
    // From 02:00 the clock went back to 01:00: the hour exists twice, and the first is meant.
    expect(shanghai.parseLocal('1991-09-15 01:30:00')).toBe('1991-09-14T16:30:00.000Z');
  });

  test('both forms of the platform are read and written', () => {
    expect(shanghai.parseLocal('2026-03-01 23:59:59')).toBe('2026-03-01T15:59:59.000Z');
    expect(shanghai.parseLocal('2026-03-01T23:59:59')).toBe('2026-03-01T15:59:59.000Z');
    expect(shanghai.parseCompact('20260301235959')).toBe('2026-03-01T15:59:59.000Z');
    expect(shanghai.localText('2026-03-01T15:59:59.999Z')).toBe('2026-03-01 23:59:59');
    expect(shanghai.compactText('2026-03-01T15:59:59.000Z')).toBe('20260301235959');
  });

  test.each([
    '2024-02-30 00:00:00',
    '2026-03-01 24:00:00',
    '2026-03-01 23:60:00',
    '2026-03-01 23:59:60',
    '2026-03-01 1:00:00',
    '2026-03-01',
    '2026-03-01 10:00',
    '2026/03/01 10:00:00',
    '',
  ])('P17: %j is no local time', (text) => {
    expect(shanghai.parseLocal(text)).toBeUndefined();
  });

  test.each(['Asia/Shanghai', 'Europe/Berlin', 'Asia/Kathmandu'])(
    'in %s a local time is the same whether its hour was asked for before or not',
    (name) => {
      const zone = new Zone(name);
      const part = (max: number) => fc.nat({ max }).map((number) => String(number).padStart(2, '0'));
      const day = fc.constantFrom('2026-03-29', '2026-10-25', '2026-02-29', '2026-06-01', '1899-01-01');
      fc.assert(
        fc.property(day, part(25), part(62), part(62), (date, hour, minute, second) => {
          const slowly = zone.parseCompact(`${date}${hour}${minute}${second}`.replaceAll('-', ''));
          for (const parted of [' ', 'T', ' ']) {
            expect(zone.parseLocal(`${date}${parted}${hour}:${minute}:${second}`)).toBe(slowly);
          }
          expect(zone.parseLocal(`${date} ${hour}:${minute}:${second}0`)).toBeUndefined();
        }),
      );
    },
  );

  test.each(['2026030112000', '1772337600000', '20261301120000', '20260301246000', '2026-03-01 12:00:00'])(
    'ENV-12: %j is no request time',
    (text) => {
      expect(shanghai.parseCompact(text)).toBeUndefined();
    },
  );

  test('a midnight that a clock change skips is the first instant of its day', () => {
    const zone = new Zone('America/Sao_Paulo');
    expect(zone.dayStart('2018-11-04')).toBe('2018-11-04T03:00:00.000Z');
    expect(zone.dayOf('2018-11-04T03:00:00.000Z')).toBe('2018-11-04');
    expect(zone.dayOf('2018-11-04T02:59:59.999Z')).toBe('2018-11-03');
  });

  test('a zone the runtime does not know is refused', () => {
    expect(() => new Zone('Mars/Olympus')).toThrow(RangeError);
  });
});

describe('instants', () => {
  test('are UTC text of fixed width', () => {
    expect(instantOf(0)).toBe('1970-01-01T00:00:00.000Z');
    expect(addMs('2026-03-01T23:59:59.999Z', 1)).toBe('2026-03-02T00:00:00.000Z');
  });

  test.each([
    ['2026-03-01T23:59:59+08:00', '2026-03-01T15:59:59.000Z'],
    ['2026-03-01T23:59+0800', '2026-03-01T15:59:00.000Z'],
    ['2026-03-01T15:59:59.5Z', '2026-03-01T15:59:59.500Z'],
    ['2026-03-01T00:00:00-05:30', '2026-03-01T05:30:00.000Z'],
  ])('%s is read', (text, instant) => {
    expect(parseOffsetInstant(text)).toBe(instant);
  });

  test.each([
    '2026-03-01T23:59:59',
    '2026-03-01',
    '2024-02-30T00:00:00Z',
    '2026-03-01T24:00:00Z',
    '2026-03-01T00:00:00+99:99',
    '2026-03-01 00:00:00Z',
    'yesterday',
  ])('%j is no instant', (text) => {
    expect(parseOffsetInstant(text)).toBeUndefined();
  });
});
