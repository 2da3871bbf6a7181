/**
 * Time. An instant is UTC text of fixed width, so that text order is time order and no host or database
 * zone can shift it; a day is a date in the service's time zone (U18, H15). Zone rules come from Intl.
 */

/** `2026-03-01T16:00:00.000Z`: UTC, milliseconds, always 24 characters. */
export type Instant = string;

/** `2026-03-02`: a calendar day in the service's time zone. */
export type Day = string;

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

export function instantOf(epochMs: number): Instant {
  return new Date(epochMs).toISOString();
}

export function epochMs(instant: Instant): number {
  return Date.parse(instant);
}

export function addMs(instant: Instant, ms: number): Instant {
  return instantOf(epochMs(instant) + ms);
}

const DAY_FORM = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Reads `yyyy-MM-dd` when it is a day of the calendar, years 1900–2199; else undefined (I1, DEP-01). */
export function parseDay(text: string): Day | undefined {
  const parts = DAY_FORM.exec(text);
  if (!parts || text < '1900-01-01' || text > '2199-12-31') return undefined;
  return dayOfUtc(utcOfDay(text)) === text ? text : undefined;
}

export function addDays(day: Day, days: number): Day {
  return dayOfUtc(utcOfDay(day) + days * DAY_MS);
}

/** How many days lie from the first to the second; negative when it is earlier. */
export function daysBetween(span: { from: Day; to: Day }): number {
  return Math.round((utcOfDay(span.to) - utcOfDay(span.from)) / DAY_MS);
}

/** The same day of the next month, or that month's last day when it has no such day. */
export function addMonthClamped(day: Day): Day {
  const [year, month, date] = [yearOf(day), monthOf(day), Number(day.slice(8, 10))];
  const lastOfNext = dayOfUtc(Date.UTC(year, month + 1, 0));
  const wanted = `${lastOfNext.slice(0, 8)}${String(date).padStart(2, '0')}`;
  return wanted < lastOfNext ? wanted : lastOfNext;
}

/** The first day of the month of that day. */
export function firstOfMonth(day: Day): Day {
  return `${day.slice(0, 8)}01`;
}

function yearOf(day: Day): number {
  return Number(day.slice(0, 4));
}
function monthOf(day: Day): number {
  return Number(day.slice(5, 7));
}
function utcOfDay(day: Day): number {
  return Date.UTC(yearOf(day), monthOf(day) - 1, Number(day.slice(8, 10)));
}
function dayOfUtc(ms: number): Day {
  return new Date(ms).toISOString().slice(0, 10);
}

const LOCAL_FORM = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}):(\d{2}):(\d{2})$/;
/** The hour of a local time is looked up; this is what may stand behind it. */
const HOUR_LENGTH = 'yyyy-MM-dd HH'.length;
const WITHIN_HOUR = /^:[0-5]\d:[0-5]\d$/;
const COMPACT_FORM = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/;
const OFFSET_FORM = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(?::(\d{2})(\.\d{1,3})?)?(Z|[+-]\d{2}:?\d{2})$/;

/** What the runtime says of a zone, and what was asked of it before. */
interface ZoneRules {
  format: Intl.DateTimeFormat;
  offsetByHour: Map<number, number>;
  plainHours: Map<string, string>;
}

/** Made once a process for each zone in use: making one costs a thousand times what a question costs. */
const rulesByZone = new Map<string, ZoneRules>();

/** @throws RangeError when the runtime does not know the zone */
function rulesOf(name: string): ZoneRules {
  const known = rulesByZone.get(name);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-CA-u-ca-gregory-nu-latn', {
    timeZone: name,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  const rules = { format, offsetByHour: new Map<number, number>(), plainHours: new Map<string, string>() };
  rulesByZone.set(name, rules);
  return rules;
}

/** The rules of one time zone, with a small cache, because a month of records asks the same few hours. */
export class Zone {
  readonly name: string;
  readonly #format: Intl.DateTimeFormat;
  readonly #offsetByHour: Map<number, number>;
  readonly #plainHours: Map<string, string>;

  /** @throws RangeError when the runtime does not know the zone */
  constructor(name: string) {
    this.name = name;
    const { format, offsetByHour, plainHours } = rulesOf(name);
    this.#format = format;
    this.#offsetByHour = offsetByHour;
    this.#plainHours = plainHours;
  }

  /** The instant at which the day begins here. */
  dayStart(day: Day): Instant {
    return this.#instantOfLocal(utcOfDay(day));
  }

