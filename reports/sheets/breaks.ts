/** Sheet 5: breaks, below them what needs attention, beside each the columns an accountant fills in. */
import { Zone } from '../../src/core/time.ts';
import { columnLetters, columnRange, formulaText } from '../../src/excel/address.ts';
import { textCell } from '../../src/excel/cell.ts';
import type { Cell, Row } from '../../src/excel/cell.ts';
import type { Column } from '../../src/excel/column.ts';
import type { Sheet } from '../../src/excel/sheet.ts';
import { sectionFirstRows } from '../../src/excel/table.ts';
import type { SectionPlace } from '../../src/excel/table.ts';
import { HEAD_ROWS } from './list-sheet.ts';
import { checkCode, digestOf } from '../read/check-code.ts';
import type { ListSpec } from './list-sheet.ts';
import { liveCount, liveMoney } from './live-cell.ts';
import { ITEMS } from '../read/read-items.ts';
import type { ItemRow } from '../read/read-items.ts';
import { counterpartyText, recordState, withAccountNames } from './free-text.ts';
import { maskedText } from '../words/masked-text.ts';
import { happenedText } from './happened-text.ts';
import { countOf } from '../read/report.ts';
import type { Report } from '../read/report.ts';
import type { Words } from '../words/words.ts';
import { suggestionText } from './suggestion.ts';
import { oneLine, sheetText } from './sheet-text.ts';
import { lineName } from './statement-line.ts';

/** Columns other sheets, the totals and the drop-downs refer to. */
export const BREAK_COLUMN = {
  breakId: 1,
  class: 5,
  difference: 7,
  age: 8,
  status: 9,
  action: 13,
  line: 14,
  index: 15,
} as const;

/** Labels, values. */
const TOTAL_ROWS = 2;

/** One column of the breaks' rows, or of those for attention, for formulas. */
export function breakRange(report: Report, column: number, list: 'break' | 'attention' = 'break'): string {
  const counts = [countOf(report, 'break'), countOf(report, 'attention')];
  const at = list === 'break' ? 0 : 1;
  const firstRow = sectionFirstRows(HEAD_ROWS + TOTAL_ROWS, counts)[at] ?? 1;
  return columnRange(report.words.sheets.breaks, { column, firstRow, rows: counts[at] ?? 0 });
}

export function breaksSpec(report: Report): ListSpec<ItemRow> {
  const { words } = report;
  const breaks = BigInt(countOf(report, 'break'));
  const all = breaks + BigInt(countOf(report, 'attention'));
  return {
    key: 'breaks',
    stage: ITEMS,
    tone: breaks > 0n ? 'bad' : all > 0n ? 'notice' : 'good',
    totals: (live) => totalRows(report, live),
    columns: breakColumns(report),
    frozenColumns: 3,
    sections: [
      { after: 0n, upTo: breaks, empty: words.breaks.empty },
      {
        after: breaks,
        upTo: all,
        title: words.breaks.attentionTitle,
        empty: words.breaks.attentionEmpty,
      },
    ],
    amountOf: (row) => row.difference_fen,
    finish: (sheet, places) => addDropDowns(report, sheet, places),
  };
}

function totalRows(report: Report, live: boolean): Row[] {
  const { items, words } = report;
  const w = words.breaks;
  const breaks = items.filter((item) => item.list === 'break');
  const differences = breakRange(report, BREAK_COLUMN.difference);
  const lines = breakRange(report, BREAK_COLUMN.line);
  const inStatement = breaks.filter((item) => item.line !== 'none');
  const labels = [words.common.total, w.counts, w.gross, w.net, w.inStatement];
  return [
    placed(labels.map((label) => textCell(label, 'header'))),
    placed([
      textCell('', 'label'),
      liveCount(
        live,
        `COUNTA(${breakRange(report, BREAK_COLUMN.breakId)})`,
        breaks.reduce((sum, item) => sum + item.count, 0),
      ),
      liveMoney(
        live,
        `SUMIFS(${differences},${differences},">0")-SUMIFS(${differences},${differences},"<0")`,
        breaks.reduce((sum, item) => sum + item.grossFen, 0n),
      ),
      liveMoney(
        live,
        `SUM(${differences})`,
        breaks.reduce((sum, item) => sum + item.netFen, 0n),
      ),
      liveMoney(
        live,
        `SUMIFS(${differences},${lines},${formulaText(`<>${words.outsideStatement}`)})`,
        inStatement.reduce((sum, item) => sum + item.netFen, 0n),
      ),
    ]),
  ];
}

