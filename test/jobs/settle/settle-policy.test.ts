/** Which failed settlements are retried now, and why the others are not (U34, U37, M5, M10). */
import { describe, expect, test } from 'vitest';
import { payeesToAsk, planDigest, planRetries } from '../../../jobs/night/settle/settle-policy.ts';
import type { AccountStanding, PlanLine, PolicyFacts } from '../../../jobs/night/settle/settle-policy.ts';
import { readProfile } from '../../../src/core/profile/profile.ts';
import type { FailedSettlement } from '../../../src/settlements/settle-order.ts';
import { aFailed, aLine, NOON } from './settle-facts.ts';
import { fc } from '../../helpers/properties.ts';

const profileOf = (over: object = {}) => readProfile(JSON.stringify(over), 'test');
const ACTIVE: ReadonlyMap<string, AccountStanding> = new Map([['Q', { state: '1' }]]);

function planOf(failed: readonly FailedSettlement[], over: Partial<PolicyFacts> & { settle?: object } = {}) {
  const { settle = {}, ...facts } = over;
  return planRetries({
    failed,
    profile: profileOf({ settle }),
    now: NOON,
    standings: ACTIVE,
    used: { attempts: 0, sumFen: 0n },
    day: '2026-03-02',
    ...facts,
  });
}

const reasonsOf = (plan: ReturnType<typeof planOf>): string[] =>
  plan.notRetried.map(({ outOrderNo, code }) => `${outOrderNo} ${code}`);

test('a failed settlement of a transferred order is planned with its amount, number and remark', () => {
  const plan = planOf([aFailed({ attempts: 1, nextAttemptNo: 3, lastClosedAt: '2026-03-02T11:00:00.000Z' })]);
  expect(plan).toMatchObject({
    lines: [
      {
        accountNo: 'P',
        outOrderNo: 'T1',
        orderNo: 'N-T1',
        outBatchNo: 'B1',
        batchNo: 'N-B1',
        payeeAccountNo: 'Q',
        amountFen: 9_970n,
        attemptNo: 3,
        remark: 'recon retry 3',
      },
    ],
    notRetried: [],
    eligible: { orders: 1, sumFen: 9_970n },
    isBreakerTripped: false,
  });
});

