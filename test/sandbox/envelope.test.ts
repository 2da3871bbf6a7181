/** ENV: what is no call of the service, and the last second that is taken. */
import { describe, expect, test } from 'vitest';

import { answered, ask, isRefusal, md5Signed, members, PREFIX, sandboxAtNoon } from './caller.ts';

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
});

describe('members', () => {
  test('U19: the tenth second can be switched off', () => {
    const sandbox = withAccount({ switches: { reqTimeInclusive: false } });
    expect(ask(sandbox, 'acct/queryInfo', INFO, { reqTime: '20260301115950' }).ok).toBe(false);
    expect(ask(sandbox, 'acct/queryInfo', INFO, { reqTime: '20260301115951' }).ok).toBe(true);
  });
});
