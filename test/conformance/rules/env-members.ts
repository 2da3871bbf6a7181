/** ENV-11…19: the members of the envelope. */
import assert from 'node:assert/strict';

import { kindOf, PAY } from '../client-calls.ts';
import { happyCalls } from '../happy-calls.ts';
import { PAYER } from '../bench.ts';
import { requireRefusal } from '../caller.ts';
import type { Caller, Members } from '../caller.ts';
import type { Rules } from '../rule.ts';
import { envelopeText, signMembers, successText } from '../../platform/platform-server.ts';
import { payBiz, requireMembers } from '../trade.ts';

/** A query whose only fault is in the envelope. */
const ASK = { accountNo: PAYER };
const INFO = { openReqNo: 'R1', balance: 0, frozen: 0, availableBalance: 0 };
const HOUR_MS = 3_600_000;

/** The same query with each of these in the envelope, signed as it is. */
async function refusesEnvelopes(caller: Caller, cases: readonly Members[]): Promise<void> {
  for (const over of cases) await caller.refuses('acct/queryInfo', ASK, over);
}

export const ENV_MEMBERS: Rules = {
  'ENV-11': {
    harmless: async (caller) => {
      for (const bizData of ['', 'x', '[]', '1', '"text"', '{', 'null']) {
        requireRefusal(await caller.post('acct/queryInfo', caller.ask, { bizData }));
      }
      const asObject = { ...caller.signed(caller.members(caller.ask)), bizData: caller.ask };
      requireRefusal(await caller.send('acct/queryInfo', asObject));
      for (const bizData of [caller.ask, [1], 5, undefined]) {
        requireRefusal(await caller.post('acct/queryInfo', caller.ask, { bizData }));
      }
    },
    client: async (desk) => {
      const { client, requests } = await desk.accepting(INFO);
      await client.call('acct/queryInfo', ASK);
      const [sent] = requests;
      assert.equal(sent?.envelope['bizData'], JSON.stringify(ASK));
      assert.ok(sent?.text.includes(JSON.stringify(JSON.stringify(ASK))), 'serialised once');
    },
  },
  'ENV-12': {
    harmless: (caller) => {
      const now = caller.reqTime();
      const wrong = [
        now.slice(0, 13),
        '1772323200000',
        '2026-03-01 12:00:00',
        `${now.slice(0, 4)}13${now.slice(6)}`,
        `${now.slice(0, 4)}0230${now.slice(8)}`,
        '',
        undefined,
      ];
      return refusesEnvelopes(
        caller,
        wrong.map((reqTime) => ({ reqTime })),
      );
    },
    client: async (desk) => {
      const { client, requests } = await desk.accepting(INFO);
      await client.call('acct/queryInfo', ASK);
      assert.equal(requests[0]?.envelope['reqTime'], '20260302000000', '16:00Z is midnight there');
    },
  },
  'ENV-13': {
    harmless: (caller) =>
      refusesEnvelopes(
        caller,
        [-HOUR_MS, HOUR_MS].map((ms) => ({ reqTime: caller.reqTime(ms) })),
      ),
    sandbox: async (bench) => {
      for (const ms of [-10_000, 10_000]) {
        await bench.accepts('acct/queryInfo', ASK, { reqTime: bench.reqTime(ms) });
      }
      await refusesEnvelopes(
        bench,
        [-11_000, 11_000].map((ms) => ({ reqTime: bench.reqTime(ms) })),
      );
    },
    client: async (desk) => {
      const { client, bench, sandbox } = await desk.sandbox();
      await bench.advance(6_000);
      for (let call = 0; call < 2; call++) await client.call('acct/queryInfo', ASK);
      const offsetMs = client.clockOffsetMs() ?? 0;
      assert.ok(offsetMs > 4_000 && offsetMs <= 7_000, `the platform is ahead, by ${offsetMs} ms`);
      const times = sandbox.requests().map(({ body }) => (JSON.parse(body) as Members)['reqTime']);
      assert.equal(times[0], '20260301120000', 'our own time at first');
      assert.ok(String(times[1]) >= '20260301120005', 'then the time of the platform');
    },
  },
  'ENV-14': {
    harmless: (caller) =>
      refusesEnvelopes(
        caller,
        ['2.0', '1', '', 1, undefined].map((version) => ({ version })),
      ),
    client: async (desk) => {
      const { client, requests } = await desk.accepting(INFO);
      await client.call('acct/queryInfo', ASK);
      assert.equal(requests[0]?.envelope['version'], '1.0');
    },
  },
  'ENV-15': {
    harmless: (caller) =>
      refusesEnvelopes(
        caller,
        ['', undefined, 7, 'x'.repeat(41)].map((reqId) => ({ reqId })),
      ),
    sandbox: async (bench) => {
      await bench.accepts('acct/queryInfo', ASK, { reqId: 'x'.repeat(40) });
    },
    client: async (desk) => {
      const { client, requests } = await desk.accepting(INFO);
      await client.call('acct/queryInfo', ASK);
      const reqId = String(requests[0]?.envelope['reqId']);
      assert.ok(reqId.length > 0 && reqId.length <= 40);
    },
  },
  'ENV-16': {
    sandbox: async (bench) => {
      const reqId = 'a-number-that-comes-twice';
      await bench.accepts('acct/queryInfo', ASK, { reqId });
      await bench.advance(1_000);
      const biz = payBiz(bench);
      await bench.refuses('division/pay', biz, { reqId });
      await bench.refuses('division/query', { outBatchNo: biz['outBatchNo'] });
      await bench.advance(600_000);
      await bench.accepts('division/pay', biz, { reqId });
    },
    client: async (desk) => {
      const { client, requests } = await desk.accepting(INFO);
      for (let call = 0; call < 20; call++) await client.call('acct/queryInfo', ASK);
      assert.equal(new Set(requests.map(({ envelope }) => envelope['reqId'])).size, 20);
    },
  },
  'ENV-17': {
    sandbox: async (bench) => {
      for (const { path, answered } of await happyCalls(bench)) {
        const { envelope } = answered;
        requireMembers(envelope, ['code', 'msg', 'timestamp', 'signType', 'sign', 'bizData']);
        for (const [name, value] of Object.entries(envelope)) {
          assert.ok(typeof value === 'string' && value !== '', `${path}: ${name} is text`);
        }
        assert.equal(envelope['timestamp'], bench.reqTime(), path);
      }
    },
    client: async (desk) => {
      const text = envelopeText({ code: '000000', bizData: JSON.stringify(INFO), traceId: 'T-1' });
      const { client } = await desk.answering(() => text);
      assert.equal(await kindOf(client.call('acct/queryInfo', ASK)), 'accepted');
    },
  },
  'ENV-18': {
    sandbox: async (bench) => {
      assert.equal((await bench.accepts('acct/queryInfo', ASK)).envelope['code'], '000000');
    },
    client: async (desk) => {
      for (const code of ['0', '200', '0000000', 0, 200, null]) {
        const { sign: _sign, ...members } = JSON.parse(successText(INFO)) as Record<string, string>;
        const whole = { ...members, code } as Record<string, string>;
        const text = JSON.stringify({ ...whole, sign: signMembers(whole) });
        const { client } = await desk.answering(() => text);
        assert.notEqual(await kindOf(client.call('division/pay', PAY)), 'accepted', JSON.stringify(code));
      }
    },
  },
  'ENV-19': {
    sandbox: async (bench) => {
      const { envelope } = await bench.accepts('acct/queryInfo', ASK);
      assert.equal(typeof envelope['bizData'], 'string');
      assert.equal(typeof JSON.parse(String(envelope['bizData'])), 'object');
    },
    client: async (desk) => {
      for (const bizData of ['[]', 'text', '"{}"']) {
        const text = envelopeText({ code: '000000', bizData });
        const { client } = await desk.answering(() => text);
        assert.equal(await kindOf(client.call('division/pay', PAY)), 'unknown', bizData);
      }
    },
  },
};
