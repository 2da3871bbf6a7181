/**
 * Sheets 9 and 10: every transfer with its refunds and settlements, and every withdrawal, a row for each of the
 * run's accounts that it moves. Orders that are on their way or ended without moving money are listed with their
 * state; nothing of them counts.
 */
import type { Column } from '../../src/excel/column.ts';
import type { ListSpec } from './list-sheet.ts';
import { ACCOUNT_COLUMNS, accountColumns, nameColumn } from './account-column.ts';
import { recordState } from './free-text.ts';
import { ORDERS } from '../read/read-orders.ts';
import type { OrderList, OrderRow } from '../read/read-orders.ts';
import { orderCount, toneOf } from '../read/report.ts';
import type { Report } from '../read/report.ts';
import { voucherColumn } from './voucher-link.ts';
import { orderTotalRows } from './order-totals.ts';

export function ordersSpec(report: Report, list: OrderList): ListSpec<OrderRow> {
  const { orders } = report.words;
  return {
    key: list,
    stage: ORDERS[list],
    tone: toneOf(report.head.verdict),
    totals: (live) => orderTotalRows(report, list, live),
    columns: list === 'transfers' ? transferColumns(report) : withdrawalColumns(report),
    frozenColumns: ACCOUNT_COLUMNS + 1,
    sections: [
      {
        after: 0n,
        upTo: BigInt(orderCount(report, list)),
        empty: list === 'transfers' ? orders.emptyTransfers : orders.emptyWithdrawals,
      },
    ],
    amountOf: (row) => row.effect_fen ?? 0n,
  };
}

/** Their places are known to order-totals.ts. */
function transferColumns(report: Report): Column<OrderRow>[] {
  const { orders: o } = report.words;
  return [
    ...whoseColumns(report),
    { kind: 'text', title: o.orderNo, widthMin: 14, value: (row) => row.order_no },
    { kind: 'text', title: o.outBatchNo, widthMin: 12, value: (row) => row.out_batch_no },
    { kind: 'text', title: o.payer, widthMin: 14, value: (row) => row.payer_account_no },
    nameColumn(report, o.payerName, (row) => row.payer_account_no),
    { kind: 'text', title: o.payee, widthMin: 14, value: (row) => row.payee_account_no },
    nameColumn(report, o.payeeName, (row) => row.payee_account_no),
    ...orderColumns(report),
    {
      kind: 'text',
      title: o.settleState,
      value: (row) => row.settle_state && o.settleStates[row.settle_state],
    },
    { kind: 'money', title: o.refunded, value: (row) => row.refunded_fen },
    ...bothSides(report),
  ];
}

function withdrawalColumns(report: Report): Column<OrderRow>[] {
  const { orders: o } = report.words;
  return [
    ...whoseColumns(report),
    { kind: 'text', title: o.orderNo, widthMin: 14, value: (row) => row.order_no },
    ...orderColumns(report),
    ...bothSides(report),
  ];
}

function whoseColumns(report: Report): Column<OrderRow>[] {
  const { orders: o } = report.words;
  return [
    ...accountColumns<OrderRow>(report),
    { kind: 'text', title: o.outOrderNo, widthMin: 16, value: (row) => row.out_order_no },
    { kind: 'text', title: o.kind, value: (row) => o.kinds[row.kind] },
    { kind: 'text', title: o.side, value: (row) => o.sides[row.side] },
  ];
}

/** What the platform says of the order, whichever account is looked at. */
function orderColumns({ words }: Report): Column<OrderRow>[] {
  const { orders: o } = words;
  return [
    { kind: 'time', title: o.submittedAt, value: (row) => row.submitted_at },
    { kind: 'time', title: o.finalAt, value: (row) => row.final_at },
    { kind: 'money', title: o.amount, widthMin: 12, value: (row) => row.amount_fen },
    { kind: 'money', title: o.fee, value: (row) => row.fee_fen },
    { kind: 'text', title: o.feeType, value: (row) => recordState(words, row.fee_type) },
    { kind: 'text', title: o.state, value: (row) => o.states[row.state] },
  ];
}

/** What it did to the account, what the books have, and what became of it. */
function bothSides(report: Report): Column<OrderRow>[] {
  const { words } = report;
  const { orders: o, deposits: d, common } = words;
  const ruleName = (row: OrderRow): string =>
    Object.hasOwn(d.rules, row.rule) ? (d.rules[row.rule] ?? row.rule) : row.rule;
  return [
    { kind: 'text', title: o.counted, value: (row) => (row.counted ? common.yes : common.no) },
    { kind: 'money', title: o.effect, widthMin: 12, value: (row) => row.effect_fen },
    { kind: 'text', title: d.ledgerRef, widthMin: 12, value: (row) => row.ledger_ref },
    { kind: 'time', title: d.bookedAt, value: (row) => row.booked_at },
    { kind: 'money', title: d.ledgerFen, widthMin: 12, value: (row) => row.ledger_fen },
    { kind: 'money', title: d.difference, widthMin: 10, value: (row) => row.difference_fen },
    { kind: 'text', title: d.rule, widthMin: 10, value: ruleName },
    { kind: 'text', title: d.result, widthMin: 8, value: (row) => words.results[row.result] },
    {
      kind: 'text',
      title: d.className,
      widthMin: 12,
      value: (row) => (row.class === null ? '' : words.classes[row.class]),
    },
    voucherColumn(report),
  ];
}
