/**
 * Sheet 1: the verdict, what it rests on and how it ties out, on one page. The columns to the right of the
 * tables stay free for charts.
 */
import { yuanForPeople } from '../../../src/core/fen.ts';
import type { Book } from '../../../src/excel/book.ts';
import { emptyCell, overflowCell, textCell, timeCell } from '../../../src/excel/cell.ts';
import type { Cell, Row } from '../../../src/excel/cell.ts';
import { sheetFrame } from '../list-sheet.ts';
import { failsAt } from '../live-cell.ts';
import { countOf, subtitleOf, toneOf } from '../../read/report.ts';
import type { Report } from '../../read/report.ts';
import { accountSections } from './summary-accounts.ts';
import { chartBlock, hasCharts } from './summary-charts.ts';
import { BREAKS_TOTAL, breakClasses, classSections } from './summary-classes.ts';
import { evidenceSections } from './summary-evidence.ts';
import { orderSections } from './summary-orders.ts';
import { below, beside, titleRow } from '../section.ts';
import type { Section } from '../section.ts';
import { signedSections } from './summary-signed.ts';
import { tieSection } from './summary-ties.ts';
import { workSections } from './summary-work.ts';
import { voucherSection } from './summary-vouchers.ts';

/** Characters a column; the last one holds digests, which wrap. */
const WIDTHS = [25, 24, 18, 18, 20, 25, 18, 18, 36];
const BANNER_HEIGHT = 34;
/** Two lines of text. */
const TALL_HEIGHT = 28;
/** More rows than this would print too small on one page. */
const ONE_PAGE_ROWS_MAX = 80;
const BANNER_ROW = 3;
/** What stays in view: title, subtitle, verdict. */
const FROZEN_ROWS = 3;

export async function writeSummary(book: Book, report: Report): Promise<void> {
  const { words, head } = report;
  const sections = sectionsOf(report);
  const length = sections.reduce((rows, section) => rows + 1 + section.rows.length, 0);
  const sheet = book.addSheet({
    ...sheetFrame(report, words.sheets.summary, toneOf(head.verdict)),
    widths: WIDTHS,
    frozen: { rows: FROZEN_ROWS, columns: 0 },
    onePage: length <= ONE_PAGE_ROWS_MAX && !hasCharts(report),
  });
  for (const [at, row] of bannerRows(report).entries()) {
    sheet.addRow(row, at + 1 === BANNER_ROW ? BANNER_HEIGHT : undefined);
  }
  book.nameCell('recon_verdict', { sheet: sheet.name, row: BANNER_ROW, column: 1 });
  let classesRow = 0;
  for (const section of sections) {
    sheet.addEmptyRow();
    for (const { name, row, column } of section.names ?? []) {
      const at = sheet.rowCount() + row;
      if (name === BREAKS_TOTAL) classesRow = at - breakClasses(report).length;
      book.nameCell(name, { sheet: sheet.name, row: at, column });
    }
    for (const [at, row] of section.rows.entries()) {
      sheet.addRow(row, section.tall?.includes(at + 1) ? TALL_HEIGHT : undefined);
    }
  }
  const firstRow = sheet.rowCount() + 2;
  const { rows, tall, charts } = chartBlock(report, { firstRow, classesRow });
  if (charts.length > 0) {
    sheet.addEmptyRow();
    sheet.breakAfter(sheet.rowCount());
    for (const [at, row] of rows.entries())
      sheet.addRow(row, tall.includes(at + 1) ? TALL_HEIGHT : undefined);
    sheet.draw(charts);
  }
  sheet.redWhere(`A4:I${sheet.rowCount()}`, failsAt(words, 'A4'));
  await sheet.finish();
}

/** From what an accountant asks first to what an auditor asks last. */
function sectionsOf(report: Report): Section[] {
  const accounts = accountSections(report);
  const classes = classSections(report);
  const evidence = evidenceSections(report);
  const orders = orderSections(report);
  const work = workSections(report);
  return [
    aboutSection(report),
    ...signedSections(report),
    beside(below(accounts.byVerdict, work.byStatus), evidence.extraction),
    beside(classes.breaks, below(classes.timing, below(work.byOwner, work.byAge))),
    accounts.notReconciled,
    beside(orders.moved, orders.asked),
    beside(tieSection(report), below(classes.attention, voucherSection(report))),
    evidence.files,
    evidence.assumptions,
    legendSection(report),
    signatureSection(report),
  ];
}

function bannerRows(report: Report): Row[] {
  const { words, head, items, accounts } = report;
  const banner = `banner-${toneOf(head.verdict)}` as const;
  const gross = items.reduce((sum, item) => (item.list === 'break' ? sum + item.grossFen : sum), 0n);
  const figures = words.summary.figures({
    accounts: String(accounts.length),
    breaks: String(countOf(report, 'break')),
    gross: yuanForPeople(gross),
    timing: String(countOf(report, 'open')),
  });
  const filler = WIDTHS.slice(1).map(() => emptyCell(banner));
  return [
    [overflowCell(words.title, 'title')],
    [overflowCell(subtitleOf(report), 'subtitle')],
    [overflowCell(words.common.verdictIs(words.verdicts[head.verdict]), banner), ...filler],
    [overflowCell(words.verdictSentences[head.verdict], 'subtitle')],
    [overflowCell(figures, 'section')],
  ];
}

/** Where the values of a row stand. */
const VALUE_COLUMNS = [2, 5, 7];

/** Label and value, three times a row. */
function aboutSection(report: Report): Section {
  const { words, head, zone, companyName, serviceName } = report;
  const w = words.summary;
  const pairs: [string, Cell][] = [
    [w.company, textCell(companyName)],
    [w.service, textCell(serviceName)],
    [w.period, textCell(words.common.period({ from: head.fromDay, to: head.toDay }))],
    [w.job, textCell(words.jobs[head.job])],
    [w.version, textCell(words.common.version(head.version))],
    [w.supersedes, textCell(head.supersedes ?? words.common.none)],
    [w.runId, textCell(head.runId)],
    [w.startedAt, timeCell(head.startedAt, zone)],
    [w.zone, textCell(zone.name)],
    [w.unit, textCell(words.common.unit)],
    [w.auditTrail, overflowCell(head.trail ?? words.common.none, 'text')],
  ];
  const rows: Row[] = [];
  for (let at = 0; at < pairs.length; at += 3) {
    const [left = [], middle = [], right = []] = pairs.slice(at, at + 3).map(pairCells);
    rows.push([...left, undefined, ...middle, ...right]);
  }
  const runAt = pairs.findIndex(([label]) => label === w.runId);
  const column = VALUE_COLUMNS[runAt % VALUE_COLUMNS.length] ?? 2;
  return {
    names: [{ name: 'recon_run', row: 2 + Math.floor(runAt / VALUE_COLUMNS.length), column }],
    rows: [titleRow(w.about), ...rows],
  };
}

function pairCells([label, value]: [string, Cell]): Cell[] {
  return [textCell(label, 'label'), value];
}

function legendSection({ words }: Report): Section {
  const lines = [words.common.perspective, ...words.summary.legendLines];
  return {
    rows: [titleRow(words.summary.legend), ...lines.map((line): Row => [overflowCell(line, 'note')])],
  };
}

/** Three lines to sign on. */
function signatureSection({ words }: Report): Section {
  const { preparedBy, reviewedBy, date } = words.summary;
  const line = (label: string): Cell[] => [overflowCell(label, 'label'), emptyCell('signature')];
  return { rows: [[], [...line(preparedBy), undefined, ...line(reviewedBy), undefined, ...line(date)]] };
}
