/** Days that two readings agreed on: what is held against the platform when the books are verified. */
import type { Selectable } from 'kysely';
import type { Day } from '../../core/time.ts';
import type { DbOrTransaction, SyncDayTable } from '../schema/schema.ts';

export type SealedDay = Selectable<SyncDayTable>;

/** The sealed days of an account in order, both ends of the range included. */
export async function listSealedDays(
  db: DbOrTransaction,
  accountNo: string,
  range: { fromDay: Day; toDay: Day },
): Promise<SealedDay[]> {
  return db
    .selectFrom('sync_day')
    .selectAll()
    .where('account_no', '=', accountNo)
    .where('sealed_run', 'is not', null)
    .where('day', '>=', range.fromDay)
    .where('day', '<=', range.toDay)
    .orderBy('day')
    .execute();
}
