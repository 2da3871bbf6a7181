/**
 * Sheet 2: per account the two-column statement accountants know. The four timing lines hold items of one side
 * only; errors stand on lines of their own and adjust the company's side; what nobody can explain stays as the
 * difference.
 */
import { columnRange, formulaText } from '../../src/excel/address.ts';
import type { Book } from '../../src/excel/book.ts';
import { overflowCell, textCell } from '../../src/excel/cell.ts';
import type { Row } from '../../src/excel/cell.ts';
import { fitWidths } from '../../src/excel/fit.ts';
import type { Sheet } from '../../src/excel/sheet.ts';
import { HEAD_ROWS, headRows, sheetFrame } from './list-sheet.ts';
import { liveCount } from './live-cell.ts';
import { toneOf } from '../read/report.ts';
import type { Report } from '../read/report.ts';
import { STATEMENT_COLUMN, statementRows, statementsOf } from './statement-block.ts';
import type { Statement } from './statement-block.ts';

const UNEQUAL_ROW = HEAD_ROWS + 1;
const UNEXPLAINED_ROW = HEAD_ROWS + 2;
const FIRST_BLOCK_ROW = UNEXPLAINED_ROW + 2;
/** A printed page in this layout; a statement is not torn apart where one page holds it. */
const PAGE_ROWS = 31;
const WIDTHS_MIN = [30, 16, 3, 30, 16];

/** How many accounts have a difference that is not accounted for: 0 when the sheet ties out. */
export const STATEMENT_UNEXPLAINED = { row: UNEXPLAINED_ROW, column: STATEMENT_COLUMN.left } as const;

export async function writeStatement(book: Book, report: Report): Promise<number> {
  const statements = statementsOf(report);
  const rows: Row[] = [];
  const pageEnds: number[] = [];
  let pageStart = 1;
  for (const statement of statements) {
    const firstRow = FIRST_BLOCK_ROW + rows.length;
    const block = statementRows(report, statement, firstRow);
    if (firstRow + block.length - pageStart > PAGE_ROWS && firstRow > FIRST_BLOCK_ROW) {
      pageEnds.push(firstRow - 1);
      pageStart = firstRow - HEAD_ROWS;
    }
    rows.push(...block, []);
  }
  if (rows.length === 0) rows.push([overflowCell(report.words.statement.noAccounts, 'note')]);
  const head = topRows(report, statements, rows.length);
  const sheet = book.addSheet({
    ...sheetFrame(report, report.words.sheets.statement, toneOf(report.head.verdict)),
    widths: fitWidths([...head, ...rows], { min: WIDTHS_MIN }),
    frozen: { rows: UNEXPLAINED_ROW, columns: 0 },
    printedHead: [1, HEAD_ROWS],
  });
  for (const row of [...head, ...rows]) {
    sheet.addRow(row);
    await sheet.drained();
  }
  pageEnds.forEach((row) => sheet.breakAfter(row));
  markFailures(sheet, FIRST_BLOCK_ROW + rows.length);
  book.nameCell('recon_statement_unexplained', { ...STATEMENT_UNEXPLAINED, sheet: sheet.name });
  await sheet.finish();
  return statements.length;
}

function topRows(report: Report, statements: readonly Statement[], blockRows: number): Row[] {
  const { words } = report;
  const w = words.statement;
  const { leftLabel, left, rightLabel, right } = STATEMENT_COLUMN;
  const of = (column: number): string =>
    columnRange(words.sheets.statement, { column, firstRow: FIRST_BLOCK_ROW, rows: blockRows });
  const compared = statements.filter(({ difference }) => difference !== undefined);
  const unequal = compared.filter(({ difference }) => difference !== 0n).length;
  const unexplained = compared.filter(({ difference, explainedFen }) => difference !== explainedFen).length;
  return [
    ...headRows(report, words.sheets.statement),
    [
      textCell(w.unequalAccounts, 'label'),
      liveCount(true, countOfNo({ labels: of(rightLabel), label: w.agrees, values: of(right) }), unequal),
    ],
    [
      textCell(w.unexplainedDifferences, 'label'),
      liveCount(
        true,
        countOfNo({ labels: of(leftLabel), label: w.explained, values: of(left) }),
        unexplained,
      ),
    ],
    [],
  ];
}

/** Counts the checks that are FALSE; COUNTIF would take amounts of zero for FALSE in LibreOffice. */
function countOfNo(of: { labels: string; label: string; values: string }): string {
  return `SUMPRODUCT((${of.labels}=${formulaText(of.label)})*(${of.values}=FALSE))`;
}

/** A check that fails turns red, and turns back when somebody mends the cause. */
function markFailures(sheet: Sheet, lastRow: number): void {
  for (const letter of ['B', 'E']) {
    const first = `${letter}${FIRST_BLOCK_ROW}`;
    sheet.redWhere(`${first}:${letter}${lastRow}`, `AND(ISLOGICAL(${first}),NOT(${first}))`);
  }
  sheet.redWhere(`B${UNEQUAL_ROW}:B${UNEXPLAINED_ROW}`, `B${UNEQUAL_ROW}>0`);
}
