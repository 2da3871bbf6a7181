/** Below the statements: accounts of which both sides are equal, one row each. */
import { address } from '../../../src/excel/address.ts';
import {
  emptyCell,
  formulaCell,
  moneyCell,
  numberCell,
  overflowCell,
  textCell,
} from '../../../src/excel/cell.ts';
import type { Row } from '../../../src/excel/cell.ts';
import { toneOf } from '../../read/report.ts';
import type { StatementLook } from './statement-look.ts';
import { headerRow, titleRow } from '../section.ts';
import type { Statement } from './statement-of.ts';

const LEDGER_COLUMN = 4;
const PLATFORM_COLUMN = 8;

export function reconciledRows(
  report: StatementLook,
  of: { statements: readonly Statement[]; firstRow: number },
): Row[] {
  const { words } = report;
  const { common, statement: w } = words;
  if (of.statements.length === 0) return [];
  const names = [
    common.accountIndex,
    common.account,
    common.accountName,
    w.ledgerBalance,
    '',
    common.verdict,
    w.source,
    w.platformBalance,
    w.balanceDifference,
  ];
  const first = of.firstRow + 2;
  return [
    titleRow(w.reconciledTitle(String(of.statements.length))),
    headerRow(names, [3, 7, 8]),
    ...of.statements.map((statement, at) => reconciledRow(report, statement, first + at)),
    [],
    [overflowCell(w.reconciledNote, 'note')],
  ];
}

function reconciledRow({ words }: StatementLook, { account, difference }: Statement, row: number): Row {
  const at = (column: number): string => address({ row, column });
  const { ledgerFen, platformFen, source } = account;
  return [
    numberCell(account.index, 'index'),
    textCell(account.accountNo),
    textCell(account.name),
    ledgerFen === null ? textCell(words.common.ledgerNotStated, 'tone-unknown') : moneyCell(ledgerFen),
    emptyCell(),
    textCell(words.verdicts[account.verdict], `tone-${toneOf(account.verdict)}`),
    textCell(source === null ? '' : words.sources[source]),
    platformFen === null ? textCell(words.common.notStated, 'tone-unknown') : moneyCell(platformFen),
    difference === undefined
      ? textCell(words.common.notComparable, 'tone-unknown')
      : formulaCell(`ROUND(${at(PLATFORM_COLUMN)}-${at(LEDGER_COLUMN)},2)`, { fen: difference }, 'money'),
  ];
}
