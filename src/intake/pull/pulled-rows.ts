/**
 * Rows of a query in pieces, each of which is taken in as a file is, whole or not at all. A piece ends between two rows
 * that were changed at different times, so that a pull that was cut off goes on behind it.
 */
import { createHash } from 'node:crypto';
import { WrongInput } from '../../core/errors.ts';
import { parseOffsetInstant } from '../../core/time.ts';
import type { Instant, Zone } from '../../core/time.ts';
import type { Window } from '../../core/window.ts';
import type { CellFault } from '../fault-list.ts';
import { ROWS_MAX } from '../table-file.ts';
import type { OpenTable, TableRow } from '../table-file.ts';
import { readHeader } from '../table-layout.ts';
import type { Header, TableLayout } from '../table-layout.ts';
import type { BooksDatabase, QueriedRow } from './books-reading.ts';
import { queriedCell } from './queried-cell.ts';
import { CHANGED_AT, comparedId } from './pull-query.ts';

/** A first pull of years is many pieces; one night is one. */
export const PIECE_ROWS = 200_000;

export interface PulledRows {
  /** Whether there are rows that are in no piece yet; of a query without rows the first piece is empty. */
  hasMore(): Promise<boolean>;
  /** The next piece; to be read to its end. */
  piece(name: string): OpenTable;
  /** The latest change among the rows that were read. */
  changedTo(): Instant | undefined;
  /** How many of the rows that were read are booked in the window. */
  inWindow(): number;
}

export interface PullOf {
  database: BooksDatabase;
  zone: Zone;
  layout: TableLayout;
  /** The query's columns, in their order. */
  names: readonly string[];
  /** For people: of which file the query is. */
  file: string;
  query: string;
  pieceRows: number;
  /** By that column. */
  window: (Window & { column: string }) | undefined;
  signal: AbortSignal;
}

/** @throws WrongInput naming every fault of the columns */
export function pulledRows(of: PullOf): PulledRows {
  const header = readHeader(of.names, of.layout, of.file);
  const changedAt = header.findIndex((column) => column?.name === CHANGED_AT);
  const source = of.database.rows(of.query);
  let pending: QueriedRow[] | undefined;
  let changedTo: Instant | undefined;
  let inWindow = 0;

  const next = async (): Promise<QueriedRow[] | undefined> => {
    of.signal.throwIfAborted();
    if (pending !== undefined) {
      const kept = pending;
      pending = undefined;
      return kept;
    }
    const read = await source.next();
    return read.done === true ? undefined : read.value;
  };

  async function* readPiece(): AsyncGenerator<QueriedRow[]> {
    let count = 0;
    let last: string | null | undefined;
    for (let batch = await next(); batch !== undefined; batch = await next()) {
      const first = Math.max(of.pieceRows - count, 0);
      const cut = batch.findIndex(
        (row, at) =>
          at >= first && count + at > 0 && row[changedAt] !== (at === 0 ? last : batch[at - 1]?.[changedAt]),
      );
      if (cut >= 0) pending = batch.slice(cut);
      const mine = cut >= 0 ? batch.slice(0, cut) : batch;
      count += mine.length;
      if (count > ROWS_MAX)
        throw new WrongInput(
          `${of.file} yields more than ${ROWS_MAX} rows at once; pull fewer days: --from, --to`,
        );
      last = mine.at(-1)?.[changedAt] ?? last;
      if (mine.length > 0) yield mine;
      if (cut >= 0) return;
    }
  }

  const seen = (row: TableRow): void => {
    const at = changeOf(row, of.zone);
    if (at !== undefined && (changedTo === undefined || at > changedTo)) changedTo = at;
    if (of.window === undefined) return;
    const bookedAt = timeOf(row, of.window.column, of.zone);
    if (bookedAt !== undefined && bookedAt >= of.window.from && bookedAt < of.window.to) inWindow += 1;
  };
  return {
    hasMore: async () => (pending = await next()) !== undefined,
    changedTo: () => changedTo,
    inWindow: () => inWindow,
    piece: (name) => pieceTable(readPiece(), { name, header, zone: of.zone, seen }),
  };
}

const changeOf = (row: TableRow, zone: Zone): Instant | undefined => timeOf(row, CHANGED_AT, zone);

function timeOf({ cells }: TableRow, column: string, zone: Zone): Instant | undefined {
  const text = cells.get(column) ?? '';
  return zone.parseLocal(text) ?? parseOffsetInstant(text);
}

interface PieceOf {
  name: string;
  header: Header;
  zone: Zone;
  seen: (row: TableRow) => void;
}

function pieceTable(batches: AsyncGenerator<QueriedRow[]>, { name, header, zone, seen }: PieceOf): OpenTable {
  const columns = new Set(header.flatMap((column) => (column === undefined ? [] : [column.name])));
  const hash = createHash('sha256').update(JSON.stringify([...columns]));
  let digest: string | undefined;
  return {
    file: name,
    // Known once the rows were read.
    get sha256() {
      return (digest ??= hash.digest('hex'));
    },
    changed: '',
    columns,
    async *batches() {
      let count = 0;
      for await (const batch of batches) {
        const rows = batch.map((values) => tableRow(values, { row: ++count, header, zone }));
        hash.update(JSON.stringify(batch));
        rows.forEach(seen);
        yield rows;
      }
    },
    close: () => Promise.resolve(),
  };
}

function tableRow(
  values: QueriedRow,
  { row, header, zone }: { row: number; header: Header; zone: Zone },
): TableRow {
  const cells = new Map<string, string>();
  const faults: CellFault[] = [];
  header.forEach((column, at) => {
    if (column === undefined) return;
    const [value, text] = [values[at] ?? '', queriedCell(values[at] ?? null, column.form, zone)];
    cells.set(column.name, text);
    // The database would take it for another one than that with which it is one here.
    if (column.name === 'entry_id' && comparedId(value) !== text)
      faults.push({
        column: column.name,
        value,
        reason: 'has an unusual blank around it: trim it in the query',
      });
  });
  return { row, cells, faults: [...faults, ...changeFaults({ row, cells, faults: [] }, zone)] };
}

function changeFaults(row: TableRow, zone: Zone): CellFault[] {
  if (changeOf(row, zone) !== undefined) return [];
  const value = row.cells.get(CHANGED_AT) ?? '';
  const reason = value === '' ? 'is required' : `must be a time, as booked_at is`;
  return [{ column: CHANGED_AT, value, reason }];
}
