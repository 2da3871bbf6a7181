/** The one time that a query yields. */
import { WrongInput } from '../../core/errors.ts';
import { addDays, parseDay, parseOffsetInstant } from '../../core/time.ts';
import type { Instant, Zone } from '../../core/time.ts';
import type { BooksDatabase } from './books-reading.ts';
import { CHANGED_AT, bareQuery } from './pull-query.ts';
import type { PullQuery } from './pull-query.ts';
import { queriedCell } from './queried-cell.ts';

interface Of {
  database: BooksDatabase;
  zone: Zone;
}

/** The last day that is closed, or the instant before which all is. @throws WrongInput where it yields something else */
export async function closedTo(query: PullQuery, of: Of): Promise<Instant> {
  const at = await timeOf(bareQuery(query), of);
  if (at !== undefined) return at;
  throw new WrongInput(`${query.file} must yield one day or one time, up to which the books are closed`);
}

/** When the row was changed that was changed last, of all that the query yields; undefined: there is none. */
export function changedLast(query: PullQuery, of: Of): Promise<Instant | undefined> {
  return timeOf(bareQuery(query, `max(${CHANGED_AT})`), of);
}

/** The end of a day. */
async function timeOf(query: string, { database, zone }: Of): Promise<Instant | undefined> {
  const values: (string | null)[] = [];
  for await (const batch of database.rows(query)) values.push(...batch.flat());
  const [value = null, ...more] = values;
  if (more.length > 0) return undefined;
  const text = queriedCell(value, 'time', zone);
  const day = parseDay(text);
  if (day !== undefined) return zone.dayStart(addDays(day, 1));
  return zone.parseLocal(text) ?? parseOffsetInstant(text);
}
