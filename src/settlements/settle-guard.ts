/**
 * The one row that numbers all changes of attempts and knows which database it is in, and the fence of whoever
 * changes them: the two locks under which every such change is made (H18, M4).
 */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import { Stopped, codeOf } from '../core/errors.ts';
import type { Instant } from '../core/time.ts';
import { keepLease } from '../store/database/leases.ts';
import type { Lease } from '../store/database/leases.ts';
import type { Db, DbOrTransaction, Tables } from '../store/schema/schema.ts';
import { REPLACED, STARTED_ANEW } from './attempt-store.ts';
import type { GuardState } from './attempt-store.ts';
import { commitDurably } from '../store/database/unit-of-work.ts';

/** No right to ask, no such function, not to be had here or now: services that hide their server answer so. */
const HIDDEN_CODES = new Set(['42501', '42883', '0A000', '55000']);

/**
 * Which database this is: another one after it was restored, copied, moved or failed over to a standby; where the
 * server does not show itself and its timeline, only what was made anew in it.
 * Not to be called in a transaction, which a refusal would end.
 */
export async function databaseIdentity(db: Db): Promise<string> {
  const server = await readable(
    db,
    sql`select system_identifier || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8) as identity
      from pg_control_system()`,
  );
  return [server ?? '', await tableIdentity(db)].join('/');
}

/**
 * Since when the server that answers runs, and which database of it this is: no backup can keep that, because it is
 * stored nowhere. Empty where the server does not show it; not to be called in a transaction either, but for one that
 * is known to show it.
 */
export async function serverStart(db: DbOrTransaction): Promise<string> {
  const start = await readable(
    db,
    sql`select extract(epoch from pg_postmaster_start_time())::text as identity`,
  );
  return start === undefined ? '' : [start, await tableIdentity(db)].join('/');
}

/** The moment at which the tables were first made, to the millisecond. */
export async function booksId(db: Db): Promise<string> {
  const { rows } = await sql<{
    at: string | null;
  }>`select min(timestamp) as at from kysely_migration`.execute(db);
  const at = rows[0]?.at;
  if (!at) throw new Error('Bug: nothing tells when the tables were made');
  return at;
}

/** Undefined where the server does not show it. */
async function readable(db: DbOrTransaction, query: RawBuilder<unknown>): Promise<string | undefined> {
  try {
    const { rows } = await query.execute(db);
    return (rows as readonly { identity: string }[])[0]?.identity;
  } catch (error) {
    if (HIDDEN_CODES.has(codeOf(error) ?? '')) return undefined;
    throw error;
  }
}

/** The transaction that writes now. */
const WRITER = sql<bigint>`pg_current_xact_id()::text::bigint`;

/**
 * Whether the row was written again by somebody who copied its values: a restore of data, which leaves the database
 * and its tables the same. The server keeps of each row which transaction wrote it, modulo 2^32.
 */
const IS_COPIED = sql<boolean>`mod(settle_guard.written_by, 4294967296)::text <> settle_guard.xmin::text`;

async function tableIdentity(db: DbOrTransaction): Promise<string> {
  const { rows } = await sql<{ identity: string }>`
    select oid || '/' || 'settle_attempt'::regclass::oid as identity
    from pg_database where datname = current_database()`.execute(db);
  const row = rows[0];
  if (row === undefined) throw new Error('Bug: the database does not know itself');
  return row.identity;
}

export interface Turn {
  /** Undefined for what is kept whoever holds it. */
  lease: Lease | undefined;
  /** Of the database; to be given where this may be its first use. */
  identity?: string;
}

/**
 * The fence, and the turn: to be called first in each transaction that changes an attempt; such changes are made
 * one after the other.
 * @throws Stopped when the lease was lost
 */
