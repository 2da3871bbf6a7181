/** Which files a run rests on. */
import { sql } from 'kysely';
import type { Instant } from '../../src/core/time.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import type { RunHead } from './read-run.ts';

export interface FileRow {
  kind: 'accounts' | 'ledger' | 'orders';
  source: string;
  name: string;
  rows: number;
  sha256: string;
  importedAt: Instant;
}

/**
 * The files the run's accounts, registered orders and ledger entries came from; what was taken in later than the
 * run does not count.
 */
export async function readFiles(db: Db, head: RunHead): Promise<FileRow[]> {
  const { rows } = await sql<{
    kind: FileRow['kind'];
    source: string;
    name: string;
    row_count: number;
    sha256: string;
    imported_at: Instant;
  }>`
    with own as materialized (select account_no from run_account where run_id = ${head.runId})
    select kind, source, name, row_count, sha256, imported_at from intake_file
    where file_id in (
      select file_id from account where account_no in (select account_no from own)
      union
      select distinct file_id from ledger_entry where account_no in (select account_no from own)
        and (${head.writtenUpTo}::bigint is null or written_no <= ${head.writtenUpTo}::bigint)
      union
      select distinct o.file_id from order_registry o join intake_file f using (file_id)
      where (o.payer_account_no in (select account_no from own)
          or o.payee_account_no in (select account_no from own))
        and f.imported_at <= ${head.finishedAt ?? 'infinity'}::timestamptz
    )
    order by kind, source, imported_at, name, sha256`.execute(db);
  return rows.map((row) => ({
    kind: row.kind,
    source: row.source,
    name: row.name,
    rows: row.row_count,
    sha256: row.sha256,
    importedAt: row.imported_at,
  }));
}
