/** What came of the one send, outcome by outcome (STL-10, STL-11, M1, M2, N9, N12). */
import { describe, expect, test } from 'vitest';
import { attemptAnswer, notSentAnswer } from '../../../jobs/night/settle/settle-answer.ts';
import type { PlanLine } from '../../../jobs/night/settle/settle-policy.ts';
import { addMs } from '../../../src/core/time.ts';
import { readProfile } from '../../../src/core/profile/profile.ts';
import { WRONG_SETTLE_REQUEST } from '../../../src/core/profile/refusals.ts';
import type { RefusalClass } from '../../../src/core/profile/refusals.ts';
import type { SettleAnswer } from '../../../src/platform/contract.ts';
import type { Accepted, CallOutcome } from '../../../src/platform/outcome.ts';
import { aLine, NOON } from './settle-facts.ts';

const ASKED = { reqId: 'r'.repeat(32), requestedAt: NOON };
const ANSWER: SettleAnswer = {
  outOrderNo: 'T1',
  orderNo: 'N-T1',
  acctNo: 'Q',
  state: 'SUCCESS',
  amountFen: 9_970n,
  feeFen: 60n,
  feeType: 'ACCOUNT',
  realFen: 9_970n,
  note: undefined,
  payerName: '收款公司',
  payerBankAcctNo: '6222021234567890123',
};

type Told = Partial<Pick<Accepted<SettleAnswer>, 'signed' | 'timestamp' | 'timestampSigned'>>;

function accepted(over: Partial<SettleAnswer>, how: Told = {}): Accepted<SettleAnswer> {
  const answered = { timestamp: NOON, timestampSigned: true, signed: true, ...how };
  return { kind: 'accepted', ...ASKED, ...answered, answer: { ...ANSWER, ...over }, bizText: '{}' };
}

const PROFILE = readProfile(undefined, 'defaults');
const answerOf = (outcome: CallOutcome<'order/settle'>) =>
  attemptAnswer(outcome, { sent: aLine(), profile: PROFILE }, NOON);

