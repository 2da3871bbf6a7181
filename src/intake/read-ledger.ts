/** The ledger file: its columns and what each row must hold (docs/reconciliation.md 3.2). */
import { LEDGER_KINDS, LEDGER_STATUSES } from '../store/intake/ledger-entries.ts';
import type { StagedEntry } from '../store/intake/ledger-entries.ts';
import type { LedgerKind } from '../store/schema/schema.ts';
import { RowCheck } from './row-check.ts';
import type { ReadingOf } from './row-check.ts';
import type { TableRow } from './table-file.ts';
import type { TableLayout } from './table-layout.ts';

const AMOUNT = { fen: 'amount_fen', yuan: 'amount_yuan' };

export const LEDGER_LAYOUT: TableLayout = {
  noun: 'ledger entries',
  amount: { names: [AMOUNT.fen, AMOUNT.yuan], required: true },
  columns: [
    { name: 'entry_id', form: 'number', required: true },
    { name: 'account_no', form: 'number', required: true },
    { name: 'kind', form: 'text', required: true },
    { name: 'amount_fen', form: 'fen' },
    { name: 'amount_yuan', form: 'yuan' },
    { name: 'reference', form: 'number' },
    { name: 'out_batch_no', form: 'number' },
    { name: 'counterparty', form: 'text' },
    { name: 'booked_at', form: 'time', required: true },
    { name: 'status', form: 'text' },
    { name: 'memo', form: 'text' },
  ],
};

/**
 * One row as it goes to the stage table; what is wrong in it is null there and a fault of the reading.
 * @param adjustmentKind what this company's books call an `adjustment`
 */
export function readLedgerRow(
  row: TableRow,
  reading: ReadingOf,
  adjustmentKind: string = 'adjustment',
): StagedEntry {
  const check = new RowCheck(row, reading);
  const amountColumn = reading.columns.has(AMOUNT.yuan) ? AMOUNT.yuan : AMOUNT.fen;
  for (const column of ['entry_id', 'account_no', 'kind', amountColumn, 'booked_at']) check.require(column);
  return {
    row_no: row.row,
    entry_id: check.number('entry_id'),
    account_no: check.account('account_no'),
    kind: kindOf(check.word('kind', [...new Set([...LEDGER_KINDS, adjustmentKind])]), adjustmentKind),
    amount_fen: check.amount(AMOUNT),
    reference: check.number('reference') ?? '',
    out_batch_no: check.number('out_batch_no') ?? '',
    counterparty: check.text('counterparty'),
    booked_at: check.instant('booked_at'),
    status: check.word('status', LEDGER_STATUSES) ?? 'posted',
    memo: check.text('memo'),
  };
}

function kindOf(word: string | null, adjustmentKind: string): LedgerKind | null {
  if (word === adjustmentKind) return 'adjustment';
  return LEDGER_KINDS.find((kind) => kind === word) ?? null;
}
