import { expect, test } from 'vitest';
import { Zone, addMs, instantOf } from '../../src/core/time.ts';
import { daySerial, timeSerial } from '../../src/excel/serial.ts';
import { fc, runs } from '../helpers/properties.ts';

const shanghai = new Zone('Asia/Shanghai');

test('H15: days count from the end of 1899, as spreadsheets do', () => {
  expect(daySerial('1900-03-01')).toBe(61);
  expect(daySerial('2000-01-01')).toBe(36_526);
  expect(daySerial('2024-02-29')).toBe(45_351);
  expect(daySerial('2026-03-02')).toBe(46_083);
});

test('an instant is the date and time of the service, to the second', () => {
  expect(timeSerial(shanghai, '2026-03-01T16:00:00.000Z')).toBe('46083');
  expect(timeSerial(shanghai, '2026-03-01T15:59:59.999Z')).toBe('46082.9999884259');
  expect(timeSerial(shanghai, '2026-03-02T04:00:00.000Z')).toBe('46083.5000000000');
  expect(timeSerial(new Zone('UTC'), '2026-03-02T04:00:00.000Z')).toBe('46083.1666666667');
  expect(timeSerial(new Zone('Pacific/Chatham'), '2026-03-01T16:00:00.000Z')).toBe('46083.2395833333');
});

test('every instant is within half a second of what its cell says, in any zone', () => {
  const zones = ['Asia/Shanghai', 'UTC', 'America/New_York', 'Pacific/Chatham'].map((name) => new Zone(name));
  fc.assert(
    fc.property(
      fc.integer({ min: 631_152_000, max: 4_102_444_799 }),
      fc.constantFrom(...zones),
      (second, zone) => {
        const instant = instantOf(second * 1_000);
        const days = Number(timeSerial(zone, instant));
        const shown = addMs('1899-12-30T00:00:00.000Z', Math.round(days * 86_400) * 1_000);
        expect(shown.slice(0, 19).replace('T', ' ')).toBe(zone.localText(instant));
      },
    ),
    { numRuns: runs(1_000) },
  );
});
