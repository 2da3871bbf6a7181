/** For tests of the round trip: books with breaks, their workbook, and cells by break and title. */
import { importBreaks } from '../../../jobs/breaks/import/import-breaks.ts';
import type { ImportRequest } from '../../../jobs/breaks/import/import-breaks.ts';
import { say } from '../../../jobs/breaks/work-on-breaks.ts';
import type { Saying } from '../../../jobs/breaks/say.ts';
import type { Person } from '../../../src/core/config/config.ts';
import { columnLetters } from '../../../src/excel/address.ts';
import { WrongInput } from '../../../src/core/errors.ts';
import type { Db } from '../../../src/store/schema/schema.ts';
import { zone } from '../../helpers/company/run-rows.ts';
import { fillCells } from '../../helpers/fill-workbook.ts';
import type { Filling } from '../../helpers/fill-workbook.ts';
import { readWorkbook } from '../../helpers/read-workbook.ts';
import type { ReadSheet } from '../../helpers/read-workbook.ts';
import { at } from '../../helpers/service-time.ts';

export interface Imported {
  status: number;
  text: string;
  /** `差异!R6 处理状态: 未处理 → 已说明`, as `place column: before → file`. */
  cells: string[];
  conflicts: string[];
  unchanged: number;
}

/** What the file asks for; the faults where it is refused. */
export async function importFile(
  db: Db,
  filePath: string,
  {
    day = '2026-03-02',
    by = '李娜',
    expires,
    dryRun = false,
    people,
  }: Partial<ImportRequest> & { day?: string; people?: Person[] } = {},
): Promise<Imported | string[]> {
  const context = { db, zone, clock: { wall: () => at(`${day} 10:00:00`) }, settings: { people } };
  try {
    const outcome = await importBreaks(context as never, { filePath, by, expires, dryRun });
    const document = outcome.document as {
      cells: { place: string; column: string; before: string; file: string }[];
      conflicts: { place: string; column: string; now: string; file: string; why: string }[];
      unchanged: number;
    };
    return {
      status: outcome.status,
      text: outcome.text,
      cells: document.cells.map((one) => `${one.place} ${one.column}: ${one.before} → ${one.file}`),
      conflicts: document.conflicts.map(
        (one) => `${one.place} ${one.column}: ${one.now} ≠ ${one.file}, ${one.why}`,
      ),
      unchanged: document.unchanged,
    };
  } catch (error) {
    if (error instanceof WrongInput) return error.faults.length > 0 ? [...error.faults] : [error.message];
    throw error;
  }
}

/** At ten in the morning of that day, as a command says it. */
export async function sayOf(
  db: Db,
  { day, by, saying, references }: { day: string; by: string; saying: Saying; references: readonly string[] },
): Promise<void> {
  const rows = await db.selectFrom('break').select('break_id').where('reference', 'in', references).execute();
  await say(
    { db, clock: { wall: () => at(`${day} 10:00:00`) } as never },
    { selection: { breakIds: rows.map((row) => row.break_id) }, saying, speaker: { by, today: day } },
  );
}

export class FilledBook {
  readonly path: string;
  readonly #sheet: ReadSheet;
  readonly #columns: ReadonlyMap<string, string>;

  private constructor(path: string, sheet: ReadSheet, columns: ReadonlyMap<string, string>) {
    [this.path, this.#sheet, this.#columns] = [path, sheet, columns];
  }

  static async open(path: string, name = '差异'): Promise<FilledBook> {
    const { sheets } = await readWorkbook(path);
    const sheet = sheets.find((one) => one.name === name);
    if (!sheet) throw new Error(`no sheet ${name}`);
    const header = [...sheet.cells].find(([, { value }]) => value === '差异编号' || value === 'Break')?.[0];
    const row = header?.replace(/^[A-Z]+/, '');
    const columns = new Map<string, string>();
    for (let at = 1; at <= 40; at++) {
      const title = sheet.cells.get(`${columnLetters(at)}${row}`)?.value;
      if (typeof title === 'string') columns.set(title, columnLetters(at));
    }
    return new FilledBook(path, sheet, columns);
  }

  /** The address of the cell in the row of that reference: `cell('D1', '原因')`. */
  cell(reference: string, title: string): string {
    const found = [...this.#sheet.cells].find(([, { value }]) => value === reference);
    const column = this.#columns.get(title);
    if (!found || column === undefined) throw new Error(`no cell ${reference} ${title}`);
    return `${column}${found[0].replace(/^[A-Z]+/, '')}`;
  }

  value(reference: string, title: string): unknown {
    return this.#sheet.cells.get(this.cell(reference, title))?.value;
  }

  get headerRow(): string {
    return (
      (this.#columns.size > 0
        ? [...this.#sheet.cells].find(([, { value }]) => value === '处理状态')?.[0]
        : ''
      )?.replace(/^[A-Z]+/, '') ?? ''
    );
  }

  /** A copy with cells filled in, by reference and title. */
  fill(to: string, rows: Readonly<Record<string, Readonly<Record<string, Filling>>>>): Promise<string> {
    const cells = Object.entries(rows).flatMap(([reference, filled]) =>
      Object.entries(filled).map(([title, filling]) => [this.cell(reference, title), filling] as const),
    );
    return fillCells(this.path, to, { sheet: this.#sheet.name, cells: Object.fromEntries(cells) });
  }
}
