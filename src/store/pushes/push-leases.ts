/** Whether somebody is at work under a lease that is not ours to take: a look, and no claim. */
import type { Instant } from '../../core/time.ts';
import type { Db } from '../schema/schema.ts';

/** Whether any of the leases is held; a holder that was killed counts until its time is over. */
export async function isAnyLeaseHeld(db: Db, names: readonly string[], now: Instant): Promise<boolean> {
  const row = await db
    .selectFrom('lease')
    .select('fence')
    .where('name', 'in', names)
    .where('holder', '<>', '')
    .where('until', '>', now)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
