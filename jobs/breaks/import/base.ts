/** What a file that comes back was written with: its rows say it, and the database proves it row by row. */
import { checkCode, statedCode } from '../../../reports/read/check-code.ts';
import type { StatedCode } from '../../../reports/read/check-code.ts';
import { listSheetIds, readWorkList } from '../../../reports/work-list.ts';
import type { WorkList } from '../../../reports/work-list.ts';
import { wordsOf } from '../../../reports/words/words-of-report.ts';
import { findHeadAt, headText } from '../../../src/store/runs/audit-trail.ts';
import { findRun } from '../../../src/store/runs/runs.ts';
import type { Db } from '../../../src/store/schema/schema.ts';
import type { Zone } from '../../../src/core/time.ts';
import type { CellFaults } from './cell-faults.ts';
import { filledText } from './cell-text.ts';
import type { FilledList, FilledRow } from './filled-list.ts';
import { counted } from '../../../src/core/text.ts';

export interface Base {
  list: WorkList;
  stated: StatedCode;
  /** The rows of the file by their break. */
  filled: ReadonlyMap<string, KeyedRow>;
}

/** Undefined when no row can be believed; what is wrong goes to the faults. */
export async function readBase(
  db: Db,
  list: FilledList,
  { zone, faults }: { zone: Zone; faults: CellFaults },
): Promise<Base | undefined> {
  const words = wordsOf(list.locale);
  const titles = { id: words.items.breakId, code: words.breaks.checkCode };
  const keyed = keyedRows(list, titles, faults);
  const { stated, alike } = statedOf(keyed, titles, faults);
  if (stated === undefined) return undefined;
  const trail = await trailOf(db, stated, { list, faults });
  if (trail === undefined) return undefined;
  const { runId, today, rows } = stated;
  const breakIds = [...new Set(alike.map(({ id }) => id))];
  const base = await readWorkList(db, { runId, locale: list.locale, zone, trail, today, rows, breakIds });
  const known = new Set(base.rows.map((row) => row.break_id));
  const filled = new Map<string, KeyedRow>();
  for (const keyedRow of alike) {
    const { id, code, row, stated: own } = keyedRow;
    const place = row.cells.get(titles.id)?.place ?? row.place;
    if (!known.has(id)) faults.add(place, id, `is no break that ${runId} lists: write its own number here`);
    else if (code !== checkCode(base.written, { breakId: id, cells: own.cells }))
      faults.add(
        row.cells.get(titles.code)?.place ?? row.place,
        code,
        `does not belong to ${id}: the number or the code was changed; fill in a copy of the file as it was written`,
      );
    else if (filled.has(id))
      faults.add(
        place,
        id,
        `stands twice: once at ${filled.get(id)?.row.cells.get(titles.id)?.place ?? ''}; remove one of the rows`,
      );
    else filled.set(id, keyedRow);
  }
  await missing(db, { list, stated, filled, faults });
  return { list: base, stated, filled };
}

interface UnreadRow {
  id: string;
  code: string;
  row: FilledRow;
}

/** A row with what its code says. */
export interface KeyedRow extends UnreadRow {
  stated: StatedCode;
}

function keyedRows(list: FilledList, titles: { id: string; code: string }, faults: CellFaults): UnreadRow[] {
  const textOf = (row: FilledRow, title: string): string => {
    const text = filledText(row.cells.get(title)?.raw ?? '', 'text', list.isWorkbook);
    return typeof text === 'string' ? text : text.value;
  };
  return list.rows.flatMap((row) => {
    const [id, code] = [textOf(row, titles.id), textOf(row, titles.code)];
    if (id !== '' && code !== '') return [{ id, code, row }];
    const [title, what] =
      id === '' ? [titles.id, 'number of the break'] : [titles.code, 'code that it was written with'];
    faults.add(
      row.cells.get(title)?.place ?? row.place,
      '',
      `the row has no ${what}: take it from the file as it was written, or remove a row that was added`,
    );
    return [];
  });
}

/** What all rows say alike: a file is one list. */
function statedOf(
  rows: readonly UnreadRow[],
  titles: { code: string },
  faults: CellFaults,
): { stated: StatedCode | undefined; alike: KeyedRow[] } {
  const alike: KeyedRow[] = [];
  let first: { stated: StatedCode; text: string } | undefined;
  for (const keyed of rows) {
    const { code, row } = keyed;
    const stated = statedCode(code);
    const place = row.cells.get(titles.code)?.place ?? row.place;
    const text = stated === undefined ? '' : sourceText(stated);
    if (stated === undefined)
      faults.add(place, code, 'is no code of a row: fill in a copy of the file as it was written');
    else if (text !== (first ??= { stated, text }).text)
      faults.add(
        place,
        text,
        `was written with something else than the rows above it (${first.text}): import each file by itself`,
      );
    else alike.push({ ...keyed, stated });
  }
  return { stated: first?.stated, alike };
}

/** What all rows of a file share. */
function sourceText({ runId, trailNo, today, rows }: StatedCode): string {
  return `${runId} ${trailNo} ${today} ${rows}`;
}

async function trailOf(
  db: Db,
  { runId, trailNo }: StatedCode,
  { list, faults }: { list: FilledList; faults: CellFaults },
): Promise<string | undefined> {
  if ((await findRun(db, runId)) === undefined) {
    faults.add(
      list.file,
      runId,
      'is no run of this database: the file was written from another one, or its codes were changed',
    );
    return undefined;
  }
  const head = await findHeadAt(db, trailNo);
  if (head !== undefined) return headText(head);
  faults.add(
    list.file,
    String(trailNo),
    'is further than the audit trail has come: the file was written from another database, or its codes were changed',
  );
  return undefined;
}

/** Rows that were taken out; of a whole sheet they are named. */
async function missing(
  db: Db,
  of: { list: FilledList; stated: StatedCode; filled: ReadonlyMap<string, KeyedRow>; faults: CellFaults },
): Promise<void> {
  const { stated, filled, faults, list } = of;
  const count = stated.rows - filled.size;
  if (count <= 0 || !faults.isEmpty) return;
  const ids = await listSheetIds(db, stated.runId);
  const absent = ids.length === stated.rows ? ids.filter((id) => !filled.has(id)) : [];
  const named =
    absent.length === 0
      ? ''
      : `: ${absent.slice(0, NAMED_MAX).join(', ')}${absent.length > NAMED_MAX ? ', …' : ''}`;
  faults.add(
    list.file,
    '',
    `${count} of its ${counted(stated.rows, 'row')} ${count === 1 ? 'is' : 'are'} missing${named}; hide rows instead of removing them`,
  );
}

const NAMED_MAX = 20;
