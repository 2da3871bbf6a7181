/** Which files are old enough to go, as tables tell it, and which of them are kept whatever their age. */
import { sql } from 'kysely';
import type { Instant } from '../../core/time.ts';
import { RUN_COLUMNS } from '../runs/runs.ts';
import type { Run } from '../runs/runs.ts';
import type { BundleRow } from '../vouchers/voucher-bundles.ts';
import type { Db } from '../schema/schema.ts';
import type { Why } from './evidence.ts';

export interface OldVersion {
  run: Run;
  /** When the next version took its place. */
  supersededAt: Instant;
  why: Why | null;
  files: { path: string; sha256: string }[];
}

/** What of open breaks is in them, by the run. */
const OPEN_RUNS = sql`
  select f.run_id from finding f join break b using (break_id) where b.status = 'open'
  union select first_run from break where status = 'open' union select last_run from break where status = 'open'
  union select e.run_id from break_event e join break b using (break_id) where b.status = 'open' and e.run_id is not null
  union select run_id from settle_attempt where state <> 'CLOSED' or reopened_at is not null`;

/** Runs that found what is open, or sent what is. */
export async function listOpenRuns(session: Db): Promise<Set<string>> {
  const { rows } = await sql<{ run_id: string }>`${OPEN_RUNS}`.execute(session);
  return new Set(rows.map((row) => row.run_id));
}

/** Runs that were ever signed, also where the sign-off was taken back: the trail names them for good. */
export async function listSignedRuns(session: Db): Promise<Set<string>> {
  const { rows } = await sql<{ run_id: string }>`
    select distinct jsonb_array_elements_text(e.details -> 'runs') as run_id from break_event e
    where e.period is not null and jsonb_typeof(e.details -> 'runs') = 'array'`.execute(session);
  return new Set(rows.map((row) => row.run_id));
}

/** Versions of runs whose place another took before that instant, with what was written of them. */
export async function listOldVersions(
  session: Db,
  before: Instant,
): Promise<{ run: Run; supersededAt: Instant; isFollowed: boolean; files: OldVersion['files'] }[]> {
  const runs = await session
    .selectFrom('run')
    .select(RUN_COLUMNS)
    .where('superseded_by', 'is not', null)
    .orderBy('run_id')
    .execute();
  // That of the version which stands is the newest that people can read only where it was written.
  const { rows } = await sql<{
    run_id: string;
    at: Instant;
    followed: boolean;
    files: OldVersion['files'] | null;
  }>`
    select r.run_id, n.started_at as at, exists (select from run s join run_file f using (run_id)
        where (s.job, s.from_day, s.to_day, s.accounts) = (r.job, r.from_day, r.to_day, r.accounts)
          and s.superseded_by is null) as followed,
      (select jsonb_agg(jsonb_build_object('path', f.path, 'sha256', f.sha256) order by f.path) from run_file f
        where f.run_id = r.run_id) as files
    from run r join run n on n.run_id = r.superseded_by where n.started_at < ${before}`.execute(session);
  const byId = new Map(rows.map((row) => [row.run_id, row]));
  return runs.flatMap((run) => {
    const old = byId.get(run.run_id);
    if (old === undefined) return [];
    return [{ run, supersededAt: old.at, isFollowed: old.followed, files: old.files ?? [] }];
  });
}

export function listOldBundles(session: Db, before: Instant): Promise<BundleRow[]> {
  return session
    .selectFrom('voucher_bundle')
    .selectAll()
    .where('superseded_at', '<', before)
    .orderBy('account_no')
    .orderBy('month')
    .orderBy('version')
    .execute();
}

/** Which of these digests were signed as files of a period. */
export async function signedDigests(session: Db, digests: readonly string[]): Promise<Set<string>> {
  if (digests.length === 0) return new Set();
  const { rows } = await sql<{ sha256: string }>`
    select distinct figures ->> 'sha256' as sha256 from signed_row
    where kind = 'file' and figures ->> 'sha256' = any(${[...digests]}::text[])`.execute(session);
  return new Set(rows.map((row) => row.sha256));
}

/** Why files that were taken in are kept, by their digest; those that nothing needs any more are left out. */
export async function neededFiles(session: Db, digests: readonly string[]): Promise<Map<string, Why>> {
  if (digests.length === 0) return new Map();
  const { rows } = await sql<{ sha256: string; why: Why }>`
    with taken as materialized (
      select file_id, sha256 from intake_file where sha256 = any(${[...digests]}::text[])
    ), booked as materialized (
      select file_id, account_no, booked_at from ledger_entry where file_id in (select file_id from taken)
    ), registered as materialized (
      select * from order_registry where file_id in (select file_id from taken)
    ), needed as (
      select 1 as rank, 'in_force' as why, file_id from account
      union all select 1, 'in_force', opening_file_id from account
      union all
      select 2, 'settlement', r.file_id from registered r where not exists (
        select from transfer_order o where r.kind = 'transfer' and r.out_order_no <> '' and o.out_order_no = r.out_order_no
          and o.effective_state <> 'open' and o.settlement not in ('open', 'unknown', 'failed') and o.refund_waiting_fen = 0
        union all
        select from withdrawal w where r.kind = 'withdrawal' and w.out_order_no = r.out_order_no and w.effective_state <> 'open')
      union all
      select 3, 'open_break', file_id from booked where account_no in (select account_no from prune_open)
      union all
      select 3, 'open_break', r.file_id from registered r join prune_open o on o.account_no <> ''
        and o.account_no in (r.payer_account_no, r.payee_account_no)
      union all
      select 4, 'signed_period', b.file_id from booked b join prune_signed s on b.booked_at >= s.from_at and b.booked_at < s.to_at
      union all
      select 4, 'signed_period', r.file_id from registered r join prune_signed s on r.submitted_at >= s.from_at
        and r.submitted_at < s.to_at
    )
    select distinct on (t.sha256) t.sha256, n.why from taken t join needed n using (file_id)
    order by t.sha256, n.rank`.execute(session);
  return new Map(rows.map(({ sha256, why }) => [sha256, why]));
}
