/** Breaks across runs as people ask for them: listed, found, with their events. */
import type { Selectable } from 'kysely';
import type { BreakEventTable, BreakTable, DbOrTransaction } from './schema.ts';

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