/** The totals in columns that are wide enough for them. */
function placed([label, count, gross, net, inStatement]: readonly Cell[]): Row {
  return [label, undefined, count, gross, undefined, net, inStatement];
}

/** What the columns are made from. */
export type BreakLook = Pick<Report, 'words' | 'accountNames' | 'zone' | 'written'>;

/** What a person needs on A4; the rest is folded away behind it. */
export function breakColumns(report: BreakLook): Column<ItemRow>[] {
  const { words, written, zone } = report;
  const { items: i, breaks: b, common } = words;
  const shown: Column<ItemRow>[] = [
    { kind: 'text', title: i.breakId, widthMin: 15, value: (row) => row.break_id },
    { kind: 'count', title: b.group, style: 'index', widthMin: 2, value: (row) => row.group_no },
    { kind: 'text', title: common.account, widthMin: 10, value: (row) => row.account_no },
    { ...wrapped(common.accountName, 15), value: (row) => row.account_name },
    { ...wrapped(i.className, 11), value: (row) => words.classes[row.class] },
    { ...wrapped(b.note, 54), value: (row) => whatHappened(report, row) },
    { kind: 'money', title: i.difference, widthMin: 11, value: (row) => row.difference_fen },
    { kind: 'count', title: i.ageDays, widthMin: 3, value: (row) => row.age_days },
    ...workColumns(report),
    ...technicalColumns(report).map((column) => ({ ...column, outOfSight: 'folded' as const })),
  ];
  const codeOf = (row: ItemRow): string => {
    const texts = fixedTexts(shown, words, (column) => oneLine(sheetText(column, row, zone)));
    return checkCode(written, { breakId: row.break_id, cells: digestOf(texts) });
  };
  return [...shown, { kind: 'text', title: b.checkCode, outOfSight: 'hidden', value: codeOf }];
}

/** A moment that a spreadsheet saved without its seconds is the same: `yyyy-MM-dd HH:mm`. */
const MOMENT_LENGTH = 16;

/** What the cells of a row say that nobody fills in, for their digest. */
export function fixedTexts(
  columns: readonly Column<ItemRow>[],
  words: Words,
  textOf: (column: Column<ItemRow>) => string,
): string[] {
  const others = [...breakInputs(words), words.breaks.checkCode];
  return columns
    .filter(({ title }) => !others.includes(title))
    .map((column) => (column.kind === 'time' ? textOf(column).slice(0, MOMENT_LENGTH) : textOf(column)));
}

/** The titles of all columns, by which a file that comes back is read. */
export function breakTitles(words: Words): string[] {
  const written = { runId: '', trail: '', today: '', rows: 0 };
  return breakColumns({ words, accountNames: new Map(), zone: new Zone('UTC'), written }).map(
    ({ title }) => title,
  );
}

/** The statuses that a list may come back with: what is written off is approved by another person, and expires by itself. */
export const STATUSES_SAID = ['assigned', 'explained', 'resolved'] as const;

/** The columns that people fill in; a day beside a proposed write-off says until when. */
export function breakInputs({ breaks: b }: Words): string[] {
  return [b.status, b.owner, b.reason, b.remark, b.action, b.writeOff];
}

/** What happened, and what it probably is. */
function whatHappened(report: BreakLook, row: ItemRow): string {
  const parts = [happenedText(report, row), suggestionText(report.words, row)];
  const text = parts.filter((part) => part !== '').join(report.words.breaks.between);
  return withAccountNames(report, text, row.account_no);
}

/** A text that runs over several lines rather than over its width. */
function wrapped(title: string, width: number) {
  return { kind: 'text', title, style: 'textWrap', widthMin: width, widthMax: width } as const;
}

