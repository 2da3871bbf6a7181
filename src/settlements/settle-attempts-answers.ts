/**
 * What came of the one send, as it is kept of its attempt: whatever became of the attempt meanwhile, that the platform
 * took it is never lost (docs/reliability.md 2.3 a).
 */
import type { Transaction } from 'kysely';
import { saveAnswers } from '../store/deposits/answers.ts';
import type { Tables } from '../store/schema/schema.ts';
import { FORGOTTEN, isAccepted, lateNote, withNote } from './attempt-store.ts';
import type { AttemptAnswer, SentAttempt } from './attempt-store.ts';
import {
  change,
  findAttempt,
  plannedRow,
  requireAttempt,
  rowStampOf,
  saveEvent,
  wrongState,
} from './settle-attempts-changes.ts';
import type { AttemptRow } from './settle-attempts-changes.ts';

type Trx = Transaction<Tables>;

interface Answered {
  reqId: string;
  answer: AttemptAnswer;
  /** As the process that sent it knows it. */
  known: SentAttempt | undefined;
  runId: string;
  fence: bigint;
}

export async function saveAnswer(trx: Trx, answered: Answered): Promise<void> {
  const { reqId, answer, known, runId } = answered;
  const found = await findAttempt(trx, reqId);
  if (found === undefined && known !== undefined && isAccepted(answer)) {
    return makeAnew(trx, { ...answered, known });
  }
  const attempt = found ?? (await requireAttempt(trx, reqId));
  const { state } = attempt;
  if (state === 'CLOSED') return saveLateAnswer(trx, attempt, answered);
  if (state === answer.state) return;
  // A restore may have made it doubtful, or forgotten that it was sent, before its answer came.
  const isDoubted = state === 'UNKNOWN' || (state === 'PLANNED' && known !== undefined);
  const isTaken = isDoubted && isAccepted(answer);
  const isDue = state === 'SENT' || isTaken || (state === 'PLANNED' && answer.state === 'NOT_SENT');
  if (!isDue) throw wrongState(attempt, `it cannot become ${answer.state}`);
  await keepBytes(trx, attempt.account_no, answer);
  const stamp = isTaken && state === 'PLANNED' && known ? rowStampOf(known.sent) : {};
  await change(
    trx,
    attempt,
    { state: answer.state, note: answer.note, ...stamp, ...answeredWith(answer) },
    { runId, at: answer.answeredAt, note: answer.note },
  );
}

/**
 * Only what the platform took is of interest then. What was paid stays so; what was closed as anything else, also as sent
 * back, which may be what was paid before it, is open again, and nothing that was seen of it before the answer was known
 * ends it by itself (docs/reliability.md 2.3 a).
 */
async function saveLateAnswer(
  trx: Trx,
  attempt: AttemptRow,
  { answer, known, runId }: Answered,
): Promise<void> {
  const { answeredAt, state } = answer;
  if (!isAccepted(answer) || attempt.answered_at === answeredAt) return;
  await keepBytes(trx, attempt.account_no, answer);
  const note = lateNote(attempt.outcome, answer.note);
  const answered = { note, ...answeredWith(answer) };
  if (attempt.outcome === 'SUCCESS') {
    await change(trx, attempt, answered, { runId, at: answeredAt, note });
    return;
  }
  const unsent = { ...rowStampOf({ reqTime: answeredAt, sentAt: answeredAt, sentMonoMs: 0 }), runner: '' };
  const sent = known ? rowStampOf(known.sent) : unsent;
  const stamp = attempt.req_time === null ? sent : {};
  const open = { outcome: null, closed_at: null, open_seen_at: null, failed_seen_at: null };
  const reopened = { ...answered, ...stamp, ...open, state, reopened_at: answeredAt };
  await change(trx, attempt, reopened, { runId, at: answeredAt, note, isAwaiting: true });
}

/**
 * The database was restored during the call to before the attempt was planned: it is there again, as one that was opened
 * again. Where its number was given away since, it has the next one.
 */
async function makeAnew(
  trx: Trx,
  { answer, known: { planned, sent }, runId, fence }: Answered & { known: SentAttempt },
): Promise<void> {
  const { answeredAt, state } = answer;
  const note = withNote(FORGOTTEN, answer.note);
  await keepBytes(trx, planned.accountNo, answer);
  const attempt_no = await freeNo(trx, planned);
  const row = await trx
    .insertInto('settle_attempt')
    .values({
      ...plannedRow(planned, fence),
      ...rowStampOf(sent),
      ...answeredWith(answer),
      attempt_no,
      state,
      note,
      reopened_at: answeredAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await saveEvent(trx, row, { runId, at: answeredAt, note, isAwaiting: true });
}

async function freeNo(
  trx: Trx,
  { accountNo, outOrderNo, attemptNo }: SentAttempt['planned'],
): Promise<number> {
  const numbers = await trx
    .selectFrom('settle_attempt')
    .select('attempt_no')
    .where('account_no', '=', accountNo)
    .where('out_order_no', '=', outOrderNo)
    .execute();
  const taken = numbers.map((row) => row.attempt_no);
  return taken.includes(attemptNo) ? Math.max(...taken) + 1 : attemptNo;
}

function answeredWith(answer: AttemptAnswer) {
  return {
    answered_at: answer.answeredAt,
    answer_code: answer.code,
    is_claimed: answer.isClaimed,
    answer_fee_fen: answer.feeFen ?? null,
    answer_fee_type: answer.feeType,
    answer_sha256: answer.evidence?.sha256 ?? '',
  };
}

async function keepBytes(trx: Trx, accountNo: string, { evidence }: AttemptAnswer): Promise<void> {
  if (evidence === undefined) return;
  await saveAnswers(trx, [{ endpoint: 'order/settle', accountNo, signed: true, ...evidence }]);
}
