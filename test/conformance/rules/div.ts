/** DIV-01…22: what a transfer asks for. */
import assert from 'node:assert/strict';

import { CLOSED, FOREIGN, PAYEE, PAYEE_2, PAYER, PAYER_FEN } from '../bench.ts';
import type { Bench } from '../bench.ts';
import type { Members } from '../caller.ts';
import type { Rules } from '../rule.ts';
import { anOrder, ordersOf, paid, payBiz, queryBatch, refusesOrders, theOrder } from '../trade.ts';

/** A transfer that is valid but for these members is refused, for each of these changes. */
async function refusesPays(bench: Bench, cases: Readonly<Record<string, Members>>): Promise<void> {
  const bodies = Object.entries(cases).map(([name, over]) => [name, payBiz(bench, undefined, over)]);
  await bench.refusesEach('division/pay', Object.fromEntries(bodies) as Members);
}

const many = (bench: Bench, count: number, over: Members = {}): Members[] =>
  Array.from({ length: count }, () => anOrder(bench, over));

export const DIV: Rules = {
  'DIV-01': {
    sandbox: async (bench) => {
      await paid(bench, undefined, { outBatchNo: 'B'.repeat(32) });
      const before = await queryBatch(bench, 'B'.repeat(32));
      await refusesPays(bench, {
        absent: { outBatchNo: undefined },
        '33 characters': { outBatchNo: 'C'.repeat(33) },
        'no text': { outBatchNo: true },
        'used already': { outBatchNo: 'B'.repeat(32) },
      });
      assert.deepEqual((await queryBatch(bench, 'B'.repeat(32))).biz, before.biz);
      const { biz } = await paid(bench);
      await bench.switches({ duplicate: 'returnFirst' });
      const again = await paid(bench, undefined, { outBatchNo: biz['outBatchNo'] });
      assert.deepEqual(again.biz, biz);
      assert.deepEqual(await bench.money(PAYER), [PAYER_FEN - 20_000, 0]);
    },
  },
  'DIV-02': {
    sandbox: async (bench) => {
      await bench.control('/deposits', {
        deposits: [{ payeeAcctNo: PAYEE, amountFen: 10_000, depositTime: '2026-03-01 09:00:00' }],
      });
      await refusesPays(bench, {
        absent: { payerAcctNo: undefined },
        unknown: { payerAcctNo: 'nobody' },
        foreign: { payerAcctNo: FOREIGN },
        closed: { payerAcctNo: CLOSED },
        'a JS account': { payerAcctNo: PAYEE },
      });
      await bench.switches({ payerRoles: ['FQ', 'JS'] });
      await paid(bench, [anOrder(bench, { payeeAcctNo: PAYEE_2 })], { payerAcctNo: PAYEE });
    },
  },
  'DIV-03': {
    sandbox: async (bench) => {
      await bench.refuses('division/pay', payBiz(bench, many(bench, 2), { num: 3 }));
      await refusesPays(bench, { absent: { num: undefined }, zero: { num: 0 }, fraction: { num: 1.5 } });
      await paid(bench, many(bench, 2), { num: 2 });
    },
  },
  'DIV-04': {
    sandbox: async (bench) => {
      await refusesPays(bench, {
        absent: { amount: undefined },
        'one more': { amount: 10_001 },
        'one less': { amount: 9_999 },
        'a fraction': { amount: 1.5 },
        negative: { amount: -1 },
        'no number': { amount: 'abc' },
      });
      await paid(bench, undefined, { amount: 10_000 });
    },
  },
  'DIV-05': {
    sandbox: (bench) =>
      refusesPays(bench, {
        absent: { currency: undefined },
        USD: { currency: 'USD' },
        'lower case': { currency: 'cny' },
      }),
  },
  'DIV-06': {
    sandbox: (bench) =>
      refusesPays(bench, {
        absent: { clientIp: undefined },
        IPv6: { clientIp: '::1' },
        'out of range': { clientIp: '999.1.1.1' },
        'a name': { clientIp: 'localhost' },
      }),
  },
  'DIV-07': {
    sandbox: (bench) =>
      refusesPays(bench, {
        absent: { orderList: undefined },
        empty: { orderList: '[]', num: 0, amount: 0 },
        'no list': { orderList: '{}' },
        'no JSON': { orderList: '[' },
        'no objects': { orderList: '[10000]' },
        'an array': { orderList: [anOrder(bench)] },
      }),
  },
  'DIV-08': {
    sandbox: async (bench) => {
      await refusesPays(bench, { '2': { payMethod: 2 }, '0': { payMethod: 0 } });
      await paid(bench, undefined, { payMethod: 1 });
      await paid(bench, undefined, { payMethod: undefined });
    },
  },
  'DIV-09': {
    sandbox: async (bench) => {
      const extParam = '对账 {"a":1}';
      const { biz } = await paid(bench, undefined, { extParam });
      assert.equal(biz['extParam'], extParam);
      assert.equal((await queryBatch(bench, biz['outBatchNo'])).biz['extParam'], extParam);
    },
  },
  'DIV-10': {
    sandbox: async (bench) => {
      await paid(bench, undefined, { remark: '三月货款' });
      await paid(bench, undefined, { remark: undefined });
    },
  },
  'DIV-11': {
    sandbox: async (bench) => {
      await paid(bench, undefined, { body: '批次说明' });
      await paid(bench, undefined, { body: undefined });
    },
  },
  'DIV-12': {
    sandbox: async (bench) => {
      await paid(bench, undefined, { notifyUrl: undefined });
      assert.deepEqual((await bench.control('/pushes'))['pushes'], []);
      await paid(bench, undefined, { notifyUrl: 'http://127.0.0.1:9/notify' });
      assert.equal(((await bench.control('/pushes'))['pushes'] as unknown[]).length, 1);
    },
  },
  'DIV-13': {
    sandbox: async (bench) => {
      const used = await paid(bench);
      await refusesOrders(bench, {
        absent: { outOrderNo: undefined },
        '33 characters': { outOrderNo: 'O'.repeat(33) },
        'used in another batch': { outOrderNo: ordersOf(used)[0]?.['outOrderNo'] },
      });
      const twice = anOrder(bench);
      await bench.refuses('division/pay', payBiz(bench, [twice, twice]));
      await paid(bench, [anOrder(bench, { outOrderNo: 'O'.repeat(32) })]);
    },
  },
  'DIV-14': {
    sandbox: (bench) => refusesOrders(bench, { absent: { body: undefined }, empty: { body: '' } }),
  },
  'DIV-15': {
    sandbox: async (bench) => {
      const bad = ['300.00', '0', '-1', '', 'abc', null, 1.5, undefined];
      await refusesOrders(
        bench,
        Object.fromEntries(bad.map((amount) => [JSON.stringify(amount), { amount }])),
      );
      const [order] = ordersOf(await paid(bench, [anOrder(bench, { amount: '30000' })]));
      assert.equal(order?.['amount'], 30_000, 'answered as a number');
      await paid(bench, [anOrder(bench, { amount: 300 })]);
      await bench.switches({ strictTypes: true });
      await bench.refuses('division/pay', payBiz(bench, [anOrder(bench, { amount: 300 })]));
    },
  },
  'DIV-16': {
    sandbox: async (bench) => {
      await refusesOrders(bench, {
        absent: { payeeAcctNo: undefined },
        unknown: { payeeAcctNo: 'nobody' },
        closed: { payeeAcctNo: CLOSED },
        foreign: { payeeAcctNo: FOREIGN },
      });
      await bench.switches({ unknownPayee: 'fail' });
      const payees = [PAYEE, 'nobody', CLOSED];
      const answer = await paid(
        bench,
        payees.map((payeeAcctNo) => anOrder(bench, { payeeAcctNo })),
      );
      assert.equal(answer.biz['state'], 'PART_SUCCESS');
      assert.deepEqual(
        ordersOf(answer).map(({ state, note }) => [state, note !== '']),
        [
          ['SUCCESS', false],
          ['FAIL', true],
          ['FAIL', true],
        ],
      );
      assert.deepEqual(await bench.money(PAYER), [PAYER_FEN - 10_000, 0]);
    },
  },
  'DIV-17': {
    sandbox: async (bench) => {
      for (const extParam of ['x'.repeat(32), `${'中'.repeat(10)}ab`]) {
        const { biz } = await paid(bench, [anOrder(bench, { extParam })]);
        assert.equal((await theOrder(bench, biz['outBatchNo']))['extParam'], extParam);
      }
      await refusesOrders(bench, {
        '33 letters': { extParam: 'x'.repeat(33) },
        '11 Chinese characters': { extParam: '中'.repeat(11) },
      });
    },
  },
  'DIV-18': {
    sandbox: async (bench) => {
      assert.equal(ordersOf(await paid(bench, many(bench, 20))).length, 20);
      await bench.refuses('division/pay', payBiz(bench, many(bench, 21)));
    },
  },
  'DIV-19': {
    sandbox: async (bench) => {
      await refusesOrders(bench, { 'one fen more': { amount: '5000001' } });
      await paid(bench, [anOrder(bench, { amount: '5000000' })]);
    },
  },
  'DIV-20': {
    sandbox: async (bench) => {
      await paid(bench, undefined, { remark: 'x'.repeat(101) });
      await bench.switches({ batch100Fields: ['extParam', 'remark', 'body'] });
      for (const name of ['extParam', 'remark', 'body']) {
        await paid(bench, undefined, { [name]: 'x'.repeat(100) });
        await paid(bench, undefined, { [name]: `${'中'.repeat(33)}x` });
        await refusesPays(bench, {
          [`${name} 101`]: { [name]: 'x'.repeat(101) },
          [`${name} 34 Chinese characters`]: { [name]: '中'.repeat(34) },
        });
      }
    },
  },
  'DIV-21': {
    sandbox: async (bench) => {
      await bench.switches({ paymentPassword: false });
      await bench.refuses('division/pay', payBiz(bench));
      await bench.switches({ paymentPassword: true });
      await paid(bench);
      const account = { accountNo: '100002', role: 'FQ', balanceFen: 10_000, paymentPassword: false };
      await bench.control('/accounts', { accounts: [account] });
      await refusesPays(bench, { 'the account has none': { payerAcctNo: account.accountNo } });
    },
  },
  'DIV-22': {
    sandbox: async (bench) => {
      const orders = [...many(bench, 2, { amount: '5000000' }), anOrder(bench, { amount: '1' })];
      await bench.refuses('division/pay', payBiz(bench, orders));
      await bench.plan({ kind: 'transfer', feeFen: 1, feeType: 'ACCOUNT' });
      await bench.refuses('division/pay', payBiz(bench, many(bench, 2, { amount: '5000000' })));
      await bench.switches({ shortBalance: 'fail' });
      const { biz } = await paid(bench, orders);
      assert.equal((await queryBatch(bench, biz['outBatchNo'])).biz['state'], 'FAIL');
      assert.deepEqual(
        [await bench.money(PAYER), await bench.money(PAYEE)],
        [
          [PAYER_FEN, 0],
          [0, 0],
        ],
      );
      await bench.control('/outcomes/drop', {});
      await bench.plan({ kind: 'transfer', feeFen: 1, feeType: 'ORDER', times: null });
      await paid(bench, many(bench, 2, { amount: '5000000' }));
      assert.deepEqual(await bench.money(PAYER), [0, 0]);
    },
  },
};
