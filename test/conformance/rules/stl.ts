/** STL-01…15: the retry of a failed settlement. */
import assert from 'node:assert/strict';

import { AUTO, OTHER, SETTLE_CARD } from '../bench.ts';
import type { Bench } from '../bench.ts';
import type { Answered, Members } from '../caller.ts';
import { answerOf, kindOf } from '../client-calls.ts';
import type { Rules } from '../rule.ts';
import {
  anOrder,
  failedSettlement,
  ordersOf,
  paid,
  requireMembers,
  theOrder,
  withdrawBiz,
} from '../trade.ts';
import { successText } from '../../platform/platform-server.ts';

const REMARK = 'recon retry 1';
const SETTLE = { outOrderNo: 'O1', remark: REMARK };

const settled = (bench: Bench, outOrderNo: unknown, over: Members = {}): Promise<Answered> =>
  bench.accepts('order/settle', { outOrderNo, remark: REMARK, ...over });

/** What a refusal says; the six conditions say six different things (ERR-03). */
export async function refusalOf(bench: Bench, biz: Members): Promise<string> {
  const { envelope } = await bench.refuses('order/settle', { remark: REMARK, ...biz });
  return String(envelope['msg']);
}

const payouts = async (bench: Bench): Promise<Members[]> =>
  (await bench.control('/payouts'))['payouts'] as Members[];

