/** Files of the inbox that are in the books and were not moved away yet: what a killed process leaves to the next one. */
import { sql } from 'kysely';
import type { Day } from '../../core/time.ts';
import type { Db } from '../schema/schema.ts';
import type { Delivered } from './intake-files.ts';

export interface TakenFile extends Delivered {
  sha256: string;
}

/** Those that lie there still; of the others it is forgotten that they were to be moved. */
export async function findTaken(db: Db, there: readonly Delivered[]): Promise<TakenFile[]> {
  const [paths, changed] = [there.map((one) => one.path), there.map((one) => one.changed)];
  await sql`
    delete from inbox_file f where not exists (
      select from unnest(${paths}::text[], ${changed}::text[]) t (path, changed)
      where t.path = f.path and t.changed = f.changed)`.execute(db);
  return db.selectFrom('inbox_file').select(['path', 'changed', 'sha256']).execute();
}

/** It has been moved. */
export async function forgetTaken(db: Db, { path, changed }: Delivered): Promise<void> {
  await db.deleteFrom('inbox_file').where('path', '=', path).where('changed', '=', changed).execute();
}

/** Whether a ledger file of that name is in the books, which states that day. */
export async function isInBooks(
  db: Db,
  { source, name, day }: { source: string; name: string; day: Day },
): Promise<boolean> {
  const file = await db
    .selectFrom('intake_file')
    .select('file_id')
    .where('kind', '=', 'ledger')
    .where('source', '=', source)
    .where('name', '=', name)
    .where('of_day', '=', day)
    .where('withdrawn_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return file !== undefined;
}
