/** The demo company's own files, in the columns of the intake (docs/architecture.md 5.4). */
import { yuanText } from '../../core/fen.ts';
import type { DemoScenario } from './demo.ts';
import type { Planted } from './demo-draft.ts';

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
  return csv(
    scenario.companyAccounts.map(({ seed, openingFen, subjectId }) => ({
      account_no: seed.accountNo,
      ele_acct_no: seed.eleAcctNo,
      name: seed.name,
      role: seed.role,
      subject_id: subjectId,
      auto_settle: seed.autoSettle ? 'yes' : 'no',
      active_from: scenario.firstDay,
      ...(options.openings && {
        opening_yuan: yuanText(openingFen),
        opening_at: `${scenario.firstDay} 00:00:00`,
      }),
    })),
  );
}

/** In the order in which they were sent. */
function ordersCsv({ registry }: DemoScenario): string {
  return csv(
    sortedBy(registry, ({ submittedAt }) => submittedAt).map((order) => ({
      kind: order.kind,
      out_batch_no: order.outBatchNo,
      out_order_no: order.outOrderNo,
      batch_no: order.batchNo,
      order_no: order.orderNo,
      payer_account_no: order.payerAccountNo,
      payee_account_no: order.payeeAccountNo,
      amount_yuan: yuanText(order.amountFen),
      submitted_at: order.submittedAt,
      outcome: order.outcome,
    })),
  );
}

/** As a ledger is written: by booking time, and openings before all else. */
function ledgerCsv({ ledger }: DemoScenario): string {
  const inOrder = sortedBy(ledger, ({ bookedAt, kind }) => `${bookedAt}${kind === 'opening' ? 0 : 1}`);
  return csv(
    inOrder.map((entry, place) => ({
      entry_id: `E${String(place + 1).padStart(6, '0')}`,
      account_no: entry.accountNo,
      kind: entry.kind,
      amount_yuan: yuanText(entry.amountFen),
      reference: entry.reference,
      out_batch_no: entry.outBatchNo ?? '',
      counterparty: entry.counterparty,
      booked_at: entry.bookedAt,
      status: entry.status,
      memo: entry.memo,
    })),
  );
}

function sortedBy<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  return items.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0));
}

/** Rows of the same columns, which are named above them. */
function csv(rows: readonly Readonly<Record<string, string>>[]): string {
  const lines = [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))];
  return `${lines.map((line) => line.map(cell).join(',')).join('\n')}\n`;
}

function cell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
