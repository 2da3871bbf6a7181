/**
 * `yyyy-MM-dd HH:mm:ss` for very many instants of a few months: a page of a hundred records must not cost a
 * hundred conversions. Within a quarter of an hour no zone's offset changes, so its text is made once.
 */
import { instantOf, MINUTE_MS, SECOND_MS } from '../../core/time.ts';
import type { Zone } from '../../core/time.ts';

const QUARTER_MS = 15 * MINUTE_MS;

/** A year of quarters; beyond that the cache starts anew. */
const KEPT_MAX = 40_000;

interface Quarter {
  /** `2026-03-01 09:` */
  hour: string;
  /** The minute it begins with. */
  minute: number;
}

const TWO_DIGITS: readonly string[] = Array.from({ length: 60 }, (_, value) =>
  String(value).padStart(2, '0'),
);

export class LocalTime {
  readonly #zone: Zone;
  readonly #quarters = new Map<number, Quarter | undefined>();

  constructor(zone: Zone) {
    this.#zone = zone;
  }

  text(ms: number): string {
    const quarterNo = Math.floor(ms / QUARTER_MS);
    const quarter = this.#quarter(quarterNo);
    if (!quarter) return this.#zone.localText(instantOf(ms));
    const within = ms - quarterNo * QUARTER_MS;
    const minute = quarter.minute + Math.floor(within / MINUTE_MS);
    const second = Math.floor((within % MINUTE_MS) / SECOND_MS);
    return `${quarter.hour}${TWO_DIGITS[minute] ?? ''}:${TWO_DIGITS[second] ?? ''}`;
  }

  /** Undefined where a zone's offset was no whole number of quarters, as before there were time zones. */
  #quarter(quarterNo: number): Quarter | undefined {
    if (this.#quarters.has(quarterNo)) return this.#quarters.get(quarterNo);
    if (this.#quarters.size >= KEPT_MAX) this.#quarters.clear();
    const text = this.#zone.localText(instantOf(quarterNo * QUARTER_MS));
    const isWhole = /:(?:00|15|30|45):00$/.test(text);
    const quarter = isWhole
      ? { hour: text.slice(0, 14), minute: Number.parseInt(text.slice(14, 16), 10) }
      : undefined;
    this.#quarters.set(quarterNo, quarter);
    return quarter;
  }
}
