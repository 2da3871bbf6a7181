/** CHG-01…21: changes of a subject's data. */
import assert from 'node:assert/strict';

import { OTHER } from '../bench.ts';
import type { Bench } from '../bench.ts';
import type { Members } from '../caller.ts';
import { answerOf } from '../client-calls.ts';
import {
  AGENT,
  applied,
  applyBiz,
  aSubject,
  changeApplied,
  changeBiz,
  changeResultOf,
  COMPANY,
  confirmBiz,
  confirmed,
  NEW_CARD,
  opened,
  PERSON,
  RESIGN,
} from '../opening-flow.ts';
import type { Rules } from '../rule.ts';

const APPLY = 'acct/changeApply';
const CONFIRM = 'acct/changeConfirm';

const pick = (names: readonly string[], over: Members = {}): Members => ({
  ...Object.fromEntries(names.map((name) => [name, COMPANY[name]])),
  ...over,
});

const LICENCE = [
  'licenseImg',
  'idCard1Img',
  'idCard2Img',
  'licenseName',
  'licenseEffectBegin',
  'licenseEffectEnd',
];
const PERSONAL = ['idCardName', 'idCardNo', 'idCardEffectBegin', 'idCardEffectEnd', 'idCardPhone'];
const AGENT_MEMBERS = [
  'agentName',
  'agentIdNo',
  'agentVisaDate',
  'agentLostDate',
  'agentPhone',
  'agentIdCard1Img',
  'agentIdCard2Img',
];

/** What each type of change needs, complete. */
export const CHANGES: Readonly<Record<string, Members>> = {
  '1': pick([...LICENCE, 'licenseAddress'], { modifyType: '1', licenseNo: '91310000MA1FL99999' }),
  '2': pick(['licenseImg', 'idCard1Img', 'idCard2Img', ...PERSONAL], { modifyType: '2' }),
  '3': { ...pick(['licenseImg', 'idCard1Img', 'idCard2Img']), ...AGENT, modifyType: '3' },
  '4': NEW_CARD,
};

/** The names without which a change of that type is refused. */
export const NEEDED: Readonly<Record<string, readonly string[]>> = {
  '1': [...LICENCE, 'licenseNo', 'licenseAddress'],
  '2': ['licenseImg', 'idCard1Img', 'idCard2Img', ...PERSONAL],
  '3': ['licenseImg', 'idCard1Img', 'idCard2Img', 'agentUseCorpInfoFlag', ...AGENT_MEMBERS],
  '4': Object.keys(NEW_CARD).filter((name) => name !== 'modifyType'),
};

/** Each needed member dropped is refused; the whole is accepted. */
async function needs(bench: Bench, type: string): Promise<void> {
  const { recordId } = await opened(bench);
  const whole = CHANGES[type] ?? {};
  for (const name of NEEDED[type] ?? []) {
    await bench.refusesEach(APPLY, { [name]: changeBiz(bench, recordId, { ...whole, [name]: undefined }) });
  }
  await bench.accepts(APPLY, changeBiz(bench, recordId, whole));
}

async function refusesChanges(
  bench: Bench,
  recordId: unknown,
  cases: Readonly<Record<string, Members>>,
): Promise<void> {
  const bodies = Object.entries(cases).map(([name, subject]) => [name, changeBiz(bench, recordId, subject)]);
  await bench.refusesEach(APPLY, Object.fromEntries(bodies) as Members);
}

/** What a person always sends. */
const OF_PERSON: Members = { entPerFlag: 'P', settAccountPhone: '13812345678' };

