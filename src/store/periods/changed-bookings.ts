/** Which entries and movements of a period were written since it was signed off. */
import { sql } from 'kysely';
import { yuanForPeople } from '../../core/fen.ts';
import type { Fen } from '../../core/fen.ts';
import type { Instant } from '../../core/time.ts';
import type { DbOrTransaction } from '../schema/schema.ts';

export interface BookingsAsked {
  side: 'ledger' | 'platform';
  accountNo: string;
  from: Instant;
  to: Instant;
  /** The highest write number when it was signed. */
  after: bigint;
}

/** Those that one line can hold. */
const NAMED_MAX = 10;

/** `entry E17 of ledger: 10.00, now`: each that came, changed or was withdrawn since, the first ones and how many more. */
export async function listChangedBookings(db: DbOrTransaction, asked: BookingsAsked): Promise<string[]> {
  const { accountNo, from, to, after } = asked;
  const rows =
    asked.side === 'ledger'
      ? sql`
        select concat('entry ', entry_id, ' of ', source, ' version ', version,
            case when withdrawn then ' (withdrawn)' when not current then ' (replaced)' else '' end) as name,
          amount_fen as fen, count(*) over ()::integer as all
        from ledger_entry
        where account_no = ${accountNo} and booked_at >= ${from} and booked_at < ${to} and written_no > ${after}
        order by entry_no`
      : sql`
        select concat(kind, ' ', reference) as name, delta_fen as fen, count(*) over ()::integer as all from movement
        where account_no = ${accountNo} and effective_from >= ${from} and effective_from < ${to} and written_no > ${after}
        order by dedup_key`;
  const found = await sql<{ name: string; fen: Fen; all: number }>`
    select * from (${rows}) r limit ${NAMED_MAX}`.execute(db);
  const named = found.rows.map(({ name, fen }) => `${name}: ${yuanForPeople(fen)}`);
  const more = (found.rows[0]?.all ?? 0) - named.length;
  return more > 0 ? [...named, `and ${more} more`] : named;
}
