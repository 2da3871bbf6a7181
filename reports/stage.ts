/**
 * Rows of a report, numbered and laid aside in a temporary table of the session, so that sums and rows come
 * from the same reading and a million of them travel in small pieces.
 */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Db } from '../src/store/schema.ts';

/** A temporary table and the rows it has; `n` counts them from 1. */
export interface Stage<R extends { n: bigint }> {
  readonly name: string;
  /** Never there: it only lets the compiler know the rows. */
  readonly row?: R;
}

/** Rows fetched at a time; few enough that they die young, so that memory stays flat (H13). */
const ROWS_A_FETCH = 1_000;

/**
 * Lays aside what the query gives; it must have a column `n` that counts the rows from 1.
 * @param session a connection of its own: temporary tables belong to one
 */
export async function stageRows<R extends { n: bigint }>(
  session: Db,
  stage: Stage<R>,
  rows: RawBuilder<unknown>,
): Promise<void> {
  await dropStage(session, stage);
  await sql`create temporary table ${sql.table(stage.name)} as ${rows}`.execute(session);
  await sql`create unique index on ${sql.table(stage.name)} (n)`.execute(session);
}

/** Rows `after < n ≤ upTo` of a stage. */
export interface Stretch {
  after: bigint;
  upTo: bigint;
}

/** Hands over the rows of that stretch in the order of `n`, piece by piece. */
export async function forEachPiece<R extends { n: bigint }>(
  session: Db,
  of: { stage: Stage<R> } & Stretch,
  consume: (rows: readonly R[]) => Promise<void>,
): Promise<void> {
  for (let { after } = of; ;) {
    const { rows } = await sql<R>`
      select * from ${sql.table(of.stage.name)} where n > ${after} and n <= ${of.upTo}
      order by n limit ${ROWS_A_FETCH}`.execute(session);
    const last = rows.at(-1);
    if (!last) return;
    await consume(rows);
    after = last.n;
  }
}

export async function dropStage(session: Db, stage: { name: string }): Promise<void> {
  await sql`drop table if exists ${sql.table(stage.name)}`.execute(session);
}
