/** ENV-01…10: transport, credentials and signature types. */
import assert from 'node:assert/strict';

import { ENDPOINT_NAMES } from '../../../src/platform/contract.ts';
import { kindOf } from '../client-calls.ts';
import { happyCalls } from '../happy-calls.ts';
import { apiKeyCredentials } from '../desk.ts';
import { APP, MAIN, PAYER } from '../bench.ts';
import { requireNotTaken, requireRefusal } from '../caller.ts';
import type { Caller, Members } from '../caller.ts';
import type { Rules } from '../rule.ts';
import { PATHS, PREFIX, rsaSigned } from '../../sandbox/caller.ts';
import { signMembers } from '../../platform/platform-server.ts';
import { paid, payBiz, refundBiz } from '../trade.ts';

/** A query whose only fault is in the envelope. */
const ASK = { accountNo: PAYER };
const INFO = { openReqNo: 'R1', balance: 0, frozen: 0, availableBalance: 0 };

/** The same query with each of these in the envelope, signed as it is. */
async function refusesEnvelopes(caller: Caller, cases: readonly Members[]): Promise<void> {
  for (const over of cases) await caller.refuses('acct/queryInfo', caller.ask, over);
}

export const ENV: Rules = {
  'ENV-01': {
    harmless: async (caller) => {
      const body = JSON.stringify(caller.signed(caller.members(caller.ask)));
      const path = `${PREFIX}/acct/queryInfo`;
      requireNotTaken(await caller.request({ method: 'GET', path, body }));
      requireNotTaken(await caller.request({ method: 'PUT', path, body }));
    },
    sandbox: async (bench) => {
      const body = JSON.stringify(bench.signed(bench.members(payBiz(bench))));
      const path = `${PREFIX}/division/pay`;
      await bench.untouched(() => bench.request({ method: 'PUT', path, body }));
    },
    client: async (desk) => {
      const { client, requests } = await desk.accepting(INFO);
      await client.call('acct/queryInfo', ASK);
      assert.deepEqual(
        requests.map(({ method }) => method),
        ['POST'],
      );
    },
  },
  'ENV-02': {
    harmless: async (caller) => {
      const body = JSON.stringify(caller.signed(caller.members(caller.ask)));
      const form = 'application/x-www-form-urlencoded';
      const path = `${PREFIX}/acct/queryInfo`;
      requireNotTaken(await caller.request({ path, contentType: form, body }));
      for (const text of ['', 'no JSON', '[]', 'null', '"text"']) {
        requireNotTaken(await caller.request({ path, body: text }));
      }
    },
    sandbox: async (bench) => {
      const path = `${PREFIX}/acct/queryInfo`;
      for (const contentType of ['application/json', 'application/json;charset=UTF-8']) {
        const body = JSON.stringify(bench.signed(bench.members(ASK)));
        bench.requireSuccess(await bench.request({ path, contentType, body }));
      }
      const body = JSON.stringify(bench.signed(bench.members(ASK)));
      const contentType = 'application/json; charset=gbk';
      requireNotTaken(await bench.request({ path, contentType, body }));
    },
    client: async (desk) => {
      const { client, requests } = await desk.accepting(INFO);
      await client.call('acct/queryInfo', ASK);
      assert.match(String(requests[0]?.headers['content-type']), /^application\/json; charset=utf-8$/);
    },
  },
  'ENV-03': {
    harmless: async (caller) => {
      const body = JSON.stringify(caller.signed(caller.members(caller.ask)));
      requireNotTaken(await caller.request({ path: '/acct/queryInfo', body }));
    },
    sandbox: async (bench) => {
      for (const path of PATHS) {
        const { envelope, status } = await bench.post(path, {});
        assert.deepEqual([status, typeof envelope['code']], [200, 'string'], `${path} answers an envelope`);
      }
    },
    client: async (desk) => {
      const { client, requests } = await desk.accepting(INFO);
      await client.call('acct/queryInfo', ASK);
      assert.equal(requests[0]?.path, '/api/open/virtualBank/acct/queryInfo');
      const slashed = await desk.accepting(INFO, { baseEnd: '/' });
      await slashed.client.call('acct/queryInfo', ASK);
      assert.equal(slashed.requests[0]?.path, '/api/open/virtualBank/acct/queryInfo');
    },
  },
  'ENV-04': {
    harmless: async (caller) => {
      requireNotTaken(await caller.post('division/refundQuery', {}));
    },
    sandbox: async (bench) => {
      const calls = await happyCalls(bench);
      assert.equal(calls.length, 17);
      for (const { path } of calls) assert.ok(PATHS.includes(path), path);
      assert.equal(new Set(calls.map(({ path }) => path)).size, 17);
      const below = await bench.request({ path: `${PREFIX}/control/reset`, body: '{}' });
      requireRefusal(below);
    },
    client: async (desk) => {
      const { client, requests } = await desk.accepting({});
      for (const name of ENDPOINT_NAMES) await client.callRaw(name, {}, { isUnchecked: true });
      assert.deepEqual(
        requests.map(({ path }) => path).sort(),
        PATHS.map((path) => `${PREFIX}/${path.replace('SANDBOX', 'CH01')}`).sort(),
      );
    },
  },
  'ENV-05': {
    harmless: async (caller) => {
      const { apiKey: _key, appId: _app, ...rest } = caller.members(caller.ask);
      requireRefusal(await caller.send('acct/queryInfo', caller.signed(rest)));
      for (const nobody of [{ apiKey: 'nobody' }, { appId: 'nobody' }, { apiKey: 5 }]) {
        await caller.refuses('acct/queryInfo', caller.ask, nobody);
      }
    },
    sandbox: async (bench) => {
      for (const wrongMode of [{ apiKey: APP.id }, { appId: MAIN.id }]) {
        await bench.refuses('acct/queryInfo', ASK, wrongMode);
      }
    },
    client: async () => {
      assert.throws(() => apiKeyCredentials({ apiKey: undefined }), /PLATFORM_API_KEY nor PLATFORM_APP_ID/);
      await Promise.resolve();
    },
  },
  'ENV-06': {
    sandbox: async (bench) => {
      const both = { apiKey: MAIN.id, appId: APP.id };
      const { appId: _app, ...inKeyMode } = bench.members(ASK, both);
      bench.requireSuccess(await bench.send('acct/queryInfo', { ...bench.signed(inKeyMode), appId: APP.id }));
      const app = bench.as(APP);
      const { apiKey: _key, ...inAppMode } = app.members(ASK, both);
      await bench.refusesSent('acct/queryInfo', { ...app.signed(inAppMode), apiKey: MAIN.id });
      const rsa = rsaSigned(app.members(ASK, { signType: 'RSA2' }), bench.rsaKeys().privateKeyPem);
      await bench.refusesSent('acct/queryInfo', { ...rsa, apiKey: MAIN.id });
    },
    client: async (desk) => {
      assert.throws(() => apiKeyCredentials({ appId: 'app' }), /both set/);
      const { client, requests } = await desk.accepting(INFO);
      await client.call('acct/queryInfo', ASK);
      assert.deepEqual(
        [requests[0]?.envelope['appId'], requests[0]?.envelope['apiKey']],
        ['app_test_001', undefined],
      );
    },
  },
  'ENV-07': {
    sandbox: async (bench) => {
      const orderNo = (
        await bench.control('/deposits', {
          deposits: [{ payeeAcctNo: PAYER, amountFen: 1, depositTime: '2026-03-01 09:00:00' }],
        })
      )['orderNos'] as string[];
      const alias = { APIkey: MAIN.id };
      await bench.accepts('get/transFiles', { transType: '1', orderNo: orderNo[0] }, alias);
      await bench.refuses('acct/queryInfo', ASK, alias);
    },
    client: async (desk) => {
      const profileOver = { envelope: { credentialNameByPath: { 'get/transFiles': 'APIkey' } } };
      const credentials = apiKeyCredentials();
      const { client, requests } = await desk.accepting(
        { fileList: [], ...INFO },
        { profileOver, credentials },
      );
      await kindOf(client.call('get/transFiles', { transType: '1', orderNo: 'D1' }));
      const usual = await desk.accepting(INFO, { credentials });
      await kindOf(usual.client.call('acct/queryInfo', ASK));
      assert.equal(requests[0]?.envelope['APIkey'], MAIN.id);
      assert.equal(usual.requests[0]?.envelope['apiKey'], MAIN.id);
    },
  },
  'ENV-08': {
    sandbox: async (bench) => {
      for (const credential of [MAIN, APP]) {
        const biz = await refundBiz(bench, await paid(bench));
        await bench.as(credential).accepts('division/refund', biz);
      }
    },
  },
  'ENV-09': {
    harmless: async (caller) => {
      for (const sign of [undefined, '', null, 5]) {
        requireRefusal(await caller.send('acct/queryInfo', { ...caller.members(caller.ask), sign }));
      }
    },
    client: async (desk) => {
      const { client, requests } = await desk.accepting(INFO);
      await client.call('acct/queryInfo', ASK);
      assert.equal(requests[0]?.envelope['sign'], signMembers(requests[0]?.envelope ?? {}));
    },
  },
  'ENV-10': {
    harmless: (caller) =>
      refusesEnvelopes(
        caller,
        ['md5', 'SHA256', 'RSA', undefined, ''].map((signType) => ({ signType })),
      ),
    sandbox: async (bench) => {
      const { privateKeyPem } = bench.rsaKeys();
      const rsa = { signType: 'RSA2' };
      await bench.refusesSent('acct/queryInfo', rsaSigned(bench.members(ASK, rsa), privateKeyPem));
      const app = bench.as(APP);
      bench.requireSuccess(await app.send('acct/queryInfo', rsaSigned(app.members(ASK, rsa), privateKeyPem)));
      await app.accepts('acct/queryInfo', ASK);
    },
    client: async (desk) => {
      assert.throws(() => apiKeyCredentials({ signType: 'RSA2' }), /RSA2 needs PLATFORM_APP_ID/);
      const { client, requests } = await desk.accepting(INFO);
      await client.call('acct/queryInfo', ASK);
      assert.equal(requests[0]?.envelope['signType'], 'MD5');
    },
  },
};