describe('what is stored speaks against it', () => {
  test.each<[string, Partial<FailedSettlement>, string]>([
    ['not_moved', { effectiveState: 'open' }, 'its transfer is not done: open'],
    ['not_moved', { effectiveState: 'failed' }, 'its transfer is not done: failed'],
    [
      'fault',
      { faults: ['record_changed', 'state_regression'] },
      'its records contradict each other: record_changed, state_regression',
    ],
    ['refunded', { refundFen: 1n }, 'it was refunded, at least in part'],
    [
      'refunded',
      { refundUnseen: 'RQ1' },
      'a refund of it by hand was accepted, or may have been, and no query has shown it done. Where the platform says ' +
        'that it took none of it: recon settle --not-refunded RQ1 --payer P --order T1 --by NAME',
    ],
    [
      'account_not_listed',
      { payeeIsListed: false },
      'its payee is not on the account list, or not active now',
    ],
    [
      'namesake',
      { hasNamesake: true },
      "another order has the platform's number of it too: the platform could not tell which is meant",
    ],
    [
      'namesake',
      { hasNamesake: true, orderNo: '' },
      'another order has its own number too: the platform could not tell which is meant',
    ],
    ['open_attempt', { hasOpenAttempt: true }, 'what came of an earlier attempt is not certain yet'],
    ['max_attempts', { attempts: 3, nextAttemptNo: 5 }, '3 attempts were made, at most 3 are'],
    ['amount_unknown', { amountFen: undefined }, 'the platform does not state what it pays out'],
    ['amount_unknown', { amountFen: 0n }, 'the platform does not state what it pays out'],
  ])('%s', (code, over, reason) => {
    const plan = planOf([aFailed(over)]);
    expect(plan.lines).toEqual([]);
    expect(plan.notRetried).toMatchObject([
      { accountNo: 'P', outOrderNo: 'T1', payeeAccountNo: 'Q', code, reason },
    ]);
  });

  test('U37: as long as the platform takes the number of a withdrawal, nothing is retried', () => {
    const plan = planOf([aFailed()], { settle: { idKind: 'withdrawal' } });
    expect(plan.lines).toEqual([]);
    expect(plan.notRetried).toMatchObject([{ code: 'id_kind' }]);
  });

  test('STL-03: a remark of which nothing is left is found before anything is planned', () => {
    expect(reasonsOf(planOf([aFailed()], { remark: '!!!' }))).toEqual(['T1 remark_unfit']);
  });

  test.each([
    ['2026-03-02T11:50:00.001Z', '2026-03-02T12:00:00.001Z'],
    ['2026-03-02T12:00:00.000Z', '2026-03-02T12:10:00.000Z'],
  ])('M5: closed at %s it cools down until %s', (lastClosedAt, until) => {
    const plan = planOf([aFailed({ attempts: 1, nextAttemptNo: 2, lastClosedAt })]);
    expect(plan.notRetried).toMatchObject([{ code: 'cool_down', until }]);
  });

  test.each([
    // An hour of lag, two minutes of margin, half a minute for the clocks.
    ['2026-03-02T10:57:30.000Z', undefined],
    ['2026-03-02T10:57:30.001Z', '2026-03-02T12:00:00.001Z'],
  ])('2.3 a: shown as paid or under way at %s, by whomever, it waits until %s', (lastShownAt, until) => {
    const plan = planOf([aFailed({ lastShownAt })]);
    expect(plan.notRetried.map((one) => [one.code, one.until])).toEqual(until ? [['cool_down', until]] : []);
    const late = aFailed({ lastShownAt, lastClosedAt: '2026-03-02T11:59:00.000Z' });
    expect(planOf([late]).notRetried).toMatchObject([{ until: '2026-03-02T12:09:00.000Z' }]);
  });

  test('M5: ten minutes after its close to the millisecond it may be retried', () => {
    const failed = aFailed({ attempts: 1, nextAttemptNo: 2, lastClosedAt: '2026-03-02T11:50:00.000Z' });
    expect(planOf([failed]).lines).toHaveLength(1);
  });
});

test('the plan is in the order of payer and number, and counts as eligible only what may be retried', () => {
  const standings = new Map([
    ['Q', { state: '1' }],
    ['R', { state: '2' }],
  ]);
  const plan = planOf(
    [
      aFailed({ accountNo: 'P2', outOrderNo: 'T1' }),
      aFailed({ accountNo: 'P1', outOrderNo: 'T9' }),
      aFailed({ accountNo: 'P1', outOrderNo: 'T2' }),
      aFailed({ accountNo: 'P1', outOrderNo: 'T5', payeeAccountNo: 'R' }),
    ],
    { standings },
  );
  expect(plan.lines.map(({ accountNo, outOrderNo }) => `${accountNo} ${outOrderNo}`)).toEqual([
    'P1 T2',
    'P1 T9',
    'P2 T1',
  ]);
  expect(plan.eligible).toEqual({ orders: 3, sumFen: 29_910n });
  expect(reasonsOf(plan)).toEqual(['T5 account_not_active']);
});

