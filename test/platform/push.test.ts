/** Pushes are read as they were received: the signature first, and nothing believed but who signed (SIG-11, EVT-07). */
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';

import { openCredentials } from '../../src/platform/credentials.ts';
import type { Credentials } from '../../src/platform/credentials.ts';
import { readPush } from '../../src/platform/push.ts';
import type { PushHint } from '../../src/platform/push.ts';
import { md5Sign, rsa2Sign, piecesToSign } from '../../src/platform/sign.ts';
import { profileOf } from './platform-server.ts';
import { fc, runs } from '../helpers/properties.ts';

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded; charset=utf-8';
const SECRET = { secret: 'topsecret', secretName: 'appSecret', md5Case: 'upper' } as const;
const KEYS = { privateKeyText: undefined, publicKeyText: undefined };
const md5: Credentials = openCredentials({
  apiKey: 'ak',
  appId: undefined,
  signType: 'MD5',
  secret: 'topsecret',
  ...KEYS,
});

interface Given {
  contentType?: string;
  profile?: object;
  credentials?: Credentials;
}

function read(body: string | Uint8Array, given: Given = {}): PushHint | 'forged' {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  return readPush(
    { body: bytes, contentType: given.contentType ?? JSON_TYPE },
    { profile: profileOf(given.profile ?? {}), credentials: given.credentials ?? md5 },
  );
}

const all = (members: Record<string, string>): string =>
  piecesToSign(members, { names: Object.keys(members), dropEmpty: true }).join('');

/** Signed as the platform signs its answers. */
function sealed(bizData: string, more: Record<string, string> = {}): Record<string, string> {
  const members = { bizData, signType: 'MD5', timestamp: '20260301090000', ...more };
  return { ...members, sign: md5Sign(all(members), SECRET) };
}

const BATCH = '{"outBatchNo":"B1","batchNo":"N1","state":"SUCCESS"}';
const TRANSFER = { kind: 'transfer', ownNo: 'B1', platformNo: 'N1', accountNo: '', statedState: 'SUCCESS' };
const UNKNOWN = { kind: 'unknown', ownNo: '', platformNo: '', accountNo: '', statedState: '', signed: false };

describe('SIG-11: the signature', () => {
  test('of an envelope is verified over the members as received, whatever their order and letter case', () => {
    const members = sealed(BATCH);
    const turned = Object.fromEntries(Object.entries(members).toReversed());
    const lower = { ...members, sign: members['sign']?.toLowerCase() };
    for (const envelope of [members, turned, lower]) {
      expect(read(JSON.stringify(envelope))).toEqual({ ...TRANSFER, signed: true });
    }
  });

  test('of flat members covers each of them, numbers too', () => {
    const sign = md5Sign('outReqNo=O1&reqNo=R1&state=2', SECRET);
    const flat = JSON.stringify({ reqNo: 'R1', outReqNo: 'O1', state: 2, sign });
    expect(read(flat)).toMatchObject({ kind: 'opening', statedState: '2', signed: true });
    expect(read(flat.replace('"state":2', '"state":3'))).toBe('forged');
  });

  test('of a form is verified over its decoded values', () => {
    const form = new URLSearchParams(sealed('{"outBatchNo":"B 1&2=3","remark":"款"}')).toString();
    expect(read(form, { contentType: FORM })).toMatchObject({ ownNo: 'B 1&2=3', signed: true });
    expect(read(form.replace('B+1', 'B+2'), { contentType: FORM })).toBe('forged');
  });

  test.each<[string, unknown]>([
    ['of another secret', md5Sign(all({ bizData: BATCH }), { ...SECRET, secret: 'another' })],
    ['that is no text', 5],
    ['that is an object', { a: 1 }],
    ['that is blank', ' '],
  ])('%s is forged', (_what, sign) => {
    expect(read(JSON.stringify({ bizData: BATCH, sign }))).toBe('forged');
  });

  test.each([undefined, null, ''])('that is %j is none: the push is unsigned', (sign) => {
    expect(read(JSON.stringify({ bizData: BATCH, sign }))).toEqual({ ...TRANSFER, signed: false });
  });

  test('one changed, added or missing member is forged', () => {
    const members = sealed(BATCH);
    const { timestamp: _left, ...without } = members;
    const changed = [
      { ...members, bizData: BATCH.replace('B1', 'B2') },
      { ...members, bizData: `${BATCH} ` },
      { ...members, code: '000000' },
      without,
    ];
    for (const envelope of changed) expect(read(JSON.stringify(envelope))).toBe('forged');
  });

  test('U3: in RSA2 the platform’s key alone proves it, whatever signType the push states', () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const rsa = openCredentials({
      apiKey: undefined,
      appId: 'app',
      signType: 'RSA2',
      secret: undefined,
      privateKeyText: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      publicKeyText: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    });
    const members = { bizData: BATCH, signType: 'RSA2' };
    const good = JSON.stringify({ ...members, sign: rsa2Sign(all(members), privateKey) });
    expect(read(good, { credentials: rsa })).toEqual({ ...TRANSFER, signed: true });
    expect(read(JSON.stringify(sealed(BATCH)), { credentials: rsa })).toBe('forged');
  });

  test('U4: a list of fields that leaves bizData out proves nothing of it', () => {
    const profile = { signing: { response: { fields: ['timestamp'] } } };
    const members = { bizData: BATCH, timestamp: '20260301090000' };
    const sign = md5Sign('timestamp=20260301090000', SECRET);
    expect(read(JSON.stringify({ ...members, sign }), { profile })).toEqual({ ...TRANSFER, signed: false });
    const flat = { outBatchNo: 'B1', sign: md5Sign('', SECRET) };
    const onlyBusiness = { signing: { response: { fields: ['bizData'] } } };
    expect(read(JSON.stringify(flat), { profile: onlyBusiness })).toMatchObject({ signed: false });
  });
});

