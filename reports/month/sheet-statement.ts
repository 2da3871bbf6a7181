/**
 * The statements of the month's end: the accounts as its last run has them, with the openings of the month, to be signed
 * one by one. A line sums its own rows: the lists of the last run stand in that run's workbook.
 */
import type { Book } from '../../src/excel/book.ts';
import { overflowCell } from '../../src/excel/cell.ts';
import type { Row } from '../../src/excel/cell.ts';
import { toneOf } from '../read/report.ts';
import { writeStatement } from '../sheets/statement/statement.ts';
import { monthFrame, monthHead } from './month-frame.ts';
import type { MonthReport } from './month-frame.ts';
import { monthVerdict } from './read-month.ts';

export async function writeMonthStatement(book: Book, report: MonthReport): Promise<void> {
  const { session, words, month, zone, allStatements, statement } = report;
  const name = month.sheets.statement;
  await writeStatement(book, {
    ...statement,
    session,
    words,
    zone,
    allStatements,
    frame: monthFrame(report, name, toneOf(monthVerdict(report))),
    head: monthHead(report, name),
    lists: undefined,
    texts: month.statement,
    below: absentRows(report),
  });
}

/** Accounts of the month that its last run is not about. */
function absentRows({ accounts, month, statement }: MonthReport): Row[] {
  const listed = new Set(statement.accounts.map(({ accountNo }) => accountNo));
  return accounts
    .filter(({ accountNo }) => !listed.has(accountNo))
    .map(({ accountNo, name, lastDay }) => [
      overflowCell(month.statement.absent({ account: `${accountNo} ${name}`.trim(), day: lastDay }), 'note'),
    ]);
}
