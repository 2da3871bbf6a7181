/**
 * Rows of a report, numbered and laid aside in a temporary table of the session, so that sums and rows come
 * from the same reading and a million of them travel in small pieces.
 */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Db, DbOrTransaction, Tables } from '../../src/store/schema/schema.ts';

/** A temporary table and the rows it has; `n` counts them from 1. */
export interface Stage<R extends { n: bigint }> {
  readonly name: string;
  /** Never there: it only lets the compiler know the rows. */
  readonly row?: R;
}

/** Rows fetched at a time; few enough that they die young, so that memory stays flat (H13). */
const ROWS_A_FETCH = 1_000;

/** Memory one sort or hash of the staging may use: a million rows fit without spilling to disk. */
const WORK_MEMORY = '256MB';

/**
 * Does the staging with room to sort in; temporary tables stay when it is done.
 * @param session a connection of its own: temporary tables belong to one
 */
export async function staging(session: Db, work: (trx: Transaction<Tables>) => Promise<void>): Promise<void> {
  await session.transaction().execute(async (trx) => {
    await sql`select set_config('work_mem', ${WORK_MEMORY}, true)`.execute(trx);
    await work(trx);
  });
}

/** Lays aside what the query gives, in a table of that name, and tells the planner what it holds. */
export async function layAside(
  trx: Transaction<Tables>,
  table: { name: string },
  rows: RawBuilder<unknown>,
): Promise<void> {
  await dropStage(trx, table);
  await sql`create temporary table ${sql.table(table.name)} as ${rows}`.execute(trx);
  await sql`analyze ${sql.table(table.name)}`.execute(trx);
}

/** Makes the numbered rows of a stage quick to fetch by their number `n`, which counts from 1. */
export async function indexStage(trx: Transaction<Tables>, stage: { name: string }): Promise<void> {
  await sql`create unique index on ${sql.table(stage.name)} (n)`.execute(trx);
}

/** Rows `after < n ≤ upTo` of a stage. */
export interface Stretch {
  after: bigint;
  upTo: bigint;
}

/** Hands over the rows of that stretch in the order of `n`, piece by piece; the next is fetched meanwhile. */
export async function forEachPiece<R extends { n: bigint }>(
  session: Db,
  of: { stage: Stage<R> } & Stretch,
  consume: (rows: readonly R[]) => Promise<void>,
): Promise<void> {
  const fetch = async (after: bigint): Promise<R[]> => {
    const { rows } = await sql<R>`
      select * from ${sql.table(of.stage.name)} where n > ${after} and n <= ${of.upTo}
      order by n limit ${ROWS_A_FETCH}`.execute(session);
    return rows;
  };
  let rows = await fetch(of.after);
  for (let last = rows.at(-1); last; last = rows.at(-1)) {
    rows = await afterBoth(fetch(last.n), consume(rows));
  }
}

/** The first one's result when both are done; a failure of either waits for the other, as they share a session. */
async function afterBoth<T>(first: Promise<T>, second: Promise<void>): Promise<T> {
  const [, ended] = await Promise.allSettled([first, second]);
  if (ended.status === 'rejected') throw ended.reason;
  return first;
}

export async function dropStage(session: DbOrTransaction, stage: { name: string }): Promise<void> {
  await sql`drop table if exists ${sql.table(stage.name)}`.execute(session);
}
