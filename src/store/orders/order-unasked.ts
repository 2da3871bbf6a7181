/** What of a unit's orders the run has not asked for: asked for again with the unit, or said where nobody can do it. */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { DbOrTransaction, Tables } from '../schema/schema.ts';
import { keySet } from './order-claims.ts';
import { isUnasked, UNIT } from './order-due.ts';
import type { DueUnit } from './order-due.ts';

/** Of units that the run began to ask for, those that it has not, or could not read in full. */
export async function listUnasked(
  db: DbOrTransaction,
  runId: string,
  units: readonly DueUnit[],
): Promise<DueUnit[]> {
  const { rows } = await sql<DueUnit>`
    select ${UNIT} from ${keySet(units)}
    join order_due d on d.kind = k.kind and d.number_kind = k.number_kind and d.number = k.number
    where ${isUnasked(runId)}
    order by d.kind, d.number_kind, d.number`.execute(db);
  return rows;
}

/** What nobody could ask for is said where the proof looks for what could not be read. @returns how many those are */
export async function saveUnasked(
  trx: Transaction<Tables>,
  { runId, reason }: { runId: string; reason: string },
  units: readonly DueUnit[],
): Promise<number> {
  const { numAffectedRows } = await sql`
    update order_due d set asked_run = ${runId}, failure = ${reason}
    from ${keySet(units)}
    where d.kind = k.kind and d.number_kind = k.number_kind and d.number = k.number
      and d.asked_run <> ${runId}`.execute(trx);
  return Number(numAffectedRows ?? 0n);
}
