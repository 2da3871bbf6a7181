/** Pushes of transfers: which, in what form and until when (EVT-04…09, U39, U40, U53). */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, describe, expect, test } from 'vitest';

import { systemClock } from '../../src/core/clock.ts';
import type { Sandbox } from '../../src/sandbox/server/sandbox.ts';
import type { SandboxOptions } from '../../src/sandbox/server/create-sandbox.ts';
import type { PushSender } from '../../src/sandbox/world/pushes.ts';
import { serve } from '../../src/sandbox/server/serve.ts';
import { API_SECRET, md5, md5Signed, members, PREFIX, textToSign } from './caller.ts';
import type { Members } from './caller.ts';
import { anOrder, pay, payBiz, queryBatch, sandboxWithOrders } from './orders/orders-caller.ts';

const NOTIFY = { notifyUrl: 'http://127.0.0.1:9/push', outBatchNo: 'B-1' };
const ACK = { status: 200, body: 'success' };

/** A receiver that answers these one after the other, the last of them for ever; it keeps what it got. */
function receiver(...answers: ({ status: number; body: string } | Error)[]): {
  send: PushSender;
  got: string[];
} {
  const got: string[] = [];
  const send: PushSender = ({ body }) => {
    got.push(body);
    const answer = answers[Math.min(got.length, answers.length) - 1] ?? ACK;
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  return { send, got };
}

function paidWith(states: readonly string[], options: SandboxOptions = {}, over: Members = NOTIFY): Sandbox {
  const sandbox = sandboxWithOrders(options);
  sandbox.planOutcomes(states.map((state) => ({ kind: 'transfer', state })));
  expect(
    pay(
      sandbox,
      states.map(() => anOrder()),
      over,
    ).ok,
  ).toBe(true);
  return sandbox;
}

describe('which transfers are pushed', () => {
  test.each<[string, string[], Members, number]>([
    ['EVT-04: a success', ['SUCCESS'], NOTIFY, 1],
    ['EVT-04: a success in part', ['SUCCESS', 'FAIL'], NOTIFY, 1],
    ['EVT-04: a failure', ['FAIL'], NOTIFY, 0],
    ['EVT-04: one that was closed', ['CLOSE'], NOTIFY, 0],
    ['EVT-04: one under way', ['PROCESSING', 'SUCCESS'], NOTIFY, 0],
    ['EVT-05, DIV-12: one without notifyUrl', ['SUCCESS'], { outBatchNo: 'B-1' }, 0],
  ])('%s', async (_what, states, over, pushes) => {
    const { send, got } = receiver(ACK);
    expect(await paidWith(states, {}, over).deliverPushes(send)).toBe(pushes);
    expect(got).toHaveLength(pushes);
  });

  test('EVT-04: each order that succeeded, where the switch says so', async () => {
    const { send, got } = receiver(ACK);
    const sandbox = paidWith(['SUCCESS', 'FAIL', 'SUCCESS'], { switches: { pushPer: 'order' } });
    expect(await sandbox.deliverPushes(send)).toBe(2);
    expect(got).toHaveLength(2);
    expect(new Set(sandbox.pushes().map(({ outOrderNo }) => outOrderNo)).size).toBe(2);
  });

  test('seeded transfers are pushed too, when their time comes', async () => {
    const { send, got } = receiver(ACK);
    const sandbox = sandboxWithOrders();
    const orders = [{ outOrderNo: 'O-1', payeeAcctNo: '200001', amountFen: 1 }];
    const seed = { outBatchNo: 'B-1', payerAcctNo: '100001', submittedAt: '2026-03-01 12:00:10', orders };
    sandbox.seedTransfers([{ ...seed, notifyUrl: NOTIFY.notifyUrl }]);
    expect(await sandbox.deliverPushes(send)).toBe(0);
    sandbox.clock.advance(10_000);
    expect(await sandbox.deliverPushes(send)).toBe(1);
    expect(got).toHaveLength(1);
  });
});

describe('what is pushed', () => {
  test('U40, U53: the query’s bizData in an envelope, signed for who paid', async () => {
    const { send, got } = receiver(ACK);
    const sandbox = paidWith(['SUCCESS']);
    await sandbox.deliverPushes(send);
    const envelope = JSON.parse(got[0] ?? '') as Members;
    expect(Object.keys(envelope).sort()).toEqual(['bizData', 'sign', 'signType', 'timestamp']);
    expect(JSON.parse(String(envelope['bizData']))).toEqual(queryBatch(sandbox, 'B-1').biz);
    const text = textToSign(envelope, ['bizData', 'signType', 'timestamp']);
    expect(envelope['sign']).toBe(md5(`${text}&appSecret=${API_SECRET}`));
  });

  test('U40: by a switch flat JSON without signature', async () => {
    const { send, got } = receiver(ACK);
    const sandbox = paidWith(['SUCCESS'], { switches: { pushFormat: 'flat' } });
    await sandbox.deliverPushes(send);
    expect(JSON.parse(got[0] ?? '')).toEqual(queryBatch(sandbox, 'B-1').biz);
  });
});

describe('EVT-09, U39: until it is acknowledged', () => {
  test.each<[string, { status: number; body: string }, boolean]>([
    ['another letter case and blanks', { status: 200, body: ' SUCCESS\n' }, true],
    ['another word', { status: 200, body: 'ok' }, false],
    ['another status', { status: 201, body: 'success' }, false],
    ['JSON', { status: 200, body: '{"code":"success"}' }, false],
  ])('%s', async (_what, answer, acknowledged) => {
    const sandbox = paidWith(['SUCCESS']);
    await sandbox.deliverPushes(receiver(answer).send);
    expect(sandbox.pushes()[0]?.acknowledged).toBe(acknowledged);
  });

  test('six tries by default, at 0, 30, 60, 90, 120 and 150 s; a receiver that fails is written down', async () => {
    const { send, got } = receiver(new Error('connect ECONNREFUSED'));
    const sandbox = paidWith(['SUCCESS']);
    for (let second = 0; second <= 600; second += 10) {
      await sandbox.deliverPushes(send);
      sandbox.clock.advance(10_000);
    }
    expect(got).toHaveLength(6);
    const tries = sandbox.pushes()[0]?.attempts ?? [];
    expect(tries.map(({ at }) => at.slice(14, 19))).toEqual([
      '00:00',
      '00:30',
      '01:00',
      '01:30',
      '02:00',
      '02:30',
    ]);
    expect(tries[0]).toMatchObject({ status: undefined, answer: 'connect ECONNREFUSED' });
    expect(sandbox.nextPushMs()).toBeUndefined();
  });

  test('EVT-08: it can be pushed again, without using up the schedule', async () => {
    const { send, got } = receiver(ACK);
    const sandbox = paidWith(['SUCCESS']);
    await sandbox.deliverPushes(send);
    sandbox.repeatPush(1);
    sandbox.repeatPush(1);
    expect(await sandbox.deliverPushes(send)).toBe(2);
    expect(new Set(got).size).toBe(1);
    expect(() => sandbox.repeatPush(2)).toThrow('there is no push 2');
  });

  test('one push is on its way once, whoever asks meanwhile', async () => {
    const { promise, resolve } = Promise.withResolvers<{ status: number; body: string }>();
    const sandbox = paidWith(['SUCCESS']);
    const slow = sandbox.deliverPushes(() => promise);
    expect(await sandbox.deliverPushes(receiver(ACK).send)).toBe(0);
    resolve(ACK);
    expect(await slow).toBe(1);
  });
});

describe('over HTTP', () => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  test('a receiver that never answers neither holds up the sandbox nor its end', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((listen) => silent.listen(0, '127.0.0.1', listen));
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/push`;
    const sandbox = sandboxWithOrders();
    const served = await serve(sandbox, { port: 0, controls: false, clock: systemClock() });
    const call = async (endpoint: string, biz: Members): Promise<Members> => {
      const body = JSON.stringify(md5Signed(members(biz)));
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${served.url}${PREFIX}/${endpoint}`, { method: 'POST', headers, body });
      return (await answer.json()) as Members;
    };
    expect((await call('division/pay', payBiz([anOrder()], { ...NOTIFY, notifyUrl: url })))['code']).toBe(
      '000000',
    );
    expect((await call('division/query', { outBatchNo: 'B-1' }))['code']).toBe('000000');
    await served.close();
    expect(sandbox.pushes()[0]).toMatchObject({ acknowledged: false, attempts: [{ status: undefined }] });
    silent.closeAllConnections();
    silent.close();
  });
});
