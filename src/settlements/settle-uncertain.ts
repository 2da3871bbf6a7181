/** Retried settlements of which nobody can say yet how they ended: what a person looks at first. */
import { sql } from 'kysely';
import type { Fen } from '../core/fen.ts';
import type { Instant } from '../core/time.ts';
import type { DbOrTransaction } from '../store/schema/schema.ts';
import { resultOfAttempt } from './settle-list.ts';
import type { AttemptResult, ListedAttempt } from './settle-list.ts';

export interface UncertainAttempt extends Pick<
  ListedAttempt,
  'accountNo' | 'outOrderNo' | 'attemptNo' | 'payeeAccountNo' | 'amountFen' | 'reqId' | 'sentAt'
> {
  result: AttemptResult;
}

interface Row {
  accountNo: string;
  outOrderNo: string;
  attemptNo: number;
  payeeAccountNo: string;
  amountFen: Fen;
  reqId: string;
  sentAt: Instant | null;
  state: ListedAttempt['state'];
  outcome: ListedAttempt['outcome'];
  isAwaiting: boolean;
}

/** Those that are open now, the longest first; a day retries few, and what is open bars more. */
export async function listUncertain(db: DbOrTransaction): Promise<UncertainAttempt[]> {
  const { rows } = await sql<Row>`
    select t.account_no as "accountNo", t.out_order_no as "outOrderNo", t.attempt_no as "attemptNo",
      t.payee_account_no as "payeeAccountNo", t.amount_fen as "amountFen", t.req_id as "reqId", t.sent_at as "sentAt",
      t.state, t.outcome, coalesce(last.is_awaiting, false) as "isAwaiting"
    from settle_attempt t
    left join lateral (
      select e.is_awaiting from settle_event e
      where (e.account_no, e.out_order_no, e.attempt_no) = (t.account_no, t.out_order_no, t.attempt_no)
      order by e.sequence desc limit 1) last on true
    where t.state <> 'CLOSED'
    order by t.planned_at, t.req_id`.execute(db);
  return rows.map(({ state, outcome, isAwaiting, ...attempt }) => ({
    ...attempt,
    result: resultOfAttempt({ state, outcome, isAwaiting }),
  }));
}
