/** How far the company's database was pulled. */
import { sql } from 'kysely';
import type { Instant } from '../../core/time.ts';
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
  { changedTo, pulledAt }: { changedTo: Instant; pulledAt: Instant },
): Promise<void> {
  await sql`
    insert into pull_mark as known (kind, source, query_sha256, changed_to, pulled_at)
    values (${of.kind}, ${of.source}, ${of.query_sha256}, ${changedTo}, ${pulledAt})
    on conflict (kind, source) do update set pulled_at = excluded.pulled_at, query_sha256 = excluded.query_sha256,
      changed_to = case when known.query_sha256 = excluded.query_sha256
        then greatest(known.changed_to, excluded.changed_to) else excluded.changed_to end`.execute(db);
}

/** The entries are out of the books: the next pull brings them from the beginning. */
export async function forgetPullMark(db: DbOrTransaction, source: string): Promise<void> {
  await db.deleteFrom('pull_mark').where('kind', '=', 'ledger').where('source', '=', source).execute();
}