export const CHG: Rules = {
  'CHG-01': {
    sandbox: async (bench) => {
      const { recordId, reqNo } = await opened(bench);
      const underReview = (await applied(bench)).biz['recordId'];
      const asked = (await changeApplied(bench, recordId)).biz['reqNo'];
      for (const [name, wrong] of Object.entries({
        absent: undefined,
        empty: '',
        unknown: '1934567890123456789',
        underReview,
        'of the opening': reqNo,
        'of a change': asked,
        'rounded by a float': Number(recordId),
      })) {
        await bench.refusesEach(APPLY, { [name]: changeBiz(bench, wrong, RESIGN) });
      }
      await bench.as(OTHER).refuses(APPLY, changeBiz(bench, recordId, RESIGN));
      await changeApplied(bench, recordId);
    },
  },
  'CHG-02': {
    sandbox: async (bench) => {
      const { recordId, outReqNo } = await opened(bench);
      const used = (await changeApplied(bench, recordId)).biz['outReqNo'];
      await bench.refuses('acct/addApply', applyBiz(bench, undefined, { outReqNo: used }));
      await bench.refusesEach(APPLY, {
        'of another change': changeBiz(bench, recordId, RESIGN, { outReqNo: used }),
        absent: changeBiz(bench, recordId, RESIGN, { outReqNo: undefined }),
        '33 characters': changeBiz(bench, recordId, RESIGN, { outReqNo: 'n'.repeat(33) }),
        'of an opening': changeBiz(bench, recordId, RESIGN, { outReqNo }),
      });
      await bench.accepts(APPLY, changeBiz(bench, recordId, RESIGN, { outReqNo: 'n'.repeat(32) }));
    },
  },
  'CHG-03': {
    sandbox: async (bench) => {
      const { recordId } = await opened(bench);
      const whole = changeBiz(bench, recordId, RESIGN);
      await bench.refusesEach(APPLY, {
        absent: { ...whole, subjectInfo: undefined },
        null: { ...whole, subjectInfo: null },
        'a list': { ...whole, subjectInfo: ['5'] },
        'a text': { ...whole, subjectInfo: JSON.stringify(whole['subjectInfo']) },
      });
    },
  },
  'CHG-04': {
    sandbox: async (bench) => {
      const { recordId } = await opened(bench);
      await refusesChanges(bench, recordId, { 'a person now': { ...PERSON, ...RESIGN, entPerFlag: 'P' } });
      await changeApplied(bench, recordId);
      const person = await opened(bench, aSubject(bench, { entPerFlag: 'P' }));
      const company = { ...OF_PERSON, ...RESIGN, entPerFlag: 'E' };
      await refusesChanges(bench, person['recordId'], { 'a company now': company });
    },
  },
  'CHG-05': {
    sandbox: async (bench) => {
      const { recordId } = await opened(bench);
      const bad = ['6', '1,2', '', '0', '4|', '|4', '4||5', '4 | 5', 'x', {}, null, undefined];
      await refusesChanges(
        bench,
        recordId,
        Object.fromEntries(bad.map((modifyType, at) => [`case ${at}`, { ...NEW_CARD, modifyType }])),
      );
      const three = { ...CHANGES['1'], ...CHANGES['2'], ...CHANGES['3'] };
      const all = { ...three, ...NEW_CARD, licenseNo: '91310000MA1FL99998', modifyType: '5|4|3|2|1' };
      await changeApplied(bench, recordId, all);
      await changeApplied(bench, recordId, { ...CHANGES['1'], ...NEW_CARD, modifyType: '1|4' });
    },
  },
  'CHG-06': { sandbox: (bench) => needs(bench, '1') },
  'CHG-07': { sandbox: (bench) => needs(bench, '2') },
  'CHG-08': {
    sandbox: async (bench) => {
      await needs(bench, '3');
      const { recordId } = await opened(bench);
      const reused = pick(['licenseImg', 'idCard1Img', 'idCard2Img'], {
        agentUseCorpInfoFlag: '1',
        modifyType: '3',
      });
      await changeApplied(bench, recordId, reused);
    },
  },
  'CHG-09': {
    sandbox: async (bench) => {
      await needs(bench, '4');
      const { recordId } = await opened(bench);
      const personal: Members = { ...NEW_CARD, settAccountType: 'P', settAccountPhone: '13912345678' };
      const {
        settAccountBankBranchCode: _code,
        settAccountBankBranchName: _name,
        ...withoutBranch
      } = personal;
      await refusesChanges(bench, recordId, {
        'without phone': { ...withoutBranch, settAccountPhone: undefined },
      });
      await changeApplied(bench, recordId, withoutBranch);
    },
  },
  'CHG-10': {
    sandbox: async (bench) => {
      const { recordId } = await opened(bench);
      await changeApplied(bench, recordId, { modifyType: '5' });
    },
  },
  'CHG-11': {
    sandbox: async (bench) => {
      const { recordId } = await opened(bench);
      const whole = { ...CHANGES['1'], ...NEW_CARD, modifyType: '1|4' };
      await refusesChanges(bench, recordId, {
        'without what 4 needs': { ...whole, settAccountNo: undefined },
        'without what 1 needs': { ...whole, licenseName: undefined },
      });
      await changeApplied(bench, recordId, whole);
    },
  },
  'CHG-12': {
    sandbox: async (bench) => {
      const { recordId } = await opened(bench, aSubject(bench, { entPerFlag: 'P' }));
      const dates = pick(['idCardEffectBegin', 'idCardEffectEnd', 'idCard1Img', 'idCard2Img']);
      await refusesChanges(bench, recordId, {
        'the phone alone': OF_PERSON,
        'without phone': { entPerFlag: 'P', ...dates, idCardEffectEnd: '2050-01-01' },
        'the end alone': { ...OF_PERSON, idCardEffectEnd: '2050-01-01' },
        'the account number alone': { ...OF_PERSON, settAccountNo: '6222000000000303' },
      });
      await changeApplied(bench, recordId, { ...OF_PERSON, ...dates, idCardEffectEnd: '2050-01-01' });
    },
  },
  'CHG-13': {
    sandbox: async (bench) => {
      const { recordId } = await opened(bench);
      const bare = changeBiz(bench, recordId, { ...RESIGN, eleAcctType: undefined, address: undefined });
      await bench.switches({ changeStrict: true });
      await bench.refuses(APPLY, bare);
      await bench.switches({ changeStrict: false });
      await bench.accepts(APPLY, bare);
    },
  },
  'CHG-14': {
    sandbox: async (bench) => {
      const { recordId } = await opened(bench);
      const { biz } = await bench.accepts(APPLY, changeBiz(bench, recordId, RESIGN, { outReqNo: 'mine' }));
      assert.deepEqual([typeof biz['reqNo'], biz['outReqNo'], biz['state']], ['string', 'mine', 5]);
    },
  },
  'CHG-15': {
    sandbox: async (bench) => {
      const changes = [];
      for (const card of ['6222000000000401', '6222000000000402']) {
        const { recordId } = await opened(bench);
        changes.push(await changeApplied(bench, recordId, { ...NEW_CARD, settAccountNo: card }));
      }
      const [one, two] = changes;
      assert.ok(one && two);
      const whole = await confirmBiz(bench, one, { outReqNo: two.biz['outReqNo'] });
      const { smsCode: _code, ...withoutCode } = whole;
      const { smsFlowNo: _flow, ...withoutFlow } = whole;
      const forOpening = await bench.smsCode({ reqNo: one.biz['reqNo'], sceneType: 'OPEN' });
      await bench.refusesEach(CONFIRM, {
        'no code': withoutCode,
        'no flow number': withoutFlow,
        'neither number': { ...whole, reqNo: undefined, outReqNo: undefined },
        'an unknown number': { ...whole, reqNo: 'nobody' },
        'a flow number of 33': { ...whole, smsFlowNo: 'S'.repeat(33) },
        'a code of another scene': { ...whole, ...forOpening },
      });
      await bench.accepts(CONFIRM, whole);
      await bench.refuses(CONFIRM, await confirmBiz(bench, one));
      assert.deepEqual(
        [(await changeResultOf(bench, one))['state'], (await changeResultOf(bench, two))['state']],
        [2, 5],
      );
      const { outReqNo } = two.biz;
      await bench.accepts(CONFIRM, await confirmBiz(bench, two, { reqNo: undefined, outReqNo }));
    },
  },
  'CHG-16': {
    sandbox: async (bench) => {
      const { recordId } = await opened(bench);
      const { reqNo } = (await changeApplied(bench, recordId)).biz;
      await bench.refuses(CONFIRM, { reqNo, smsCode: '123456', smsFlowNo: 'S-none' });
      const { reqNo: opening } = await opened(bench);
      const code = await bench.smsCode({ reqNo: opening, sceneType: 'MODIFY' });
      await bench.refuses(CONFIRM, { reqNo: opening, ...code });
    },
  },
  'CHG-17': {
    sandbox: async (bench) => {
      const seen: unknown[] = [];
      for (const changeConfirmState of [5, 7]) {
        await bench.switches({ changeConfirmState });
        const { recordId } = await opened(bench);
        seen.push((await confirmed(bench, await changeApplied(bench, recordId))).biz['state']);
      }
      assert.deepEqual(seen, [5, 7]);
    },
    client: async (desk) => {
      for (const state of [5, 7]) {
        const { client } = await desk.accepting({ reqNo: 'C1', state });
        const outcome = await client.call(CONFIRM, { reqNo: 'C1', smsFlowNo: 'S1', smsCode: '123456' });
        const answer = answerOf<typeof CONFIRM>(outcome);
        assert.deepEqual([outcome.kind, answer.state, answer.isFinal], ['accepted', state, false]);
      }
    },
  },
};
