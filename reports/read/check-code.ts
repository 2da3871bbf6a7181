/**
 * What a row of sheet 差异 was written with: the run, how far the audit trail was read, the day as of which it is seen,
 * how many rows there were, and a digest of that and of the break. It stands in the row's hidden last cell, so that
 * `recon breaks import` knows what people changed since, and notices a row that belongs elsewhere.
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
  runId: string;
  trailNo: bigint;
  today: Day;
  rows: number;
}

/** Of a run whose proof was stored before there was a trail. */
export const NO_TRAIL = '0:';

const DIGITS = 16;
const FORM = /^([\w-]{1,200}) (\d{1,18}) (\d{4}-\d{2}-\d{2}) (\d{1,9}) [0-9a-f]{16}$/;

/** `nightly-2026-03-02-v1 128 2026-03-02 38 3fa9c0d1e2b34567` */
export function checkCode({ runId, trail, today, rows }: WrittenWith, breakId: string): string {
  const text = [runId, trail, today, rows, breakId].join('\n');
  const digest = createHash('sha256').update(text).digest('hex').slice(0, DIGITS);
  return `${runId} ${trail.split(':')[0] ?? ''} ${today} ${rows} ${digest}`;
}

export function statedCode(text: string): StatedCode | undefined {
  const [, runId, no, day, rows] = FORM.exec(text) ?? [];
  const today = parseDay(day ?? '');
  if (runId === undefined || no === undefined || today === undefined) return undefined;
  return { runId, trailNo: BigInt(no), today, rows: Number(rows) };
}
