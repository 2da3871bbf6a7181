/**
 * The sums a proof needs, per account, each taken once for all accounts of the run. One row an account travels
 * to the job; records do not.
 */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Fen } from '../core/fen.ts';
import type { Instant } from '../core/time.ts';
import { copyRows } from '../store/bulk.ts';
import type { Tables } from '../store/schema.ts';
import type { ProofSpan } from './scope.ts';

export interface Closing {
  snapshotAt: Instant;
  /** Our clock when the bracket closed. */
  closedAt: Instant;
  balanceFen: Fen;
  frozenFen: Fen | undefined;
  /** Movements between the cut and the snapshot that the balance holds. */
  laterFen: Fen;
  laterCount: number;
  source: 'observed' | 'derived';
}

/** The closing of the run before. */
export interface Previous {
  runId: string;
  at: Instant;
  fen: Fen;
}

export interface Flow {
  netFen: Fen;
  inFen: Fen;
  outFen: Fen;
  feeFen: Fen;
}

export const NO_FLOW: Flow = { netFen: 0n, inFen: 0n, outFen: 0n, feeFen: 0n };

/**
 * The earliest stable balance at or after the cut, with what moved in between. A deposit of the very second of
 * the balance is in it when it was seen before the bracket closed.
 */
export async function closings(
  trx: Transaction<Tables>,
  accounts: readonly string[],
  span: ProofSpan,
  observedMinutes: number,
): Promise<Map<string, Closing>> {
  const { rows } = await sql<{
    account_no: string;
    taken_at: Instant;
    closed_at: Instant;
    balance_fen: Fen;
    frozen_fen: Fen | null;
    later_fen: Fen;
    later_count: number;
    soon: boolean;
  }>`
    with snapshot as (
      select distinct on (account_no) * from balance_snapshot
      where account_no = any(${accounts}::text[]) and state = 'stable' and taken_at >= ${span.cut}
      order by account_no, taken_at, run_id
    )
    select s.account_no, s.taken_at, s.closed_at, s.balance_fen, s.frozen_fen,
      coalesce(l.fen, 0)::bigint as later_fen, coalesce(l.n, 0)::integer as later_count,
      s.taken_at <= ${span.cut}::timestamptz + make_interval(mins => ${observedMinutes}) as soon
    from snapshot s
    left join lateral (
      ${heldSince(sql`s.account_no`, { from: sql`${span.cut}`, takenAt: sql`s.taken_at`, closedAt: sql`s.closed_at` })}
    ) l on true
    order by s.account_no`.execute(trx);
  return new Map(
    rows.map((row) => [
      row.account_no,
      {
        snapshotAt: row.taken_at,
        closedAt: row.closed_at,
        balanceFen: row.balance_fen,
        frozenFen: row.frozen_fen ?? undefined,
        laterFen: row.later_fen,
        laterCount: row.later_count,
        source: row.soon && row.later_count === 0 ? 'observed' : 'derived',
      },
    ]),
  );
}

/** What moved on an account since an instant and is held by a balance taken later. */
function heldSince(
  accountNo: RawBuilder<unknown>,
  of: Record<'from' | 'takenAt' | 'closedAt', RawBuilder<unknown>>,
): RawBuilder<unknown> {
  return sql`
    select sum(m.delta_fen) as fen, count(*) as n
    from movement m
    left join deposit d on d.account_no = m.account_no and d.order_no = m.reference and m.family = 'deposit'
    where m.account_no = ${accountNo} and m.effective_from >= ${of.from} and m.effective_from <= ${of.takenAt}
      and not (m.effective_from = ${of.takenAt} and coalesce(d.seen_at > ${of.closedAt}, false))`;
}

/** Kept baselines, each its first balance rolled back to where the proof begins with all that is known now. */
export async function keptBaselines(
  trx: Transaction<Tables>,
  accounts: readonly string[],
): Promise<Map<string, { at: Instant; fen: Fen; snapshotAt: Instant }>> {
  const { rows } = await sql<{ account_no: string; at: Instant; fen: Fen; snapshot_at: Instant }>`
    select b.account_no, b.at, b.snapshot_at, (b.balance_fen - coalesce(l.fen, 0))::bigint as fen
    from account_baseline b
    left join lateral (
      ${heldSince(sql`b.account_no`, {
        from: sql`b.at`,
        takenAt: sql`b.snapshot_at`,
        closedAt: sql`b.snapshot_closed_at`,
      })}
    ) l on true
    where b.account_no = any(${accounts}::text[])`.execute(trx);
  return new Map(
    rows.map((row) => [row.account_no, { at: row.at, fen: row.fen, snapshotAt: row.snapshot_at }]),
  );
}

/** The closing of the latest finished run before this cut that stated one, by account. */
export async function previousClosings(
  trx: Transaction<Tables>,
  accounts: readonly string[],
  run: { runId: string; toDay: string },
): Promise<Map<string, Previous & { cutDay: string }>> {
  const { rows } = await sql<{ account_no: string; run_id: string; to_day: string; platform_fen: Fen }>`
    select distinct on (a.account_no) a.account_no, r.run_id, r.to_day, a.platform_fen
    from run_account a join run r on r.run_id = a.run_id
    where a.account_no = any(${accounts}::text[]) and r.state = 'finished'
      and r.superseded_by is null and r.to_day < ${run.toDay} and a.platform_fen is not null
      and a.opening_fen is not null and r.run_id <> ${run.runId}
    order by a.account_no, r.to_day desc, r.job desc, r.run_id desc`.execute(trx);
  return new Map(
    rows.map((row) => [
      row.account_no,
      { runId: row.run_id, at: '', fen: row.platform_fen, cutDay: row.to_day },
    ]),
  );
}