describe('U21: the payee', () => {
  test.each<[AccountStanding | undefined, string, string]>([
    [{ state: '0' }, 'account_not_active', "its payee's account is in the state 0"],
    [{ state: '2' }, 'account_not_active', "its payee's account is in the state 2"],
    [{ unread: 'no answer' }, 'account_unread', "its payee's account: no answer"],
    [undefined, 'account_unread', "its payee's account: nobody asked for it"],
  ])('%j keeps its settlements back', (standing, code, reason) => {
    const standings = new Map(standing === undefined ? [] : [['Q', standing]]);
    expect(planOf([aFailed()], { standings }).notRetried).toMatchObject([{ code, reason }]);
  });

  test('a state of the profile counts as active', () => {
    const profile = profileOf({ account: { activeStates: ['1', 'A'] } });
    const standings = new Map([['Q', { state: 'A' }]]);
    expect(planOf([aFailed()], { profile, standings }).lines).toHaveLength(1);
  });

  test('each account is asked for once, and only where nothing else speaks against it', () => {
    const failed = [
      aFailed({ payeeAccountNo: 'R' }),
      aFailed({ outOrderNo: 'T2', payeeAccountNo: 'Q' }),
      aFailed({ outOrderNo: 'T3', payeeAccountNo: 'Q' }),
      aFailed({ outOrderNo: 'T4', payeeAccountNo: 'S', refundFen: 1n }),
    ];
    const profile = profileOf();
    expect(payeesToAsk({ failed, profile, now: NOON })).toEqual(['Q', 'R']);
  });
});

describe('the limits of a run', () => {
  const three = [100n, 500n, 50n].map((amountFen, place) =>
    aFailed({ outOrderNo: `T${place + 1}`, amountFen }),
  );

  test('M5: what does not fit is left over; one that is too large does not keep the smaller ones back', () => {
    const plan = planOf(three, { settle: { maxFenPerRun: 150 } });
    expect(plan.lines.map(({ outOrderNo }) => outOrderNo)).toEqual(['T1', 'T3']);
    expect(plan.notRetried).toMatchObject([
      { outOrderNo: 'T2', code: 'left_over', reason: 'with it more than 150 fen would be retried in a day' },
    ]);
    expect(plan.eligible).toEqual({ orders: 3, sumFen: 650n });
  });

  test('M5: what the day has sent before counts', () => {
    const plan = planOf(three, { settle: { maxPerRun: 3 }, used: { attempts: 2, sumFen: 10n } });
    expect(plan.lines.map(({ outOrderNo }) => outOrderNo)).toEqual(['T1']);
    expect(reasonsOf(plan)).toEqual(['T2 left_over', 'T3 left_over']);
  });

  test('M10: more orders or more money than is retried unseen trip the breaker, exactly as much does not', () => {
    const trips = (breaker: object): boolean => planOf(three, { settle: { breaker } }).isBreakerTripped;
    expect(trips({ orders: 3 })).toBe(false);
    expect(trips({ orders: 2 })).toBe(true);
    expect(trips({ fen: 650 })).toBe(false);
    expect(trips({ fen: 649 })).toBe(true);
  });

  test('M10: the limits of the run do not hide from the breaker how many failed', () => {
    expect(planOf(three, { settle: { maxPerRun: 1, breaker: { orders: 2 } } }).isBreakerTripped).toBe(true);
    // What the day has sent already counts with it (docs/reliability.md 2.3 e).
    const five = { settle: { breaker: { orders: 5 } } };
    expect(planOf(three, { ...five, used: { attempts: 2, sumFen: 10n } }).isBreakerTripped).toBe(false);
    expect(planOf(three, { ...five, used: { attempts: 3, sumFen: 10n } }).isBreakerTripped).toBe(true);
    expect(planOf([], { ...five, used: { attempts: 9, sumFen: 10n } }).isBreakerTripped).toBe(false);
  });

  test('2.1.18: whatever failed and was sent before, the limits hold, and every order is in the plan or named', () => {
    const amounts = fc.array(fc.bigInt({ min: 1n, max: 1_000n }), { maxLength: 30 });
    const limits = fc.record({ maxPerRun: fc.nat(20), maxFenPerRun: fc.nat(5_000) });
    const used = fc.record({ attempts: fc.nat(20), sumFen: fc.bigInt({ min: 0n, max: 5_000n }) });
    fc.assert(
      fc.property(amounts, limits, used, (given, settle, before) => {
        const failed = given.map((amountFen, place) => aFailed({ outOrderNo: `T${place}`, amountFen }));
        const plan = planOf(failed, { settle, used: before });
        const sumFen = plan.lines.reduce((sum, { amountFen }) => sum + amountFen, 0n);
        expect(plan.lines.length === 0 || before.attempts + plan.lines.length <= settle.maxPerRun).toBe(true);
        expect(plan.lines.length === 0 || before.sumFen + sumFen <= BigInt(settle.maxFenPerRun)).toBe(true);
        const named = [...plan.lines, ...plan.notRetried].map(({ outOrderNo }) => outOrderNo);
        expect(named.toSorted()).toEqual(failed.map(({ outOrderNo }) => outOrderNo).toSorted());
      }),
    );
  });
});

