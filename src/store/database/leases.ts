/**
 * Leases: who may work, until when, fenced by a number that only grows (M3, M4). A lease survives a lost
 * connection and lapses by itself; one whose holder was killed on this machine may be taken at once. Lease
 * times are the database's, which all holders share, whatever their own clocks say; one that ends later than any can,
 * because that clock was ahead, ends as if it were renewed when somebody asks for it.
 */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import os from 'node:os';
import { LockHeld, Stopped, codeOf } from '../../core/errors.ts';
import type { Clock } from '../../core/ports.ts';
import { processSpace } from '../../core/machine.ts';
import { addMs } from '../../core/time.ts';
import type { Instant, Zone } from '../../core/time.ts';
import type { Db, DbOrTransaction, Tables } from '../schema/schema.ts';
import { commitDurably } from './unit-of-work.ts';

/** Long enough for a slow statement, short enough that another machine need not wait. */
export const LEASE_MS = 60_000;

export interface Lease {
  name: string;
  /** At random; empty where only the fence is known, as a run keeps it. */
  holder: string;
  fence: bigint;
}

/** Instead of the database's clock, for times that are not lived through. */
type OtherClock = Pick<Clock, 'wall'>;

async function timeOf(db: DbOrTransaction, clock: OtherClock | undefined): Promise<Instant> {
  return clock === undefined ? databaseTime(db) : clock.wall();
}

/** What the database's clock says, which is one for all machines. */
export async function databaseTime(db: DbOrTransaction): Promise<Instant> {
  const { rows } = await sql<{ now: Instant }>`
    select date_trunc('milliseconds', clock_timestamp()) as now`.execute(db);
  const row = rows[0];
  if (row === undefined) throw new Error('Bug: the database does not know the time');
  return row.now;
}

/** The fence of the lease where somebody living holds it. */
export async function findLivingFence(db: DbOrTransaction, name: string): Promise<bigint | undefined> {
  const { rows } = await sql<{ fence: bigint }>`
    select fence from lease where name = ${name} and until > clock_timestamp()`.execute(db);
  return rows[0]?.fence;
}

/**
 * Takes the lease.
 * @throws LockHeld when a living holder has it
 */
export async function takeLease(
  db: Db,
  request: { name: string; holder: string; realClock?: OtherClock; zone?: Zone },
): Promise<Lease> {
  const taken = await db.transaction().execute((trx) => takeLeaseIn(trx, request));
  if ('fence' in taken) return taken;
  throw heldBy(taken, request);
}

/**
 * Looks only, for who waits until it may be taken.
 * @throws LockHeld when a living holder has it
 */
export async function requireFree(db: Db, request: { name: string; zone: Zone }): Promise<void> {
  const known = await db.selectFrom('lease').selectAll().where('name', '=', request.name).executeTakeFirst();
  if (known !== undefined && isHeld(known, await databaseTime(db))) throw heldBy(known, request);
}

function heldBy({ pid, host, until }: LivingHolder, { name, zone }: { name: string; zone?: Zone }): LockHeld {
  const untilWhen = zone === undefined ? '' : ` until ${zone.localText(until)}`;
  return new LockHeld(
    `another run holds the lock ${name} (process ${pid} on ${host})${untilWhen}; wait for it to finish`,
  );
}

interface LivingHolder {
  host: string;
  pid: number;
  until: Instant;
}

async function takeLeaseIn(
  trx: Transaction<Tables>,
  { name, holder, realClock }: { name: string; holder: string; realClock?: OtherClock },
): Promise<Lease | LivingHolder> {
  // A fence that is forgotten would be given twice.
  await commitDurably(trx);
  await sql`select pg_advisory_xact_lock(hashtext(${`recon lease ${name}`}))`.execute(trx);
  const now = await timeOf(trx, realClock);
  const until = addMs(now, LEASE_MS);
  const mine = { holder, host: os.hostname(), pid: process.pid, instance: processSpace(), until };
  const known = await trx.selectFrom('lease').selectAll().where('name', '=', name).executeTakeFirst();
  if (known === undefined) {
    await trx
      .insertInto('lease')
      .values({ name, fence: 1n, ...mine })
      .execute();
    return { name, holder, fence: 1n };
  }
  if (isHeld(known, now)) {
    // None is given for longer: that was by a clock that was ahead. Whoever lives renews it before it is over.
    await trx
      .updateTable('lease')
      .set({ until })
      .where('name', '=', name)
      .where('until', '>', until)
      .execute();
    return { host: known.host, pid: known.pid, until: known.until < until ? known.until : until };
  }
  const fence = known.fence + 1n;
  await trx
    .updateTable('lease')
    .set({ fence, ...mine })
    .where('name', '=', name)
    .execute();
  return { name, holder, fence };
}

interface Holder extends LivingHolder {
  holder: string;
  instance: string;
}

function isHeld(known: Holder, now: Instant): boolean {
  return known.until > now && known.holder !== '' && !isDead(known);
}

/**
 * Known only of a process whose number means the same here: two containers may share a host name, and hosts too. A process
 * of an older version leaves the instance that it finds.
 */
function isDead(known: { host: string; pid: number; instance: string }): boolean {
  if (known.host !== os.hostname() || known.instance === '' || known.instance !== processSpace())
    return false;
  if (known.pid === process.pid) return false;
  try {
    process.kill(known.pid, 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
}

/**
 * Extends the lease.
 * @throws Stopped when someone else has it by now
 */
export async function renewLease(db: Db, lease: Lease, realClock?: OtherClock): Promise<void> {
  const now = await timeOf(db, realClock);
  const { numUpdatedRows } = await db
    .updateTable('lease')
    .set({ until: addMs(now, LEASE_MS) })
    .where('name', '=', lease.name)
    .where('fence', '=', lease.fence)
    .where('holder', '=', lease.holder)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw lostLease(lease);
}

/**
 * Whether the lease is still held, by now: the commit of a transaction may come later (`keepLease`). The holder is
 * compared too: a database that was restored gives the same fence to another one.
 * @throws Stopped when someone else has it by now
 */
export async function requireLease(db: DbOrTransaction, lease: Lease): Promise<void> {
  const row = await db
    .selectFrom('lease')
    .select(['fence', 'holder'])
    .where('name', '=', lease.name)
    .executeTakeFirst();
  const isHolder = lease.holder === '' || row?.holder === lease.holder;
  if (row?.fence !== lease.fence || !isHolder) throw lostLease(lease);
}

/**
 * The fence: the first statement of a short transaction that writes, or the last one of a long one. The lease cannot go to
 * another before the transaction ends, so whoever takes it sees all that was done under it; nor can it be renewed.
 * @throws Stopped when the lease was lost
 */
export async function keepLease(trx: Transaction<Tables>, lease: Lease): Promise<void> {
  await sql`select from lease where name = ${lease.name} for share`.execute(trx);
  await requireLease(trx, lease);
}

export async function releaseLease(db: Db, lease: Lease, realClock?: OtherClock): Promise<void> {
  const now = await timeOf(db, realClock);
  await db
    .updateTable('lease')
    .set({ holder: '', until: now })
    .where('name', '=', lease.name)
    .where('fence', '=', lease.fence)
    .where('holder', '=', lease.holder)
    .execute();
}

function lostLease(lease: Lease): Stopped {
  return new Stopped(
    `this run lost its lock ${lease.name} to another; start it again when that one has finished`,
  );
}