export const STL: Rules = {
  'STL-01': {
    sandbox: async (bench) => {
      const { outBatchNo, outOrderNo } = await failedSettlement(bench);
      const before = await theOrder(bench, outBatchNo);
      await settled(bench, outOrderNo);
      const after = await theOrder(bench, outBatchNo);
      assert.equal(before['settleState'], 'FAIL');
      assert.deepEqual(after, { ...before, settleState: 'SUCCESS', settleRemark: REMARK });
      await bench.refuses('account/queryWithdraw', { outOrderNo });
      assert.deepEqual((await bench.control('/withdrawals'))['withdrawals'], []);
    },
  },
  'STL-02': {
    harmless: async (caller) => {
      await caller.refuses('order/settle', { remark: REMARK });
      await caller.refuses('order/settle', { remark: REMARK, orderNo: 'none', outOrderNo: 'none' });
    },
    sandbox: async (bench) => {
      const { outBatchNo, outOrderNo } = await failedSettlement(bench, { retries: [{ state: 'FAIL' }] });
      const { orderNo } = await theOrder(bench, outBatchNo);
      await bench.switches({ bothIds: 'platform' });
      await bench.refuses('order/settle', { remark: REMARK, orderNo, outOrderNo });
      await bench.refuses('order/settle', { remark: REMARK, orderNo: '', outOrderNo: '' });
      await bench.accepts('order/settle', { remark: REMARK, orderNo });
      await bench.accepts('order/settle', { remark: REMARK, outOrderNo });
    },
    client: async (desk) => {
      const { client, requests } = await desk.accepting({ state: 'SUCCESS' });
      await client.call('order/settle', SETTLE);
      assert.deepEqual(requests[0]?.biz, SETTLE);
    },
  },
  'STL-03': {
    sandbox: async (bench) => {
      const { outOrderNo } = await failedSettlement(bench, { retries: [{ state: 'FAIL' }] });
      await bench.refusesEach('order/settle', {
        absent: { outOrderNo },
        empty: { outOrderNo, remark: '' },
        'no text': { outOrderNo, remark: {} },
        'blanks alone': { outOrderNo, remark: '  - ' },
        'special characters alone': { outOrderNo, remark: '!!!' },
        '33 letters': { outOrderNo, remark: 'x'.repeat(33) },
        '11 Chinese characters': { outOrderNo, remark: '中'.repeat(11) },
      });
      await settled(bench, outOrderNo, { remark: 'x'.repeat(32) });
      await settled(bench, outOrderNo, { remark: `${'中'.repeat(10)}ab` });
    },
  },
  'STL-04': {
    sandbox: async (bench) => {
      const { outOrderNo } = await failedSettlement(bench);
      await bench.refuses('order/settle', { outOrderNo, remark: REMARK, recvAcctNo: '6222999999999999' });
      const card = { recvAcctNo: SETTLE_CARD, recvAcctName: '收付公司' };
      await bench.refuses('order/settle', { outOrderNo, remark: REMARK, ...card, recvAcctName: '另名' });
      await bench.refuses('order/settle', { outOrderNo, remark: REMARK, recvAcctName: '另名' });
      await settled(bench, outOrderNo, card);
    },
    client: async (desk) => {
      const { client, requests } = await desk.accepting({ state: 'SUCCESS' });
      await client.call('order/settle', SETTLE);
      assert.equal('recvAcctNo' in (requests[0]?.biz ?? {}), false, 'no card is chosen unasked');
    },
  },
  'STL-05': {
    sandbox: async (bench) => {
      for (const state of ['FAIL', 'CLOSE', 'PROCESSING']) {
        await bench.plan({ kind: 'transfer', state });
        const [order] = ordersOf(await paid(bench, [anOrder(bench, { payeeAcctNo: AUTO })]));
        const outOrderNo = order?.['outOrderNo'];
        assert.match(await refusalOf(bench, { outOrderNo }), /cannot be initiated/, state);
      }
    },
  },
  'STL-06': {
    sandbox: async (bench) => {
      const without = ordersOf(await paid(bench))[0]?.['outOrderNo'];
      assert.match(await refusalOf(bench, { outOrderNo: without }), /unsupported for this order type/);
      const { outOrderNo } = (await bench.accepts('account/withdraw', withdrawBiz(bench))).biz;
      assert.match(await refusalOf(bench, { outOrderNo }), /unsupported for this order type/);
    },
  },
  'STL-07': {
    sandbox: async (bench) => {
      for (const state of ['SUCCESS', 'PROCESSING', '已受理']) {
        const { outOrderNo } = await failedSettlement(bench, { state });
        assert.match(await refusalOf(bench, { outOrderNo }), /arrival state is failed/, state);
      }
      await settled(bench, (await failedSettlement(bench, { state: 'FAILED' })).outOrderNo);
    },
  },
  'STL-08': {
    sandbox: async (bench) => {
      const { outOrderNo } = await failedSettlement(bench);
      await bench.as(OTHER).refuses('order/settle', { outOrderNo, remark: REMARK });
      await bench.control('/movements', { movements: [{ kind: 'state', accountNo: AUTO, state: '0' }] });
      await bench.refuses('order/settle', { outOrderNo, remark: REMARK });
    },
  },
  'STL-09': {
    sandbox: async (bench) => {
      const { outOrderNo } = await failedSettlement(bench);
      await bench.switches({ settleRetryDelayMs: 60_000 });
      const biz = { outOrderNo, remark: REMARK };
      const both = await Promise.all([bench.post('order/settle', biz), bench.post('order/settle', biz)]);
      const refused = both.filter(({ envelope }) => envelope['code'] !== '000000');
      assert.equal(refused.length, 1, 'exactly one is refused');
      assert.match(String(refused[0]?.envelope['msg']), /duplicate or concurrent/);
      await bench.advance(60_000);
      assert.match(await refusalOf(bench, biz), /arrival state is failed/, 'too late');
      assert.equal((await payouts(bench)).length, 1);
      assert.deepEqual(await bench.money(AUTO), [0, 0]);
    },
  },
  'STL-10': {
    sandbox: async (bench) => {
      const { outOrderNo } = await failedSettlement(bench);
      const { biz } = await settled(bench, outOrderNo);
      const names = [
        'orderNo',
        'outOrderNo',
        'state',
        'note',
        'amount',
        'fee',
        'realAmount',
        'acctNo',
        'feeType',
      ];
      requireMembers(biz, [...names, 'payerName', 'payerBankAcctNo']);
      assert.deepEqual([biz['outOrderNo'], biz['state'], biz['acctNo']], [outOrderNo, 'SUCCESS', AUTO]);
    },
    client: async (desk) => {
      const { client } = await desk.accepting({
        outOrderNo: 'O1',
        state: 'FAIL',
        amount: 10_000,
        fee: 50,
        payerName: '甲',
      });
      const { state, amountFen, feeFen, payerName } = answerOf<'order/settle'>(
        await client.call('order/settle', SETTLE),
      );
      assert.deepEqual([state, amountFen, feeFen, payerName], ['FAIL', 10_000n, 50n, '甲']);
    },
  },
  'STL-11': {
    sandbox: async (bench) => {
      const { outOrderNo } = await failedSettlement(bench, {
        retries: [{ state: 'FAIL', remark: '户名不符' }],
      });
      const { biz } = await settled(bench, outOrderNo);
      assert.deepEqual([biz['state'], biz['note']], ['FAIL', '户名不符']);
    },
    client: async (desk) => {
      const { client } = await desk.accepting({ outOrderNo: 'O1', state: 'FAIL', note: '户名不符' });
      const outcome = await client.call('order/settle', SETTLE);
      const { state, note } = answerOf<'order/settle'>(outcome);
      assert.deepEqual([outcome.kind, state, note], ['accepted', 'FAIL', '户名不符']);
    },
  },
  'STL-12': {
    sandbox: async (bench) => {
      const { outBatchNo, outOrderNo } = await failedSettlement(bench);
      await bench.control('/faults', { faults: [{ kind: 'drop_after', path: 'order/settle' }] });
      await assert.rejects(bench.post('order/settle', { outOrderNo, remark: REMARK }));
      assert.equal((await theOrder(bench, outBatchNo))['settleState'], 'SUCCESS');
    },
    client: async (desk) => {
      const { client, requests } = await desk.answering((_request, no) =>
        no === 1 ? undefined : successText({ state: 'SUCCESS' }),
      );
      assert.equal(await kindOf(client.call('order/settle', SETTLE)), 'unknown');
      assert.equal(requests.length, 1, 'sent once, whatever came of it');
    },
  },
  'STL-13': {
    client: async (desk) => {
      const { client, requests } = await desk.accepting({ state: 'FAIL' });
      await client.call('order/settle', SETTLE);
      await client.clock.sleep(5_000);
      await client.call('order/settle', SETTLE);
      const [first, second] = requests.map(({ envelope }) => envelope);
      assert.notEqual(first?.['reqId'], second?.['reqId']);
      assert.ok(String(second?.['reqTime']) > String(first?.['reqTime']));
    },
  },
  'STL-14': {
    sandbox: async (bench) => {
      const { outBatchNo, outOrderNo } = await failedSettlement(bench);
      await bench.switches({ settleRetryDelayMs: 60_000 });
      assert.equal((await settled(bench, outOrderNo)).biz['state'], 'PROCESSING');
      const seen: unknown[] = [];
      for (const ms of [0, 60_000]) {
        await bench.advance(ms);
        seen.push((await theOrder(bench, outBatchNo))['settleState']);
      }
      assert.deepEqual(seen, ['PROCESSING', 'SUCCESS']);
    },
  },
  'STL-15': {
    sandbox: async (bench) => {
      const { outBatchNo, outOrderNo } = await failedSettlement(bench, { retries: [{ state: 'FAIL' }] });
      assert.equal((await settled(bench, outOrderNo)).biz['state'], 'FAIL');
      assert.equal((await settled(bench, outOrderNo)).biz['state'], 'SUCCESS');
      assert.equal((await theOrder(bench, outBatchNo))['settleState'], 'SUCCESS');
      assert.equal((await payouts(bench)).length, 1);
    },
  },
};
