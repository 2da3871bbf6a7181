/**
 * `ledger pull`: takes the books from the company's own database, by the imports of files, with all that protects the
 * books from them. The ledger is complete to the end of the last day that was over when its database was read, by the
 * clocks of both, and no further than the company says that it has closed.
 */
import type { Transaction } from 'kysely';
import type { BooksSettings } from '../../core/config/config-books.ts';
import type { Clock, Log } from '../../core/ports.ts';
import { WrongInput } from '../../core/errors.ts';
import { addDays, addMs, HOUR_MS } from '../../core/time.ts';
import type { Day, Instant, Zone } from '../../core/time.ts';
import type { Window } from '../../core/window.ts';
import { extendCompleteTo, findCompleteTo, holdToClosed } from '../../store/intake/ledger-complete.ts';
import { PULL_NAME } from '../../store/intake/pull-marks.ts';
import type { Db, Tables } from '../../store/schema/schema.ts';
import type { LookAlikes } from '../booked-once.ts';
import { NO_LOOK_ALIKES } from '../booked-once.ts';
import { shownValue } from '../fault-list.ts';
import type { ImportRequest, ImportResult } from '../import-file.ts';
import { importLedger } from '../import-ledger.ts';
import { importOrders } from '../import-orders.ts';
import { openBooks } from './books-database.ts';
import type { BooksDatabase } from './books-reading.ts';
import { keepMark } from './kept-mark.ts';
import type { KeptMark } from './kept-mark.ts';
import { changedLast, closedTo } from './one-time.ts';
import {
  BOOKED,
  askedQuery,
  bareQuery,
  pullLayout,
  queryDigest,
  readQuery,
  repeatedQuery,
} from './pull-query.ts';
import type { Asked, PullKind, PullQuery } from './pull-query.ts';
import { PIECE_ROWS, pulledRows } from './pulled-rows.ts';
import { lacksOf, wholeDaysOf } from './whole-books.ts';

export interface PullRequest {
  db: Db;
  zone: Zone;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
  books: BooksSettings;
  /** What was booked on these days, in one piece; undefined: what was changed since the last pull. */
  days: { fromDay: Day; toDay: Day } | undefined;
  /** All is read and looked at, and nothing is stored. */
  rehearse: boolean;
  /** What the days have no more is withdrawn. */
  replace: boolean;
  force: boolean;
  adjustmentKind: string;
  /** In a transaction that stores: that nobody else pulls. @throws Stopped where somebody does */
  keep: (trx: Transaction<Tables>) => Promise<void>;
  /** Rows that are one piece. */
  pieceRows?: number;
  progress?: (rows: number) => void;
}

/** What one query yielded. With faults nothing of the piece that has them is stored, and nothing after it is read. */
export interface Pulled
  extends
    Pick<ImportResult, 'rows' | 'added' | 'unchanged' | 'replaced' | 'withdrawn' | 'faults' | 'faultCount'>,
    LookAlikes {
  kind: PullKind;
  /** Of the ledger: its name; else empty. */
  source: string;
  /** What was changed from there on was read; null: all, or what was booked on the days that were named. */
  changedFrom: Instant | null;
  stored: boolean;
  /** How often a part of it was taken in whole; a pull that is cut off goes on behind the last one. */
  pieces: number;
  /** Of a ledger: it was stated complete to there. */
  completeTo: Instant | null;
  /** What the books have and the database has no more, in sentences: with any, nothing is stated complete. */
  lacks: string[];
}

/** The `--json` answer of `ledger pull`. */
export interface PullResult {
  schema: 1;
  /** Host and name of the database. */
  database: string;
  /** By the clock of the database, when the state of it was fixed that was read. */
  readAt: Instant;
  dryRun: boolean;
  /** Days that were asked for. */
  fromDay: Day | null;
  toDay: Day | null;
  pulls: Pulled[];
}

/**
 * Orders come first, as from the inbox. Only one process pulls at a time: an older state of the database must not
 * come after a newer one.
 * @throws WrongInput where a query does not yield the columns, or an import would refuse its file; Stopped where the
 * database cannot be read; LockHeld when an import is under way
 */
