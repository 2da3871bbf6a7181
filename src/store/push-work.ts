/** What is to be done with the pushes that were kept, and what was done: each hint is looked at until it is processed. */
import { sql } from 'kysely';
import type { Instant } from '../core/time.ts';
import type { DueUnit } from './order-due.ts';
import type { Db, PushKind } from './schema.ts';

export interface WaitingPush {
  sha256: string;
  kind: PushKind;
  /** Empty where they are not stated. */
  ownNo: string;
  platformNo: string;
  accountNo: string;
  statedState: string;
  signed: boolean;
}

/** Those that were never tried first, so that what cannot be had holds up nothing. */
export function listWaitingPushes(
  db: Db,
  which: { transfers: boolean; limit: number },
): Promise<WaitingPush[]> {
  return db
    .selectFrom('push')
    .select(['sha256', 'kind', 'own_no as ownNo', 'platform_no as platformNo', 'account_no as accountNo'])
    .select(['stated_state as statedState', 'signed'])
    .where('state', '=', 'waiting')
    .where('kind', which.transfers ? '=' : '!=', 'transfer')
    .orderBy('tries')
    .orderBy('first_seen_at')
    .orderBy('sha256')
    .limit(which.limit)
    .execute();
}

/** The batch on our list that a push is about, by either of its numbers; a batch that is not there is never made. */
export async function findHintedBatch(
  db: Db,
  { ownNo, platformNo }: Pick<WaitingPush, 'ownNo' | 'platformNo'>,
): Promise<DueUnit | undefined> {
  const { rows } = await sql<DueUnit>`
    with named (place, number_kind, number) as (
      select 1, 'out', ${ownNo}::text
      union all
      select 2, 'platform', ${platformNo}::text
      union all
      select 3, 'platform', r.batch_no from order_registry r
      where r.kind = 'transfer' and r.out_batch_no = ${ownNo} and r.batch_no <> ''
      union all
      select 4, 'out', r.out_batch_no from order_registry r
      where r.kind = 'transfer' and r.batch_no = ${platformNo} and r.batch_no <> ''
      union all
      select 5, 'out', b.out_batch_no from transfer_batch b
      where b.batch_no = ${platformNo} and b.batch_no <> ''
    )
    select d.kind, d.number_kind as "numberKind", d.number, d.origin
    from named n
    join order_due d on d.kind = 'batch' and d.number_kind = n.number_kind and d.number = n.number
    where n.number <> ''
    order by n.place, d.number limit 1`.execute(db);
  return rows[0];
}

/** Whether something was registered that is not on the list yet. */
export async function hasUnenrolled(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('order_registry')
    .select('kind')
    .where('enrolled', '=', false)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function isOwnAccount(db: Db, accountNo: string): Promise<boolean> {
  const row = await db
    .selectFrom('account')
    .select('account_no')
    .where('account_no', '=', accountNo)
    .executeTakeFirst();
  return row !== undefined;
}

/** Their batch was asked for and the answer is stored; or there is nothing to ask. */
export async function savePushesDone(
  db: Db,
  done: { hashes: readonly string[]; state: 'asked' | 'kept'; note: string; at: Instant },
): Promise<void> {
  if (done.hashes.length === 0) return;
  await db
    .updateTable('push')
    .set({ state: done.state, note: done.note, processed_at: done.at })
    .where('sha256', 'in', done.hashes)
    .execute();
}

/** No batch of ours. @returns whether it is the first push about these numbers: one warning is enough */
export async function savePushUnregistered(db: Db, push: WaitingPush, at: Instant): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const known = await trx
      .selectFrom('push')
      .select('sha256')
      .where('state', '=', 'unregistered')
      .where('own_no', '=', push.ownNo)
      .where('platform_no', '=', push.platformNo)
      .limit(1)
      .executeTakeFirst();
    await trx
      .updateTable('push')
      .set({ state: 'unregistered', note: 'no batch of that number is registered', processed_at: at })
      .where('sha256', '=', push.sha256)
      .execute();
    return known === undefined;
  });
}

/** Asking brought no answer: it waits for another try, until there were enough of them. */
export async function savePushesTried(
  db: Db,
  tried: { hashes: readonly string[]; note: string; triesMax: number; at: Instant },
): Promise<void> {
  if (tried.hashes.length === 0) return;
  const isEnough = sql<boolean>`tries + 1 >= ${tried.triesMax}::integer`;
  await db
    .updateTable('push')
    .set({
      tries: sql<number>`tries + 1`,
      note: tried.note,
      state: sql<'left'>`case when ${isEnough} then 'left' else state end`,
      processed_at: sql<string>`case when ${isEnough} then ${tried.at}::timestamptz end`,
    })
    .where('sha256', 'in', tried.hashes)
    .execute();
}
