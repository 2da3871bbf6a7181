/** When a look decides what came of an attempt, to the second (docs/reliability.md 0.1 and 2.2, N16, M1). */
import { describe, expect, test } from 'vitest';
import { judgeLook, resolvedWithoutLook } from '../../../jobs/night/settle/settle-resolution.ts';
import type { SettleLook } from '../../../jobs/night/settle/settle-look.ts';
import { addMs } from '../../../src/core/time.ts';
import type { ListedOrder } from '../../../src/orders/orders.ts';
import type { OpenAttempt } from '../../../src/settlements/attempt-store.ts';
import { batchUnit } from '../../helpers/company/order-answers.ts';
import { aLook, anOpen, NOON } from './settle-facts.ts';

const LIMITS = { marginSeconds: 120, viewLagSeconds: 0, heardWithinMs: 32_000 };
const RULES = { ...LIMITS, runner: 'me', amountRule: 'realAmount' } as const;
const ON_ITS_WAY = 'it is stated as failed, but the request may still be on its way, or the view lag behind';
const LAGGING = 'the platform took it, or may have, and its queries go on stating that it failed';
/** So many seconds after the request. */
const after = (seconds: number): string => addMs(NOON, seconds * 1_000);
const judge = (attempt: Partial<OpenAttempt>, look: SettleLook) => judgeLook(anOpen(attempt), look, RULES);

describe('without a look', () => {
  test.each<[OpenAttempt['state'], object | undefined]>([
    ['PLANNED', { outcome: 'NOT_SENT' }],
    ['NOT_SENT', { outcome: 'NOT_SENT' }],
    ['ACK_FAIL', { outcome: 'FAIL', endedAt: NOON }],
    ['SENT', undefined],
    ['UNKNOWN', undefined],
    ['ACK_PROCESSING', undefined],
    ['ACK_SUCCESS', undefined],
  ])('2.2: %s is closed as %s', (state, closing) => {
    const resolution = resolvedWithoutLook(anOpen({ state }));
    expect(resolution).toEqual(closing && { kind: 'close', note: 'no answer', ...closing });
  });

  test('what was planned by a run that died says so', () => {
    expect(resolvedWithoutLook(anOpen({ state: 'PLANNED', note: '' }))).toMatchObject({
      note: 'it was planned and never sent',
    });
  });
});

describe('paid is paid at once', () => {
  test.each(['SENT', 'UNKNOWN', 'ACK_PROCESSING', 'ACK_SUCCESS'] as const)('%s', (state) => {
    const look = aLook({ timestamp: NOON, listed: { settleState: 'SUCCESS', settlement: 'settled' } });
    expect(judge({ state }, look)).toEqual({ kind: 'close', outcome: 'SUCCESS', note: '' });
  });
});

describe('3.8, 9: a row that is of another order, payee or amount decides nothing, whatever it says', () => {
  const said = [
    ['SUCCESS', 'settled'],
    ['PROCESSING', 'open'],
    ['FAIL', 'failed'],
  ] as const;
  test.each<[string, Partial<ListedOrder>, string]>([
    ['number', { orderNo: 'N-X' }, "the platform's number is N-X now, N-T1 was planned"],
    ['payee', { payeeAccountNo: 'X' }, 'the payee is X now, Q was planned'],
    ['amount', { realFen: 9_971n }, 'the amount is 9971 now, 9970 was planned'],
    ['amount unsaid', { realFen: null, feeFen: null }, 'the amount is not stated now, 9970 was planned'],
  ])('another %s', (_name, over, why) => {
    for (const [settleState, settlement] of said) {
      const look = aLook({ timestamp: after(300), listed: { ...over, settleState, settlement } });
      expect(judge({ failedSeenAt: after(200) }, look)).toEqual({ kind: 'forget', why, isForPerson: true });
    }
  });

  test('a number that was not known when it was planned contradicts nothing', () => {
    const look = aLook({ listed: { orderNo: 'N-X', settleState: 'SUCCESS', settlement: 'settled' } });
    expect(judge({ orderNo: '' }, look)).toMatchObject({ kind: 'close', outcome: 'SUCCESS' });
  });
});

