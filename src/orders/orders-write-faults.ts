/** Faults of orders as they open and are cured (P3, P4, P6, P7, P9); one that opens again begins anew. */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { TEXT_C, copyRows, stageOf } from '../store/database/bulk.ts';
import type { OrderSave } from './orders-answers.ts';
import type { PendingWrites } from './pending-writes.ts';
import type { Tables } from '../store/schema/schema.ts';
import { takeWriteNo } from '../store/database/writing.ts';

const STAGE = stageOf('stage_order_fault', {
  account_no: TEXT_C,
  reference: TEXT_C,
  subject: 'text',
  class: 'text',
  note: 'text',
});

export async function writeFaults(
  trx: Transaction<Tables>,
  { runId, day }: Pick<OrderSave, 'runId' | 'day'>,
  drafts: PendingWrites,
): Promise<void> {
  const faults = drafts.faultDrafts();
  if (faults.length === 0) return;
  const notedNo = await takeWriteNo(trx);
  await copyRows(
    trx,
    STAGE,
    faults.map((fault) => [fault.accountNo, fault.outNo, fault.subject, fault.class, fault.note ?? null]),
  );
  await sql`
    insert into order_fault (account_no, reference, subject, class, note, first_run, first_day, noted_no)
    select account_no, reference, subject, class, note, ${runId}, ${day}, ${notedNo}::bigint from stage_order_fault
    where note is not null order by account_no, reference, subject, class
    on conflict (account_no, reference, subject, class) do update set note = excluded.note, cured_day = null,
      noted_no = excluded.noted_no,
      first_run = case when order_fault.cured_day is null then order_fault.first_run else excluded.first_run end,
      first_day = case when order_fault.cured_day is null then order_fault.first_day else excluded.first_day end
    where order_fault.note <> excluded.note or order_fault.cured_day is not null`.execute(trx);
  await sql`
    update order_fault f set cured_day = greatest(f.first_day, ${day})
    from stage_order_fault s
    where s.note is null and f.account_no = s.account_no and f.reference = s.reference and f.subject = s.subject and f.class = s.class
      and f.cured_day is null`.execute(trx);
}
