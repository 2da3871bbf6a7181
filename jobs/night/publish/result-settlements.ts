/** What a run's result says of failed settlements that were retried (docs/architecture.md 5.5). */
import type { Run } from '../../../src/store/runs/runs.ts';
import type { Db } from '../../../src/store/schema/schema.ts';
import { listAttempts, resultOfAttempt, settleSpanOf } from '../../../src/settlements/settle-list.ts';
import type { AttemptResult } from '../../../src/settlements/settle-list.ts';

export interface SettlementResult {
  /** The company's number of the transfer order. */
  reference: string;
  attempt: number;
  reqId: string;
  /** SUCCESS, FAIL, RETURNED, NOT_SENT are certain; PROCESSING, AWAITING and UNKNOWN are not yet. */
  outcome: AttemptResult;
  note: string;
}

/** What changed about failed settlements since the nights of earlier days. */
export async function listSettlements(db: Db, run: Run): Promise<SettlementResult[]> {
  const span = settleSpanOf(run.facts);
  if (span === undefined) return [];
  const attempts = await listAttempts(db, span);
  return attempts
    .filter(({ isOlder }) => !isOlder)
    .map((attempt) => ({
      reference: attempt.outOrderNo,
      attempt: attempt.attemptNo,
      reqId: attempt.reqId,
      outcome: resultOfAttempt(attempt),
      note: attempt.note,
    }));
}
