/**
 * Random worlds of an independent oracle: what is wrong in them is told, and nothing else (docs/reconciliation.md
 * 3.8).
 */
import { expect, test } from 'vitest';
import { playRange, rangeOf } from './range.ts';

const HOURS_MAX = 24;

test(
  'each planted error is told with its amount every night, and nothing else is',
  {
    timeout: HOURS_MAX * 3_600_000,
  },
  async () => {
    expect(await playRange(rangeOf({ first: 1, last: 20 }))).toEqual([]);
  },
);