describe('what does not say that it failed forgets that it was said once', () => {
  const seen = { failedSeenAt: after(200) };
  const at = { timestamp: after(300) };
  test.each<[string, SettleLook, string]>([
    ['P7', aLook({ ...at, listed: { settleState: 'ODD', settlement: 'unknown' } }), 'its settlement is ODD'],
    [
      'not stated',
      aLook({ ...at, listed: { settleState: '', settlement: 'none' } }),
      'its settlement is not stated',
    ],
    ['not moved', aLook({ ...at, listed: { state: 'FAIL', meaning: 'failed' } }), 'the order is FAIL now'],
    ['P9', aLook({ ...at, listed: { unreadable: ['amount is no amount'] } }), 'amount is no amount'],
    ['N9', aLook({ ...at, signed: false }), 'the answer to the query is not signed'],
    ['not kept', aLook({ ...at, kept: false }), 'what the query says could not be kept'],
    ['not listed', aLook({ ...at, order: undefined }), 'its batch does not list it, or lists it twice'],
    [
      'P14',
      aLook({
        ...at,
        answer: {
          kind: 'not_found',
          unit: batchUnit('B1'),
          moments: { sentAt: NOON, answeredAt: NOON, askedAt: NOON, seenAt: NOON },
        },
      }),
      'the platform does not know its batch',
    ],
    [
      'no answer',
      aLook({ ...at, answer: { kind: 'failed', unit: batchUnit('B1'), reason: 'no batch' } }),
      'no batch',
    ],
  ])('%s; past the view lag a person may end it', (_name, look, why) => {
    expect(judge(seen, look)).toEqual({ kind: 'forget', why, isForPerson: true });
    const laggingStill = { ...RULES, viewLagSeconds: 3_600 };
    expect(judgeLook(anOpen(seen), look, laggingStill)).toEqual({ kind: 'forget', why });
  });
});

test('no answer says nothing: what was seen before stays; past the view lag it awaits a person', () => {
  const answer = { kind: 'failed', unit: batchUnit('B1'), reason: 'no answer', isUnanswered: true } as const;
  const look = aLook({ askedAt: after(300), timestamp: undefined, answer });
  const nothing = { kind: 'wait', why: 'no answer', isUnanswered: true };
  expect(judge({ failedSeenAt: after(200) }, look)).toEqual({ ...nothing, isForPerson: true });
  const laggingStill = { ...RULES, viewLagSeconds: 3_600 };
  expect(judgeLook(anOpen({ failedSeenAt: after(200) }), look, laggingStill)).toEqual(nothing);
});

test('a refused query is no agreement: its code is the reason, its words may be others each time', () => {
  const answer = { kind: 'failed', unit: batchUnit('B1'), code: 'E9', reason: '批次 B1 处理中' } as const;
  expect(judge({ failedSeenAt: after(200) }, aLook({ timestamp: after(300), answer }))).toEqual({
    kind: 'forget',
    why: 'the platform refused its query: E9',
    said: '批次 B1 处理中',
    isForPerson: true,
  });
});

test('what is settled is so too while a refund of the order is under way', () => {
  const listed = { meaning: 'refunding', settleState: 'SUCCESS', settlement: 'settled' } as const;
  expect(judge({}, aLook({ listed }))).toMatchObject({ kind: 'close', outcome: 'SUCCESS' });
});

test('an attempt that is asked about was sent: else the program is wrong', () => {
  expect(() => judge({ sent: undefined }, aLook())).toThrow(
    `Bug: the attempt ${'a'.repeat(32)} is UNKNOWN and was not sent`,
  );
});

test('a look that shows it under way is kept as that, with its time', () => {
  const open = { settleState: 'PROCESSING', settlement: 'open' } as const;
  const look = aLook({ timestamp: after(300), listed: open });
  expect(judge({ failedSeenAt: after(200) }, look)).toEqual({
    kind: 'open',
    seenAt: after(300),
    why: 'its settlement is PROCESSING',
  });
});

