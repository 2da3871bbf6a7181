/** Every deposit of the period with both sides, how it was matched and what became of it. */
import { sql } from 'kysely';
import type { Fen } from '../src/core/fen.ts';
import type { Instant } from '../src/core/time.ts';
import type { Window } from '../src/core/window.ts';
import type { Db } from '../src/store/schema.ts';
import type { ItemClass } from './read-items.ts';
import type { RunHead } from './read-run.ts';
import { stageRows } from './stage.ts';
import type { Stage } from './stage.ts';
import type { DepositResult } from './terms.ts';

export interface DepositRow {
  n: bigint;
  account_index: number;
  account_no: string;
  order_no: string;
  deposited_at: Instant;
  amount_fen: Fen;
  fee_fen: Fen;
  fee_type: string;
  net_fen: Fen | null;
  payer_name: string;
  payer_account: string;
  ledger_ref: string;
  booked_at: Instant | null;
  ledger_fen: Fen | null;
  difference_fen: Fen | null;
  rule: string;
  result: DepositResult;
  class: ItemClass | null;
}

export const DEPOSITS: Stage<DepositRow> = { name: 'report_deposit' };

/**
 * Numbers the deposits by account, time and order number. What the run found wins over what is matched now, so
 * that a workbook written again later says what the run said.
 */
export async function stageDeposits(session: Db, head: RunHead, period: Window): Promise<void> {
  await stageRows(
    session,
    DEPOSITS,
    sql`
    with own as (
      select account_no, row_number() over (order by account_no)::integer as account_index
      from run_account where run_id = ${head.runId}
    ), asked as (
      select d.*, o.account_index from deposit d join own o using (account_no)
      where d.deposited_at >= ${period.from} and d.deposited_at < ${period.to}
        and (${head.writtenUpTo}::bigint is null or d.written_no <= ${head.writtenUpTo}::bigint or d.version > 1)
    ), booked as (
      select d.account_no, d.order_no, min(x.rule) as rule, min(e.booked_at) as booked_at,
        string_agg(e.entry_id, ', ' order by x.line_no) as ledger_ref, sum(e.amount_fen)::bigint as ledger_fen
      from asked d
      join match x on x.account_no = d.account_no and x.group_key = 'deposit:' || d.order_no
      left join ledger_entry e on e.entry_no = x.entry_no
      group by d.account_no, d.order_no
    ), posted as (
      select d.account_no, d.order_no, sum(m.delta_fen)::bigint as net_fen
      from asked d
      join movement m on m.account_no = d.account_no
        and m.dedup_key in ('deposit:' || d.order_no, 'deposit_fee:' || d.order_no)
      group by d.account_no, d.order_no
    ), on_line as (
      select * from finding where run_id = ${head.runId} and line and item_key like 'line:deposit:%'
    ), beside as (
      select account_no, reference, min(class) as class from finding
      where run_id = ${head.runId} and not line group by account_no, reference
    )
    select row_number() over (order by d.account_no, d.deposited_at, d.order_no) as n, d.account_index,
      d.account_no, d.order_no, d.deposited_at, d.amount_fen, d.fee_fen, d.fee_type, p.net_fen, d.payer_name,
      coalesce(nullif(d.payer_bank_no, ''), d.payer_acct_no) as payer_account,
      case when f.break_id is null then coalesce(b.ledger_ref, '') else f.ledger_ref end as ledger_ref,
      case when f.break_id is null then b.booked_at else f.ledger_at end as booked_at,
      case when f.break_id is null then b.ledger_fen else f.ledger_fen end as ledger_fen,
      case when f.break_id is not null then f.difference_fen when b.order_no is not null then 0 end as difference_fen,
      case when f.class in ('platform_only', 'ambiguous', 'account') then '' else coalesce(b.rule, '') end as rule,
      case when f.break_id is not null then f.severity when b.order_no is not null then 'matched'
        else 'open' end as result,
      coalesce(f.class, s.class) as class
    from asked d
    left join booked b using (account_no, order_no)
    left join posted p using (account_no, order_no)
    left join on_line f on f.account_no = d.account_no and f.item_key = 'line:deposit:' || d.order_no
    left join beside s on s.account_no = d.account_no and s.reference = d.order_no`,
  );
}

export interface DepositSum {
  count: number;
  amountFen: Fen;
  feeFen: Fen;
  netFen: Fen;
  ledgerFen: Fen;
  differenceFen: Fen;
}

const NOTHING: DepositSum = {
  count: 0,
  amountFen: 0n,
  feeFen: 0n,
  netFen: 0n,
  ledgerFen: 0n,
  differenceFen: 0n,
};

/** Sums by result; every result has one, also where no deposit has it. */
export async function sumDeposits(session: Db): Promise<Record<DepositResult, DepositSum>> {
  const { rows } = await sql<DepositSum & { result: DepositResult }>`
    select result, count(*)::integer as count, sum(amount_fen)::bigint as "amountFen",
      sum(fee_fen)::bigint as "feeFen", coalesce(sum(net_fen), 0)::bigint as "netFen",
      coalesce(sum(ledger_fen), 0)::bigint as "ledgerFen",
      coalesce(sum(difference_fen), 0)::bigint as "differenceFen"
    from report_deposit group by result`.execute(session);
  const of = (result: DepositResult): DepositSum => rows.find((row) => row.result === result) ?? NOTHING;
  return { matched: of('matched'), break: of('break'), timing: of('timing'), open: of('open') };
}

/** The sum of all results. */
export function allDeposits(sums: Record<DepositResult, DepositSum>): DepositSum {
  return Object.values(sums).reduce((all, one) => ({
    count: all.count + one.count,
    amountFen: all.amountFen + one.amountFen,
    feeFen: all.feeFen + one.feeFen,
    netFen: all.netFen + one.netFen,
    ledgerFen: all.ledgerFen + one.ledgerFen,
    differenceFen: all.differenceFen + one.differenceFen,
  }));
}
