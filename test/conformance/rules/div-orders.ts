/** DIV-23…31: what a batch and its orders answer. */
import assert from 'node:assert/strict';

import { PAYEE, PAYEE_2, PAYER, PAYER_FEN } from '../bench.ts';
import type { Members } from '../caller.ts';
import { answerOf } from '../client-calls.ts';
import type { Desk } from '../desk.ts';
import type { Rules } from '../rule.ts';
import { anOrder, ordersOf, paid, queryBatch, refundBiz, requireMembers, theOrder } from '../trade.ts';
import type { TransferBatch } from '../../../src/platform/contract.ts';

const BATCH_MEMBERS = ['outBatchNo', 'batchNo', 'state', 'orderList', 'extParam', 'note'];
const ORDER_MEMBERS = [
  'outOrderNo',
  'orderNo',
  'body',
  'amount',
  'realAmount',
  'mchFee',
  'feeType',
  'payeeAcctNo',
  'state',
  'extParam',
  'note',
];
const QUERY_MEMBERS = ['settleState', 'settleRemark', 'refundAmount'];
const ORDER = {
  outOrderNo: 'O1',
  orderNo: 'TO1',
  amount: 10_000,
  mchFee: 30,
  realAmount: 9_970,
  feeType: 'ORDER',
};

/** What the client makes of a batch with these orders. */
async function read(desk: Desk, orders: readonly Members[], over: Members = {}): Promise<TransferBatch> {
  const biz = {
    outBatchNo: 'B1',
    batchNo: 'TB1',
    state: 'SUCCESS',
    orderList: JSON.stringify(orders),
    ...over,
  };
  const { client } = await desk.accepting(biz);
  return answerOf<'division/query'>(await client.call('division/query', { outBatchNo: 'B1' }));
}

