/**
 * The proofs of each account in a row, from its baseline to its latest closing: what they could not explain, under
 * which profile they were made, and the two balances at their ends.
 */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import type { Instant } from '../../core/time.ts';
import type { DbOrTransaction, Tables } from '../../store/schema/schema.ts';
import { reasonText } from '../balance/reasons.ts';

/** When a balance was read: the platform's second of it, and our clock before and after. */
export interface ReadTimes {
  takenAt: Instant;
  openedAt: Instant;
  closedAt: Instant;
}

/** Runs in a row that were made under one profile. */
export interface ChainPart {
  accountNo: string;
  /** From 1, oldest first. */
  partNo: number;
  from: Instant;
  /** The cut of the last of them. */
  to: Instant;
  lastRun: string;
  unexplainedFen: Fen;
}

/**
 * The standing runs that lead to the latest closing of each account. An opening names the version it was taken
 * from; where that was restated since, the version that stands counts.
 */
export async function listChainParts(trx: Transaction<Tables>, zoneName: string): Promise<ChainPart[]> {
  const { rows } = await sql<ChainPart>`
    with recursive standing as (
      select run_id, job, from_day, to_day, accounts, profile_digest from run
      where state = 'finished' and superseded_by is null
    ), chain as (
      (select distinct on (a.account_no) a.account_no, a.run_id
      from run_account a join standing r using (run_id)
      where a.platform_fen is not null and a.unexplained_fen is not null
      order by a.account_no, r.to_day desc, r.job desc, r.run_id desc)
      union all
      select c.account_no, s.run_id
      from chain c
      join run_account a on a.run_id = c.run_id and a.account_no = c.account_no
      join run o on o.run_id = a.opening_run
      join standing s on s.job = o.job and s.from_day = o.from_day and s.to_day = o.to_day
        and s.accounts = o.accounts
    ), proven as (
      select c.account_no, c.run_id, s.profile_digest, a.opening_at, a.unexplained_fen,
        (s.to_day::date + 1)::timestamp at time zone ${zoneName} as cut
      from chain c
      join standing s using (run_id)
      join run_account a on a.run_id = c.run_id and a.account_no = c.account_no
    ), marked as (
      select *, profile_digest is distinct from lag(profile_digest) over by_time as is_other
      from proven window by_time as (partition by account_no order by cut)
    ), numbered as (
      select *, count(*) filter (where is_other) over (partition by account_no order by cut) as part_no
      from marked
    )
    select account_no as "accountNo", part_no::integer as "partNo", min(opening_at) as "from", max(cut) as "to",
      (array_agg(run_id order by cut desc))[1] as "lastRun",
      coalesce(sum(unexplained_fen), 0)::bigint as "unexplainedFen"
    from numbered group by account_no, part_no order by account_no, part_no`.execute(trx);
  return rows;
}

/** An account that its latest standing proof could not prove. */
export interface UnprovenAccount {
  accountNo: string;
  verdict: 'unverified' | 'incomplete';
  /** As the result has it, in English. */
  reason: string;
}

export async function listUnproven(trx: Transaction<Tables>): Promise<UnprovenAccount[]> {
  const { rows } = await sql<UnprovenAccount>`
    with latest as (
      select distinct on (a.account_no) a.account_no, a.verdict, a.reason
      from run_account a join run r using (run_id)
      where r.state <> 'open' and r.superseded_by is null
      order by a.account_no, r.to_day desc, r.state = 'finished' desc, r.job desc, r.version desc
    )
    select account_no as "accountNo", verdict, reason from latest
    where verdict in ('unverified', 'incomplete') order by account_no`.execute(trx);
  return rows.map((row) => ({ ...row, reason: row.reason === '' ? '' : reasonText(row.reason) }));
}

/** Accounts of which proofs that stand left amounts of both signs: a residual is their sum, and may be zero all the same. */
export async function listCancelling(db: DbOrTransaction): Promise<string[]> {
  const { rows } = await sql<{ account_no: string }>`
    select u.account_no from run_unexplained u
    join run_account a on a.run_id = u.run_id and a.account_no = u.account_no and a.chained
    join run r on r.run_id = u.run_id and r.superseded_by is null
    group by u.account_no having min(u.fen) < 0 and max(u.fen) > 0 order by u.account_no`.execute(db);
  return rows.map((row) => row.account_no);
}

