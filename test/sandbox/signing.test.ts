/** SIG: signatures both ways, made and checked by the caller's own means. */
import { generateKeyPairSync } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import {
  API_SECRET,
  APP_ID,
  ask,
  isRefusal,
  md5,
  md5Signed,
  members,
  rsaSigned,
  sandboxAtNoon,
  send,
  textToSign,
} from './caller.ts';
import type { Answered, Members } from './caller.ts';
import type { SwitchesPatch } from '../../src/sandbox/control/switches.ts';

const INFO = { accountNo: '100001' };
const RESPONSE_MEMBERS = ['code', 'msg', 'timestamp', 'signType', 'bizData'];

function withAccount(switches: SwitchesPatch = {}) {
  const sandbox = sandboxAtNoon({ switches });
  sandbox.seedAccounts([{ accountNo: '100001' }]);
  return sandbox;
}

function newPair() {
  return generateKeyPairSync('rsa', { modulusLength: 2048 });
}

function signatureRefused(reply: Answered): boolean {
  return isRefusal(reply) && String(reply.envelope['msg']).includes('signature');
}

describe('requests', () => {
  test('SIG-02, SIG-04, SIG-05: the reference vectors A1, A2 and B are what is accepted', () => {
    expect(
      md5(
        'apiKey=ak_test_001&bizData={"accountNo":"100001"}&reqId=r0000000000000000000000000000001&reqTime=20260301120000&signType=MD5&version=1.0&appSecret=sk_test_001',
      ),
    ).toBe('A56F69AAB561360A1669E3CF6FFDC1D2');
    const sandbox = sandboxAtNoon({
      credentials: [
        { mode: 'apiKey', id: 'ak_test_001', secret: 'sk_test_001', merchant: 'main' },
        { mode: 'appId', id: 'app_test_001', secret: 'as_test_001', merchant: 'main' },
      ],
    });
    sandbox.seedAccounts([{ accountNo: '100001' }]);
    const a = {
      apiKey: 'ak_test_001',
      bizData: '{"accountNo":"100001"}',
      reqId: 'r0000000000000000000000000000001',
      reqTime: '20260301120000',
      signType: 'MD5',
      version: '1.0',
    };
    expect(send(sandbox, 'acct/queryInfo', { ...a, sign: 'A56F69AAB561360A1669E3CF6FFDC1D2' }).ok).toBe(true);
    sandbox.reset();
    sandbox.seedAccounts([{ accountNo: '100001' }]);
    expect(send(sandbox, 'acct/queryInfo', { ...a, sign: 'A404B3E497D93B41C73EBC2CEA24BC8C' }).ok).toBe(true);
    const b = {
      appId: 'app_test_001',
      bizData: '{"outBatchNo":"B1","remark":"测试"}',
      reqId: 'r0000000000000000000000000000002',
      reqTime: '20260301120001',
      signType: 'MD5',
      version: '1.0',
      sign: '8E985AB99E5FA728F927DBA37615FC92',
    };
    expect(send(sandbox, 'division/query', b).envelope['msg']).toContain('batch not found');
  });

  test('U1: another name of the secret, or none, is taken when the switch says so', () => {
    const sandbox = withAccount({ secretNames: { apiKey: ['key', ''], app: ['appSecret'] } });
    expect(send(sandbox, 'acct/queryInfo', md5Signed(members(INFO), API_SECRET, 'key')).ok).toBe(true);
    expect(send(sandbox, 'acct/queryInfo', md5Signed(members(INFO), API_SECRET, '')).ok).toBe(true);
    expect(send(sandbox, 'acct/queryInfo', md5Signed(members(INFO))).ok).toBe(false);
  });

  test('U3: the RSA keys can be given; without keys RSA2 verifies nothing', () => {
    const [client, platform] = [newPair(), newPair()];
    const given = sandboxAtNoon({
      rsa: { clientPublicKey: client.publicKey, platformPrivateKey: platform.privateKey },
    });
    given.seedAccounts([{ accountNo: '100001' }]);
    const pem = client.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const signed = (): Members => rsaSigned(members(INFO, { ...APP_ID, signType: 'RSA2' }), pem);
    expect(send(given, 'acct/queryInfo', signed()).ok).toBe(true);
    expect(() => given.clientRsaKeys()).toThrow('were given');
    expect(signatureRefused(send(withAccount(), 'acct/queryInfo', signed()))).toBe(true);
  });

  test('SIG-12, SIG-13: a wrong secret is said before a missing parameter', () => {
    const both = md5Signed(members({}), 'not the secret');
    expect(signatureRefused(send(withAccount(), 'acct/queryInfo', both))).toBe(true);
    const stale = md5Signed(members({}, { reqTime: '20200101000000', version: '9' }), 'not the secret');
    expect(signatureRefused(send(withAccount(), 'acct/queryInfo', stale))).toBe(true);
    const { bizData: _, ...without } = members({});
    expect(
      signatureRefused(send(withAccount(), 'acct/queryInfo', md5Signed(without, 'not the secret'))),
    ).toBe(true);
  });
});

describe('answers', () => {
  const expected = (envelope: Members, names: readonly string[], secretName = 'appSecret'): string =>
    md5(`${textToSign(envelope, names)}&${secretName}=${API_SECRET}`);

  test('SIG-10: a refusal of a caller who is known is signed too', () => {
    const { envelope } = ask(withAccount(), 'acct/queryInfo', { accountNo: 'nobody' });
    expect(envelope['sign']).toBe(expected(envelope, ['code', 'msg', 'timestamp', 'signType']));
  });

  test('SIG-05: the answer names the secret as the request did', () => {
    const signed = md5Signed(members(INFO), API_SECRET, 'apiSecret');
    const { envelope } = send(withAccount(), 'acct/queryInfo', signed);
    expect(envelope['sign']).toBe(expected(envelope, RESPONSE_MEMBERS, 'apiSecret'));
  });

  test('U4: the signature can cover bizData alone, or be left out', () => {
    const only = ask(withAccount({ responseSignFields: ['bizData'] }), 'acct/queryInfo', INFO);
    expect(only.envelope['sign']).toBe(expected(only.envelope, ['bizData']));
    const unsigned = ask(withAccount({ signAnswers: false }), 'acct/queryInfo', INFO);
    expect(unsigned.ok).toBe(true);
    expect(unsigned.envelope).not.toHaveProperty('sign');
  });
});
