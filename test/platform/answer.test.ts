/** Answers that are envelopes: what is accepted, refused, or wrongly signed (ENV-18…23, SIG-10, N8…N10). */
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';

import { OutcomeUnknown, SignatureWrong } from '../../src/core/errors.ts';
import { openCredentials } from '../../src/platform/credentials.ts';
import { rsa2Sign } from '../../src/platform/sign.ts';
import { failureOf, open } from './answer-opening.ts';
import { appCredentials, envelopeText, refusalText, signMembers, successText } from './platform-server.ts';
import { fc, runs } from '../helpers/properties.ts';

const UNSIGNED = JSON.stringify({
  code: '000000',
  msg: '',
  timestamp: '20260301120002',
  bizData: '{"total":0}',
});
const UNSIGNED_REFUSAL = JSON.stringify({ code: 'A001', msg: '订单不存在' });

describe('accepted', () => {
  test('SIG-10: the reference answer R, over all members', () => {
    const members = { bizData: '{"state":"SUCCESS"}', code: '000000', msg: '成功', signType: 'MD5' };
    const text = JSON.stringify({
      ...members,
      timestamp: '20260301120002',
      sign: '00c57390fdf951404adb22783eaf01b9',
      bizTypo: '',
    });
    expect(open(text)).toEqual({
      kind: 'accepted',
      biz: { state: 'SUCCESS' },
      bizText: '{"state":"SUCCESS"}',
      signed: true,
      timestamp: '2026-03-01T04:00:02.000Z',
      timestampSigned: true,
    });
  });

  test('U4: the reference answer R, over bizData alone; then its time is not proven', () => {
    const text = JSON.stringify({
      bizData: '{"state":"SUCCESS"}',
      code: '000000',
      timestamp: '20260301120002',
      sign: 'D75A448ACED827FA89D5A003B001A317',
    });
    expect(failureOf(text)).toBeInstanceOf(SignatureWrong);
    expect(open(text, { profile: { signing: { response: { fields: ['bizData'] } } } })).toMatchObject({
      kind: 'accepted',
      signed: true,
      timestamp: '2026-03-01T04:00:02.000Z',
      timestampSigned: false,
    });
  });

  test('U4: a signature that leaves bizData out proves nothing', () => {
    const signing = { response: { fields: ['code'] }, requireResponseSign: 'never' };
    const text = JSON.stringify({ code: '000000', bizData: '{}', sign: signOfCode() });
    expect(open(text, { profile: { signing } })).toMatchObject({ kind: 'accepted', signed: false });
  });

  test.each([
    ['bizData', { kind: 'accepted', signed: false }],
    ['timestamp', { kind: 'accepted', signed: true, timestampSigned: false }],
  ])('U4: nor does one over all members but those that the profile leaves out: %s', (name, expected) => {
    const signing = { exclude: ['sign', name], requireResponseSign: 'never' };
    const members = { code: '000000', bizData: '{}', timestamp: '20260301120002' };
    const text = JSON.stringify({ ...members, sign: signOver(members, name) });
    expect(open(text, { profile: { signing } })).toMatchObject(expected);
  });

  test.each([
    [['code', 'msg', 'timestamp'], true],
    [['bizData', 'code', 'msg'], true],
    [['bizData', 'code'], false],
    [['bizData', 'msg'], false],
    [['bizData'], false],
  ])('U4: a refusal is signed where its code and message are: %j', (fields, signed) => {
    const members = { code: 'A001', msg: '订单不存在', bizData: '{}', timestamp: '20260301120002' };
    const left = Object.keys(members).filter((name) => !fields.includes(name));
    const text = JSON.stringify({ ...members, sign: signOver(members, ...left) });
    const signing = { response: { fields }, requireResponseSign: 'never' };
    expect(open(text, { profile: { signing } })).toMatchObject({ kind: 'refused', signed });
    const others = { exclude: ['sign', ...left], requireResponseSign: 'never' };
    expect(open(text, { profile: { signing: others } })).toMatchObject({ kind: 'refused', signed });
  });

  test('SIG-08: an answer signed by RSA2, whatever signType it states', () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const credentials = openCredentials({
      apiKey: undefined,
      appId: 'app_test_001',
      signType: 'RSA2',
      secret: undefined,
      privateKeyText: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      publicKeyText: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    });
    const sign = rsa2Sign('bizData={"a":1}&code=000000&signType=MD5', privateKey);
    const text = JSON.stringify({ code: '000000', signType: 'MD5', bizData: '{"a":1}', sign });
    expect(open(text, { credentials })).toMatchObject({ kind: 'accepted', signed: true });
    expect(failureOf(successText({ a: 1 }), { credentials })).toBeInstanceOf(SignatureWrong);
  });

  test('ENV-25: an unquoted number of 19 digits and a fraction keep what was written', () => {
    const bizData = '{"recordId":1934567890123456789,"amount":12.50}';
    const opened = open(envelopeText({ code: '000000', bizData }));
    expect(opened).toMatchObject({
      biz: { recordId: '1934567890123456789', amount: '12.50' },
      bizText: bizData,
    });
  });

  test('VER-03: unknown members of the envelope are signed like the others and passed over', () => {
    expect(open(envelopeText({ code: '000000', bizData: '{}', traceId: 'x' }))).toMatchObject({
      signed: true,
    });
  });

  test('U43: an envelope counts under any status', () => {
    for (const status of [200, 201, 400, 404, 500, 502]) {
      expect(open({ status, text: successText({}) })).toMatchObject({ kind: 'accepted', signed: true });
    }
  });
});

