/** OPN-12…26: confirmation, result and resubmission of an opening. */
import assert from 'node:assert/strict';

import { listener } from '../bench.ts';
import type { Bench } from '../bench.ts';
import type { Members } from '../caller.ts';
import { answerOf } from '../client-calls.ts';
import {
  applied,
  aSubject,
  auditBiz,
  audited,
  changeBiz,
  decide,
  opened,
  rejected,
  RESIGN,
  resultOf,
} from '../opening-flow.ts';
import type { Rules } from '../rule.ts';
import { requireMembers } from '../trade.ts';

const AUDIT = 'acct/auditApply';
const RESULT = 'acct/auditApplyResult';
const REVISE = 'acct/reviseApply';
const QUEUE_MS = 1_000;

const reviseBiz = (bench: Bench, over: Members): Members => ({ ifCode: bench.channelCode, ...over });

export const OPN_AUDIT: Rules = {
  'OPN-12': {
    sandbox: async (bench) => {
      const whole = await auditBiz(bench, await applied(bench));
      for (const name of ['smsFlowNo', 'smsCode', 'reqNo', 'outReqNo']) {
        for (const none of [undefined, '', null]) {
          await bench.refusesEach(AUDIT, { [name]: { ...whole, [name]: none } });
        }
      }
      await bench.accepts(AUDIT, whole);
    },
  },
  'OPN-13': {
    sandbox: async (bench) => {
      const [one, other] = [await applied(bench), await applied(bench)];
      const biz = await auditBiz(bench, one, { outReqNo: other.biz['outReqNo'] });
      await bench.refuses(AUDIT, biz);
      for (const reqNo of [other.biz['reqNo'], 'nobody']) {
        await bench.refuses(AUDIT, { ...biz, outReqNo: one.biz['outReqNo'], reqNo });
      }
      await bench.accepts(AUDIT, { ...biz, outReqNo: one.biz['outReqNo'] });
    },
  },
  'OPN-14': {
    sandbox: async (bench) => {
      const [late, early] = [await applied(bench), await applied(bench)];
      const tooLate = await auditBiz(bench, late);
      await bench.advance(60_001);
      await bench.refuses(AUDIT, tooLate);
      const inTime = await auditBiz(bench, early);
      await bench.refusesEach(AUDIT, {
        'a wrong code': { ...inTime, smsCode: inTime['smsCode'] === '000000' ? '000001' : '000000' },
        'a wrong flow number': { ...inTime, smsFlowNo: 'S-none' },
        'the flow number of another': { ...inTime, smsFlowNo: tooLate['smsFlowNo'] },
        'of another opening': { ...inTime, reqNo: late.biz['reqNo'], outReqNo: late.biz['outReqNo'] },
      });
      await bench.advance(60_000);
      await bench.accepts(AUDIT, inTime);
      await bench.refuses(AUDIT, inTime);
    },
  },
  'OPN-15': {
    sandbox: async (bench) => {
      const { biz } = await audited(bench, await applied(bench));
      requireMembers(biz, ['reqNo', 'outReqNo', 'recordId', 'state']);
      assert.equal(biz['state'], 100);
      await bench.switches({ auditApplyState: 1 });
      assert.equal((await audited(bench, await applied(bench))).biz['state'], 1);
    },
  },
  'OPN-16': {
    sandbox: async (bench) => {
      const done = await applied(bench);
      await audited(bench, done);
      await bench.refuses(AUDIT, await auditBiz(bench, done));
      const refused = await rejected(bench);
      await bench.refuses(AUDIT, await auditBiz(bench, refused));
      await decide(bench, { kind: 'opening', result: 'rejectedByChannel' });
      const byChannel = await applied(bench);
      await audited(bench, byChannel);
      await bench.refuses(AUDIT, await auditBiz(bench, byChannel));
      await decide(bench, { kind: 'opening', firstState: 7, reviewMs: QUEUE_MS });
      const inReview = await applied(bench);
      await bench.refuses(AUDIT, await auditBiz(bench, inReview));
      await bench.advance(QUEUE_MS);
      await audited(bench, inReview);
    },
  },
  'OPN-17': {
    harmless: async (caller) => {
      await caller.refuses(RESULT, {});
      await caller.refuses(RESULT, { reqNo: 'no-such-request' });
    },
    sandbox: async (bench) => {
      const [one, other] = [await applied(bench), await applied(bench)];
      const { reqNo, outReqNo } = one.biz;
      await bench.accepts(RESULT, { reqNo });
      await bench.accepts(RESULT, { reqNo, outReqNo });
      await bench.refuses(RESULT, { outReqNo });
      await bench.refuses(RESULT, { reqNo, outReqNo: other.biz['outReqNo'] });
    },
  },
  'OPN-18': {
    sandbox: async (bench) => {
      await decide(bench, { kind: 'opening', queueMs: QUEUE_MS, processMs: QUEUE_MS, manualMs: QUEUE_MS });
      const application = await applied(bench);
      const seen: unknown[] = [(await resultOf(bench, application))['state']];
      await audited(bench, application);
      for (let wait = 0; wait < 4; wait++) {
        const result = await resultOf(bench, application);
        seen.push(result['state']);
        assert.equal('accountNo' in result, result['state'] === 2, 'the account is there at the end');
        await bench.advance(QUEUE_MS);
      }
      assert.deepEqual(seen, [5, 100, 1, 11, 2]);
      const result = await resultOf(bench, application);
      assert.equal(result['accountState'], '1');
      await decide(bench, { kind: 'opening', accountState: '2' });
      assert.equal((await opened(bench))['accountState'], '2');
    },
    client: async (desk) => {
      const seen: unknown[] = [];
      for (const state of [1, 2, 3, 5, 7, 8, 11, 100, 12]) {
        const { client } = await desk.accepting({ reqNo: 'R1', state });
        const answer = answerOf<typeof RESULT>(await client.call(RESULT, { reqNo: 'R1' }));
        assert.equal(answer.state, state);
        seen.push([state, answer.isFinal]);
      }
      assert.deepEqual(
        seen.filter((pair) => (pair as [number, boolean])[1]).map((pair) => (pair as [number, boolean])[0]),
        [2, 3, 8],
        'a number nobody knows is not final',
      );
    },
  },
  'OPN-19': {
    harmless: async (caller) => {
      await caller.refuses(REVISE, { ifCode: caller.channelCode });
    },
    sandbox: async (bench) => {
      const [one, two] = [await rejected(bench), await rejected(bench)];
      await bench.refuses(REVISE, reviseBiz(bench, { reqNo: 'nobody' }));
      await bench.refuses(REVISE, reviseBiz(bench, {}));
      await bench.accepts(
        REVISE,
        reviseBiz(bench, { reqNo: one.biz['reqNo'], outReqNo: two.biz['outReqNo'] }),
      );
      assert.deepEqual(
        [(await resultOf(bench, one))['state'], (await resultOf(bench, two))['state']],
        [5, 8],
      );
      await bench.accepts(REVISE, reviseBiz(bench, { outReqNo: two.biz['outReqNo'] }));
      assert.equal((await resultOf(bench, two))['state'], 5);
    },
  },
  'OPN-20': {
    sandbox: async (bench) => {
      const { reqNo } = (await rejected(bench)).biz;
      await bench.refusesEach(REVISE, { absent: { reqNo }, other: { reqNo, ifCode: 'OTHER' } });
      await bench.accepts(REVISE, reviseBiz(bench, { reqNo }));
    },
  },
  'OPN-21': {
    sandbox: async (bench) => {
      const { reqNo } = (await rejected(bench)).biz;
      await bench.refuses(
        REVISE,
        reviseBiz(bench, { reqNo, subjectInfo: aSubject(bench, { entType: undefined }) }),
      );
      for (const wrong of [{ entType: '04' }, { entType: '01', address: '' }]) {
        await bench.refuses(REVISE, reviseBiz(bench, { reqNo, subjectInfo: aSubject(bench, wrong) }));
      }
      await bench.refuses(REVISE, reviseBiz(bench, { reqNo, subjectInfo: JSON.stringify(aSubject(bench)) }));
      await bench.accepts(
        REVISE,
        reviseBiz(bench, { reqNo, subjectInfo: aSubject(bench, { entType: '01' }) }),
      );
      const same = await rejected(bench);
      await bench.accepts(REVISE, reviseBiz(bench, { reqNo: same.biz['reqNo'] }));
    },
  },
  'OPN-22': {
    sandbox: async (bench) => {
      const steps = { queueMs: QUEUE_MS, processMs: QUEUE_MS, manualMs: QUEUE_MS, reviewMs: QUEUE_MS };
      await decide(bench, { kind: 'opening', firstState: 7, ...steps });
      const application = await applied(bench);
      const biz = reviseBiz(bench, { reqNo: application.biz['reqNo'] });
      const refused: unknown[] = [];
      for (let step = 0; step < 6; step++) {
        refused.push((await resultOf(bench, application))['state']);
        await bench.refuses(REVISE, biz);
        if (step === 1) await audited(bench, application);
        else await bench.advance(QUEUE_MS);
      }
      assert.deepEqual(refused, [7, 5, 100, 1, 11, 2]);
      await decide(bench, { kind: 'opening', result: 'rejectedByChannel' });
      const byChannel = await applied(bench);
      await audited(bench, byChannel);
      await bench.accepts(REVISE, reviseBiz(bench, { reqNo: byChannel.biz['reqNo'] }));
    },
  },
  'OPN-23': {
    sandbox: async (bench) => {
      const seen: unknown[] = [];
      for (const reviseApplyState of [7, 5]) {
        await bench.switches({ reviseApplyState });
        const { reqNo, outReqNo } = (await rejected(bench)).biz;
        const { biz } = await bench.accepts(REVISE, reviseBiz(bench, { reqNo }));
        assert.deepEqual([biz['reqNo'], biz['outReqNo']], [reqNo, outReqNo]);
        seen.push(biz['state']);
      }
      assert.deepEqual(seen, [7, 5]);
    },
    client: async (desk) => {
      for (const state of [7, 5]) {
        const { client } = await desk.accepting({ reqNo: 'R1', state }, { channelCode: 'SANDBOX' });
        const outcome = await client.call(REVISE, { reqNo: 'R1', ifCode: 'SANDBOX' });
        assert.equal(answerOf<typeof REVISE>(outcome).state, state);
      }
    },
  },
  'OPN-24': {
    sandbox: async (bench) => {
      const result = await opened(bench);
      const account = ['accountNo', 'eleAcctNo', 'accountState'];
      requireMembers(result, ['reqNo', 'outReqNo', 'state', 'recordId', ...account]);
      assert.ok(String(result['outReqNo']).length <= 32);
      assert.equal((await resultOf(bench, await rejected(bench, '资料不清')))['remark'], '资料不清');
    },
    client: async (desk) => {
      const said = {
        reqNo: 'R1',
        outReqNo: 'O1',
        state: 2,
        accountNo: 'A1',
        eleAcctNo: 'E1',
        accountState: '1',
      };
      const { client } = await desk.accepting({ ...said, remark: 'x' });
      const { reqNo, outReqNo, accountNo, eleAcctNo, accountState, remark } = answerOf<typeof RESULT>(
        await client.call(RESULT, { reqNo: 'R1' }),
      );
      assert.deepEqual(
        [reqNo, outReqNo, accountNo, eleAcctNo, accountState, remark],
        ['R1', 'O1', 'A1', 'E1', '1', 'x'],
      );
    },
  },
  'OPN-25': {
    sandbox: async (bench) => {
      const application = await applied(bench);
      const { recordId } = application.biz;
      assert.equal((await audited(bench, application)).biz['recordId'], recordId);
      const result = await resultOf(bench, application);
      assert.match(String(recordId), /^\d{19}$/);
      assert.ok(BigInt(String(recordId)) > 2n ** 53n, 'no number of JavaScript holds it');
      await bench.refuses('acct/changeApply', changeBiz(bench, result['accountNo'], RESIGN));
      await bench.accepts('acct/changeApply', changeBiz(bench, result['recordId'], RESIGN));
    },
    client: async (desk) => {
      const recordId = '1934567890123456789';
      const profileOver = { opening: { recordIdPaths: ['recordId', 'record.id'] } };
      for (const biz of [{ recordId }, { record: { id: recordId } }]) {
        const { client } = await desk.accepting({ reqNo: 'R1', state: 2, ...biz }, { profileOver });
        assert.equal(answerOf<typeof RESULT>(await client.call(RESULT, { reqNo: 'R1' })).recordId, recordId);
      }
    },
  },
  'OPN-26': {
    sandbox: async (bench) => {
      await using receiver = await listener();
      const application = await applied(bench, undefined, { notifyUrl: receiver.url });
      assert.equal(application.biz['state'], 5);
      assert.ok([100, 1].includes(Number((await audited(bench, application)).biz['state'])));
      const { accountNo } = await resultOf(bench, application);
      await bench.pushesDone();
      assert.equal(receiver.received.length, 1, 'told once');
      const { biz } = await bench.accepts('acct/queryInfo', { accountNo });
      assert.equal(biz['openReqNo'], application.biz['reqNo']);
      const refused = await rejected(bench, '资料不清');
      assert.deepEqual(
        [(await resultOf(bench, refused))['state'], (await resultOf(bench, refused))['remark']],
        [8, '资料不清'],
      );
      const again = await bench.accepts(REVISE, reviseBiz(bench, { reqNo: refused.biz['reqNo'] }));
      assert.equal(again.biz['state'], 7);
      await audited(bench, refused);
      assert.equal((await resultOf(bench, refused))['state'], 2);
    },
  },
};
