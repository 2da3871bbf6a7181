/** SMS-01…06, LIM-03 and LIM-15: authorization codes, and the numbers that go with them. */
import assert from 'node:assert/strict';

import { FOREIGN, PAYEE } from '../bench.ts';
import type { Bench } from '../bench.ts';
import { requireNotTaken } from '../caller.ts';
import type { Members } from '../caller.ts';
import { answerOf } from '../client-calls.ts';
import {
  applied,
  applyBiz,
  auditBiz,
  changeApplied,
  changeBiz,
  confirmBiz,
  opened,
  RESIGN,
} from '../opening-flow.ts';
import type { Rules } from '../rule.ts';
import { paid, refundBiz } from '../trade.ts';

const pathOf = (bench: { channelCode: string }): string => `acct/sendMsg/${bench.channelCode}`;

const smsBiz = (bench: Bench, over: Members = {}): Members => ({
  reqNo: bench.channelCode,
  outReqNo: bench.newNumber('S'),
  sceneType: 'REFUND',
  ...over,
});

const SEND = { reqNo: 'SANDBOX', outReqNo: 'S1', sceneType: 'REFUND' } as const;

export const SMS: Rules = {
  'SMS-01': {
    harmless: async (caller) => {
      requireNotTaken(await caller.post('acct/sendMsg/NO-SUCH-CHANNEL', {}));
    },
    sandbox: async (bench) => {
      await bench.refuses('acct/sendMsg/OTHER', smsBiz(bench));
      await bench.refuses('acct/sendMsg', smsBiz(bench));
      await bench.accepts(pathOf(bench), smsBiz(bench));
    },
    client: async (desk) => {
      const { client, requests } = await desk.accepting({ smsFlowNo: 'S1' }, { channelCode: 'SANDBOX' });
      await client.call('acct/sendMsg', SEND);
      assert.equal(requests[0]?.path, '/api/open/virtualBank/acct/sendMsg/SANDBOX');
    },
  },
  'SMS-02': {
    harmless: async (caller) => {
      await caller.refuses(pathOf(caller), { outReqNo: 'none', sceneType: 'REFUND' });
    },
    sandbox: async (bench) => {
      const { reqNo } = (await applied(bench)).biz;
      for (const known of [bench.channelCode, reqNo, `RQ${PAYEE}`]) {
        await bench.accepts(pathOf(bench), smsBiz(bench, { reqNo: known }));
      }
      await bench.refuses(pathOf(bench), smsBiz(bench, { reqNo: 'nobody' }));
      await bench.refuses(pathOf(bench), smsBiz(bench, { reqNo: `RQ${FOREIGN}` }));
      for (const [smsReqNo, taken, refused] of [
        ['channelCode', bench.channelCode, reqNo],
        ['application', reqNo, bench.channelCode],
      ]) {
        await bench.switches({ smsReqNo });
        await bench.accepts(pathOf(bench), smsBiz(bench, { reqNo: taken }));
        await bench.refuses(pathOf(bench), smsBiz(bench, { reqNo: refused }));
      }
    },
  },
  'SMS-03': {
    sandbox: async (bench) => {
      await bench.refusesEach(pathOf(bench), {
        absent: smsBiz(bench, { outReqNo: undefined }),
        '33 characters': smsBiz(bench, { outReqNo: 'n'.repeat(33) }),
      });
      await bench.accepts(pathOf(bench), smsBiz(bench, { outReqNo: 'n'.repeat(32) }));
      await bench.switches({ smsOutReqNoOnce: true });
      await bench.refuses(pathOf(bench), smsBiz(bench, { outReqNo: 'n'.repeat(32) }));
    },
  },
  'SMS-04': {
    sandbox: async (bench) => {
      for (const sceneType of ['OPEN', 'MODIFY', 'WHITE_SET', 'REFUND']) {
        await bench.accepts(pathOf(bench), smsBiz(bench, { sceneType }));
      }
      await bench.refusesEach(pathOf(bench), {
        absent: smsBiz(bench, { sceneType: undefined }),
        other: smsBiz(bench, { sceneType: 'LOGIN' }),
        'lower case': smsBiz(bench, { sceneType: 'open' }),
      });
    },
  },
  'SMS-05': {
    sandbox: async (bench) => {
      const { biz, text } = await bench.accepts(pathOf(bench), smsBiz(bench, { reqNo: `RQ${PAYEE}` }));
      const { smsFlowNo, mobile, sceneType } = biz;
      assert.ok(String(smsFlowNo).length > 0 && String(smsFlowNo).length <= 32);
      assert.equal(mobile, '138****5678');
      assert.equal(sceneType, 'REFUND');
      assert.ok(!text.includes('13812345678'), 'the full number never appears');
      await bench.switches({ smsRefundSceneEchoed: false });
      assert.equal('sceneType' in (await bench.accepts(pathOf(bench), smsBiz(bench))).biz, false);
      const { biz: opening } = await bench.accepts(pathOf(bench), smsBiz(bench, { sceneType: 'OPEN' }));
      assert.equal(opening['sceneType'], 'OPEN');
    },
    client: async (desk) => {
      for (const sceneType of ['REFUND', undefined]) {
        const { client } = await desk.accepting({ smsFlowNo: 'S1', mobile: '138****5678', sceneType });
        const outcome = await client.call('acct/sendMsg', SEND);
        const { smsFlowNo, mobile, sceneType: said } = answerOf<'acct/sendMsg'>(outcome);
        assert.deepEqual([smsFlowNo, mobile, said], ['S1', '138****5678', sceneType]);
      }
    },
  },
  'SMS-06': {
    sandbox: async (bench) => {
      const application = await applied(bench);
      const forRefund = await bench.smsCode();
      await bench.refuses('acct/auditApply', await auditBiz(bench, application, forRefund));
      const batch = await paid(bench);
      const forOpening = JSON.stringify(await bench.smsCode({ reqNo: bench.channelCode, sceneType: 'OPEN' }));
      await bench.refuses('division/refund', await refundBiz(bench, batch, { channelExtra: forOpening }));
      const channelExtra = JSON.stringify(forRefund);
      await bench.accepts('division/refund', await refundBiz(bench, batch, { channelExtra }));
      const another = await paid(bench);
      await bench.refuses('division/refund', await refundBiz(bench, another, { channelExtra }));
      await bench.accepts('acct/auditApply', await auditBiz(bench, application));
    },
  },
  'LIM-03': {
    sandbox: async (bench) => {
      const [fits, exceeds] = [{ outReqNo: 'a'.repeat(32) }, { outReqNo: 'b'.repeat(33) }];
      await bench.refuses('acct/addApply', applyBiz(bench, undefined, exceeds));
      await bench.accepts('acct/addApply', applyBiz(bench, undefined, fits));
      await bench.refuses('acct/addApply', applyBiz(bench, undefined, fits));
      const { recordId } = await opened(bench);
      await bench.refuses('acct/changeApply', changeBiz(bench, recordId, RESIGN, exceeds));
      await bench.refuses('acct/changeApply', changeBiz(bench, recordId, RESIGN, fits));
      await bench.accepts(
        'acct/changeApply',
        changeBiz(bench, recordId, RESIGN, { outReqNo: 'c'.repeat(32) }),
      );
      await bench.refuses(pathOf(bench), smsBiz(bench, exceeds));
      await bench.accepts(pathOf(bench), smsBiz(bench, fits));
    },
  },
  'LIM-15': {
    sandbox: async (bench) => {
      const { recordId } = await opened(bench);
      assert.equal(String(recordId).length, 19);
      await bench.refuses('acct/changeApply', changeBiz(bench, `${String(recordId)}0`, RESIGN));
      const biz = await confirmBiz(bench, await changeApplied(bench, recordId));
      assert.ok(String(biz['smsFlowNo']).length <= 32);
      await bench.refuses('acct/changeConfirm', { ...biz, smsFlowNo: 'S'.repeat(33) });
      await bench.accepts('acct/changeConfirm', biz);
    },
  },
};
