/** The demo company's own files, in the columns of the intake (docs/architecture.md 5.4). */
import { yuanText } from '../../core/fen.ts';
import type { DemoScenario } from './demo.ts';
import type { LedgerEntry, Planted } from './demo-draft.ts';

export interface DemoBooks {
  accountsCsv: string;
  ordersCsv: string;
  ledgerCsv: string;
  /** What the nights are expected to find. */
  planted: readonly Planted[];
}

/**
 * @param options.openings writes each account's true opening at the first day's start into the accounts
 *   file; without it the first snapshot is the baseline
 */
export function demoBooks(
  scenario: DemoScenario,
  options: { openings: boolean } = { openings: false },
): DemoBooks {
  return {
    accountsCsv: accountsCsv(scenario, options),
    ordersCsv: ordersCsv(scenario),
    ledgerCsv: ledgerCsv(scenario),
    planted: scenario.planted,
  };
}

function accountsCsv(scenario: DemoScenario, options: { openings: boolean }): string {
  const columns = ['account_no', 'ele_acct_no', 'name', 'role', 'subject_id', 'auto_settle', 'active_from'];
  const openingColumns = options.openings ? ['opening_yuan', 'opening_at'] : [];
  const rows = scenario.companyAccounts.map(({ seed, openingFen, subjectId }) => [
    seed.accountNo,
    seed.eleAcctNo,
    seed.name,
    seed.role,
    subjectId,
    seed.autoSettle ? 'yes' : 'no',
    scenario.firstDay,
    ...(options.openings ? [yuanText(openingFen), `${scenario.firstDay} 00:00:00`] : []),
  ]);
  return csv([[...columns, ...openingColumns], ...rows]);
}

/** In the order in which they were sent. */
function ordersCsv({ registry }: DemoScenario): string {
  const columns = [
    'kind',
    'out_batch_no',
    'out_order_no',
    'batch_no',
    'order_no',
    'payer_account_no',
    'payee_account_no',
    'amount_yuan',
    'submitted_at',
    'outcome',
  ];
  const rows = registry
    .toSorted((a, b) => (a.submittedAt < b.submittedAt ? -1 : a.submittedAt > b.submittedAt ? 1 : 0))
    .map((order) => [
      order.kind,
      order.outBatchNo,
      order.outOrderNo,
      order.batchNo,
      order.orderNo,
      order.payerAccountNo,
      order.payeeAccountNo,
      yuanText(order.amountFen),
      order.submittedAt,
      order.outcome,
    ]);
  return csv([columns, ...rows]);
}

function ledgerCsv({ ledger }: DemoScenario): string {
  const columns = [
    'entry_id',
    'account_no',
    'kind',
    'amount_yuan',
    'reference',
    'out_batch_no',
    'counterparty',
    'booked_at',
    'status',
    'memo',
  ];
  const rows = inOrder(ledger).map((entry, place) => [
    `E${String(place + 1).padStart(6, '0')}`,
    entry.accountNo,
    entry.kind,
    yuanText(entry.amountFen),
    entry.reference,
    entry.outBatchNo ?? '',
    entry.counterparty,
    entry.bookedAt,
    entry.status,
    entry.memo,
  ]);
  return csv([columns, ...rows]);
}

/** As a ledger is written: by booking time, and openings before all else. */
function inOrder(ledger: readonly LedgerEntry[]): LedgerEntry[] {
  const place = (entry: LedgerEntry): string => `${entry.bookedAt}${entry.kind === 'opening' ? 0 : 1}`;
  return ledger.toSorted((a, b) => (place(a) < place(b) ? -1 : place(a) > place(b) ? 1 : 0));
}

function csv(rows: readonly (readonly string[])[]): string {
  return `${rows.map((row) => row.map(cell).join(',')).join('\n')}\n`;
}

function cell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
