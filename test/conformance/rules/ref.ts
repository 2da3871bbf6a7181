/** REF-01…11: refunds of transfer orders. */
import assert from 'node:assert/strict';

import { OTHER, PAYEE, PAYEE_2, PAYER, PAYER_FEN } from '../bench.ts';
import type { Bench } from '../bench.ts';
import type { Answered, Members } from '../caller.ts';
import { answerOf } from '../client-calls.ts';
import type { Rules } from '../rule.ts';
import {
  anOrder,
  ordersOf,
  paid,
  queryBatch,
  refundBiz,
  requireMembers,
  theOrder,
  withdrawBiz,
} from '../trade.ts';

const REFUND = 'division/refund';
const WITHOUT_CODE = {
  outBatchNo: 'B1',
  outOrderNos: 'O1',
  channelExtra: '{"smsCode":"1","smsFlowNo":"S1"}',
};

const refunded = async (bench: Bench, of: Answered, over: Members = {}): Promise<Answered> =>
  await bench.accepts(REFUND, await refundBiz(bench, of, over));

/** A refund that is valid but for these members is refused, for each of these changes. */
async function refusesRefunds(
  bench: Bench,
  of: Answered,
  cases: Readonly<Record<string, Members>>,
): Promise<void> {
  for (const [name, over] of Object.entries(cases)) {
    await bench.refusesEach(REFUND, { [name]: await refundBiz(bench, of, over) });
  }
}

