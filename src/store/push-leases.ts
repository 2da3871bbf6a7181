/** Whether somebody is at work under a lease that is not ours to take: a look, and no claim. */
import type { Instant } from '../core/time.ts';
import type { Db } from './schema.ts';

/** A holder that was killed counts until its time is over. */
export async function isLeaseHeld(db: Db, name: string, now: Instant): Promise<boolean> {
  const row = await db
    .selectFrom('lease')
    .select('fence')
    .where('name', '=', name)
    .where('holder', '<>', '')
    .where('until', '>', now)
    .executeTakeFirst();
  return row !== undefined;
}
