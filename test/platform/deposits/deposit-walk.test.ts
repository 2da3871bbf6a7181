/**
 * Reading one window of deposits while the platform's list moves under the reader (docs/reconciliation.md 3.6, P1,
 * P2, P17, U44, U45).
 */
import { describe, expect, test } from 'vitest';

import type { DaySpan } from '../../../src/core/window.ts';
import { depositsOf } from './deposit-world.ts';
import type { DepositWorld } from './deposit-world.ts';
import { summary, walk, walkWorld } from './deposit-walking.ts';
import { successText } from '../platform-server.ts';

describe('a list that stands still', () => {
  test('DEP-11: 237 records are read once each, in any order of the list', async () => {
    const shuffled = (rows: DepositWorld['deposits']) =>
      rows.toSorted((a, b) => ((a.amount * 7919) % 211) - ((b.amount * 7919) % 211));
    for (const order of ['newest', 'oldest', shuffled] as const) {
      const { read, seen, pages } = await walkWorld({ deposits: depositsOf('2026-03-02', 237), order });
      expect(summary(read)).toEqual({
        passes: 1,
        pages: 3,
        total: 237,
        insideCount: 237,
        insideSumFen: 2_820_300n,
        verified: true,
      });
      expect(seen.size).toBe(237);
      expect(pages.map(({ inside }) => inside.length)).toEqual([100, 100, 37]);
      expect(read).toMatchObject({
        pass: { digest: DIGEST_OF_237, duplicates: 0, outside: 0, signed: true },
      });
    }
  });

  test('a page carries what traces it to its answer', async () => {
    const { pages } = await walkWorld({ deposits: depositsOf('2026-03-02', 1) });
    expect(pages).toMatchObject([
      {
        passNo: 1,
        page: 1,
        total: 1,
        signed: true,
        reqId: '00000000000000000000000000000001',
        requestedAt: '2026-03-01T16:00:00.000Z',
        timestamp: '2026-03-01T16:00:00.000Z',
        inside: [{ orderNo: 'D00001', amountFen: 100n, depositedAt: '2026-03-01T16:00:00.000Z' }],
        digests: [expect.stringMatching(/^[0-9a-f]{32}$/) as string],
        unreadable: [],
        outside: [],
      },
    ]);
    expect(JSON.parse(pages[0]?.bizText ?? '')).toMatchObject({ total: 1 });
  });

  test('DEP-10: an empty list is one page that says so', async () => {
    const { read, requests } = await walkWorld({ deposits: [] });
    expect(summary(read)).toEqual({
      passes: 1,
      pages: 1,
      total: 0,
      insideCount: 0,
      insideSumFen: 0n,
      verified: true,
    });
    expect(requests).toEqual([
      { startDate: '2026-03-01', endDate: '2026-03-11', payeeAcctNo: '100001', page: 1, pageSize: 100 },
    ]);
  });

  test('DEP-12, U44: records on every boundary belong to one window, whether endDate is inclusive or not', async () => {
    const times = [
      '2026-02-28 23:59:59',
      '2026-03-01 00:00:00',
      '2026-03-10 23:59:59',
      '2026-03-11 00:00:00',
      '2026-03-11 23:59:59',
      '2026-03-12 00:00:00',
    ];
    const deposits = times.map((depositTime, index) => ({ orderNo: `B${index}`, depositTime, amount: 1 }));
    for (const endInclusive of [true, false]) {
      const { seen, pages } = await walkWorld({ deposits, endInclusive });
      expect([...seen].toSorted()).toEqual(['B1', 'B2']);
      expect(pages.flatMap(({ outside }) => outside)).toEqual([]);
    }
    const known = { deposits: { endInclusive: 'yes' } };
    const { seen, requests } = await walkWorld({ deposits, endInclusive: true }, { profile: known });
    expect([...seen].toSorted()).toEqual(['B1', 'B2']);
    expect(requests).toMatchObject([{ startDate: '2026-03-01', endDate: '2026-03-10' }]);
  });

  test('the days of a window add up to it', async () => {
    const deposits = [...depositsOf('2026-03-02', 2, 'A'), ...depositsOf('2026-03-05', 3, 'B')];
    const { read } = await walkWorld({ deposits });
    const perDay = read.settled ? [...read.pass.perDay] : [];
    expect(perDay.map(([day, { count, sumFen, unreadable }]) => [day, count, sumFen, unreadable])).toEqual([
      ['2026-03-02', 2, 300n, 0],
      ['2026-03-05', 3, 600n, 0],
    ]);
  });
});

