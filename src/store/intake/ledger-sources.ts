/** The books by where they come from: each source with what it has in the books now, and the files that brought it. */
import { sql } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import type { Day, Instant } from '../../core/time.ts';
import type { DbOrTransaction } from '../schema/schema.ts';

export interface LedgerSource {
  source: string;
  /** Entries that are in the books, those of them that are pending, and what all of them add up to. */
  entries: number;
  pending: number;
  amountFen: Fen;
  firstBookedAt: Instant | null;
  lastBookedAt: Instant | null;
  /** Files that stand, and when the latest of all came. */
  files: number;
  lastImportedAt: Instant | null;
  /** As its owner states it; null where he never did. */
  completeTo: Instant | null;
}

/** Every source that was ever taken in, by name; a large ledger is looked at once. */
export async function listSources(db: DbOrTransaction): Promise<LedgerSource[]> {
  const { rows } = await sql<LedgerSource>`
    with booked as (
      select source, count(*)::integer as entries, (count(*) filter (where status = 'pending'))::integer as pending,
        sum(amount_fen)::bigint as amount_fen, min(booked_at) as first_at, max(booked_at) as last_at
      from ledger_entry where current group by source
    ), brought as (
      select source, (count(*) filter (where withdrawn_at is null))::integer as files,
        max(imported_at) as imported_at
      from intake_file where kind = 'ledger' group by source
    )
    select f.source, coalesce(b.entries, 0) as entries, coalesce(b.pending, 0) as pending,
      coalesce(b.amount_fen, 0::bigint) as "amountFen", b.first_at as "firstBookedAt", b.last_at as "lastBookedAt",
      f.files, f.imported_at as "lastImportedAt", s.complete_to as "completeTo"
    from brought f left join booked b on b.source = f.source left join ledger_source s on s.source = f.source
    order by f.source collate "C"`.execute(db);
  return rows;
}

export interface LedgerFile {
  fileId: string;
  source: string;
  name: string;
  sha256: string;
  /** Rows it has, and entries that are in the books as it has them. */
  rows: number;
  entries: number;
  /** It came as the whole truth of its days. */
  replaced: boolean;
  importedAt: Instant;
  withdrawnAt: Instant | null;
  /** Of a file of the inbox: the day that its name states. */
  ofDay: Day | null;
}

/** The files of one source or of all, the latest first. */
export async function listLedgerFiles(
  db: DbOrTransaction,
  { source, limit }: { source?: string | undefined; limit?: number | undefined } = {},
): Promise<LedgerFile[]> {
  const { rows } = await sql<LedgerFile>`
    with listed as (
      select * from intake_file
      where kind = 'ledger' and (${source ?? null}::text is null or source = ${source ?? null})
      order by imported_at desc, file_id limit ${limit ?? null}
    ), booked as (
      select file_id, count(*)::integer as entries from ledger_entry
      where current and file_id in (select file_id from listed) group by file_id
    )
    select f.file_id as "fileId", f.source, f.name, f.sha256, f.row_count as rows,
      coalesce(b.entries, 0) as entries, f.replaced, f.imported_at as "importedAt", f.withdrawn_at as "withdrawnAt",
      f.of_day as "ofDay"
    from listed f left join booked b on b.file_id = f.file_id
    order by f.imported_at desc, f.file_id`.execute(db);
  return rows;
}