  /** The day this instant lies in here. */
  dayOf(instant: Instant): Day {
    return dayOfUtc(this.#localMs(epochMs(instant)));
  }

  /** Reads `yyyy-MM-dd HH:mm:ss` of this zone (deposit times, U44); undefined when it is no such time. */
  parseLocal(text: string): Instant | undefined {
    const [localHour, withinHour] = [text.slice(0, HOUR_LENGTH), text.slice(HOUR_LENGTH)];
    const utcHour = this.#plainHours.get(localHour);
    if (utcHour !== undefined && utcHour !== '' && WITHIN_HOUR.test(withinHour))
      return `${utcHour}${withinHour}.000Z`;
    const parts = LOCAL_FORM.exec(text);
    if (!parts) return undefined;
    const [, day = '', hour = '', minute = '', second = ''] = parts;
    if (utcHour === undefined) this.#learnHour(localHour, [day, hour]);
    return this.#compose(day, [hour, minute, second]);
  }

  /**
   * Keeps the hour of UTC in which a whole hour of this zone lies, `2026-03-01T16`; empty where the clocks change or the
   * zone is not whole hours away. A page of records asks for the same few hours.
   */
  #learnHour(localHour: string, [day, hour]: readonly [string, string]): void {
    const first = this.#compose(day, [hour, '00', '00']);
    const last = this.#compose(day, [hour, '59', '59']);
    const prefix = first?.slice(0, 13) ?? '';
    const isPlain = first === `${prefix}:00:00.000Z` && last === `${prefix}:59:59.000Z`;
    if (this.#plainHours.size >= ZONE_CACHE_MAX) this.#plainHours.clear();
    this.#plainHours.set(localHour, isPlain ? prefix : '');
  }

  /** Reads `yyyyMMddHHmmss` of this zone (reqTime and timestamp, ENV-12, ENV-17). */
  parseCompact(text: string): Instant | undefined {
    const parts = COMPACT_FORM.exec(text);
    if (!parts) return undefined;
    const [, year = '', month = '', date = '', hour = '', minute = '', second = ''] = parts;
    return this.#compose(`${year}-${month}-${date}`, [hour, minute, second]);
  }

  /** `2026-03-01 23:59:59` here, to the second. */
  localText(instant: Instant): string {
    return new Date(this.#localMs(epochMs(instant))).toISOString().slice(0, 19).replace('T', ' ');
  }

  /** `20260301235959` here: the form of reqTime. */
  compactText(instant: Instant): string {
    return this.localText(instant).replace(/[-: ]/g, '');
  }

  #compose(day: string, [hour, minute, second]: readonly [string, string, string]): Instant | undefined {
    if (parseDay(day) === undefined || hour > '23' || minute > '59' || second > '59') return undefined;
    const inDay = Number(hour) * HOUR_MS + Number(minute) * MINUTE_MS + Number(second) * SECOND_MS;
    return this.#instantOfLocal(utcOfDay(day) + inDay);
  }

  /** A local time that a clock change skips is read as if the clock had not changed; a doubled one is the first. */
  #instantOfLocal(localMs: number): Instant {
    const before = localMs - this.#offsetMs(localMs - DAY_MS);
    const after = localMs - this.#offsetMs(localMs + DAY_MS);
    for (const candidate of before < after ? [before, after] : [after, before]) {
      if (this.#localMs(candidate) === localMs) return instantOf(candidate);
    }
    return instantOf(Math.max(before, after));
  }

  #localMs(utcMs: number): number {
    return utcMs + this.#offsetMs(utcMs);
  }

  #offsetMs(utcMs: number): number {
    const quarter = Math.floor(utcMs / (15 * MINUTE_MS));
    const known = this.#offsetByHour.get(quarter);
    if (known !== undefined) return known;
    const asked = quarter * 15 * MINUTE_MS;
    const parts = Object.fromEntries(
      this.#format.formatToParts(asked).map((part) => [part.type, part.value]),
    );
    const local = Date.UTC(
      Number(parts['year']),
      Number(parts['month']) - 1,
      Number(parts['day']),
      Number(parts['hour']),
      Number(parts['minute']),
      Number(parts['second']),
    );
    if (this.#offsetByHour.size >= ZONE_CACHE_MAX) this.#offsetByHour.clear();
    this.#offsetByHour.set(quarter, local - asked);
    return local - asked;
  }
}

/** Quarter hours kept per zone: a year of them fits; beyond that the cache starts anew. */
const ZONE_CACHE_MAX = 40_000;

/** Reads ISO 8601 with an offset or Z (`2026-03-01T23:59:59+08:00`); undefined when it is not one. */
export function parseOffsetInstant(text: string): Instant | undefined {
  const parts = OFFSET_FORM.exec(text);
  if (!parts) return undefined;
  const [, day = '', hour = '', minute = '', second = '00', fraction = '', offset = ''] = parts;
  if (parseDay(day) === undefined || hour > '23' || minute > '59' || second > '59') return undefined;
  const colon = offset.length === 5 ? `${offset.slice(0, 3)}:${offset.slice(3)}` : offset;
  const ms = Date.parse(`${day}T${hour}:${minute}:${second}${fraction}${colon}`);
  return Number.isNaN(ms) ? undefined : instantOf(ms);
}
