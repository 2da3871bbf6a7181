/** EVT-01…06 and EVT-09: pushes of openings, changes and transfers. */
import assert from 'node:assert/strict';

import { listener } from '../bench.ts';
import type { Bench } from '../bench.ts';
import type { Members } from '../caller.ts';
import { applied, audited, changeApplied, confirmed, decide, opened, rejected } from '../opening-flow.ts';
import type { Rules } from '../rule.ts';
import { paid } from '../trade.ts';

const pushesOf = async (bench: Bench): Promise<Members[]> =>
  (await bench.control('/pushes'))['pushes'] as Members[];

/** What a push tells: the business data of its envelope. */
const toldBy = (push: Members = {}): Members => JSON.parse(String(push['bizData'])) as Members;

export const EVT: Rules = {
  'EVT-01': {
    sandbox: async (bench) => {
      await using receiver = await listener();
      await decide(bench, { kind: 'opening', queueMs: 1_000 });
      const application = await applied(bench, undefined, { notifyUrl: receiver.url });
      await audited(bench, application);
      await bench.pushesDone();
      assert.equal(receiver.received.length, 0, 'not before it is final');
      await bench.advance(1_000);
      await bench.pushesDone();
      await decide(bench, { kind: 'opening', result: 'rejectedByChannel', remark: '资料不清' });
      await audited(bench, await applied(bench, undefined, { notifyUrl: receiver.url }));
      await bench.pushesDone();
      const [success, refusal] = receiver.received.map(toldBy);
      const { reqNo, outReqNo } = application.biz;
      assert.deepEqual([success?.['reqNo'], success?.['outReqNo'], success?.['state']], [reqNo, outReqNo, 2]);
      assert.notEqual(success?.['accountNo'], '');
      assert.deepEqual(
        [refusal?.['state'], refusal?.['remark'], refusal?.['accountNo']],
        [3, '资料不清', ''],
      );
      assert.equal(receiver.received.length, 2);
    },
  },
  'EVT-02': {
    sandbox: async (bench) => {
      await using receiver = await listener();
      const { recordId } = await opened(bench, undefined, { notifyUrl: receiver.url });
      await bench.pushesDone();
      assert.equal(toldBy(receiver.received[0])['recordId'], recordId);
    },
  },
  'EVT-03': {
    sandbox: async (bench) => {
      await opened(bench);
      await rejected(bench);
      await bench.pushesDone();
      assert.deepEqual(await pushesOf(bench), []);
    },
  },
  'EVT-06': {
    sandbox: async (bench) => {
      await using receiver = await listener();
      const { recordId } = await opened(bench, undefined, { notifyUrl: receiver.url });
      await confirmed(bench, await changeApplied(bench, recordId));
      await bench.pushesDone();
      assert.equal(receiver.received.length, 1, 'the opening alone');
      await bench.switches({ pushChanges: true });
      const change = await changeApplied(bench, recordId);
      await confirmed(bench, change);
      await bench.pushesDone();
      assert.equal(receiver.received.length, 2);
      const { reqNo, state } = toldBy(receiver.received[1]);
      assert.deepEqual([reqNo, state], [change.biz['reqNo'], 2]);
    },
  },
  'EVT-04': {
    sandbox: async (bench) => {
      await using receiver = await listener();
      const notifyUrl = receiver.url;
      await bench.plan({ kind: 'transfer', delayMs: 60_000 });
      const { biz } = await paid(bench, undefined, { notifyUrl });
      await bench.pushesDone();
      assert.equal(receiver.received.length, 0, 'not before it has succeeded');
      await bench.advance(60_000);
      await bench.pushesDone();
      assert.equal(receiver.received.length, 1);
      const [push = {}] = receiver.received;
      assert.equal(push['sign'], bench.answerSign(push), 'a push is signed as an answer is');
      const told = JSON.parse(String(push['bizData'])) as Members;
      assert.deepEqual([told['outBatchNo'], told['state']], [biz['outBatchNo'], 'SUCCESS']);
      for (const state of ['FAIL', 'CLOSE']) {
        await bench.plan({ kind: 'transfer', state });
        await paid(bench, undefined, { notifyUrl });
      }
      await bench.pushesDone();
      assert.equal(receiver.received.length, 1, 'nothing of what failed');
    },
  },
  'EVT-05': {
    sandbox: async (bench) => {
      await paid(bench);
      await bench.pushesDone();
      assert.deepEqual(await pushesOf(bench), []);
    },
  },
  'EVT-09': {
    sandbox: async (bench) => {
      await using receiver = await listener(2);
      await bench.switches({ pushSchedule: [0, 30, 60, 90] });
      await paid(bench, undefined, { notifyUrl: receiver.url });
      const counts: number[] = [];
      for (const ms of [0, 30_000, 30_000, 30_000, 3_600_000]) {
        await bench.advance(ms);
        await bench.pushesDone();
        counts.push(receiver.received.length);
      }
      assert.deepEqual(counts, [1, 2, 3, 3, 3]);
      assert.equal((await pushesOf(bench))[0]?.['acknowledged'], true);
    },
  },
};
