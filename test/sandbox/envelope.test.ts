/** ENV: the envelope as a caller meets it, with the sandbox's clock standing at noon. */
import { describe, expect, test } from 'vitest';

import {
  API_KEY,
  APP_ID,
  APP_SECRET,
  answered,
  ask,
  isRefusal,
  md5Signed,
  members,
  PATHS,
  PREFIX,
  sandboxAtNoon,
  send,
} from './caller.ts';
import type { Members } from './caller.ts';

const INFO = { accountNo: '100001' };

function withAccount(options: Parameters<typeof sandboxAtNoon>[0] = {}) {
  const sandbox = sandboxAtNoon(options);
  sandbox.seedAccounts([{ accountNo: '100001', balanceFen: 10_000 }]);
  return sandbox;
}

describe('transport', () => {
  const signed = (): string => JSON.stringify(md5Signed(members(INFO)));

  test('ENV-01: a GET executes nothing', () => {
    const sandbox = withAccount();
    const body = signed();
    const request = { path: `${PREFIX}/acct/queryInfo`, contentType: 'application/json', body };
    expect(sandbox.answer({ ...request, method: 'GET' }).status).toBe(405);
    expect(answered(sandbox.answer({ ...request, method: 'POST' })).ok).toBe(true);
  });

  test.each([
    ['application/json', true],
    ['application/json; charset=utf-8', true],
    ['application/json;charset=UTF-8', true],
    ['application/x-www-form-urlencoded', false],
    ['application/json; charset=gbk', false],
    ['', false],
  ])('ENV-02: content-type "%s" is taken: %s', (contentType, taken) => {
    const path = `${PREFIX}/acct/queryInfo`;
    const reply = answered(withAccount().answer({ method: 'POST', path, contentType, body: signed() }));
    expect(reply.ok).toBe(taken);
  });

  test.each(PATHS)('ENV-03, ENV-04, VER-02: %s answers an envelope below the prefix', (path) => {
    const reply = ask(withAccount(), path, {});
    expect(reply.status).toBe(200);
    expect(typeof reply.envelope['code']).toBe('string');
    expect(reply.envelope['msg']).not.toBe('');
  });

  test.each([
    '/acct/queryInfo',
    `${PREFIX}/division/refundQuery`,
    `${PREFIX}/control/clock`,
    '/',
    `${PREFIX}/acct/queryInfo/`,
  ])('ENV-03, ENV-04: %s is no path of the service', (path) => {
    const reply = answered(
      withAccount().answer({ method: 'POST', path, contentType: 'application/json', body: signed() }),
    );
    expect(reply.status).toBe(404);
    expect(isRefusal(reply)).toBe(true);
  });

  test('SMS-01: sendMsg under another channel code is no path', () => {
    expect(ask(withAccount(), 'acct/sendMsg/OTHER', {}).status).toBe(404);
  });

  test.each(['', 'x', '[]', 'null', '"a"', '{"apiKey":'])(
    'a body that is no JSON object is refused: %s',
    (body) => {
      expect(isRefusal(send(withAccount(), 'acct/queryInfo', body))).toBe(true);
    },
  );
});

