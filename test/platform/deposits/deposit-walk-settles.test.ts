/** When two readings that say the same settle a window that no single one verifies (docs/reconciliation.md 3.6, 4). */
import { describe, expect, test } from 'vitest';

import { successText } from '../platform-server.ts';
import { walk, walkWorld } from './deposit-walking.ts';
import { depositsOf } from './deposit-world.ts';
import type { WorldDeposit } from './deposit-world.ts';

const DAY = '2026-03-05';
const ONE_DAY = { from: DAY, to: '2026-03-06' };
const TWO_DAYS = { from: DAY, to: '2026-03-07' };
const LATER = '2026-04-01';

/** Each reading lists the first record twice: it is complete, and verifies nothing. */
function twiceTheFirst(): { deposits: WorldDeposit[]; total: number } {
  const deposits = depositsOf(DAY, 4);
  return { deposits: [...deposits, ...deposits.slice(0, 1)], total: 4 };
}

describe('a list that never verifies and always says the same', () => {
  test('settles on a single day, which cannot be halved', async () => {
    const { read } = await walkWorld(twiceTheFirst(), { span: ONE_DAY, today: LATER });
    expect(read).toMatchObject({
      settled: true,
      passes: 2,
      pass: { verified: true, reason: '', insideCount: 4 },
    });
  });

  test('settles where the dates that are asked reach into the running day', async () => {
    for (const today of [DAY, '2026-03-06', '2026-03-07']) {
      const { read } = await walkWorld(twiceTheFirst(), { span: TWO_DAYS, today });
      expect(read).toMatchObject({ settled: true, passes: 2 });
    }
  });

  test('is halved where it can be and all of it is past', async () => {
    const { read } = await walkWorld(twiceTheFirst(), { span: TWO_DAYS, today: '2026-03-08' });
    expect(read).toMatchObject({
      settled: false,
      passes: 4,
      halves: [ONE_DAY, { from: '2026-03-06', to: '2026-03-07' }],
    });
  });

  test('settles nothing where one number stands for two records', async () => {
    const [first, ...others] = depositsOf(DAY, 4);
    const deposits = [first, ...others, first && { ...first, amount: 1 }].filter((row) => row !== undefined);
    const { read } = await walkWorld({ deposits, total: 4 }, { span: ONE_DAY, today: LATER });
    expect(read).toMatchObject({
      settled: false,
      passes: 4,
      halves: undefined,
      reason: '1 record came twice',
    });
  });

  test('settles nothing where less is shown than it held when the reading began', async () => {
    const world = { deposits: depositsOf(DAY, 4), total: 5 };
    const { read } = await walkWorld(world, { span: ONE_DAY, today: LATER });
    expect(read).toMatchObject({ settled: false, passes: 4, reason: '4 distinct records, total 5' });
  });
});

test('a page of records of which one half cannot be read is no empty page: the next one is asked for', async () => {
  const rows = depositsOf(DAY, 4).map((deposit, at) => ({
    fee: 0,
    payeeAcctNo: '100001',
    ...deposit,
    amount: at === 1 ? 'odd' : deposit.amount,
  }));
  const { read, pages } = await walk(
    ({ biz }) => {
      const page = Number(biz['page']);
      return successText({ total: 4, page, pageSize: 2, depositList: rows.slice((page - 1) * 2, page * 2) });
    },
    { span: ONE_DAY, today: LATER, profile: { deposits: { pageSize: 2 } } },
  );
  expect(pages.map(({ inside, unreadable }) => [inside.length, unreadable.length])).toEqual([
    [1, 1],
    [2, 0],
  ]);
  expect(read).toMatchObject({
    settled: true,
    passes: 1,
    pass: { distinct: 4, insideCount: 3, insideUnreadable: 1 },
  });
});
