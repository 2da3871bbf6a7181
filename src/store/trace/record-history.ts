/** A record of the platform as it is stored, with what it said before: each version by the answer that stated it. */
import { sql } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import type { Day, Instant } from '../../core/time.ts';
import type { DbOrTransaction, RegisteredOutcome } from '../schema/schema.ts';
import type { RecordKey } from './bearers.ts';

export interface StoredRecord {
  kind: RecordKey['kind'];
  accountNo: string;
  orderNo: string;
  outOrderNo: string;
  outBatchNo: string;
  payeeAccountNo: string;
  amountFen: Fen | null;
  feeFen: Fen | null;
  feeType: string;
  state: string;
  settleState: string;
  /** Who paid or is paid, where that is no registry account. */
  counterparty: string;
  /** When it happened: of a deposit as stated, of an order when it was submitted. */
  at: Instant | null;
  seenAt: Instant;
  version: number;
  signed: boolean;
  answerSha256: string;
}

/** What it said before, and which run found it changed. */
export interface FormerVersion {
  version: number;
  amountFen: Fen | null;
  seenAt: Instant;
  answerSha256: string;
  replacedRun: string;
  replacedDay: Day;
}

export interface Registration {
  registeredAs: string;
  amountFen: Fen | null;
  submittedAt: Instant | null;
  outcome: RegisteredOutcome;
  payerAccountNo: string;
  payeeAccountNo: string;
  /** Null: a program of the company registered it. */
  fileName: string | null;
  fileSha256: string | null;
}

const FIELDS = sql`out_order_no as "outOrderNo", order_no as "orderNo", amount_fen as "amountFen", fee_fen as "feeFen",
  fee_type as "feeType", state, submitted_at as at, seen_at as "seenAt", version, signed, answer_sha256 as "answerSha256"`;

export async function findRecord(db: DbOrTransaction, key: RecordKey): Promise<StoredRecord | undefined> {
  const { rows } = await sql<StoredRecord>`${rowOf(key)}`.execute(db);
  return rows[0];
}

function rowOf({ kind, accountNo, number }: RecordKey) {
  switch (kind) {
    case 'deposit':
      return sql`
        select 'deposit' as kind, account_no as "accountNo", order_no as "orderNo", '' as "outOrderNo",
          '' as "outBatchNo", account_no as "payeeAccountNo", amount_fen as "amountFen", fee_fen as "feeFen",
          fee_type as "feeType", '' as state, '' as "settleState", payer_name as counterparty, deposited_at as at,
          seen_at as "seenAt", version, signed, answer_sha256 as "answerSha256"
        from deposit where account_no = ${accountNo} and order_no = ${number}`;
    case 'transfer':
      return sql`
        select 'transfer' as kind, account_no as "accountNo", payee_account_no as "payeeAccountNo",
          out_batch_no as "outBatchNo", settle_state as "settleState", '' as counterparty, ${FIELDS}
        from transfer_order where account_no = ${accountNo} and out_order_no = ${number}`;
    case 'withdrawal':
      return sql`
        select 'withdrawal' as kind, account_no as "accountNo", '' as "payeeAccountNo", '' as "outBatchNo",
          '' as "settleState", '' as counterparty, ${FIELDS}
        from withdrawal where account_no = ${accountNo} and out_order_no = ${number}`;
  }
}

/** The latest first. */
export async function listFormerVersions(db: DbOrTransaction, key: RecordKey): Promise<FormerVersion[]> {
  const { kind, accountNo, number } = key;
  const from =
    kind === 'deposit'
      ? sql`deposit_version where order_no = ${number}`
      : sql`order_version where kind = ${kind} and out_order_no = ${number}`;
  const { rows } = await sql<FormerVersion>`
    select version, amount_fen as "amountFen", seen_at as "seenAt", answer_sha256 as "answerSha256",
      replaced_run as "replacedRun", replaced_day as "replacedDay"
    from ${from} and account_no = ${accountNo} order by version desc`.execute(db);
  return rows;
}

/** What the company registered under any of these names. */
export async function listRegistrations(
  db: DbOrTransaction,
  of: { kind: 'transfer' | 'withdrawal'; outOrderNo: string; orderNo: string },
): Promise<Registration[]> {
  const { rows } = await sql<Registration>`
    select r.registered_as as "registeredAs", r.amount_fen as "amountFen", r.submitted_at as "submittedAt", r.outcome,
      r.payer_account_no as "payerAccountNo", r.payee_account_no as "payeeAccountNo", f.name as "fileName",
      f.sha256 as "fileSha256"
    from order_registry r left join intake_file f on f.file_id = r.file_id
    where r.kind = ${of.kind} and ((r.out_order_no = ${of.outOrderNo} and r.out_order_no <> '')
      or (r.order_no = ${of.orderNo} and r.order_no <> ''))
    order by r.registered_as`.execute(db);
  return rows;
}
