/** `recon migrate`: brings the database to the current schema. */
import { migrateToLatest } from '../../src/store/database/migrate.ts';
import { withContext } from '../cli/command.ts';
import type { CommonOptions } from '../cli/command.ts';

export function migrateCommand(options: CommonOptions): Promise<void> {
  return withContext(options, { platform: false, mayMigrate: true }, async ({ db, database }) => {
    const applied = await migrateToLatest(db);
    const text =
      applied.length === 0
        ? `${database.place} is current`
        : `${database.place}: applied ${applied.join(', ')}`;
    return { status: 0, document: { schema: 1, applied }, text };
  });
}