describe('U40, U41: what it is about', () => {
  test.each<[string, unknown, Partial<PushHint>]>([
    ['a batch in flat members', { outBatchNo: 'B1', state: 'SUCCESS' }, { kind: 'transfer', ownNo: 'B1' }],
    ['a batch by the platform’s number', { batchNo: 77 }, { kind: 'transfer', platformNo: '77' }],
    ['a state that is a name', { outBatchNo: 'B1', state: '张三' }, { statedState: '' }],
    ['a state that is a sentence', { outBatchNo: 'B1', state: 'SUCCESS for Zhang San' }, { statedState: '' }],
    ['a state that is too long', { outBatchNo: 'B1', state: 'S'.repeat(33) }, { statedState: '' }],
    ['bizData that is an object', { bizData: { outBatchNo: 'B1' } }, { kind: 'transfer', ownNo: 'B1' }],
    [
      'EVT-01: an opening',
      { reqNo: 'R', outReqNo: 'O', state: 2, accountNo: '100001', accountState: '1' },
      { kind: 'opening', ownNo: 'O', platformNo: 'R', accountNo: '100001', statedState: '2' },
    ],
    [
      'EVT-01: a rejection without accountNo',
      { reqNo: 'R', outReqNo: 'O', state: 3, remark: 'no' },
      { kind: 'opening', accountNo: '', statedState: '3' },
    ],
    ['EVT-06: a change', { reqNo: 'R', state: 2, accountNo: '1' }, { kind: 'change', platformNo: 'R' }],
    ['none of them', { hello: 'world' }, UNKNOWN as PushHint],
    ['bizData that is no JSON', { bizData: '{', outBatchNo: 'B1' }, { kind: 'unknown', ownNo: '' }],
    ['a number without end', { outBatchNo: 'x'.repeat(65) }, { kind: 'unknown', ownNo: '' }],
    ['a number with NUL', { outBatchNo: 'a\0b' }, { kind: 'transfer', ownNo: 'a\\u0000b' }],
  ])('%s', (_what, members, hint) => {
    expect(read(JSON.stringify(members))).toMatchObject({ ...hint, signed: false });
  });

  test('long numbers keep their digits', () => {
    expect(read('{"batchNo":1934567890123456789}')).toMatchObject({ platformNo: '1934567890123456789' });
  });

  test.each<[string, string | Uint8Array, string]>([
    ['nothing', '', JSON_TYPE],
    ['no JSON', 'hello', JSON_TYPE],
    ['a list', `[${BATCH}]`, JSON_TYPE],
    ['a text', '"B1"', JSON_TYPE],
    ['depth without end', '['.repeat(60_000), JSON_TYPE],
    ['objects without end', '{"a":'.repeat(5_000) + '1' + '}'.repeat(5_000), JSON_TYPE],
    ['no UTF-8', Uint8Array.of(0x7b, 0xff, 0x7d), JSON_TYPE],
    ['a form that says a thing twice', 'outBatchNo=B1&outBatchNo=B2', FORM],
  ])('%s is of unknown kind', (_what, body, contentType) => {
    expect(read(body, { contentType })).toEqual(UNKNOWN);
  });

  test('a form is one only where its content type says so', () => {
    expect(read('outBatchNo=B1', { contentType: 'text/plain' })).toEqual(UNKNOWN);
    expect(read('outBatchNo=B1', { contentType: FORM })).toMatchObject({ ownNo: 'B1' });
  });

  test('names of the prototype are names like others', () => {
    expect(read('{"__proto__":{"outBatchNo":"B1"},"constructor":1}')).toEqual(UNKNOWN);
  });
});

describe('property', () => {
  test('I10: no bytes are too strange to be read', () => {
    const type = fc.constantFrom(JSON_TYPE, FORM, 'text/xml', '');
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), type, (body, contentType) => {
        expect(read(body, { contentType })).toEqual(UNKNOWN);
      }),
      { numRuns: runs(300) },
    );
  });

  test('SIG-11: no members are too strange to be read, and none of them are signed by nobody', () => {
    const name = fc.constantFrom('bizData', 'sign', 'outBatchNo', 'reqNo', 'state', '__proto__', 'timestamp');
    fc.assert(
      fc.property(fc.dictionary(name, fc.jsonValue()), (members) => {
        const hint = read(JSON.stringify(members));
        if (hint !== 'forged') expect(hint.signed).toBe(false);
      }),
      { numRuns: runs(300) },
    );
  });

  test('SIG-11: whatever byte of a signed push is changed, what it says is as before or it is forged', () => {
    const body = new TextEncoder().encode(JSON.stringify(sealed(BATCH)));
    fc.assert(
      fc.property(fc.nat(body.length - 1), fc.integer({ min: 0, max: 255 }), (at, byte) => {
        const hint = read(body.with(at, byte));
        if (hint !== 'forged' && hint.signed) expect(hint).toEqual({ ...TRANSFER, signed: true });
      }),
      { numRuns: runs(500) },
    );
  });
});
