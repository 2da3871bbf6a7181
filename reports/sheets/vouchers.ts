/**
 * Sheet 12: the voucher of every order of the period, file by file, with its original and its page in the bundle, or
 * what is missing and since when. What is missing stands first.
 */
import type { Fen } from '../../src/core/fen.ts';
import { address, columnRange, formulaText } from '../../src/excel/address.ts';
import type { CellPlace } from '../../src/excel/address.ts';
import { textCell } from '../../src/excel/cell.ts';
import type { Cell, Row } from '../../src/excel/cell.ts';
import type { Column } from '../../src/excel/column.ts';
import type { Link } from '../../src/excel/link.ts';
import type { Tone } from '../../src/excel/style.ts';
import { sectionFirstRows } from '../../src/excel/table.ts';
import { ACCOUNT_COLUMNS, accountColumns } from './account-column.ts';
import { counterpartyText, remarkText } from './free-text.ts';
import { HEAD_ROWS } from './list-sheet.ts';
import type { ListSpec } from './list-sheet.ts';
import { checkCell, liveCount, liveMoney } from './live-cell.ts';
import { VOUCHERS, allVouchers } from '../read/read-vouchers.ts';
import type { VoucherRow, VoucherSum, Vouchers } from '../read/read-vouchers.ts';
import type { Report } from '../read/report.ts';
import { bundleLink, originalLink } from './voucher-link.ts';
import type { VoucherState } from '../words/voucher-words.ts';

/** Columns the totals and the summary refer to. */
const COLUMN = { orderNo: 6, amount: 9, state: 10, files: 12 } as const;

export const VOUCHER_STATES: readonly VoucherState[] = [
  'filed',
  'unreadable',
  'missing',
  'given_up',
  'not_asked',
  'unavailable',
];
/** Rows of what is missing have none to measure; a digest is compared whole or not at all. */
const DIGEST_WIDTH = 64;
const ALL_COLUMN = 2;
const CHECK_COLUMN = ALL_COLUMN + VOUCHER_STATES.length + 1;
/** Labels, orders, files, amounts. */
const TOTAL_ROWS = 4;
const ORDER_ROW = HEAD_ROWS + 2;
const FILE_ROW = ORDER_ROW + 1;
const AMOUNT_ROW = FILE_ROW + 1;

export const VOUCHER_CHECKS: readonly CellPlace[] = [ORDER_ROW, FILE_ROW, AMOUNT_ROW].map((row) => ({
  row,
  column: CHECK_COLUMN,
}));

/** How many orders the sheet has, and how many of them in that state. */
export const VOUCHER_ORDERS: CellPlace = { row: ORDER_ROW, column: ALL_COLUMN };

export function voucherOrders(state: VoucherState): CellPlace {
  return { row: ORDER_ROW, column: ALL_COLUMN + 1 + VOUCHER_STATES.indexOf(state) };
}

export function vouchersSpec(report: Report): ListSpec<VoucherRow> {
  const { vouchers, words } = report;
  const w = words.vouchers;
  const [missing, all] = [vouchers.missingRows, vouchers.missingRows + vouchers.otherRows].map(BigInt);
  const first = { after: 0n, upTo: missing ?? 0n, empty: vouchers.isOff ? w.off : w.noneMissing };
  const rest = { after: missing ?? 0n, upTo: all ?? 0n, title: w.restTitle, empty: w.restEmpty };
  return {
    key: 'vouchers',
    stage: VOUCHERS,
    tone: toneOfVouchers(vouchers),
    totals: (live) => totalRows(report, live),
    columns: columnsOf(report),
    frozenColumns: ACCOUNT_COLUMNS,
    repeatedColumns: COLUMN.orderNo,
    sections: vouchers.isOff ? [first] : [first, rest],
    amountOf: (row) => row.amount_fen ?? 0n,
  };
}

function toneOfVouchers({ isOff, missingRows, sums }: Vouchers): Tone {
  if (isOff) return 'plain';
  return missingRows > 0 || sums.unreadable.orders > 0 ? 'notice' : 'good';
}

/** A formula over the rows of both sections; one without rows has none to count. */
export function overVouchers(
  report: Report,
  formula: (range: (column: keyof typeof COLUMN) => string) => string,
): string {
  const { vouchers, words } = report;
  const counts = [vouchers.missingRows, vouchers.otherRows];
  const firstRows = sectionFirstRows(HEAD_ROWS + TOTAL_ROWS, counts);
  const parts = counts.flatMap((rows, at) => {
    if (rows === 0) return [];
    const firstRow = firstRows[at] ?? 1;
    return [
      formula((column) => columnRange(words.sheets.vouchers, { column: COLUMN[column], firstRow, rows })),
    ];
  });
  return parts.length === 0 ? '0' : parts.join('+');
}

/** Orders of one state: only an order's first row says how many files it has. */
export function countOfState(report: Report, state: VoucherState): string {
  const name = formulaText(report.words.vouchers.states[state]);
  return overVouchers(report, (range) => `COUNTIFS(${range('state')},${name},${range('files')},">=0")`);
}

