/** Alerts that everybody was told of, and which are kept all the same. */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Instant, Zone } from '../../core/time.ts';
import type { Db, Tables } from '../schema/schema.ts';
import type { Found } from './evidence.ts';
import { savePruned } from './pruned.ts';
import type { PrunedRow, Pruning } from './pruned.ts';

const ALERTS_A_PIECE = 2_000;

interface Of {
  before: Instant;
  zone: Zone;
}

/** Of the last night and of what cannot be told by a day nothing goes: its cause may come up again, and is told once. */
function oldAlerts({ before, zone }: Of) {
  return sql`
    select a.alert_id as key, '' as sha256, octet_length(a.document::text)::bigint as bytes,
      to_char(a.raised_at at time zone ${zone.name}, 'YYYY-MM-DD') as day, case
        when exists (select from alert_delivery d where d.alert_id = a.alert_id and d.state <> 'sent') then 'not_told'
        when a.day >= (select max(to_day)::date from run where job = 'nightly' and verdict is not null) then 'latest'
      end as why
    from alert a where a.raised_at < ${before}`;
}

export async function sumAlerts(db: Db, of: Of): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select why, count(*)::integer as count, coalesce(sum(bytes), 0)::bigint as bytes, min(day) as "from", max(day) as "to"
    from (${oldAlerts(of)}) a group by why order by why nulls first`.execute(db);
  return rows;
}

/** @returns undefined where none is left to go */
export async function pruneSomeAlerts(
  trx: Transaction<Tables>,
  pruning: Pruning,
  of: Of,
): Promise<PrunedRow[] | undefined> {
  const removed = sql`
    select key, sha256, bytes, day from (${oldAlerts(of)}) a where why is null order by key limit ${ALERTS_A_PIECE}`;
  const gone = await savePruned(trx, pruning, { removed, going: 'with it' });
  if (gone.length === 0) return undefined;
  const ids = gone.map(({ key }) => key);
  await trx.deleteFrom('alert_delivery').where('alert_id', 'in', ids).execute();
  await trx.deleteFrom('alert').where('alert_id', 'in', ids).execute();
  return gone;
}