describe('2.3 a: what the platform took is not closed as failed by queries that say so', () => {
  test.each<[string, Partial<OpenAttempt>]>([
    ['answered PROCESSING', { state: 'ACK_PROCESSING' }],
    ['answered SUCCESS', { state: 'ACK_SUCCESS' }],
    ['refused as claimed or changed', { state: 'UNKNOWN', isClaimed: true }],
    ['sent, and nobody stored what the answer was', { state: 'SENT', answeredAt: undefined }],
  ])('%s: however often and however late', (_name, attempt) => {
    expect(judge(attempt, aLook({ timestamp: after(200) }))).toMatchObject({ kind: 'first' });
    for (const seconds of [230, 4_000, 31_536_000]) {
      const look = aLook({ timestamp: after(seconds) });
      const resolution = judge({ ...attempt, failedSeenAt: after(200) }, look);
      expect(resolution).toEqual({ kind: 'wait', why: LAGGING, isForPerson: true });
    }
  });

  test('a failure counts only once no view of before it was seen under way can be shown any more', () => {
    const rules = { ...RULES, viewLagSeconds: 3_600 };
    const seen = { state: 'ACK_PROCESSING', openSeenAt: after(5_000) } as const;
    const at = (seconds: number, over: Partial<OpenAttempt> = {}) =>
      judgeLook(anOpen({ ...seen, ...over }), aLook({ timestamp: after(seconds) }), rules);
    // Nor by a query that takes its time.
    expect(at(8_632)).toEqual({ kind: 'wait', why: ON_ITS_WAY });
    expect(at(8_633)).toEqual({ kind: 'first', seenAt: after(8_633) });
    expect(at(8_663, { failedSeenAt: after(8_633) })).toMatchObject({ kind: 'close', outcome: 'FAIL' });
  });

  test('nor is one without an answer, before a view that lags behind must have caught up', () => {
    const rules = { ...RULES, viewLagSeconds: 3_600 };
    const at = (seconds: number) => judgeLook(anOpen(), aLook({ timestamp: after(seconds) }), rules);
    expect(at(3_762)).toEqual({ kind: 'wait', why: ON_ITS_WAY });
    expect(at(3_763)).toEqual({ kind: 'first', seenAt: after(3_763) });
  });

  test('a failure that was seen too early by the settings of now agrees with nothing', () => {
    const rules = { ...RULES, viewLagSeconds: 3_600 };
    const at = (seconds: number, failedSeenAt: number) =>
      judgeLook(anOpen({ failedSeenAt: after(failedSeenAt) }), aLook({ timestamp: after(seconds) }), rules);
    expect(at(4_000, 3_762)).toEqual({ kind: 'first', seenAt: after(4_000) });
    expect(at(4_000, 3_763)).toMatchObject({ kind: 'close', outcome: 'FAIL' });
  });
});

describe('still failed, by a signed time', () => {
  test.each([
    [0, 'wait'],
    [161, 'wait'],
    // reqTime + 10 s + 120 s: at that very second it may still be accepted, and the query be asked that is answered 32 s later.
    [162, 'wait'],
    [163, 'first'],
    [100_000, 'first'],
  ])('0.1: %i s after the request the first look is %s', (seconds, kind) => {
    // Our own clocks say nothing here, wherever they are.
    const look = aLook({ timestamp: after(seconds), askedAt: after(-50), askedMonoMs: 0 });
    expect(judge({}, look)).toMatchObject(kind === 'first' ? { kind, seenAt: after(seconds) } : { kind });
  });

  test.each([
    [200, 'wait'],
    [229, 'wait'],
    [230, 'close'],
    [231, 'close'],
    [190, 'wait'],
  ])('2.2: seen once at 200 s, the look at %i s is %s', (seconds, kind) => {
    expect(judge({ failedSeenAt: after(200) }, aLook({ timestamp: after(seconds) }))).toMatchObject({ kind });
  });

  test('waiting for the second look is nothing for a person', () => {
    expect(judge({ failedSeenAt: after(200) }, aLook({ timestamp: after(229) }))).toEqual({
      kind: 'wait',
      why: 'it is stated as failed, once; a second look has to agree',
    });
  });

  test.each([
    ['SENT', 'FAIL'],
    ['UNKNOWN', 'FAIL'],
    ['ACK_PROCESSING', 'FAIL'],
    ['ACK_SUCCESS', 'RETURNED'],
  ] as const)('U49: %s is closed as %s', (state, outcome) => {
    const look = aLook({ timestamp: after(230), listed: { settleRemark: '账户 13812345678 异常' } });
    // Seen under way, and failed after that.
    const seen = { openSeenAt: after(20), failedSeenAt: after(200) };
    const resolution = judge({ state, ...seen }, look);
    expect(resolution).toEqual({ kind: 'close', outcome, note: '账户 138****5678 异常' });
  });

  test('a margin of the profile counts', () => {
    const look = aLook({ timestamp: after(43) });
    expect(judgeLook(anOpen(), look, { ...RULES, marginSeconds: 0 })).toMatchObject({ kind: 'first' });
    expect(judgeLook(anOpen(), look, { ...RULES, marginSeconds: 1 })).toMatchObject({ kind: 'wait' });
  });
});

