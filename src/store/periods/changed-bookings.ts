/** Which entries and movements of a period were written since it was signed off. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { yuanForPeople } from '../../core/fen.ts';
import type { Fen } from '../../core/fen.ts';
import type { Instant } from '../../core/time.ts';
import type { DbOrTransaction } from '../schema/schema.ts';
import type { BooksOf, BooksSide } from './period-books.ts';

/** Those that one line can hold. */
export const NAMED_MAX = 10;

/**
 * A query of `kind` and `name` of each entry that came, changed or was withdrawn since, or of each movement, `source` and
 * `version` of an entry, what it `became`, and its amount, in the order of `place`.
 */
export const changedBookings: Readonly<
  Record<BooksSide, (of: Required<BooksOf>) => RawBuilder<{ name: string; fen: Fen }>>
> = {
  ledger: ({ accountNo, from, to, signedNo }) => sql`
    select 'entry' as kind, entry_id as name, source, version, amount_fen as fen,
      case when withdrawn then 'withdrawn' when not current then 'replaced' else 'written' end as became,
      row_number() over (order by entry_no) as place
    from ledger_entry
    where account_no = ${accountNo} and booked_at >= ${from} and booked_at < ${to} and written_no > ${signedNo}`,
  platform: ({ accountNo, from, to, signedNo }) => sql`
    select kind, reference as name, null as source, null::integer as version, delta_fen as fen, 'written' as became,
      row_number() over (order by dedup_key) as place
    from movement
    where account_no = ${accountNo} and effective_from >= ${from} and effective_from < ${to}
      and written_no > ${signedNo}`,
};

export interface BookingsAsked {
  side: BooksSide;
  accountNo: string;
  from: Instant;
  to: Instant;
  /** The highest write number when it was signed. */
  after: bigint;
}

interface Row {
  kind: string;
  name: string;
  source: string | null;
  version: number | null;
  fen: Fen;
  became: 'withdrawn' | 'replaced' | 'written';
  all: number;
}

/** `entry E17 of ledger: 10.00, now`: each that came, changed or was withdrawn since, the first ones and how many more. */
export async function listChangedBookings(db: DbOrTransaction, asked: BookingsAsked): Promise<string[]> {
  const found = await sql<Row>`
    select r.*, count(*) over ()::integer as all from (${changedBookings[asked.side]({
      accountNo: sql`${asked.accountNo}::text`,
      from: sql`${asked.from}::timestamptz`,
      to: sql`${asked.to}::timestamptz`,
      signedNo: sql`${asked.after}::bigint`,
    })}) r order by place limit ${NAMED_MAX}`.execute(db);
  const named = found.rows.map(textOf);
  const more = (found.rows[0]?.all ?? 0) - named.length;
  return more > 0 ? [...named, `and ${more} more`] : named;
}

function textOf({ kind, name, source, version, became, fen }: Row): string {
  const of = source === null ? '' : ` of ${source} version ${version}`;
  return `${kind} ${name}${of}${became === 'written' ? '' : ` (${became})`}: ${yuanForPeople(fen)}`;
}
