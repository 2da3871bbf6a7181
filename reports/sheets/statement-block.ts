/**
 * One account's statement: the company's balance and what it lacks on the left, the platform's on the right,
 * both adjusted, their difference and what it consists of.
 */
import type { Fen } from '../../src/core/fen.ts';
import { address, formulaText } from '../../src/excel/address.ts';
import { emptyCell, formulaCell, moneyCell, overflowCell, textCell } from '../../src/excel/cell.ts';
import type { Cell, Row } from '../../src/excel/cell.ts';
import { liveMoney } from './live-cell.ts';
import type { ItemClass, ItemSum } from '../read/read-items.ts';
import type { AccountRow } from '../read/read-run.ts';
import { isLive, toneOf } from '../read/report.ts';
import type { Report } from '../read/report.ts';
import type { SideLine } from '../words/terms.ts';
import { BREAK_COLUMN, breakRange } from './breaks.ts';
import { OPEN_ITEM_COLUMN, openItemRange } from './open-items.ts';

/** Left label and amount, a gap, right label and amount. */
export const STATEMENT_COLUMN = { leftLabel: 1, left: 2, rightLabel: 4, right: 5 } as const;

/** An account's lines and what they come to. */
export interface Statement {
  account: AccountRow;
  sides: Readonly<Record<SideLine, Fen>>;
  errors: readonly { errorClass: ItemClass; fen: Fen }[];
  /** Undefined where a balance is not stated: nothing is compared then. */
  left: Fen | undefined;
  right: Fen | undefined;
  difference: Fen | undefined;
  /** Unexplained amount and opening difference: what the difference must consist of. */
  explainedFen: Fen;
}

/** One statement an account, from the sums of the lists. */
export function statementsOf(report: Report): Statement[] {
  const byAccount = new Map<number, ItemSum[]>();
  for (const item of report.items) {
    if ((item.list !== 'break' && item.list !== 'open') || item.line === 'none') continue;
    byAccount.set(item.accountIndex, [...(byAccount.get(item.accountIndex) ?? []), item]);
  }
  return report.accounts.map((account) => statementOf(account, byAccount.get(account.index) ?? []));
}

function statementOf(account: AccountRow, items: readonly ItemSum[]): Statement {
  const sides = { platform_received: 0n, platform_paid: 0n, ledger_received: 0n, ledger_paid: 0n };
  const errors = new Map<ItemClass, Fen>();
  for (const item of items) {
    if (item.line === 'none') continue;
    if (item.line !== 'error') sides[item.line] += item.netFen;
    else errors.set(item.class, (errors.get(item.class) ?? 0n) + item.netFen);
  }
  const errorFen = [...errors.values()].reduce((sum, fen) => sum + fen, 0n);
  const { ledgerFen, platformFen } = account;
  const left =
    ledgerFen === null ? undefined : ledgerFen + sides.platform_received + sides.platform_paid + errorFen;
  const right = platformFen === null ? undefined : platformFen - sides.ledger_received - sides.ledger_paid;
  return {
    account,
    sides,
    errors: [...errors].map(([errorClass, fen]) => ({ errorClass, fen })),
    left,
    right,
    difference: left === undefined || right === undefined ? undefined : right - left,
    explainedFen: (account.unexplainedFen ?? 0n) + (account.openingDifferenceFen ?? 0n),
  };
}

/** Rows above the error lines: head, balances, additions, deductions. */
const ROWS_BEFORE_ERRORS = 4;

/** The rows of one statement; the first one stands at that row. */
export function statementRows(report: Report, statement: Statement, firstRow: number): Row[] {
  const { words } = report;
  const w = words.statement;
  const { account } = statement;
  const label = (text: string): Cell => textCell(text, 'line');
  const side = (line: SideLine): Cell => sideCell(report, statement, line);
  const { platform_received, platform_paid, ledger_received, ledger_paid } = words.sideLines;
  return [
    headRow(report, account),
    pair(
      [textCell(w.ledgerBalance, 'label'), balanceCell(account.ledgerFen, words.common.ledgerNotStated)],
      [textCell(w.platformBalance, 'label'), balanceCell(account.platformFen, words.common.notStated)],
    ),
    pair(
      [label(w.add(platform_received)), side('platform_received')],
      [label(w.add(ledger_received)), side('ledger_received')],
    ),
    pair(
      [label(w.less(platform_paid)), side('platform_paid')],
      [label(w.less(ledger_paid)), side('ledger_paid')],
    ),
    ...statement.errors.map(({ errorClass, fen }): Row => {
      const formula = sumIfs(report, 'breaks', { account, name: words.classes[errorClass] });
      const amount = liveMoney(isLive(report, 'breaks'), formula, fen, 'lineMoney');
      return [label(w.adjust(words.classes[errorClass])), amount];
    }),
    ...closingRows(report, statement, firstRow),
  ];
}

