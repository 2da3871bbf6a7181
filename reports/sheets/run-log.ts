/** Sheet 14: how the run went and what it assumed: windows, balances, facts, and every value of the profile. */
import type { Book } from '../../src/excel/book.ts';
import { dayCell, moneyCell, numberCell, overflowCell, textCell, timeCell } from '../../src/excel/cell.ts';
import type { Cell, Row } from '../../src/excel/cell.ts';
import { wrappedHeight } from '../../src/excel/column.ts';
import type { Sheet } from '../../src/excel/sheet.ts';
import { yuanForPeople } from '../../src/core/fen.ts';
import type { Fen } from '../../src/core/fen.ts';
import type { Instant } from '../../src/core/time.ts';
import { factRows } from './fact-rows.ts';
import { remarkText } from './free-text.ts';
import { HEAD_ROWS, headRows, sheetFrame } from './list-sheet.ts';
import { forEachWindow, readBalances } from '../read/read-log.ts';
import type { BalanceRow, WindowRow } from '../read/read-log.ts';
import type { AccountRow } from '../read/read-run.ts';
import { reasonText } from '../words/reason-text.ts';
import { toneOf } from '../read/report.ts';
import type { Report } from '../read/report.ts';

/** Columns are shared by lists of different shape, so their widths are set and not measured; a page is as wide as all. */
const VALUE_WIDTH = 21;
const WIDTHS = [26, 20, 21, VALUE_WIDTH, VALUE_WIDTH, 14, 14, 12, 14, 16, 19, 24];

/** Adds the sheet and returns how many rows it has. */
export async function writeRunLog(book: Book, report: Report): Promise<number> {
  const { words, head } = report;
  const sheet = book.addSheet({
    ...sheetFrame(report, words.sheets.runLog, toneOf(head.verdict)),
    widths: WIDTHS,
    frozen: { rows: HEAD_ROWS, columns: 0 },
    printedHead: [1, HEAD_ROWS],
  });
  for (const row of headRows(report, words.sheets.runLog)) sheet.addRow(row);
  await addList(sheet, { title: words.runLog.run, header: undefined, empty: '', rows: runRows(report) });
  await addFacts(sheet, report);
  await addWindows(sheet, report);
  await addBalances(sheet, report);
  await addAccountNotes(sheet, report);
  await addProfile(sheet, report);
  await sheet.finish();
  return sheet.rowCount();
}

interface List {
  title: string;
  header: Row | undefined;
  empty: string;
  rows: readonly Row[];
  /** In points, of rows in which texts wrap. */
  heights?: readonly (number | undefined)[];
}

async function addList(sheet: Sheet, list: List): Promise<void> {
  sheet.addEmptyRow();
  sheet.addRow([overflowCell(list.title, 'section')]);
  if (list.header && list.rows.length > 0) sheet.addRow(list.header);
  if (list.rows.length === 0) sheet.addRow([overflowCell(list.empty, 'note')]);
  for (const [at, row] of list.rows.entries()) {
    sheet.addRow(row, list.heights?.[at]);
    await sheet.drained();
  }
}

function header(names: readonly string[]): Row {
  return names.map((name) => textCell(name, 'header'));
}

function runRows({ head, words, zone }: Report): Row[] {
  const { summary: s, runLog: w } = words;
  const pairs: [string, Cell][] = [
    [s.runId, overflowCell(head.runId, 'text')],
    [s.job, textCell(words.jobs[head.job])],
    [s.period, textCell(words.common.period({ from: head.fromDay, to: head.toDay }))],
    [s.version, numberCell(head.version)],
    [s.supersedes, overflowCell(head.supersedes ?? words.common.none, 'text')],
    [s.startedAt, timeCell(head.startedAt, zone)],
    [words.common.verdict, textCell(words.verdicts[head.verdict], `tone-${toneOf(head.verdict)}`)],
    [w.settingsDigest, overflowCell(head.settingsDigest, 'text')],
    [w.profileDigest, overflowCell(head.profileDigest, 'text')],
  ];
  return pairs.map(([label, cell]) => [textCell(label, 'label'), cell]);
}

async function addFacts(sheet: Sheet, { head, words, zone }: Report): Promise<void> {
  const w = words.runLog;
  await addList(sheet, {
    title: w.facts,
    header: header([w.key, w.value]),
    empty: w.noFacts,
    rows: factRows({ words, zone }, head.facts),
  });
}

async function addWindows(sheet: Sheet, report: Report): Promise<void> {
  const { words, extraction, session, head } = report;
  const w = words.runLog;
  const names = [...accountTitles(report), w.from, w.to, w.state, w.passes, w.pages, w.total, w.distinct];
  const isEmpty = extraction.windows === 0;
  await addList(sheet, {
    title: w.windows,
    header: undefined,
    empty: w.noWindows,
    rows: isEmpty ? [] : [header([...names, w.sum, w.verifiedAt, w.reason])],
  });
  await forEachWindow(session, head.runId, async (windows) => {
    for (const window of windows) sheet.addRow(windowCells(report, window));
    await sheet.drained();
  });
}

