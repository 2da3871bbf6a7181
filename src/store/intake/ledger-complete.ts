/** How far a ledger is complete: as its owner states it, and no further than what was delivered of it is in the books. */
import { sql } from 'kysely';
import type { Selectable, Transaction } from 'kysely';
import { addDays } from '../../core/time.ts';
import type { Day, Instant, Zone } from '../../core/time.ts';
import { claimIntake } from './intake-files.ts';
import type { Db, DbOrTransaction, LedgerSourceTable, Tables } from '../schema/schema.ts';

/** Whether any ledger was ever stated complete to an instant. */
export async function isAnyStatedComplete(db: DbOrTransaction): Promise<boolean> {
  const query = db.selectFrom('ledger_source').select('source').where('complete_to', 'is not', null);
  return (await query.limit(1).executeTakeFirst()) !== undefined;
}

/** How far a source is complete; null when its owner never said. */
export async function findCompleteTo(db: DbOrTransaction, source: string): Promise<Instant | null> {
  return (await findSource(db, source))?.complete_to ?? null;
}

function findSource(db: DbOrTransaction, source: string): Promise<Selectable<LedgerSourceTable> | undefined> {
  return db.selectFrom('ledger_source').selectAll().where('source', '=', source).executeTakeFirst();
}

/** As a person says it: what is missing before that is meant to be. */
export async function saveCompleteTo(
  trx: Transaction<Tables>,
  { source, completeTo, zone }: { source: string; completeTo: Instant; zone: Zone },
): Promise<void> {
  const known = (await findSource(trx, source)) ?? nothingOf(source);
  const isTakenBack = known.complete_to !== null && completeTo < known.complete_to;
  const stated = isTakenBack ? completeTo : later(known.stated_to, completeTo);
  const missing = known.missing_days.filter((day) => zone.dayStart(addDays(day, 1)) > completeTo);
  const reached = later(await reachedBy(trx, { known, stated, missing, zone }), completeTo);
  await save(trx, { source, complete_to: reached, stated_to: stated, missing_days: missing });
}

/** What is complete further already stays so. */
export async function extendCompleteTo(
  trx: Transaction<Tables>,
  { source, completeTo }: { source: string; completeTo: Instant },
): Promise<void> {
  await sql`
    insert into ledger_source as known (source, complete_to) values (${source}, ${completeTo})
    on conflict (source) do update
      set complete_to = greatest(known.complete_to, excluded.complete_to)`.execute(trx);
}

/** The company has closed its books no further: what it opened again is whole no more. */
export async function holdToClosed(
  trx: Transaction<Tables>,
  { source, closedTo }: { source: string; closedTo: Instant },
): Promise<void> {
  await trx
    .updateTable('ledger_source')
    .set({ complete_to: closedTo })
    .where('source', '=', source)
    .where('complete_to', '>', closedTo)
    .execute();
}

/**
 * Files of these days were delivered, and are not in the books.
 * @param of.tried a day of theirs is not whole, whatever was stated; of those that wait, one that is whole stays so
 * @throws LockHeld when an import is under way
 */
export async function noteMissing(
  db: Db,
  of: { source: string; tried: readonly Day[]; waiting: readonly Day[]; zone: Zone },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await claimIntake(trx);
    const completeTo = (await findCompleteTo(trx, of.source)) ?? '';
    const waiting = of.waiting.filter((day) => of.zone.dayStart(addDays(day, 1)) > completeTo);
    await holdDays(trx, { ...of, days: [...of.tried, ...waiting] });
  });
}

/**
 * The books of these days are whole no more, nor are those since the file before, which may be in theirs; how far files
 * have stated them counts again once nothing is missing. What was stated no further than to such a day was not by it.
 */
async function holdDays(
  trx: Transaction<Tables>,
  { source, days, zone }: { source: string; days: readonly Day[]; zone: Zone },
): Promise<void> {
  const row = (await findSource(trx, source)) ?? nothingOf(source);
  const news = days.filter((day) => !row.missing_days.includes(day)).toSorted();
  const [first] = news;
  if (first === undefined) return;
  const isStated = row.complete_to !== null && row.complete_to > zone.dayStart(first);
  const completeTo = isStated ? await wholeWithout(trx, { source, day: first, zone }) : row.complete_to;
  await hold(trx, { row, days: news, completeTo });
}

function hold(
  trx: Transaction<Tables>,
  of: { row: Selectable<LedgerSourceTable>; days: readonly Day[]; completeTo: Instant | null },
): Promise<void> {
  const { row, days, completeTo } = of;
  return save(trx, {
    source: row.source,
    complete_to: completeTo,
    stated_to: later(row.stated_to, row.complete_to),
    missing_days: [...new Set([...row.missing_days, ...days])].toSorted(),
  });
}

/**
 * The file of a day was withdrawn: that is whole no more, nor are the days since the file before.
 * @param of.fromDay the first of which it had entries: where none was before, the books begin there
 */
export async function holdWithdrawn(
  trx: Transaction<Tables>,
  { source, day, fromDay, zone }: { source: string; day: Day; fromDay: Day | null; zone: Zone },
): Promise<void> {
  const row = (await findSource(trx, source)) ?? nothingOf(source);
  const first = zone.dayStart(fromDay !== null && fromDay < day ? fromDay : day);
  const start = (await wholeWithout(trx, { source, day, zone })) ?? first;
  await hold(trx, { row, days: [day], completeTo: row.complete_to && earlier(row.complete_to, start) });
}

