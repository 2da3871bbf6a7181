/** DEP-01…12: the list of deposits and how it is walked. */
import assert from 'node:assert/strict';

import { spanOfDay } from '../../../src/core/window.ts';
import { readWindow } from '../../../src/platform/deposit-walk.ts';
import type { ReadPage } from '../../../src/platform/deposit-walk.ts';
import { FOREIGN, PAYEE, PAYEE_2 } from '../bench.ts';
import type { Bench } from '../bench.ts';
import type { Answered, Members } from '../caller.ts';
import { answerOf } from '../client-calls.ts';
import type { Desk } from '../desk.ts';
import type { Rules } from '../rule.ts';
import { depositBiz, depositsOf, requireMembers, seedDeposits } from '../trade.ts';
import { profileOf, SHANGHAI } from '../../platform/platform-server.ts';

const ASK = { startDate: '2026-03-01', endDate: '2026-03-02', payeeAcctNo: PAYEE, page: 1, pageSize: 100 };
const RECORD = {
  orderNo: 'D1',
  amount: 10_000,
  fee: 30,
  realAmount: 9_970,
  feeType: 'ORDER',
  payeeAcctNo: PAYEE,
  depositTime: '2026-03-01 09:00:00',
};

const listed = (bench: Bench, over: Members = {}): Promise<Answered> =>
  bench.accepts('query/deposit', depositBiz(over));
const numbersOf = (answered: Answered): string[] =>
  depositsOf(answered).map(({ orderNo }) => String(orderNo));

/** What the client makes of a page with this record. */
async function read(desk: Desk, record: Members) {
  const { client } = await desk.accepting({ total: 1, page: 1, pageSize: 100, depositList: [record] });
  return answerOf<'query/deposit'>(await client.call('query/deposit', ASK));
}

async function spans(bench: Bench, cases: readonly (readonly [string, string, boolean])[]): Promise<void> {
  for (const [startDate, endDate, isFine] of cases) {
    if (isFine) await listed(bench, { startDate, endDate });
    else await bench.refuses('query/deposit', depositBiz({ startDate, endDate }));
  }
}

const MEMBERS = [
  'orderNo',
  'amount',
  'fee',
  'realAmount',
  'feeType',
  'payerAcctNo',
  'payerName',
  'payerBankNo',
];
const MORE_MEMBERS = ['payeeAcctNo', 'payeeName', 'payeeBankNo', 'remark', 'errCode', 'depositTime'];