/** Of the 237 deposits above, computed apart from the code under test. */
const DIGEST_OF_237 = '690a335dc00fc4540c79c7f65dd320fd';

describe('P1: a list that moves', () => {
  test('a record that came twice hides none: the pass is not verified, though total and distinct agree', async () => {
    const [first, ...others] = depositsOf('2026-03-05', 4);
    const shown = [first, first, ...others].filter((deposit) => deposit !== undefined);
    const profile = { deposits: { pageSize: 10, maxRereads: 0 } };
    const { read } = await walkWorld({ deposits: shown, total: 4 }, { profile });
    expect(read).toMatchObject({ settled: false, total: 4, reason: '1 record came twice' });
  });

  test('a pass whose total reads 5, 6, 5 is not verified, whatever its first and last page say', async () => {
    const rows = depositsOf('2026-03-05', 5).map((deposit) => ({
      fee: 0,
      payeeAcctNo: '100001',
      ...deposit,
    }));
    const { read } = await walk(
      ({ biz }) => {
        const page = Number(biz['page']);
        const depositList = rows.slice((page - 1) * 2, page * 2);
        return successText({ total: page === 2 ? 6 : 5, page, pageSize: 2, depositList });
      },
      { profile: { deposits: { pageSize: 2, maxRereads: 0 } } },
    );
    expect(read.settled).toBe(false);
    expect('reason' in read && read.reason).toContain('while reading');
  });

  test('a total of 5, 6 and 5 again verifies nothing, although all five were seen', async () => {
    const world: DepositWorld = { deposits: depositsOf('2026-03-02', 5), order: 'oldest' };
    world.afterRequest = (requestNo) => {
      if (requestNo === 1)
        world.deposits.push({ orderNo: 'NEW', depositTime: '2026-03-03 09:00:00', amount: 1 });
      if (requestNo === 2) world.deposits.pop();
    };
    const { read } = await walkWorld(world, { profile: { deposits: { pageSize: 2 } } });
    expect(summary(read)).toMatchObject({ passes: 2, total: 5, insideCount: 5, verified: true });
  });

  test('newest first, one record arrives after page 1: the second reading is complete', async () => {
    const world: DepositWorld = { deposits: depositsOf('2026-03-02', 205) };
    world.afterRequest = (requestNo) => {
      if (requestNo === 1)
        world.deposits.push({ orderNo: 'NEW', depositTime: '2026-03-03 09:00:00', amount: 1 });
    };
    const { read, pages, seen } = await walkWorld(world);
    expect(summary(read)).toMatchObject({ passes: 2, pages: 3, total: 206, insideCount: 206 });
    const first = pages.filter(({ passNo }) => passNo === 1);
    expect(first.map(({ total }) => total)).toEqual([205, 206, 206]);
    expect(first.flatMap(({ inside }) => inside)).toHaveLength(205);
    expect(first.flatMap(({ inside }) => inside.map(({ orderNo }) => orderNo))).not.toContain('NEW');
    expect(seen.size).toBe(206);
  });

  test('oldest first, a late record is booked into page 1: the second reading is complete', async () => {
    const world: DepositWorld = { deposits: depositsOf('2026-03-02', 205), order: 'oldest' };
    world.afterRequest = (requestNo) => {
      if (requestNo === 1)
        world.deposits.push({ orderNo: 'LATE', depositTime: '2026-03-01 09:00:00', amount: 1 });
    };
    const { read, seen } = await walkWorld(world);
    expect(summary(read)).toMatchObject({ passes: 2, total: 206, insideCount: 206 });
    expect(seen).toContain('LATE');
  });

  test('one that vanishes while it is read: the second reading is complete', async () => {
    const world: DepositWorld = { deposits: depositsOf('2026-03-02', 205) };
    world.afterRequest = (requestNo) => void (requestNo === 1 && world.deposits.splice(200, 1));
    const { read } = await walkWorld(world);
    expect(summary(read)).toMatchObject({ passes: 2, total: 204, insideCount: 204, verified: true });
  });

  test('an order that never settles is not settled, and is to be halved; its pages of up to 100 settle', async () => {
    const world: DepositWorld = {
      deposits: [...depositsOf('2026-03-02', 90, 'A'), ...depositsOf('2026-03-08', 90, 'B')],
      order: (rows, requestNo) => [...rows.slice(requestNo), ...rows.slice(0, requestNo)],
    };
    const { read, requests } = await walkWorld(world);
    expect(read).toMatchObject({
      settled: false,
      total: 180,
      passes: 4,
      halves: [
        { from: '2026-03-01', to: '2026-03-06' },
        { from: '2026-03-06', to: '2026-03-11' },
      ],
    });
    expect(requests).toHaveLength(8);
    for (const span of [
      { from: '2026-03-01', to: '2026-03-06' },
      { from: '2026-03-06', to: '2026-03-11' },
    ]) {
      const half = await walkWorld(world, { span });
      expect(summary(half.read)).toMatchObject({ passes: 1, pages: 1, total: 90, insideCount: 90 });
    }
  });

  test('deposits.maxRereads bounds the readings', async () => {
    const world: DepositWorld = {
      deposits: depositsOf('2026-03-02', 150),
      order: (rows, requestNo) => [...rows.slice(requestNo), ...rows.slice(0, requestNo)],
    };
    const { read } = await walkWorld(world, { profile: { deposits: { maxRereads: 0 } } });
    expect(read).toMatchObject({ settled: false, passes: 1 });
  });

  test('P2: a record that always comes twice keeps its window open, even on one page', async () => {
    const twice = [...depositsOf('2026-03-02', 5), ...depositsOf('2026-03-02', 1)];
    const { read, pages } = await walkWorld({ deposits: twice });
    expect(summary(read)).toBe('1 record came twice; 5 distinct records, total 6');
    expect(pages[0]?.inside).toHaveLength(5);
  });

  test('P2: twice with different content is named, and never settles', async () => {
    const changed = { orderNo: 'D00001', depositTime: '2026-03-02 00:00:00', amount: 999 };
    const span = { from: '2026-03-02', to: '2026-03-03' };
    const { read, pages } = await walkWorld(
      { deposits: [...depositsOf('2026-03-02', 150), changed] },
      { span },
    );
    expect(read).toMatchObject({ settled: false, passes: 4, halves: undefined });
    expect(pages.flatMap(({ inside }) => inside).filter(({ orderNo }) => orderNo === 'D00001')).toHaveLength(
      8,
    );
  });
});

