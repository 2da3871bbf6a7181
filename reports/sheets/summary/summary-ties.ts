/** On the summary: what must agree between the sheets, each as a live formula with its outcome. */
import type { Fen } from '../../../src/core/fen.ts';
import { fixedAddress, onSheet } from '../../../src/excel/address.ts';
import type { CellPlace } from '../../../src/excel/address.ts';
import { overflowCell } from '../../../src/excel/cell.ts';
import type { Cell, Row } from '../../../src/excel/cell.ts';
import { allVouchers } from '../../read/read-vouchers.ts';
import { isLive } from '../../read/report.ts';
import type { Report } from '../../read/report.ts';
import type { TieKey } from '../../words/words.ts';
import { BREAK_COLUMN, breakRange } from '../breaks.ts';
import { DEPOSIT_CHECKS } from '../deposits.ts';
import type { OrderList } from '../../read/read-orders.ts';
import { effectOf, orderChecks, orderEffects } from '../order-totals.ts';
import { OPEN_ITEM_CHECKS, OPEN_ITEM_COLUMN, openItemRange } from '../open-items.ts';
import { ROLL_FORWARD_UNEQUAL, accountAdds, lineRange } from '../roll-forward.ts';
import { checkCell, holdsAt } from '../live-cell.ts';
import { headerRow, titleRow } from '../section.ts';
import type { Section } from '../section.ts';
import { STATEMENT_UNEXPLAINED } from '../statement/statement.ts';
import { statementsOf } from '../statement/statement-of.ts';
import { MISSING_NAME } from './summary-vouchers.ts';
import { VOUCHER_CHECKS, VOUCHER_ORDERS, voucherOrders } from '../vouchers.ts';

/** Where the results stand. */
const RESULT_COLUMN = 4;
const NAMES: Readonly<Record<TieKey, string>> = {
  statement: 'recon_tie_statement',
  lines: 'recon_tie_lines',
  rollForward: 'recon_tie_roll_forward',
  openItems: 'recon_tie_open_items',
  deposits: 'recon_tie_deposits',
  transfers: 'recon_tie_transfers',
  withdrawals: 'recon_tie_withdrawals',
  vouchers: 'recon_tie_vouchers',
  gaps: 'recon_tie_gaps',
};

export function tieSection(report: Report): Section {
  const { words } = report;
  const cells = tieCells(report);
  const keys = Object.keys(NAMES) as TieKey[];
  const rows = keys.map((key): Row => {
    const label = overflowCell(words.summary.ties[key], 'label');
    return [label, undefined, undefined, cells[key]];
  });
  return {
    names: keys.map((key, at) => ({ name: NAMES[key], row: at + 3, column: RESULT_COLUMN })),
    rows: [
      titleRow(words.summary.tieOuts),
      headerRow([words.summary.tieOut, '', '', words.summary.result]),
      ...rows,
    ],
  };
}

function tieCells(report: Report): Record<TieKey, Cell> {
  const { sheets } = report.words;
  const check = (formula: string, yes: boolean): Cell => checkCell(report.words, formula, yes);
  const all = (sheet: string, places: readonly CellPlace[]): string =>
    `AND(${places.map((place) => holdsAt(report.words, onSheet(sheet, fixedAddress(place)))).join(',')})`;
  const isZero = (sheet: string, place: CellPlace): string => `${onSheet(sheet, fixedAddress(place))}=0`;
  const explained = statementsOf(report).every(
    ({ difference, explainedFen }) => difference === undefined || difference === explainedFen,
  );
  const { gapDays, overlapDays, windows, verified } = report.extraction;
  const isWhole = gapDays === 0 && overlapDays === 0 && windows === verified;
  return {
    statement: check(isZero(sheets.statement, STATEMENT_UNEXPLAINED), explained),
    lines: linesCheck(report),
    rollForward: check(
      isZero(sheets.rollForward, ROLL_FORWARD_UNEQUAL),
      report.accounts.every((account) => accountAdds(account) !== false),
    ),
    openItems: check(all(sheets.openItems, OPEN_ITEM_CHECKS), true),
    deposits: check(all(sheets.deposits, DEPOSIT_CHECKS), true),
    transfers: ordersCheck(report, 'transfers'),
    withdrawals: ordersCheck(report, 'withdrawals'),
    vouchers: vouchersCheck(report),
    gaps: check('AND(recon_gaps=0,recon_overlaps=0,recon_windows=recon_windows_verified)', isWhole),
  };
}

/** The sheet adds up, and what its rows did to the accounts is what the tables' movements come to. */
function ordersCheck(report: Report, list: OrderList): Cell {
  const { sums, movedFen } = report.orders[list];
  const on = (place: CellPlace): string => onSheet(report.words.sheets[list], fixedAddress(place));
  const holds = (place: CellPlace): string => holdsAt(report.words, on(place));
  const effects = orderEffects(report, list).map(on).join('+');
  const isAll = `ROUND(${effects}-${numberText(movedFen)},2)=0`;
  const formula = `AND(${[...orderChecks(report, list).map(holds), isAll].join(',')})`;
  return checkCell(report.words, formula, effectOf(sums) === movedFen);
}

/** The sheet adds up, has every order of the tables, and as many without a voucher as the summary says. */
function vouchersCheck(report: Report): Cell {
  const on = (place: CellPlace): string => onSheet(report.words.sheets.vouchers, fixedAddress(place));
  const isAll = `${on(VOUCHER_ORDERS)}=${allVouchers(report.vouchers).orders}`;
  const isMissing = report.vouchers.isOff ? [] : [`${on(voucherOrders('missing'))}=${MISSING_NAME}`];
  const formula = `AND(${[...VOUCHER_CHECKS.map((place) => holdsAt(report.words, on(place))), isAll, ...isMissing].join(',')})`;
  return checkCell(report.words, formula, true);
}

/** Every line difference of the roll-forward is an item on the sheets of open items and breaks. */
function linesCheck(report: Report): Cell {
  const { words, items, accounts } = report;
  const outside = `"<>${words.outsideStatement}"`;
  const shown = items
    .filter((item) => (item.list === 'break' || item.list === 'open') && item.line !== 'none')
    .reduce((sum, item) => sum + item.netFen, 0n);
  const stated = accounts.reduce((sum: Fen, account) => sum + account.lineDifferenceFen, 0n);
  const openItems = `SUMIFS(${openItemRange(report, OPEN_ITEM_COLUMN.difference)},${openItemRange(report, OPEN_ITEM_COLUMN.line)},${outside})`;
  const breaks = `SUMIFS(${breakRange(report, BREAK_COLUMN.difference)},${breakRange(report, BREAK_COLUMN.line)},${outside})`;
  const isSummed = isLive(report, 'openItems') && isLive(report, 'breaks');
  const sum = isSummed ? `${openItems}+${breaks}` : numberText(shown);
  return checkCell(words, `ROUND(${sum}-SUM(${lineRange(report)}),2)=0`, shown === stated);
}

/** An amount as a constant in a formula. */
function numberText(fen: Fen): string {
  return `(${fen})/100`;
}
