/** A deposit with all its rows: as collected, as posted, and matched with an entry of the books. */
import type { Insertable } from 'kysely';
import type { Fen } from '../../../src/core/fen.ts';
import type { Instant } from '../../../src/core/time.ts';
import type { Db, Tables } from '../../../src/store/schema/schema.ts';
import { anIntakeFile, at } from './run-rows.ts';

export interface DepositLine {
  accountNo: string;
  orderNo: string;
  amountFen: Fen;
  feeFen?: Fen;
  at?: Instant;
  payerName?: string;
  payerBankNo?: string;
  remark?: string;
  /** The ledger's entry for it; without one the deposit is not matched. */
  entry?: { id: string; amountFen: Fen; at?: Instant };
  rule?: string;
}

/** A deposit as collected and posted, matched with a ledger entry where one is given. */
export async function aDeposit(db: Db, line: DepositLine): Promise<void> {
  await db.insertInto('deposit').values(depositRow(line)).execute();
  await db.insertInto('movement').values(movementRow(line)).execute();
  if (!line.entry) return;
  const entryNo = await aLedgerEntry(db, { accountNo: line.accountNo, ...line.entry });
  const key = `deposit:${line.orderNo}`;
  await db
    .insertInto('match')
    .values({
      account_no: line.accountNo,
      group_key: key,
      line_no: 1,
      dedup_key: key,
      entry_no: entryNo,
      rule: line.rule ?? 'reference',
      outcome: 'equal',
    })
    .execute();
}

const DEPOSITED_AT = at('2026-03-01 10:00:00');

function depositRow(line: DepositLine): Insertable<Tables['deposit']> {
  const feeFen = line.feeFen ?? 0n;
  return {
    account_no: line.accountNo,
    order_no: line.orderNo,
    version: 1,
    amount_fen: line.amountFen,
    fee_fen: feeFen,
    real_fen: line.amountFen - feeFen,
    fee_type: 'ORDER',
    payer_acct_no: '',
    payer_name: line.payerName ?? '付款公司',
    payer_bank_no: line.payerBankNo ?? '6222021234567890123',
    payee_acct_no: line.accountNo,
    payee_name: '',
    payee_bank_no: '',
    remark: line.remark ?? '',
    err_code: '',
    deposited_at: line.at ?? DEPOSITED_AT,
    seen_at: line.at ?? DEPOSITED_AT,
    answer_sha256: '',
    signed: true,
    written_no: 1n,
  };
}

function movementRow(line: DepositLine): Insertable<Tables['movement']> {
  const feeFen = line.feeFen ?? 0n;
  const moment = line.at ?? DEPOSITED_AT;
  return {
    account_no: line.accountNo,
    dedup_key: `deposit:${line.orderNo}`,
    family: 'deposit',
    kind: 'deposit',
    delta_fen: line.amountFen - feeFen,
    fee_fen: feeFen,
    reference: line.orderNo,
    effective_from: moment,
    effective_to: moment,
    written_no: 1n,
  };
}

async function aLedgerEntry(
  db: Db,
  entry: { accountNo: string; id: string; amountFen: Fen; at?: Instant },
): Promise<bigint> {
  const fileId = await anIntakeFile(db, {
    file_id: 'file-ledger',
    kind: 'ledger',
    source: 'erp',
    name: 'ledger 2026-03.xlsx',
    sha256: 'd'.repeat(64),
  });
  const row = await db
    .insertInto('ledger_entry')
    .values({
      account_no: entry.accountNo,
      source: 'erp',
      entry_id: entry.id,
      version: 1,
      kind: 'deposit',
      amount_fen: entry.amountFen,
      booked_at: entry.at ?? DEPOSITED_AT,
      status: 'posted',
      file_id: fileId,
      written_no: 1n,
    })
    .returning('entry_no')
    .executeTakeFirstOrThrow();
  return row.entry_no;
}
