/**
 * What the figures of a period rest on, account by account: the current entries booked in it and the movements that took
 * effect in it, as count, sum and a digest of all of them. Rows of `account_no` and `figures`.
 */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

export type BooksSide = 'ledger' | 'platform';

export interface BooksOf {
  /** SQL: the instants it begins and ends with. */
  from: RawBuilder<unknown>;
  to: RawBuilder<unknown>;
  /** SQL: of that account alone. */
  accountNo?: RawBuilder<unknown>;
  /**
   * SQL: the highest write number when it was signed. An entry that says again what it said then has the version and the
   * place that it had.
   */
  signedNo?: RawBuilder<unknown>;
}

export const booksOf: Readonly<Record<BooksSide, (of: BooksOf) => RawBuilder<unknown>>> = {
  ledger: ({ from, to, accountNo, signedNo }) => sql`
    select e.account_no, jsonb_build_object('records', count(*), 'sumFen', sum(e.amount_fen), 'digest', ${digestOf(
      sql`concat_ws('|', e.source, e.entry_id, coalesce(was.version, e.version), e.kind, e.amount_fen, e.reference, e.status,
        extract(epoch from e.booked_at))`,
      sql`coalesce(was.entry_no, e.entry_no)`,
    )}) as figures
    from ledger_entry e left join lateral (${asItWas(signedNo)}) was on true
    where e.current and not e.withdrawn and e.booked_at >= ${from} and e.booked_at < ${to} ${ofAccount('e', accountNo)}
    group by e.account_no`,
  platform: ({ from, to, accountNo }) => sql`
    select m.account_no, jsonb_build_object('records', count(*), 'sumFen', sum(m.delta_fen), 'digest', ${digestOf(
      sql`concat_ws('|', m.dedup_key, m.kind, m.delta_fen, m.fee_fen, m.reference)`,
      sql`m.dedup_key collate "C"`,
    )}) as figures
    from movement m
    where m.effective_from >= ${from} and m.effective_from < ${to} ${ofAccount('m', accountNo)}
    group by m.account_no`,
};

function ofAccount(table: string, accountNo: RawBuilder<unknown> | undefined): RawBuilder<unknown> {
  return accountNo === undefined ? sql`` : sql`and ${sql.ref(`${table}.account_no`)} = ${accountNo}`;
}

/** The version of entry `e` that stood then, where it says the same: what took its place has a higher number by now. */
function asItWas(signedNo: RawBuilder<unknown> | undefined): RawBuilder<unknown> {
  if (signedNo === undefined) return sql`select null::integer as version, null::bigint as entry_no`;
  return sql`
    select f.version, f.entry_no from (
      select * from ledger_entry f
      where e.written_no > ${signedNo} and f.source = e.source and f.entry_id = e.entry_id and not f.current
        and f.written_no > ${signedNo}
      order by f.version limit 1
    ) f where (f.account_no, f.kind, f.amount_fen, f.reference, f.status, f.booked_at)
      = (e.account_no, e.kind, e.amount_fen, e.reference, e.status, e.booked_at)`;
}

function digestOf(line: RawBuilder<unknown>, order: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`encode(sha256(string_agg(sha256(convert_to(${line}, 'UTF8')), ''::bytea order by ${order})), 'hex')`;
}
