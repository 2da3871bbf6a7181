/** What stands behind the figures of an account's proof: movements, entries, the balance as stated, days that were read. */
import { sql } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import type { Day, Instant } from '../../core/time.ts';
import type { Window } from '../../core/window.ts';
import type { BreakTable, DbOrTransaction } from '../schema/schema.ts';
import type { TracedMovement } from './money-path.ts';

/** What one kind of movement or entry comes to. */
export interface KindSum {
  kind: string;
  count: number;
  amountFen: Fen;
}

export interface StatedBalance {
  takenAt: Instant;
  closedAt: Instant;
  state: 'stable' | 'moving' | 'absent';
  balanceFen: Fen | null;
  frozenFen: Fen | null;
  answerSha256: string;
}

export interface ReadDay {
  day: Day;
  records: number;
  sumFen: Fen;
  digest: string;
  verifiedRun: string;
  sealedRun: string | null;
}

export interface FoundSum {
  class: BreakTable['class'];
  severity: BreakTable['severity'];
  count: number;
  differenceFen: Fen;
}

interface Period {
  accountNo: string;
  window: Window;
}

export async function sumMovements(db: DbOrTransaction, { accountNo, window }: Period): Promise<KindSum[]> {
  const { rows } = await sql<KindSum>`
    select case when kind = 'fee' then family || '_fee' else kind end as kind, count(*)::integer as count,
      sum(delta_fen)::bigint as "amountFen"
    from movement
    where account_no = ${accountNo} and effective_from >= ${window.from} and effective_from < ${window.to}
    group by 1 order by 1`.execute(db);
  return rows;
}

/** What the books have that moved the account; what they state of its opening does not. */
export async function sumEntries(db: DbOrTransaction, { accountNo, window }: Period): Promise<KindSum[]> {
  const { rows } = await sql<KindSum>`
    select kind, count(*)::integer as count, sum(amount_fen)::bigint as "amountFen"
    from ledger_entry
    where account_no = ${accountNo} and booked_at >= ${window.from} and booked_at < ${window.to}
      and current and status = 'posted' and kind <> 'opening'
    group by kind order by kind`.execute(db);
  return rows;
}

/** The first of them by time. */
export async function listMovementsOf(
  db: DbOrTransaction,
  { accountNo, window, limit }: Period & { limit: number },
): Promise<TracedMovement[]> {
  const { rows } = await sql<TracedMovement>`
    select account_no as "accountNo", dedup_key as key, family, kind, delta_fen as "deltaFen", fee_fen as "feeFen",
      reference, effective_from as at, effective_to as "seenAt", order_account as "orderAccount"
    from movement
    where account_no = ${accountNo} and effective_from >= ${window.from} and effective_from < ${window.to}
    order by effective_from, dedup_key limit ${limit}`.execute(db);
  return rows;
}

/** The first reading of the balance at or after an instant; undefined: there is none. */
export async function findBalanceAfter(
  db: DbOrTransaction,
  { accountNo, at }: { accountNo: string; at: Instant },
): Promise<StatedBalance | undefined> {
  const { rows } = await sql<StatedBalance>`
    select taken_at as "takenAt", closed_at as "closedAt", state, balance_fen as "balanceFen",
      frozen_fen as "frozenFen", answer_sha256 as "answerSha256"
    from balance_snapshot where account_no = ${accountNo} and taken_at >= ${at}
    order by state <> 'stable', taken_at limit 1`.execute(db);
  return rows[0];
}

export async function listReadDays(
  db: DbOrTransaction,
  { accountNo, from, to }: { accountNo: string; from: Day; to: Day },
): Promise<ReadDay[]> {
  const { rows } = await sql<ReadDay>`
    select day, record_count as records, sum_fen as "sumFen", digest, verified_run as "verifiedRun",
      sealed_run as "sealedRun"
    from sync_day where account_no = ${accountNo} and day >= ${from} and day <= ${to} order by day`.execute(
    db,
  );
  return rows;
}

/** What a run found on an account, by class. */
export async function sumFindings(
  db: DbOrTransaction,
  of: { runId: string; accountNo: string },
): Promise<FoundSum[]> {
  const { rows } = await sql<FoundSum>`
    select class, severity, count(*)::integer as count, sum(difference_fen)::bigint as "differenceFen"
    from finding where run_id = ${of.runId} and account_no = ${of.accountNo}
    group by class, severity order by severity, class`.execute(db);
  return rows;
}
