/**
 * Two runs and five runs of the same nights give the same orders, movements, matches, findings and breaks
 * as one.
 */
import { afterEach, expect, test } from 'vitest';
import { differencesOf, dumpOf } from '../../helpers/dump.ts';
import type { Dump } from '../../helpers/dump.ts';
import { findingsOf } from '../../helpers/night.ts';
import type { Night } from '../../helpers/night.ts';
import { booksBut, openWeek } from './orders-week.ts';

let night: Night;
afterEach(() => night.close());

/** Books with something wrong of most kinds. */
const BOOKS = booksBut({
  'P fee T2': undefined,
  'S withdrawal W1': '-50001 2026-03-03 11:05',
  'R transfer_in T4': '7000 2026-03-03 23:51',
  'R refund_out T2': undefined,
  'P deposit D1': undefined,
});

/** The nights of the 3rd and the 5th, each run so many times. */
async function nightsRun(times: number): Promise<Dump> {
  const { night: opened, trade } = await openWeek();
  night = opened;
  trade.books(...BOOKS);
  for (const day of ['2026-03-03', '2026-03-05']) {
    const first = await trade.night(day);
    for (let again = 1; again < times; again++) {
      const outcome = await night.night(day);
      expect(outcome.isNew, `run ${again + 1} of ${day}`).toBe(false);
      expect(outcome.result).toEqual(first.result);
    }
    if (day === '2026-03-05') {
      expect(findingsOf(first)).toEqual([
        'fee P T2 -20',
        'platform_only P D1 100000',
        'settle_failed Q T5 0',
        'platform_only R T2 -4000',
        'amount S W1 1',
        'in_flight Q T7 0',
      ]);
    }
  }
  return dumpOf(night.db);
}

test('P1: running nights twice or five times is running them once', { timeout: 180_000 }, async () => {
  const once = await nightsRun(1);
  expect(once['movement']).toHaveLength(27);
  for (const times of [2, 5]) {
    await night.close();
    expect(differencesOf({ expected: once, found: await nightsRun(times) }), `${times} runs`).toEqual([]);
  }
});
