/**
 * What is known of a file by its digest: the same bytes are judged once, wherever they came, and what the merge finds out
 * later holds for every order that has them.
 */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Db, DbOrTransaction, Tables, VoucherCondition } from '../schema/schema.ts';
import { unitOfWork } from '../database/unit-of-work.ts';
import { markingOf } from './voucher-marks.ts';
import { takeWriteNo } from '../database/writing.ts';

export interface KnownFile {
  condition: VoucherCondition;
  pages: number | null;
  /** Why it is not whole; empty when it is. */
  remark: string;
}

/** Of a file that lies in the archive; the worst where it was judged several times. */
export async function findKnownFile(db: DbOrTransaction, sha256: string): Promise<KnownFile | undefined> {
  const { rows } = await sql<KnownFile>`
    select condition, pages, case when condition = 'whole' then '' else remark end as remark
    from voucher where sha256 = ${sha256} and condition <> 'rejected'
    order by condition = 'whole', account_no, kind, number, file_no limit 1`.execute(db);
  return rows[0];
}

/** Every bundle that holds one of them is to be looked at again. */
export async function saveJudgements(
  db: Db,
  judged: readonly { sha256: string; condition: VoucherCondition; remark: string }[],
  fence: (trx: Transaction<Tables>) => Promise<void>,
): Promise<void> {
  if (judged.length === 0) return;
  await unitOfWork(db, async (trx) => {
    await fence(trx);
    const writeNo = await takeWriteNo(trx);
    for (const { sha256, condition, remark } of judged) {
      await sql`
        update voucher set condition = ${condition}, pages = null, remark = ${remark}
        where sha256 = ${sha256} and condition = 'whole'`.execute(trx);
      const holding = sql`voucher_due d join voucher v
        on v.account_no = d.account_no and v.kind = d.kind and v.number = d.number and v.sha256 = ${sha256}`;
      await markingOf(
        sql`select d.account_no, d.month from ${holding}
          union select d.other_account_no, d.month from ${holding} where d.other_account_no <> ''`,
        writeNo,
      ).execute(trx);
    }
  });
}
