/** SIG-11, EVT-01, EVT-04, EVT-07, EVT-08 and VCH-09: what the job makes of pushes and of vouchers it has already. */
import assert from 'node:assert/strict';

import { readPush } from '../../../src/platform/push.ts';
import { profileOf } from '../../platform/platform-server.ts';
import { listener } from '../bench.ts';
import { apiKeyCredentials } from '../desk.ts';
import type { Desk, SandboxSeat } from '../desk.ts';
import type { JobSeat } from '../job-seat.ts';
import { applied, audited, decide } from '../opening-flow.ts';
import type { Rules } from '../rule.ts';
import { paid, seedDeposits } from '../trade.ts';

/** A push as the sandbox sends it, caught on its way. */
async function aPush({ bench }: SandboxSeat): Promise<string> {
  await using receiver = await listener();
  await paid(bench, undefined, { notifyUrl: receiver.url, outBatchNo: 'B-pushed' });
  await bench.pushesDone();
  return JSON.stringify(receiver.received[0]);
}

/** What the receiver reads in a push. */
function hintIn(body: string): ReturnType<typeof readPush> {
  const rules = { profile: profileOf(), credentials: apiKeyCredentials() };
  return readPush({ body: Buffer.from(body), contentType: 'application/json' }, rules);
}

async function deliver({ pushUrl }: JobSeat, body: string): Promise<[number, string]> {
  const reply = await fetch(pushUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  return [reply.status, await reply.text()];
}

/** One that is signed, one whose signature is wrong and one without: kept, refused, kept and not believed. */
async function judgesPushes(desk: Desk): Promise<void> {
  const seat = await desk.sandbox();
  const job = await desk.job(seat);
  const body = await aPush(seat);
  const [forgedStatus] = await deliver(job, body.replace('B-pushed', 'B-forged'));
  assert.equal(forgedStatus, 400, 'a wrong signature is refused');
  assert.deepEqual(await job.pushes(), [], 'and nothing of it is stored');
  const signed = await deliver(job, body);
  assert.deepEqual(signed, [200, 'success']);
  const { sign: _sign, ...unsigned } = JSON.parse(body) as Record<string, string>;
  await deliver(job, JSON.stringify(unsigned));
  const kept = (await job.pushes()).map((push) => `${push.ownNo} ${push.signed ? 'signed' : 'unsigned'}`);
  assert.deepEqual(kept.toSorted(), ['B-pushed signed', 'B-pushed unsigned']);
}

export const JOB: Rules = {
  'SIG-11': {
    client: async (desk) => {
      const seat = await desk.sandbox();
      const body = await aPush(seat);
      const read = (text: string): unknown => {
        const push = hintIn(text);
        return push === 'forged' ? push : [push.ownNo, push.signed];
      };
      assert.deepEqual(read(body), ['B-pushed', true]);
      assert.equal(read(body.replace('B-pushed', 'B-forged')), 'forged');
      const { sign: _sign, ...unsigned } = JSON.parse(body) as Record<string, string>;
      assert.deepEqual(
        read(JSON.stringify(unsigned)),
        ['B-pushed', false],
        'taken as a hint that nobody signed',
      );
    },
  },
  'EVT-01': {
    client: async (desk) => {
      const { bench } = await desk.sandbox();
      for (const rejectedAccountNo of ['empty', 'absent']) {
        await bench.switches({ rejectedAccountNo });
        await using receiver = await listener();
        await decide(bench, { kind: 'opening', result: 'rejectedByChannel' });
        const application = await applied(bench, undefined, { notifyUrl: receiver.url });
        await audited(bench, application);
        await bench.pushesDone();
        const hint = hintIn(JSON.stringify(receiver.received[0]));
        assert.ok(hint !== 'forged');
        const { kind, platformNo, accountNo, statedState } = hint;
        assert.deepEqual(
          [kind, platformNo, accountNo, statedState],
          ['opening', application.biz['reqNo'], '', '3'],
        );
      }
    },
  },
  'EVT-04': {
    client: async (desk) => {
      const hint = hintIn(await aPush(await desk.sandbox()));
      assert.ok(hint !== 'forged');
      const { kind, ownNo, statedState, signed } = hint;
      assert.deepEqual([kind, ownNo, statedState, signed], ['transfer', 'B-pushed', 'SUCCESS', true]);
    },
  },
  'EVT-07': { job: judgesPushes },
  'EVT-08': {
    sandbox: async (bench) => {
      await using receiver = await listener();
      await paid(bench, undefined, { notifyUrl: receiver.url });
      await bench.pushesDone();
      await bench.control('/pushes/repeat', { no: 1 });
      await bench.pushesDone();
      assert.equal(receiver.received.length, 2, 'it can be made to come twice');
      assert.deepEqual(receiver.received[1], receiver.received[0]);
    },
    job: async (desk) => {
      const seat = await desk.sandbox();
      const job = await desk.job(seat);
      const body = await aPush(seat);
      for (let time = 0; time < 3; time++) assert.deepEqual(await deliver(job, body), [200, 'success']);
      const pushes = await job.pushes();
      assert.deepEqual(
        pushes.map(({ ownNo, timesSeen }) => [ownNo, timesSeen]),
        [['B-pushed', 3]],
      );
    },
  },
  'VCH-09': {
    job: async (desk) => {
      const seat = await desk.sandbox();
      const job = await desk.job(seat);
      const [orderNo = ''] = await seedDeposits(seat.bench, [{}]);
      await job.collected(orderNo);
      const asked: number[] = [];
      for (const run of ['run-1', 'run-2']) {
        await job.fetchVouchers(run);
        const calls = seat.sandbox.requests().filter((request) => request.path.endsWith('/get/transFiles'));
        asked.push(calls.length);
      }
      assert.deepEqual(asked, [1, 1], 'the second run asks for nothing');
    },
  },
};
