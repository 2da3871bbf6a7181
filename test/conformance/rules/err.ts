/** ERR-01…06 and VER-01…03, CTL: errors, versions and the control surface. */
import assert from 'node:assert/strict';

import { systemClock } from '../../../src/core/clock.ts';
import { createSandbox } from '../../../src/sandbox/server/create-sandbox.ts';
import { serve } from '../../../src/sandbox/server/serve.ts';
import { AUTO, BOUND_CARD, PAYER } from '../bench.ts';
import { requireRefusal } from '../caller.ts';
import { answerOf, kindOf, PAY } from '../client-calls.ts';
import type { Rules } from '../rule.ts';
import { anOrder, depositBiz, failedSettlement, ordersOf, paid, payBiz, seedDeposits } from '../trade.ts';
import { refusalOf } from './stl.ts';
import { wireTo } from '../wire.ts';
import { NOON, PATHS, PREFIX } from '../../sandbox/caller.ts';
import { refusalText, SECRET } from '../../platform/platform-server.ts';

const ASK = { accountNo: PAYER };

export const ERR: Rules = {
  'ERR-01': {
    harmless: async (caller) => {
      for (const path of PATHS) {
        const endpoint = path.replace('SANDBOX', caller.channelCode);
        requireRefusal(await caller.post(endpoint, {}));
        requireRefusal(await caller.send(endpoint, {}));
      }
    },
    client: async (desk) => {
      const { client } = await desk.answering(() => refusalText('E4711', '参数有误'));
      const outcome = await client.call('acct/queryInfo', ASK);
      assert.deepEqual(outcome.kind === 'refused' && [outcome.code, outcome.msg], ['E4711', '参数有误']);
    },
  },
  'ERR-02': {
    sandbox: async (bench) => {
      await bench.plan({ kind: 'transfer', state: 'FAIL' });
      const before = await bench.money(PAYER);
      const { status, biz } = await paid(bench);
      assert.deepEqual([status, biz['state'], await bench.money(PAYER)], [200, 'FAIL', before]);
    },
    client: async (desk) => {
      const { client } = await desk.accepting({ outBatchNo: 'B1', state: 'FAIL', orderList: '[]' });
      const outcome = await client.call('division/pay', PAY);
      assert.deepEqual([outcome.kind, answerOf<'division/pay'>(outcome).state], ['accepted', 'FAIL']);
    },
  },
  'ERR-03': {
    sandbox: async (bench) => {
      await bench.plan({ kind: 'transfer', state: 'FAIL' });
      const failed = ordersOf(await paid(bench, [anOrder(bench, { payeeAcctNo: AUTO })]))[0]?.['outOrderNo'];
      const without = ordersOf(await paid(bench))[0]?.['outOrderNo'];
      const done = (await failedSettlement(bench, { state: 'SUCCESS' })).outOrderNo;
      const { outOrderNo } = await failedSettlement(bench);
      const messages = [
        await refusalOf(bench, {}),
        await refusalOf(bench, { outOrderNo, remark: 'x'.repeat(33) }),
        await refusalOf(bench, { outOrderNo: failed }),
        await refusalOf(bench, { outOrderNo: without }),
        await refusalOf(bench, { outOrderNo: done }),
      ];
      await bench.switches({ settleRetryDelayMs: 60_000 });
      await bench.accepts('order/settle', { outOrderNo, remark: 'recon retry 1' });
      messages.push(await refusalOf(bench, { outOrderNo }));
      assert.equal(new Set(messages).size, 6, messages.join(' | '));
    },
  },
  'ERR-04': {
    sandbox: async (bench) => {
      const codes = new Set<unknown>();
      for (const over of [
        { startDate: '20260301' },
        { endDate: '2026-02-01' },
        { startDate: '2026-01-01' },
      ]) {
        codes.add((await bench.refuses('query/deposit', depositBiz(over))).envelope['code']);
      }
      const other = (await bench.refuses('query/deposit', depositBiz({ payeeAcctNo: undefined }))).envelope[
        'code'
      ];
      assert.equal(codes.size, 1, 'one kind of error');
      assert.ok(!codes.has(other), 'and another than of other members');
      assert.equal((await bench.accepts('query/deposit', depositBiz())).biz['total'], 0);
    },
  },
  'ERR-05': {
    client: async (desk) => {
      const said = '身份证 110101199003070134 卡 6222020200112230952 手机 13812345678 不符';
      const { client, log } = await desk.answering(() => refusalText('E1', said));
      const outcome = await client.call('acct/queryInfo', ASK);
      assert.equal(outcome.kind, 'refused');
      assert.ok(outcome.kind === 'refused' && outcome.reqId !== '' && outcome.timestamp !== undefined);
      const line = log.lines.find(({ event }) => event === 'call.refused');
      assert.deepEqual([line?.['endpoint'], line?.['code']], ['acct/queryInfo', 'E1']);
      const broken = await desk.answering(() => ({ status: 200, text: `{"card":"${BOUND_CARD}"` }));
      const error = await broken.client.call('acct/queryInfo', ASK).then(
        () => undefined,
        (thrown: unknown) => thrown as Error,
      );
      const text = `${String(error)} ${JSON.stringify(error)} ${JSON.stringify(broken.log.lines)}`;
      assert.match(text, /acct\/queryInfo/);
      assert.ok(!text.includes(BOUND_CARD) && !text.includes(SECRET), 'nothing personal, nothing secret');
    },
  },
  'ERR-06': {
    sandbox: async (bench) => {
      await seedDeposits(bench, [{}]);
      for (const path of PATHS) {
        await bench.refusesSent(path, { ...bench.members(payBiz(bench)), sign: '0'.repeat(32) });
        await bench.refuses(path, {});
      }
    },
  },
  'VER-01': {
    harmless: async (caller) => {
      for (const version of ['2.0', '1', '', undefined]) {
        await caller.refuses('order/settle', { outOrderNo: 'none', remark: 'x' }, { version });
      }
    },
    sandbox: async (bench) => {
      const { outOrderNo } = await failedSettlement(bench);
      for (const version of ['2.0', undefined]) {
        await bench.refuses('order/settle', { outOrderNo, remark: 'recon retry 1' }, { version });
      }
      await bench.accepts('order/settle', { outOrderNo, remark: 'recon retry 1' });
    },
    client: async (desk) => {
      const { client, requests } = await desk.accepting({ state: 'SUCCESS' });
      await client.call('order/settle', { outOrderNo: 'O1', remark: 'recon retry 1' });
      assert.equal(requests[0]?.envelope['version'], '1.0');
    },
  },
  'VER-02': {
    client: async (desk) => {
      const seats = await Promise.all([desk.accepting({}), desk.accepting({})]);
      for (const { client } of seats) await client.callRaw('acct/queryInfo', ASK);
      const [one, two] = seats.map(({ requests }) => requests[0]?.path);
      assert.equal(one, `${PREFIX}/acct/queryInfo`);
      assert.equal(one, two);
    },
  },
  'VER-03': {
    sandbox: async (bench) => {
      await bench.accepts('acct/queryInfo', { ...ASK, fromTheFuture: [1, { a: null }] });
    },
    client: async (desk) => {
      const odd = { fromTheFuture: [1, { a: null }], state: 'NEW_STATE', feeType: 'NEW_TYPE' };
      const orderList = JSON.stringify([{ outOrderNo: 'O1', settleState: 'NEW', ...odd }]);
      const { client } = await desk.accepting({ outBatchNo: 'B1', ...odd, orderList });
      const batch = answerOf<'division/query'>(await client.call('division/query', { outBatchNo: 'B1' }));
      const { state, settleState, feeType, faults } = batch.orders[0] ?? {};
      assert.deepEqual(
        [batch.state, state, settleState, feeType],
        ['NEW_STATE', 'NEW_STATE', 'NEW', 'NEW_TYPE'],
      );
      assert.deepEqual(faults, []);
      const opening = await desk.accepting({ reqNo: 'R1', state: 12 });
      const call = opening.client.call('acct/auditApplyResult', { reqNo: 'R1' });
      assert.equal(answerOf<'acct/auditApplyResult'>(await call).state, 12);
      for (const biz of [{}, { state: {} }, { state: [1] }, { orderList: 'null' }]) {
        const { client: fuzzed } = await desk.accepting(biz);
        assert.notEqual(await kindOf(fuzzed.callRaw('division/query', { outBatchNo: 'B1' })), 'TypeError');
      }
    },
  },
  CTL: {
    sandbox: async (bench) => {
      const sandbox = createSandbox({ now: NOON });
      await using stack = new AsyncDisposableStack();
      const served = await serve(sandbox, { port: 0, controls: false, clock: systemClock() });
      stack.defer(() => served.close());
      const reset = { method: 'POST', path: '/control/reset', contentType: 'application/json', body: '{}' };
      assert.equal((await wireTo(served.url)(reset)).status, 404, 'off unless asked for');
      const open = { port: 0, host: '0.0.0.0', controls: true, clock: systemClock() };
      await assert.rejects(serve(sandbox, open), /this machine only/);
      const below = await bench.request({ path: `${PREFIX}/control/reset`, body: '{}' });
      assert.notEqual(below.envelope['code'], '000000');
      await paid(bench);
      const requests = (await bench.control('/requests'))['requests'] as { path: string; body: string }[];
      assert.ok(
        requests.some(({ path, body }) => path.endsWith('/division/pay') && body.includes('outBatchNo')),
      );
      await bench.control('/reset', {});
      assert.deepEqual((await bench.control('/transfers'))['transfers'], []);
    },
  },
};