/** The profile as each of these runs recorded it. */
export async function listRunAssumptions(
  trx: Transaction<Tables>,
  runs: readonly string[],
): Promise<Map<string, { profileDigest: string; assumptions: unknown }>> {
  const { rows } = await sql<{ run_id: string; profile_digest: string; assumptions: unknown }>`
    select run_id, profile_digest, assumptions from run where run_id = any(${runs}::text[])`.execute(trx);
  return new Map(
    rows.map((row) => [row.run_id, { profileDigest: row.profile_digest, assumptions: row.assumptions }]),
  );
}

/** The balances an account's proofs rest on. */
export interface ChainEnds {
  accountNo: string;
  inFlightFen: Fen;
  /** What the closing has beyond the balance rolled back to the cut: open debits taken for debited already. */
  heldFen: Fen;
  closing: ReadTimes | undefined;
  /** The first balance, where that is the baseline. */
  baseline: ReadTimes | undefined;
  baselineHeldFen: Fen;
}

interface EndsRow {
  account_no: string;
  in_flight_fen: Fen;
  held_fen: Fen;
  taken_at: Instant | null;
  opened_at: Instant | null;
  closed_at: Instant | null;
  baseline_taken_at: Instant | null;
  baseline_opened_at: Instant | null;
  baseline_closed_at: Instant | null;
  baseline_held_fen: Fen;
}

/** @param latest the last part of each account's chain */
export async function listChainEnds(
  trx: Transaction<Tables>,
  latest: readonly ChainPart[],
): Promise<ChainEnds[]> {
  const { rows } = await sql<EndsRow>`
    select l.account_no, a.in_flight_fen, s.taken_at, s.opened_at, s.closed_at,
      coalesce(a.platform_fen - s.balance_fen + coalesce(later.fen, 0), 0)::bigint as held_fen,
      b.snapshot_at as baseline_taken_at, coalesce(first.opened_at, b.snapshot_at) as baseline_opened_at,
      b.snapshot_closed_at as baseline_closed_at, coalesce(b.held_fen, 0)::bigint as baseline_held_fen
    from unnest(${latest.map(({ accountNo }) => accountNo)}::text[],
      ${latest.map(({ lastRun }) => lastRun)}::text[],
      ${latest.map(({ to }) => to)}::timestamptz[]) l (account_no, run_id, cut)
    join run_account a on a.run_id = l.run_id and a.account_no = l.account_no
    left join account on account.account_no = l.account_no
    left join lateral (
      select n.taken_at, coalesce(n.opened_at, n.taken_at) as opened_at, n.closed_at, n.balance_fen
      from balance_snapshot n
      where n.account_no = l.account_no and n.state = 'stable' and n.taken_at >= l.cut
      order by n.taken_at, n.run_id limit 1
    ) s on true
    left join lateral (
      select sum(m.delta_fen) as fen
      from movement m
      left join deposit d on d.account_no = m.account_no and d.order_no = m.reference and m.family = 'deposit'
      where m.account_no = l.account_no and m.effective_from >= l.cut
        and case when m.order_account = '' then m.effective_from <= s.taken_at
            and not (m.effective_from = s.taken_at and coalesce(d.seen_at > s.closed_at, false))
          else m.effective_to <= s.closed_at or m.effective_from <= s.opened_at end
    ) later on true
    left join account_baseline b on b.account_no = l.account_no and account.opening_fen is null
    left join lateral (
      select max(n.opened_at) as opened_at from balance_snapshot n
      where n.account_no = b.account_no and n.taken_at = b.snapshot_at and n.closed_at = b.snapshot_closed_at
    ) first on true
    order by l.account_no`.execute(trx);
  return rows.map((row) => ({
    accountNo: row.account_no,
    inFlightFen: row.in_flight_fen,
    heldFen: row.held_fen,
    closing: timesOf(row.taken_at, row.opened_at, row.closed_at),
    baseline: timesOf(row.baseline_taken_at, row.baseline_opened_at, row.baseline_closed_at),
    baselineHeldFen: row.baseline_held_fen,
  }));
}

/** Undefined where there is no such balance. */
function timesOf(
  takenAt: Instant | null,
  openedAt: Instant | null,
  closedAt: Instant | null,
): ReadTimes | undefined {
  if (takenAt === null || openedAt === null || closedAt === null) return undefined;
  return { takenAt, openedAt, closedAt };
}
