/** What the month came to, what it rests on, and how its sheets tie to each other. */
import { fixedAddress, onSheet, formulaText } from '../../src/excel/address.ts';
import type { Book } from '../../src/excel/book.ts';
import { emptyCell, formulaCell, numberCell, overflowCell, textCell } from '../../src/excel/cell.ts';
import type { Cell, Row } from '../../src/excel/cell.ts';
import type { Fen } from '../../src/core/fen.ts';
import type { SignOff } from '../../src/store/periods/sign-offs.ts';
import { verdictsByWeight } from '../read/read-run.ts';
import { toneOf } from '../read/report.ts';
import { STATEMENT_UNEXPLAINED } from '../sheets/statement/statement.ts';
import { statementsOf, unexplainedIn } from '../sheets/statement/statement-of.ts';
import { checkCell, failsAt } from '../sheets/live-cell.ts';
import { headerRow, titleRow } from '../sheets/section.ts';
import { maskedText } from '../words/masked-text.ts';
import { monthFrame, monthHead } from './month-frame.ts';
import type { MonthReport } from './month-frame.ts';
import type { MonthTie } from './month-words.ts';
import type { MonthDay, MonthRun } from './read-month.ts';
import { closingOf, isProvenToEnd } from './proven-to-end.ts';
import { monthVerdict } from './read-month.ts';
import { flowCount } from './sheet-items.ts';
import { atBeginning, lastNight, nightColumn, unprovenFormula } from './sheet-nights.ts';
import { MONTH_UNEQUAL, monthColumn, unequalRows } from './sheet-roll-forward.ts';

const WIDTHS = [64, 22, 18, 18, 22, 22];
const BANNER_HEIGHT = 34;
const BANNER_ROW = 3;

export async function writeMonthSummary(book: Book, report: MonthReport): Promise<void> {
  const { words, month } = report;
  const verdict = monthVerdict(report);
  const sheet = book.addSheet({
    ...monthFrame(report, month.sheets.summary, toneOf(verdict)),
    widths: WIDTHS,
    frozen: { rows: BANNER_ROW, columns: 0 },
    onePage: true,
  });
  const banner = `banner-${toneOf(verdict)}` as const;
  const rows: Row[] = [
    ...monthHead(report, month.sheets.summary),
    [
      overflowCell(words.common.verdictIs(words.verdicts[verdict]), banner),
      ...WIDTHS.slice(1).map(() => emptyCell(banner)),
    ],
    [overflowCell(daysText(report), 'subtitle')],
    [],
    ...aboutRows(report),
    [],
    ...accountRows(report),
    [],
    ...flowRows(report),
    [],
  ];
  const tiesFrom = rows.length + TIE_HEAD_ROWS + 1;
  const ties = tieRows(report);
  for (const [at, row] of [...rows, ...ties, [], ...signatureRows(report)].entries())
    sheet.addRow(row, at + 1 === BANNER_ROW ? BANNER_HEIGHT : undefined);
  const [first, last] = [`B${tiesFrom}`, `B${rows.length + ties.length}`];
  sheet.redWhere(`${first}:${last}`, failsAt(words, first));
  book.nameCell('recon_month_verdict', { sheet: sheet.name, row: BANNER_ROW, column: 1 });
  await sheet.finish();
}

function daysText({ days, month }: MonthReport): string {
  const open = days
    .filter(({ run }) => run === undefined || run.state === 'incomplete')
    .map(({ day }) => day);
  return open.length === 0 ? month.whole : month.unproven(open.join(' '));
}

function aboutRows(report: MonthReport): Row[] {
  const { words, month, period, days, before, last, own, opening, zone } = report;
  const row = (label: string, text: string): Row => [textCell(label, 'label'), overflowCell(text, 'text')];
  return [
    titleRow(words.summary.about),
    row(month.month, period.name),
    row(month.openingRun, before?.run_id ?? month.noOpeningRun),
    ...signedRows(report, { label: month.openingSigned, signOff: opening, runs: [before] }),
    row(month.closingRun, last.run_id),
    ...signedRows(report, { label: month.ownSigned, signOff: own, runs: days.map(({ run }) => run) }),
    row(words.summary.zone, zone.name),
  ];
}

/** Runs that a line names; of the others it says that there are more. */
const RUNS_NAMED = 5;

/** @param of.runs what is shown of the period; a run that was not signed is named, whatever it says */
function signedRows(
  { words, month, statement }: MonthReport,
  { label, signOff, runs }: { label: string; signOff: SignOff | undefined; runs: readonly MonthDay['run'][] },
): Row[] {
  if (signOff === undefined) return [[textCell(label, 'label'), overflowCell(month.notSigned, 'text')]];
  const { period, by, details } = signOff;
  const proven = runs.flatMap((run) => (run?.state === 'finished' ? [run.run_id] : []));
  const unsigned = [...new Set(proven)].filter((runId) => !details.runs.includes(runId));
  const named = [...unsigned.slice(0, RUNS_NAMED), ...(unsigned.length > RUNS_NAMED ? ['…'] : [])];
  const note = month.signedWithout({ period: period.name, runs: named.join(', ') });
  const text = month.signedBy({ period: period.name, by: maskedText(statement, by) });
  return [
    [textCell(label, 'label'), overflowCell(text, 'text')],
    [textCell(words.signOff.digest, 'label'), overflowCell(details.digest, 'text')],
    ...(unsigned.length === 0 ? [] : [[textCell('', 'label'), overflowCell(note, 'tone-bad')]]),
  ];
}

