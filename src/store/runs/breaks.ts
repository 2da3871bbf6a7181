/** Breaks across runs as people ask for them: listed, found, with their events. */
import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { Day } from '../../core/time.ts';
import type { BreakEventTable, BreakTable, DbOrTransaction } from '../schema/schema.ts';

export type Break = Selectable<BreakTable>;
export type BreakEvent = Selectable<BreakEventTable>;

export interface BreakFilter {
  accountNo: string | undefined;
  itemClass: BreakTable['class'] | undefined;
  /** Closed ones too. */
  withClosed: boolean;
}

/** By account, class and reference. */
export function listBreaks(db: DbOrTransaction, filter: BreakFilter): Promise<Break[]> {
  let query = db.selectFrom('break').selectAll();
  if (filter.accountNo !== undefined) query = query.where('account_no', '=', filter.accountNo);
  if (filter.itemClass !== undefined) query = query.where('class', '=', filter.itemClass);
  if (!filter.withClosed) query = query.where('status', '=', 'open');
  return query.orderBy('account_no').orderBy('class').orderBy('reference').orderBy('break_id').execute();
}

/** What these accounts had open at the end of that day and have open still. Timing and what only needs attention is not. */
export async function listOpenBreakIds(
  db: DbOrTransaction,
  accounts: readonly string[],
  toDay: Day,
): Promise<string[]> {
  const rows = await db
    .selectFrom('break')
    .select('break_id')
    .where(sql<boolean>`account_no = any(${accounts}::text[])`)
    .where('status', '=', 'open')
    .where('severity', '=', 'break')
    .where('first_day', '<=', toDay)
    .orderBy('break_id')
    .execute();
  return rows.map((row) => row.break_id);
}

export function findBreak(db: DbOrTransaction, breakId: string): Promise<Break | undefined> {
  return db.selectFrom('break').selectAll().where('break_id', '=', breakId).executeTakeFirst();
}

/** Oldest first. */
export function listBreakEvents(db: DbOrTransaction, breakId: string): Promise<BreakEvent[]> {
  return db
    .selectFrom('break_event')
    .selectAll()
    .where('break_id', '=', breakId)
    .orderBy('event_no')
    .execute();
}
