/** The outbox of alerts: a cause is stored once, with a delivery for each way to tell it. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { jsonText } from '../../core/json.ts';
import type { Day, Instant } from '../../core/time.ts';
import type { Db } from '../schema/schema.ts';

export type DeliveryState = 'due' | 'sent' | 'given_up';

/** The same cause has the same id on every machine. */
export function alertIdOf(cause: string): string {
  return createHash('sha256').update(cause).digest('hex').slice(0, 16);
}

export interface NewAlert {
  cause: string;
  kind: string;
  day: Day | null;
  document: object;
  at: Instant;
  channels: readonly string[];
}

/** @returns false where the cause is known already */
export async function saveAlert(db: Db, alert: NewAlert): Promise<boolean> {
  const { cause, kind, day, document, at, channels } = alert;
  const alertId = alertIdOf(cause);
  return db.transaction().execute(async (trx) => {
    const stored = await trx
      .insertInto('alert')
      .values({ alert_id: alertId, cause, kind, day, document: jsonText(document), raised_at: at })
      .onConflict((conflict) => conflict.doNothing())
      .returning('alert_id')
      .executeTakeFirst();
    if (stored === undefined) return false;
    const deliveries = channels.map((channel) => ({ alert_id: alertId, channel, next_at: at }));
    if (deliveries.length > 0) await trx.insertInto('alert_delivery').values(deliveries).execute();
    return true;
  });
}

/** Whether that cause was raised already. */
export async function wasRaised(db: Db, cause: string): Promise<boolean> {
  const found = await db.selectFrom('alert').select('alert_id').where('cause', '=', cause).executeTakeFirst();
  return found !== undefined;
}

export interface DueDelivery {
  alertId: string;
  channel: string;
  tries: number;
  document: unknown;
}

/** In the order in which they were raised. */
export async function listDue(db: Db, now: Instant, limit: number): Promise<DueDelivery[]> {
  const { rows } = await sql<DueDelivery>`
    select d.alert_id as "alertId", d.channel, d.tries, a.document
    from alert_delivery d join alert a using (alert_id)
    where d.state = 'due' and d.next_at <= ${now}
    order by a.raised_at, d.alert_id, d.channel limit ${limit}`.execute(db);
  return rows;
}

export interface Tried {
  state: DeliveryState;
  reason: string;
  /** When it is tried again; of one that has ended, when it did. */
  at: Instant;
}

export async function saveTry(
  db: Db,
  { alertId, channel, tries }: DueDelivery,
  { state, reason, at }: Tried,
): Promise<void> {
  const end = state === 'due' ? { next_at: at } : { ended_at: at };
  await db
    .updateTable('alert_delivery')
    .set({ state, reason, tries: tries + 1, ...end })
    .where('alert_id', '=', alertId)
    .where('channel', '=', channel)
    .execute();
}

/** What was given up is due again, with all its tries. @returns how many */
export async function retryGivenUp(db: Db, now: Instant): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('alert_delivery')
    .set({ state: 'due', tries: 0, next_at: now, ended_at: null })
    .where('state', '=', 'given_up')
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

export interface ListedAlert {
  id: string;
  kind: string;
  day: Day | null;
  raisedAt: Instant;
  document: unknown;
  deliveries: { channel: string; state: DeliveryState; tries: number; reason: string }[];
}

/** The latest first. */
export async function listAlerts(db: Db, of: { state: DeliveryState | undefined; limit: number }) {
  const { rows } = await sql<ListedAlert>`
    select a.alert_id as id, a.kind, a.day, a.raised_at as "raisedAt", a.document, coalesce(
      (select jsonb_agg(jsonb_build_object('channel', d.channel, 'state', d.state, 'tries', d.tries,
        'reason', d.reason) order by d.channel) from alert_delivery d where d.alert_id = a.alert_id), '[]') as deliveries
    from alert a
    where ${of.state ?? null}::text is null
      or exists (select from alert_delivery d where d.alert_id = a.alert_id and d.state = ${of.state ?? null})
    order by a.raised_at desc, a.alert_id limit ${of.limit}`.execute(db);
  return rows;
}

export interface DeliveryCount {
  channel: string;
  state: DeliveryState;
  count: number;
}

export async function countDeliveries(db: Db): Promise<DeliveryCount[]> {
  const rows = await db
    .selectFrom('alert_delivery')
    .select((eb) => ['channel', 'state', eb.fn.countAll<bigint>().as('count')])
    .groupBy(['channel', 'state'])
    .orderBy('channel')
    .orderBy('state')
    .execute();
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}

/** Whether something was told of a night that was not well. */
export async function wasToldOf(db: Db, day: Day, kinds: readonly string[]): Promise<boolean> {
  const row = await db
    .selectFrom('alert')
    .select('alert_id')
    .where('day', '=', day)
    .where('kind', 'in', kinds)
    .where(sql<boolean>`document ->> 'severity' <> 'info'`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