type Pair = readonly [Cell, Cell];

/** Left and right, with a gap between them. */
function pair([leftLabel, left]: Pair, [rightLabel, right]: Pair): Row {
  return [leftLabel, left, undefined, rightLabel, right];
}

function headRow({ words }: Report, account: AccountRow): Row {
  const { accountNo, name } = account;
  const head = words.statement.head({ index: String(account.index), accountNo, name });
  const source = account.source === null ? '' : `${words.statement.source}: ${words.sources[account.source]}`;
  return [
    overflowCell(head, 'blockHead'),
    emptyCell('blockHead'),
    emptyCell('blockHead'),
    overflowCell(source, 'blockHead'),
    textCell(words.verdicts[account.verdict], `tone-${toneOf(account.verdict)}`),
  ];
}

function balanceCell(fen: Fen | null, absent: string): Cell {
  return fen === null ? textCell(absent, 'tone-unknown') : moneyCell(fen, 'lineMoney');
}

/** Lines that lessen their side are shown as positive amounts, as their label says "less". */
function sideCell(report: Report, { account, sides }: Statement, line: SideLine): Cell {
  const isNegated = line === 'platform_paid' || line === 'ledger_received';
  const of = { account, name: report.words.sideLines[line] };
  const formula = `${sumIfs(report, 'openItems', of)}+${sumIfs(report, 'breaks', of)}`;
  const isSummed = isLive(report, 'openItems') && isLive(report, 'breaks');
  const fen = isNegated ? -sides[line] : sides[line];
  return liveMoney(isSummed, isNegated ? `0-(${formula})` : formula, fen, 'lineMoney');
}

/**
 * Accounts are told apart by their index: SUMIFS compares digit texts as numbers, and numbers of nineteen
 * digits that differ only at the end would count as one.
 */
function sumIfs(
  report: Report,
  list: 'openItems' | 'breaks',
  { account, name }: { account: AccountRow; name: string },
): string {
  const columns = list === 'breaks' ? BREAK_COLUMN : OPEN_ITEM_COLUMN;
  const range = (column: number): string =>
    list === 'breaks' ? breakRange(report, column) : openItemRange(report, column);
  const criteria = `${range(columns.index)},${account.index},${range(columns.line)},${formulaText(name)}`;
  return `SUMIFS(${range(columns.difference)},${criteria})`;
}

/** Adjusted balances, their difference, what it consists of, and the two checks. */
function closingRows(report: Report, statement: Statement, firstRow: number): Row[] {
  const w = report.words.statement;
  const { account, errors, difference } = statement;
  const left = (offset: number): string => address({ row: firstRow + offset, column: STATEMENT_COLUMN.left });
  const right = (offset: number): string =>
    address({ row: firstRow + offset, column: STATEMENT_COLUMN.right });
  const adjusted = ROWS_BEFORE_ERRORS + errors.length;
  const errorSum = errors.length === 0 ? '' : `+SUM(${left(ROWS_BEFORE_ERRORS)}:${left(adjusted - 1)})`;
  const total = (formula: string, fen: Fen | undefined): Cell =>
    fen === undefined ? notComparable(report) : formulaCell(`ROUND(${formula},2)`, { fen }, 'totalMoney');
  const check = (formula: string, yes: boolean): Cell =>
    difference === undefined ? notComparable(report) : formulaCell(formula, { yes }, 'check');
  const part = (fen: Fen | null): Cell =>
    fen === null ? notComparable(report) : moneyCell(fen, 'lineMoney');
  const [ofLeft, ofRight] = [left(adjusted), right(adjusted)];
  const parts = `SUM(${left(adjusted + 2)},${right(adjusted + 2)})`;
  return [
    pair(
      [
        textCell(w.adjustedLedger, 'totalText'),
        total(`${left(1)}+${left(2)}-${left(3)}${errorSum}`, statement.left),
      ],
      [
        textCell(w.adjustedPlatform, 'totalText'),
        total(`${right(1)}+${right(2)}-${right(3)}`, statement.right),
      ],
    ),
    pair(
      [textCell(w.difference, 'totalText'), total(`${ofRight}-${ofLeft}`, difference)],
      [textCell(w.agrees, 'totalText'), check(`ROUND(${ofLeft}-${ofRight},2)=0`, difference === 0n)],
    ),
    pair(
      [textCell(w.unexplained, 'line'), part(account.unexplainedFen)],
      [textCell(w.opening, 'line'), part(account.openingDifferenceFen)],
    ),
    [
      textCell(w.explained, 'totalText'),
      check(`ROUND(${left(adjusted + 1)}-${parts},2)=0`, difference === statement.explainedFen),
    ],
  ];
}

function notComparable(report: Report): Cell {
  return textCell(report.words.common.notComparable, 'tone-unknown');
}
