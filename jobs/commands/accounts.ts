/** `recon accounts import` and `recon accounts list`. */
import { yuanForPeople } from '../../src/core/fen.ts';
import { importAccounts } from '../../src/intake/import-accounts.ts';
import type { ImportResult } from '../../src/intake/import-file.ts';
import { ACCOUNTS_LAYOUT } from '../../src/intake/read-accounts.ts';
import { listAccounts } from '../../src/store/intake/accounts.ts';
import type { AccountRow } from '../../src/store/intake/accounts.ts';
import { runJob, withContext } from '../cli/command.ts';
import type { CommonOptions, Job } from '../cli/command.ts';
import { countingRows } from '../context/progress.ts';
import { importOutcome, requireTable } from './import-outcome.ts';
import { tableText } from '../cli/table-text.ts';

export function importAccountsCommand(file: string, options: CommonOptions): Promise<void> {
  return runJob(options, importAccountsJob(file));
}

export function importAccountsJob(file: string): Job<void, ImportResult> {
  return {
    needs: { platform: false, arguments: () => requireTable(file, ACCOUNTS_LAYOUT) },
    work: async (context) => {
      const { db, zone, clock, log } = context;
      const importing = (progress: (rows: number) => void): Promise<ImportResult> =>
        importAccounts({ db, zone, clock, log, path: file, progress });
      return importOutcome('accounts', await countingRows(context.progress('account rows'), importing));
    },
  };
}

export function listAccountsCommand(options: CommonOptions): Promise<void> {
  return withContext(options, { platform: false }, async ({ db, zone }) => {
    const rows = await listAccounts(db);
    const accounts = rows.map(accountShown);
    // A list that gathers no accounts has no groups to show.
    const isGathered = accounts.some(({ group }) => group !== '');
    const text = tableText(
      ['account', 'name', 'role', 'opening', 'opening at', ...(isGathered ? ['group'] : [])],
      accounts.map((account) => [
        account.accountNo,
        account.name,
        account.role ?? '',
        account.openingFen === null ? '' : yuanForPeople(account.openingFen),
        account.openingAt === null ? '' : zone.localText(account.openingAt),
        ...(isGathered ? [account.group] : []),
      ]),
      { right: [3] },
    );
    return { status: 0, document: { schema: 1, accounts }, text };
  });
}

/** An account of the list, as documents have it. */
export function accountShown(row: AccountRow) {
  return {
    accountNo: row.account_no,
    eleAcctNo: row.ele_acct_no,
    name: row.name,
    role: row.role,
    subjectId: row.subject_id,
    autoSettle: row.auto_settle,
    openingFen: row.opening_fen,
    openingAt: row.opening_at,
    activeFrom: row.active_from,
    activeTo: row.active_to,
    replacedBy: row.replaced_by,
    group: row.account_group,
  };
}
