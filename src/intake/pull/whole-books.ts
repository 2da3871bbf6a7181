/**
 * Whether the books of a ledger that is pulled are those of the database. When a row was changed is what the company's
 * programs say: what they say wrongly, and what was deleted, is seen where days are read as a whole.
 */
import type { BooksSettings } from '../../core/config/config-books.ts';
import { addDays, addMs, HOUR_MS } from '../../core/time.ts';
import type { Day, Instant, Zone } from '../../core/time.ts';
import type { Window } from '../../core/window.ts';
import { findCompleteTo } from '../../store/intake/ledger-complete.ts';
import { countPulledIn } from '../../store/intake/pull-marks.ts';
import type { PullMark } from '../../store/intake/pull-marks.ts';
import type { Db } from '../../store/schema/schema.ts';
import { counted } from '../../core/text.ts';

interface Reading {
  db: Db;
  zone: Zone;
  books: Pick<BooksSettings, 'source' | 'lookBackHours'>;
  /** Days that were asked for; undefined: what is new. */
  days: { fromDay: Day; toDay: Day } | undefined;
}

/**
 * The days that are read as a whole: those that are not stated complete yet, and the look back before them. Where none is
 * stated, and pulls came to that already, they begin where those of the last one did.
 */
export async function wholeDaysOf(
  { db, zone, books, days }: Reading,
  { today, left }: { today: Day; left: PullMark | undefined },
): Promise<Window> {
  if (days !== undefined)
    return { from: zone.dayStart(days.fromDay), to: zone.dayStart(addDays(days.toDay, 1)) };
  const to = zone.dayStart(today);
  const known = await findCompleteTo(db, books.source);
  const since = (known === null && left?.whole_from) || undefined;
  const first = addMs(known !== null && known < to ? known : to, -books.lookBackHours * HOUR_MS);
  const from = zone.dayStart(zone.dayOf(first));
  return { from: since !== undefined && since < from ? since : from, to };
}

export interface WasRead {
  /** The name of the query's file. */
  file: string;
  /** The latest change that was seen before, and now. */
  mark: Instant | undefined;
  changedTo: Instant | undefined;
  /** Of a ledger: the days that were read as a whole, and how many rows they have. */
  whole: { window: Window; rows: number } | undefined;
}

/** What the books have and the database has no more, in sentences; empty: nothing. */
export async function lacksOf({ db, zone, books, days }: Reading, read: WasRead): Promise<string[]> {
  const { file, mark, changedTo, whole } = read;
  const lacks: string[] = [];
  if (whole !== undefined && days === undefined && changedTo === undefined && mark === undefined)
    lacks.push(`${file} yields no row, which proves no books to be empty`);
  if (mark !== undefined && (changedTo === undefined || changedTo < mark))
    lacks.push(
      `${file} no longer yields the row that was changed last, at ${zone.localText(mark)}: the database was set back, or the row was deleted; nothing is whole until it has a newer one`,
    );
  if (whole === undefined) return lacks;
  const gone = (await countPulledIn(db, books.source, whole.window)) - whole.rows;
  if (gone <= 0) return lacks;
  const [from, to] = [zone.dayOf(whole.window.from), addDays(zone.dayOf(whole.window.to), -1)];
  lacks.push(
    `${file} no longer yields ${counted(gone, 'entry that was', 'entries that were')} pulled and booked from ${from} to ${to}; where they are to leave the books: recon ledger pull --from ${from} --to ${to} --replace`,
  );
  return lacks;
}
