/**
 * The work list: sheet 差异 by itself, of one run and as people see it now or saw it at another event of the audit
 * trail. `recon breaks export` writes it; `recon breaks import` reads it to know what a file was written with.
 */
import { sql } from 'kysely';
import { csvCell } from '../src/core/csv-cell.ts';
import type { Files } from '../src/core/ports.ts';
import type { Day, Zone } from '../src/core/time.ts';
import { writeBook } from '../src/excel/book.ts';
import type { Column } from '../src/excel/column.ts';
import { openTable } from '../src/excel/table.ts';
import type { Db } from '../src/store/schema/schema.ts';
import type { WrittenWith } from './read/check-code.ts';
import { ITEMS, stageItems } from './read/read-items.ts';
import { PAIRS } from './read/read-pairs.ts';
import type { ItemRow } from './read/read-items.ts';
import { readAccounts, readCompanyAccounts, readRun } from './read/read-run.ts';
import type { RunHead } from './read/read-run.ts';
import { dropStage } from './read/stage.ts';
import { addDropDowns, breakColumns } from './sheets/breaks.ts';
import { sheetText } from './sheets/sheet-text.ts';
import type { Locale } from './words/terms.ts';
import type { Words } from './words/words.ts';
import { wordsOf } from './words/words-of-report.ts';

export interface WorkListRequest {
  runId: string;
  locale: Locale;
  zone: Zone;
  /** Up to which event of the audit trail, as `NUMBER:DIGEST`, and as of which day. */
  trail: string;
  today: Day;
  /** Those of the run that are wanted. */
  breakIds: readonly string[];
  /** How many rows the file has that is read again; as many as there are, where one is written. */
  rows?: number;
}

export interface WorkList {
  head: RunHead;
  words: Words;
  written: WrittenWith;
  columns: readonly Column<ItemRow>[];
  rows: readonly ItemRow[];
  /** Of the company: their numbers are not masked. */
  accountNames: ReadonlyMap<string, string>;
}

/** @throws Stopped when there is no such run */
export async function readWorkList(db: Db, request: WorkListRequest): Promise<WorkList> {
  const { runId, locale, zone, trail, today, breakIds } = request;
  const words = wordsOf(locale);
  return db.connection().execute(async (session) => {
    const accounts = await readAccounts(session, runId);
    const head = await readRun(session, runId, accounts);
    await stageItems(session, head, { trailNo: BigInt(trail.split(':')[0] ?? 0), today });
    const { rows } = await sql<ItemRow>`
      select i.* from report_item i
      where i.list in ('break', 'attention') and i.break_id = any(${breakIds}::text[]) order by i.n`.execute(
      session,
    );
    for (const stage of [ITEMS, PAIRS]) await dropStage(session, stage);
    const written = { runId, trail, today, rows: request.rows ?? rows.length };
    const accountNames = await readCompanyAccounts(session, accounts);
    const columns = breakColumns({ words, accountNames, zone, written });
    return { head, words, written, columns, rows, accountNames };
  });
}

/** The ids of everything that the run's sheet lists. */
export async function listSheetIds(db: Db, runId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('finding')
    .select('break_id')
    .where('run_id', '=', runId)
    .where('severity', '<>', 'timing')
    .orderBy('break_id')
    .execute();
  return rows.map((row) => row.break_id);
}

export interface ListFile {
  path: string;
  files: Files;
  zone: Zone;
}

/** One sheet with a header, for Excel; whole or not at all. */
export function writeListBook(list: WorkList, { path, files, zone }: ListFile): Promise<void> {
  const { head, words, columns, rows } = list;
  return files.writeWholeWith(path, (temporaryPath) =>
    writeBook(
      { path: temporaryPath, createdAt: head.startedAt, creator: 'recon', fontName: words.fontName },
      async (book) => {
        const table = openTable<ItemRow>(book, {
          sheet: {
            name: words.sheets.breaks,
            tone: 'notice',
            footer: words.common.footer,
            pageHeader: words.title,
          },
          top: [],
          columns,
          frozenColumns: 2,
          zone,
        });
        table.section({ empty: words.breaks.empty });
        await table.write(rows);
        await table.finish((sheet, places) => addDropDowns({ words }, sheet, places));
      },
    ),
  );
}

/** Excel reads a file without it in the machine's own encoding. */
const ORDER_MARK = '\ufeff';

/** The same as CSV: UTF-8, texts that begin like a formula prefixed with `'`. */
export function writeListCsv({ columns, rows }: WorkList, { path, files, zone }: ListFile): Promise<void> {
  const lines = [
    columns.map(({ title }) => csvCell(title)),
    ...rows.map((row) => columns.map((column) => cellOf(column, row, zone))),
  ];
  return files.writeWhole(path, `${ORDER_MARK}${lines.map((cells) => cells.join(',')).join('\r\n')}\r\n`);
}

function cellOf(column: Column<ItemRow>, row: ItemRow, zone: Zone): string {
  const text = sheetText(column, row, zone);
  return column.kind === 'text' || column.kind === 'link' ? csvCell(text) : text;
}
