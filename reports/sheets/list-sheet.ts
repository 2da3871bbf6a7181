/**
 * A list of the run as a sheet: in the main workbook, where formulas sum it, or, when it is too long for that,
 * in a workbook of its own with its totals as values and a check of what was written.
 */
import path from 'node:path';
import { absolute } from '../../src/core/fen.ts';
import type { Fen } from '../../src/core/fen.ts';
import type { Book } from '../../src/excel/book.ts';
import { overflowCell } from '../../src/excel/cell.ts';
import type { Row } from '../../src/excel/cell.ts';
import type { Column } from '../../src/excel/column.ts';
import type { Sheet } from '../../src/excel/sheet.ts';
import type { Tone } from '../../src/excel/style.ts';
import { openTable } from '../../src/excel/table.ts';
import type { SectionPlace } from '../../src/excel/table.ts';
import { isLive, listRows, subtitleOf } from '../read/report.ts';
import type { ListKey, Report } from '../read/report.ts';
import { forEachPiece } from '../read/stage.ts';
import type { Stage, Stretch } from '../read/stage.ts';

export interface ListSpec<R extends { n: bigint }> {
  key: ListKey;
  stage: Stage<R>;
  tone: Tone;
  /** Below title and subtitle and above the header; with formulas, or as values. */
  totals: (live: boolean) => readonly Row[];
  columns: readonly Column<R>[];
  frozenColumns: number;
  /** Columns that tell whose row it is, on each page of a list that is wider than one; usually those that stay in view. */
  repeatedColumns?: number;
  sections: readonly (Stretch & { title?: string; empty: string })[];
  /** What the rows add up to, for the check of a list in a workbook of its own. */
  amountOf: (row: R) => Fen;
  finish?: (sheet: Sheet, places: readonly SectionPlace[]) => void;
}

/** A list whose rows' shape no longer matters. */
export interface List {
  key: ListKey;
  tone: Tone;
  write: (book: Book) => Promise<Written>;
  /** In place of the rows: where they are. */
  writePointer: (book: Book, file: string) => Promise<Written>;
}

export function listOf<R extends { n: bigint }>(report: Report, spec: ListSpec<R>): List {
  return {
    key: spec.key,
    tone: spec.tone,
    write: (book) => writeList(book, report, spec),
    writePointer: (book, file) => writePointer(book, report, { spec, file }),
  };
}

/** What was really written. */
export interface Written {
  rows: number;
  amountFen: Fen;
  grossFen: Fen;
  sheets: readonly { name: string; rows: number }[];
}

/** Title and subtitle stand above every list's totals. */
export const HEAD_ROWS = 2;

/** The file of a list's own workbook, beside the main one. */
export function ownPath(mainPath: string, key: ListKey): string {
  const suffix: Record<ListKey, string> = {
    openItems: 'open-items',
    breaks: 'breaks',
    offsets: 'offsets',
    writeOffs: 'write-offs',
    changes: 'prior-period-changes',
    deposits: 'deposits',
    transfers: 'transfers',
    withdrawals: 'withdrawals',
    vouchers: 'vouchers',
  };
  const { dir, name, ext } = path.parse(mainPath);
  return path.join(dir, `${name}-${suffix[key]}${ext}`);
}

/** Every row of the list, over as many sheets as it takes. */
async function writeList<R extends { n: bigint }>(
  book: Book,
  report: Report,
  spec: ListSpec<R>,
): Promise<Written> {
  const { words, limits, zone } = report;
  const title = words.sheets[spec.key];
  const table = openTable<R>(book, {
    sheet: frameOf(report, spec),
    top: [...headRows(report, title), ...spec.totals(isLive(report, spec.key))],
    columns: spec.columns,
    frozenColumns: spec.frozenColumns,
    zone,
    sheetRowsMax: limits.sheetRows,
  });
  const written = { rows: 0, amountFen: 0n, grossFen: 0n };
  for (const section of spec.sections) {
    table.section(section);
    await forEachPiece(report.session, { stage: spec.stage, ...section }, async (rows) => {
      for (const row of rows) {
        const amountFen = spec.amountOf(row);
        written.amountFen += amountFen;
        written.grossFen += absolute(amountFen);
      }
      written.rows += rows.length;
      await table.write(rows);
    });
  }
  await table.finish(spec.finish);
  return { ...written, sheets: rowsBySheet(table.places().flat()) };
}

function rowsBySheet(places: readonly SectionPlace[]): { name: string; rows: number }[] {
  const rows = new Map<string, number>();
  for (const place of places) rows.set(place.sheet, (rows.get(place.sheet) ?? 0) + place.rows);
  return [...rows].map(([name, count]) => ({ name, rows: count }));
}

/** In the main workbook, in place of a list that stands in its own: its totals and where it is. */
async function writePointer<R extends { n: bigint }>(
  book: Book,
  report: Report,
  of: { spec: ListSpec<R>; file: string },
): Promise<Written> {
  const { words, limits } = report;
  const title = words.sheets[of.spec.key];
  const rows = listRows(report, of.spec.key);
  const note = words.common.continuedElsewhere({
    file: path.basename(of.file),
    rows: rows.toLocaleString('en-US'),
    limit: limits.detailRows.toLocaleString('en-US'),
  });
  const table = openTable<R>(book, {
    sheet: frameOf(report, of.spec),
    top: [...headRows(report, title), ...of.spec.totals(false)],
    columns: of.spec.columns,
    frozenColumns: of.spec.frozenColumns,
    zone: report.zone,
  });
  table.section({ empty: note });
  await table.finish();
  return { rows: 0, amountFen: 0n, grossFen: 0n, sheets: [{ name: title, rows: 0 }] };
}

function frameOf<R extends { n: bigint }>(report: Report, spec: ListSpec<R>) {
  const { key, tone, repeatedColumns } = spec;
  return {
    ...sheetFrame(report, report.words.sheets[key], tone),
    ...(repeatedColumns && { repeatedColumns }),
  };
}

export function headRows(report: Report, title: string): Row[] {
  const subtitle = `${subtitleOf(report)} · ${report.words.common.perspective}`;
  return [[overflowCell(title, 'title')], [overflowCell(subtitle, 'subtitle')]];
}

/** What all sheets share: tab, footer, page header, by which a page by itself says of which day and version it is. */
export function sheetFrame(report: Report, name: string, tone: Tone) {
  const { words, companyName, head } = report;
  const { period, version } = words.common;
  const of = `${period({ from: head.fromDay, to: head.toDay })} · ${version(head.version)}`;
  const pageHeader = [companyName, words.title, of].filter((part) => part !== '').join('  ');
  return { name, tone, footer: words.common.footer, pageHeader };
}
