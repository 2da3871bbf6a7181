/**
 * Which bundles have to be looked at: one row of `progress` for each account and month, written in the transaction
 * that changed what the bundle holds and taken away when the bundle is made. A process that dies in between leaves
 * the mark, and with it the work.
 */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { DbOrTransaction } from '../schema/schema.ts';

/** A bundle: the vouchers of one account in one month, `2026-03`. */
export interface BundleKey {
  accountNo: string;
  month: string;
}

export interface BundleMark extends BundleKey {
  /** The write number of the latest change; a mark that has a higher one by now has to stay. */
  markedNo: bigint;
}

const BUNDLE = 'voucher bundle ';
const ZIP = 'voucher zip ';
/** `voucher bundle 2026-03 ` */
const ACCOUNT_STARTS_AT = BUNDLE.length + '2026-03 '.length + 1;

/** The statement that marks the bundles of a query with the columns `account_no` and `month`. */
export function markingOf(bundles: RawBuilder<unknown>, writeNo: bigint): RawBuilder<unknown> {
  return sql`
    insert into progress (step, done_no)
    select distinct ${BUNDLE}::text || month || ' ' || account_no, ${writeNo}::bigint from (${bundles}) changed
    on conflict (step) do update set done_no = excluded.done_no`;
}

/** Newest month first. */
export async function listMarkedBundles(
  db: DbOrTransaction,
  months: { from: string; to: string },
): Promise<BundleMark[]> {
  const { rows } = await sql<BundleMark>`
    select * from (
      select substr(step, ${BUNDLE.length + 1}::integer, 7) as month,
        substr(step, ${ACCOUNT_STARTS_AT}::integer) as "accountNo", done_no as "markedNo"
      from progress where step like ${`${BUNDLE}%`}
    ) marked
    where month between ${months.from} and ${months.to}
    order by month desc, "accountNo" collate "C"`.execute(db);
  return rows;
}

/** The bundle is as it should be; a change that came meanwhile keeps the mark. */
export async function unmarkBundle(db: DbOrTransaction, mark: BundleMark): Promise<void> {
  const step = `${BUNDLE}${mark.month} ${mark.accountNo}`;
  await db.deleteFrom('progress').where('step', '=', step).where('done_no', '=', mark.markedNo).execute();
}

/** The month's zip has to be made again. */
export async function markZip(db: DbOrTransaction, month: string): Promise<void> {
  await db
    .insertInto('progress')
    .values({ step: `${ZIP}${month}`, done_no: 0n })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function listMarkedZips(db: DbOrTransaction): Promise<string[]> {
  const rows = await db
    .selectFrom('progress')
    .select('step')
    .where('step', 'like', `${ZIP}%`)
    .orderBy('step', 'desc')
    .execute();
  return rows.map(({ step }) => step.slice(ZIP.length));
}

export async function unmarkZip(db: DbOrTransaction, month: string): Promise<void> {
  await db.deleteFrom('progress').where('step', '=', `${ZIP}${month}`).execute();
}
