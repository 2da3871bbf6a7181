/** Rows of one query, however many, page by page. */
import { sql } from 'kysely';
import type { Expression } from 'kysely';
import { LongList } from '../../core/long-list.ts';
import type { ConsumePiece } from '../../core/long-list.ts';
import type { Db } from '../schema/schema.ts';

/** Few enough that they die young, so that memory stays flat (H13). */
const ROWS_A_PAGE = 1_000;

/**
 * The rows of a query as a list. Each walk runs it once, on a connection of its own, and the server lays the result
 * aside: it is sorted once, later writes are not in it, and no transaction is open while the walker waits.
 * @param prepare what the query reads of the session is laid aside there first, at each walk
 */
export function listOfRows<R>(
  db: Db,
  query: Expression<R>,
  prepare: (session: Db) => Promise<void> = () => Promise.resolve(),
): LongList<R> {
  return new LongList((consume) => forEachPage(db, { query, prepare }, consume));
}

async function forEachPage<R>(
  db: Db,
  { query, prepare }: { query: Expression<R>; prepare: (session: Db) => Promise<void> },
  consume: ConsumePiece<R>,
): Promise<void> {
  await db.connection().execute(async (session) => {
    await prepare(session);
    // One that could not be closed, of a walk whose connection was given back all the same.
    await sql`close all`.execute(session);
    await sql`declare listed no scroll cursor with hold for ${query}`.execute(session);
    try {
      for (;;) {
        const { rows } = await sql<R>`fetch ${sql.lit(ROWS_A_PAGE)} from listed`.execute(session);
        if (rows.length === 0) return;
        await consume(rows);
      }
    } finally {
      await sql`close listed`.execute(session);
    }
  });
}