function accountRows({ words, month, accounts }: MonthReport): Row[] {
  const counted = verdictsByWeight().map((verdict): Row => {
    const count = accounts.filter((account) => account.verdict === verdict).length;
    return [textCell(words.verdicts[verdict], `tone-${toneOf(verdict)}`), numberCell(count)];
  });
  return [titleRow(month.accountsAtEnd), ...counted];
}

/** The counts of the sheet of breaks, and what stands beside them at the end. */
function flowRows({ month, items }: MonthReport): Row[] {
  const flows = ['atStart', 'opened', 'closed', 'atEnd'] as const;
  const counts = flows.map((flow) =>
    formulaCell(
      onSheet(month.sheets.items, fixedAddress(flowCount(flow))),
      { number: items.break[flow] },
      'totalCount',
    ),
  );
  return [
    titleRow(month.flow),
    headerRow(['', ...flows.map((flow) => month[flow])]),
    [textCell(month.flow, 'label'), ...counts],
    [textCell(month.lists.attention, 'label'), numberCell(items.attention.rows)],
    [textCell(month.lists.timing, 'label'), numberCell(items.timing.rows)],
  ];
}

/** A title and a header. */
const TIE_HEAD_ROWS = 2;

function tieRows(report: MonthReport): Row[] {
  const { words, month } = report;
  const cells = tieCells(report);
  const keys = Object.keys(month.ties) as MonthTie[];
  return [
    titleRow(words.summary.tieOuts),
    headerRow([words.summary.tieOut, words.summary.result]),
    ...keys.map((key): Row => [textCell(month.ties[key], 'label'), cells[key]]),
  ];
}

function tieCells(report: MonthReport): Record<MonthTie, Cell> {
  const { words, month, accounts, items, last, before, runs, days, statement } = report;
  const check = (formula: string, yes: boolean): Cell => checkCell(words, formula, yes);
  const night = (reference: string): string => onSheet(month.sheets.nights, reference);
  const flow = (name: Parameters<typeof flowCount>[0]): string =>
    onSheet(month.sheets.items, fixedAddress(flowCount(name)));
  const end: MonthRun | undefined = runs.get(last.run_id);
  const sumOf = (side: 'platform' | 'ledger'): Fen =>
    accounts.reduce((sum, account) => sum + closingOf(report, account, side), 0n);
  const closing = (side: 'platform' | 'ledger'): string =>
    `SUMIFS(${monthColumn(report, 'closing')},${monthColumn(report, 'side')},${formulaText(month[side])})`;
  const start = before === undefined ? 0 : (runs.get(before.run_id)?.open ?? 0);
  const nights = [...runs.values()].reduce((open, { opened, closed }) => open + opened - closed, start);
  const { atStart, opened, closed, atEnd } = items.break;
  const isSigned = accounts.every(({ platform, ledger }) =>
    [platform, ledger].every(({ signedFen, openingFen }) => signedFen === null || signedFen === openingFen),
  );
  const [signed, openings] = [monthColumn(report, 'signed'), monthColumn(report, 'opening')];
  return {
    rollForward: check(
      `${onSheet(month.sheets.rollForward, fixedAddress(MONTH_UNEQUAL))}=0`,
      unequalRows(report) === 0,
    ),
    platformClosing: check(
      `ROUND(${closing('platform')}-${night(lastNight(report, 'platform'))},2)=0`,
      sumOf('platform') === end?.platformFen,
    ),
    ledgerClosing: check(
      `ROUND(${closing('ledger')}-${night(lastNight(report, 'ledger'))},2)=0`,
      sumOf('ledger') === end?.ledgerFen,
    ),
    difference: check(
      `ROUND(SUM(${monthColumn(report, 'difference')})-${night(lastNight(report, 'difference'))},2)=0`,
      sumOf('platform') - sumOf('ledger') === end?.differenceFen,
    ),
    nights: check(
      `${night(atBeginning('open'))}+SUM(${nightColumn(report, 'opened')})-SUM(${nightColumn(report, 'closed')})=${night(lastNight(report, 'counted'))}`,
      nights === end?.open,
    ),
    breaks: check(
      `${flow('atStart')}+${flow('opened')}-${flow('closed')}=${flow('atEnd')}`,
      atStart + opened - closed === atEnd,
    ),
    breaksAtEnd: check(`${flow('atEnd')}=${night(lastNight(report, 'counted'))}`, atEnd === end?.open),
    days: check(
      `${unprovenFormula(report)}=0`,
      days.every(({ run }) => run !== undefined && run.verdict !== 'incomplete'),
    ),
    accounts: check(
      `COUNTIF(${monthColumn(report, 'closing')},${formulaText(month.notProven)})+COUNTIF(${monthColumn(report, 'verdict')},${formulaText(words.verdicts.unverified)})=0`,
      accounts.every((account) => account.verdict !== 'unverified' && isProvenToEnd(report, account)),
    ),
    statement: check(
      `${onSheet(month.sheets.statement, fixedAddress(STATEMENT_UNEXPLAINED))}=0`,
      unexplainedIn(statementsOf(statement)) === 0,
    ),
    opening: check(`SUMPRODUCT((${signed}<>"")*(${signed}<>${openings}))=0`, isSigned),
  };
}

function signatureRows({ words }: MonthReport): Row[] {
  const { preparedBy, reviewedBy, date } = words.summary;
  return [
    [preparedBy, reviewedBy, date].flatMap((label) => [overflowCell(label, 'label'), emptyCell('signature')]),
  ];
}
