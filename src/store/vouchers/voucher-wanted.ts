/** Vouchers that are still to be fetched, by month. */
import { sql } from 'kysely';
import type { DbOrTransaction } from '../schema/schema.ts';

export interface WantedVouchers {
  /** `yyyy-MM`, in which the money moved. */
  month: string;
  count: number;
  /** Of these, asked for at least once. */
  asked: number;
}

/** The latest month first. */
export async function countWantedVouchers(db: DbOrTransaction): Promise<WantedVouchers[]> {
  const { rows } = await sql<WantedVouchers>`
    select month, count(*)::integer as count, count(*) filter (where tries > 0)::integer as asked
    from voucher_due where state = 'due' group by month order by month desc`.execute(db);
  return rows;
}
