/** Whether the company's database can be reached and its queries yield what they must; reads no row of the books. */
import type { BooksSettings } from '../../src/core/config/config-books.ts';
import { messageOf } from '../../src/core/errors.ts';
import type { Instant, Zone } from '../../src/core/time.ts';
import { epochMs } from '../../src/core/time.ts';
import { openBooks } from '../../src/intake/pull/books-database.ts';
import { bareQuery, pullLayout, readQuery } from '../../src/intake/pull/pull-query.ts';
import { readHeader } from '../../src/intake/table-layout.ts';
import type { Check } from './doctor-check.ts';
import { counted } from '../../src/core/text.ts';

const NAME = 'books database';
/** Its clock says of which days the books are whole. */
const CLOCK_MINUTES_MAX = 5;

/** Changes nothing. */
export async function checkBooks(
  books: BooksSettings | undefined,
  { zone, realNow }: { zone: Zone; realNow: () => Instant },
): Promise<Check[]> {
  if (books === undefined) return [];
  try {
    const database = await openBooks(books, zone);
    try {
      const awayMs = epochMs(database.readAt) - epochMs(realNow());
      for (const [kind, file] of [
        ['ledger', books.query],
        ['orders', books.ordersQuery],
      ] as const) {
        if (file === undefined) continue;
        const query = readQuery(file);
        readHeader(await database.columns(bareQuery(query)), pullLayout(kind), query.file);
      }
      if (books.closedQuery !== undefined) await database.columns(bareQuery(readQuery(books.closedQuery)));
      const place = `${database.place} can be read, its queries have their columns`;
      const minutes = Math.round(Math.abs(awayMs) / 60_000);
      if (minutes <= CLOCK_MINUTES_MAX) return [{ name: NAME, state: 'ok', detail: place }];
      const detail = `${place}; it is ${counted(minutes, 'minute')} ${awayMs < 0 ? 'behind' : 'ahead of'} this machine (a standby?)`;
      return [{ name: NAME, state: 'warn', detail }];
    } finally {
      await database.close();
    }
  } catch (error) {
    return [{ name: NAME, state: 'fail', detail: messageOf(error) }];
  }
}
