/**
 * The audit trail: everything that happens to breaks and to periods that people sign off, and what was pruned, in one sequence whose events are
 * never edited and each hold a digest of themselves and of the one before (migrations 0067, 0072, 0082). Events are gathered set
 * by set and written as one piece.
 */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Instant } from '../../core/time.ts';
import { jsonText } from '../../core/json.ts';
import { analyzeStage, copyRows, stageOf } from '../database/bulk.ts';
import type { DbOrTransaction, PrunedKind, Tables } from '../schema/schema.ts';
import { NO_DIGEST, digestOfEvent } from './trail-digest.ts';

/** The last event there is. */
export interface TrailHead {
  no: bigint;
  digest: string;
}

/** `128:3fa9…`: as results, workbooks and `verify --trail` write a head. */
export function headText({ no, digest }: TrailHead): string {
  return `${no}:${digest}`;
}

/** Where the trail stands, for who only reads. */
export async function findTrailHead(db: DbOrTransaction): Promise<TrailHead> {
  const row = await db.selectFrom('audit_trail').selectAll().executeTakeFirst();
  return { no: row?.last_no ?? 0n, digest: row?.digest ?? NO_DIGEST };
}

/** The head as it was when the trail had so many events; undefined: it never had. */
export async function findHeadAt(db: DbOrTransaction, no: bigint): Promise<TrailHead | undefined> {
  if (no === 0n) return { no, digest: NO_DIGEST };
  const row = await db
    .selectFrom('break_event')
    .select('digest')
    .where('trail_no', '=', no)
    .executeTakeFirst();
  return row && { no, digest: row.digest };
}

/** Who makes events, and when; a run for what a proof says. */
export interface EventMaker {
  runId: string | null;
  actor: string;
  at: Instant;
}

/** Events digested at a time: memory stays flat (H13). */
const EVENTS_A_PIECE = 10_000;

const LINKS = stageOf('trail_link', { n: 'bigint', before_digest: 'text', digest: 'text' });

/**
 * Begins to gather events. Until the transaction ends nobody else writes one, so that what is read of breaks and of
 * what people said of them stays so, and the trail never forks.
 */
export async function openTrail(trx: Transaction<Tables>): Promise<TrailHead> {
  await trx
    .insertInto('audit_trail')
    .values({ last_no: 0n, digest: NO_DIGEST })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const head = await trx.selectFrom('audit_trail').selectAll().forUpdate().executeTakeFirstOrThrow();
  await sql`drop table if exists new_event`.execute(trx);
  await sql`
    create temporary table new_event (n bigint generated always as identity, break_id text collate "C",
      period text collate "C", pruned text, event text, details jsonb not null default '{}', work jsonb) on commit drop`.execute(
    trx,
  );
  return { no: head.last_no, digest: head.digest };
}

/** @param events selects break_id, event, details and work, in the order in which they are to stand */
export async function gatherEvents(trx: Transaction<Tables>, events: RawBuilder<unknown>): Promise<void> {
  await sql`insert into new_event (break_id, event, details, work) ${events}`.execute(trx);
}

/** An event of a day or a month. */
export async function gatherPeriodEvent(
  trx: Transaction<Tables>,
  { period, event, details }: { period: string; event: string; details: object },
): Promise<void> {
  await sql`
    insert into new_event (period, event, details) values (${period}, ${event}, ${jsonText(details)}::jsonb)`.execute(
    trx,
  );
}

/** An event of what is pruned. */
export async function gatherPrunedEvent(
  trx: Transaction<Tables>,
  { kind, details }: { kind: PrunedKind; details: object },
): Promise<void> {
  await sql`
    insert into new_event (pruned, event, details) values (${kind}, 'pruned', ${jsonText(details)}::jsonb)`.execute(
    trx,
  );
}

/**
 * Writes what was gathered behind the head.
 * @returns the new head; the old one where nothing was gathered
 */
export async function appendEvents(
  trx: Transaction<Tables>,
  by: EventMaker,
  head: TrailHead,
): Promise<TrailHead> {
  const { rows } = await sql<{ any: boolean }>`select exists (select from new_event) as any`.execute(trx);
  if (rows[0]?.any !== true) return head;
  await numberEvents(trx);
  const last = await linkEvents(trx, by, head);
  await sql`
    insert into break_event (break_id, period, pruned, event_no, run_id, event, actor, at, details, work, trail_no, before_digest,
      digest)
    select e.break_id, e.period, e.pruned, e.event_no, ${by.runId}, e.event, ${by.actor}, ${by.at}, e.details, e.work,
      ${head.no}::bigint + e.n, l.before_digest, l.digest
    from numbered_event e join trail_link l using (n)`.execute(trx);
  await sql`truncate new_event restart identity`.execute(trx);
  await trx.updateTable('audit_trail').set({ last_no: last.no, digest: last.digest }).execute();
  return last;
}

/** Each gets its number in the trail, from 1, and in the life of its break or period. */
async function numberEvents(trx: Transaction<Tables>): Promise<void> {
  await sql`drop table if exists numbered_event`.execute(trx);
  await sql`
    create temporary table numbered_event on commit drop as
    select row_number() over (order by n.n) as n, n.break_id, n.period, n.pruned, n.event, n.details, n.work,
      (coalesce(k.event_no, 0) + row_number() over (partition by n.break_id, n.period, n.pruned order by n.n))::integer as event_no
    from new_event n cross join lateral (select case
      when n.period is not null then (select max(e.event_no) from break_event e where e.period = n.period)
      when n.pruned is not null then (select max(e.event_no) from break_event e where e.pruned = n.pruned)
      else (select max(e.event_no) from break_event e where e.break_id = n.break_id) end as event_no) k`.execute(
    trx,
  );
  await sql`create unique index on numbered_event (n)`.execute(trx);
  await sql`analyze numbered_event`.execute(trx);
}

interface Numbered {
  n: bigint;
  break_id: string | null;
  period: string | null;
  pruned: string | null;
  event_no: number;
  event: string;
  details: unknown;
  work: object | null;
}

async function linkEvents(trx: Transaction<Tables>, by: EventMaker, head: TrailHead): Promise<TrailHead> {
  let last = head;
  await copyRows(trx, LINKS, []);
  await sql`truncate trail_link`.execute(trx);
  for (;;) {
    const { rows } = await sql<Numbered>`
      select * from numbered_event where n > ${last.no - head.no}::bigint order by n limit ${EVENTS_A_PIECE}`.execute(
      trx,
    );
    if (rows.length === 0) break;
    const links = rows.map((row) => {
      const before = last.digest;
      const no = head.no + row.n;
      const { break_id: breakId, period, pruned, event_no: eventNo, event, details, work } = row;
      const digest = digestOfEvent({
        ...by,
        no,
        before,
        breakId,
        period,
        pruned,
        eventNo,
        event,
        details,
        work,
      });
      last = { no, digest };
      return [String(row.n), before, last.digest];
    });
    await copyRows(trx, LINKS, links);
  }
  await analyzeStage(trx, LINKS);
  return last;
}
