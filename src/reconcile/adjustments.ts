/**
 * Amounts nobody can explain stay until the books adjust them: an unexplained or opening difference is cleared
 * only by an `adjustment` entry of the same amount (architecture 3, U57).
 */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Fen } from '../core/fen.ts';
import type { Day, Instant } from '../core/time.ts';
import { copyRows } from '../store/bulk.ts';
import type { Tables } from '../store/schema.ts';
import type { ProofSpan } from './scope.ts';

/** A difference of the balance itself: the opening's, or what a run could not explain. */
export interface BalanceItem {
  accountNo: string;
  /** `opening`, or `unexplained:<last day of the run>`. */
  key: string;
  fen: Fen;
  note: string;
}

export interface Adjustment {
  accountNo: string;
  entryId: string;
  source: string;
  fen: Fen;
  bookedAt: Instant;
  memo: string;
}

export interface Cleared {
  /** What is still open. */
  open: BalanceItem[];
  /** Entry that cleared it, by account and key. */
  clearedBy: Map<string, { entryId: string; fen: Fen }>;
  /** Adjustments that clear nothing. */
  idle: Adjustment[];
}

/** Posted adjustments of the accounts in scope before the cut, oldest first. */
export async function listAdjustments(trx: Transaction<Tables>, span: ProofSpan): Promise<Adjustment[]> {
  const { rows } = await sql<{
    account_no: string;
    entry_id: string;
    source: string;
    amount_fen: Fen;
    booked_at: Instant;
    memo: string;
  }>`
    select e.account_no, e.entry_id, e.source, e.amount_fen, e.booked_at, e.memo
    from ledger_entry e join stage_scope s using (account_no)
    where e.kind = 'adjustment' and e.current and e.status = 'posted'
      and e.booked_at >= s.ledger_from and e.booked_at < ${span.cut}
    order by e.account_no, e.booked_at, e.entry_id`.execute(trx);
  return rows.map((row) => ({
    accountNo: row.account_no,
    entryId: row.entry_id,
    source: row.source,
    fen: row.amount_fen,
    bookedAt: row.booked_at,
    memo: row.memo,
  }));
}

/** One adjustment clears one item of its account and amount, the oldest first. */
export function clear(items: readonly BalanceItem[], adjustments: readonly Adjustment[]): Cleared {
  const open = [...items];
  const clearedBy: Cleared['clearedBy'] = new Map();
  const idle: Adjustment[] = [];
  for (const adjustment of adjustments) {
    const at = open.findIndex(
      (item) => item.accountNo === adjustment.accountNo && item.fen === adjustment.fen,
    );
    const [item] = at < 0 ? [] : open.splice(at, 1);
    if (item === undefined) idle.push(adjustment);
    else clearedBy.set(itemId(item), { entryId: adjustment.entryId, fen: adjustment.fen });
  }
  return { open, clearedBy, idle };
}

export function itemId(item: { accountNo: string; key: string }): string {
  return `${item.accountNo}\t${item.key}`;
}

const CHAIN_START = {
  name: 'stage_chain',
  columns: [
    { name: 'account_no', type: 'text collate "C"' },
    { name: 'run_id', type: 'text' },
  ],
} as const;

/** What the runs that lead to these openings could not explain, oldest first. */
export async function listEarlierUnexplained(
  trx: Transaction<Tables>,
  starts: readonly { accountNo: string; openingRun: string }[],
): Promise<BalanceItem[]> {
  if (starts.length === 0) return [];
  await copyRows(
    trx,
    CHAIN_START,
    starts.map((start) => [start.accountNo, start.openingRun]),
  );
  const { rows } = await sql<{ account_no: string; to_day: Day; unexplained_fen: Fen }>`
    with recursive chain as (
      select account_no, run_id from stage_chain
      union all
      select c.account_no, a.opening_run from chain c
      join run_account a on a.run_id = c.run_id and a.account_no = c.account_no
      where a.opening_run <> ''
    )
    select c.account_no, r.to_day, a.unexplained_fen
    from chain c join run_account a on a.run_id = c.run_id and a.account_no = c.account_no
    join run r on r.run_id = c.run_id
    where a.unexplained_fen <> 0
    order by c.account_no, r.to_day`.execute(trx);
  return rows.map((row) => ({
    accountNo: row.account_no,
    key: `unexplained:${row.to_day}`,
    fen: row.unexplained_fen,
    note: '',
  }));
}
