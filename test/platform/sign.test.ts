/** Signing against the reference vectors of the interface, and both ways by RSA2 (SIG-01…15). */
import { generateKeyPairSync } from 'node:crypto';
import { fc } from '../helpers/properties.ts';
import { describe, expect, test } from 'vitest';

import {
  md5Sign,
  md5Verify,
  readPrivateKey,
  readPublicKey,
  REQUEST_MEMBERS,
  rsa2Sign,
  rsa2Verify,
  piecesToSign,
} from '../../src/platform/sign.ts';

const REQUEST_A = {
  version: '1.0',
  apiKey: 'ak_test_001',
  bizData: '{"accountNo":"100001"}',
  signType: 'MD5',
  reqTime: '20260301120000',
  reqId: 'r0000000000000000000000000000001',
};
const REQUEST_B = {
  appId: 'app_test_001',
  bizData: '{"outBatchNo":"B1","remark":"测试"}',
  reqId: 'r0000000000000000000000000000002',
  reqTime: '20260301120001',
  signType: 'MD5',
  version: '1.0',
};
const ANSWER_R = {
  code: '000000',
  msg: '成功',
  timestamp: '20260301120002',
  signType: 'MD5',
  bizData: '{"state":"SUCCESS"}',
};

const requestText = (members: Record<string, string>) =>
  piecesToSign(members, { names: REQUEST_MEMBERS, dropEmpty: true }).join('');

describe('the reference vectors', () => {
  test('SIG-02: the string to sign is sorted by name, joined raw', () => {
    expect(requestText(REQUEST_A)).toBe(
      'apiKey=ak_test_001&bizData={"accountNo":"100001"}&reqId=r0000000000000000000000000000001&reqTime=20260301120000&signType=MD5&version=1.0',
    );
  });

  test.each([
    ['A1', 'appSecret', 'A56F69AAB561360A1669E3CF6FFDC1D2'],
    ['A2', 'apiSecret', 'A404B3E497D93B41C73EBC2CEA24BC8C'],
    ['A3', 'key', '5016A6DCA2B4D40778F3AB94DAE428D6'],
    ['A4', '', '68B7864173363C9BA2BFAA0195EA6717'],
  ])('SIG-04, SIG-05: vector %s with the secret named "%s"', (_name, secretName, expected) => {
    const key = { secret: 'sk_test_001', secretName, md5Case: 'upper' } as const;
    expect(md5Sign(requestText(REQUEST_A), key)).toBe(expected);
    expect(md5Verify(requestText(REQUEST_A), expected, key)).toBe(true);
  });

  test('SIG-04, ENV-30: vector B with Chinese text', () => {
    const key = { secret: 'as_test_001', secretName: 'appSecret', md5Case: 'upper' } as const;
    expect(md5Sign(requestText(REQUEST_B), key)).toBe('8E985AB99E5FA728F927DBA37615FC92');
  });

  test('SIG-10: vector R over all members, and over bizData alone', () => {
    const key = { secret: 'as_test_001', secretName: 'appSecret', md5Case: 'upper' } as const;
    const all = piecesToSign(ANSWER_R, { names: Object.keys(ANSWER_R), dropEmpty: true });
    expect(md5Sign(all, key)).toBe('00C57390FDF951404ADB22783EAF01B9');
    const bizOnly = piecesToSign(ANSWER_R, { names: ['bizData'], dropEmpty: true });
    expect(md5Sign(bizOnly, key)).toBe('D75A448ACED827FA89D5A003B001A317');
  });
});

describe('MD5', () => {
  const key = { secret: 'as_test_001', secretName: 'appSecret', md5Case: 'lower' } as const;

  test('SIG-14: the configured case is sent, either is accepted, and nothing else', () => {
    const text = requestText(REQUEST_B);
    expect(md5Sign(text, key)).toBe('8e985ab99e5fa728f927dba37615fc92');
    expect(md5Verify(text, '8E985AB99E5FA728F927DBA37615FC92', key)).toBe(true);
    expect(md5Verify(text, '8E985AB99E5FA728F927DBA37615FC93', key)).toBe(false);
    expect(md5Verify(text, '', key)).toBe(false);
    expect(md5Verify(text, '8E985AB99E5FA728F927DBA37615FC92 ', key)).toBe(false);
  });

  test('SIG-01: a change of any signed member breaks the signature', () => {
    const sign = md5Sign(requestText(REQUEST_B), key);
    for (const name of ['appId', 'bizData', 'reqId', 'reqTime', 'signType', 'version'] as const) {
      const changed = { ...REQUEST_B, [name]: `${REQUEST_B[name]}x` };
      expect([name, md5Verify(requestText(changed), sign, key)]).toEqual([name, false]);
    }
  });

  test('U2: empty values are left out or kept as configured; absent ones always left out', () => {
    const members = { b: '', a: '1', c: undefined };
    const names = ['a', 'b', 'c', 'd'];
    expect(piecesToSign(members, { names, dropEmpty: true }).join('')).toBe('a=1');
    expect(piecesToSign(members, { names, dropEmpty: false }).join('')).toBe('a=1&b=');
  });

  test('N10: a member inherited from a prototype is never signed', () => {
    expect(piecesToSign({}, { names: ['toString', '__proto__'], dropEmpty: true })).toEqual([]);
  });

  test('SIG-07: values are signed as they are, whatever they hold', () => {
    const awkward = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(awkward, awkward, (bizData, reqId) => {
        const text = requestText({ bizData: `{${bizData}`, reqId: `r${reqId}` });
        expect(text).toBe(`bizData={${bizData}&reqId=r${reqId}`);
        const pieces = Array.from(text);
        expect(md5Verify(text, md5Sign(text, key), key)).toBe(true);
        expect(md5Sign(pieces, key)).toBe(md5Sign(text, key));
      }),
    );
  });
});

describe('RSA2', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 });

  test('SIG-08: a signature is verified by the public key, over exactly that text', () => {
    const text = requestText({ ...REQUEST_B, signType: 'RSA2' });
    const sign = rsa2Sign(text, privateKey);
    expect(rsa2Verify(text, sign, publicKey)).toBe(true);
    expect(rsa2Verify(`${text}&appSecret=as_test_001`, sign, publicKey)).toBe(false);
    expect(rsa2Verify(text, sign, other.publicKey)).toBe(false);
  });

  test('I8: Base64 with blanks or junk is no signature', () => {
    const sign = rsa2Sign('text', privateKey);
    for (const bad of [`${sign}=`, ` ${sign}`, `${sign}!`, sign.slice(0, -4), '', '!!!']) {
      expect([bad, rsa2Verify('text', bad, publicKey)]).toEqual([bad, false]);
    }
  });

  test('U3: keys are read from PEM and from bare Base64', () => {
    const pems = [
      privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
    ];
    const publics = [
      publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    ];
    for (const [index, pem] of pems.entries()) {
      const sign = rsa2Sign('text', readPrivateKey(pem));
      expect(rsa2Verify('text', sign, readPublicKey(publics[index] ?? ''))).toBe(true);
    }
    expect(() => readPrivateKey('no key')).toThrow(/asn1|DECODER|encoding|key/i);
  });
});
