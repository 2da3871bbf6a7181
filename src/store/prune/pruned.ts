/**
 * What was pruned by policy: rows that are stored with an event of the audit trail before anything goes, so that what was
 * pruned is told from what is missing.
 */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Day, Instant } from '../../core/time.ts';
import { appendEvents, gatherPrunedEvent, openTrail } from '../runs/audit-trail.ts';
import type { DbOrTransaction, PrunedKind, Tables } from '../schema/schema.ts';

export interface PrunedRow {
  key: string;
  sha256: string;
  bytes: bigint;
  day: Day;
}

/** Who prunes what, and up to when. */
export interface Pruning {
  kind: PrunedKind;
  actor: string;
  at: Instant;
  /** What is of this day or later stays, because it is to be kept for so many days. */
  before: Day;
  days: number;
}

/** Whether rows or files go: a row goes with the transaction, a file after it. */
type Going = 'with it' | 'after it';

/**
 * Stores what goes, with the event that says so.
 * @param removed selects key, sha256, bytes and day of what goes
 * @returns what was stored; nothing is where nothing goes
 */
export async function savePruned(
  trx: Transaction<Tables>,
  { kind, actor, at, before, days }: Pruning,
  { removed, going }: { removed: RawBuilder<unknown>; going: Going },
): Promise<PrunedRow[]> {
  const head = await openTrail(trx);
  const no = head.no + 1n;
  await sql`
    insert into pruned (trail_no, kind, key, sha256, bytes, day, pruned_at, gone_at)
    select ${no}::bigint, ${kind}, r.key, r.sha256, r.bytes, r.day, ${at}::timestamptz,
      case when ${going === 'with it'}::boolean then ${at}::timestamptz end
    from (${removed}) r`.execute(trx);
  const rows = await rowsOf(trx, no);
  if (rows.length === 0) return rows;
  const oldest = rows.reduce((day, row) => (row.day < day ? row.day : day), rows[0]?.day ?? '');
  const newest = rows.reduce((day, row) => (row.day > day ? row.day : day), '');
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0n);
  const counted = { count: rows.length, bytes: Number(bytes), from: oldest, to: newest };
  const details = { ...counted, before, days, digest: digestOf(rows) };
  await gatherPrunedEvent(trx, { kind, details });
  await appendEvents(trx, { runId: null, actor, at }, head);
  return rows;
}

/** In the order in which they are digested. */
function rowsOf(db: DbOrTransaction, trailNo: bigint): Promise<PrunedRow[]> {
  return db
    .selectFrom('pruned')
    .select(['key', 'sha256', 'bytes', 'day'])
    .where('trail_no', '=', trailNo)
    .orderBy('key')
    .execute();
}

/** SHA-256, in hex, of a line a row in the order of the keys, bytes compared. */
function digestOf(rows: readonly PrunedRow[]): string {
  const hash = createHash('sha256');
  for (const { key, sha256, bytes, day } of rows) hash.update(`${key}\t${sha256}\t${bytes}\t${day}\n`);
  return hash.digest('hex');
}

export interface Unfinished extends PrunedRow {
  trailNo: bigint;
  kind: PrunedKind;
}

/** Files that somebody began to prune and was killed before they had gone. */
export async function listUnfinished(db: DbOrTransaction): Promise<Unfinished[]> {
  const { rows } = await sql<Unfinished>`
    select trail_no as "trailNo", kind, key, sha256, bytes, day from pruned where gone_at is null
    order by trail_no, key`.execute(db);
  return rows;
}

export async function markGone(
  db: DbOrTransaction,
  { keys, at }: { keys: readonly string[]; at: Instant },
): Promise<void> {
  if (keys.length === 0) return;
  await sql`
    update pruned set gone_at = ${at}::timestamptz where gone_at is null and key = any(${[...keys]}::text[])`.execute(
    db,
  );
}

/** When each was pruned last, by key and digest: under one name another content may lie by now. */
export async function findPruned(
  db: DbOrTransaction,
  keys: readonly string[],
): Promise<Map<string, Instant>> {
  if (keys.length === 0) return new Map();
  const { rows } = await sql<{ key: string; sha256: string; at: Instant }>`
    select key, sha256, max(pruned_at) as at from pruned where key = any(${[...keys]}::text[])
    group by key, sha256`.execute(db);
  return new Map(rows.map((row) => [prunedName(row), row.at]));
}

export function prunedName({ key, sha256 }: Pick<PrunedRow, 'key' | 'sha256'>): string {
  return `${key} ${sha256}`;
}

export interface PrunedFault {
  no: bigint;
  isEventGone: boolean;
}

/** Events whose rows are not those that were stored with them, and rows without their event. */
export async function verifyPruned(db: DbOrTransaction): Promise<PrunedFault[]> {
  const { rows } = await sql<{ no: bigint; digest: string | null }>`
    select coalesce(e.trail_no, p.trail_no) as no, e.details ->> 'digest' as digest
    from (select trail_no, details from break_event where pruned is not null) e
    full join (select distinct trail_no from pruned) p using (trail_no) order by 1`.execute(db);
  const faults: PrunedFault[] = [];
  for (const { no, digest } of rows) {
    if (digest !== digestOf(await rowsOf(db, no))) faults.push({ no, isEventGone: digest === null });
  }
  return faults;
}
