/** `accounts import`: brings the account list to what a file says, whole or not at all. */
import type { Transaction } from 'kysely';

import { ACCOUNT_STAGE, repeatedAccounts, saveStagedAccounts } from '../store/intake/accounts.ts';
import { claimIntake, saveIntakeFile } from '../store/intake/intake-files.ts';
import type { Tables } from '../store/schema/schema.ts';
import { checkAccountSpelling } from './account-spelling.ts';
import type { FaultList } from './fault-list.ts';
import { NOTHING, importFile, stageFile } from './import-file.ts';
import type { Counts, ImportRequest, ImportResult } from './import-file.ts';
import { ACCOUNTS_LAYOUT, readAccountRow } from './read-accounts.ts';
import type { OpenTable } from './table-file.ts';

/**
 * Columns the file does not have keep what the account list says; empty cells clear it. Accounts the file
 * does not have stay as they are.
 * @throws WrongInput when the file cannot be read as a table of accounts
 * @throws LockHeld when another import is under way
 */
export function importAccounts(request: ImportRequest): Promise<ImportResult> {
  return importFile(request, ACCOUNTS_LAYOUT, (table, faults) =>
    request.db.transaction().execute(async (trx) => {
      await claimIntake(trx);
      const rows = await stageFile(trx, {
        table,
        stage: ACCOUNT_STAGE,
        reading: { zone: request.zone, faults, columns: table.columns },
        read: readAccountRow,
        progress: request.progress,
      });
      await checkStage(trx, faults);
      if (faults.count > 0) return { rows, counts: NOTHING };
      const counts = await saveStage(trx, { request, table, rows });
      await request.alongside?.(trx);
      return { rows, counts };
    }),
  );
}

async function checkStage(trx: Transaction<Tables>, faults: FaultList): Promise<void> {
  const repeated = (await repeatedAccounts(trx)).map(({ row, firstRow, value }) => {
    return { row, column: 'account_no', value, reason: `is in row ${firstRow} already` };
  });
  faults.addFirst(repeated, repeated.length);
  await checkAccountSpelling(trx, { table: 'stage_account', columns: ['account_no', 'replaced_by'] }, faults);
}

async function saveStage(
  trx: Transaction<Tables>,
  { request, table, rows }: { request: ImportRequest; table: OpenTable; rows: number },
): Promise<Counts> {
  const importedAt = request.clock.wall();
  const fileId = await saveIntakeFile(trx, {
    kind: 'accounts',
    source: '',
    name: table.file,
    sha256: table.sha256,
    rowCount: rows,
    spansFrom: null,
    spansTo: null,
    replaced: false,
    importedAt,
    delivered: request.delivered,
  });
  const columns = new Set(table.columns);
  if (columns.has('opening_fen') || columns.has('opening_yuan')) columns.add('opening_at');
  const { added, changed } = await saveStagedAccounts(trx, { fileId, importedAt, columns });
  return { added, replaced: changed, withdrawn: 0 };
}
