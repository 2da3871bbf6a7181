/** SIG-01…15: signing, against the reference vectors and across the wire. */
import assert from 'node:assert/strict';

import { readProfile } from '../../../src/core/profile/profile.ts';
import { sealRequest } from '../../../src/platform/envelope.ts';
import { md5Sign, md5Verify, piecesToSign } from '../../../src/platform/sign.ts';
import { APP, MAIN, PAYER } from '../bench.ts';
import { requireRefusal } from '../caller.ts';
import type { Members } from '../caller.ts';
import { kindOf, PAY } from '../client-calls.ts';
import { apiKeyCredentials } from '../desk.ts';
import { SECRET, successText } from '../../platform/platform-server.ts';
import { md5, md5Signed, rsaSigned, rsaVerifies, textToSign } from '../../sandbox/caller.ts';
import type { Rules } from '../rule.ts';
import { anOrder, paid, payBiz } from '../trade.ts';

const ASK = { accountNo: PAYER };
const INFO = { openReqNo: 'R1', remark: '' };

/** The interface's own vectors: members, secret and what each name of the secret gives. */
const VECTOR_A = {
  apiKey: 'ak_test_001',
  bizData: '{"accountNo":"100001"}',
  reqId: 'r0000000000000000000000000000001',
  reqTime: '20260301120000',
  signType: 'MD5',
  version: '1.0',
};
const SIGNS_A: readonly [string, string][] = [
  ['appSecret', 'A56F69AAB561360A1669E3CF6FFDC1D2'],
  ['apiSecret', 'A404B3E497D93B41C73EBC2CEA24BC8C'],
  ['key', '5016A6DCA2B4D40778F3AB94DAE428D6'],
  ['', '68B7864173363C9BA2BFAA0195EA6717'],
];
const VECTOR_B = {
  appId: 'app_test_001',
  bizData: '{"outBatchNo":"B1","remark":"测试"}',
  reqId: 'r0000000000000000000000000000002',
  reqTime: '20260301120001',
  signType: 'MD5',
  version: '1.0',
};
const SIGN_B = '8E985AB99E5FA728F927DBA37615FC92';

const SIGNED_NAMES = ['apiKey', 'bizData', 'reqId', 'reqTime', 'signType', 'version'];

/** The client's string to sign, and its MD5 under a name of the secret. */
function clientSign(members: Record<string, string>, secret: string, secretName: string): string {
  const text = piecesToSign(members, { names: Object.keys(members), dropEmpty: true });
  return md5Sign(text, { secret, secretName, md5Case: 'upper' });
}