export async function takeTurn(trx: Transaction<Tables>, { lease, identity = '' }: Turn): Promise<void> {
  await commitDurably(trx);
  if (lease) await keepLease(trx, lease);
  if (await lockGuard(trx)) return;
  // A database that has attempts without this row was not left so by us: it counts as replaced until it is accepted.
  await sql`
    insert into settle_guard (sequence, written_by, database_identity)
    select coalesce((select max(sequence) from settle_event), 0), ${WRITER},
      case when exists (select from settle_attempt) then '' else ${identity} end
    on conflict (only_row) do nothing`.execute(trx);
  if (!(await lockGuard(trx))) throw new Error('Bug: the guard of settlements is gone');
}

async function lockGuard(trx: Transaction<Tables>): Promise<boolean> {
  const row = await trx.selectFrom('settle_guard').select('sequence').forUpdate().executeTakeFirst();
  return row !== undefined;
}

/** The number of the next change; only in one's turn. What was restored counts as replaced until it is accepted. */
export async function nextSequence(trx: Transaction<Tables>): Promise<bigint> {
  const row = await trx
    .updateTable('settle_guard')
    .set((eb) => ({
      sequence: eb('sequence', '+', 1n),
      database_identity: sql<string>`case when ${IS_COPIED} then '' else database_identity end`,
      written_by: WRITER,
    }))
    .returning('sequence')
    .executeTakeFirst();
  if (row === undefined) throw new Error('Bug: a change of an attempt out of turn');
  return row.sequence;
}

/** A first use is no replacement; attempts that nobody counted are one. */
export async function readGuard(db: Db): Promise<GuardState> {
  const identity = await databaseIdentity(db);
  const row = await db
    .selectFrom('settle_guard')
    .selectAll()
    .select(IS_COPIED.as('is_copied'))
    .executeTakeFirst();
  if (row !== undefined) {
    const isReplaced = row.is_copied || row.database_identity !== identity;
    return { sequence: row.sequence, holdUntil: row.hold_until ?? undefined, isReplaced };
  }
  const attempt = await db.selectFrom('settle_attempt').select('req_id').limit(1).executeTakeFirst();
  return { sequence: 0n, holdUntil: undefined, isReplaced: attempt !== undefined };
}

/**
 * That the database is still the one that was accepted as in use; to be asked in each transaction that stores an intent,
 * because a connection that was lost may come back to a restored one, whose lease is the same. One that is set back with
 * all that tells it from others was started for that.
 * @param of.server the start of its server at which the memory was judged; empty where it does not say
 * @throws Stopped when it is not
 */
export async function requireTrusted(
  trx: Transaction<Tables>,
  { identity, server }: { identity: string; server: string },
): Promise<Pick<GuardState, 'holdUntil'>> {
  const row = await trx
    .selectFrom('settle_guard')
    .select(['database_identity', 'hold_until'])
    .select(IS_COPIED.as('is_copied'))
    .executeTakeFirst();
  if (row === undefined || row.is_copied || row.database_identity !== identity) throw new Stopped(REPLACED);
  if (server !== '' && (await serverStart(trx)) !== server) throw new Stopped(STARTED_ANEW);
  return { holdUntil: row.hold_until ?? undefined };
}

/** A hold is never shortened by a later one; only `latest` cuts off what a clock that was ahead has stored. */
export async function saveHold(
  trx: Transaction<Tables>,
  { identity, until, latest }: { identity: string; until: Instant; latest: Instant | undefined },
): Promise<void> {
  await sql`
    update settle_guard set database_identity = ${identity}, written_by = ${WRITER},
      hold_until = least(greatest(hold_until, ${until}::timestamptz), ${latest ?? null}::timestamptz)`.execute(
    trx,
  );
}

/** Whether that change is the one by which this request was sent. */
export async function isSend(
  db: Db,
  { sequence, reqId }: { sequence: bigint; reqId: string },
): Promise<boolean> {
  const { rows } = await sql`
    select from settle_event e join settle_attempt t using (account_no, out_order_no, attempt_no)
    where e.sequence = ${sequence} and e.state = 'SENT' and t.req_id = ${reqId}`.execute(db);
  return rows.length > 0;
}
