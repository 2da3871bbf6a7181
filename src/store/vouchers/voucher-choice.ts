/** Which vouchers are to be asked for, newest month first, and how many there are. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Day, Instant } from '../../core/time.ts';
import type { DbOrTransaction, VoucherKind } from '../schema/schema.ts';

/** What names an order's voucher. */
export interface VoucherKey {
  accountNo: string;
  kind: VoucherKind;
  /** orderNo of a deposit, outOrderNo of all others. */
  number: string;
}

export interface DueVoucher extends VoucherKey {
  orderNo: string;
  month: string;
  firstAskedDay: Day | null;
}

export interface VoucherFilter {
  today: Day;
  kinds: readonly VoucherKind[];
  /**
   * Only what moved in this window: then everything in it that is not there is chosen, also what was to be asked on
   * a later day or had been given up, because a person wants it now.
   */
  window: { from: Instant; to: Instant } | undefined;
}

function isChosen({ today, kinds, window }: VoucherFilter): RawBuilder<unknown> {
  const isKind = sql`d.kind = any(${kinds}::text[])`;
  if (window === undefined) return sql`d.state = 'due' and d.next_day <= ${today} and ${isKind}`;
  return sql`d.state in ('due', 'given_up') and ${isKind}
    and d.moved_at >= ${window.from} and d.moved_at < ${window.to}`;
}

export async function countDueVouchers(db: DbOrTransaction, filter: VoucherFilter): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from voucher_due d where ${isChosen(filter)}`.execute(db);
  return rows[0]?.n ?? 0;
}

/** The next page; what could not be asked stays behind it, until another run begins from the front. */
export async function listDueVouchers(
  db: DbOrTransaction,
  filter: VoucherFilter,
  { after, limit }: { after: DueVoucher | undefined; limit: number },
): Promise<DueVoucher[]> {
  const { rows } = await sql<DueVoucher>`
    select d.account_no as "accountNo", d.kind, d.number, d.order_no as "orderNo", d.month,
      d.first_asked_day as "firstAskedDay"
    from voucher_due d
    where ${isChosen(filter)} and ${isAfter(after)}
    order by d.month desc, d.account_no, d.kind, d.number limit ${limit}`.execute(db);
  return rows;
}

function isAfter(after: DueVoucher | undefined): RawBuilder<unknown> {
  if (after === undefined) return sql`true`;
  return sql`(d.month < ${after.month} or (d.month = ${after.month}
    and (d.account_no, d.kind, d.number) > (${after.accountNo}, ${after.kind}, ${after.number})))`;
}

/** What became of the orders a run asked for. */
export interface VoucherCounts {
  asked: number;
  /** Orders whose voucher was filed, and the files of them. */
  fetched: number;
  files: number;
  /** The platform has none, or none yet; settlements do not count, whose refusal is tolerated (U51). */
  missing: number;
  /** What came was no voucher. */
  rejected: number;
  /** Of both, those that are not asked for any more. */
  givenUp: number;
  /** Settlements for which the platform gives none. */
  unavailable: number;
}

/** Counted from what is stored, so that a run that died and went on counts both its lives. */
export async function countAskedVouchers(db: DbOrTransaction, runId: string): Promise<VoucherCounts> {
  const { rows } = await sql<VoucherCounts>`
    with asked as materialized (
      select d.state, d.kind, f.files, f.rejected from voucher_due d cross join lateral (
        select count(*) filter (where v.condition <> 'rejected') as files,
          count(*) filter (where v.condition = 'rejected') as rejected
        from voucher v where v.account_no = d.account_no and v.kind = d.kind and v.number = d.number) f
      where d.asked_run = ${runId}
    )
    select count(*)::integer as asked, count(*) filter (where state = 'filed')::integer as fetched,
      coalesce(sum(files) filter (where state = 'filed'), 0)::integer as files,
      count(*) filter (where state in ('due', 'given_up') and rejected = 0 and kind <> 'settlement')::integer
        as missing,
      count(*) filter (where state in ('due', 'given_up') and rejected > 0)::integer as rejected,
      count(*) filter (where state = 'given_up')::integer as "givenUp",
      count(*) filter (where state = 'unavailable')::integer as unavailable
    from asked`.execute(db);
  const [counts] = rows;
  if (counts === undefined) throw new Error('Bug: a count without a row');
  return counts;
}
