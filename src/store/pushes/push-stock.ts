/** The pushes as a whole: how many there are, which are listed for people, and which are dropped in the end. */
import { sql } from 'kysely';
import type { Instant } from '../../core/time.ts';
import { namedBatches } from './push-work.ts';
import type { Db, PushKind, PushState } from '../schema/schema.ts';

export interface PushCount {
  kind: PushKind;
  state: PushState;
  count: number;
}

/** In the order of kind and state, for metrics. */
export async function countPushes(db: Db): Promise<PushCount[]> {
  const { rows } = await sql<PushCount>`
    select kind, state, count(*)::integer as count from push group by kind, state order by kind, state`.execute(
    db,
  );
  return rows;
}

export interface PushStock {
  waiting: number;
  bytes: bigint;
  /** The part of the bytes that nobody signed. */
  unsignedBytes: bigint;
}

/** What a row takes with its keys, however short its body is. */
const ROW_BYTES_MIN = 1_024;
const ROW_BYTES = sql`greatest(bytes, ${sql.lit(ROW_BYTES_MIN)})`;

/** What a push of so many bytes takes. */
export function bytesTaken(bytes: number): bigint {
  return BigInt(Math.max(bytes, ROW_BYTES_MIN));
}

export async function measurePushes(db: Db): Promise<PushStock> {
  const { rows } = await sql<PushStock>`
    select (select count(*)::integer from push where state = 'waiting') as waiting,
      coalesce(sum(${ROW_BYTES}), 0)::bigint as bytes,
      coalesce(sum(${ROW_BYTES}) filter (where not signed), 0)::bigint as "unsignedBytes"
    from push`.execute(db);
  return rows[0] ?? { waiting: 0, bytes: 0n, unsignedBytes: 0n };
}

export interface ListedPush {
  sha256: string;
  kind: PushKind;
  ownNo: string;
  platformNo: string;
  accountNo: string;
  statedState: string;
  signed: boolean;
  timesSeen: number;
  firstSeenAt: Instant;
  lastSeenAt: Instant;
  state: PushState;
  processedAt: Instant | null;
  note: string;
}

export async function countListed(db: Db, filter: { onlyUnregistered: boolean }): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from push
    where not ${filter.onlyUnregistered}::boolean or state = 'unregistered'`.execute(db);
  return rows[0]?.n ?? 0;
}

/** The latest first. */
export async function listPushes(
  db: Db,
  filter: { onlyUnregistered: boolean; limit: number },
): Promise<ListedPush[]> {
  const { rows } = await sql<ListedPush>`
    select sha256, kind, own_no as "ownNo", platform_no as "platformNo", account_no as "accountNo",
      stated_state as "statedState", signed, times_seen as "timesSeen", first_seen_at as "firstSeenAt",
      last_seen_at as "lastSeenAt", state, processed_at as "processedAt", note
    from push
    where not ${filter.onlyUnregistered}::boolean or state = 'unregistered'
    order by last_seen_at desc, sha256 limit ${filter.limit}::bigint`.execute(db);
  return rows;
}

/** A batch that was registered after its push is asked for after all. @returns how many hints wait again */
export async function wakeRegisteredPushes(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with woken as (
      update push p set state = 'waiting', processed_at = null, note = ''
      where p.state = 'unregistered' and (
        exists (select from ${namedBatches(sql.ref('p.own_no'), sql.ref('p.platform_no'))} n
          join order_due d on d.kind = 'batch' and d.number_kind = n.number_kind and d.number = n.number
          where n.number <> '')
        or exists (select from order_registry r where r.kind = 'transfer' and not r.enrolled
          and r.out_batch_no = p.own_no and p.own_no <> '')
        or exists (select from order_registry r where r.kind = 'transfer' and not r.enrolled
          and r.batch_no = p.platform_no and r.batch_no <> ''))
      returning 1
    )
    select count(*)::integer as n from woken`.execute(db);
  return rows[0]?.n ?? 0;
}

/** Openings and changes are the only word of them there is; what nobody understands or registered tells least. */
const WORTH = sql`case
  when kind in ('opening', 'change') then 1
  when kind = 'unknown' or state = 'unregistered' then 3
  else 2 end`;

export interface DropLimits {
  processedBefore: Instant;
  unsignedBytesMax: bigint;
  signedBytesMax: bigint;
}

/**
 * Drops what was processed before an instant, and of the processed rest what is beyond so many bytes: of the signed
 * and the unsigned each for itself, first what is worth least and then the oldest. What waits stays.
 * @returns how many went
 */
export async function dropPushes(db: Db, limits: DropLimits): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with sized as (
      select sha256, signed, sum(${ROW_BYTES}) over (
        partition by signed order by ${WORTH}, first_seen_at desc, sha256) as total
      from push where state <> 'waiting'
    ), dropped as (
      delete from push where processed_at < ${limits.processedBefore}
        or sha256 in (select sha256 from sized where total >
          case when signed then ${limits.signedBytesMax}::bigint else ${limits.unsignedBytesMax}::bigint end)
      returning 1
    )
    select count(*)::integer as n from dropped`.execute(db);
  return rows[0]?.n ?? 0;
}

/**
 * Gives the place of dropped rows to those to come; the embedded database does it at no other time. Not within a
 * transaction.
 */
export async function vacuumPushes(db: Db): Promise<void> {
  await sql`vacuum push`.execute(db);
}
