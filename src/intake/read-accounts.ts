/** The account list: its columns and what each row must hold (docs/reconciliation.md 3.2). */
import { ACCOUNT_ROLES, AUTO_SETTLE_WORDS } from '../store/intake/accounts.ts';
import type { StagedAccount } from '../store/intake/accounts.ts';
import { RowCheck } from './row-check.ts';
import type { ReadingOf } from './row-check.ts';
import type { TableRow } from './table-file.ts';
import type { TableLayout } from './table-layout.ts';

const OPENING = { fen: 'opening_fen', yuan: 'opening_yuan' };

export const ACCOUNTS_LAYOUT: TableLayout = {
  noun: 'accounts',
  amount: { names: [OPENING.fen, OPENING.yuan], required: false },
  columns: [
    { name: 'account_no', form: 'number', required: true },
    { name: 'ele_acct_no', form: 'number' },
    { name: 'name', form: 'text' },
    { name: 'role', form: 'text' },
    { name: 'subject_id', form: 'number' },
    { name: 'auto_settle', form: 'text' },
    { name: 'opening_fen', form: 'fen' },
    { name: 'opening_yuan', form: 'yuan' },
    { name: 'opening_at', form: 'time' },
    { name: 'active_from', form: 'time' },
    { name: 'active_to', form: 'time' },
    { name: 'replaced_by', form: 'number' },
    { name: 'group', form: 'text' },
  ],
};

/** One row as it goes to the stage table; what is wrong in it is null there and a fault of the reading. */
export function readAccountRow(row: TableRow, reading: ReadingOf): StagedAccount {
  const check = new RowCheck(row, reading);
  check.require('account_no');
  const account = {
    row_no: row.row,
    account_no: check.account('account_no'),
    ele_acct_no: check.account('ele_acct_no'),
    name: check.text('name'),
    role: check.word('role', ACCOUNT_ROLES),
    subject_id: check.number('subject_id'),
    auto_settle: check.word('auto_settle', AUTO_SETTLE_WORDS) ?? 'unknown',
    opening_fen: check.amount(OPENING),
    opening_at: check.instantOrDay('opening_at'),
    active_from: check.instantOrDay('active_from'),
    active_to: check.instantOrDay('active_to'),
    replaced_by: check.account('replaced_by'),
    account_group: check.text('group'),
  };
  checkOpening(row, check);
  const { active_from: from, active_to: to } = account;
  if (from !== null && to !== null && to <= from) {
    check.fault('active_to', 'must be later than active_from');
  }
  if (account.replaced_by !== null && account.replaced_by === account.account_no) {
    check.fault('replaced_by', 'an account cannot replace itself');
  }
  return account;
}

/** An opening is an amount at an instant: neither says anything without the other. */
function checkOpening(row: TableRow, check: RowCheck): void {
  const amountColumn = [OPENING.fen, OPENING.yuan].find((column) => (row.cells.get(column) ?? '') !== '');
  const hasTime = (row.cells.get('opening_at') ?? '') !== '';
  if (amountColumn !== undefined && !hasTime) check.fault(amountColumn, 'needs opening_at');
  if (amountColumn === undefined && hasTime) check.fault('opening_at', 'needs opening_fen or opening_yuan');
}
