/**
 * The sums a proof needs, per account, each taken once for all accounts of the run. One row an account travels
 * to the job; records do not.
 */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import type { Instant } from '../../core/time.ts';
import { copyRows } from '../../store/database/bulk.ts';
import type { Tables } from '../../store/schema/schema.ts';

export interface Flow {
  netFen: Fen;
  inFen: Fen;
  outFen: Fen;
  feeFen: Fen;
}

export const NO_FLOW: Flow = { netFen: 0n, inFen: 0n, outFen: 0n, feeFen: 0n };

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