describe('the digest of a plan', () => {
  const OF = { day: '2026-03-02', eligible: { orders: 3, sumFen: 29_910n } };
  const digestOf = (lines: readonly PlanLine[]): string => planDigest(lines, OF);

  test('it is the SHA-256 of what would be sent', () => {
    // printf '["2026-03-02",3,29910,[["P","T1","Q",9970,1,"recon retry 1"]]]' | sha256sum
    expect(digestOf([aLine()])).toBe('c2a3679bc7214a199724d5e10fe21041fbf5de2c80b63d0589ce34860cb6478d');
  });

  test('another day makes another, and so does more that is eligible, or more money', () => {
    const others = [
      { ...OF, day: '2026-03-03' },
      { ...OF, eligible: { orders: 4, sumFen: 29_910n } },
      { ...OF, eligible: { orders: 3, sumFen: 29_911n } },
    ];
    const digests = [OF, ...others].map((of) => planDigest([aLine()], of));
    expect(new Set(digests).size).toBe(4);
  });

  const text = fc.string({ maxLength: 5 });
  const line: fc.Arbitrary<PlanLine> = fc
    .record({
      accountNo: text,
      outOrderNo: text,
      payeeAccountNo: text,
      amountFen: fc.bigInt({ min: 1n, max: 10n ** 15n }),
      attemptNo: fc.integer({ min: 1, max: 10 }),
      remark: text,
    })
    .map((fields) => aLine(fields));
  const lines = fc.uniqueArray(line, {
    selector: ({ accountNo, outOrderNo }) => JSON.stringify([accountNo, outOrderNo]),
    minLength: 1,
    maxLength: 8,
  });

  test('it does not depend on the order of the lines', () => {
    fc.assert(
      fc.property(lines, fc.nat(), (given, turn) => {
        const at = turn % given.length;
        const moved = [...given.slice(at), ...given.slice(0, at)].toReversed();
        expect(digestOf(moved)).toBe(digestOf(given));
      }),
    );
  });

  test.each<[string, (line: PlanLine) => PlanLine]>([
    ['accountNo', (one) => ({ ...one, accountNo: `${one.accountNo}x` })],
    ['outOrderNo', (one) => ({ ...one, outOrderNo: `${one.outOrderNo}x` })],
    ['payeeAccountNo', (one) => ({ ...one, payeeAccountNo: `${one.payeeAccountNo}x` })],
    ['amountFen', (one) => ({ ...one, amountFen: one.amountFen === 1n ? 2n : one.amountFen - 1n })],
    ['attemptNo', (one) => ({ ...one, attemptNo: one.attemptNo + 1 })],
    ['remark', (one) => ({ ...one, remark: `${one.remark}x` })],
  ])('another %s of one line makes another digest, and so does a line more', (_field, changed) => {
    fc.assert(
      fc.property(lines, fc.nat(), (given, pick) => {
        const place = pick % given.length;
        const other = given.map((one, at) => (at === place ? changed(one) : one));
        expect(digestOf(other)).not.toBe(digestOf(given));
        expect(digestOf([...given, aLine({ accountNo: 'another one' })])).not.toBe(digestOf(given));
      }),
    );
  });
});
