/** What the statements of a month's end are made from: the accounts and items of its last run, with the month's openings. */
import type { Db } from '../../src/store/schema/schema.ts';
import { ITEMS, stageItems, sumItems } from '../read/read-items.ts';
import { PAIRS } from '../read/read-pairs.ts';
import { readAccounts, readCompanyAccounts, readRun } from '../read/read-run.ts';
import type { AccountRow } from '../read/read-run.ts';
import { signedAccounts } from '../read/read-signed.ts';
import { STATEMENT_ITEMS, stageStatementItems } from '../read/read-statement-items.ts';
import { dropStage } from '../read/stage.ts';
import type { StatementLook } from '../sheets/statement/statement-look.ts';
import type { Month } from './read-month.ts';
import { beginsWithin } from './read-month-accounts.ts';
import type { MonthAccount } from './read-month-accounts.ts';

export type MonthStatement = Pick<StatementLook, 'accounts' | 'accountNames' | 'items' | 'signed'>;

/** Lays the items aside in the session. */
export async function readMonthStatement(
  session: Db,
  of: Pick<Month, 'last' | 'opening' | 'accounts' | 'period' | 'zone'>,
): Promise<MonthStatement> {
  const { last, opening } = of;
  const accounts = await readAccounts(session, last.run_id);
  await stageItems(session, await readRun(session, last.run_id, accounts));
  await stageStatementItems(session);
  return {
    accounts: withOpenings(
      accounts,
      of.accounts.filter((account) => beginsWithin(of, account)),
    ),
    accountNames: await readCompanyAccounts(session, accounts),
    items: await sumItems(session),
    signed: {
      before: opening,
      accounts: opening === undefined ? new Map() : await signedAccounts(session, opening),
    },
  };
}

export async function dropMonthStatement(session: Db): Promise<void> {
  for (const stage of [ITEMS, PAIRS, STATEMENT_ITEMS]) await dropStage(session, stage);
}

/** The last run states what its own day began with; the month began with its first, if that is known of the account. */
function withOpenings(rows: readonly AccountRow[], ofMonth: readonly MonthAccount[]): AccountRow[] {
  const byNumber = new Map(ofMonth.map((account) => [account.accountNo, account]));
  return rows.map((row) => {
    const month = byNumber.get(row.accountNo);
    return {
      ...row,
      openingFen: month?.platform.openingFen ?? null,
      ledgerOpeningFen: month?.ledger.openingFen ?? null,
    };
  });
}
