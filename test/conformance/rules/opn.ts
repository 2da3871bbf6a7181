/** OPN-01…11: who may apply for an account, and with what. */
import assert from 'node:assert/strict';

import { listener } from '../bench.ts';
import type { Bench } from '../bench.ts';
import type { Answered, Members } from '../caller.ts';
import { answerOf } from '../client-calls.ts';
import {
  applied,
  applyBiz,
  aSubject,
  audited,
  changeBiz,
  decide,
  INITIATOR,
  opened,
  resultOf,
} from '../opening-flow.ts';
import type { Rules } from '../rule.ts';
import { CHANGES } from './chg.ts';
import { anOrder, payBiz, withdrawBiz } from '../trade.ts';

const APPLY = 'acct/addApply';

/** An application that is valid but for these members is refused, for each of these changes. */
async function refusesApplications(bench: Bench, cases: Readonly<Record<string, Members>>): Promise<void> {
  const bodies = Object.entries(cases).map(([name, over]) => [name, applyBiz(bench, undefined, over)]);
  await bench.refusesEach(APPLY, Object.fromEntries(bodies) as Members);
}

export const OPN: Rules = {
  'OPN-01': {
    sandbox: async (bench) => {
      const company = aSubject(bench);
      await applied(bench, company);
      await bench.refuses(
        APPLY,
        applyBiz(bench, { ...company, licenseName: '另名', idCardNo: '110101199003071479' }),
      );
      await applied(bench, aSubject(bench, { idCardNo: company['idCardNo'] }));
      const person = aSubject(bench, { entPerFlag: 'P' });
      await applied(bench, person);
      await bench.refuses(APPLY, applyBiz(bench, { ...person, idCardName: '另名' }));
    },
  },
  'OPN-02': {
    sandbox: async (bench) => {
      const company = aSubject(bench, INITIATOR);
      const again = async (): Promise<void> => {
        for (const acctRole of ['JS', 'FQ'])
          await bench.refuses(APPLY, applyBiz(bench, company, { acctRole }));
      };
      await decide(bench, {
        kind: 'opening',
        reviewMs: 1_000,
        queueMs: 1_000,
        processMs: 1_000,
        manualMs: 1_000,
        firstState: 7,
      });
      const application = await applied(bench, company);
      assert.equal(application.biz['state'], 7);
      await again();
      await bench.advance(1_000);
      assert.equal((await resultOf(bench, application))['state'], 5);
      await again();
      await audited(bench, application);
      const seen: unknown[] = [];
      for (let wait = 0; wait < 3; wait++) {
        seen.push((await resultOf(bench, application))['state']);
        await again();
        await bench.advance(1_000);
      }
      assert.deepEqual(seen, [100, 1, 11]);
      await decide(bench, { kind: 'opening', result: 'rejectedByChannel' });
      const free = aSubject(bench);
      await audited(bench, await applied(bench, free));
      await applied(bench, free);
      const { recordId } = await opened(bench);
      const other = aSubject(bench);
      const change = changeBiz(bench, recordId, { ...CHANGES['1'], licenseNo: other['licenseNo'] });
      await bench.accepts('acct/changeApply', change);
      await bench.refuses(APPLY, applyBiz(bench, other));
    },
  },
  'OPN-03': {
    sandbox: async (bench) => {
      const receiver = aSubject(bench);
      await opened(bench, receiver);
      await bench.refuses(APPLY, applyBiz(bench, receiver));
      const person = aSubject(bench, { entPerFlag: 'P' });
      await opened(bench, person);
      await bench.refuses(APPLY, applyBiz(bench, person));
      const initiator = aSubject(bench, INITIATOR);
      await opened(bench, initiator, { acctRole: 'FQ' });
      await bench.refuses(APPLY, applyBiz(bench, initiator));
      await bench.refuses(APPLY, applyBiz(bench, initiator, { acctRole: 'FQ' }));
      const { recordId } = await opened(bench);
      const taken = { ...CHANGES['1'], licenseNo: receiver['licenseNo'] };
      await bench.refuses('acct/changeApply', changeBiz(bench, recordId, taken));
    },
  },
  'OPN-04': {
    sandbox: async (bench) => {
      const company = aSubject(bench, INITIATOR);
      const { accountNo: old } = await opened(bench, company);
      const deposit = { payeeAcctNo: old, amountFen: 10_000, depositTime: '2026-03-01 12:00:00' };
      await bench.control('/deposits', { deposits: [deposit] });
      await opened(bench, company, { acctRole: 'FQ' });
      const { biz } = await bench.accepts('acct/queryInfo', { accountNo: old });
      assert.equal(biz['accountState'], '0');
      await bench.refuses('division/pay', payBiz(bench, [anOrder(bench, { payeeAcctNo: old })]));
      await bench.refuses('account/withdraw', withdrawBiz(bench, { acctNo: old }));
    },
  },
  'OPN-05': {
    sandbox: async (bench) => {
      const person = aSubject(bench, { entPerFlag: 'P', ...INITIATOR });
      await bench.refuses(APPLY, applyBiz(bench, person, { acctRole: 'FQ' }));
      await applied(bench, person);
    },
  },
  'OPN-06': {
    sandbox: (bench) =>
      refusesApplications(bench, { absent: { ifCode: undefined }, other: { ifCode: 'OTHER' } }),
  },
  'OPN-07': {
    sandbox: async (bench) => {
      const outReqNo = 'n'.repeat(32);
      await bench.refuses(APPLY, applyBiz(bench, aSubject(bench, { entPerFlag: 'X' }), { outReqNo }));
      await applied(bench, undefined, { outReqNo });
      await refusesApplications(bench, {
        absent: { outReqNo: undefined },
        '33 characters': { outReqNo: 'm'.repeat(33) },
        'used already': { outReqNo },
      });
    },
  },
  'OPN-08': {
    sandbox: (bench) =>
      refusesApplications(bench, {
        absent: { acctRole: undefined },
        XX: { acctRole: 'XX' },
        'lower case': { acctRole: 'js' },
      }),
  },
  'OPN-09': {
    sandbox: async (bench) => {
      const text = JSON.stringify(aSubject(bench));
      await refusesApplications(bench, {
        absent: { subjectInfo: undefined },
        'a text': { subjectInfo: text },
        'a list': { subjectInfo: [] },
      });
    },
  },
  'OPN-10': {
    sandbox: async (bench) => {
      await using receiver = await listener();
      await opened(bench, undefined, { notifyUrl: receiver.url });
      await opened(bench);
      await bench.pushesDone();
      assert.equal(receiver.received.length, 1);
      await refusesApplications(bench, { 'no text': { notifyUrl: { url: receiver.url } } });
    },
  },
  'OPN-11': {
    sandbox: async (bench) => {
      const states: unknown[] = [];
      const answers: Answered[] = [await applied(bench, undefined, { outReqNo: 'mine-1' })];
      await bench.switches({ addApplyState: 7 });
      answers.push(await applied(bench, undefined, { outReqNo: 'mine-2' }));
      for (const { biz } of answers) {
        assert.equal(typeof biz['reqNo'], 'string');
        states.push([biz['outReqNo'], biz['state']]);
      }
      assert.deepEqual(states, [
        ['mine-1', 5],
        ['mine-2', 7],
      ]);
    },
    client: async (desk) => {
      for (const state of [5, 7]) {
        const { client } = await desk.accepting({ reqNo: 'R1', outReqNo: 'O1', state });
        const outcome = await client.call('acct/auditApplyResult', { reqNo: 'R1' });
        assert.equal(answerOf<'acct/auditApplyResult'>(outcome).state, state);
      }
    },
  },
};
