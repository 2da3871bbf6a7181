/** What a sheet of statements is made from: a run's report, or a month's, whose statements are those of its end. */
import type { Row } from '../../../src/excel/cell.ts';
import { headRows, sheetFrame } from '../list-sheet.ts';
import { toneOf } from '../../read/report.ts';
import type { Report } from '../../read/report.ts';
import type { Signed } from '../../read/read-signed.ts';

type Read = Pick<
  Report,
  'session' | 'accounts' | 'accountNames' | 'items' | 'words' | 'zone' | 'allStatements'
>;

export interface StatementLook extends Read {
  signed: Pick<Signed, 'before' | 'accounts'>;
  /** Name, tab and what is printed on each page. */
  frame: ReturnType<typeof sheetFrame>;
  /** Title and subtitle. */
  head: readonly Row[];
  /** The report whose lists stand in the same workbook, where formulas sum them; else a line sums its own rows. */
  lists: Report | undefined;
  /** Notes that stand below all accounts. */
  below: readonly Row[];
  /** What the difference consists of, by name, and where the items are that a page does not show. */
  texts: Record<'unexplained' | 'opening', string> & { rest: (count: string) => string };
}

export function statementLook(report: Report): StatementLook {
  const { words, head } = report;
  const { statement: name } = words.sheets;
  return {
    ...report,
    frame: sheetFrame(report, name, toneOf(head.verdict)),
    head: headRows(report, name),
    lists: report,
    texts: words.statement,
    below: [],
  };
}
