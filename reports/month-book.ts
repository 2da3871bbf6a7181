/** The workbook of a month: what its nights came to, side by side, and how one ties to the other. */
import type { Files } from '../src/core/ports.ts';
import { writeBook } from '../src/excel/book.ts';
import type { Db } from '../src/store/schema/schema.ts';
import type { MonthReport } from './month/month-frame.ts';
import { monthWordsOf } from './month/month-words.ts';
import { MONTH_ITEMS, MONTH_MEMBERS } from './month/read-month-items.ts';
import { dropMonthStatement, readMonthStatement } from './month/read-month-statement.ts';
import { MONTH_RUNS, readMonth } from './month/read-month.ts';
import type { Month, MonthRequest } from './month/read-month.ts';
import { writeMonthItems } from './month/sheet-items.ts';
import { writeNights } from './month/sheet-nights.ts';
import { writeMonthRollForward } from './month/sheet-roll-forward.ts';
import { writeMonthStatement } from './month/sheet-statement.ts';
import { writeMonthSummary } from './month/sheet-summary.ts';
import { dropStage } from './read/stage.ts';
import type { Locale } from './words/terms.ts';
import { wordsOf } from './words/words-of-report.ts';

export interface MonthBookRequest extends MonthRequest {
  db: Db;
  path: string;
  files: Files;
  locale: Locale;
  companyName: string;
  serviceName: string;
  /** A statement for the reconciled accounts too; usually they are one row each. */
  allStatements?: boolean;
}

/** Writes it whole or not at all; of the same runs it is the same file. */
export function publishMonth(request: MonthBookRequest): Promise<Month> {
  const { db, files, path, locale, companyName, serviceName, allStatements = false } = request;
  const words = wordsOf(locale);
  return db.connection().execute(async (session) => {
    const read = await readMonth(session, request);
    const report: MonthReport = {
      ...read,
      words,
      month: monthWordsOf(locale),
      companyName,
      serviceName,
      statement: await readMonthStatement(session, read),
      allStatements,
    };
    await files.writeWholeWith(path, (temporary) =>
      writeBook(
        { path: temporary, createdAt: request.last.started_at, creator: 'recon', fontName: words.fontName },
        async (book) => {
          await writeMonthSummary(book, report);
          await writeMonthStatement(book, report);
          await writeMonthRollForward(book, report);
          await writeNights(book, report);
          await writeMonthItems(book, report);
        },
      ),
    );
    await dropMonthStatement(session);
    for (const stage of [MONTH_ITEMS, MONTH_MEMBERS, MONTH_RUNS]) await dropStage(session, stage);
    return read;
  });
}
