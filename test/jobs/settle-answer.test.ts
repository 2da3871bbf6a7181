/** What came of the one send, outcome by outcome (STL-10, STL-11, M1, M2, N9, N12). */
import { describe, expect, test } from 'vitest';
import { attemptAnswer, notSentAnswer } from '../../jobs/settle-answer.ts';
import type { SettleAnswer } from '../../src/platform/contract.ts';
import type { Accepted, CallOutcome } from '../../src/platform/outcome.ts';
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

function accepted(over: Partial<SettleAnswer>, how: { signed?: boolean } = {}): Accepted<SettleAnswer> {
  const answered = { timestamp: NOON, timestampSigned: true, signed: true, ...how };
  return { kind: 'accepted', ...ASKED, ...answered, answer: { ...ANSWER, ...over }, bizText: '{}' };
}

const answerOf = (outcome: CallOutcome<'order/settle'>) => attemptAnswer(outcome, aLine(), NOON);

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

  test('STL-10: its fee, its note (masked) and the text that was signed are kept', () => {
    const outcome = accepted({ state: 'FAIL', note: '卡号6222021234567890123错误，联系13812345678' });
    expect(answerOf(outcome)).toEqual({
      state: 'ACK_FAIL',
      answeredAt: NOON,
      code: '',
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
  ])('about another order says nothing: %j', (over, note) => {
    expect(answerOf(accepted(over))).toMatchObject({ state: 'UNKNOWN', note, feeFen: undefined });
  });

  test('that names no number is about what was asked for', () => {
    expect(answerOf(accepted({ outOrderNo: undefined, orderNo: undefined })).state).toBe('ACK_SUCCESS');
  });

  test('of another amount is what it is, and says so', () => {
    const answer = answerOf(accepted({ amountFen: 9_000n, note: 'ok' }));
    expect(answer).toMatchObject({ state: 'ACK_SUCCESS', note: 'ok; the answer states 9000 fen' });
  });
});

describe('everything else is unknown', () => {
  test('N9: an answer that is not signed, whatever it states', () => {
    for (const state of ['SUCCESS', 'FAIL', 'PROCESSING']) {
      expect(answerOf(accepted({ state }, { signed: false }))).toMatchObject({
        state: 'UNKNOWN',
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

  test('M1: no answer that can be believed', () => {
    const unknown = { kind: 'unknown', ...ASKED, reason: 'order/settle: no answer in 30000 ms' } as const;
    expect(answerOf(unknown)).toMatchObject({
      state: 'UNKNOWN',
      note: 'order/settle: no answer in 30000 ms',
    });
  });

  test('a note without end is cut, and one of odd characters can be stored', () => {
    const { note } = answerOf(accepted({ state: 'FAIL', note: `\u0000${'长'.repeat(10_000)}` }));
    expect(note).toBe(`\\u0000${'长'.repeat(499)}`);
  });
});

test('N1: what provably never left is not sent', () => {
  expect(notSentAnswer('connection refused', NOON)).toMatchObject({
    state: 'NOT_SENT',
    note: 'connection refused',
    evidence: undefined,
  });
});
