/** Sheet 8: every deposit of the period with both sides, the rule that matched it and what became of it. */
import type { Fen } from '../../src/core/fen.ts';
import { maskCard } from '../../src/core/mask.ts';
import { address, columnRange, formulaText } from '../../src/excel/address.ts';
import type { CellPlace } from '../../src/excel/address.ts';
import { textCell } from '../../src/excel/cell.ts';
import type { Cell, Row } from '../../src/excel/cell.ts';
import type { Column } from '../../src/excel/column.ts';
import { sectionFirstRows } from '../../src/excel/table.ts';
import { accountColumns } from './account-column.ts';
import { recordState } from './free-text.ts';
import { maskedText } from '../words/masked-text.ts';
import { HEAD_ROWS } from './list-sheet.ts';
import type { ListSpec } from './list-sheet.ts';
import { checkCell, liveCount, liveMoney } from './live-cell.ts';
import { DEPOSITS, allDeposits } from '../read/read-deposits.ts';
import type { DepositRow, DepositSum } from '../read/read-deposits.ts';
import { depositCount, toneOf } from '../read/report.ts';
import type { Report } from '../read/report.ts';
import type { DepositResult } from '../words/terms.ts';
import { voucherColumn } from './voucher-link.ts';

const COLUMN = { orderNo: 4, amount: 6, result: 17 } as const;

/** Labels, counts, amounts. */
const TOTAL_ROWS = 3;
const COUNT_ROW = HEAD_ROWS + 2;
const AMOUNT_ROW = HEAD_ROWS + 3;
const RESULTS: readonly DepositResult[] = ['matched', 'break', 'timing', 'open'];
const ALL_COLUMN = 2;
const CHECK_COLUMN = ALL_COLUMN + RESULTS.length + 1;

export const DEPOSIT_CHECKS: readonly CellPlace[] = [
  { row: COUNT_ROW, column: CHECK_COLUMN },
  { row: AMOUNT_ROW, column: CHECK_COLUMN },
];
export const DEPOSIT_TOTAL: CellPlace = { row: AMOUNT_ROW, column: ALL_COLUMN };

export function depositsSpec(report: Report): ListSpec<DepositRow> {
  return {
    key: 'deposits',
    stage: DEPOSITS,
    tone: toneOf(report.head.verdict),
    totals: (live) => totalRows(report, live),
    columns: columnsOf(report),
    frozenColumns: COLUMN.orderNo,
    sections: [{ after: 0n, upTo: BigInt(depositCount(report)), empty: report.words.deposits.empty }],
    amountOf: (row) => row.amount_fen,
  };
}

function depositRange(report: Report, column: number): string {
  const rows = depositCount(report);
  const [firstRow = 1] = sectionFirstRows(HEAD_ROWS + TOTAL_ROWS, [rows]);
  return columnRange(report.words.sheets.deposits, { column, firstRow, rows });
}

/** matched + breaks + timing + not compared = all, by count and by amount. */
function totalRows(report: Report, live: boolean): Row[] {
  const { deposits, words } = report;
  const w = words.deposits;
  const all = allDeposits(deposits);
  const results = depositRange(report, COLUMN.result);
  const amounts = depositRange(report, COLUMN.amount);
  const is = (result: DepositResult): string => formulaText(words.results[result]);
  const labels = ['', w.all, ...RESULTS.map((result) => words.results[result]), w.check];
  return [
    labels.map((label) => textCell(label, 'header')),
    [
      textCell(w.counts, 'label'),
      liveCount(live, `COUNTA(${depositRange(report, COLUMN.orderNo)})`, all.count),
      ...RESULTS.map((result) =>
        liveCount(live, `COUNTIFS(${results},${is(result)})`, deposits[result].count),
      ),
      sumCheck(report, COUNT_ROW),
    ],
    [
      textCell(w.amounts, 'label'),
      liveMoney(live, `SUM(${amounts})`, all.amountFen),
      ...RESULTS.map((result) =>
        liveMoney(live, `SUMIFS(${amounts},${results},${is(result)})`, amountOf(deposits[result])),
      ),
      sumCheck(report, AMOUNT_ROW),
    ],
  ];
}

function amountOf(sum: DepositSum): Fen {
  return sum.amountFen;
}

function sumCheck({ words }: Report, row: number): Cell {
  const at = (column: number): string => address({ row, column });
  const parts = `SUM(${at(ALL_COLUMN + 1)}:${at(ALL_COLUMN + RESULTS.length)})`;
  return checkCell(words, `ROUND(${at(ALL_COLUMN)}-${parts},2)=0`, true);
}

function columnsOf(report: Report): Column<DepositRow>[] {
  const { words } = report;
  const { deposits: d } = words;
  const ruleName = (row: DepositRow): string =>
    Object.hasOwn(d.rules, row.rule) ? (d.rules[row.rule] ?? row.rule) : row.rule;
  return [
    ...accountColumns<DepositRow>(report),
    { kind: 'text', title: d.orderNo, widthMin: 20, value: (row) => row.order_no },
    { kind: 'time', title: d.depositedAt, value: (row) => row.deposited_at },
    { kind: 'money', title: d.amount, widthMin: 12, value: (row) => row.amount_fen },
    { kind: 'money', title: d.fee, value: (row) => row.fee_fen },
    { kind: 'text', title: d.feeType, value: (row) => recordState(report.words, row.fee_type) },
    { kind: 'money', title: d.net, widthMin: 12, value: (row) => row.net_fen },
    { kind: 'text', title: d.payer, widthMin: 14, value: (row) => maskedText(report, row.payer_name) },
    { kind: 'text', title: d.payerAccount, value: (row) => maskedAccount(row.payer_account) },
    { kind: 'text', title: d.ledgerRef, widthMin: 14, value: (row) => row.ledger_ref },
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

/** Bank accounts of payers are masked in reports (docs/architecture.md 6, rule 4). */
function maskedAccount(number: string): string {
  return number === '' ? '' : maskCard(number);
}
