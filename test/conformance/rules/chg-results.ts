/** CHG-18…21: what becomes of a change, and what it changes. */
import assert from 'node:assert/strict';

import { OTHER } from '../bench.ts';
import type { Bench } from '../bench.ts';
import type { Members } from '../caller.ts';
import { answerOf } from '../client-calls.ts';
import { changeApplied, changeResultOf, confirmed, decide, NEW_CARD, opened } from '../opening-flow.ts';
import type { Rules } from '../rule.ts';

const RESULT = 'acct/changeApplyResult';
const STEP_MS = 1_000;

const cardOf = async (bench: Bench, accountNo: unknown): Promise<unknown> => {
  const { biz } = await bench.accepts('acct/queryInfo', { accountNo });
  return (biz['bindAcctInfo'] as Members)['bankAccountNo'];
};

export const CHG_RESULTS: Rules = {
  'CHG-18': {
    harmless: async (caller) => {
      await caller.refuses(RESULT, {});
      await caller.refuses(RESULT, { reqNo: 'no-such-request' });
    },
    sandbox: async (bench) => {
      await decide(bench, { kind: 'change', result: 'rejectedByChannel', remark: '户名不符' });
      const { recordId } = await opened(bench);
      const refused = await changeApplied(bench, recordId);
      await confirmed(bench, refused);
      const other = await changeApplied(bench, (await opened(bench))['recordId']);
      const both = { reqNo: refused.biz['reqNo'], outReqNo: other.biz['outReqNo'] };
      const { biz } = await bench.accepts(RESULT, both);
      assert.deepEqual([biz['reqNo'], biz['state'], biz['remark']], [refused.biz['reqNo'], 3, '户名不符']);
      await bench.accepts(RESULT, { outReqNo: other.biz['outReqNo'] });
      const { reqNo, outReqNo } = await opened(bench);
      await bench.refusesEach(RESULT, { 'an opening': { reqNo }, 'its own number': { outReqNo } });
      await bench.as(OTHER).refuses(RESULT, { reqNo: refused.biz['reqNo'] });
    },
    client: async (desk) => {
      const { client } = await desk.accepting({ reqNo: 'C1', state: 3, remark: '户名不符' });
      const { state, remark, accountNo } = answerOf<typeof RESULT>(
        await client.call(RESULT, { reqNo: 'C1' }),
      );
      assert.deepEqual([state, remark, accountNo], [3, '户名不符', undefined]);
    },
  },
  'CHG-19': {
    sandbox: async (bench) => {
      for (const [result, last] of [
        ['accepted', 2],
        ['rejectedByChannel', 3],
      ] as const) {
        await decide(bench, { kind: 'change', result, queueMs: STEP_MS, processMs: STEP_MS });
        const change = await changeApplied(bench, (await opened(bench))['recordId']);
        await confirmed(bench, change);
        const seen: unknown[] = [];
        for (let wait = 0; wait < 3; wait++) {
          seen.push((await changeResultOf(bench, change))['state']);
          await bench.advance(STEP_MS);
        }
        assert.deepEqual(seen.slice(-3), [100, 1, last]);
      }
    },
  },
  'CHG-20': {
    sandbox: async (bench) => {
      const { accountNo, recordId } = await opened(bench);
      const before = await cardOf(bench, accountNo);
      await decide(bench, { kind: 'change', queueMs: STEP_MS });
      const change = await changeApplied(bench, recordId, NEW_CARD);
      await confirmed(bench, change);
      assert.equal(await cardOf(bench, accountNo), before, 'the old card until it is done');
      await bench.advance(STEP_MS);
      assert.equal((await changeResultOf(bench, change))['state'], 2);
      assert.equal(await cardOf(bench, accountNo), NEW_CARD['settAccountNo']);
    },
  },
  'CHG-21': {
    sandbox: async (bench) => {
      const { accountNo, recordId } = await opened(bench);
      const before = await cardOf(bench, accountNo);
      for (const how of ['rejectedByReview', 'rejectedByChannel']) {
        await decide(bench, { kind: 'change', result: how, remark: '户名不符' });
        const refused = await changeApplied(bench, recordId, NEW_CARD);
        assert.equal(refused.biz['state'], 5);
        assert.ok([5, 7].includes(Number((await confirmed(bench, refused)).biz['state'])));
        const result = await changeResultOf(bench, refused);
        assert.deepEqual([result['state'], result['remark']], [3, '户名不符'], how);
        assert.equal(await cardOf(bench, accountNo), before, 'the old data stay');
      }
      const change = await changeApplied(bench, recordId, NEW_CARD);
      await confirmed(bench, change);
      assert.equal((await changeResultOf(bench, change))['state'], 2);
      assert.equal(await cardOf(bench, accountNo), NEW_CARD['settAccountNo']);
    },
  },
};
