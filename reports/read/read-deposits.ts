/** Every deposit of the period with both sides, how it was matched and what became of it. */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Fen } from '../../src/core/fen.ts';
import type { Instant } from '../../src/core/time.ts';
import type { Window } from '../../src/core/window.ts';
import type { Db, Tables } from '../../src/store/schema/schema.ts';
import type { ItemClass } from './read-items.ts';
import type { RunHead } from './read-run.ts';
import { dropStage, indexStage, layAside, staging } from './stage.ts';
import type { Stage } from './stage.ts';
import type { DepositResult } from '../words/terms.ts';
import { VOUCHERS_OF_RECORDS } from './voucher-orders.ts';
import type { VoucherOfRecord } from './voucher-orders.ts';

export interface DepositRow extends VoucherOfRecord {
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
  await staging(session, async (trx) => {
    await listAsked(trx, head, period);
    await sumWideGroups(trx);
    await layAside(trx, DEPOSITS, bothSides(head));
    await indexStage(trx, DEPOSITS);
    await dropStage(trx, ASKED);
    await dropStage(trx, WIDE);
  });
}

const ASKED = { name: 'report_asked' };
const WIDE = { name: 'report_wide' };

/** The deposits of the period and of the run's accounts; what was written after the run is not part of it. */
async function listAsked(trx: Transaction<Tables>, head: RunHead, period: Window): Promise<void> {
  const upTo = sql`${head.writtenUpTo}::bigint`;
  await layAside(
    trx,
    ASKED,
    sql`
    select d.account_no, d.order_no, 'deposit:' || d.order_no as item_key, d.deposited_at, d.amount_fen,
      d.fee_fen, d.fee_type, d.payer_name, coalesce(nullif(d.payer_bank_no, ''), d.payer_acct_no) as payer_account,
      o.account_index
    from deposit d
    join (
      select account_no, row_number() over (order by account_no)::integer as account_index
      from run_account where run_id = ${head.runId}
    ) o using (account_no)
    where d.deposited_at >= ${period.from} and d.deposited_at < ${period.to}
      and (${upTo} is null or d.written_no <= ${upTo} or d.version > 1)`,
  );
}

/** Matched groups of several lines: a fee of its own, an entry booked twice. Most groups have one line. */
async function sumWideGroups(trx: Transaction<Tables>): Promise<void> {
  await layAside(
    trx,
    WIDE,
    sql`
    select x.account_no, x.group_key, string_agg(e.entry_id, ', ' order by x.line_no) as ledger_ref,
      min(e.booked_at) as booked_at, sum(e.amount_fen)::bigint as ledger_fen
    from report_asked d
    join match w on w.account_no = d.account_no and w.group_key = d.item_key and w.line_no = 2
    join match x on x.account_no = w.account_no and x.group_key = w.group_key
    left join ledger_entry e on e.entry_no = x.entry_no
    group by x.account_no, x.group_key`,
  );
}

function bothSides({ runId }: RunHead): RawBuilder<unknown> {
  return sql`
    select row_number() over (order by d.account_no, d.deposited_at, d.order_no) as n, d.account_index,
      d.account_no, d.order_no, d.deposited_at, d.amount_fen, d.fee_fen, d.fee_type,
      p.delta_fen + coalesce(c.delta_fen, 0) as net_fen, d.payer_name, d.payer_account,
      case when f.break_id is not null then f.ledger_ref
        else coalesce(w.ledger_ref, e.entry_id, '') end as ledger_ref,
      case when f.break_id is not null then f.ledger_at else coalesce(w.booked_at, e.booked_at) end as booked_at,
      case when f.break_id is not null then f.ledger_fen else coalesce(w.ledger_fen, e.amount_fen) end as ledger_fen,
      case when f.break_id is not null then f.difference_fen when x.rule is not null then 0 end as difference_fen,
      case when f.class in ('platform_only', 'ambiguous', 'account') then '' else coalesce(x.rule, '') end as rule,
      case when f.break_id is not null then f.severity when x.rule is not null then 'matched'
        else 'open' end as result,
      coalesce(f.class, s.class) as class, v.voucher_state, v.voucher_files, v.voucher_sha256, v.voucher_since
    from report_asked d
    left join match x on x.account_no = d.account_no and x.group_key = d.item_key and x.line_no = 1
    left join ledger_entry e on e.entry_no = x.entry_no
    left join report_wide w on w.account_no = d.account_no and w.group_key = d.item_key
    left join movement p on p.account_no = d.account_no and p.dedup_key = d.item_key
    left join (
      select account_no, dedup_key, delta_fen from movement where family = 'deposit' and kind = 'fee'
    ) c on c.account_no = d.account_no and c.dedup_key = 'deposit_fee:' || d.order_no
    left join (
      select * from finding where run_id = ${runId} and line and item_key like 'line:deposit:%'
    ) f on f.account_no = d.account_no and f.item_key = 'line:' || d.item_key
    left join (
      select account_no, reference, min(class) as class from finding
      where run_id = ${runId} and not line group by account_no, reference
    ) s on s.account_no = d.account_no and s.reference = d.order_no
    left join ${VOUCHERS_OF_RECORDS} v on v.voucher_account_no = d.account_no and v.voucher_kind = 'deposit'
      and v.voucher_number = d.order_no`;
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