/** Both sides as they stand in their systems, for who looks a record up, and what formulas tell the rows by. */
function technicalColumns(report: BreakLook): Column<ItemRow>[] {
  const { words } = report;
  const { items: i, breaks: b, common } = words;
  return [
    { kind: 'text', title: i.statementLine, widthMin: 16, value: (row) => lineName(words, row) },
    { kind: 'count', title: common.accountIndex, style: 'index', value: (row) => row.account_index },
    { kind: 'text', title: i.reference, widthMin: 18, value: (row) => row.reference },
    { kind: 'text', title: b.platformRef, widthMin: 18, value: (row) => row.platform_ref },
    { kind: 'money', title: b.platformFen, widthMin: 12, value: (row) => row.platform_fen },
    { kind: 'text', title: b.platformState, value: (row) => recordState(words, row.platform_state) },
    { kind: 'time', title: b.platformAt, value: (row) => row.platform_at },
    { kind: 'text', title: b.ledgerRef, widthMin: 14, value: (row) => row.ledger_ref },
    { kind: 'money', title: b.ledgerFen, widthMin: 12, value: (row) => row.ledger_fen },
    { kind: 'text', title: b.ledgerState, value: (row) => recordState(words, row.ledger_state) },
    { kind: 'time', title: b.ledgerAt, value: (row) => row.ledger_at },
    {
      kind: 'text',
      title: i.counterparty,
      widthMin: 12,
      value: (row) => counterpartyText(report, row.counterparty),
    },
    { kind: 'day', title: i.firstSeen, value: (row) => row.first_day },
    { kind: 'text', title: b.writeOff, widthMin: 12, value: (row) => writeOffText(report, row) },
  ];
}

/** What people say, and where they go on saying it. */
function workColumns(report: BreakLook): Column<ItemRow>[] {
  const { breaks: b } = report.words;
  const input = (title: string, width: number) => ({ ...wrapped(title, width), style: 'input' }) as const;
  return [
    { ...input(b.status, 9), value: (row) => b.statuses[row.work_status] },
    { ...input(b.owner, 6), value: (row) => maskedText(report, row.owner) },
    { ...input(b.reason, 12), value: (row) => maskedText(report, reasonOf(row)) },
    { ...input(b.remark, 12), value: (row) => maskedText(report, row.remark) },
    { ...input(b.action, 11), value: (row) => actionText(report, row) },
  ];
}

/** A write-off that awaits approval stands before anything else that is proposed. */
function actionText({ words: { breaks } }: Pick<Report, 'words'>, row: ItemRow): string {
  if (row.is_proposed) return breaks.proposeWriteOff;
  return row.action === '' ? '' : breaks.actions[row.action];
}

/** Of the write-off that awaits approval; else of what is explained, resolved or written off. */
export function reasonOf(row: ItemRow): string {
  return row.is_proposed ? (row.write_offs.at(-1)?.reason ?? '') : row.reason;
}

/** The last write-off, whether it holds, awaits approval or is over; before it the one that holds until it is approved. */
function writeOffText(report: BreakLook, row: ItemRow): string {
  const texts = row.write_offs.map(({ expires, proposedBy, approvedBy }) =>
    report.words.breaks.writeOffState({
      until: expires,
      by: maskedText(report, proposedBy),
      approvedBy: maskedText(report, approvedBy ?? ''),
    }),
  );
  return texts.join(' / ');
}

export function addDropDowns(
  report: Pick<Report, 'words'>,
  sheet: Sheet,
  places: readonly SectionPlace[],
): void {
  const { statuses, actions, proposeWriteOff } = report.words.breaks;
  for (const { firstRow, rows } of places) {
    if (rows === 0) continue;
    const range = (column: number): string =>
      `${columnLetters(column)}${firstRow}:${columnLetters(column)}${firstRow + rows - 1}`;
    // `open` to put back what stood there; the others nobody says.
    sheet.chooseFrom(
      range(BREAK_COLUMN.status),
      (['open', ...STATUSES_SAID] as const).map((status) => statuses[status]),
    );
    sheet.chooseFrom(range(BREAK_COLUMN.action), [...Object.values(actions), proposeWriteOff]);
  }
}
