/** The books as people look through them: the latest entries, account by account by key, with the rows of their files. */
import { sql } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import type { Instant } from '../../core/time.ts';
import type { DbOrTransaction, LedgerKind } from '../schema/schema.ts';

export interface ListedEntry {
  accountNo: string;
  source: string;
  entryId: string;
  version: number;
  kind: LedgerKind;
  amountFen: Fen;
  reference: string;
  counterparty: string;
  bookedAt: Instant;
  status: 'posted' | 'pending';
  file: string;
  fileSha256: string;
  /** Null: taken in before rows were kept. */
  fileRow: number | null;
}

export interface EntryFilter {
  accountNo: string | undefined;
  source: string | undefined;
  from: Instant | undefined;
  before: Instant | undefined;
  limit: number;
}

/** What is in the books now, the latest first. */
export async function listLedger(db: DbOrTransaction, filter: EntryFilter): Promise<ListedEntry[]> {
  const { accountNo, source, from, before, limit } = filter;
  const { rows } = await sql<ListedEntry>`
    select e.account_no as "accountNo", e.source, e.entry_id as "entryId", e.version, e.kind,
      e.amount_fen as "amountFen", e.reference, e.counterparty, e.booked_at as "bookedAt", e.status, f.name as file,
      f.sha256 as "fileSha256", e.file_row as "fileRow"
    from account a
    cross join lateral (
      select * from ledger_entry e
      where e.account_no = a.account_no and e.current
        and (${source ?? null}::text is null or e.source = ${source ?? null})
        and e.booked_at >= coalesce(${from ?? null}::timestamptz, '-infinity')
        and e.booked_at < coalesce(${before ?? null}::timestamptz, 'infinity')
      order by e.booked_at desc, e.entry_no desc limit ${limit}
    ) e
    join intake_file f on f.file_id = e.file_id
    where ${accountNo ?? null}::text is null or a.account_no = ${accountNo ?? null}
    order by e.booked_at desc, e.entry_no desc limit ${limit}`.execute(db);
  return rows;
}
