/** Opens the queue of units, or makes it, where the settings have one. */
import { WrongInput } from '../../src/core/errors.ts';
import { databaseAddress } from '../../src/store/database/database.ts';
import type { PostgresAddress } from '../../src/store/database/database-postgres.ts';
import type { UnitQueue } from '../../src/store/units/unit-queue.ts';
import type { Ready } from '../context/context.ts';

/** @throws Stopped when it cannot be used; WrongInput without a database that several processes can share */
export async function openQueue({ settings, log }: Pick<Ready, 'settings' | 'log'>): Promise<UnitQueue> {
  const { openUnitQueue } = await import('../../src/store/units/unit-queue-pg-boss.ts');
  return openUnitQueue(sharedAddress(settings), log);
}

/** Makes or updates the queue's own tables. @throws Stopped when that cannot be done */
export async function installQueue({ settings, log }: Pick<Ready, 'settings' | 'log'>): Promise<void> {
  const { installUnitQueue } = await import('../../src/store/units/unit-queue-pg-boss.ts');
  await installUnitQueue(sharedAddress(settings), log);
}

/** @throws WrongInput */
function sharedAddress(settings: Ready['settings']): PostgresAddress {
  const address = databaseAddress(settings);
  if ('url' in address) return address;
  throw new WrongInput('workers need a database that several processes can share: set DATABASE_URL');
}
