/** How values come out of either database: int8 and numeric exactly, timestamps as `Instant` text (H15). */
import type { Instant } from '../../core/time.ts';

/** Type numbers of PostgreSQL. */
export const OID = { int8: 20, numeric: 1700, date: 1082, timestamp: 1114, timestamptz: 1184 } as const;

const TIMESTAMPTZ = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00(?::?00)?$/;

/**
 * `2026-03-01 16:00:00+00` → `2026-03-01T16:00:00.000Z`. Sessions run in UTC, so any other offset is a bug.
 * @throws Error when the text is of another form
 */
export function instantOfDatabase(text: string): Instant {
  const parts = TIMESTAMPTZ.exec(text);
  if (!parts) throw new Error(`Bug: the database gave a time that is not in UTC: ${text}`);
  return `${parts[1]}T${parts[2]}.${(parts[3] ?? '').padEnd(3, '0').slice(0, 3)}Z`;
}

export const asText = (text: string): string => text;
export const asBigint = (text: string): bigint => BigInt(text);