describe('the running day', () => {
  const YESTERDAY: DaySpan = { from: '2026-03-31', to: '2026-04-01' };

  /** One more deposit today after every answer. */
  const growing = (deposits: DepositWorld['deposits'], order: 'newest' | 'oldest'): DepositWorld => {
    const world: DepositWorld = { deposits, order };
    world.afterRequest = (no) =>
      void world.deposits.push({
        orderNo: `T${no}`,
        depositTime: `2026-04-01 09:${String(no).padStart(2, '0')}:00`,
        amount: 1,
      });
    return world;
  };

  test.each(['newest', 'oldest'] as const)(
    'two readings that agree on the days asked settle them, while today grows (%s first)',
    async (order) => {
      const { read, seen } = await walkWorld(growing(depositsOf('2026-03-31', 250), order), {
        span: YESTERDAY,
      });
      expect(summary(read)).toMatchObject({
        passes: 2,
        insideCount: 250,
        insideSumFen: 3_137_500n,
        verified: true,
      });
      expect(seen.size).toBe(250);
    },
  );

  test('a list that fits one page is one answer, and settles at once', async () => {
    const { read } = await walkWorld(growing(depositsOf('2026-03-31', 20), 'newest'), { span: YESTERDAY });
    expect(summary(read)).toMatchObject({ passes: 1, insideCount: 20 });
  });

  test('while the days asked themselves grow, nothing settles', async () => {
    const { read } = await walkWorld(growing(depositsOf('2026-04-01', 250), 'newest'), {
      span: { from: '2026-04-01', to: '2026-04-02' },
    });
    expect(read).toMatchObject({ settled: false, passes: 4, halves: undefined });
  });

  test('a closed window that reaches no running day is not settled by two readings that agree', async () => {
    const losing = (rows: DepositWorld['deposits']) =>
      rows.map((row, index) => (index === 150 ? (rows[0] ?? row) : row));
    const world: DepositWorld = { deposits: depositsOf('2026-03-02', 205), order: losing };
    expect((await walkWorld(world)).read).toMatchObject({ settled: false, passes: 4 });
  });

  test('two readings that agree and both lost the same record settle nothing', async () => {
    const losing = (rows: DepositWorld['deposits']) =>
      rows.map((row, index) => (index === 150 ? (rows[0] ?? row) : row));
    const world: DepositWorld = { deposits: depositsOf('2026-03-31', 205), order: losing };
    expect((await walkWorld(world, { span: YESTERDAY })).read).toMatchObject({ settled: false, passes: 4 });
  });
});
