/** ENV-20…32: how answers are read, and what is common to all business data. */
import assert from 'node:assert/strict';

import { FOREIGN, OTHER, PAYER } from '../bench.ts';
import { answerOf, codeOf, kindOf, PAY, WITHDRAW } from '../client-calls.ts';
import type { Rules } from '../rule.ts';
import { anOrder, ordersOf, paid, payBiz, queryBatch, withdrawBiz } from '../trade.ts';
import { envelopeText, refusalText, signMembers, successText } from '../../platform/platform-server.ts';

const ASK = { accountNo: PAYER };
const BATCH = { outBatchNo: 'B1', batchNo: 'TB1', state: 'SUCCESS', orderList: '[]' };

export const ENV_REQUESTS: Rules = {
  'ENV-20': {
    client: async (desk) => {
      const flipped = successText(BATCH).replace('TB1', 'TB2');
      const forged = await desk.answering(() => flipped, { profileOver: { http: { maxAttempts: 1 } } });
      assert.equal(
        await kindOf(forged.client.call('division/query', { outBatchNo: 'B1' })),
        'SignatureWrong',
      );
      const changing = await desk.answering(() => flipped);
      assert.equal(await kindOf(changing.client.call('division/pay', PAY)), 'unknown');
      assert.equal(changing.client.counters().signatureFaults, 1);
    },
  },
  'ENV-21': {
    sandbox: async (bench) => {
      await bench.plan({ kind: 'withdrawal', delayMs: 60_000 });
      const { biz } = await bench.accepts('account/withdraw', withdrawBiz(bench));
      assert.equal(biz['state'], 'PROCESSING');
    },
    client: async (desk) => {
      const { client } = await desk.accepting({ outOrderNo: 'W1', state: 'PROCESSING', amount: 10_000 });
      const outcome = await client.call('account/withdraw', WITHDRAW);
      assert.equal(outcome.kind, 'accepted');
      assert.equal(answerOf<'account/withdraw'>(outcome).state, 'PROCESSING');
    },
  },
  'ENV-22': {
    sandbox: async (bench) => {
      const biz = withdrawBiz(bench);
      await bench.control('/faults', { faults: [{ kind: 'drop_after', path: 'account/withdraw' }] });
      await assert.rejects(bench.post('account/withdraw', biz));
      await bench.accepts('account/queryWithdraw', { outOrderNo: biz['outOrderNo'] });
    },
    client: async (desk) => {
      const { client, bench, sandbox } = await desk.sandbox();
      sandbox.addFault({ kind: 'drop_after', path: 'account/withdraw' });
      assert.equal(await kindOf(client.call('account/withdraw', WITHDRAW)), 'unknown');
      const found = answerOf<'account/queryWithdraw'>(
        await client.call('account/queryWithdraw', { outOrderNo: 'W1' }),
      );
      assert.equal(found.state, 'SUCCESS');
      const sent = sandbox.requests().map(({ path }) => path.replace('/api/open/virtualBank/', ''));
      assert.deepEqual(sent, ['account/withdraw', 'account/queryWithdraw']);
      assert.deepEqual(await bench.money(PAYER), [9_990_000, 0]);
    },
  },
  'ENV-23': {
    harmless: async (caller) => {
      await caller.refuses('acct/queryInfo', {});
    },
    client: async (desk) => {
      const { client } = await desk.answering(() => refusalText('E4711', '余额不足，请核对'));
      const outcome = await client.call('division/pay', PAY);
      assert.deepEqual(outcome.kind === 'refused' && [outcome.code, outcome.msg], [
        'E4711',
        '余额不足，请核对',
      ]);
    },
  },
  'ENV-24': {
    sandbox: async (bench) => {
      const amounts = [1.5, -1, 'abc', 0, null, 1e16, '', true];
      await bench.refusesEach(
        'account/withdraw',
        Object.fromEntries(amounts.map((amount) => [JSON.stringify(amount), withdrawBiz(bench, { amount })])),
      );
    },
    client: async (desk) => {
      for (const amount of ['"1.5"', '1.5', '-1', '"abc"', '1e2', '9007199254740993000']) {
        const { client } = await desk.answering(() =>
          envelopeText({
            code: '000000',
            bizData: `{"state":"SUCCESS","outOrderNo":"W1","amount":${amount}}`,
          }),
        );
        assert.equal(await kindOf(client.call('account/withdraw', WITHDRAW)), 'unknown', amount);
      }
    },
  },
  'ENV-25': {
    sandbox: async (bench) => {
      const { biz } = await bench.accepts('acct/queryInfo', ASK);
      for (const name of ['accountNo', 'eleAcctNo', 'openReqNo'])
        assert.equal(typeof biz[name], 'string', name);
    },
    client: async (desk) => {
      const recordId = '1934567890123456789';
      for (const text of [`"${recordId}"`, recordId]) {
        const { client } = await desk.answering(() =>
          envelopeText({ code: '000000', bizData: `{"reqNo":"R1","state":2,"recordId":${text}}` }),
        );
        const result = answerOf<'acct/auditApplyResult'>(
          await client.call('acct/auditApplyResult', { reqNo: 'R1' }),
        );
        assert.equal(result.recordId, recordId);
      }
      const { client, requests } = await desk.accepting({ reqNo: 'C1', state: 5 });
      const biz = { recordId, outReqNo: 'X1', subjectInfo: {} };
      await client.callRaw('acct/changeApply', biz, { isUnchecked: true });
      assert.equal(requests[0]?.biz['recordId'], recordId);
    },
  },
  'ENV-26': {
    sandbox: async (bench) => {
      const answer = await paid(bench);
      assert.equal(ordersOf(answer).length, 1);
      ordersOf(await queryBatch(bench, answer.biz['outBatchNo']));
      await bench.refuses(
        'division/pay',
        payBiz(bench, undefined, { orderList: [anOrder(bench)], amount: 10_000 }),
      );
      await bench.switches({ orderListArrayAccepted: true });
      await paid(bench, undefined, { orderList: [anOrder(bench)] });
    },
    client: async (desk) => {
      const orders = [{ outOrderNo: 'O1', amount: 10_000, state: 'SUCCESS' }];
      for (const orderList of [JSON.stringify(orders), orders]) {
        const { client } = await desk.accepting({ ...BATCH, orderList });
        const batch = answerOf<'division/query'>(await client.call('division/query', { outBatchNo: 'B1' }));
        assert.deepEqual(
          batch.orders.map(({ outOrderNo, amountFen }) => [outOrderNo, amountFen]),
          [['O1', 10_000n]],
        );
      }
    },
  },
  'ENV-27': {
    harmless: async (caller) => {
      for (const endpoint of [
        'division/query',
        'account/queryWithdraw',
        'acct/queryInfo',
        'acct/changeApplyResult',
      ]) {
        await caller.refuses(endpoint, {});
      }
    },
    sandbox: async (bench) => {
      const { biz } = await paid(bench);
      const { outBatchNo, batchNo } = biz;
      await bench.accepts('division/query', { outBatchNo });
      await bench.accepts('division/query', { batchNo });
      await bench.refuses('division/query', { outBatchNo, batchNo });
      const other = (await paid(bench)).biz['outBatchNo'];
      for (const [bothIds, found] of [
        ['own', other],
        ['platform', outBatchNo],
      ]) {
        await bench.switches({ bothIds });
        const answer = await bench.accepts('division/query', { outBatchNo: other, batchNo });
        assert.equal(answer.biz['outBatchNo'], found);
      }
    },
  },
  'ENV-28': {
    sandbox: async (bench) => {
      const { biz } = await paid(bench);
      const { outBatchNo } = biz;
      const other = bench.as(OTHER);
      await other.refuses('division/query', { outBatchNo });
      await other.refuses('acct/queryInfo', ASK);
      await bench.refuses('acct/queryInfo', { accountNo: FOREIGN });
      await other.accepts('acct/queryInfo', { accountNo: FOREIGN });
    },
  },
  'ENV-29': {
    client: async (desk) => {
      const { client, requests } = await desk.answering((_request, no) =>
        no < 3 ? undefined : successText(BATCH),
      );
      await client.call('division/query', { outBatchNo: 'B1' });
      const envelopes = requests.map(({ envelope }) => envelope);
      assert.equal(envelopes.length, 3);
      assert.equal(new Set(envelopes.map(({ reqId }) => reqId)).size, 3);
      for (const envelope of envelopes) assert.equal(envelope['sign'], signMembers(envelope));
      assert.ok(String(envelopes[2]?.['reqTime']) > String(envelopes[0]?.['reqTime']), 'the time is its own');
    },
  },
  'ENV-30': {
    sandbox: async (bench) => {
      const remark = '三月货款（含运费）🙂';
      await paid(bench, [anOrder(bench, { body: remark })], { remark });
      const { biz } = await bench.accepts('acct/queryInfo', ASK);
      assert.equal(biz['eleAcctName'], '付款公司');
    },
    client: async (desk) => {
      const { client, requests } = await desk.accepting({
        outOrderNo: 'W1',
        state: 'SUCCESS',
        note: '已到账🙂',
      });
      const outcome = await client.call('account/withdraw', { ...WITHDRAW, remark: '三月货款' });
      assert.equal(answerOf<'account/withdraw'>(outcome).note, '已到账🙂');
      assert.equal(requests[0]?.biz['remark'], '三月货款');
      assert.equal(requests[0]?.envelope['sign'], signMembers(requests[0]?.envelope ?? {}));
    },
  },
  'ENV-31': {
    harmless: async (caller) => {
      await caller.refuses('acct/queryInfo', {}, caller.ask);
    },
    client: async (desk) => {
      const { client, requests } = await desk.accepting({ openReqNo: 'R1' });
      await client.call('acct/queryInfo', ASK);
      const names = Object.keys(requests[0]?.envelope ?? {}).sort();
      assert.deepEqual(names, ['appId', 'bizData', 'reqId', 'reqTime', 'sign', 'signType', 'version']);
    },
  },
  'ENV-32': {
    sandbox: async (bench) => {
      await bench.accepts('acct/queryInfo', { ...ASK, newMember: { deep: [1] } });
      await paid(bench, [anOrder(bench, { newMember: 1 })], { newMember: 'x' });
    },
    client: async (desk) => {
      const { client } = await desk.accepting({ ...BATCH, newMember: { deep: [1] } });
      assert.equal(codeOf(await client.call('division/query', { outBatchNo: 'B1' })), '000000');
    },
  },
};