export const REF: Rules = {
  'REF-01': {
    sandbox: async (bench) => {
      const batch = await paid(bench);
      await refusesRefunds(bench, batch, {
        none: { outBatchNo: undefined },
        unknown: { outBatchNo: 'nobody' },
        both: { batchNo: batch.biz['batchNo'] },
      });
      await bench.as(OTHER).refuses(REFUND, await refundBiz(bench, batch));
      await refunded(bench, batch, { outBatchNo: undefined, batchNo: batch.biz['batchNo'] });
    },
    client: async (desk) => {
      const { client, requests } = await desk.accepting({ orderList: '[]' });
      await client.call(REFUND, WITHOUT_CODE);
      assert.deepEqual(requests[0]?.biz, WITHOUT_CODE);
    },
  },
  'REF-02': {
    sandbox: async (bench) => {
      const [batch, other] = [await paid(bench, [anOrder(bench), anOrder(bench)]), await paid(bench)];
      const numbers = ordersOf(batch).map((order) => String(order['outOrderNo']));
      await refusesRefunds(bench, batch, {
        'an array': { outOrderNos: numbers },
        'the same twice': { outOrderNos: `${numbers[0]},${numbers[0]}` },
        'nothing between commas': { outOrderNos: numbers.join(',,') },
        blanks: { outOrderNos: numbers.join(', ') },
        empty: { outOrderNos: '' },
        absent: { outOrderNos: undefined },
        unknown: { outOrderNos: 'nobody' },
        'of another batch': { outOrderNos: String(ordersOf(other)[0]?.['outOrderNo']) },
      });
      await refunded(bench, batch, { outOrderNos: numbers.join(',') });
      assert.deepEqual(await bench.money(PAYEE), [10_000, 0]);
    },
  },
  'REF-03': {
    sandbox: async (bench) => {
      const batch = await paid(bench);
      const code = await bench.smsCode();
      await refusesRefunds(bench, batch, {
        absent: { channelExtra: undefined },
        'an object': { channelExtra: code },
        'a list': { channelExtra: '[]' },
        'no JSON': { channelExtra: '{' },
        'an empty smsFlowNo': { channelExtra: JSON.stringify({ ...code, smsFlowNo: '' }) },
        'without smsCode': { channelExtra: JSON.stringify({ smsFlowNo: code.smsFlowNo }) },
        'without smsFlowNo': { channelExtra: JSON.stringify({ smsCode: code.smsCode }) },
      });
      await refunded(bench, batch, { channelExtra: JSON.stringify(code) });
    },
  },
  'REF-04': {
    sandbox: async (bench) => {
      await refunded(bench, await paid(bench), { remark: '退货' });
      await refunded(bench, await paid(bench), { remark: undefined });
    },
  },
  'REF-05': {
    sandbox: async (bench) => {
      const batch = await paid(bench);
      const forOpening = await bench.smsCode({ sceneType: 'OPEN' });
      const ofAnother = await bench.smsCode({ reqNo: `RQ${PAYEE_2}` });
      const own = await bench.smsCode();
      const wrong = { ...own, smsCode: own.smsCode === '000000' ? '000001' : '000000' };
      await refusesRefunds(bench, batch, {
        'a wrong code': { channelExtra: JSON.stringify(wrong) },
        'an invented flow number': { channelExtra: JSON.stringify({ ...own, smsFlowNo: 'invented' }) },
        'sent for an opening': { channelExtra: JSON.stringify(forOpening) },
        'sent to another payee': { channelExtra: JSON.stringify(ofAnother) },
      });
      await refunded(bench, batch);
    },
  },
  'REF-06': {
    sandbox: async (bench) => {
      await paid(bench, [anOrder(bench, { amount: '1000000' })]);
      for (const state of ['INIT', 'PROCESSING', 'FAIL', 'CLOSE', 'XYZ']) {
        await bench.plan({ kind: 'transfer', state });
        await refusesRefunds(bench, await paid(bench), { [state]: {} });
      }
      const batch = await paid(bench);
      await refunded(bench, batch);
      await refusesRefunds(bench, batch, { 'refunded already': {} });
      const waiting = await paid(bench);
      await bench.plan({ kind: 'refund', delayMs: 5_000 });
      await refunded(bench, waiting);
      await refusesRefunds(bench, waiting, { 'under way': {} });
    },
  },
  'REF-07': {
    sandbox: async (bench) => {
      await bench.plan({ kind: 'transfer', feeFen: 30, feeType: 'ACCOUNT' });
      const batch = await paid(bench);
      assert.deepEqual(
        [await bench.money(PAYER), await bench.money(PAYEE)],
        [
          [PAYER_FEN - 10_030, 0],
          [10_000, 0],
        ],
      );
      await refunded(bench, batch);
      assert.deepEqual(
        [await bench.money(PAYER), await bench.money(PAYEE)],
        [
          [PAYER_FEN - 30, 0],
          [0, 0],
        ],
      );
    },
  },
  'REF-08': {
    sandbox: async (bench) => {
      const batch = await paid(bench);
      await bench.accepts('account/withdraw', withdrawBiz(bench, { acctNo: PAYEE, amount: 1 }));
      await refusesRefunds(bench, batch, { 'one fen short': {} });
      assert.deepEqual(await bench.money(PAYEE), [9_999, 0]);
    },
  },
  'REF-09': {
    sandbox: async (bench) => {
      const batch = await paid(bench, [anOrder(bench), anOrder(bench)]);
      const [first, second] = ordersOf(batch).map((order) => String(order['outOrderNo']));
      const part = await refunded(bench, batch, { outOrderNos: first });
      requireMembers(part.biz, ['outBatchNo', 'batchNo', 'state', 'orderList', 'note']);
      assert.equal(part.biz['state'], 'PART_REFUND');
      assert.deepEqual(
        ordersOf(part).map(({ state, refundAmount }) => [state, refundAmount]),
        [
          ['REFUND', 10_000],
          ['SUCCESS', 0],
        ],
      );
      assert.equal((await refunded(bench, batch, { outOrderNos: second })).biz['state'], 'REFUND');
      await bench.plan({ kind: 'refund', delayMs: 60_000 });
      assert.equal((await refunded(bench, await paid(bench))).biz['state'], 'WAIT_CONFIRM');
    },
    client: async (desk) => {
      const { client } = await desk.accepting({
        outBatchNo: 'B1',
        state: 'PART_REFUND',
        orderList: '[{"outOrderNo":"O1","state":"REFUND","refundAmount":10000}]',
      });
      const { state, orders } = answerOf<typeof REFUND>(await client.call(REFUND, WITHOUT_CODE));
      assert.deepEqual([state, orders[0]?.state, orders[0]?.refundFen], ['PART_REFUND', 'REFUND', 10_000n]);
    },
  },
  'REF-10': {
    sandbox: async (bench) => {
      const batch = await paid(bench);
      await refunded(bench, batch);
      for (let look = 0; look < 2; look++) {
        assert.equal((await theOrder(bench, batch.biz['outBatchNo']))['refundAmount'], 10_000);
      }
      await bench.switches({ queryShowsRefund: false });
      const shown = await queryBatch(bench, batch.biz['outBatchNo']);
      const [order] = ordersOf(shown);
      assert.deepEqual([order?.['state'], order?.['refundAmount']], ['SUCCESS', 10_000]);
      assert.equal(shown.biz['state'], 'SUCCESS');
      assert.equal((await refunded(bench, await paid(bench))).biz['state'], 'REFUND', 'its own answer does');
      await bench.refuses('division/refundQuery', { outBatchNo: batch.biz['outBatchNo'] });
    },
  },
  'REF-11': {
    sandbox: async (bench) => {
      const [order] = ordersOf(await refunded(bench, await paid(bench)));
      assert.deepEqual([order?.['payeyAcctNo'], order?.['payerAcctNo']], [PAYER, undefined]);
      await bench.switches({ payerField: 'payerAcctNo' });
      const [renamed] = ordersOf(await refunded(bench, await paid(bench)));
      assert.deepEqual([renamed?.['payeyAcctNo'], renamed?.['payerAcctNo']], [undefined, PAYER]);
    },
    client: async (desk) => {
      const { client } = await desk.accepting({
        orderList: `[{"outOrderNo":"O1","payeyAcctNo":"${PAYER}"}]`,
      });
      const { orders } = answerOf<typeof REFUND>(await client.call(REFUND, WITHOUT_CODE));
      assert.equal(orders[0]?.payerAcctNo, PAYER);
    },
  },
};