describe('still failed, where no signature covers the time', () => {
  const unsigned = (seconds: number, monoMs: number): SettleLook =>
    aLook({ timestampSigned: false, timestamp: after(9_999), askedAt: after(seconds), askedMonoMs: monoMs });
  /** The attempt was sent at 500,000 ms of the process's clock. */
  const LATE_MS = 500_000 + 172_001;

  test.each([
    ['both clocks are past', 172.001, LATE_MS, 'first'],
    ['the wall clock is not past', 172, LATE_MS, 'wait'],
    ['N16: only the wall clock is past, it was set', 5_000, 672_000, 'wait'],
    [
      'N16: the wall clock went back by more than an hour: it counts as sent now',
      -3_600.001,
      LATE_MS,
      'redate',
    ],
    ['N16: by less, and it may be accepted once its time has come', -3_600, LATE_MS, 'wait'],
    ['the wall clock is behind', -10, LATE_MS, 'wait'],
  ])('0.1: %s: %s s, %i ms: %s', (_name, seconds, monoMs, kind) => {
    expect(judge({}, unsigned(seconds, monoMs))).toMatchObject({ kind });
  });

  test('2.3 d: an attempt of another process is measured from the start of this one, whatever the wall clock says', () => {
    const another = { runner: 'another', failedSeenAt: after(200) };
    // A step of five minutes, or of a year, is no time that went by.
    expect(judge(another, unsigned(440, 12_000))).toMatchObject({ kind: 'wait', untilMonoMs: 140_000 });
    expect(judge(another, unsigned(31_536_000, 140_000))).toMatchObject({
      kind: 'wait',
      untilMonoMs: 140_000,
    });
    expect(judge(another, unsigned(440, 140_001))).toMatchObject({ kind: 'close', outcome: 'FAIL' });
    // What the wall clock does not allow no life of the process makes good.
    expect(judge({ runner: 'another' }, unsigned(140, 999_999))).toEqual({ kind: 'wait', why: ON_ITS_WAY });
  });

  test('the second look is at least 30 s later by the same clock', () => {
    const seen = { runner: 'another', failedSeenAt: after(200) };
    expect(judge(seen, unsigned(229.999, LATE_MS))).toMatchObject({ kind: 'wait' });
    expect(judge(seen, unsigned(230, LATE_MS))).toMatchObject({ kind: 'close', outcome: 'FAIL' });
  });

  test('the view lag counts on the clock of the process too', () => {
    const rules = { ...RULES, viewLagSeconds: 60 };
    const at = (monoMs: number) => judgeLook(anOpen(), unsigned(9_000, monoMs), rules);
    expect(at(500_000 + 232_000)).toEqual({ kind: 'wait', why: ON_ITS_WAY });
    expect(at(500_000 + 232_001)).toMatchObject({ kind: 'first' });
  });

  test('an answer that states no time is measured so too', () => {
    const early = aLook({ timestamp: undefined, askedAt: after(165), askedMonoMs: LATE_MS });
    expect(judge({}, early)).toEqual({ kind: 'wait', why: ON_ITS_WAY });
    const look = aLook({ timestamp: undefined, askedAt: after(173), askedMonoMs: LATE_MS });
    expect(judge({}, look)).toEqual({ kind: 'first', seenAt: after(173) });
  });
});
