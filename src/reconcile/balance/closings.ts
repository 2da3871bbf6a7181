/**
 * Balances the proof begins and ends with: the closing at or after the cut, the closing of the run before, and
 * the baselines kept from first runs; each with what moved between it and the instant it is wanted for.
 */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import type { Instant } from '../../core/time.ts';
import type { Tables } from '../../store/schema/schema.ts';
import type { GoneAccounts } from './gone-accounts.ts';
import type { ProofSpan } from './scope.ts';

export interface Closing {
  snapshotAt: Instant;
  /** Before its first reading, our clock in the platform's time. */
  openedAt: Instant;
  /** Our clock when the bracket closed. */
  closedAt: Instant;
  balanceFen: Fen;
  frozenFen: Fen | undefined;
  availableFen: Fen | undefined;
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
  /** The in-flight model that was known then. */
  model: 'frozen' | 'debited' | undefined;
}

/**
 * The earliest stable balance at or after the cut, with what moved in between. An account that is gone, and of which
 * there is none, holds nothing from then on.
 */
export async function closings(
  trx: Transaction<Tables>,
  accounts: readonly string[],
  span: ProofSpan,
  { observedMinutes, gone }: { observedMinutes: number; gone: GoneAccounts },
): Promise<Map<string, Closing>> {
  const { rows } = await sql<{
    account_no: string;
    taken_at: Instant;
    opened_at: Instant;
    closed_at: Instant;
    balance_fen: Fen;
    frozen_fen: Fen | null;
    available_fen: Fen | null;
    later_fen: Fen;
    later_count: number;
    soon: boolean;
  }>`
    with stated as (
      select account_no, taken_at, closed_at, opened_at, run_id, balance_fen, frozen_fen, available_fen, false as gone
      from balance_snapshot
      where account_no = any(${accounts}::text[]) and state = 'stable' and taken_at >= ${span.cut}
      union all
      select account_no, at, at, at, '', 0, null, null, true
      from unnest(${[...gone.keys()]}::text[], ${[...gone.values()].map(({ at }) => at)}::timestamptz[]) g (account_no, at)
      where at >= ${span.cut}
    ), snapshot as (
      select distinct on (account_no) * from stated order by account_no, gone, taken_at, run_id
    )
    select s.account_no, s.taken_at, coalesce(s.opened_at, s.taken_at) as opened_at, s.closed_at, s.balance_fen, s.frozen_fen,
      s.available_fen, coalesce(l.fen, 0)::bigint as later_fen, coalesce(l.n, 0)::integer as later_count,
      not s.gone and s.taken_at <= ${span.cut}::timestamptz + make_interval(mins => ${observedMinutes}) as soon
    from snapshot s
    left join lateral (
      ${heldSince(sql`s.account_no`, {
        from: sql`${span.cut}::timestamptz`,
        takenAt: sql`s.taken_at`,
        openedAt: sql`coalesce(s.opened_at, s.taken_at)`,
        closedAt: sql`s.closed_at`,
      })}
    ) l on true
    order by s.account_no`.execute(trx);
  return new Map(
    rows.map((row) => [
      row.account_no,
      {
        snapshotAt: row.taken_at,
        openedAt: row.opened_at,
        closedAt: row.closed_at,
        balanceFen: row.balance_fen,
        frozenFen: row.frozen_fen ?? undefined,
        availableFen: row.available_fen ?? undefined,
        laterFen: row.later_fen,
        laterCount: row.later_count,
        source: row.soon && row.later_count === 0 ? 'observed' : 'derived',
      },
    ]),
  );
}

/**
 * Of these closings, the accounts on which a later balance says the same once what moved since the cut is rolled back:
 * the first one after a look that leaves no doubt which orders lie in it.
 */
export async function confirmedClosings(
  trx: Transaction<Tables>,
  closed: readonly { accountNo: string; closing: Closing; certainFrom: Instant }[],
  cut: Instant,
): Promise<Set<string>> {
  if (closed.length === 0) return new Set();
  const { rows } = await sql<{ account_no: string }>`
    select c.account_no
    from unnest(${closed.map(({ accountNo }) => accountNo)}::text[],
      ${closed.map(({ closing }) => closing.closedAt)}::timestamptz[],
      ${closed.map(({ certainFrom }) => certainFrom)}::timestamptz[],
      ${closed.map(({ closing }) => closing.balanceFen - closing.laterFen)}::bigint[])
      c (account_no, closed_at, certain_at, closing_fen)
    cross join lateral (
      select * from balance_snapshot b
      where b.account_no = c.account_no and b.state = 'stable' and b.closed_at > c.closed_at
        and b.closed_at >= c.certain_at
      order by b.closed_at, b.run_id limit 1
    ) s
    left join lateral (
      ${heldSince(sql`s.account_no`, {
        from: sql`${cut}::timestamptz`,
        takenAt: sql`s.taken_at`,
        openedAt: sql`coalesce(s.opened_at, s.taken_at)`,
        closedAt: sql`s.closed_at`,
      })}
    ) l on true
    where s.balance_fen - coalesce(l.fen, 0) = c.closing_fen`.execute(trx);
  return new Set(rows.map((row) => row.account_no));
}

