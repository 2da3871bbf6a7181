/** What the client puts into a request by itself: sums, lists as text, where the members of a withdrawal stand. */
import assert from 'node:assert/strict';

import type { JsonObject } from '../../../src/core/json.ts';
import type { EndpointName } from '../../../src/platform/contract.ts';
import { completeRequest } from '../../../src/platform/requests/complete.ts';
import { kindOf } from '../client-calls.ts';
import { apiKeyCredentials } from '../desk.ts';
import { APP, PAYER } from '../bench.ts';
import type { Rules } from '../rule.ts';
import { paid, refundBiz } from '../trade.ts';
import { profileOf } from '../../platform/platform-server.ts';

function completed(endpoint: EndpointName, request: JsonObject, profile: object = {}): JsonObject {
  const rules = { profile: profileOf(profile), channelCode: 'SANDBOX', newNumber: () => 'N1' };
  return completeRequest(endpoint, request, rules).request;
}

const ORDERS = [
  { outOrderNo: 'O1', body: '货款', amount: 10_000, payeeAcctNo: '200001' },
  { outOrderNo: 'O2', body: '货款', amount: 5_000, payeeAcctNo: '200001' },
];

export const COMPLETED: Rules = {
  'DIV-03': {
    client: async () => {
      assert.equal(completed('division/pay', { orderList: ORDERS })['num'], 2);
      await Promise.resolve();
    },
  },
  'DIV-04': {
    client: async () => {
      assert.equal(completed('division/pay', { orderList: ORDERS })['amount'], 15_000n);
      await Promise.resolve();
    },
  },
  'DIV-15': {
    client: async () => {
      const { orderList } = completed('division/pay', { orderList: ORDERS });
      const sent = JSON.parse(String(orderList)) as { amount: unknown }[];
      assert.deepEqual(
        sent.map(({ amount }) => amount),
        ['10000', '5000'],
      );
      await Promise.resolve();
    },
  },
  'REF-02': {
    client: async () => {
      assert.equal(completed('division/refund', { outOrderNos: ['O1', 'O2'] })['outOrderNos'], 'O1,O2');
      const torn = completed('division/refund', { outOrderNos: ['O1', 'O2,O3'] })['outOrderNos'];
      assert.notEqual(torn, 'O1,O2,O3', 'a number that holds a comma is not joined');
      await Promise.resolve();
    },
  },
  'REF-03': {
    client: async () => {
      const channelExtra = { smsCode: '123456', smsFlowNo: 'S1' };
      const sent = completed('division/refund', { channelExtra })['channelExtra'];
      assert.deepEqual(JSON.parse(String(sent)), channelExtra);
      await Promise.resolve();
    },
  },
  'WDR-04': {
    client: async () => {
      const request = { outOrderNo: 'W1', acctNo: PAYER, amount: 10_000, recvAcctNo: '6222' };
      assert.equal(completed('account/withdraw', request)['recvAcctNo'], '6222');
      const placed = completed('account/withdraw', request, { withdraw: { placement: 'channelExtra' } });
      assert.deepEqual(
        [placed['recvAcctNo'], JSON.parse(String(placed['channelExtra']))],
        [undefined, { recvAcctNo: '6222' }],
      );
      await Promise.resolve();
    },
  },
  'CHG-05': {
    client: async () => {
      const { subjectInfo } = completed('acct/changeApply', { subjectInfo: { modifyType: ['1', '4'] } });
      assert.equal((subjectInfo as JsonObject)['modifyType'], '1|4');
      await Promise.resolve();
    },
  },
  'ENV-08': {
    client: async (desk) => {
      const seat = await desk.sandbox();
      const app = { apiKey: undefined, appId: APP.id, secret: APP.secret };
      for (const credentials of [apiKeyCredentials(), apiKeyCredentials(app)]) {
        const { outBatchNo, outOrderNos, channelExtra } = await refundBiz(seat.bench, await paid(seat.bench));
        const client = desk.another(seat, { credentials });
        const biz = { outBatchNo, outOrderNos, channelExtra };
        assert.equal(await kindOf(client.callRaw('division/refund', biz)), 'accepted');
      }
    },
  },
  'LIM-01': {
    client: async (desk) => {
      const { client, requests } = await desk.accepting({});
      for (let call = 0; call < 3; call++) await client.callRaw('acct/queryInfo', { accountNo: PAYER });
      const reqIds = requests.map(({ envelope }) => String(envelope['reqId']));
      assert.ok(reqIds.every((reqId) => reqId.length > 0 && reqId.length <= 40));
      assert.equal(new Set(reqIds).size, 3);
    },
  },
};
