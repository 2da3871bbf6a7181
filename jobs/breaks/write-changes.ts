/** Writes what people say of breaks to the audit trail. */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { jsonText } from '../../src/core/json.ts';
import type { Instant } from '../../src/core/time.ts';
import { copyKeyed, stageOf } from '../../src/store/database/bulk.ts';
import { appendEvents, gatherEvents } from '../../src/store/runs/audit-trail.ts';
import type { TrailHead } from '../../src/store/runs/audit-trail.ts';
import type { Tables } from '../../src/store/schema/schema.ts';
import type { Change } from './say.ts';

const SAID = stageOf('said_event', {
  n: 'bigint',
  break_id: 'text',
  event: 'text',
  details: 'jsonb',
  work: 'jsonb',
});

/** @param of.head the trail's, since which nobody else wrote to it (`openTrail`) */
export async function writeChanges(
  trx: Transaction<Tables>,
  changes: readonly Change[],
  of: { by: string; at: Instant; head: TrailHead },
): Promise<void> {
  const rows = changes.map(({ found, event, details, work }, n) => ({
    n,
    break_id: found.break_id,
    event,
    details: jsonText(details),
    work: jsonText(work),
  }));
  await copyKeyed(trx, SAID, rows);
  await gatherEvents(trx, sql`select break_id, event, details, work from said_event order by n`);
  await appendEvents(trx, { runId: null, actor: of.by, at: of.at }, of.head);
}