export const SIG: Rules = {
  'SIG-01': {
    sandbox: async (bench) => {
      const signed = bench.signed(bench.members(ASK));
      const altered: Members = {
        apiKey: 'ak_sandbox_other',
        bizData: '{"accountNo":"200001"}',
        reqId: 'another-number',
        reqTime: bench.reqTime(1_000),
        signType: 'md5',
        version: '1.1',
      };
      assert.deepEqual(Object.keys(altered), SIGNED_NAMES);
      for (const name of SIGNED_NAMES) {
        await bench.refusesSent('acct/queryInfo', { ...signed, [name]: altered[name] });
      }
      bench.requireSuccess(await bench.send('acct/queryInfo', signed));
    },
    client: async () => {
      const rules = { profile: readProfile(undefined, 'defaults'), credentials: apiKeyCredentials() };
      const stamp = { reqId: VECTOR_A.reqId, reqTime: VECTOR_A.reqTime };
      const body = sealRequest({ ...rules, endpoint: 'acct/queryInfo' }, stamp, { accountNo: '100001' });
      const sealed = JSON.parse(body) as Members;
      assert.equal(sealed['sign'], md5Signed(sealed, MAIN.secret)['sign']);
      await Promise.resolve();
    },
  },
  'SIG-02': {
    sandbox: async (bench) => {
      const unsorted = Object.fromEntries(Object.entries(bench.members(ASK)).toReversed());
      bench.requireSuccess(await bench.send('acct/queryInfo', bench.signed(unsorted)));
      const text = SIGNED_NAMES.toReversed().map((name) => `${name}=${String(unsorted[name])}`);
      const sign = md5(`${text.join('&')}&appSecret=${MAIN.secret}`);
      await bench.refusesSent('acct/queryInfo', { ...bench.members(ASK, unsorted), sign });
    },
    client: async () => {
      const reversed = Object.fromEntries(Object.entries(VECTOR_A).toReversed());
      assert.equal(clientSign(reversed, 'sk_test_001', 'appSecret'), SIGNS_A[0]?.[1]);
      await Promise.resolve();
    },
  },
  'SIG-03': {
    sandbox: async (bench) => {
      const body = 'a&b=c%20+中文 "q"';
      const { biz } = await paid(bench, [anOrder(bench, { body })], { extParam: 'x&y=%+中' });
      assert.equal(biz['extParam'], 'x&y=%+中');
      const encoded = bench.members({ accountNo: PAYER, remark: 'ä' });
      const text = textToSign(encoded).replace('ä', encodeURIComponent('ä'));
      await bench.refusesSent('acct/queryInfo', {
        ...encoded,
        sign: md5(`${text}&appSecret=${MAIN.secret}`),
      });
    },
    client: async (desk) => {
      const { client } = await desk.sandbox();
      const order = { outOrderNo: 'O1', body: 'a&b=c%20+中文', amount: '10000', payeeAcctNo: '200001' };
      assert.equal(
        await kindOf(client.call('division/pay', { ...PAY, orderList: JSON.stringify([order]) })),
        'accepted',
      );
    },
  },
  'SIG-04': {
    sandbox: async (bench) => {
      const members = bench.members(ASK);
      await bench.refusesSent('acct/queryInfo', { ...members, sign: md5(textToSign(members)) });
      bench.requireSuccess(await bench.send('acct/queryInfo', bench.signed(members)));
    },
    client: async () => {
      assert.equal(clientSign(VECTOR_B, 'as_test_001', 'appSecret'), SIGN_B);
      await Promise.resolve();
    },
  },
  'SIG-05': {
    sandbox: async (bench) => {
      for (const name of ['appSecret', 'apiSecret']) {
        const envelope = md5Signed(bench.members(ASK), MAIN.secret, name);
        const { envelope: answer } = await bench.send('acct/queryInfo', envelope);
        assert.equal(answer['code'], '000000', name);
      }
      for (const name of ['key', '']) {
        await bench.refusesSent('acct/queryInfo', md5Signed(bench.members(ASK), MAIN.secret, name));
      }
      const app = bench.as(APP);
      await app.refusesSent('acct/queryInfo', md5Signed(app.members(ASK), APP.secret, 'apiSecret'));
    },
    client: async (desk) => {
      for (const [name, sign] of SIGNS_A) assert.equal(clientSign(VECTOR_A, 'sk_test_001', name), sign, name);
      const profileOver = { signing: { secretNameByPath: { 'order/settle': 'apiSecret' } } };
      const { client, requests } = await desk.accepting(INFO, {
        profileOver,
        credentials: apiKeyCredentials(),
      });
      await kindOf(client.call('order/settle', { outOrderNo: 'O1', remark: 'recon retry 1' }));
      const sent: Members = requests[0]?.envelope ?? {};
      assert.equal(sent['sign'], md5Signed(sent, MAIN.secret, 'apiSecret')['sign']);
    },
  },
  'SIG-06': {
    sandbox: async (bench) => {
      const { text } = await bench.accepts('acct/queryInfo', ASK);
      assert.ok(!text.includes(MAIN.secret));
      const { text: refusal } = await bench.refuses('acct/queryInfo', {});
      assert.ok(!refusal.includes(MAIN.secret));
    },
    client: async (desk) => {
      const { client, requests, log } = await desk.answering((_request, no) => (no === 1 ? '{' : undefined));
      const errors = [
        await kindOf(client.call('acct/queryInfo', ASK)),
        await kindOf(client.call('division/pay', PAY)),
      ];
      const seen = JSON.stringify([requests, log.lines, errors], (_key, value: unknown) =>
        typeof value === 'bigint' ? String(value) : value,
      );
      assert.ok(
        requests.length >= 2 && !seen.includes(SECRET),
        'neither body, header, log nor error has the secret',
      );
    },
  },
  'SIG-07': {
    sandbox: async (bench) => {
      const bizData = '{ "remark" : "\\u4e2d",  "accountNo" : "100001" }';
      const signed = bench.signed(bench.members(bizData));
      await bench.refusesSent('acct/queryInfo', { ...signed, bizData: JSON.stringify(JSON.parse(bizData)) });
      bench.requireSuccess(await bench.send('acct/queryInfo', signed));
    },
    client: async (desk) => {
      const { client, requests } = await desk.accepting(INFO);
      await client.call('acct/queryInfo', ASK);
      const sent: Members = requests[0]?.envelope ?? {};
      assert.equal(sent['sign'], md5Signed(sent, SECRET)['sign'], 'what was sent is what was signed');
    },
  },
  'SIG-08': {
    sandbox: async (bench) => {
      const { privateKeyPem, platformPublicKeyPem } = bench.rsaKeys();
      const app = bench.as(APP);
      const members = app.members(ASK, { signType: 'RSA2' });
      await app.refusesSent('acct/queryInfo', rsaSigned(members, privateKeyPem, `&appSecret=${APP.secret}`));
      const answered = await app.send('acct/queryInfo', rsaSigned(members, privateKeyPem));
      app.requireSuccess(answered);
      const { sign, ...rest } = answered.envelope;
      const text = textToSign(rest, Object.keys(rest));
      assert.ok(rsaVerifies(text, String(sign), platformPublicKeyPem));
    },
    client: async (desk) => {
      const { client } = await desk.rsaSandbox();
      assert.equal(await kindOf(client.call('acct/queryInfo', ASK)), 'accepted');
    },
  },
  'SIG-09': {
    sandbox: async (bench) => {
      const { privateKeyPem } = bench.rsaKeys();
      const withKey = bench.members(ASK, { signType: 'RSA2' });
      await bench.refusesSent('acct/queryInfo', rsaSigned(withKey, privateKeyPem));
    },
    client: async () => {
      assert.throws(() => apiKeyCredentials({ signType: 'RSA2' }), /RSA2 needs PLATFORM_APP_ID/);
      await Promise.resolve();
    },
  },
  'SIG-10': {
    sandbox: async (bench) => {
      const { envelope } = await bench.accepts('acct/queryInfo', ASK);
      assert.equal(envelope['sign'], bench.answerSign(envelope));
      await bench.switches({ signAnswers: false });
      assert.equal((await bench.accepts('acct/queryInfo', ASK)).envelope['sign'], undefined);
    },
    client: async (desk) => {
      const unsigned = JSON.stringify({ ...(JSON.parse(successText(INFO)) as Members), sign: undefined });
      const lenient = await desk.answering(() => unsigned);
      assert.equal(await kindOf(lenient.client.call('acct/queryInfo', ASK)), 'accepted');
      const once = { http: { maxAttempts: 1 } };
      const always = { ...once, signing: { requireResponseSign: 'always' } };
      const strict = await desk.answering(() => unsigned, { profileOver: always });
      assert.equal(await kindOf(strict.client.call('acct/queryInfo', ASK)), 'SignatureWrong');
      const forged = await desk.answering(() => successText(INFO).replace('R1', 'R2'), { profileOver: once });
      assert.equal(await kindOf(forged.client.call('acct/queryInfo', ASK)), 'SignatureWrong');
    },
  },
  'SIG-12': {
    harmless: async (caller) => {
      const envelope = md5Signed(caller.members(caller.ask), 'a-wrong-secret', caller.credential.secretName);
      requireRefusal(await caller.send('acct/queryInfo', envelope));
    },
    sandbox: async (bench) => {
      const biz = payBiz(bench);
      await bench.refusesSent('division/pay', md5Signed(bench.members(biz), 'a-wrong-secret'));
      await bench.refuses('division/query', { outBatchNo: biz['outBatchNo'] });
    },
  },
  'SIG-13': {
    harmless: async (caller) => {
      const wrong = md5Signed(caller.members({}), 'a-wrong-secret', caller.credential.secretName);
      const both = requireRefusal(await caller.send('acct/queryInfo', wrong));
      const complete = md5Signed(caller.members(caller.ask), 'a-wrong-secret', caller.credential.secretName);
      const signature = requireRefusal(await caller.send('acct/queryInfo', complete));
      const parameter = await caller.refuses('acct/queryInfo', {});
      assert.equal(both.envelope['code'], signature.envelope['code']);
      assert.notEqual(both.envelope['msg'], parameter.envelope['msg']);
    },
  },
  'SIG-14': {
    sandbox: async (bench) => {
      const signed = bench.signed(bench.members(ASK));
      bench.requireSuccess(
        await bench.send('acct/queryInfo', { ...signed, sign: String(signed['sign']).toLowerCase() }),
      );
      await bench.switches({ md5Case: 'lower' });
      const { envelope } = await bench.post('acct/queryInfo', ASK);
      assert.match(String(envelope['sign']), /^[0-9a-f]{32}$/);
    },
    client: async (desk) => {
      const key = { secret: 'as_test_001', secretName: 'appSecret', md5Case: 'upper' as const };
      const text = textToSign(VECTOR_B);
      assert.ok(md5Verify(text, SIGN_B, key) && md5Verify(text, SIGN_B.toLowerCase(), key));
      const whole = JSON.parse(successText(INFO)) as Record<string, string>;
      const lower = JSON.stringify({ ...whole, sign: whole['sign']?.toLowerCase() });
      const { client } = await desk.answering(() => lower);
      assert.equal(await kindOf(client.call('acct/queryInfo', ASK)), 'accepted');
    },
  },
  'SIG-15': {
    sandbox: async (bench) => {
      const members = bench.members(ASK);
      const wrong = await bench.refusesSent('acct/queryInfo', md5Signed(members, 'a-wrong-secret'));
      assert.doesNotMatch(wrong.text, /[0-9a-f]{32}/i, 'the right sign is not told');
      bench.requireSuccess(await bench.send('acct/queryInfo', bench.signed(members)));
    },
  },
};