/**
 * What moved on an account since an instant and is held by a balance taken later: deposits that were seen before its
 * bracket closed, whatever time they carry, and those seen later that carry a time before it; changes of orders that
 * had been seen when it was closed, or that count from before it was opened. Deposits that carry a time before it are
 * held in any case, and nearly all do: they are not looked up.
 */
function heldSince(accountNo: RawBuilder<unknown>, of: BalanceMoments): RawBuilder<unknown> {
  return sql`
    select sum(m.delta_fen) as fen, count(*) as n
    from (${mayBeHeld(accountNo, of)}) m
    left join deposit d on d.account_no = m.account_no and m.family = 'deposit'
      and d.order_no = case when m.effective_from >= ${of.takenAt} then m.reference end
    where case when m.order_account = '' then coalesce(d.seen_at <= ${of.closedAt}, false)
          or m.effective_from < ${of.takenAt} or (m.effective_from = ${of.takenAt} and d.seen_at is null)
        else m.effective_to <= ${of.closedAt} or m.effective_from <= ${of.openedAt} end`;
}

type BalanceMoments = Record<'from' | 'takenAt' | 'openedAt' | 'closedAt', RawBuilder<unknown>>;

/**
 * All that `heldSince` may count, without the history that lies behind the balance: what carries a time up to it, and of
 * what carries a later one the few that were seen before their own time. The indexes of migration 0043 list them.
 */
function mayBeHeld(accountNo: RawBuilder<unknown>, of: BalanceMoments): RawBuilder<unknown> {
  const end = sql`greatest(${of.takenAt}, ${of.openedAt}, ${of.closedAt})`;
  const isBehind = sql`m.effective_from >= ${of.from} and m.effective_from > ${end}`;
  return sql`
      select m.* from movement m
      where m.account_no = ${accountNo} and m.effective_from >= ${of.from} and m.effective_from <= ${end}
      union all
      select m.* from movement m
      where m.account_no = ${accountNo} and m.effective_from > m.effective_to and ${isBehind}
      union all
      select m.* from deposit a
      join movement m on m.account_no = a.account_no
        and m.dedup_key in ('deposit:' || a.order_no, 'deposit_fee:' || a.order_no)
      where a.account_no = ${accountNo} and a.seen_at < a.deposited_at
        and m.effective_from <= m.effective_to and ${isBehind}`;
}

export interface KeptBaseline {
  at: Instant;
  fen: Fen;
  snapshotAt: Instant;
  openedAt: Instant;
  closedAt: Instant;
  frozenFen: Fen | undefined;
  /** What was in flight then and had been debited already. */
  heldFen: Fen;
  /** What it came to when a run first told it. */
  toldFen: Fen | undefined;
}

/** Kept baselines, each its first balance rolled back to where the proof begins with all that is known now. */
export async function keptBaselines(
  trx: Transaction<Tables>,
  accounts: readonly string[],
): Promise<Map<string, KeptBaseline>> {
  const { rows } = await sql<{
    account_no: string;
    at: Instant;
    fen: Fen;
    snapshot_at: Instant;
    opened_at: Instant;
    closed_at: Instant;
    frozen_fen: Fen | null;
    held_fen: Fen;
    told_fen: Fen | null;
  }>`
    select b.account_no, b.at, b.snapshot_at, b.held_fen, b.told_fen, coalesce(s.opened_at, b.snapshot_at) as opened_at,
      b.snapshot_closed_at as closed_at, s.frozen_fen, (b.balance_fen - coalesce(l.fen, 0))::bigint as fen
    from account_baseline b
    left join lateral (
      select max(s.opened_at) as opened_at, max(s.frozen_fen) as frozen_fen from balance_snapshot s
      where s.account_no = b.account_no and s.taken_at = b.snapshot_at and s.closed_at = b.snapshot_closed_at
    ) s on true
    left join lateral (
      ${heldSince(sql`b.account_no`, {
        from: sql`b.at`,
        takenAt: sql`b.snapshot_at`,
        openedAt: sql`coalesce(s.opened_at, b.snapshot_at)`,
        closedAt: sql`b.snapshot_closed_at`,
      })}
    ) l on true
    where b.account_no = any(${accounts}::text[])`.execute(trx);
  return new Map(
    rows.map((row) => [
      row.account_no,
      {
        at: row.at,
        fen: row.fen,
        snapshotAt: row.snapshot_at,
        openedAt: row.opened_at,
        closedAt: row.closed_at,
        frozenFen: row.frozen_fen ?? undefined,
        heldFen: row.held_fen,
        toldFen: row.told_fen ?? undefined,
      },
    ]),
  );
}