export async function pullBooks(request: PullRequest): Promise<PullResult> {
  const { books, zone, days } = request;
  const queries = [
    ...(books.ordersQuery === undefined
      ? []
      : [{ kind: 'orders' as const, query: readQuery(books.ordersQuery) }]),
    ...(books.query === undefined ? [] : [{ kind: 'ledger' as const, query: readQuery(books.query) }]),
  ];
  const closed = books.closedQuery === undefined ? undefined : readQuery(books.closedQuery);
  const database = await openBooks(books, zone);
  try {
    const pulls: Pulled[] = [];
    for (const { kind, query } of queries) {
      const source = kind === 'ledger' ? books.source : '';
      const mark = await keepMark(request, {
        kind,
        source,
        query_sha256: queryDigest(database.place, query),
      });
      const pulled = await pull({ request, database, mark, kind, query }, source);
      if (kind === 'ledger' && !request.rehearse) await complete({ request, database, mark, closed }, pulled);
      pulls.push(pulled);
    }
    const { readAt, place } = database;
    const [fromDay, toDay] = [days?.fromDay ?? null, days?.toDay ?? null];
    return { schema: 1, database: place, readAt, dryRun: request.rehearse, fromDay, toDay, pulls };
  } finally {
    await database.close();
  }
}

interface Pulling {
  request: PullRequest;
  database: BooksDatabase;
  mark: KeptMark;
  kind: PullKind;
  query: PullQuery;
}

async function pull(
  { request, database, mark: kept, kind, query }: Pulling,
  source: string,
): Promise<Pulled> {
  const { zone, books, days, signal } = request;
  const { left, changedTo: mark } = kept;
  const today = todayOf(request, database);
  const window = kind === 'ledger' ? await wholeDaysOf(request, { today, left }) : undefined;
  const asked = days ?? {
    changedFrom: mark === undefined ? null : addMs(mark, -books.lookBackHours * HOUR_MS),
    bookedFrom: window && zone.dayOf(window.from),
  };
  const rows = pulledRows({
    database,
    zone,
    layout: pullLayout(kind),
    names: await database.columns(bareQuery(query)),
    file: query.file,
    query: askedQuery(query, kind, { asked, zone }),
    pieceRows: days === undefined ? (request.pieceRows ?? PIECE_ROWS) : Number.POSITIVE_INFINITY,
    window: window && { ...window, column: BOOKED[kind] },
    signal,
  });
  if (kind === 'ledger') await requireOnce(database, query, { asked, zone });
  const replaced = days && window;
  const pulled = nothingOf({ kind, source, asked, request });
  let isEnded = !(await rows.hasMore());
  do {
    pulled.pieces += 1;
    const name = `${PULL_NAME}${zone.compactText(database.readAt)}${pulled.pieces === 1 ? '' : `.${pulled.pieces}`}`;
    const alongside = async (trx: Transaction<Tables>): Promise<void> => {
      const changedTo = days === undefined && !request.rehearse ? rows.changedTo() : undefined;
      if (changedTo === undefined) return kept.keep(trx);
      // A row that was changed after the database was read has a wrong time, and must not hide what comes before it.
      const seenTo = changedTo < database.readAt ? changedTo : database.readAt;
      await kept.move(trx, { changedTo: seenTo, wholeFrom: window?.from });
    };
    const piece = { path: name, open: () => Promise.resolve(rows.piece(name)), alongside };
    const read = pulled.rows;
    const progress = (rows: number): void => request.progress?.(read + rows);
    const result = await takePiece({ request, kind, source, window: replaced }, { ...piece, progress });
    add(pulled, result);
    if (result.faultCount > 0) return { ...pulled, stored: false };
    isEnded ||= !(await rows.hasMore());
  } while (!isEnded);
  if (request.rehearse) return pulled;
  const whole = window && { window, rows: rows.inWindow() };
  const changedTo = days === undefined ? rows.changedTo() : await changedLast(query, { database, zone });
  // Who has the books replaced says that the database is right.
  const read = { file: query.file, mark: request.replace ? undefined : mark, changedTo, whole };
  return { ...pulled, lacks: await lacksOf(request, read) };
}

/**
 * Of two rows of one entry that come in different pieces, or in the pulls of different nights, the later one would be
 * taken for a correction of the first.
 * @throws WrongInput naming the entries
 */
