/**
 * What a row of sheet 差异 was written with: the run, how far the audit trail was read, the day as of which it is seen,
 * how many rows there were, a digest of the row's cells that nobody fills in, and one of all of that and of the break. It
 * stands in the row's hidden last cell, so that `recon breaks import` knows what people changed since, notices a row that
 * belongs elsewhere, and takes a row that would be worded otherwise by now but is as it was written.
 */
import { createHash } from 'node:crypto';
import { parseDay } from '../../src/core/time.ts';
import type { Day } from '../../src/core/time.ts';

export interface WrittenWith {
  runId: string;
  /** `NUMBER:DIGEST` of the last event that was read of the audit trail; `0:` where there was none. */
  trail: string;
  today: Day;
  rows: number;
}

/** What a code says by itself; that it is so only the whole code proves. */
export interface StatedCode {
  /** Of the row's own cells; undefined in a file of a version that wrote none. */
  cells: string | undefined;
  runId: string;
  trailNo: bigint;
  today: Day;
  rows: number;
}

/** Of a run whose proof was stored before there was a trail. */
export const NO_TRAIL = '0:';

const DIGITS = 16;
const FORM = /^([\w-]{1,200}) (\d{1,18}) (\d{4}-\d{2}-\d{2}) (\d{1,9})(?: ([0-9a-f]{16}))? [0-9a-f]{16}$/;

/** `nightly-2026-03-02-v1 128 2026-03-02 38 0b7e4a5512fd9c01 3fa9c0d1e2b34567` */
export function checkCode(
  { runId, trail, today, rows }: WrittenWith,
  { breakId, cells }: { breakId: string; cells: string | undefined },
): string {
  const ofCells = cells === undefined ? [] : [cells];
  const digest = digestOf([runId, trail, today, String(rows), breakId, ...ofCells]);
  return [runId, trail.split(':')[0] ?? '', today, String(rows), ...ofCells, digest].join(' ');
}

/** Of the texts of a row's cells, in the order of their columns. */
export function digestOf(texts: readonly string[]): string {
  return createHash('sha256').update(texts.join('\n')).digest('hex').slice(0, DIGITS);
}

export function statedCode(text: string): StatedCode | undefined {
  const [, runId, no, day, rows, cells] = FORM.exec(text) ?? [];
  const today = parseDay(day ?? '');
  if (runId === undefined || no === undefined || today === undefined) return undefined;
  return { cells, runId, trailNo: BigInt(no), today, rows: Number(rows) };
}
