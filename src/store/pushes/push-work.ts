/** What is to be done with the pushes that were kept, and what was done: each hint is looked at until it is processed. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Instant } from '../../core/time.ts';
import type { DueUnit, UnitKey } from '../orders/order-due.ts';
import type { Db, PushKind } from '../schema/schema.ts';

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

/**
 * The numbers under which the batch of a push may stand on our list, by either of the push's numbers; the first place
 * counts. A number of the push that is empty names nothing.
 */
export function namedBatches(
  ownNo: RawBuilder<unknown>,
  platformNo: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`(
    select 1 as place, 'out' as number_kind, ${ownNo} as number
    union all
    select 2, 'platform', ${platformNo}
    union all
    select 3, 'platform', r.batch_no from order_registry r
    where r.kind = 'transfer' and r.out_batch_no = ${ownNo} and r.out_batch_no <> '' and r.batch_no <> ''
    union all
    select 4, 'out', r.out_batch_no from order_registry r
    where r.kind = 'transfer' and r.batch_no = ${platformNo} and r.batch_no <> ''
    union all
    select 5, 'out', b.out_batch_no from transfer_batch b
    where b.batch_no = ${platformNo} and b.batch_no <> '')`;
}

/** The batch on our list that a push is about, by either of its numbers; a batch that is not there is never made. */
export async function findHintedBatch(
  db: Db,
  { ownNo, platformNo }: Pick<WaitingPush, 'ownNo' | 'platformNo'>,
): Promise<DueUnit | undefined> {
  const named = namedBatches(sql`${ownNo}::text`, sql`${platformNo}::text`);
  const { rows } = await sql<DueUnit>`
    select d.kind, d.number_kind as "numberKind", d.number, d.origin
    from ${named} n
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

export interface TriedBatch {
  unit: UnitKey;
  /** Those that were looked at; all others that wait about the same batch stand back with them. */
  pushes: readonly Pick<WaitingPush, 'ownNo' | 'platformNo'>[];
  note: string;
  triesMax: number;
  at: Instant;
}

/** Asking brought no answer: all that wait about the batch wait for another try, until there were enough of them. */
export async function savePushesTried(
  db: Db,
  { unit, pushes, note, triesMax, at }: TriedBatch,
): Promise<void> {
  const stated = (numbers: readonly string[]): string[] => [...new Set(numbers)].filter((no) => no !== '');
  const ownNos = stated(pushes.map(({ ownNo }) => ownNo));
  const platformNos = stated(pushes.map(({ platformNo }) => platformNo));
  await sql`
    update push p set tries = p.tries + 1, note = ${note},
      state = case when p.tries + 1 >= ${triesMax}::integer then 'left' else p.state end,
      processed_at = case when p.tries + 1 >= ${triesMax}::integer then ${at}::timestamptz end
    where p.state = 'waiting' and p.kind = 'transfer'
      and (p.own_no = any(${ownNos}::text[]) or p.platform_no = any(${platformNos}::text[]))
      and (select d.number_kind || ' ' || d.number
        from ${namedBatches(sql.ref('p.own_no'), sql.ref('p.platform_no'))} n
        join order_due d on d.kind = 'batch' and d.number_kind = n.number_kind and d.number = n.number
        where n.number <> ''
        order by n.place, d.number limit 1) = ${`${unit.numberKind} ${unit.number}`}`.execute(db);
}
