/** How far the company's database was pulled. */
import { sql } from 'kysely';
import type { Instant } from '../../core/time.ts';
import type { Window } from '../../core/window.ts';
import type { DbOrTransaction, PullMarkTable } from '../schema/schema.ts';

/** Whose mark it is: of one query for one ledger, or for the orders. */
export type PullKey = Pick<PullMarkTable, 'kind' | 'source' | 'query_sha256'>;

/** Undefined: this query was never pulled. */
export async function findPullMark(db: DbOrTransaction, of: PullKey): Promise<Instant | undefined> {
  const row = await db
    .selectFrom('pull_mark')
    .select('changed_to')
    .where('kind', '=', of.kind)
    .where('source', '=', of.source)
    .where('query_sha256', '=', of.query_sha256)
    .executeTakeFirst();
  return row?.changed_to;
}

/** A mark moves forward only, unless it is another query's. */
export async function savePullMark(
  db: DbOrTransaction,
  of: PullKey,
  {
    changedTo,
    pulledAt,
    wholeFrom,
  }: { changedTo: Instant; pulledAt: Instant; wholeFrom: Instant | undefined },
): Promise<void> {
  await sql`
    insert into pull_mark as known (kind, source, query_sha256, changed_to, pulled_at, whole_from)
    values (${of.kind}, ${of.source}, ${of.query_sha256}, ${changedTo}, ${pulledAt}, ${wholeFrom ?? null})
    on conflict (kind, source) do update set pulled_at = excluded.pulled_at, query_sha256 = excluded.query_sha256,
      whole_from = excluded.whole_from,
      changed_to = case when known.query_sha256 = excluded.query_sha256
        then greatest(known.changed_to, excluded.changed_to) else excluded.changed_to end`.execute(db);
}

/** From where on the last pull of the ledger read days as a whole; undefined where none did. */
export async function findWholeFrom(db: DbOrTransaction, source: string): Promise<Instant | undefined> {
  const row = await db
    .selectFrom('pull_mark')
    .select('whole_from')
    .where('kind', '=', 'ledger')
    .where('source', '=', source)
    .executeTakeFirst();
  return row?.whole_from ?? undefined;
}

/** How a part of a pull is called among the files. */
export const PULL_NAME = 'pull-';

/** How many entries of the window pulls brought, and have; those of files of the same ledger are nothing of theirs. */
export async function countPulledIn(db: DbOrTransaction, source: string, window: Window): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from ledger_entry e join intake_file f using (file_id)
    where e.source = ${source} and e.current and e.booked_at >= ${window.from} and e.booked_at < ${window.to}
      and f.name ~ ${`^${PULL_NAME}[0-9]{14}`}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Whether the ledger is pulled. */
export async function hasPullMark(db: DbOrTransaction, source: string): Promise<boolean> {
  const row = await db
    .selectFrom('pull_mark')
    .select('source')
    .where('kind', '=', 'ledger')
    .where('source', '=', source)
    .executeTakeFirst();
  return row !== undefined;
}

/** The books are no more as pulls left them: the next one reads from the beginning. */
export async function forgetPullMark(db: DbOrTransaction, source: string): Promise<void> {
  await db.deleteFrom('pull_mark').where('kind', '=', 'ledger').where('source', '=', source).execute();
}
