/** The other half of the worlds, in a process of its own. */
import { expect, test } from 'vitest';
import { playRange } from './range.ts';

test(
  'each planted error is told with its amount every night, and nothing else is',
  {
    timeout: 3_600_000,
  },
  async () => {
    expect(await playRange({ first: 21, last: 40, isWatched: false })).toEqual([]);
  },
);
