/** What the run's last sheet lists: every window with its proof, every reading of a balance. */
import { sql } from 'kysely';
import type { Fen } from '../../src/core/fen.ts';
import type { Day, Instant } from '../../src/core/time.ts';
import type { Db } from '../../src/store/schema/schema.ts';

export interface WindowRow {
  account_no: string;
  from_day: Day;
  /** The last day inside the window. */
  last_day: Day;
  state: 'planned' | 'verified' | 'unverified' | 'failed';
  passes: number;
  pages: number;
  total: number | null;
  distinct_count: number | null;
  sum_fen: Fen | null;
  verified_at: Instant | null;
  reason: string | null;
}

const WINDOWS_A_FETCH = 2_000;

/** Hands over the windows of the run by account and day, piece by piece. */
export async function forEachWindow(
  db: Db,
  runId: string,
  consume: (windows: readonly WindowRow[]) => Promise<void>,
): Promise<void> {
  let after = { account: '', day: '' };
  for (;;) {
    const { rows } = await sql<WindowRow>`
      select account_no, from_day, to_char(to_day::date - 1, 'YYYY-MM-DD') as last_day, state, passes, pages,
        total, distinct_count, sum_fen, verified_at, reason
      from sync_window
      where run_id = ${runId} and (account_no, from_day) > (${after.account} collate "C", ${after.day})
      order by account_no, from_day limit ${WINDOWS_A_FETCH}`.execute(db);
    const last = rows.at(-1);
    if (!last) return;
    await consume(rows);
    after = { account: last.account_no, day: last.from_day };
  }
}

export interface BalanceRow {
  account_no: string;
  taken_at: Instant;
  closed_at: Instant;
  state: 'stable' | 'moving' | 'absent';
  balance_fen: Fen | null;
  frozen_fen: Fen | null;
  available_fen: Fen | null;
  spread_fen: Fen;
  tries: number;
  signed: boolean;
}

export async function readBalances(db: Db, runId: string): Promise<BalanceRow[]> {
  const { rows } = await sql<BalanceRow>`
    select account_no, taken_at, closed_at, state, balance_fen, frozen_fen, available_fen, spread_fen, tries, signed
    from balance_snapshot where run_id = ${runId} order by account_no, taken_at`.execute(db);
  return rows;
}
