/** What of a sandbox goes on when it is started again from its state file (CTL). */
import { expect, test } from 'vitest';

import { answered, APP_ID, members, PREFIX, rsaSigned } from '../caller.ts';
import {
  ACCOUNTS,
  inAPlace,
  linesOf,
  pay,
  place,
  start,
  startWithAccounts,
  stop,
  withdraw,
} from './state-place.ts';
import { call, control, signedCall } from './state-twins.ts';

inAPlace();

test('CTL: a clock that runs goes on at its distance; one that stands stands where it stood', async () => {
  const kept = await start();
  control(kept.sandbox, 'POST', '/clock', { advanceMs: 3_600_000 });
  stop(kept);
  place.clock.tick(60_000);
  const moved = await start();
  expect(moved.sandbox.clock.now()).toBe('2026-03-01T05:01:00.000Z');
  control(moved.sandbox, 'POST', '/clock', { running: false });
  stop(moved);
  place.clock.tick(60_000);
  const standing = await start();
  expect(control(standing.sandbox, 'GET', '/clock')).toMatchObject({
    now: '2026-03-01T05:01:00.000Z',
    running: false,
  });
  control(standing.sandbox, 'POST', '/clock', { running: true });
  stop(standing);
  place.clock.tick(1_000);
  expect((await start()).sandbox.clock.now()).toBe('2026-03-01T05:01:01.000Z');
});

test('CTL: a clock that was sent as far as it goes', async () => {
  const kept = await startWithAccounts();
  const advance = () => control(kept.sandbox, 'POST', '/clock', { advanceMs: 1e13 });
  let last = advance();
  for (let count = 0; last.status === 200 && count < 1_000; count++) last = advance();
  expect(last).toMatchObject({ status: 400, error: 'the clock cannot go that far' });
  expect(control(kept.sandbox, 'POST', '/clock', { running: false }).status).toBe(200);
  const before = control(kept.sandbox, 'GET', '/clock');
  stop(kept);
  expect(control((await start()).sandbox, 'GET', '/clock')).toEqual(before);
});

test('CTL: a machine whose clock was put back does not take the sandbox behind its last input', async () => {
  const kept = await startWithAccounts();
  place.clock.tick(60_000);
  withdraw(kept, 'W-1');
  stop(kept);
  place.clock.tick(-30_000);
  const again = await start();
  expect(again.sandbox.clock.now()).toBe('2026-03-01T04:01:00.000Z');
  place.clock.tick(1_000);
  expect(again.sandbox.clock.now()).toBe('2026-03-01T04:01:01.000Z');
});

test('CTL, N18: the count of a limit of calls, while the clock stands', async () => {
  const kept = await startWithAccounts();
  control(kept.sandbox, 'POST', '/clock', { running: false });
  control(kept.sandbox, 'POST', '/switches', { callsPerSecondMax: 2 });
  expect(call(kept.sandbox, 'acct/queryInfo', { accountNo: 'P' }).ok).toBe(true);
  stop(kept);
  const again = await start();
  expect(call(again.sandbox, 'acct/queryInfo', { accountNo: 'P' }).ok).toBe(true);
  expect(call(again.sandbox, 'acct/queryInfo', { accountNo: 'P' }).ok).toBe(false);
});

test('CTL, ENV-16: a reqId of an accepted payment is still used', async () => {
  const kept = await startWithAccounts();
  const request = signedCall(kept.sandbox, 'account/withdraw', {
    outOrderNo: 'W-1',
    acctNo: 'P',
    amount: 1,
  });
  expect(answered(kept.sandbox.answer(request)).ok).toBe(true);
  stop(kept);
  const again = await start();
  const refused = answered(again.sandbox.answer(request));
  expect(refused.envelope['msg']).toContain('duplicate reqId');
});

test('CTL, EVT-09: a push that was acknowledged is not sent again; one that was not goes on in its schedule', async () => {
  const kept = await startWithAccounts();
  control(kept.sandbox, 'POST', '/switches', { pushSchedule: [0, 60] });
  pay(kept, { notifyUrl: 'http://127.0.0.1:9/a' });
  const failing = () => Promise.resolve({ status: 500, body: 'no' });
  expect(await kept.sandbox.deliverPushes(failing)).toBe(1);
  stop(kept);
  const again = await start();
  expect(await again.sandbox.deliverPushes(failing)).toBe(0);
  place.clock.tick(60_000);
  expect(await again.sandbox.deliverPushes(() => Promise.resolve({ status: 200, body: 'success' }))).toBe(1);
  const pushes = control(again.sandbox, 'GET', '/pushes');
  expect(pushes).toMatchObject({
    pushes: [{ acknowledged: true, attempts: [{ status: 500 }, { status: 200 }] }],
  });
  stop(again);
  const last = await start();
  expect(last.sandbox.nextPushMs()).toBeUndefined();
  expect(control(last.sandbox, 'GET', '/pushes')).toEqual(pushes);
});

test('CTL, SIG-08: RSA keys, once they were made, through resets too', async () => {
  const kept = await startWithAccounts();
  const keys = kept.sandbox.clientRsaKeys();
  control(kept.sandbox, 'POST', '/reset', {});
  control(kept.sandbox, 'POST', '/accounts', ACCOUNTS);
  stop(kept);
  const again = await start();
  const before = await linesOf();
  expect(again.sandbox.clientRsaKeys()).toEqual(keys);
  expect(await linesOf()).toEqual(before);
  const body = rsaSigned(members({ accountNo: 'P' }, { ...APP_ID, signType: 'RSA2' }), keys.privateKeyPem);
  const request = { method: 'POST', path: `${PREFIX}/acct/queryInfo`, contentType: 'application/json' };
  expect(answered(again.sandbox.answer({ ...request, body: JSON.stringify(body) })).ok).toBe(true);
});

test('CTL: a request that is held when the process ends is never carried out', async () => {
  const kept = await startWithAccounts();
  control(kept.sandbox, 'POST', '/faults', {
    faults: [{ kind: 'hold', ms: 1_000, path: 'account/withdraw' }],
  });
  const biz = { outOrderNo: 'W-1', acctNo: 'P', amount: 1 };
  const held = kept.sandbox.answer(signedCall(kept.sandbox, 'account/withdraw', biz));
  expect(held.fault?.kind).toBe('hold');
  stop(kept);
  const again = await start();
  expect(call(again.sandbox, 'account/queryWithdraw', { outOrderNo: 'W-1' }).ok).toBe(false);
  expect(control(again.sandbox, 'GET', '/faults')['faults']).toEqual([]);
});