async function requireOnce(
  database: BooksDatabase,
  query: PullQuery,
  of: { asked: Asked; zone: Zone },
): Promise<void> {
  const repeated: string[] = [];
  const { exact } = database;
  for await (const batch of database.rows(repeatedQuery(query, { ...of, exact, limit: LISTED_MAX })))
    repeated.push(...batch.map(([id]) => shownValue('entry_id', id ?? '')));
  if (repeated.length > 0)
    throw new WrongInput(`${query.file} yields more than one row of one entry_id:`, repeated);
}

/** By the clock that is behind. */
function todayOf({ zone, clock }: PullRequest, { readAt }: BooksDatabase): Day {
  const now = clock.wall();
  return zone.dayOf(now < readAt ? now : readAt);
}

function nothingOf(of: { kind: PullKind; source: string; asked: Asked; request: PullRequest }): Pulled {
  const { kind, source, asked, request } = of;
  return {
    kind,
    source,
    changedFrom: 'changedFrom' in asked ? asked.changedFrom : null,
    stored: !request.rehearse,
    pieces: 0,
    rows: 0,
    added: 0,
    unchanged: 0,
    replaced: 0,
    withdrawn: 0,
    completeTo: null,
    lacks: [],
    faults: [],
    faultCount: 0,
    ...NO_LOOK_ALIKES,
  };
}

type Piece = ImportResult & Partial<LookAlikes>;

function takePiece(
  of: { request: PullRequest; kind: PullKind; source: string; window: Window | undefined },
  taken: Pick<ImportRequest, 'path' | 'open' | 'alongside' | 'progress'>,
): Promise<Piece> {
  const { request, kind, source, window } = of;
  const { db, zone, clock, log, rehearse, replace, force, adjustmentKind } = request;
  const piece = { db, zone, clock, log, rehearse, replace, ...taken };
  if (kind === 'orders') return importOrders(piece);
  return importLedger({ ...piece, source, force, adjustmentKind, window });
}

function add(pulled: Pulled, piece: Piece): void {
  for (const count of ['rows', 'added', 'unchanged', 'replaced', 'withdrawn', 'faultCount'] as const)
    pulled[count] += piece[count];
  pulled.faults = piece.faults;
  pulled.lookAlikeCount += piece.lookAlikeCount ?? 0;
  pulled.lookAlikes = [...pulled.lookAlikes, ...(piece.lookAlikes ?? [])].slice(0, LISTED_MAX);
}

const LISTED_MAX = 100;

/** States how far the ledger is complete, where all of it is here, and no further than it is closed. */
async function complete(
  of: Pick<Pulling, 'request' | 'database' | 'mark'> & { closed: PullQuery | undefined },
  pulled: Pulled,
): Promise<void> {
  const { request, database, mark, closed } = of;
  const { db, zone } = request;
  const { source } = pulled;
  const closedAt = closed && (await closedTo(closed, { database, zone }));
  const isHere = pulled.stored && pulled.lacks.length === 0;
  const readTo = isHere ? await wholeTo(of, source) : undefined;
  const completeTo = readTo && closedAt && closedAt < readTo ? closedAt : readTo;
  if (closedAt === undefined && completeTo === undefined) return;
  await db.transaction().execute(async (trx) => {
    await mark.keep(trx);
    if (closedAt !== undefined) await holdToClosed(trx, { source, closedTo: closedAt });
    if (completeTo !== undefined) await extendCompleteTo(trx, { source, completeTo });
  });
  pulled.completeTo = completeTo ?? null;
}

/** How far what was read is all that was booked; undefined: what lies between the books and days that are named never was. */
async function wholeTo(
  { request, database }: Pick<Pulling, 'request' | 'database'>,
  source: string,
): Promise<Instant | undefined> {
  const { db, zone, days } = request;
  const over = zone.dayStart(todayOf(request, database));
  if (days === undefined) return over;
  const known = (await findCompleteTo(db, source)) ?? '';
  if (known < zone.dayStart(days.fromDay)) return undefined;
  const end = zone.dayStart(addDays(days.toDay, 1));
  return end < over ? end : over;
}
