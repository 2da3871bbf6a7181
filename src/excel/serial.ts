/**
 * Dates as spreadsheets count them: days since 1899-12-30 in service time, the time of day as a fraction. No
 * JavaScript date is involved, so no host zone can move a day (H15).
 */
import { daysBetween } from '../core/time.ts';
import type { Day, Instant, Zone } from '../core/time.ts';

const EPOCH: Day = '1899-12-30';
const DAY_SECONDS = 86_400;
/** Ten decimals of a day are a hundredth of a millisecond. */
const FRACTION_DIGITS = 10;

/** The minutes seen lately and where they begin here: a million records lie in few minutes. */
const beginnings = new WeakMap<Zone, Map<string, MinuteStart>>();
/** Two weeks of minutes; beyond that the memory starts anew. */
const MINUTES_KEPT_MAX = 20_160;
/** Fractions by second of the day, made when first used. */
const fractions: (string | undefined)[] = [];

interface MinuteStart {
  serial: string;
  /** Seconds since the day began here. */
  second: number;
}

/** `2026-03-02` → 46083 */
export function daySerial(day: Day): number {
  return daysBetween({ from: EPOCH, to: day });
}

/** The instant in that zone, to the second, as the digits of a cell: `46083.9999884259`. */
export function timeSerial(zone: Zone, instant: Instant): string {
  const { serial, second } = minuteStart(zone, instant);
  const whole = second + twoDigits(instant, SECONDS_AT);
  return whole === 0 ? serial : serial + fractionOf(whole);
}

/** Where minutes end and seconds begin in `2026-03-01T16:00:59.000Z`. */
const MINUTES_END = 16;
const SECONDS_AT = 17;

/** Zone offsets are whole minutes, so the seconds of an instant are those of the local time. */
function minuteStart(zone: Zone, instant: Instant): MinuteStart {
  const known = beginnings.get(zone) ?? new Map<string, MinuteStart>();
  const minute = instant.slice(0, MINUTES_END);
  const found = known.get(minute);
  if (found) return found;
  const local = zone.localText(`${minute}:00.000Z`);
  const start = {
    serial: String(daySerial(local.slice(0, 10))),
    second: twoDigits(local, 11) * 3_600 + twoDigits(local, 14) * 60,
  };
  if (known.size >= MINUTES_KEPT_MAX) known.clear();
  beginnings.set(zone, known.set(minute, start));
  return start;
}

function twoDigits(text: string, at: number): number {
  return (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48;
}

function fractionOf(second: number): string {
  const known = fractions[second];
  if (known !== undefined) return known;
  const text = (second / DAY_SECONDS).toFixed(FRACTION_DIGITS).slice(1);
  fractions[second] = text;
  return text;
}