describe('a signed answer', () => {
  test.each([
    ['PROCESSING', 'ACK_PROCESSING', ''],
    ['SUCCESS', 'ACK_SUCCESS', ''],
    ['FAIL', 'ACK_FAIL', ''],
    ['fail', 'UNKNOWN', 'the answer states fail'],
    ['FAILED', 'UNKNOWN', 'the answer states FAILED'],
    ['INIT', 'UNKNOWN', 'the answer states INIT'],
    ['constructor', 'UNKNOWN', 'the answer states constructor'],
    [undefined, 'UNKNOWN', 'the answer states no state'],
  ])('STL-11: state %s is %s', (state, expected, note) => {
    expect(answerOf(accepted({ state }))).toMatchObject({ state: expected, note, code: '' });
  });

  test.each<[string, Told]>([
    ['of a moment before the send', { timestamp: addMs(NOON, -12_000) }],
    ['of a month ago', { timestamp: addMs(NOON, -30 * 86_400_000) }],
    ['without a time', { timestamp: undefined }],
    ['with a time that the signature does not cover', { timestampSigned: false }],
  ])('an earlier failure that is given again ends nothing, and may hide an acceptance: %s', (_name, how) => {
    expect(answerOf(accepted({ state: 'FAIL' }, how))).toMatchObject({ state: 'UNKNOWN', isClaimed: true });
    // What says that money may be on its way counts whatever its time, and that it is paid does not.
    const note = 'the answer states SUCCESS, but no signed time that proves it to be about this attempt';
    const taken = { state: 'ACK_PROCESSING', feeFen: 60n, note };
    expect(answerOf(accepted({ state: 'SUCCESS' }, how))).toMatchObject(taken);
    expect(answerOf(accepted({ state: 'PROCESSING' }, how))).toMatchObject({ state: 'ACK_PROCESSING' });
  });

  test('nor does one where attempts follow each other so soon that it may be that of the one before', () => {
    const profile = readProfile('{"settle":{"coolDownMinutes":0}}', 'test');
    const of = (attemptNo: number, state: string) =>
      attemptAnswer(accepted({ state }), { sent: aLine({ attemptNo }), profile }, NOON);
    expect([of(1, 'FAIL').state, of(1, 'SUCCESS').state]).toEqual(['ACK_FAIL', 'ACK_SUCCESS']);
    expect(of(2, 'FAIL')).toMatchObject({ state: 'UNKNOWN', isClaimed: true });
    expect(of(2, 'SUCCESS').state).toBe('ACK_PROCESSING');
    const minute = readProfile('{"settle":{"coolDownMinutes":1}}', 'test');
    const cooled = { sent: aLine({ attemptNo: 2 }), profile: minute };
    expect(attemptAnswer(accepted({ state: 'FAIL' }), cooled, NOON)).toMatchObject({ state: 'ACK_FAIL' });
  });

  test('a failure that a clock behind ours by the tolerance states is one', () => {
    for (const ms of [-10_500, -11_000]) {
      const outcome = accepted({ state: 'FAIL' }, { timestamp: addMs(NOON, ms) });
      expect(answerOf(outcome)).toMatchObject({ state: 'ACK_FAIL' });
    }
    const before = accepted({ state: 'FAIL' }, { timestamp: addMs(NOON, -11_001) });
    expect(answerOf(before)).toMatchObject({ state: 'UNKNOWN' });
  });

  test.each([{ acctNo: undefined }, { acctNo: '' }, { amountFen: undefined }])(
    'a failure need not state account and amount: %j',
    (over) => {
      expect(answerOf(accepted({ ...over, state: 'FAIL' }))).toMatchObject({ state: 'ACK_FAIL', note: '' });
    },
  );

  test('STL-10: its fee, its note (masked) and the text that was signed are kept', () => {
    const outcome = accepted({ state: 'FAIL', note: '卡号6222021234567890123错误，联系13812345678' });
    expect(answerOf(outcome)).toEqual({
      state: 'ACK_FAIL',
      answeredAt: NOON,
      code: '',
      isClaimed: false,
      note: '卡号****0123错误，联系138****5678',
      feeFen: 60n,
      feeType: 'ACCOUNT',
      evidence: {
        // printf '{}' | sha256sum
        sha256: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
        bizText: '{}',
        reqId: ASKED.reqId,
        requestedAt: NOON,
      },
    });
  });

  test.each([
    [{ outOrderNo: 'T2' }, 'the answer is about T2, not T1'],
    [{ outOrderNo: undefined, orderNo: 'N-T2' }, 'the answer is about N-T2, not N-T1'],
    // The number of the settlement itself, which nobody was told.
    [{ orderNo: 'S-T1' }, 'the answer is about S-T1, not N-T1'],
  ])('with another number accepts all the same, whatever it states: %j', (over, note) => {
    for (const state of ['SUCCESS', 'PROCESSING', 'FAIL']) {
      expect(answerOf(accepted({ ...over, state }))).toMatchObject({
        state: 'UNKNOWN',
        isClaimed: true,
        note,
        feeFen: undefined,
      });
    }
  });

  test('that names no number may be about what was asked for, and ends nothing as failed', () => {
    const nameless = { outOrderNo: undefined, orderNo: undefined, state: 'FAIL' };
    expect(answerOf(accepted(nameless))).toMatchObject({
      state: 'UNKNOWN',
      isClaimed: true,
      note: 'the answer states FAIL, and no number that tells which order',
    });
    expect(answerOf(accepted({ ...nameless, orderNo: 'N-T1' })).state).toBe('ACK_FAIL');
  });

  test.each<[string, Partial<PlanLine>, Partial<SettleAnswer>]>([
    ['a number that nobody was told', { orderNo: '' }, { outOrderNo: undefined, orderNo: 'N-T2' }],
    ['another than was asked for', {}, { orderNo: undefined }],
    ['another payee', {}, { acctNo: 'X' }],
    ['another amount', {}, { amountFen: 9_000n }],
  ])('2.3 a: a failure that states %s may be another order’s, and ends nothing', (_name, line, over) => {
    const sending = { sent: aLine(line), profile: PROFILE };
    const told = attemptAnswer(accepted({ ...over, state: 'FAIL' }), sending, NOON);
    expect(told).toMatchObject({ state: 'UNKNOWN', isClaimed: true });
    expect(told.evidence).toBeDefined();
  });

  test('a failure that states the number asked for, and another that was not known, is one', () => {
    const sending = { sent: aLine({ orderNo: '' }), profile: PROFILE };
    expect(attemptAnswer(accepted({ state: 'FAIL' }), sending, NOON).state).toBe('ACK_FAIL');
  });

  test('2.3 a: whose content cannot be read is accepted, and the text that was signed is kept', () => {
    const read = { isAnswered: true, reason: 'two fees', acceptedText: '{}' };
    const unknown = { kind: 'unknown', ...ASKED, ...read } as const;
    expect(answerOf(unknown)).toMatchObject({
      state: 'UNKNOWN',
      isClaimed: true,
      note: 'two fees',
      evidence: { bizText: '{}', reqId: ASKED.reqId, requestedAt: NOON },
    });
  });

  test('that names no number and accepts is about what was asked for', () => {
    expect(answerOf(accepted({ outOrderNo: undefined, orderNo: undefined })).state).toBe('ACK_SUCCESS');
  });

  test('of another amount is what it is, and says so', () => {
    const answer = answerOf(accepted({ amountFen: 9_000n, note: 'ok' }));
    expect(answer).toMatchObject({ state: 'ACK_SUCCESS', note: 'ok; the answer states 9000 fen' });
  });
});

