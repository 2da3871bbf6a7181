/** Breaks across runs as people ask for them: listed, found, with what is said of them and their events. */
import { sql } from 'kysely';
import type { RawBuilder, Selectable } from 'kysely';
import { isSamePerson } from '../../core/config/config-people.ts';
import type { Day } from '../../core/time.ts';
import type {
  BreakEventTable,
  BreakTable,
  BreakWork,
  DbOrTransaction,
  WorkStatus,
} from '../schema/schema.ts';
import { isProposed as isProposedIn, lastWorkOf, statusOf } from './break-work.ts';
import type { SeenBreak } from './break-work.ts';

export type Break = Selectable<BreakTable>;
export type BreakEvent = Selectable<BreakEventTable>;

/** A break with what people say of it, as it is to be seen today. */
export interface WorkedBreak extends Break {
  work: BreakWork | null;
  work_status: WorkStatus;
  /** Its write-off awaits approval. */
  is_proposed: boolean;
}

/** What is left out asks for nothing. */
export interface BreakFilter {
  breakIds?: readonly string[] | undefined;
  accountNo?: string | undefined;
  itemClass?: BreakTable['class'] | undefined;
  status?: WorkStatus | undefined;
  /** However a person's name was written (`listOwners`). */
  owners?: readonly string[] | undefined;
  ageMinDays?: number | undefined;
  /** Only those whose write-off awaits approval. */
  isProposed?: boolean | undefined;
  /** Closed ones too. */
  withClosed: boolean;
}

/** By account, class and reference. */
export function selectBreaks(filter: BreakFilter, today: Day): RawBuilder<WorkedBreak> {
  const { breakIds, accountNo, itemClass, status, owners, ageMinDays, isProposed } = filter;
  const seen: SeenBreak = {
    work: sql`w.work`,
    class: sql`b.class`,
    differenceFen: sql`b.difference_fen`,
    foundDay: sql`b.last_day`,
    today: sql`${today}::text`,
  };
  const conditions = [
    breakIds === undefined ? [] : sql`b.break_id = any(${breakIds}::text[])`,
    accountNo === undefined ? [] : sql`b.account_no = ${accountNo}`,
    itemClass === undefined ? [] : sql`b.class = ${itemClass}`,
    filter.withClosed ? [] : sql`b.status = 'open'`,
    status === undefined ? [] : sql`s.work_status = ${status}`,
    owners === undefined ? [] : sql`w.work ->> 'owner' = any(${owners}::text[])`,
    ageMinDays === undefined ? [] : sql`b.last_day::date - b.first_day::date >= ${ageMinDays}::integer`,
    isProposed === true ? sql`s.is_proposed` : [],
  ].flat();
  return sql<WorkedBreak>`
    select b.*, w.work, s.work_status, s.is_proposed from break b
    left join lateral (${lastWorkOf(sql`b.break_id`)}) w on true
    cross join lateral (select ${statusOf(seen)} as work_status, ${isProposedIn(seen)} as is_proposed) s
    where ${sql.join([sql`true`, ...conditions], sql` and `)}
    order by b.account_no, b.class, b.reference, b.break_id`;
}

/** All ways in which the name of that person was ever written as that of an owner. */
export async function listOwners(db: DbOrTransaction, person: string): Promise<string[]> {
  const { rows } = await sql<{ owner: string }>`
    select distinct work ->> 'owner' as owner from break_event where work is not null`.execute(db);
  return rows.map(({ owner }) => owner).filter((owner) => owner !== '' && isSamePerson(owner, person));
}

/** All at once. */
export async function findBreaks(
  db: DbOrTransaction,
  filter: BreakFilter,
  today: Day,
): Promise<WorkedBreak[]> {
  return (await selectBreaks(filter, today).execute(db)).rows;
}

/**
 * How much these accounts had open at the end of that day and have open still that is not among the breaks of the run.
 * Timing and what only needs attention is not counted.
 */
export async function countUnseen(
  db: DbOrTransaction,
  of: { accounts: readonly string[]; toDay: Day; runId: string },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from break b
    where b.account_no = any(${of.accounts}::text[]) and b.status = 'open' and b.severity = 'break'
      and b.first_day <= ${of.toDay} and not exists (
        select from finding f
        where f.run_id = ${of.runId} and f.break_id = b.break_id and f.severity <> 'timing')`.execute(db);
  return rows[0]?.count ?? 0;
}

/** What the same item was before, each time until it was closed; the latest first. */
export function listEarlier(
  db: DbOrTransaction,
  row: Break,
): Promise<Pick<Break, 'break_id' | 'closed_day'>[]> {
  return db
    .selectFrom('break')
    .select(['break_id', 'closed_day'])
    .where('account_no', '=', row.account_no)
    .where('item_key', '=', row.item_key)
    .where('occurrence', '<', row.occurrence)
    .orderBy('occurrence', 'desc')
    .execute();
}

/** What a proof made of a break, not what people say of it, which may also be `reopened`. */
export const IS_END = sql`event in ('closed', 'reopened') and work is null`;

/**
 * How the break of that id ended, or that it was found again since: the last such event, up to that place of the trail
 * where one is given.
 */
export function lastEndOf(breakId: RawBuilder<unknown>, upTo?: RawBuilder<unknown>): RawBuilder<unknown> {
  const known = upTo === undefined ? sql`` : sql`and e.trail_no <= ${upTo}`;
  return sql`
    select e.run_id, e.event, e.details from break_event e
    where e.break_id = ${breakId} and ${IS_END} ${known}
    order by e.event_no desc limit 1`;
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
