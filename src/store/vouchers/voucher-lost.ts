/** Originals that are gone from the archive: whose they were, and what the platform gave in their place. */
import { sql } from 'kysely';
import type { Instant } from '../../core/time.ts';
import type { Db, DbOrTransaction } from '../schema/schema.ts';
import { unitOfWork } from '../database/unit-of-work.ts';
import type { DueVoucher } from './voucher-choice.ts';
import { markingOf } from './voucher-marks.ts';
import type { VoucherFile } from './voucher-save.ts';
import { takeWriteNo } from '../database/writing.ts';

/** An order that has this original; of several with the very same file the first, for any of them can give it back. */
export async function findOrderOf(db: DbOrTransaction, sha256: string): Promise<DueVoucher | undefined> {
  const { rows } = await sql<DueVoucher>`
    select d.account_no as "accountNo", d.kind, d.number, d.order_no as "orderNo", d.month,
      d.first_asked_day as "firstAskedDay"
    from voucher v join voucher_due d using (account_no, kind, number)
    where v.sha256 = ${sha256} and v.condition <> 'rejected'
    order by d.account_no, d.kind, d.number limit 1`.execute(db);
  return rows[0];
}

export interface GivenInstead {
  unit: DueVoucher;
  /** Of the original that is gone; its row stays. */
  lostSha256: string;
  files: readonly VoucherFile[];
  reqId: string;
  askedAt: Instant;
  runId: string;
}

/** Files that are not what is on file are filed beside it, each once; the bundles that hold the order are marked. */
export async function saveGivenInstead(db: Db, given: GivenInstead): Promise<void> {
  const { unit, files, lostSha256, reqId, askedAt, runId } = given;
  const remark = `given by the platform in place of the lost original ${lostSha256.slice(0, 12)}`;
  await unitOfWork(db, async (trx) => {
    const writeNo = await takeWriteNo(trx);
    for (const file of files) {
      await sql`
        insert into voucher (account_no, kind, number, file_no, sha256, bytes, pages, condition, remark, req_id,
          fetched_at, run_id, written_no)
        select ${unit.accountNo}, ${unit.kind}, ${unit.number}, max(v.file_no) + 1, ${file.sha256},
          ${file.bytes}::bigint, ${file.pages}::integer, ${file.condition}, ${[remark, file.remark].filter(Boolean).join('; ')},
          ${reqId}, ${askedAt}::timestamptz, ${runId}, ${writeNo}::bigint
        from voucher v where v.account_no = ${unit.accountNo} and v.kind = ${unit.kind} and v.number = ${unit.number}
        having bool_and(v.sha256 <> ${file.sha256})`.execute(trx);
    }
    const order = sql`select account_no, other_account_no, month from voucher_due
      where account_no = ${unit.accountNo} and kind = ${unit.kind} and number = ${unit.number}`;
    await sql`${markingOf(
      sql`
        select account_no, month from (${order}) o
        union select other_account_no, month from (${order}) o where other_account_no <> ''`,
      writeNo,
    )}`.execute(trx);
  });
}