const PERIODS = {
  name: 'stage_period',
  columns: [
    { name: 'account_no', type: 'text collate "C"' },
    { name: 'period_from', type: 'timestamptz' },
    { name: 'period_to', type: 'timestamptz' },
  ],
} as const;

export interface Period {
  accountNo: string;
  from: Instant;
  to: Instant;
}

async function stagePeriods(trx: Transaction<Tables>, periods: readonly Period[]): Promise<void> {
  await copyRows(trx, PERIODS, []);
  await sql`delete from stage_period`.execute(trx);
  await copyRows(
    trx,
    PERIODS,
    periods.map(({ accountNo, from, to }) => [accountNo, from, to]),
  );
}

interface FlowRow {
  account_no: string;
  net_fen: Fen;
  in_fen: Fen;
  out_fen: Fen;
  fee_fen: Fen;
}

function flowsByAccount(rows: readonly FlowRow[]): Map<string, Flow> {
  return new Map(
    rows.map((row) => [
      row.account_no,
      { netFen: row.net_fen, inFen: row.in_fen, outFen: row.out_fen, feeFen: row.fee_fen },
    ]),
  );
}

/** Platform movements of each account in its period; a fee inside an order is shown as a fee. */
export async function platformFlows(
  trx: Transaction<Tables>,
  periods: readonly Period[],
): Promise<Map<string, Flow>> {
  await stagePeriods(trx, periods);
  const { rows } = await sql<FlowRow>`
    select p.account_no, sum(m.delta_fen)::bigint as net_fen,
      coalesce(sum(m.delta_fen + m.fee_fen) filter (where m.delta_fen + m.fee_fen > 0), 0)::bigint as in_fen,
      coalesce(-sum(m.delta_fen + m.fee_fen) filter (where m.delta_fen + m.fee_fen < 0), 0)::bigint as out_fen,
      sum(m.fee_fen)::bigint as fee_fen
    from stage_period p
    join movement m on m.account_no = p.account_no
      and m.effective_from >= p.period_from and m.effective_from < p.period_to
    group by p.account_no`.execute(trx);
  return flowsByAccount(rows);
}

/** Posted ledger entries of each account in its period, openings left out. */
export async function ledgerFlows(
  trx: Transaction<Tables>,
  periods: readonly Period[],
): Promise<Map<string, Flow>> {
  await stagePeriods(trx, periods);
  const { rows } = await sql<FlowRow>`
    select p.account_no, sum(e.amount_fen)::bigint as net_fen,
      coalesce(sum(e.amount_fen) filter (where e.kind <> 'fee' and e.amount_fen > 0), 0)::bigint as in_fen,
      coalesce(-sum(e.amount_fen) filter (where e.kind <> 'fee' and e.amount_fen < 0), 0)::bigint as out_fen,
      coalesce(-sum(e.amount_fen) filter (where e.kind = 'fee'), 0)::bigint as fee_fen
    from stage_period p
    join ledger_entry e on e.account_no = p.account_no and e.booked_at >= p.period_from
      and e.booked_at < p.period_to
    where e.current and e.status = 'posted' and e.kind <> 'opening'
    group by p.account_no`.execute(trx);
  return flowsByAccount(rows);
}

/** The opening entries of the books, by account: their sum and the latest of their times. */
export async function ledgerOpenings(
  trx: Transaction<Tables>,
  accounts: readonly string[],
): Promise<Map<string, { at: Instant; fen: Fen }>> {
  const { rows } = await sql<{ account_no: string; at: Instant; fen: Fen }>`
    select account_no, max(booked_at) as at, sum(amount_fen)::bigint as fen from ledger_entry
    where account_no = any(${accounts}::text[]) and kind = 'opening' and current
      and status = 'posted'
    group by account_no`.execute(trx);
  return new Map(rows.map((row) => [row.account_no, { at: row.at, fen: row.fen }]));
}

/** How many posted entries lie before the opening of the books: kept, not counted, and said. */
export async function entriesBeforeOpening(
  trx: Transaction<Tables>,
  periods: readonly Period[],
): Promise<Map<string, number>> {
  await stagePeriods(trx, periods);
  const { rows } = await sql<{ account_no: string; n: number }>`
    select p.account_no, count(*)::integer as n from stage_period p
    join ledger_entry e on e.account_no = p.account_no and e.booked_at < p.period_from
    where e.current and e.kind <> 'opening'
    group by p.account_no`.execute(trx);
  return new Map(rows.map((row) => [row.account_no, row.n]));
}

/** How many days of each account's period have not been read in a verified pass. */
export async function unprovenDays(
  trx: Transaction<Tables>,
  spans: readonly { accountNo: string; fromDay: string; toDay: string }[],
): Promise<Map<string, number>> {
  const unproven = new Map<string, number>();
  const stage = {
    name: 'stage_days',
    columns: [
      { name: 'account_no', type: 'text collate "C"' },
      { name: 'from_day', type: 'text' },
      { name: 'to_day', type: 'text' },
    ],
  } as const;
  await copyRows(trx, stage, []);
  await sql`delete from stage_days`.execute(trx);
  await copyRows(
    trx,
    stage,
    spans.map((span) => [span.accountNo, span.fromDay, span.toDay]),
  );
  const { rows } = await sql<{ account_no: string; missing: number }>`
    select s.account_no, ((s.to_day::date - s.from_day::date + 1) - count(d.day))::integer as missing
    from stage_days s
    left join sync_day d on d.account_no = s.account_no and d.day >= s.from_day and d.day <= s.to_day
    group by s.account_no, s.from_day, s.to_day`.execute(trx);
  for (const row of rows) if (row.missing > 0) unproven.set(row.account_no, row.missing);
  return unproven;
}
