/**
 * The one row that numbers all changes of attempts and knows which database it is in, and the fence of whoever
 * changes them: the two locks under which every such change is made (H18, M4).
 */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Instant } from '../core/time.ts';
import { requireLease } from './leases.ts';
import type { Lease } from './leases.ts';
import type { Db, Tables } from './schema.ts';
import type { GuardState } from './settle-book.ts';

/** No right to ask, no such function, not to be had here or now: services that hide their server answer so. */
const HIDDEN_CODES = new Set(['42501', '42883', '0A000', '55000']);

/**
 * Which database this is: another one after it was restored, copied, moved or failed over to a standby. Server and
 * timeline are left out where the server does not show them; what is left still tells a restored dump.
 * Not to be called in a transaction, which a refusal would end.
 */
export async function databaseIdentity(db: Db): Promise<string> {
  return [await serverIdentity(db), await tableIdentity(db)].join('/');
}

async function serverIdentity(db: Db): Promise<string> {
  try {
    const { rows } = await sql<{ identity: string }>`
      select system_identifier || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8) as identity
      from pg_control_system()`.execute(db);
    return rows[0]?.identity ?? '';
  } catch (error) {
    if (error instanceof Error && 'code' in error && HIDDEN_CODES.has(String(error.code))) return '';
    throw error;
  }
}

async function tableIdentity(db: Db): Promise<string> {
  const { rows } = await sql<{ identity: string }>`
    select oid || '/' || 'settle_attempt'::regclass::oid as identity
    from pg_database where datname = current_database()`.execute(db);
  const row = rows[0];
  if (row === undefined) throw new Error('Bug: the database does not know itself');
  return row.identity;
}

/**
 * The fence: to be called first in each transaction that writes. The lease cannot go to another before the
 * transaction ends, so whoever takes it sees all that was done under it.
 * @throws Stopped when the lease was lost
 */
export async function keepLease(trx: Transaction<Tables>, lease: Lease): Promise<void> {
  await sql`select from lease where name = ${lease.name} for share`.execute(trx);
  await requireLease(trx, lease);
}

/**
 * The fence, and the turn: to be called first in each transaction that changes an attempt; such changes are made
 * one after the other.
 * @param identity of the database; to be given where this may be its first use
 * @throws Stopped when the lease was lost
 */
export async function takeTurn(
  trx: Transaction<Tables>,
  { lease, identity = '' }: { lease: Lease; identity?: string },
): Promise<void> {
  await keepLease(trx, lease);
  if (await lockGuard(trx)) return;
  // A database that has attempts without this row was not left so by us: it counts as replaced until it is accepted.
  await sql`
    insert into settle_guard (sequence, database_identity)
    select coalesce((select max(sequence) from settle_event), 0),
      case when exists (select from settle_attempt) then '' else ${identity} end
    on conflict (only_row) do nothing`.execute(trx);
  if (!(await lockGuard(trx))) throw new Error('Bug: the guard of settlements is gone');
}

async function lockGuard(trx: Transaction<Tables>): Promise<boolean> {
  const row = await trx.selectFrom('settle_guard').select('sequence').forUpdate().executeTakeFirst();
  return row !== undefined;
}

/** The number of the next change; only in one's turn. */
export async function nextSequence(trx: Transaction<Tables>): Promise<bigint> {
  const row = await trx
    .updateTable('settle_guard')
    .set((eb) => ({ sequence: eb('sequence', '+', 1n) }))
    .returning('sequence')
    .executeTakeFirst();
  if (row === undefined) throw new Error('Bug: a change of an attempt out of turn');
  return row.sequence;
}

/** A first use is no replacement; attempts that nobody counted are one. */
export async function readGuard(db: Db): Promise<GuardState> {
  const identity = await databaseIdentity(db);
  const row = await db.selectFrom('settle_guard').selectAll().executeTakeFirst();
  if (row !== undefined) {
    const isReplaced = row.database_identity !== identity;
    return { sequence: row.sequence, holdUntil: row.hold_until ?? undefined, isReplaced };
  }
  const attempt = await db.selectFrom('settle_attempt').select('req_id').limit(1).executeTakeFirst();
  return { sequence: 0n, holdUntil: undefined, isReplaced: attempt !== undefined };
}

/** A hold is never shortened by a later one. */
export async function saveHold(
  trx: Transaction<Tables>,
  { identity, until }: { identity: string; until: Instant },
): Promise<void> {
  await sql`
    update settle_guard set database_identity = ${identity},
      hold_until = greatest(hold_until, ${until}::timestamptz)`.execute(trx);
}
