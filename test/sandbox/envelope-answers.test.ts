/** Numbers that are used once, and calls that are too many (SIG-15, U17, N18). */
import { describe, expect, test } from 'vitest';

import { APP_ID, APP_SECRET, ask, md5Signed, members, newReqId, sandboxAtNoon, send } from './caller.ts';
import type { Members } from './caller.ts';

const INFO = { accountNo: '100001' };

function withAccount(options: Parameters<typeof sandboxAtNoon>[0] = {}) {
  const sandbox = sandboxAtNoon(options);
  sandbox.seedAccounts([{ accountNo: '100001', balanceFen: 10_000 }]);
  return sandbox;
}

describe('replay', () => {
  const reqId = 'one-number';

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
  test('N18: calls beyond the limit of a second are refused as too frequent', () => {
    const sandbox = withAccount({ switches: { callsPerSecondMax: 2 } });
    const call = (): boolean => ask(sandbox, 'acct/queryInfo', INFO, { reqId: newReqId() }).ok;
    expect([call(), call(), call()]).toEqual([true, true, false]);
    sandbox.clock.advance(1_000);
    expect(call()).toBe(true);
  });
});
