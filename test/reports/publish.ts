/** Publishing in tests: a workbook of a run in a test folder, read back by its bytes. */
import { diskFiles } from '../../src/core/files.ts';
import type { Limits } from '../../reports/read/report.ts';
import type { Locale } from '../../reports/words/terms.ts';
import { publishWorkbook } from '../../reports/workbook.ts';
import type { PublishedWorkbook } from '../../reports/workbook.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import { readWorkbook } from '../helpers/read-workbook.ts';
import type { ReadCell, ReadSheet } from '../helpers/read-workbook.ts';
import { zone } from '../helpers/company/run-rows.ts';

export interface PublishedBook {
  published: PublishedWorkbook;
  sheet: (name: string) => ReadSheet;
  /** The value of a cell: `value('汇总', 'A3')`. */
  value: (sheet: string, address: string) => ReadCell['value'];
  cell: (sheet: string, address: string) => ReadCell | undefined;
  /** The row whose first cells contain these values, as values by column letter. */
  names: ReadonlyMap<string, string>;
  formats: readonly string[];
}

export async function publish(
  db: Db,
  options: {
    runId: string;
    path: string;
    locale?: Locale;
    limits?: Limits;
    companyName?: string;
    allStatements?: boolean;
  },
): Promise<PublishedBook> {
  const published = await publishWorkbook({
    db,
    runId: options.runId,
    path: options.path,
    locale: options.locale ?? 'zh-CN',
    files: diskFiles(),
    companyName: options.companyName ?? '示例科技有限公司',
    serviceName: '沙箱平台',
    zone,
    ...(options.limits && { limits: options.limits }),
    ...(options.allStatements && { allStatements: true }),
  });
  return { ...(await openBook(options.path)), published };
}

export async function openBook(path: string): Promise<Omit<PublishedBook, 'published'>> {
  const { sheets, names, formats } = await readWorkbook(path);
  const sheet = (name: string): ReadSheet => {
    const found = sheets.find((one) => one.name === name);
    if (!found) throw new Error(`no sheet ${name}: ${sheets.map((one) => one.name).join(', ')}`);
    return found;
  };
  const cell = (name: string, address: string): ReadCell | undefined => sheet(name).cells.get(address);
  return { sheet, names, formats, cell, value: (name, address) => cell(name, address)?.value };
}

/** The values of one column from … to, both included. */
export function columnValues(
  book: Pick<PublishedBook, 'value'>,
  at: { sheet: string; column: string; from: number; to: number },
): ReadCell['value'][] {
  const length = at.to - at.from + 1;
  return Array.from({ length }, (_, row) => book.value(at.sheet, `${at.column}${at.from + row}`));
}

/** A row of the statement as it is read: label and value of either half, or an item with all it says. */
export type StatementRow = readonly ReadCell['value'][];

/** The statement of an account on that sheet, from its head to the line to sign on, without empty cells. */
export function statementOf(
  book: Pick<PublishedBook, 'sheet'>,
  of: { sheet: string; accountNo: string },
): StatementRow[] {
  const { cells } = book.sheet(of.sheet);
  const head = [...cells].find(
    ([place, { value }]) => /^A\d+$/.test(place) && String(value).includes(`  ${of.accountNo}`),
  );
  if (!head) throw new Error(`no statement of ${of.accountNo}`);
  const rows: StatementRow[] = [];
  for (let row = Number(head[0].slice(1)); ; row += 1) {
    const values = 'ABCDFGHI'.split('').map((column) => cells.get(`${column}${row}`)?.value);
    if (values.every((value) => value === undefined)) return rows;
    rows.push(values.filter((value) => value !== undefined));
  }
}
