/** ENV: numbers that are used once, and what an answer looks like. */
import { describe, expect, test } from 'vitest';

import {
  APP_ID,
  APP_SECRET,
  ask,
  isRefusal,
  md5Signed,
  members,
  newReqId,
  NOON_REQ_TIME,
  PATHS,
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

describe('replay', () => {
  const reqId = 'one-number';
  const at = (reqTime: string): Members => ({ reqId, reqTime });

  test('ENV-16, LIM-01: a reqId is used up for ten minutes, on every path', () => {
    const sandbox = withAccount();
    expect(ask(sandbox, 'acct/queryInfo', INFO, { reqId }).ok).toBe(true);
    sandbox.clock.advance(1_000);
    expect(ask(sandbox, 'acct/queryInfo', INFO, at('20260301120001')).envelope['msg']).toContain('duplicate');
    expect(ask(sandbox, 'division/pay', {}, at('20260301120001')).envelope['msg']).toContain('duplicate');
    sandbox.clock.advance(599_000);
    expect(ask(sandbox, 'acct/queryInfo', INFO, at('20260301121000')).ok).toBe(false);
    sandbox.clock.advance(1_000);
    expect(ask(sandbox, 'acct/queryInfo', INFO, at('20260301121001')).ok).toBe(true);
  });

  test('U17: reqIds are apart by credential, or global by switch', () => {
    const other = (): Members => md5Signed(members(INFO, { ...APP_ID, reqId }), APP_SECRET);
    const apart = withAccount();
    ask(apart, 'acct/queryInfo', INFO, { reqId });
    expect(send(apart, 'acct/queryInfo', other()).ok).toBe(true);
    const global = withAccount({ switches: { reqIdScope: 'global' } });
    ask(global, 'acct/queryInfo', INFO, { reqId });
    expect(send(global, 'acct/queryInfo', other()).ok).toBe(false);
  });

  test.each([
    ['verified', true, false],
    ['always', false, false],
    ['never', true, true],
  ] as const)(
    'SIG-15, U17: consumption "%s": the number lives on after a wrong signature %s, after a refusal %s',
    (reqIdConsumedOnRefusal, afterWrongSign, afterRefusal) => {
      const switches = { reqIdConsumedOnRefusal };
      const wrong = withAccount({ switches });
      send(wrong, 'acct/queryInfo', md5Signed(members(INFO, { reqId }), 'not the secret'));
      expect(ask(wrong, 'acct/queryInfo', INFO, { reqId }).ok).toBe(afterWrongSign);
      const refused = withAccount({ switches });
      ask(refused, 'acct/queryInfo', { accountNo: 'nobody' }, { reqId });
      expect(ask(refused, 'acct/queryInfo', INFO, { reqId }).ok).toBe(afterRefusal);
    },
  );
});

describe('answers', () => {
  test('ENV-17, ENV-18, ENV-19: six members, all of them strings', () => {
    const { envelope } = ask(withAccount(), 'acct/queryInfo', INFO);
    expect(Object.keys(envelope).toSorted()).toEqual([
      'bizData',
      'code',
      'msg',
      'sign',
      'signType',
      'timestamp',
    ]);
    expect(Object.values(envelope).every((value) => typeof value === 'string' && value !== '')).toBe(true);
    expect(envelope['code']).toBe('000000');
    expect(envelope['timestamp']).toBe(NOON_REQ_TIME);
  });

  test('ERR-01: a refusal has another code, a reason, and no business data', () => {
    expect(isRefusal(ask(withAccount(), 'acct/queryInfo', { accountNo: 'nobody' }))).toBe(true);
  });

  test('ENV-27: an endpoint that needs a number refuses a call without any', () => {
    expect(isRefusal(ask(withAccount(), 'acct/queryInfo', {}))).toBe(true);
  });

  test('ENV-30: Chinese text signs and verifies', () => {
    expect(ask(withAccount(), 'acct/queryInfo', { ...INFO, remark: '划付测试，含￥与𠮷' }).ok).toBe(true);
  });

  test('ENV-31: business members beside bizData are no business data', () => {
    const body = md5Signed(members({}));
    const reply = send(withAccount(), 'acct/queryInfo', { ...body, accountNo: '100001' });
    expect(isRefusal(reply)).toBe(true);
  });

  test('ENV-32: unknown members of bizData are ignored', () => {
    expect(ask(withAccount(), 'acct/queryInfo', { ...INFO, somethingNew: { deep: [1] } }).ok).toBe(true);
  });

  test('ERR-01: the endpoints of openings and changes answer a call without anything with one signed refusal', () => {
    const needy = PATHS.filter((path) => /Apply|Confirm/.test(path));
    expect(needy).toHaveLength(7);
    for (const path of needy) {
      const answer = ask(withAccount(), path, {});
      expect(isRefusal(answer)).toBe(true);
      expect(typeof answer.envelope['sign']).toBe('string');
    }
  });

  test('N18: calls beyond the limit of a second are refused as too frequent', () => {
    const sandbox = withAccount({ switches: { callsPerSecondMax: 2 } });
    const call = (): boolean => ask(sandbox, 'acct/queryInfo', INFO, { reqId: newReqId() }).ok;
    expect([call(), call(), call()]).toEqual([true, true, false]);
    sandbox.clock.advance(1_000);
    expect(call()).toBe(true);
  });
});