function signOver(members: Readonly<Record<string, string>>, ...left: readonly string[]): string {
  const names = Object.keys(members).filter((name) => !left.includes(name));
  const text = names
    .toSorted()
    .map((name) => `${name}=${members[name]}`)
    .join('&');
  return appCredentials().sign(text, { secretName: 'appSecret', md5Case: 'upper' });
}

function signOfCode(): string {
  return appCredentials().sign('code=000000', { secretName: 'appSecret', md5Case: 'upper' });
}

describe('the signature', () => {
  test('ENV-20, N8: every change of one character of bizData is refused, and bizData is never parsed', () => {
    const biz = { total: 1, depositList: [{ orderNo: 'D1', amount: 10_000, remark: '货款' }] };
    const envelope = JSON.parse(successText(biz)) as { bizData: string };
    const index = fc.nat({ max: envelope.bizData.length - 1 });
    fc.assert(
      fc.property(index, fc.string({ minLength: 1, maxLength: 1, unit: 'binary' }), (at, character) => {
        const bizData = `${envelope.bizData.slice(0, at)}${character}${envelope.bizData.slice(at + 1)}`;
        fc.pre(bizData !== envelope.bizData);
        expect(failureOf(JSON.stringify({ ...envelope, bizData }))).toBeInstanceOf(SignatureWrong);
      }),
      { numRuns: runs(300) },
    );
  });

  test.each(['code', 'msg', 'timestamp', 'signType', 'sign'])('N8: a changed %s is refused', (name) => {
    const envelope = JSON.parse(successText({ a: 1 })) as Record<string, string>;
    const changed = { ...envelope, [name]: `${envelope[name]}0` };
    expect(failureOf(JSON.stringify(changed))).toBeInstanceOf(SignatureWrong);
  });

  test('N8: a sign that is no text is wrong, not absent', () => {
    for (const sign of [0, true, {}, []]) {
      expect(failureOf(JSON.stringify({ ...JSON.parse(UNSIGNED), sign }))).toBeInstanceOf(SignatureWrong);
    }
  });

  test('SIG-10, U4: unsigned passes as long as the platform never signed, or as configured', () => {
    const rule = (requireResponseSign: string) => ({ signing: { requireResponseSign } });
    expect(open(UNSIGNED)).toMatchObject({ kind: 'accepted', signed: false, timestampSigned: false });
    expect(open(UNSIGNED, { profile: rule('never'), everSigned: true })).toMatchObject({ signed: false });
    expect(failureOf(UNSIGNED, { everSigned: true })).toBeInstanceOf(SignatureWrong);
    expect(failureOf(UNSIGNED, { profile: rule('always') })).toBeInstanceOf(SignatureWrong);
    for (const sign of [null, '']) {
      const text = JSON.stringify({ ...JSON.parse(UNSIGNED), sign });
      const failure = failureOf(text, { everSigned: true });
      expect(failure).toBeInstanceOf(SignatureWrong);
      expect(failure).toHaveProperty('message', 'division/query: the answer is not signed, and it must be');
    }
  });

  test('a wrong signature is refused even where none is required', () => {
    const text = JSON.stringify({ ...JSON.parse(UNSIGNED), sign: 'A'.repeat(32) });
    const profile = { signing: { requireResponseSign: 'never' } };
    expect(failureOf(text, { profile })).toBeInstanceOf(SignatureWrong);
  });

  test('N10: an answer with a member that comes twice is none, however it is signed; __proto__ stays a name', () => {
    const twice = successText({ a: 1 }).replace('{', '{"bizData":"{\\"a\\":2}",');
    expect(failureOf(twice)).toBeInstanceOf(OutcomeUnknown);
    const forged = successText({ a: 1 }).replace('{', '{"__proto__":{"code":"000000"},');
    expect(failureOf(forged)).toBeInstanceOf(SignatureWrong);
  });
});

