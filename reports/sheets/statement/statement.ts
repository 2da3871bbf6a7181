/**
 * Sheet 2: per account the two-column statement accountants know, each to be signed by itself. The four timing lines
 * hold items of one side only; errors stand on lines of their own and adjust the company's side; what nobody can
 * explain stays as the difference. Accounts that need somebody come first; the reconciled ones are one row each.
 */
import { columnRange, formulaText } from '../../../src/excel/address.ts';
import type { Book } from '../../../src/excel/book.ts';
import { emptyCell, overflowCell } from '../../../src/excel/cell.ts';
import type { Row } from '../../../src/excel/cell.ts';
import type { Sheet } from '../../../src/excel/sheet.ts';
import { HEAD_ROWS } from '../list-sheet.ts';
import { failsAt, liveCount } from '../live-cell.ts';
import { STATEMENT_ITEMS } from '../../read/read-statement-items.ts';
import type { StatementItem } from '../../read/read-statement-items.ts';
import { forEachPiece } from '../../read/stage.ts';
import type { Words } from '../../words/words.ts';
import type { StatementLook } from './statement-look.ts';
import { statementHeight, statementRows } from './statement-block.ts';
import { reconciledRows } from './statement-reconciled.ts';
import { STATEMENT_COLUMN } from './statement-lines.ts';
import { byNeed, shownItems, statementsOf, unexplainedIn } from './statement-of.ts';
import type { Statement } from './statement-of.ts';

const UNEQUAL_ROW = HEAD_ROWS + 1;
const UNEXPLAINED_ROW = HEAD_ROWS + 2;
const FIRST_BLOCK_ROW = UNEXPLAINED_ROW + 2;
/** A printed page in this layout; a statement is not torn apart where one page holds it. */
const PAGE_ROWS = 32;
/** Date, number, counterparty and amount on either side of a gap. */
const WIDTHS = [12, 22, 32, 18, 2, 12, 22, 32, 18];

/** How many accounts have a difference that is not accounted for: 0 when the sheet ties out. */
export const STATEMENT_UNEXPLAINED = { row: UNEXPLAINED_ROW, column: STATEMENT_COLUMN.left } as const;

export async function writeStatement(book: Book, report: StatementLook): Promise<number> {
  const statements = statementsOf(report);
  const { needed, reconciled } = byNeed(statements);
  const blocks = report.allStatements ? [...needed, ...reconciled] : needed;
  const lines = report.allStatements ? [] : reconciled;
  const blockRows = blocks.reduce((rows, statement) => rows + statementHeight(report, statement) + 1, 0);
  const firstLineRow = FIRST_BLOCK_ROW + blockRows;
  const sheet = book.addSheet({
    ...report.frame,
    widths: WIDTHS,
    frozen: { rows: UNEXPLAINED_ROW, columns: 0 },
    printedHead: [1, HEAD_ROWS],
  });
  for (const row of topRows(report, { statements, blockRows })) sheet.addRow(row);
  await addBlocks(sheet, report, { statements, blocks });
  for (const row of reconciledRows(report, { statements: lines, firstRow: firstLineRow })) {
    sheet.addRow(row);
    await sheet.drained();
  }
  if (statements.length === 0) sheet.addRow([overflowCell(report.words.statement.noAccounts, 'note')]);
  for (const row of report.below) sheet.addRow(row);
  markFailures(report.words, sheet, FIRST_BLOCK_ROW + Math.max(blockRows, 1));
  book.nameCell('recon_statement_unexplained', { ...STATEMENT_UNEXPLAINED, sheet: sheet.name });
  await sheet.finish();
  return statements.length;
}

/** One below the other; a page ends before one that it cannot hold. */
async function addBlocks(
  sheet: Sheet,
  report: StatementLook,
  { statements, blocks }: { statements: readonly Statement[]; blocks: readonly Statement[] },
): Promise<void> {
  const before = itemsBefore(statements);
  let pageStart = 1;
  for (const statement of blocks) {
    const firstRow = sheet.rowCount() + 1;
    const items = await itemsOf(report, statement, before.get(statement.account.index) ?? 0);
    const rows = statementRows(report, statement, { items, firstRow });
    if (firstRow + rows.length - pageStart > PAGE_ROWS && firstRow > FIRST_BLOCK_ROW) {
      sheet.breakAfter(firstRow - 1);
      pageStart = firstRow - HEAD_ROWS;
    }
    for (const row of [...rows, []]) sheet.addRow(row);
    await sheet.drained();
  }
}

/** How many of the items laid aside stand before those of each account. */
function itemsBefore(statements: readonly Statement[]): Map<number, number> {
  const before = new Map<number, number>();
  let items = 0;
  for (const statement of statements) {
    before.set(statement.account.index, items);
    items += shownItems(statement);
  }
  return before;
}

async function itemsOf(
  report: StatementLook,
  statement: Statement,
  before: number,
): Promise<StatementItem[]> {
  const count = shownItems(statement);
  const items: StatementItem[] = [];
  if (count === 0) return items;
  const stretch = { after: BigInt(before), upTo: BigInt(before + count) };
  await forEachPiece(report.session, { stage: STATEMENT_ITEMS, ...stretch }, (rows) => {
    items.push(...rows);
    return Promise.resolve();
  });
  return items;
}

function topRows(
  report: StatementLook,
  { statements, blockRows }: { statements: readonly Statement[]; blockRows: number },
): Row[] {
  const { words, frame, head } = report;
  const w = words.statement;
  const { leftLabel, left, rightLabel, right } = STATEMENT_COLUMN;
  const of = (column: number): string =>
    columnRange(frame.name, { column, firstRow: FIRST_BLOCK_ROW, rows: blockRows });
  const compared = statements.filter(({ difference }) => difference !== undefined);
  const unequal = compared.filter(({ difference }) => difference !== 0n).length;
  const counted = (label: string, formula: string, count: number): Row => [
    overflowCell(label, 'labelWide'),
    emptyCell('labelWide'),
    emptyCell('labelWide'),
    liveCount(true, formula, count),
  ];
  return [
    ...head,
    counted(
      w.unequalAccounts,
      countOfFailed(words, { labels: of(rightLabel), label: w.agrees, values: of(right) }),
      unequal,
    ),
    counted(
      w.unexplainedDifferences,
      countOfFailed(words, { labels: of(leftLabel), label: w.explained, values: of(left) }),
      unexplainedIn(statements),
    ),
    [],
  ];
}

/** Counts the checks of that label that fail. */
function countOfFailed(words: Words, of: { labels: string; label: string; values: string }): string {
  return `SUMPRODUCT((${of.labels}=${formulaText(of.label)})*(${failsAt(words, of.values)}))`;
}

/** A check that fails turns red, and turns back when somebody mends the cause. */
function markFailures(words: Words, sheet: Sheet, lastRow: number): void {
  for (const letter of ['D', 'I']) {
    const first = `${letter}${FIRST_BLOCK_ROW}`;
    sheet.redWhere(`${first}:${letter}${lastRow}`, failsAt(words, first));
  }
  sheet.redWhere(`D${UNEQUAL_ROW}:D${UNEXPLAINED_ROW}`, `D${UNEQUAL_ROW}>0`);
}
