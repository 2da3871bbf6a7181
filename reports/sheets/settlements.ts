/**
 * Sheet 11: every attempt to settle again what had failed, with its request and its outcome, and the orders whose
 * settlement is still failed. What is not certain has a line and a total of its own (M1).
 */
import type { Fen } from '../../src/core/fen.ts';
import type { Day, Instant } from '../../src/core/time.ts';
import { columnRange, formulaText } from '../../src/excel/address.ts';
import type { Book } from '../../src/excel/book.ts';
import { overflowCell, textCell } from '../../src/excel/cell.ts';
import type { Row } from '../../src/excel/cell.ts';
import type { Column } from '../../src/excel/column.ts';
import { openTable, sectionFirstRows } from '../../src/excel/table.ts';
import type { Tone } from '../../src/excel/style.ts';
import { resultOfAttempt } from '../../src/settlements/settle-list.ts';
import type { AttemptResult, ListedAttempt } from '../../src/settlements/settle-list.ts';
import { nameColumn } from './account-column.ts';
import { remarkText } from './free-text.ts';
import { HEAD_ROWS, headRows, sheetFrame } from './list-sheet.ts';
import { liveCount, liveMoney } from './live-cell.ts';
import type { FailedOrder, Settlements } from '../read/read-settlements.ts';
import type { Report } from '../read/report.ts';

/** What needs a person first. */
const OUTCOMES: readonly AttemptResult[] = [
  'AWAITING',
  'UNKNOWN',
  'PROCESSING',
  'SUCCESS',
  'FAIL',
  'RETURNED',
  'NOT_SENT',
];
const COLUMN = { amount: 6, outcome: 9 } as const;
/** State, labels, one line an outcome, their sum; an empty row and the title of the first list. */
const TOTAL_ROWS = 1 + 1 + OUTCOMES.length + 1 + 2;

interface SheetRow {
  payer: string;
  payee: string;
  outOrderNo: string;
  amountFen: Fen | null;
  feeFen: Fen | null;
  attempt: number | null;
  outcome: string;
  firstDay: Day | null;
  reqId: string;
  plannedAt: Instant | null;
  sentAt: Instant | null;
  closedAt: Instant | null;
  remark: string;
  note: string;
}

/** Adds the sheet and returns how many attempts it lists. */
export async function writeSettlements(book: Book, report: Report): Promise<number> {
  const { words, settlements, zone } = report;
  const w = words.settlements;
  const table = openTable<SheetRow>(book, {
    sheet: sheetFrame(report, words.sheets.settlements, toneOf(settlements)),
    top: [...headRows(report, words.sheets.settlements), ...totalRows(report)],
    columns: columnsOf(report),
    frozenColumns: 5,
    zone,
  });
  table.section({ empty: w.attemptsEmpty });
  await table.write(settlements.recent.map((attempt) => attemptRow(report, attempt)));
  table.section({ title: w.olderTitle, empty: w.olderEmpty });
  await table.write(settlements.older.map((attempt) => attemptRow(report, attempt)));
  table.section({ title: w.failedTitle, empty: w.failedEmpty });
  await table.write(settlements.failed.map((order) => failedRow(report, order)));
  await table.finish();
  return settlements.recent.length + settlements.older.length;
}

function toneOf({ recent, older, failed, state }: Settlements): Tone {
  const isOpen = [...recent, ...older].some((attempt) =>
    ['AWAITING', 'UNKNOWN'].includes(resultOfAttempt(attempt)),
  );
  if (isOpen || state === 'held' || state === 'needs_approval' || state === 'failed') return 'unknown';
  return failed.length > 0 ? 'notice' : 'good';
}

function totalRows(report: Report): Row[] {
  const { words, settlements } = report;
  const w = words.settlements;
  const attempts = [...settlements.recent, ...settlements.older];
  const state = settlements.state === 'done' ? '' : w.states[settlements.state];
  const counts = [settlements.recent.length, settlements.older.length];
  const lines = OUTCOMES.map((outcome): Row => {
    const own = attempts.filter((attempt) => resultOfAttempt(attempt) === outcome);
    const name = w.outcomes[outcome];
    return [
      textCell(
        name,
        (outcome === 'UNKNOWN' || outcome === 'AWAITING') && own.length > 0 ? 'tone-unknown' : 'label',
      ),
      liveCount(
        true,
        overBoth(report, counts, (r) => `COUNTIF(${r.outcome},${formulaText(name)})`),
        own.length,
      ),
      liveMoney(
        true,
        overBoth(report, counts, (r) => `SUMIFS(${r.amount},${r.outcome},${formulaText(name)})`),
        sumOf(own),
      ),
    ];
  });
  const all: Row = [
    textCell(w.outcomes.ALL, 'totalText'),
    liveCount(
      true,
      overBoth(report, counts, (r) => `COUNTA(${r.outcome})`),
      attempts.length,
    ),
    liveMoney(
      true,
      overBoth(report, counts, (r) => `SUM(${r.amount})`),
      sumOf(attempts),
    ),
  ];
  const labels = [w.outcome, w.counts, w.amounts].map((label) => textCell(label, 'header'));
  const firstTitle = overflowCell(w.attemptsTitle, 'section');
  return [[overflowCell(state, 'note')], labels, ...lines, all, [], [firstTitle]];
}