function windowCells(report: Report, window: WindowRow): Row {
  const { words, zone } = report;
  const state = words.windowStates[window.state];
  return [
    ...accountCells(report, window.account_no),
    dayCell(window.from_day),
    dayCell(window.last_day),
    textCell(state, window.state === 'verified' ? 'text' : 'tone-bad'),
    numberCell(window.passes),
    numberCell(window.pages),
    countCell(window.total),
    countCell(window.distinct_count),
    amountCell(window.sum_fen),
    instantCell(window.verified_at, zone),
    textCell(window.reason ?? '', 'textWrap'),
  ];
}

async function addBalances(sheet: Sheet, report: Report): Promise<void> {
  const { words, session, head } = report;
  const w = words.runLog;
  const balances = await readBalances(session, head.runId);
  const names = [...accountTitles(report), w.takenAt, w.closedAt, w.state, w.balance, w.frozen, w.available];
  await addList(sheet, {
    title: w.balances,
    header: header([...names, w.spread, w.tries, w.signed]),
    empty: w.noBalances,
    rows: balances.map((balance) => balanceCells(report, balance)),
  });
}

function balanceCells(report: Report, balance: BalanceRow): Row {
  const { words, zone } = report;
  const state = words.balanceStates[balance.state];
  return [
    ...accountCells(report, balance.account_no),
    instantCell(balance.taken_at, zone),
    instantCell(balance.closed_at, zone),
    textCell(state, balance.state === 'stable' ? 'text' : 'tone-unknown'),
    amountCell(balance.balance_fen),
    amountCell(balance.frozen_fen),
    amountCell(balance.available_fen),
    amountCell(balance.spread_fen),
    numberCell(balance.tries),
    textCell(balance.signed ? words.common.yes : words.common.no),
  ];
}

function accountTitles({ words: { common } }: Report): string[] {
  return [common.account, common.accountName];
}

function accountCells({ accountNames }: Report, accountNo: string): Cell[] {
  return [textCell(accountNo), textCell(accountNames.get(accountNo) ?? '', 'textWrap')];
}

function countCell(count: number | null): Cell | undefined {
  return count === null ? textCell('—') : numberCell(count);
}

/** A missing amount is a dash and never a zero. */
function amountCell(fen: Fen | null): Cell {
  return fen === null ? textCell('—') : moneyCell(fen);
}

function instantCell(instant: Instant | null, zone: Report['zone']): Cell {
  return instant === null ? textCell('—') : timeCell(instant, zone);
}

async function addAccountNotes(sheet: Sheet, report: Report): Promise<void> {
  const { accounts, words } = report;
  const w = words.runLog;
  const rows = accounts.flatMap((account) =>
    notesOf(report, account).map((note): Row => [
      ...accountCells(report, account.accountNo),
      overflowCell(note, 'text'),
    ]),
  );
  await addList(sheet, {
    title: w.accounts,
    header: header([...accountTitles(report), w.assumption]),
    empty: w.noAccountNotes,
    rows,
  });
}

/** Why the verdict is what it is, what it rests on, and what else the balance could mean. */
function notesOf(report: Report, { reason, assumptions, candidates }: AccountRow): string[] {
  const { words } = report;
  return [
    ...[reason, ...assumptions].filter((note) => note !== '').map((note) => reasonText(words, note)),
    ...candidates.map(({ assume, differenceFen }) =>
      words.runLog.candidate({
        assume: remarkText(report, assume),
        difference: words.common.yuan(yuanForPeople(differenceFen)),
      }),
    ),
  ];
}

async function addProfile(sheet: Sheet, { head, words }: Report): Promise<void> {
  const w = words.runLog;
  const names = [w.profileKey, w.profileU, w.profileChanged, w.profileValue, w.profileDefault];
  await addList(sheet, {
    title: w.profile,
    header: header([...names, w.profileDescription]),
    empty: w.noProfile,
    rows: head.assumptions.map((one): Row => [
      overflowCell(one.key, 'text'),
      textCell(one.u),
      textCell(one.changed ? words.common.yes : words.common.no, one.changed ? 'tone-notice' : 'text'),
      textCell(one.value, 'textWrap'),
      textCell(one.default, 'textWrap'),
      overflowCell(w.profileMeaning(one.key, one.description), 'note'),
    ]),
    heights: head.assumptions.map((one) => wrappedHeight([one.value, one.default], VALUE_WIDTH)),
  });
}
