/** The run whose closing a day begins with. */
import type { Day } from '../../core/time.ts';
import type { DbOrTransaction } from '../schema/schema.ts';
import { RUN_COLUMNS } from './runs.ts';
import type { Run } from './runs.ts';

/** Of the finished runs of all accounts that stand and end before that day the last one, a night before a backfill. */
export async function findStandingBefore(db: DbOrTransaction, day: Day): Promise<Run | undefined> {
  return db
    .selectFrom('run')
    .select(RUN_COLUMNS)
    .where('state', '=', 'finished')
    .where('superseded_by', 'is', null)
    .where('accounts', '=', '')
    .where('to_day', '<', day)
    .orderBy('to_day', 'desc')
    .orderBy('job', 'desc')
    .limit(1)
    .executeTakeFirst();
}