describe('refused', () => {
  test('ENV-23: code and msg as given, with their class', () => {
    expect(open(refusalText('A001', '订单不存在'))).toEqual({
      kind: 'refused',
      code: 'A001',
      msg: '订单不存在',
      class: 'NOT_FOUND',
      signed: true,
      timestamp: '2026-03-01T16:00:00.000Z',
      timestampSigned: true,
      retryAfterMs: undefined,
    });
  });

  test('ENV-18: "0", "200" and "" are no success', () => {
    for (const code of ['0', '200', '', '00000', '000000 ', 'SUCCESS']) {
      expect(open(refusalText(code, 'ok'))).toMatchObject({
        kind: 'refused',
        code: code.replace(' ', '?'),
      });
    }
  });

  test('an unsigned refusal is a refusal and says so; a wrongly signed one is not', () => {
    expect(open(UNSIGNED_REFUSAL, { everSigned: true })).toMatchObject({ kind: 'refused', signed: false });
    const forged = refusalText('A001', '订单不存在').replace('A001', 'A002');
    expect(failureOf(forged)).toBeInstanceOf(SignatureWrong);
  });

  test('N6: HTTP 429 is a rate limit whatever the words, with the time the platform wishes', () => {
    expect(open({ status: 429, retryAfterMs: 7_000, text: refusalText('X', 'no') })).toMatchObject({
      class: 'RATE_LIMIT',
      retryAfterMs: 7_000,
    });
  });

  test('U43: an unsigned envelope of a failing gateway leaves a changing call unknown, a query refused', () => {
    const answer = { status: 502, text: UNSIGNED_REFUSAL };
    for (const status of [500, 502]) {
      const settled = failureOf({ ...answer, status }, { endpoint: 'order/settle' });
      expect(settled).toBeInstanceOf(OutcomeUnknown);
    }
    expect(open(answer, { endpoint: 'division/query' })).toMatchObject({ kind: 'refused', signed: false });
  });

  test('U43: an unsigned refusal of a changing call is one where no gateway failed, and a signed one always', () => {
    const settle = { endpoint: 'order/settle' } as const;
    expect(open({ status: 499, text: UNSIGNED_REFUSAL }, settle)).toMatchObject({
      kind: 'refused',
      signed: false,
    });
    expect(open({ status: 502, text: refusalText('A001', 'no') }, settle)).toMatchObject({
      kind: 'refused',
      signed: true,
    });
  });

  test.each([null, ''])('N8: a refusal with the sign %j is not signed', (sign) => {
    const text = JSON.stringify({ ...JSON.parse(UNSIGNED_REFUSAL), sign });
    expect(open(text, { everSigned: true })).toMatchObject({ kind: 'refused', signed: false });
  });

  test('a code is kept as one short word', () => {
    expect(open(refusalText(`A${'1'.repeat(40)}`, 'no'))).toMatchObject({ code: `A${'1'.repeat(31)}` });
  });

  test('a null is no value: signed as if it were not there, and read as no words', () => {
    const members = { code: 'A001', timestamp: '20260301120002' };
    const signing = { dropEmpty: false };
    const text = JSON.stringify({ ...members, msg: null, sign: signMembers(members) });
    expect(open(text, { profile: { signing } })).toMatchObject({ kind: 'refused', code: 'A001', msg: '' });
  });

  test('SIG-10: a signature never covers itself, whatever is left out besides', () => {
    const members = { code: 'A001', msg: 'no' };
    const text = JSON.stringify({ ...members, sign: signMembers(members) });
    expect(open(text, { profile: { signing: { exclude: [] } } })).toMatchObject({ signed: true });
  });
});
