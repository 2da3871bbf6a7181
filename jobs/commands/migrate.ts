/** `recon migrate`: brings the database to the current schema, and on PostgreSQL the queue of units to its own. */
import { Stopped } from '../../src/core/errors.ts';
import { migrateToLatest, migrationsText } from '../../src/store/database/migrate.ts';
import { withContext } from '../cli/command.ts';
import type { CommonOptions } from '../cli/command.ts';
import type { Context } from '../context/context.ts';

export function migrateCommand(options: CommonOptions): Promise<void> {
  return withContext(options, { platform: false, mayMigrate: true }, async (context) => {
    const { db, database } = context;
    const applied = await migrateToLatest(db);
    const lines = [
      applied.length === 0
        ? `${database.place} is current`
        : `${database.place}: applied ${migrationsText(applied)}`,
      ...(database.kind === 'postgres' ? await makeQueue(context) : []),
    ];
    return { status: 0, document: { schema: 1, applied }, text: lines.join('\n') };
  });
}

/**
 * A role that may not make a schema of its own has nights all the same, without workers.
 * @returns what is to be told
 * @throws Stopped where workers are wanted
 */
async function makeQueue(context: Context): Promise<string[]> {
  const { installQueue } = await import('../units/open-queue.ts');
  try {
    await installQueue(context);
    return [];
  } catch (error) {
    if (context.settings.workers || !(error instanceof Stopped)) throw error;
    context.log.warn({ event: 'queue.unmade', reason: error.message });
    return [`without workers: ${error.message}`];
  }
}
