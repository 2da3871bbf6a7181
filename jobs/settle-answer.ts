/**
 * What came of the one send of a settlement (STL-10…15, M1, M2): only a signed answer about this very order says
 * anything, and a refusal is no failure, because it may be the answer to the same request delivered twice (N12).
 */
import { maskPersonal } from '../src/core/mask.ts';
import { storableText } from '../src/core/text.ts';
import type { Instant } from '../src/core/time.ts';
import type { SettleAnswer } from '../src/platform/contract.ts';
import type { Accepted, CallOutcome } from '../src/platform/outcome.ts';
import type { AttemptAnswer } from '../src/store/settle-book.ts';
import { evidenceOfOrder } from './order-facts.ts';
import type { PlanLine } from './settle-policy.ts';

type Sent = Pick<PlanLine, 'outOrderNo' | 'orderNo' | 'amountFen'>;
type AnsweredState = 'ACK_PROCESSING' | 'ACK_SUCCESS' | 'ACK_FAIL';

/** The documented words (STL-10); any other one leaves it unknown. */
const STATES: ReadonlyMap<string, AnsweredState> = new Map([
  ['PROCESSING', 'ACK_PROCESSING'],
  ['SUCCESS', 'ACK_SUCCESS'],
  ['FAIL', 'ACK_FAIL'],
]);

const NOTHING = { code: '', feeFen: undefined, feeType: '', evidence: undefined };

export function attemptAnswer(
  outcome: CallOutcome<'order/settle'>,
  sent: Sent,
  answeredAt: Instant,
): AttemptAnswer {
  switch (outcome.kind) {
    case 'accepted':
      return acceptedAnswer(outcome, sent, answeredAt);
    case 'refused': {
      const note = noteText(`the platform refused: ${outcome.code} ${outcome.msg}`);
      return { ...NOTHING, state: 'UNKNOWN', answeredAt, code: outcome.code, note };
    }
    case 'unknown':
      return { ...NOTHING, state: 'UNKNOWN', answeredAt, note: noteText(outcome.reason) };
  }
}

export function notSentAnswer(reason: string, answeredAt: Instant): AttemptAnswer {
  return { ...NOTHING, state: 'NOT_SENT', answeredAt, note: noteText(reason) };
}

function acceptedAnswer(outcome: Accepted<SettleAnswer>, sent: Sent, answeredAt: Instant): AttemptAnswer {
  if (!outcome.signed) {
    return { ...NOTHING, state: 'UNKNOWN', answeredAt, note: 'the answer is not signed' };
  }
  const { answer } = outcome;
  const { sha256, bizText, reqId, requestedAt } = evidenceOfOrder('order/settle', outcome);
  const evidence = { sha256, bizText, reqId, requestedAt };
  const strange = strangeNumber(answer, sent);
  if (strange !== undefined) {
    return { ...NOTHING, state: 'UNKNOWN', answeredAt, note: noteText(strange), evidence };
  }
  const state = STATES.get(answer.state ?? '');
  const remarks = [
    state === undefined ? `the answer states ${answer.state ?? 'no state'}` : '',
    answer.note ?? '',
    isOtherAmount(answer, sent) ? `the answer states ${answer.amountFen} fen` : '',
  ];
  return {
    state: state ?? 'UNKNOWN',
    answeredAt,
    code: '',
    note: noteText(remarks.filter((remark) => remark !== '').join('; ')),
    feeFen: answer.feeFen,
    feeType: answer.feeType ?? '',
    evidence,
  };
}

/** An answer about another order says nothing of this one. */
function strangeNumber({ outOrderNo, orderNo }: SettleAnswer, sent: Sent): string | undefined {
  for (const [said, asked] of [
    [outOrderNo ?? '', sent.outOrderNo],
    [orderNo ?? '', sent.orderNo],
  ] as const) {
    if (said !== '' && asked !== '' && said !== asked) return `the answer is about ${said}, not ${asked}`;
  }
  return undefined;
}

function isOtherAmount({ amountFen }: SettleAnswer, sent: Sent): boolean {
  return amountFen !== undefined && amountFen !== sent.amountFen;
}

/** Enough to see what happened; a hostile text must not fill the books. */
const NOTE_LENGTH_MAX = 500;

/** A note from outside as it may be kept and shown. */
export function noteText(text: string): string {
  return storableText(maskPersonal(text).slice(0, NOTE_LENGTH_MAX));
}
