/**
 * What came of the one send of a settlement (STL-10…15, M1, M2): whatever comes back may be an acceptance, but for a
 * refusal that proves nothing taken; only a signed answer about this very send says more; and a refusal is no failure,
 * because it may be the answer to the same request delivered twice (N12).
 */
import { createHash } from 'node:crypto';
import { maskPersonal } from '../../../src/core/mask.ts';
import { storableText } from '../../../src/core/text.ts';
import { provesNothingTaken } from '../../../src/core/profile/refusals.ts';
import type { Profile } from '../../../src/core/profile/profile.ts';
import { epochMs } from '../../../src/core/time.ts';
import type { Instant } from '../../../src/core/time.ts';
import type { SettleAnswer } from '../../../src/platform/contract.ts';
import type { Accepted, CallOutcome } from '../../../src/platform/outcome.ts';
import type { AttemptAnswer } from '../../../src/settlements/attempt-store.ts';
import type { PlanLine } from './settle-policy.ts';

type Sent = Pick<PlanLine, 'outOrderNo' | 'orderNo' | 'payeeAccountNo' | 'amountFen' | 'attemptNo'>;

interface Sending {
  sent: Sent;
  profile: Profile;
}

type Evidence = NonNullable<AttemptAnswer['evidence']>;
type AnsweredState = 'ACK_PROCESSING' | 'ACK_SUCCESS' | 'ACK_FAIL';

/** The documented words (STL-10); any other one leaves it unknown. */
const STATES: ReadonlyMap<string, AnsweredState> = new Map([
  ['PROCESSING', 'ACK_PROCESSING'],
  ['SUCCESS', 'ACK_SUCCESS'],
  ['FAIL', 'ACK_FAIL'],
]);

const NOTHING = { code: '', isClaimed: false, feeFen: undefined, feeType: '', evidence: undefined };

export function attemptAnswer(
  outcome: CallOutcome<'order/settle'>,
  sending: Sending,
  answeredAt: Instant,
): AttemptAnswer {
  switch (outcome.kind) {
    case 'accepted':
      return acceptedAnswer(outcome, sending, answeredAt);
    case 'refused': {
      const note = noteText(`the platform refused: ${outcome.code} ${outcome.msg}`);
      const { code, msg, signed } = outcome;
      const isProven = signed && isOfThisSend(outcome, sending);
      const refusal = { path: 'order/settle', code, msg };
      const isClaimed = !isProven || !provesNothingTaken(sending.profile, refusal);
      return { ...NOTHING, state: 'UNKNOWN', answeredAt, code, isClaimed, note };
    }
    case 'unknown': {
      const { acceptedText: bizText, reason, isAnswered: isClaimed } = outcome;
      const evidence = bizText === undefined ? undefined : evidenceOf({ ...outcome, bizText });
      return { ...NOTHING, state: 'UNKNOWN', answeredAt, isClaimed, note: noteText(reason), evidence };
    }
  }
}

export function notSentAnswer(reason: string, answeredAt: Instant): AttemptAnswer {
  return { ...NOTHING, state: 'NOT_SENT', answeredAt, note: noteText(reason) };
}

/**
 * Signed as a success it was accepted, whatever else it says, and nothing is sent again by itself
 * (docs/reliability.md 2.3 a): but for a failure that is certain to be that of this send. That it is paid counts only of
 * this send too, because the first query that shows it paid ends it then.
 */
function acceptedAnswer(
  outcome: Accepted<SettleAnswer>,
  sending: Sending,
  answeredAt: Instant,
): AttemptAnswer {
  const { sent } = sending;
  if (!outcome.signed) {
    return { ...NOTHING, state: 'UNKNOWN', isClaimed: true, answeredAt, note: 'the answer is not signed' };
  }
  const { answer } = outcome;
  const stated = STATES.get(answer.state ?? '');
  const isOldSuccess = stated === 'ACK_SUCCESS' && !isOfThisSend(outcome, sending);
  // Taken all the same; whether it is paid queries say.
  const state = isOldSuccess ? 'ACK_PROCESSING' : stated;
  const evidence = evidenceOf(outcome);
  const doubt =
    strangeNumber(answer, sent) ?? (state === 'ACK_FAIL' ? doubtOfFailure(outcome, sending) : undefined);
  if (doubt !== undefined) {
    return { ...NOTHING, state: 'UNKNOWN', isClaimed: true, answeredAt, note: noteText(doubt), evidence };
  }
  const remarks = [
    state === undefined ? `the answer states ${answer.state ?? 'no state'}` : '',
    isOldSuccess ? `the answer states SUCCESS, but ${NOT_OF_THIS_SEND}` : '',
    answer.note ?? '',
    isOtherAmount(answer, sent) ? `the answer states ${answer.amountFen} fen` : '',
  ];
  return {
    state: state ?? 'UNKNOWN',
    answeredAt,
    code: '',
    // Accepted, in a word that nobody knows.
    isClaimed: state === undefined,
    note: noteText(remarks.filter((remark) => remark !== '').join('; ')),
    feeFen: answer.feeFen,
    feeType: answer.feeType ?? '',
    evidence,
  };
}

function evidenceOf(told: { bizText: string; reqId: string; requestedAt: Instant }): Evidence {
  const { bizText, reqId, requestedAt } = told;
  return { sha256: createHash('sha256').update(bizText, 'utf8').digest('hex'), bizText, reqId, requestedAt };
}

/** Our clock may be off by the 10 s that the service takes (ENV-13), and its time is stated in whole seconds. */
const EARLIER_MS_MAX = 11_000;

const NOT_OF_THIS_SEND = 'no signed time that proves it to be about this attempt';

/**
 * A failure ends an attempt at once, so it must be about this order and this send: the answer about another one, or to
 * an earlier attempt, given again, is rightly signed too. Which order it is about only the number says by which it was
 * asked for: one that nobody was told may be any order's, and its own one another payer's too.
 */
function doubtOfFailure(told: Accepted<SettleAnswer>, sending: Sending): string | undefined {
  const { answer } = told;
  const { sent } = sending;
  const stated = sent.orderNo === '' ? answer.outOrderNo : answer.orderNo;
  if (stated !== (sent.orderNo || sent.outOrderNo)) {
    return 'the answer states FAIL, and no number that tells which order';
  }
  if ((answer.acctNo ?? '') !== '' && answer.acctNo !== sent.payeeAccountNo) {
    return `the answer states FAIL, of the account ${answer.acctNo}, not ${sent.payeeAccountNo}`;
  }
  if (isOtherAmount(answer, sent)) return `the answer states FAIL, of ${answer.amountFen} fen`;
  return isOfThisSend(told, sending) ? undefined : `the answer states FAIL, but ${NOT_OF_THIS_SEND}`;
}

type Timed = Pick<Accepted<SettleAnswer>, 'timestamp' | 'timestampSigned' | 'requestedAt'>;

function isOfThisSend(
  { timestamp, timestampSigned, requestedAt }: Timed,
  { sent, profile }: Sending,
): boolean {
  // Within a minute the time alone does not tell it from the attempt before.
  const isAlone = sent.attemptNo === 1 || profile.settle.coolDownMinutes > 0;
  const isTimed = timestampSigned && timestamp !== undefined;
  return isAlone && isTimed && epochMs(timestamp) >= epochMs(requestedAt) - EARLIER_MS_MAX;
}

/** Another order's, or a number that nobody was told. */
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