export const DEP: Rules = {
  'DEP-01': {
    harmless: async (caller) => {
      for (const bad of ['2026/03/01', '20260301', '2026-02-30', '2026-3-1', 20260301, undefined, null, '']) {
        await caller.refuses('query/deposit', depositBiz({ startDate: bad, payeeAcctNo: caller.accountNo }));
        await caller.refuses('query/deposit', depositBiz({ endDate: bad, payeeAcctNo: caller.accountNo }));
      }
    },
    client: async (desk) => {
      const { client, requests } = await desk.accepting({ total: 0 });
      await client.call('query/deposit', ASK);
      assert.deepEqual(
        [requests[0]?.biz['startDate'], requests[0]?.biz['endDate']],
        ['2026-03-01', '2026-03-02'],
      );
    },
  },
  'DEP-02': {
    harmless: async (caller) => {
      await caller.refuses(
        'query/deposit',
        depositBiz({ startDate: '2026-03-02', endDate: '2026-03-01', payeeAcctNo: caller.accountNo }),
      );
    },
    sandbox: (bench) => spans(bench, [['2026-03-01', '2026-03-01', true]]),
  },
  'DEP-03': {
    harmless: async (caller) => {
      await caller.refuses(
        'query/deposit',
        depositBiz({ startDate: '2026-01-01', endDate: '2026-02-02', payeeAcctNo: caller.accountNo }),
      );
    },
    sandbox: (bench) =>
      spans(bench, [
        ['2026-01-01', '2026-02-01', true],
        ['2026-01-01', '2026-02-02', false],
        ['2026-01-31', '2026-02-28', true],
        ['2026-01-31', '2026-03-01', false],
        ['2024-01-31', '2024-02-29', true],
        ['2024-01-31', '2024-03-01', false],
        ['2025-12-15', '2026-01-15', true],
        ['2025-12-15', '2026-01-16', false],
      ]),
  },
  'DEP-04': {
    harmless: async (caller) => {
      await caller.refuses('query/deposit', depositBiz({ payeeAcctNo: undefined }));
      await caller.refuses('query/deposit', depositBiz({ payeeAcctNo: '' }));
    },
    sandbox: async (bench) => {
      await seedDeposits(bench, [{}]);
      assert.equal((await listed(bench)).biz['total'], 1);
      assert.equal((await listed(bench, { payeeAcctNo: PAYEE.slice(0, -1) })).biz['total'], 0);
    },
  },
  'DEP-05': {
    harmless: async (caller) => {
      for (const over of [
        { pageSize: 0 },
        { pageSize: 101 },
        { pageSize: -1 },
        { pageSize: 1.5 },
        { pageSize: 'ten' },
        { page: 0 },
        { page: 1.5 },
        { page: [1] },
      ]) {
        await caller.refuses('query/deposit', depositBiz({ ...over, payeeAcctNo: caller.accountNo }));
      }
    },
    sandbox: async (bench) => {
      await seedDeposits(
        bench,
        Array.from({ length: 12 }, () => ({})),
      );
      const usual = await listed(bench);
      assert.deepEqual([usual.biz['page'], usual.biz['pageSize'], depositsOf(usual).length], [1, 10, 10]);
      assert.equal(depositsOf(await listed(bench, { pageSize: 100 })).length, 12);
      assert.equal(depositsOf(await listed(bench, { pageSize: 1 })).length, 1);
      const beyond = await listed(bench, { page: 9 });
      assert.deepEqual([depositsOf(beyond), beyond.biz['total']], [[], 12]);
    },
  },
  'DEP-06': {
    sandbox: async (bench) => {
      await seedDeposits(bench, [{}, {}, {}]);
      const { biz } = await listed(bench, { page: 2, pageSize: 2 });
      const { total, page, pageSize, depositList } = biz;
      assert.deepEqual([total, page, pageSize, (depositList as unknown[]).length], [3, 2, 2, 1]);
    },
    client: async (desk) => {
      const { total, page, pageSize, deposits } = await read(desk, RECORD);
      assert.deepEqual([total, page, pageSize, deposits.length], [1, 1, 100, 1]);
    },
  },
  'DEP-07': {
    sandbox: async (bench) => {
      await seedDeposits(bench, [{ feeFen: 30 }]);
      const [record = {}] = depositsOf(await listed(bench));
      requireMembers(record, [...MEMBERS, ...MORE_MEMBERS]);
      assert.deepEqual([record['amount'], record['fee'], record['realAmount']], [10_000, 30, 9_970]);
      assert.equal(record['depositTime'], '2026-03-01 09:00:00');
    },
    client: async (desk) => {
      const [record] = (await read(desk, RECORD)).deposits;
      assert.deepEqual([record?.amountFen, record?.feeFen, record?.realFen], [10_000n, 30n, 9_970n]);
      assert.equal(record?.depositedAt, '2026-03-01T01:00:00.000Z');
      const { fee: _fee, ...withoutFee } = RECORD;
      assert.match((await read(desk, withoutFee)).unreadable[0]?.reason ?? '', /fee is missing/);
    },
  },
  'DEP-08': {
    sandbox: async (bench) => {
      await seedDeposits(bench, [{ failed: true }, {}]);
      assert.equal((await listed(bench)).biz['total'], 1);
      assert.deepEqual(await bench.money(PAYEE), [10_000, 0]);
    },
  },
  'DEP-09': {
    sandbox: async (bench) => {
      await seedDeposits(bench, [{}, { errCode: 'E42' }]);
      const codes = depositsOf(await listed(bench)).map(({ errCode }) => errCode);
      assert.deepEqual(codes.map(String).sort(), ['', 'E42']);
    },
    client: async (desk) => {
      const page = await read(desk, { ...RECORD, errCode: 'E42' });
      assert.equal(page.deposits[0]?.errCode, 'E42');
    },
  },
  'DEP-10': {
    sandbox: async (bench) => {
      await seedDeposits(bench, [{ payeeAcctNo: FOREIGN }]);
      for (const payeeAcctNo of [PAYEE_2, 'no-such-account', FOREIGN]) {
        const { biz } = await listed(bench, { payeeAcctNo });
        assert.deepEqual(biz, { total: 0, page: 1, pageSize: 10, depositList: [] });
      }
    },
    client: async (desk) => {
      const { client } = await desk.accepting({ total: 0, page: 1, pageSize: 100 });
      assert.deepEqual(answerOf<'query/deposit'>(await client.call('query/deposit', ASK)).deposits, []);
    },
  },
  'DEP-11': {
    sandbox: async (bench) => {
      const all = await seedDeposits(
        bench,
        Array.from({ length: 237 }, (_, at) => ({ depositTime: `2026-03-01 0${at % 10}:00:00` })),
      );
      for (const pageSize of [10, 37, 100]) {
        const seen: string[] = [];
        for (let page = 1; page <= Math.ceil(237 / pageSize); page++) {
          seen.push(...numbersOf(await listed(bench, { page, pageSize })));
        }
        assert.deepEqual(seen.sort(), all.toSorted(), `pages of ${pageSize}`);
      }
    },
  },
  'DEP-12': {
    sandbox: async (bench) => {
      await seedDeposits(bench, [
        { depositTime: '2026-02-28 23:59:59' },
        { depositTime: '2026-03-01 00:00:00' },
      ]);
      const upTo = async (): Promise<unknown> =>
        (await listed(bench, { startDate: '2026-02-28', endDate: '2026-03-01' })).biz['total'];
      assert.equal(await upTo(), 2);
      await bench.switches({ endInclusive: false });
      assert.equal(await upTo(), 1);
    },
    client: async (desk) => {
      for (const endInclusive of [true, false]) {
        const { client, bench } = await desk.sandbox();
        await bench.switches({ endInclusive });
        const times = [
          '2026-02-26 23:59:59',
          '2026-02-27 00:00:00',
          '2026-02-27 23:59:59',
          '2026-02-28 00:00:00',
        ];
        const seeded = await seedDeposits(
          bench,
          times.map((depositTime) => ({ depositTime })),
        );
        const seen: string[] = [];
        for (const day of ['2026-02-26', '2026-02-27', '2026-02-28']) {
          const onPage = (page: ReadPage): void => {
            seen.push(...page.inside.map(({ orderNo }) => orderNo));
          };
          const walk = { client, profile: profileOf(), zone: SHANGHAI, accountNo: PAYEE, onPage };
          const read = await readWindow({ ...walk, span: spanOfDay(day), today: '2026-03-01' });
          assert.ok(read.settled);
        }
        assert.deepEqual(seen.sort(), seeded.toSorted(), `each record once, endInclusive ${endInclusive}`);
      }
    },
  },
};