describe('everything else is unknown', () => {
  test('N9: an answer that is not signed, whatever it states; it may have been an acceptance', () => {
    for (const state of ['SUCCESS', 'FAIL', 'PROCESSING']) {
      expect(answerOf(accepted({ state }, { signed: false }))).toMatchObject({
        state: 'UNKNOWN',
        isClaimed: true,
        note: 'the answer is not signed',
        evidence: undefined,
        feeFen: undefined,
      });
    }
  });

  test.each(['NOT_FOUND', 'DUPLICATE', 'RATE_LIMIT', 'AUTH', 'PARAM', 'BUSINESS'] as const)(
    'N12, M2: a refusal (%s), because the request may have arrived twice',
    (kind) => {
      const answered = { signed: true, timestamp: NOON, timestampSigned: true };
      const refused = {
        kind: 'refused',
        ...ASKED,
        ...answered,
        code: 'E1',
        msg: '拒绝 13812345678',
        class: kind,
      } as const;
      expect(answerOf(refused)).toMatchObject({
        state: 'UNKNOWN',
        code: 'E1',
        note: 'the platform refused: E1 拒绝 138****5678',
        evidence: undefined,
      });
    },
  );

  const refusal = (code: string, msg: string, as: RefusalClass, how: Told = {}) => {
    const answered = { signed: true, timestamp: NOON, timestampSigned: true, ...how };
    return { kind: 'refused', ...ASKED, ...answered, code, msg, class: as } as const;
  };

  test.each<[RefusalClass, string]>([
    ['DUPLICATE', '重复或并发提交'],
    ['BUSINESS', '系统繁忙'],
    // Each of them holds a word of another class.
    ['PARAM', '订单参数状态已变更 (state parameter changed)'],
    ['NOT_FOUND', '待处理的失败记录不存在 (no failed record: not found)'],
    ['RATE_LIMIT', '操作过快，该记录处理中 (too frequent: it is being processed)'],
    ['AUTH', '时间戳超出范围 (timestamp out of range)'],
  ])('2.3 a: a refusal (%s) may say that its settlement is claimed or changed: %s', (kind, msg) => {
    expect(answerOf(refusal('E1', msg, kind))).toMatchObject({ state: 'UNKNOWN', isClaimed: true });
  });

  test.each(Object.values(WRONG_SETTLE_REQUEST))(
    'but for the documented ones of the request alone: %s',
    (msg) => {
      expect(answerOf(refusal('200001', msg, 'PARAM'))).toMatchObject({ state: 'UNKNOWN', isClaimed: false });
      expect(answerOf(refusal('200001', `${msg}，已受理`, 'PARAM'))).toMatchObject({ isClaimed: true });
    },
  );

  test.each<[string, Told]>([
    ['that nobody signed', { signed: false, timestampSigned: false }],
    ['of a moment before the send', { timestamp: addMs(NOON, -12_000) }],
    ['without a time', { timestamp: undefined }],
    ['with a time that the signature does not cover', { timestampSigned: false }],
  ])('and of those one %s proves nothing', (_name, how) => {
    const told = refusal('200001', WRONG_SETTLE_REQUEST.remark, 'PARAM', how);
    expect(answerOf(told)).toMatchObject({ state: 'UNKNOWN', isClaimed: true });
  });

  test.each<[string, object, isClaimed: boolean]>([
    ['the whole code and message', { code: 'E10', msg: '请求过于频繁', class: 'RATE_LIMIT' }, false],
    [
      'the same for this path',
      { path: 'order/settle', code: 'E1\\d', msg: '请求过于频繁', class: 'PARAM' },
      false,
    ],
    ['another path', { path: 'division/pay', code: 'E10', msg: '请求过于频繁', class: 'PARAM' }, true],
    ['a part of the message', { code: 'E10', msg: '过于频繁', class: 'RATE_LIMIT' }, true],
    ['a part of the code', { code: 'E1', msg: '请求过于频繁', class: 'RATE_LIMIT' }, true],
    ['the code alone', { code: 'E10', class: 'RATE_LIMIT' }, true],
    ['the message alone', { msg: '请求过于频繁', class: 'RATE_LIMIT' }, true],
    ['both, as a duplicate', { code: 'E10', msg: '请求过于频繁', class: 'DUPLICATE' }, true],
    ['both, as business', { code: 'E10', msg: '请求过于频繁', class: 'BUSINESS' }, true],
  ])('or those that the profile knows by %s', (_name, rule, isClaimed) => {
    const profile = readProfile(JSON.stringify({ errors: { classes: [rule] } }), 'test');
    const answer = attemptAnswer(
      refusal('E10', '请求过于频繁', 'RATE_LIMIT'),
      { sent: aLine(), profile },
      NOON,
    );
    expect(answer).toMatchObject({ state: 'UNKNOWN', isClaimed });
  });

  test('2.3 a: so does an acceptance in a word that nobody knows', () => {
    expect(answerOf(accepted({ state: 'INIT' }))).toMatchObject({ state: 'UNKNOWN', isClaimed: true });
  });

  test('M1: no answer that can be believed; only where none at all came nothing can have been said', () => {
    for (const isAnswered of [true, false]) {
      const unknown = { kind: 'unknown', ...ASKED, reason: 'order/settle: no answer', isAnswered } as const;
      expect(answerOf(unknown)).toMatchObject({
        state: 'UNKNOWN',
        isClaimed: isAnswered,
        note: 'order/settle: no answer',
      });
    }
  });

  test('a note without end is cut, and one of odd characters can be stored', () => {
    const { note } = answerOf(accepted({ state: 'FAIL', note: `\u0000${'长'.repeat(10_000)}` }));
    expect(note).toBe(`\\u0000${'长'.repeat(499)}`);
  });
});

test('N1: what provably never left is not sent', () => {
  const notSent = { state: 'NOT_SENT', isClaimed: false, note: 'connection refused', evidence: undefined };
  expect(notSentAnswer('connection refused', NOON)).toMatchObject(notSent);
});