describe('credentials', () => {
  test('ENV-05: a request without apiKey and appId is refused', () => {
    const { apiKey: _, ...rest } = members(INFO);
    expect(isRefusal(send(withAccount(), 'acct/queryInfo', md5Signed(rest)))).toBe(true);
  });

  test.each([
    { apiKey: 'unknown' },
    { apiKey: 5 },
    { appId: 'ak_sandbox_main' },
    { apiKey: 'app_sandbox_main' },
  ])('ENV-05: an unknown credential is refused: %o', (credential) => {
    expect(isRefusal(ask(withAccount(), 'acct/queryInfo', INFO, credential))).toBe(true);
  });

  test('ENV-06: with both credentials the rules and the secret of apiKey hold', () => {
    const both = members(INFO, { ...API_KEY, ...APP_ID });
    const { appId: _, ...asApiKey } = both;
    const { sign } = md5Signed(asApiKey);
    expect(send(withAccount(), 'acct/queryInfo', { ...both, sign }).ok).toBe(true);
    expect(isRefusal(send(withAccount(), 'acct/queryInfo', md5Signed(both, APP_SECRET)))).toBe(true);
    expect(
      isRefusal(ask(withAccount(), 'acct/queryInfo', INFO, { ...API_KEY, ...APP_ID, signType: 'RSA2' })),
    ).toBe(true);
  });

  test('ENV-07: APIkey is a credential for vouchers only, signed under the name it has', () => {
    const alias = { APIkey: 'ak_sandbox_main' };
    const voucher = ask(withAccount(), 'get/transFiles', { transType: '1', orderNo: 'x' }, alias);
    expect(voucher.envelope['msg']).toContain('no such order');
    expect(ask(withAccount(), 'acct/queryInfo', INFO, alias).envelope['msg']).toContain('apiKey or appId');
  });

  test.each([API_KEY, { ...APP_ID }])(
    'ENV-08: refunds are asked for under either credential: %o',
    (credential) => {
      const secret = 'appId' in credential ? APP_SECRET : undefined;
      const reply = send(withAccount(), 'division/refund', md5Signed(members({}, credential), secret));
      expect(reply.envelope['msg']).toContain('outOrderNos');
    },
  );

  test('ENV-28: data of one credential is invisible to another', () => {
    const other = md5Signed(members(INFO, { apiKey: 'ak_sandbox_other' }), 'synthetic-api-secret-other');
    const reply = send(withAccount(), 'acct/queryInfo', other);
    expect(reply.envelope['msg']).toContain('not found');
  });

  test('ENV-28: both credentials of one company see the same account', () => {
    const reply = send(withAccount(), 'acct/queryInfo', md5Signed(members(INFO, APP_ID), APP_SECRET));
    expect(reply.biz['balance']).toBe(10_000);
  });
});

describe('members', () => {
  const refusedWith = (over: Members): boolean => isRefusal(ask(withAccount(), 'acct/queryInfo', INFO, over));

  test.each([undefined, '', null, 5])('ENV-09: sign %o is refused', (sign) => {
    expect(isRefusal(send(withAccount(), 'acct/queryInfo', { ...members(INFO), sign }))).toBe(true);
  });

  test.each(['md5', 'SHA256', 'RSA', '', undefined, 'RSA2'])(
    'ENV-10: signType %o with apiKey is refused',
    (signType) => {
      expect(refusedWith({ signType })).toBe(true);
    },
  );

  test.each([{ accountNo: '100001' }, ['a'], 5])(
    'ENV-11: bizData that is no string is refused: %o',
    (bizData) => {
      const signed = md5Signed({ ...members(INFO), bizData: JSON.stringify(bizData) });
      expect(isRefusal(send(withAccount(), 'acct/queryInfo', { ...signed, bizData }))).toBe(true);
    },
  );

  test.each(['', 'x', '[]', '"a"', 'null', '{'])('ENV-11: bizData text %o is refused', (bizData) => {
    expect(isRefusal(ask(withAccount(), 'acct/queryInfo', bizData))).toBe(true);
  });

  test.each([
    '2026030112000',
    '1772337600000',
    '2026-03-01 12:00:00',
    '20261301120000',
    '20260230120000',
    '',
    undefined,
  ])('ENV-12: reqTime %o is refused', (reqTime) => {
    expect(refusedWith({ reqTime })).toBe(true);
  });

  test.each([
    ['20260301115950', true],
    ['20260301115949', false],
    ['20260301120010', true],
    ['20260301120011', false],
  ])('ENV-13, LIM-02: reqTime %s at noon is taken: %s', (reqTime, taken) => {
    expect(ask(withAccount(), 'acct/queryInfo', INFO, { reqTime }).ok).toBe(taken);
  });

  test('U19: the tenth second can be switched off', () => {
    const sandbox = withAccount({ switches: { reqTimeInclusive: false } });
    expect(ask(sandbox, 'acct/queryInfo', INFO, { reqTime: '20260301115950' }).ok).toBe(false);
    expect(ask(sandbox, 'acct/queryInfo', INFO, { reqTime: '20260301115951' }).ok).toBe(true);
  });

  test.each(['2.0', '1', '', undefined, 1])('ENV-14, VER-01: version %o is refused', (version) => {
    expect(refusedWith({ version })).toBe(true);
  });

  test.each([
    ['', false],
    ['x'.repeat(40), true],
    ['x'.repeat(41), false],
    [undefined, false],
    [7, false],
  ])('ENV-15, LIM-01: reqId %o is taken: %s', (reqId, taken) => {
    expect(ask(withAccount(), 'acct/queryInfo', INFO, { reqId }).ok).toBe(taken);
  });
});
