/**
 * Bulk loading: rows go by COPY into a temporary table of the transaction and from there, set by set, into
 * their place. Neither parameter limits nor row-by-row round trips stand in the way (H12).
 */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import { copyQuery, stageQuery } from './driver-commands.ts';
import type { Tables } from '../schema/schema.ts';

/** A temporary table: names are ours and never come from outside. */
export interface StageTable {
  name: string;
  columns: readonly { name: string; type: string }[];
}

/** Cell values in PostgreSQL's input syntax, in the order of the columns; null is NULL. */
export type StageRow = readonly (string | null)[];

type Cell = string | number | bigint | boolean | null | undefined;

/** A row by the names of its columns. */
export type KeyedRow<Columns> = Readonly<Record<keyof Columns, Cell>>;

/** Numbers and names are compared byte by byte, whatever the database's own collation is. */
export const TEXT_C = 'text collate "C"';

/** A stage by its columns and their types. */
export function stageOf(name: string, columns: Readonly<Record<string, string>>): StageTable {
  return { name, columns: Object.entries(columns).map(([column, type]) => ({ name: column, type })) };
}

/** Appends rows that are keyed by the stage's columns; a column that a row does not have is NULL. */
export async function copyKeyed(
  trx: Transaction<Tables>,
  stage: StageTable,
  rows: Iterable<object>,
): Promise<void> {
  await copyRows(trx, stage, keyedRows(stage, rows));
}

function* keyedRows({ columns }: StageTable, rows: Iterable<object>): Iterable<StageRow> {
  for (const row of rows as Iterable<Readonly<Record<string, Cell>>>) {
    yield columns.map(({ name }) => cellText(row[name]));
  }
}

function cellText(value: Cell): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value ? 't' : 'f';
  return String(value);
}

/** About 8 MB of text at most per COPY keeps memory flat and round trips few. */
const CHUNK_CHARACTERS = 8_000_000;

/** The stages that a transaction has by now: to ask for each again costs as much as to load a few rows. */
const STAGES = new WeakMap<Transaction<Tables>, Set<string>>();

/** Creates the stage table where it is not there and appends the rows, which vanish with the transaction. */
export async function copyRows(
  trx: Transaction<Tables>,
  stage: StageTable,
  rows: Iterable<StageRow>,
): Promise<void> {
  await createStage(trx, stage);
  const target = `copy ${stage.name} (${stage.columns.map((column) => column.name).join(', ')}) from stdin`;
  let text = '';
  for (const row of rows) {
    text += copyLine(row);
    if (text.length < CHUNK_CHARACTERS) continue;
    await trx.executeQuery(copyQuery(target, text));
    text = '';
  }
  if (text !== '') await trx.executeQuery(copyQuery(target, text));
}

async function createStage(trx: Transaction<Tables>, stage: StageTable): Promise<void> {
  const known = STAGES.get(trx) ?? new Set();
  if (known.has(stage.name)) return;
  const columns = stage.columns.map((column) => `${column.name} ${column.type}`).join(', ');
  await trx.executeQuery(stageQuery(`create temporary table if not exists ${stage.name} (${columns})`));
  STAGES.set(trx, known.add(stage.name));
}

/** What is rolled back within a transaction takes its stages with it: these are what it had before. */
export function stagesOf(trx: Transaction<Tables>): Set<string> {
  return new Set(STAGES.get(trx));
}

export function forgetStagesSince(trx: Transaction<Tables>, before: ReadonlySet<string>): void {
  STAGES.set(trx, new Set(before));
}

function copyLine(row: StageRow): string {
  let line = '';
  for (let at = 0; at < row.length; at++) {
    const cell = row[at] ?? null;
    line += `${at === 0 ? '' : '\t'}${cell === null ? '\\N' : escapeCell(cell)}`;
  }
  return `${line}\n`;
}

const SPECIAL = /[\\\t\n\r]/;
const SPECIALS = /[\\\t\n\r]/g;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function escapeCell(cell: string): string {
  return SPECIAL.test(cell) ? cell.replace(SPECIALS, (character) => ESCAPES[character] ?? character) : cell;
}

const QUOTED = /["\\]/;
const ALL_QUOTED = /["\\]/g;

/** Thousands of texts as one array: each written by the driver costs as much again as finding it by its key. */
export function textArray(texts: readonly string[]): RawBuilder<string[]> {
  const cells = texts.map((text) => (QUOTED.test(text) ? text.replace(ALL_QUOTED, '\\$&') : text));
  const literal = cells.length === 0 ? '{}' : `{"${cells.join('","')}"}`;
  return sql`${literal}::text::text[]`;
}

/** Lets the planner know how large the stage is. */
export async function analyzeStage(trx: Transaction<Tables>, stage: StageTable): Promise<void> {
  await sql.raw(`analyze ${stage.name}`).execute(trx);
}

/** What the rows of a stage are called: the first of these columns that states something. */
export async function keysOfRows(
  trx: Transaction<Tables>,
  stage: StageTable,
  of: { keys: readonly string[]; rows: readonly number[] },
): Promise<{ row: number; key: string }[]> {
  const keys = sql.join(of.keys.map((column) => sql`nullif(${sql.ref(column)}, '')`));
  const { rows } = await sql<{ row: number; key: string }>`
    select row_no as "row", coalesce(${keys}) as key from ${sql.table(stage.name)}
    where row_no = any(${[...of.rows]}::integer[]) and coalesce(${keys}) is not null`.execute(trx);
  return rows;
}