/**
 * A file of a day is in the books, which states them complete to there.
 * @param of.isWhole nothing else of that day is missing
 */
export async function stateDay(
  trx: Transaction<Tables>,
  of: { source: string; day: Day; completeTo: Instant; isWhole: boolean; zone: Zone },
): Promise<void> {
  const { source, zone } = of;
  const known = (await findSource(trx, source)) ?? nothingOf(source);
  const missing = known.missing_days.filter((day) => !(of.isWhole && day === of.day));
  const stated = later(known.stated_to, of.completeTo);
  const reached = later(known.complete_to, await reachedBy(trx, { known, stated, missing, zone }));
  await save(trx, { source, complete_to: reached, stated_to: stated, missing_days: missing });
}

/** What is stated, as far as nothing is missing: what is stated behind that says nothing of it. */
async function reachedBy(
  trx: Transaction<Tables>,
  of: {
    known: Selectable<LedgerSourceTable>;
    stated: Instant;
    missing: readonly Day[];
    zone: Zone;
  },
): Promise<Instant | null> {
  const { known, stated, zone } = of;
  const [first] = of.missing;
  if (first === undefined) return stated;
  const reached = (await wholeWithout(trx, { source: known.source, day: first, zone })) ?? known.complete_to;
  return reached && earlier(stated, reached);
}

/**
 * How far files of the inbox state the books without one of a day that is missing, which may have those of all days since
 * the last one before, as after a weekend, whatever other file of that very day is in the books. Null where the books may
 * begin with it.
 */
async function wholeWithout(
  trx: Transaction<Tables>,
  { source, day, zone }: { source: string; day: Day; zone: Zone },
): Promise<Instant | null> {
  const before = await trx
    .selectFrom('intake_file')
    .select('of_day')
    .where('kind', '=', 'ledger')
    .where('source', '=', source)
    .where('withdrawn_at', 'is', null)
    .where('of_day', '<', day)
    .orderBy('of_day', 'desc')
    .limit(1)
    .executeTakeFirst();
  return before?.of_day ? zone.dayStart(addDays(before.of_day, 1)) : null;
}

/** How far a ledger is complete, as it is said. */
export function ledgerReach(
  {
    complete_to: completeTo,
    stated_to: statedTo,
  }: Pick<Selectable<LedgerSourceTable>, 'complete_to' | 'stated_to'>,
  zone: Zone,
): string {
  if (completeTo !== null) return `to ${zone.localText(completeTo)}`;
  return statedTo === null ? 'has not come yet' : 'is whole to no day';
}

/** What a night goes by: what a source states of itself, or that nothing but files that failed or wait have come of it. */
export type StatedLedger = Selectable<LedgerSourceTable>;

/** Ledgers that have to be whole up to there: those that ever stated a day, or of which a file of one before is missing. */
export function listStated(db: DbOrTransaction, of: { cut: Instant; zone: Zone }): Promise<StatedLedger[]> {
  return db
    .selectFrom('ledger_source')
    .selectAll()
    .where(
      sql<boolean>`complete_to is not null or stated_to is not null or missing_days[1] < ${of.zone.dayOf(of.cut)}`,
    )
    .orderBy('source')
    .execute();
}

/** In words that each language of the report knows (`reports/words/reason-details.ts`). */
export function lateText(row: StatedLedger, zone: Zone): string {
  const [missing] = row.missing_days;
  const why = missing === undefined ? '' : `: a file of ${missing} failed, waits or was withdrawn`;
  return `${row.source} ${ledgerReach(row, zone)}${why}`;
}

/** Sources of which files of days are missing. */
export async function listMissing(db: DbOrTransaction): Promise<string[]> {
  const query = db
    .selectFrom('ledger_source')
    .select('source')
    .where(sql<boolean>`missing_days <> '{}'`);
  return (await query.execute()).map(({ source }) => source);
}

/** A source of which something was withdrawn that nobody hands in anew states nothing any more. */
export async function clearCompleteTo(trx: Transaction<Tables>, source: string): Promise<void> {
  const nothing = { complete_to: null, stated_to: null, missing_days: [] };
  await trx.updateTable('ledger_source').set(nothing).where('source', '=', source).execute();
}

const nothingOf = (source: string): Selectable<LedgerSourceTable> => ({
  source,
  complete_to: null,
  stated_to: null,
  missing_days: [],
});

function later<T extends Instant | null>(one: Instant | null, other: T): Instant | T {
  return one !== null && (other === null || one > other) ? one : other;
}

function earlier(one: Instant, other: Instant): Instant {
  return one < other ? one : other;
}

async function save(trx: Transaction<Tables>, row: Selectable<LedgerSourceTable>): Promise<void> {
  await sql`
    insert into ledger_source (source, complete_to, stated_to, missing_days)
    values (${row.source}, ${row.complete_to}, ${row.stated_to}, ${[...row.missing_days]}::text[])
    on conflict (source) do update set complete_to = excluded.complete_to, stated_to = excluded.stated_to,
      missing_days = excluded.missing_days`.execute(trx);
}

/** Whether any books came at all, whatever they say of themselves. */
export async function hasLedgerCome(db: DbOrTransaction): Promise<boolean> {
  const file = await db
    .selectFrom('intake_file')
    .select('file_id')
    .where('kind', '=', 'ledger')
    .limit(1)
    .executeTakeFirst();
  return file !== undefined;
}