/** A formula over the rows of both lists of attempts; an empty list has none to count. */
function overBoth(
  report: Report,
  counts: readonly number[],
  formula: (ranges: { amount: string; outcome: string }) => string,
): string {
  const firstRows = sectionFirstRows(HEAD_ROWS + TOTAL_ROWS, [...counts, 0]);
  const parts = counts.flatMap((rows, at) => {
    if (rows === 0) return [];
    const range = (column: number): string =>
      columnRange(report.words.sheets.settlements, { column, firstRow: firstRows[at] ?? 1, rows });
    return [formula({ amount: range(COLUMN.amount), outcome: range(COLUMN.outcome) })];
  });
  return parts.length === 0 ? '0' : parts.join('+');
}

function sumOf(attempts: readonly ListedAttempt[]): Fen {
  return attempts.reduce((sum, { amountFen }) => sum + amountFen, 0n);
}

function attemptRow(report: Report, attempt: ListedAttempt): SheetRow {
  return {
    payer: attempt.accountNo,
    payee: attempt.payeeAccountNo,
    outOrderNo: attempt.outOrderNo,
    amountFen: attempt.amountFen,
    feeFen: attempt.feeFen,
    attempt: attempt.attemptNo,
    outcome: report.words.settlements.outcomes[resultOfAttempt(attempt)],
    firstDay: null,
    reqId: attempt.reqId,
    plannedAt: attempt.plannedAt,
    sentAt: attempt.sentAt,
    closedAt: attempt.closedAt,
    remark: attempt.remark,
    note: remarkText(report, attempt.note),
  };
}

function failedRow(report: Report, order: FailedOrder): SheetRow {
  const { recent, older } = report.settlements;
  const own = [...recent, ...older].filter(
    (attempt) => attempt.outOrderNo === order.outOrderNo && attempt.payeeAccountNo === order.payeeAccountNo,
  );
  const last = own.at(-1);
  const w = report.words.settlements;
  return {
    payer: last?.accountNo ?? '',
    payee: order.payeeAccountNo,
    outOrderNo: order.outOrderNo,
    amountFen: order.amountFen,
    feeFen: null,
    attempt: last?.attemptNo ?? null,
    outcome: last === undefined ? w.notRetried : w.outcomes[resultOfAttempt(last)],
    firstDay: order.firstDay,
    reqId: '',
    plannedAt: null,
    sentAt: null,
    closedAt: null,
    remark: '',
    note: remarkText(report, order.note),
  };
}

function columnsOf(report: Report): Column<SheetRow>[] {
  const { settlements: w, items, orders: o } = report.words;
  return [
    { kind: 'text', title: w.payer, widthMin: 14, value: (row) => row.payer },
    nameColumn(report, o.payerName, (row) => row.payer),
    { kind: 'text', title: w.payee, widthMin: 14, value: (row) => row.payee },
    nameColumn(report, w.payeeName, (row) => row.payee),
    { kind: 'text', title: w.orderNo, widthMin: 18, value: (row) => row.outOrderNo },
    { kind: 'money', title: w.amount, widthMin: 12, value: (row) => row.amountFen },
    { kind: 'money', title: w.fee, widthMin: 8, value: (row) => row.feeFen },
    { kind: 'count', title: w.attempt, value: (row) => row.attempt },
    { kind: 'text', title: w.outcome, widthMin: 10, value: (row) => row.outcome },
    { kind: 'day', title: items.firstSeen, value: (row) => row.firstDay },
    { kind: 'time', title: w.plannedAt, value: (row) => row.plannedAt },
    { kind: 'time', title: w.sentAt, value: (row) => row.sentAt },
    { kind: 'time', title: w.closedAt, value: (row) => row.closedAt },
    { kind: 'text', title: w.reqId, widthMin: 34, value: (row) => row.reqId },
    { kind: 'text', title: w.remark, widthMin: 14, value: (row) => row.remark },
    { kind: 'text', title: w.note, widthMin: 16, widthMax: 60, value: (row) => row.note },
  ];
}
