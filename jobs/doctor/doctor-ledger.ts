/** How far the books are stated complete: a night beyond that is incomplete, however right the books are. */
import { sql } from 'kysely';
import { addDays } from '../../src/core/time.ts';
import type { Zone } from '../../src/core/time.ts';
import type { Clock } from '../../src/core/ports.ts';
import { ledgerReach } from '../../src/store/intake/ledger-complete.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import type { Check } from './doctor-check.ts';

const NAME = 'ledger';

/** @param of.comesByItself from an inbox or the company's database: then a night waits for it */
export async function checkLedger(
  db: Db,
  { zone, clock, comesByItself }: { zone: Zone; clock: Clock; comesByItself: boolean },
): Promise<Check> {
  const rows = await db
    .selectFrom('ledger_source')
    .select(['source', 'complete_to', 'stated_to'])
    .where(sql<boolean>`complete_to is not null or missing_days <> '{}'`)
    .orderBy('source')
    .execute();
  if (rows.length === 0) {
    const detail = 'nothing states up to which day the books are whole';
    if (!comesByItself) return { name: NAME, state: 'ok', detail: `${detail}, and no night waits for that` };
    const remedy = 'deliver a file with its day in its name, or recon ledger import FILE --complete-to DAY';
    return { name: NAME, state: 'warn', detail: `${detail}: every night stays incomplete; ${remedy}` };
  }
  const today = zone.dayOf(clock.wall());
  // Of yesterday they may still come until its night.
  const due = zone.dayStart(addDays(today, -1));
  const isLate = rows.some(({ complete_to: at }) => at === null || at < due);
  const told = rows.map((row) => `${row.source} ${ledgerReach(row, zone)}`).join(', ');
  return isLate
    ? {
        name: NAME,
        state: 'warn',
        detail: `complete: ${told}; nights of later days stay incomplete until more comes`,
      }
    : { name: NAME, state: 'ok', detail: `complete: ${told}` };
}
