/** Which retries are accepted at once, and what banks are really paid (STL-07, STL-09). */
import { describe, expect, test } from 'vitest';

import { systemClock } from '../../../src/core/clock.ts';
import type { Sandbox } from '../../../src/sandbox/server/sandbox.ts';
import { serve } from '../../../src/sandbox/server/serve.ts';
import { md5Signed, members, newReqId, PREFIX } from '../caller.ts';
import type { Members } from '../caller.ts';
import { expectRefused, money } from './orders-caller.ts';
import { failed, payouts, RETRY, retry, seenAfter, settledAs } from './settle-caller.ts';
import { seedOne, three } from '../three-accounts.ts';

describe('the guard', () => {
  test('STL-09: of two simultaneous requests exactly one is accepted, and one payment is made', async () => {
    const sandbox = failed({}, [{ delayMs: 60_000 }]);
    await using server = await serving(sandbox);
    const codes = await Promise.all([server.settle(), server.settle(), server.settle()]);
    expect(codes.toSorted()).toEqual(['000000', '300003', '300003']);
    sandbox.clock.advance(60_000);
    expect(money(sandbox, 'Q')).toEqual([5_000, 0]);
    expect(payouts(sandbox)).toEqual([[60_000, 10_000n, undefined]]);
  });

  test('STL-09: without it a second request is accepted while the first is under way, and after it, and pays', () => {
    const sandbox = failed({ settleGuard: false }, [{ delayMs: 1_000 }, { delayMs: 1_000 }, {}]);
    sandbox.seedMovements([{ kind: 'adjustment', accountNo: 'Q', amountFen: 20_000 }]);
    const reqIds = [newReqId(), newReqId(), newReqId()];
    expect(retry(sandbox, {}, { reqId: reqIds[0] }).ok).toBe(true);
    expect(retry(sandbox, {}, { reqId: reqIds[1] }).ok).toBe(true);
    expect(money(sandbox, 'Q')).toEqual([35_000, 20_000]);
    sandbox.clock.advance(1_000);
    expect(retry(sandbox, {}, { reqId: reqIds[2] }).ok).toBe(true);
    expect(money(sandbox, 'Q')).toEqual([5_000, 0]);
    expect(payouts(sandbox)).toEqual([
      [1_000, 10_000n, undefined],
      [1_000, 10_000n, undefined],
      [1_000, 10_000n, undefined],
    ]);
    expect(sandbox.payouts().map(({ reqId, outOrderNo }) => [outOrderNo, reqId])).toEqual([
      ['O-1', reqIds[0]],
      ['O-1', reqIds[1]],
      ['O-1', reqIds[2]],
    ]);
  });

  test('STL-07: without it a settlement that succeeded by itself is paid once more', () => {
    const sandbox = failed({ settleGuard: false }, [], { state: 'SUCCESS' });
    sandbox.seedMovements([{ kind: 'adjustment', accountNo: 'Q', amountFen: 10_000 }]);
    expect(retry(sandbox).ok).toBe(true);
    expect(payouts(sandbox)).toEqual([
      [0, 10_000n, undefined],
      [0, 10_000n, undefined],
    ]);
  });
});

describe('the queue', () => {
  test('an accepted retry shows only once it has waited, and is claimed meanwhile', () => {
    const sandbox = failed({ settleQueueMs: 30_000 }, [{ delayMs: 1_000 }]);
    expect(retry(sandbox).biz).toMatchObject({ state: 'PROCESSING', note: '' });
    const refusal = expectRefused(sandbox, () => retry(sandbox));
    expect(refusal.envelope['msg']).toContain('duplicate or concurrent');
    expect(settledAs(sandbox)).toEqual(['FAIL', '账户已注销']);
    expect(seenAfter(sandbox, [29_999, 1, 1_000])).toEqual([
      ['FAIL', [15_000, 0]],
      ['PROCESSING', [15_000, 10_000]],
      ['SUCCESS', [5_000, 0]],
    ]);
    expect(payouts(sandbox)).toEqual([[31_000, 10_000n, undefined]]);
  });

  test('without the guard the retry that waits is paid besides the one that was sent after it', () => {
    const sandbox = failed({ settleQueueMs: 30_000, settleGuard: false }, [{}, { state: 'FAIL' }, {}]);
    sandbox.seedMovements([{ kind: 'adjustment', accountNo: 'Q', amountFen: 10_000 }]);
    retry(sandbox);
    sandbox.setSwitches({ settleQueueMs: 0 });
    expect([retry(sandbox).biz['state'], retry(sandbox).biz['state']]).toEqual(['FAIL', 'SUCCESS']);
    expect(seenAfter(sandbox, [0, 30_000])).toEqual([
      ['SUCCESS', [15_000, 0]],
      ['SUCCESS', [5_000, 0]],
    ]);
    expect(payouts(sandbox)).toEqual([
      [0, 10_000n, undefined],
      [30_000, 10_000n, undefined],
    ]);
  });

  test('what is said is of the try that began last, whatever an earlier one still comes to', () => {
    const script = [{ state: 'FAIL', delayMs: 100 }, { delayMs: 10 }];
    const sandbox = failed({ settleGuard: false }, script);
    sandbox.seedMovements([{ kind: 'adjustment', accountNo: 'Q', amountFen: 10_000 }]);
    retry(sandbox);
    sandbox.clock.advance(50);
    retry(sandbox);
    sandbox.clock.advance(1_000);
    expect(settledAs(sandbox)[0]).toBe('SUCCESS');
  });
});

describe('payouts', () => {
  test('those of automatic settlements are among them, past and to come, with their returns', () => {
    const sandbox = three({}, true);
    const settle = { delayMs: 5_000, returnAfterMs: 10_000 };
    seedOne(sandbox, { feeFen: 30, settle });
    expect(sandbox.payouts()).toEqual([
      {
        outOrderNo: 'O-1',
        atMs: Date.parse('2026-03-01T04:00:05.000Z'),
        amountFen: 9_970n,
        returnedAtMs: Date.parse('2026-03-01T04:00:15.000Z'),
        reqId: '',
      },
    ]);
  });

  test('CTL: the control surface shows them', () => {
    const sandbox = failed({}, [{ delayMs: 5_000, returnAfterMs: 1_000 }, {}]);
    const [first, second] = [newReqId(), newReqId()];
    retry(sandbox, {}, { reqId: first });
    sandbox.clock.advance(6_000);
    retry(sandbox, {}, { reqId: second });
    const reply = sandbox.control({ method: 'GET', path: '/control/payouts', contentType: '', body: '' });
    const paid = { outOrderNo: 'O-1', amountFen: 10_000 };
    expect(JSON.parse(reply.body)).toEqual({
      payouts: [
        {
          ...paid,
          at: '2026-03-01T04:00:05.000Z',
          returnedAt: '2026-03-01T04:00:06.000Z',
          reqId: first,
        },
        { ...paid, at: '2026-03-01T04:00:06.000Z', reqId: second },
      ],
    });
  });
});

/** The sandbox behind a socket, and retries of O-1 over it. @returns codes */
async function serving(sandbox: Sandbox) {
  const server = await serve(sandbox, { port: 0, controls: false, clock: systemClock() });
  const settle = async (): Promise<unknown> => {
    const response = await fetch(`${server.url}${PREFIX}/order/settle`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(md5Signed(members(RETRY))),
    });
    return ((await response.json()) as Members)['code'];
  };
  return { settle, [Symbol.asyncDispose]: () => server.close() };
}
