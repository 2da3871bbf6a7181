/** LIM-01…15: each limit as the pair on either side of it. */
import assert from 'node:assert/strict';

import { PAYER } from '../bench.ts';
import type { Bench } from '../bench.ts';
import type { Members } from '../caller.ts';
import type { Rules } from '../rule.ts';
import {
  anOrder,
  depositBiz,
  failedSettlement,
  paid,
  payBiz,
  refundBiz,
  seedDeposits,
  withdrawBiz,
} from '../trade.ts';

const ASK = { accountNo: PAYER };

/** What fits is accepted, what is one more is refused. */
async function pair(bench: Bench, endpoint: string, biz: { fits: unknown; exceeds: unknown }): Promise<void> {
  await bench.refuses(endpoint, biz.exceeds);
  await bench.accepts(endpoint, biz.fits);
}

const orders = (bench: Bench, count: number, over: Members = {}): Members =>
  payBiz(
    bench,
    Array.from({ length: count }, () => anOrder(bench, over)),
  );

export const LIM: Rules = {
  'LIM-01': {
    sandbox: async (bench) => {
      await bench.refuses('acct/queryInfo', ASK, { reqId: 'x'.repeat(41) });
      await bench.accepts('acct/queryInfo', ASK, { reqId: 'x'.repeat(40) });
      await bench.advance(600_000);
      await bench.refuses('acct/queryInfo', ASK, { reqId: 'x'.repeat(40) });
      await bench.advance(1);
      await bench.accepts('acct/queryInfo', ASK, { reqId: 'x'.repeat(40) });
    },
  },
  'LIM-02': {
    sandbox: async (bench) => {
      for (const [ms, isFine] of [
        [-11_000, false],
        [-10_000, true],
        [10_000, true],
        [11_000, false],
      ] as const) {
        const over = { reqTime: bench.reqTime(ms) };
        if (isFine) await bench.accepts('acct/queryInfo', ASK, over);
        else await bench.refuses('acct/queryInfo', ASK, over);
      }
    },
  },
  'LIM-04': {
    sandbox: async (bench) => {
      const [fits, exceeds] = ['n'.repeat(32), 'm'.repeat(33)];
      await pair(bench, 'division/pay', {
        fits: payBiz(bench, undefined, { outBatchNo: fits }),
        exceeds: payBiz(bench, undefined, { outBatchNo: exceeds }),
      });
      await pair(bench, 'division/pay', {
        fits: payBiz(bench, [anOrder(bench, { outOrderNo: fits })]),
        exceeds: payBiz(bench, [anOrder(bench, { outOrderNo: exceeds })]),
      });
      await pair(bench, 'account/withdraw', {
        fits: withdrawBiz(bench, { outOrderNo: 'w'.repeat(32) }),
        exceeds: withdrawBiz(bench, { outOrderNo: 'w'.repeat(33) }),
      });
    },
  },
  'LIM-05': {
    sandbox: (bench) => pair(bench, 'division/pay', { fits: orders(bench, 20), exceeds: orders(bench, 21) }),
  },
  'LIM-06': {
    sandbox: (bench) =>
      pair(bench, 'division/pay', {
        fits: orders(bench, 1, { amount: '5000000' }),
        exceeds: orders(bench, 1, { amount: '5000001' }),
      }),
  },
  'LIM-07': {
    sandbox: async (bench) => {
      for (const over of [{ num: 1 }, { num: 3 }, { amount: 19_999 }, { amount: 20_001 }]) {
        await bench.refuses('division/pay', { ...orders(bench, 2), ...over });
      }
      await bench.accepts('division/pay', { ...orders(bench, 2), num: 2, amount: 20_000 });
    },
  },
  'LIM-08': {
    sandbox: (bench) =>
      pair(bench, 'division/pay', {
        fits: orders(bench, 1, { extParam: `${'中'.repeat(10)}ab` }),
        exceeds: orders(bench, 1, { extParam: `${'中'.repeat(10)}abc` }),
      }),
  },
  'LIM-09': {
    sandbox: async (bench) => {
      const [early, late] = [await paid(bench), await paid(bench)];
      const inTime = await refundBiz(bench, early);
      await bench.advance(60_000);
      await bench.accepts('division/refund', inTime);
      const tooLate = await refundBiz(bench, late);
      await bench.advance(60_001);
      await bench.refuses('division/refund', tooLate);
    },
  },
  'LIM-10': {
    sandbox: (bench) =>
      pair(bench, 'query/deposit', {
        fits: depositBiz({ startDate: '2026-01-01', endDate: '2026-02-01' }),
        exceeds: depositBiz({ startDate: '2026-01-01', endDate: '2026-02-02' }),
      }),
  },
  'LIM-11': {
    sandbox: async (bench) => {
      await seedDeposits(
        bench,
        Array.from({ length: 11 }, () => ({})),
      );
      await pair(bench, 'query/deposit', {
        fits: depositBiz({ pageSize: 1 }),
        exceeds: depositBiz({ pageSize: 0 }),
      });
      await pair(bench, 'query/deposit', {
        fits: depositBiz({ pageSize: 100 }),
        exceeds: depositBiz({ pageSize: 101 }),
      });
      const { page, pageSize, depositList } = (await bench.accepts('query/deposit', depositBiz())).biz;
      assert.deepEqual([page, pageSize, (depositList as unknown[]).length], [1, 10, 10]);
    },
  },
  'LIM-12': {
    sandbox: async (bench) => {
      const { outOrderNo } = await failedSettlement(bench);
      await bench.refuses('order/settle', { outOrderNo, remark: '!!' });
      await pair(bench, 'order/settle', {
        fits: { outOrderNo, remark: `${'中'.repeat(10)}ab` },
        exceeds: { outOrderNo, remark: '中'.repeat(11) },
      });
    },
  },
  'LIM-14': {
    sandbox: (bench) =>
      pair(bench, 'division/pay', {
        fits: payBiz(bench, undefined, { extParam: `${'中'.repeat(33)}x` }),
        exceeds: payBiz(bench, undefined, { extParam: '中'.repeat(34) }),
      }),
  },
};
