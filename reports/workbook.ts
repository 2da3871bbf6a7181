/**
 * The workbook of a run: an accountant signs it, an auditor checks it a year later. It is written from tables
 * alone, so that writing a run again gives the same cells (invariant 20).
 */
import type { Files } from '../src/core/ports.ts';
import type { Zone } from '../src/core/time.ts';
import { writeBook } from '../src/excel/book.ts';
import type { Book } from '../src/excel/book.ts';
import type { Db } from '../src/store/schema/schema.ts';
import { writeCheck } from './sheets/check.ts';
import { breaksSpec } from './sheets/breaks.ts';
import { changesSpec } from './sheets/changes.ts';
import { depositsSpec } from './sheets/deposits.ts';
import { offsetsSpec } from './sheets/offsets.ts';
import { openItemsSpec } from './sheets/open-items.ts';
import { ordersSpec } from './sheets/orders.ts';
import { writeRollForward } from './sheets/roll-forward.ts';
import { writeRunLog } from './sheets/run-log.ts';
import { writeSettlements } from './sheets/settlements.ts';
import { writeStatement } from './sheets/statement/statement.ts';
import { statementLook } from './sheets/statement/statement-look.ts';
import { writeSummary } from './sheets/summary/summary.ts';
import { vouchersSpec } from './sheets/vouchers.ts';
import { writeOffsSpec } from './sheets/write-offs.ts';
import { listOf, ownPath } from './sheets/list-sheet.ts';
import type { List } from './sheets/list-sheet.ts';
import { DEPOSITS } from './read/read-deposits.ts';
import { ITEMS } from './read/read-items.ts';
import { ORDERS } from './read/read-orders.ts';
import { STATEMENT_ITEMS } from './read/read-statement-items.ts';
import { CHANGES, OFFSETS, WRITE_OFFS } from './read/read-side-lists.ts';
import { VOUCHERS } from './read/read-vouchers.ts';
import { USUAL_LIMITS, isLive, readReport } from './read/report.ts';
import type { Limits, Report } from './read/report.ts';
import { dropStage } from './read/stage.ts';
import type { Locale } from './words/terms.ts';
import { ORDERS_WITH_VOUCHERS } from './read/voucher-orders.ts';
import { wordsOf } from './words/words-of-report.ts';

export interface WorkbookRequest {
  db: Db;
  runId: string;
  path: string;
  locale: Locale;
  files: Files;
  companyName: string;
  serviceName: string;
  zone: Zone;
  /** A statement for the reconciled accounts too; usually they are one row each. */
  allStatements?: boolean;
  /** Tests lower them. */
  limits?: Limits;
}

export interface PublishedWorkbook {
  path: string;
  /** The workbook and those of lists too long for it. */
  paths: readonly string[];
  /** Every sheet of every file, with the rows of its lists. */
  sheets: readonly { path: string; name: string; rows: number }[];
}

/**
 * Writes the workbook of a run, each file whole or not at all (H3).
 * @throws Stopped when there is no such run or the disk refuses
 */
export async function publishWorkbook(request: WorkbookRequest): Promise<PublishedWorkbook> {
  const words = wordsOf(request.locale);
  const { runId, zone, companyName, serviceName, limits = USUAL_LIMITS, allStatements = false } = request;
  return request.db.connection().execute(async (session) => {
    const report = await readReport(session, {
      runId,
      words,
      zone,
      companyName,
      serviceName,
      limits,
      allStatements,
    });
    const published = await writeFiles(request, report);
    const stages = [
      ITEMS,
      STATEMENT_ITEMS,
      OFFSETS,
      WRITE_OFFS,
      CHANGES,
      DEPOSITS,
      ...Object.values(ORDERS),
      VOUCHERS,
      ORDERS_WITH_VOUCHERS,
    ];
    for (const stage of stages) await dropStage(session, stage);
    return published;
  });
}

type SheetRows = PublishedWorkbook['sheets'][number];

async function writeFiles(request: WorkbookRequest, report: Report): Promise<PublishedWorkbook> {
  const { path } = request;
  const vouchers = listOf(report, vouchersSpec(report));
  const lists = [
    listOf(report, openItemsSpec(report)),
    listOf(report, breaksSpec(report)),
    listOf(report, offsetsSpec(report)),
    listOf(report, writeOffsSpec(report)),
    listOf(report, depositsSpec(report)),
    listOf(report, ordersSpec(report, 'transfers')),
    listOf(report, ordersSpec(report, 'withdrawals')),
    vouchers,
    listOf(report, changesSpec(report)),
  ];
  const own: SheetRows[] = [];
  for (const list of lists) {
    if (!isLive(report, list.key)) own.push(...(await writeOwnBook(request, report, list)));
  }
  const sheets: SheetRows[] = [];
  await writeWhole(request, { report, path }, async (book) => {
    const add = (name: string, rows: number): unknown => sheets.push({ path, name, rows });
    await writeSummary(book, report);
    add(report.words.sheets.summary, 0);
    add(report.words.sheets.statement, await writeStatement(book, statementLook(report)));
    add(report.words.sheets.rollForward, await writeRollForward(book, report));
    for (const list of lists) {
      if (list === vouchers) add(report.words.sheets.settlements, await writeSettlements(book, report));
      for (const { name, rows } of await writeListOrPointer(book, report, { list, path })) add(name, rows);
    }
    add(report.words.sheets.runLog, await writeRunLog(book, report));
  });
  const paths = [path, ...new Set(own.map((sheet) => sheet.path))];
  return { path, paths, sheets: [...sheets, ...own] };
}

async function writeListOrPointer(
  book: Book,
  report: Report,
  of: { list: List; path: string },
): Promise<readonly { name: string; rows: number }[]> {
  const { list, path } = of;
  const written = isLive(report, list.key)
    ? await list.write(book)
    : await list.writePointer(book, ownPath(path, list.key));
  return written.sheets;
}

/** A list too long for the main workbook, with a sheet that compares what was written with the tables. */
async function writeOwnBook(request: WorkbookRequest, report: Report, list: List): Promise<SheetRows[]> {
  const path = ownPath(request.path, list.key);
  const sheets: SheetRows[] = [];
  await writeWhole(request, { report, path }, async (book) => {
    const written = await list.write(book);
    sheets.push(...written.sheets.map((sheet) => ({ path, ...sheet })));
    await writeCheck(book, report, { key: list.key, tone: list.tone, written });
    sheets.push({ path, name: report.words.sheets.check, rows: 1 });
  });
  return sheets;
}

async function writeWhole(
  { files }: WorkbookRequest,
  of: { report: Report; path: string },
  fill: (book: Book) => Promise<void>,
): Promise<void> {
  const { head, words } = of.report;
  await files.writeWholeWith(of.path, (temporaryPath) =>
    writeBook(
      { path: temporaryPath, createdAt: head.startedAt, creator: 'recon', fontName: words.fontName },
      fill,
    ),
  );
}
