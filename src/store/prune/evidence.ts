/**
 * What nothing may be pruned of, laid aside in the session: accounts and numbers of open breaks, and the times of periods
 * that are signed off or wait for their approval.
 */
import { sql } from 'kysely';
import { addDays } from '../../core/time.ts';
import type { Day, Instant, Zone } from '../../core/time.ts';
import { listSignOffs } from '../periods/sign-offs.ts';
import type { Db } from '../schema/schema.ts';

/** Why something that is old enough is kept. */
export type Why =
  | 'open_break'
  | 'settlement'
  | 'signed_period'
  | 'read_since'
  | 'latest'
  | 'in_force'
  | 'not_told'
  | 'changed'
  | 'not_ours';

export interface Sum {
  count: number;
  bytes: bigint;
  /** The oldest and the newest day; null: there is none. */
  from: Day | null;
  to: Day | null;
}

/** What is old enough, by why it is kept; null: it goes. */
export type Found = Sum & { why: Why | null };

const STAGES = ['prune_open', 'prune_signed', 'prune_signed_run', 'prune_answer', 'prune_named'];

/** @param session a connection of its own: temporary tables belong to one */
export async function layEvidence(session: Db, zone: Zone): Promise<void> {
  await dropEvidence(session);
  await sql`
    create temporary table prune_open as
    select distinct account_no, reference as number, first_day from break where status = 'open'`.execute(
    session,
  );
  await sql`create temporary table prune_signed (from_at timestamptz, to_at timestamptz)`.execute(session);
  await sql`create temporary table prune_signed_run (run_id text)`.execute(session);
  for (const { event, period, details } of await listSignOffs(session)) {
    if (event === 'withdrawn') continue;
    await sql`insert into prune_signed_run select unnest(${details.runs}::text[])`.execute(session);
    // What it begins with was read before it, and what ends it after it.
    await sql`
      insert into prune_signed
      select least(${zone.dayStart(addDays(period.from, -1))}::timestamptz, min(opening_at) - interval '1 day'),
        ${zone.dayStart(addDays(period.to, 2))}::timestamptz
      from run_account where run_id = any(${details.runs}::text[])`.execute(session);
  }
}

export async function dropEvidence(session: Db): Promise<void> {
  for (const name of STAGES) await sql`drop table if exists ${sql.table(`pg_temp.${name}`)}`.execute(session);
}

/** Which of these days, of the beginning of which these are the instants, are signed. */
export async function signedSpans(session: Db): Promise<{ from: Instant; to: Instant }[]> {
  const { rows } = await sql<{ from: Instant; to: Instant }>`
    select from_at as "from", to_at as "to" from prune_signed`.execute(session);
  return rows;
}

export async function openAccounts(session: Db): Promise<Set<string>> {
  const { rows } = await sql<{ no: string }>`select distinct account_no as no from prune_open`.execute(
    session,
  );
  return new Set(rows.map(({ no }) => no));
}