export function amountOfState(report: Report, state: VoucherState): string {
  const name = formulaText(report.words.vouchers.states[state]);
  return overVouchers(report, (range) => `SUMIFS(${range('amount')},${range('state')},${name})`);
}

/** The states add up to all, by orders, files and amounts. */
function totalRows(report: Report, live: boolean): Row[] {
  const { vouchers, words } = report;
  const w = words.vouchers;
  const all = allVouchers(vouchers);
  const filesOf = (state: VoucherState): string =>
    overVouchers(
      report,
      (range) => `SUMIFS(${range('files')},${range('state')},${formulaText(w.states[state])})`,
    );
  const each = <T>(cell: (state: VoucherState, sum: VoucherSum) => T): T[] =>
    VOUCHER_STATES.map((state) => cell(state, vouchers.sums[state]));
  const sumOf = (column: keyof typeof COLUMN): string =>
    overVouchers(report, (range) => `SUM(${range(column)})`);
  const labels = ['', w.all, ...VOUCHER_STATES.map((state) => w.states[state]), w.check];
  return [
    labels.map((label) => textCell(label, 'header')),
    [
      textCell(w.orders, 'label'),
      liveCount(
        live,
        overVouchers(report, (range) => `COUNT(${range('files')})`),
        all.orders,
      ),
      ...each((state, sum) => liveCount(live, countOfState(report, state), sum.orders)),
      sumCheck(report, ORDER_ROW),
    ],
    [
      textCell(w.files, 'label'),
      liveCount(live, sumOf('files'), all.files),
      ...each((state, sum) => liveCount(live, filesOf(state), sum.files)),
      sumCheck(report, FILE_ROW),
    ],
    [
      textCell(w.amounts, 'label'),
      liveMoney(live, sumOf('amount'), all.amountFen),
      ...each((state, sum) => liveMoney(live, amountOfState(report, state), fenOf(sum))),
      sumCheck(report, AMOUNT_ROW),
    ],
  ];
}

function fenOf(sum: VoucherSum): Fen {
  return sum.amountFen;
}

function sumCheck({ words }: Report, row: number): Cell {
  const at = (column: number): string => address({ row, column });
  const parts = `SUM(${at(ALL_COLUMN + 1)}:${at(ALL_COLUMN + VOUCHER_STATES.length)})`;
  return checkCell(words, `ROUND(${at(ALL_COLUMN)}-${parts},2)=0`, true);
}

function columnsOf(report: Report): Column<VoucherRow>[] {
  const { vouchers: w, orders: o, items } = report.words;
  return [
    ...accountColumns<VoucherRow>(report),
    { kind: 'text', title: w.kind, value: (row) => w.kinds[row.kind] },
    { kind: 'text', title: o.outOrderNo, widthMin: 20, value: (row) => row.out_order_no },
    { kind: 'text', title: o.orderNo, widthMin: 20, value: (row) => row.order_no },
    { kind: 'time', title: w.movedAt, value: (row) => row.moved_at },
    {
      kind: 'text',
      title: items.counterparty,
      widthMin: 20,
      value: (row) => counterpartyText(report, row.counterparty),
    },
    { kind: 'money', title: w.amount, widthMin: 12, value: (row) => row.amount_fen },
    { kind: 'text', title: w.state, widthMin: 10, value: (row) => w.states[row.state] },
    { kind: 'day', title: w.since, value: (row) => row.since },
    { kind: 'count', title: w.files, value: (row) => row.files },
    { kind: 'link', title: w.file, widthMin: 8, value: (row) => originalOf(report, row) },
    {
      kind: 'text',
      title: 'SHA-256',
      widthMin: DIGEST_WIDTH,
      widthMax: DIGEST_WIDTH,
      value: (row) => row.sha256,
    },
    { kind: 'count', title: w.pages, value: (row) => row.pages },
    { kind: 'link', title: w.page, widthMin: 22, value: (row) => pageOf(report, row) },
    { kind: 'text', title: w.remark, widthMin: 24, widthMax: 60, value: (row) => remarkOf(report, row) },
  ];
}

function originalOf({ words }: Report, { sha256 }: VoucherRow): Link | null {
  return sha256 === null ? null : originalLink(words.vouchers.original, sha256);
}

function pageOf({ words }: Report, { version, part, page, path }: VoucherRow): Link | null {
  if (version === null || part === null || page === null || path === null) return null;
  const where = { version: String(version), part: String(part), page: String(page) };
  return bundleLink(words.vouchers.pageAt(where), path);
}

/** Why a file is not whole, that another order has the same one, or why there is none. */
function remarkOf(report: Report, row: VoucherRow): string {
  const w = report.words.vouchers;
  if (row.twin_kind !== null && row.twin_number !== null) {
    return w.sameFile({ kind: w.kinds[row.twin_kind], number: row.twin_number });
  }
  const remark = row.remark === '' ? '' : remarkText(report, row.remark);
  if (row.condition === null || row.condition === 'whole' || row.condition === 'rejected') return remark;
  const condition = w.conditions[row.condition];
  return remark === '' || row.condition === 'encrypted' ? condition : w.withRemark({ condition, remark });
}
