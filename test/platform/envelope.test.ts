/** What leaves: one envelope, its bizData serialised once, signed as sent, without the secret. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';

import { openCredentials } from '../../src/platform/credentials.ts';
import type { EndpointName } from '../../src/platform/contract.ts';
import { sealRequest } from '../../src/platform/envelope.ts';
import { appCredentials, profileOf, SECRET, signMembers } from './platform-server.ts';

const STAMP = { reqId: 'r0000000000000000000000000000002', reqTime: '20260301120001' };
const KEY_CREDENTIALS = openCredentials({
  apiKey: 'ak_test_001',
  appId: undefined,
  signType: 'MD5',
  secret: 'sk_test_001',
  privateKeyText: undefined,
  publicKeyText: undefined,
});

function sealed(biz: object, options: { profile?: object; endpoint?: EndpointName } = {}) {
  const { profile = {}, endpoint = 'division/query' } = options;
  const rules = { profile: profileOf(profile), credentials: appCredentials(), endpoint };
  return JSON.parse(sealRequest(rules, STAMP, biz)) as Record<string, string>;
}

describe('sealRequest', () => {
  test('SIG-04: the envelope of vector B', () => {
    expect(sealed({ outBatchNo: 'B1', remark: '测试' })).toEqual({
      appId: 'app_test_001',
      bizData: '{"outBatchNo":"B1","remark":"测试"}',
      reqId: 'r0000000000000000000000000000002',
      reqTime: '20260301120001',
      signType: 'MD5',
      version: '1.0',
      sign: '8E985AB99E5FA728F927DBA37615FC92',
    });
  });

  test('SIG-05, U1: the name of the secret is configured for a mode and for single endpoints', () => {
    const biz = { accountNo: '100001' };
    const stamp = { reqId: 'r0000000000000000000000000000001', reqTime: '20260301120000' };
    const signOf = (signing: object, endpoint: EndpointName = 'acct/queryInfo') => {
      const rules = { profile: profileOf({ signing }), credentials: KEY_CREDENTIALS, endpoint };
      return (JSON.parse(sealRequest(rules, stamp, biz)) as Record<string, string>)['sign'];
    };
    expect(signOf({})).toBe('A56F69AAB561360A1669E3CF6FFDC1D2');
    expect(signOf({ secretName: { apiKey: 'apiSecret' } })).toBe('A404B3E497D93B41C73EBC2CEA24BC8C');
    expect(signOf({ secretName: { apiKey: '' } })).toBe('68B7864173363C9BA2BFAA0195EA6717');
    expect(signOf({ md5Case: 'lower' })).toBe('a56f69aab561360a1669e3cf6ffdc1d2');
    const settleOnly = { secretNameByPath: { 'order/settle': 'apiSecret' } };
    expect(signOf(settleOnly, 'order/settle')).toBe('A404B3E497D93B41C73EBC2CEA24BC8C');
    expect(signOf(settleOnly)).toBe('A56F69AAB561360A1669E3CF6FFDC1D2');
  });

  test('SIG-01: what is left out of signing is sent, and not covered by the signature', () => {
    const exclude = ['sign', 'version'];
    const { sign, version, ...covered } = sealed({ a: 1 }, { profile: { signing: { exclude } } });
    expect(version).toBe('1.0');
    expect(sign).toBe(signMembers(covered));
  });

  test('SIG-05, U1: the secret of an application has its own name', () => {
    const signing = { secretName: { apiKey: 'apiSecret', app: '' } };
    const { sign, ...members } = sealed({ a: 1 }, { profile: { signing } });
    const text = Object.keys(members)
      .toSorted()
      .map((name) => `${name}=${members[name]}`);
    const digest = createHash('md5')
      .update(`${text.join('&')}&${SECRET}`)
      .digest('hex');
    expect(sign).toBe(digest.toUpperCase());
  });

  test('ENV-07, U6: APIkey is sent and signed under that name where configured', () => {
    const profile = profileOf({ envelope: { credentialNameByPath: { 'get/transFiles': 'APIkey' } } });
    const seal = (endpoint: EndpointName) => {
      const text = sealRequest({ profile, credentials: KEY_CREDENTIALS, endpoint }, STAMP, { a: 1 });
      return JSON.parse(text) as Record<string, string>;
    };
    const { sign, ...members } = seal('get/transFiles');
    expect(members).toMatchObject({ APIkey: 'ak_test_001' });
    expect(members).not.toHaveProperty('apiKey');
    expect(sign).toBe(signMembers(members, 'sk_test_001'));
    expect(seal('acct/queryInfo')).toMatchObject({ apiKey: 'ak_test_001' });
  });

  test('ENV-06: app mode never sends an apiKey, and no mode the secret', () => {
    const envelope = sealed(
      {},
      { profile: { envelope: { credentialNameByPath: { 'division/query': 'APIkey' } } } },
    );
    expect(Object.keys(envelope).toSorted()).toEqual(
      ['appId', 'bizData', 'reqId', 'reqTime', 'sign', 'signType', 'version'].toSorted(),
    );
    expect(JSON.stringify(envelope)).not.toContain(SECRET);
  });

  test('ENV-11, ENV-24: bizData is one string; fen are JSON integers, and absent members stay away', () => {
    const biz = { amount: 123_456_789_012n, payMethod: undefined, orderList: '[{"amount":"1"}]' };
    expect(sealed(biz)['bizData']).toBe('{"amount":123456789012,"orderList":"[{\\"amount\\":\\"1\\"}]"}');
    expect(() => sealed({ amount: 9_007_199_254_740_992n })).toThrow('Bug');
  });

  test('ENV-30: a lone surrogate travels as an escape, so that what is signed is what arrives', () => {
    expect(sealed({ remark: '\ud800' })['bizData']).toBe('{"remark":"\\ud800"}');
  });
});