export const DIV_ORDERS: Rules = {
  'DIV-23': {
    sandbox: async (bench) => {
      const { biz } = await paid(bench, undefined, { extParam: 'x' });
      requireMembers(biz, BATCH_MEMBERS);
      assert.equal(typeof biz['orderList'], 'string');
      requireMembers((await queryBatch(bench, biz['outBatchNo'])).biz, BATCH_MEMBERS);
    },
    client: async (desk) => {
      const batch = await read(desk, [], { extParam: 'x', note: 'n' });
      const { outBatchNo, batchNo, state, orders, extParam, note } = batch;
      assert.deepEqual(
        [outBatchNo, batchNo, state, orders, extParam, note],
        ['B1', 'TB1', 'SUCCESS', [], 'x', 'n'],
      );
    },
  },
  'DIV-24': {
    sandbox: async (bench) => {
      const answer = await paid(bench);
      requireMembers(ordersOf(answer)[0] ?? {}, [...ORDER_MEMBERS, 'payerAcctNo']);
      const order = await theOrder(bench, answer.biz['outBatchNo']);
      requireMembers(order, [...ORDER_MEMBERS, ...QUERY_MEMBERS, 'payeyAcctNo']);
      for (const name of ['amount', 'realAmount', 'mchFee', 'refundAmount'])
        assert.equal(typeof order[name], 'number', name);
      assert.deepEqual([order['extParam'], order['note']], ['', ''], 'what was not sent is empty');
    },
    client: async (desk) => {
      const [order] = (
        await read(desk, [{ ...ORDER, settleState: 'FAIL', settleRemark: '退回', refundAmount: 5 }])
      ).orders;
      const { amountFen, feeFen, realFen, feeType, settleState, settleRemark, refundFen } = order ?? {};
      assert.deepEqual([amountFen, feeFen, realFen, refundFen], [10_000n, 30n, 9_970n, 5n]);
      assert.deepEqual([feeType, settleState, settleRemark], ['ORDER', 'FAIL', '退回']);
    },
  },
  'DIV-25': {
    sandbox: async (bench) => {
      const answer = await paid(bench);
      assert.equal(ordersOf(answer)[0]?.['payerAcctNo'], PAYER);
      const queried = await theOrder(bench, answer.biz['outBatchNo']);
      assert.deepEqual([queried['payeyAcctNo'], queried['payerAcctNo']], [PAYER, undefined]);
      await bench.switches({ payerField: 'payerAcctNo' });
      assert.equal((await theOrder(bench, answer.biz['outBatchNo']))['payerAcctNo'], PAYER);
      await bench.switches({ payerField: 'both' });
      const { payerAcctNo, payeyAcctNo } = await theOrder(bench, answer.biz['outBatchNo']);
      assert.deepEqual([payerAcctNo, payeyAcctNo], [PAYER, PAYER]);
    },
    client: async (desk) => {
      for (const name of ['payerAcctNo', 'payeyAcctNo']) {
        assert.equal((await read(desk, [{ ...ORDER, [name]: PAYER }])).orders[0]?.payerAcctNo, PAYER, name);
      }
      const [torn] = (await read(desk, [{ ...ORDER, payerAcctNo: PAYER, payeyAcctNo: PAYEE }])).orders;
      assert.equal(torn?.faults.length, 1, 'two payers are a fault');
    },
  },
  'DIV-26': {
    sandbox: async (bench) => {
      const words = ['INIT', 'PROCESSING', 'SUCCESS', 'CLOSE', 'FAIL', 'XYZ'];
      for (const state of words) {
        await bench.plan({ kind: 'transfer', state });
        const { biz } = await paid(bench);
        assert.equal((await theOrder(bench, biz['outBatchNo']))['state'], state);
      }
    },
    client: async (desk) => {
      for (const state of ['SUCCESS', 'PART_REFUND', 'WAIT_CONFIRM', 'XYZ']) {
        const batch = await read(desk, [{ ...ORDER, state }], { state });
        assert.deepEqual([batch.state, batch.orders[0]?.state], [state, state], 'words are kept as they are');
      }
    },
  },
  'DIV-27': {
    sandbox: async (bench) => {
      for (const [feeType, realAmount, payeeFen] of [
        ['ORDER', 9_970, 9_970],
        ['ACCOUNT', 10_000, 19_970],
      ] as const) {
        await bench.plan({ kind: 'transfer', feeFen: 30, feeType });
        const { biz } = await paid(bench);
        const order = await theOrder(bench, biz['outBatchNo']);
        assert.deepEqual([order['feeType'], order['mchFee'], order['realAmount']], [feeType, 30, realAmount]);
        assert.deepEqual(await bench.money(PAYEE), [payeeFen, 0]);
      }
      assert.deepEqual(await bench.money(PAYER), [PAYER_FEN - 20_030, 0]);
    },
    client: async (desk) => {
      const [order] = (await read(desk, [{ ...ORDER, realAmount: 10_000 }])).orders;
      assert.deepEqual(
        [order?.realFen, order?.feeType, order?.faults],
        [10_000n, 'ORDER', []],
        'read, for the job to judge',
      );
    },
  },
  'DIV-28': {
    sandbox: async (bench) => {
      await bench.plan({ kind: 'transfer', delayMs: 60_000 });
      const { biz } = await paid(bench);
      const { outBatchNo } = biz;
      assert.deepEqual([biz['state'], await bench.money(PAYEE)], ['PROCESSING', [0, 0]]);
      await bench.advance(59_999);
      assert.equal((await theOrder(bench, outBatchNo))['state'], 'PROCESSING');
      await bench.advance(1);
      for (let look = 0; look < 2; look++) {
        assert.equal((await theOrder(bench, outBatchNo))['state'], 'SUCCESS');
        assert.deepEqual(
          [await bench.money(PAYER), await bench.money(PAYEE)],
          [
            [PAYER_FEN - 10_000, 0],
            [10_000, 0],
          ],
        );
      }
    },
    client: async (desk) => {
      const batch = await read(desk, [{ ...ORDER, state: 'PROCESSING' }], { state: 'PROCESSING' });
      assert.equal(batch.orders[0]?.state, 'PROCESSING', 'accepted and under way');
    },
  },
  'DIV-29': {
    harmless: async (caller) => {
      await caller.refuses('division/query', {});
      await caller.refuses('division/query', { outBatchNo: 'no-such-batch' });
      await caller.refuses('division/query', { batchNo: 'no-such-batch' });
    },
    sandbox: async (bench) => {
      const { outBatchNo, batchNo } = (await paid(bench)).biz;
      const byOwn = await bench.accepts('division/query', { outBatchNo });
      const byPlatform = await bench.accepts('division/query', { batchNo });
      assert.deepEqual(byOwn.biz, byPlatform.biz);
      await bench.refusesEach('division/query', {
        empty: { outBatchNo: '' },
        'the own as that of the platform': { batchNo: outBatchNo },
        'that of the platform as the own': { outBatchNo: batchNo },
      });
    },
    client: async (desk) => {
      const { client, requests } = await desk.accepting({ orderList: '[]' });
      await client.call('division/query', { batchNo: 'TB1' });
      assert.deepEqual(requests[0]?.biz, { batchNo: 'TB1' });
    },
  },
  'DIV-30': {
    sandbox: async (bench) => {
      await bench.plan({ kind: 'transfer', state: 'FAIL', note: '收款账户异常' });
      const { biz } = await paid(bench, [anOrder(bench, { extParam: '单号 7' })], { extParam: '批 1' });
      const queried = await queryBatch(bench, biz['outBatchNo']);
      const [order] = ordersOf(queried);
      assert.deepEqual(
        [queried.biz['extParam'], order?.['extParam'], order?.['note']],
        ['批 1', '单号 7', '收款账户异常'],
      );
      await bench.plan({ kind: 'transfer', state: 'FAIL' });
      const silent = await paid(bench);
      assert.notEqual(
        (await theOrder(bench, silent.biz['outBatchNo']))['note'],
        '',
        'a failed order says why',
      );
    },
    client: async (desk) => {
      const [order] = (await read(desk, [{ ...ORDER, state: 'FAIL', note: '收款账户异常', extParam: '7' }]))
        .orders;
      assert.deepEqual([order?.note, order?.extParam], ['收款账户异常', '7']);
    },
  },
  'DIV-31': {
    sandbox: async (bench) => {
      const mixes: readonly (readonly [string, string, string])[] = [
        ['SUCCESS', 'SUCCESS', 'SUCCESS'],
        ['SUCCESS', 'FAIL', 'PART_SUCCESS'],
        ['FAIL', 'FAIL', 'FAIL'],
        ['CLOSE', 'CLOSE', 'CLOSE'],
        ['SUCCESS', 'PROCESSING', 'PROCESSING'],
        ['SUCCESS', 'CLOSE', 'PART_SUCCESS'],
        ['FAIL', 'CLOSE', 'FAIL'],
        ['INIT', 'FAIL', 'PROCESSING'],
        ['INIT', 'INIT', 'INIT'],
        ['SUCCESS', 'XYZ', 'PROCESSING'],
      ];
      for (const [first, second, batch] of mixes) {
        const orders = [anOrder(bench), anOrder(bench, { payeeAcctNo: PAYEE_2 })];
        const [one, two] = orders.map(({ outOrderNo }) => outOrderNo);
        await bench.plan(
          { kind: 'transfer', outOrderNo: one, state: first },
          { kind: 'transfer', outOrderNo: two, state: second },
        );
        const { biz } = await paid(bench, orders);
        assert.equal(
          (await queryBatch(bench, biz['outBatchNo'])).biz['state'],
          batch,
          `${first} and ${second}`,
        );
      }
      const refunded = await paid(bench);
      await bench.accepts('division/refund', await refundBiz(bench, refunded));
      assert.equal((await queryBatch(bench, refunded.biz['outBatchNo'])).biz['state'], 'REFUND');
    },
  },
};
