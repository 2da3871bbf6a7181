/**
 * The file of orders a company submitted: its columns and what each row must hold (docs/reconciliation.md 3.2).
 * An empty cell says nothing; it takes nothing back that is known.
 */
import { ORDER_KINDS, REGISTERED_OUTCOMES } from '../store/orders/order-registry.ts';
import type { StagedOrder } from '../store/orders/order-registry.ts';
import { RowCheck } from './row-check.ts';
import type { ReadingOf } from './row-check.ts';
import type { TableRow } from './table-file.ts';
import type { TableLayout } from './table-layout.ts';

export const ORDER_AMOUNT = { fen: 'amount_fen', yuan: 'amount_yuan' };

export const ORDERS_LAYOUT: TableLayout = {
  noun: 'orders',
  amount: { names: [ORDER_AMOUNT.fen, ORDER_AMOUNT.yuan], required: false },
  columns: [
    { name: 'kind', form: 'text', required: true },
    { name: 'out_batch_no', form: 'number' },
    { name: 'out_order_no', form: 'number' },
    { name: 'batch_no', form: 'number' },
    { name: 'order_no', form: 'number' },
    { name: 'payer_account_no', form: 'number' },
    { name: 'payee_account_no', form: 'number' },
    { name: 'amount_fen', form: 'fen' },
    { name: 'amount_yuan', form: 'yuan' },
    { name: 'submitted_at', form: 'time' },
    { name: 'outcome', form: 'text' },
  ],
};

/** The company's own numbers have at most so many characters (DIV-01, DIV-13, WDR-01): a longer one never left. */
const OWN_NUMBER_MAX = 32;

/** What a kind of order is asked by; one of the two numbers. */
const ASKED_BY = {
  transfer: { own: 'out_batch_no', platform: 'batch_no' },
  withdrawal: { own: 'out_order_no', platform: 'order_no' },
} as const;

/** One row as it goes to the stage table; what is wrong in it is empty there and a fault of the reading. */
export function readOrderRow(row: TableRow, reading: ReadingOf): StagedOrder {
  const check = new RowCheck(row, reading);
  check.require('kind');
  const kind = check.word('kind', ORDER_KINDS);
  const order = {
    row_no: row.row,
    kind,
    out_batch_no: ownNumber(check, 'out_batch_no'),
    out_order_no: ownNumber(check, 'out_order_no'),
    batch_no: check.number('batch_no') ?? '',
    order_no: check.number('order_no') ?? '',
    payer_account_no: check.account('payer_account_no') ?? '',
    payee_account_no: check.account('payee_account_no') ?? '',
    amount_fen: check.amount(ORDER_AMOUNT),
    submitted_at: check.instant('submitted_at'),
    outcome: check.word('outcome', REGISTERED_OUTCOMES),
  };
  if (order.amount_fen !== null && order.amount_fen < 0n) {
    const column = reading.columns.has(ORDER_AMOUNT.yuan) ? ORDER_AMOUNT.yuan : ORDER_AMOUNT.fen;
    check.fault(column, 'must not be negative');
  }
  if (kind !== null) requireNumber(row, check, kind);
  return order;
}

function ownNumber(check: RowCheck, column: string): string {
  const number = check.number(column) ?? '';
  if (number.length <= OWN_NUMBER_MAX) return number;
  check.fault(column, `is longer than ${OWN_NUMBER_MAX} characters, which no such number on the platform is`);
  return '';
}

/** A cell that was refused already, or a row of the wrong width, is not called empty as well. */
function requireNumber(row: TableRow, check: RowCheck, kind: keyof typeof ASKED_BY): void {
  const { own, platform } = ASKED_BY[kind];
  const isRefused = row.faults.some(({ column }) => [own, platform, ''].includes(column));
  const isStated = [own, platform].some((column) => (row.cells.get(column) ?? '') !== '');
  if (isStated || isRefused) return;
  check.fault(own, `a ${kind} needs ${own} or ${platform}; without it nothing can be asked`);
}
