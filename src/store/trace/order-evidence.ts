/** What else is kept of a record: vouchers that were filed, and attempts at its settlement. */
import { sql } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import type { Instant } from '../../core/time.ts';
import type {
  AttemptOutcome,
  AttemptState,
  DbOrTransaction,
  VoucherCondition,
  VoucherKind,
} from '../schema/schema.ts';
import type { RecordKey } from './bearers.ts';

export interface FiledVoucher {
  accountNo: string;
  kind: VoucherKind;
  /** The archive has it under this name. */
  sha256: string;
  condition: VoucherCondition;
  reqId: string;
  fetchedAt: Instant;
}

export interface TracedAttempt {
  attempt: number;
  reqId: string;
  amountFen: Fen;
  state: AttemptState;
  outcome: AttemptOutcome | null;
  sentAt: Instant | null;
  answerSha256: string;
}

const KINDS: readonly VoucherKind[] = ['deposit', 'transfer', 'withdrawal', 'settlement'];

export async function listFiledVouchers(
  db: DbOrTransaction,
  of: { accounts: readonly string[]; number: string },
): Promise<FiledVoucher[]> {
  const { rows } = await sql<FiledVoucher>`
    select account_no as "accountNo", kind, sha256, condition, req_id as "reqId", fetched_at as "fetchedAt"
    from voucher
    where account_no = any(${of.accounts}::text[]) and kind = any(${KINDS}::text[]) and number = ${of.number}
    order by account_no, kind, file_no`.execute(db);
  return rows;
}

export async function listAttempts(
  db: DbOrTransaction,
  { accountNo, number }: RecordKey,
): Promise<TracedAttempt[]> {
  const { rows } = await sql<TracedAttempt>`
    select attempt_no as attempt, req_id as "reqId", amount_fen as "amountFen", state, outcome, sent_at as "sentAt",
      answer_sha256 as "answerSha256"
    from settle_attempt where account_no = ${accountNo} and out_order_no = ${number} order by attempt_no`.execute(
    db,
  );
  return rows;
}
