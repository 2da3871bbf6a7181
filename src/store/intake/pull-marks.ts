/** How far the company's database was pulled. */
import { sql } from 'kysely';
import type { Selectable, Transaction } from 'kysely';
import { Stopped } from '../../core/errors.ts';
import type { Instant } from '../../core/time.ts';
import type { Window } from '../../core/window.ts';
import type { DbOrTransaction, PullMarkTable, Tables } from '../schema/schema.ts';

/** Whose mark it is: of one query for one ledger, or for the orders. */
export type PullKey = Pick<PullMarkTable, 'kind' | 'source' | 'query_sha256'>;

/** How far a ledger, or the orders, were pulled, by whichever query. */
export type PullMark = Selectable<PullMarkTable>;

/** Undefined: nothing of it was ever pulled. */
export function findPullMark(
  db: DbOrTransaction,
  { kind, source }: Pick<PullKey, 'kind' | 'source'>,
): Promise<PullMark | undefined> {
  return db
    .selectFrom('pull_mark')
    .selectAll()
    .where('kind', '=', kind)
    .where('source', '=', source)
    .executeTakeFirst();
}

/**
 * That the books are as the pull knew them when it last looked, in the transaction that goes by it: somebody who withdraws
 * of them, or takes a file in, makes their mark another one.
 * @throws Stopped where they are not
 */
export async function requirePullMark(
  trx: Transaction<Tables>,
  of: Pick<PullKey, 'kind' | 'source'>,
  known: PullMark | undefined,
): Promise<void> {
  await sql`select from pull_mark where kind = ${of.kind} and source = ${of.source} for update`.execute(trx);
  const mark = await findPullMark(trx, of);
  const isSame = (['query_sha256', 'changed_to', 'pulled_at', 'whole_from'] as const).every(
    (name) => mark?.[name] === known?.[name],
  );
  if (isSame) return;
  const books = of.kind === 'ledger' ? `the books of "${of.source}"` : 'the orders';
  throw new Stopped(`${books} were changed by somebody while they were pulled; pull again`);
}

/** A mark moves forward only, unless it is another query's. */
export async function savePullMark(
  trx: Transaction<Tables>,
  of: PullKey,
  {
    changedTo,
    pulledAt,
    wholeFrom,
  }: { changedTo: Instant; pulledAt: Instant; wholeFrom: Instant | undefined },
): Promise<PullMark | undefined> {
  await sql`
    insert into pull_mark as known (kind, source, query_sha256, changed_to, pulled_at, whole_from)
    values (${of.kind}, ${of.source}, ${of.query_sha256}, ${changedTo}, ${pulledAt}, ${wholeFrom ?? null})
    on conflict (kind, source) do update set pulled_at = excluded.pulled_at, query_sha256 = excluded.query_sha256,
      whole_from = excluded.whole_from,
      changed_to = case when known.query_sha256 = excluded.query_sha256
        then greatest(known.changed_to, excluded.changed_to) else excluded.changed_to end`.execute(trx);
  return findPullMark(trx, of);
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
  return (await findPullMark(db, { kind: 'ledger', source })) !== undefined;
}

/** As no query has it. */
const NO_QUERY = '';

/**
 * The books are no more as pulls left them: the next one reads from the beginning. Which days are to be read as a whole
 * stays known: what was told of them is not settled by that.
 */
export async function forgetPullMark(db: DbOrTransaction, source: string): Promise<void> {
  await db
    .updateTable('pull_mark')
    .set({ query_sha256: NO_QUERY })
    .where('kind', '=', 'ledger')
    .where('source', '=', source)
    .execute();
}

/** Nothing of the ledger is in the books any more. */
export async function deletePullMark(db: DbOrTransaction, source: string): Promise<void> {
  await db.deleteFrom('pull_mark').where('kind', '=', 'ledger').where('source', '=', source).execute();
}
