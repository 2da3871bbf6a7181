/** A database with accounts, ways to import into it, and its books as plain rows. */
import { diskFiles } from '../../src/core/files.ts';
import type { Clock } from '../../src/core/ports.ts';
import { Zone } from '../../src/core/time.ts';
import type { Instant } from '../../src/core/time.ts';
import { importAccounts } from '../../src/intake/import-accounts.ts';
import { importLedger } from '../../src/intake/import-ledger.ts';
import type { LedgerImportRequest, LedgerImportResult } from '../../src/intake/import-ledger.ts';
import type { ImportResult } from '../../src/intake/import-file.ts';
import { withdrawLedger } from '../../src/intake/withdraw-ledger.ts';
import type { WithdrawResult } from '../../src/intake/withdraw-ledger.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import { quietLog } from '../helpers/log.ts';

export const shanghai = new Zone('Asia/Shanghai');

export const IMPORTED_AT = '2026-04-01T02:00:00.000Z';

const clock: Clock = {
  wall: () => IMPORTED_AT,
  monoMs: () => 0,
  sleep: () => Promise.reject(new Error('nothing here sleeps')),
};

const shared = { zone: shanghai, clock, log: quietLog };

export function takeAccounts(db: Db, path: string): Promise<ImportResult> {
  return importAccounts({ ...shared, db, path });
}

type LedgerWish = Pick<LedgerImportRequest, 'path' | 'source'> &
  Partial<
    Pick<LedgerImportRequest, 'replace' | 'force' | 'completeTo' | 'adjustmentKind' | 'log' | 'progress'>
  >;

export function takeLedger(db: Db, wish: LedgerWish): Promise<LedgerImportResult> {
  return importLedger({ ...shared, db, replace: false, ...wish });
}

/** With the disk as it is. */
export function withdraw(
  db: Db,
  wish: { file?: string; source?: string; confirmed?: boolean },
): Promise<WithdrawResult> {
  return withdrawLedger({ ...shared, db, files: diskFiles(), confirmed: false, ...wish });
}

/** The counts of a result, in one line. */
export function countsOf(result: ImportResult): Partial<ImportResult> {
  const { stored, rows, added, unchanged, replaced, withdrawn } = result;
  return { stored, rows, added, unchanged, replaced, withdrawn };
}

export interface EntryLine {
  id: string;
  version: number;
  fen: bigint;
  at: Instant;
  state: 'current' | 'former' | 'withdrawn';
}

/** All versions of a source's entries, by id and version. */
export async function entriesOf(db: Db, source: string): Promise<EntryLine[]> {
  const rows = await db
    .selectFrom('ledger_entry')
    .select(['entry_id', 'version', 'amount_fen', 'booked_at', 'current', 'withdrawn'])
    .where('source', '=', source)
    .orderBy('entry_id')
    .orderBy('version')
    .execute();
  return rows.map((row) => ({
    id: row.entry_id,
    version: row.version,
    fen: row.amount_fen,
    at: row.booked_at,
    state: row.withdrawn ? 'withdrawn' : row.current ? 'current' : 'former',
  }));
}
