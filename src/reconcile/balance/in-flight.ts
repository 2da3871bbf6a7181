/**
 * Orders under way: what each takes from its account while it is open, and which of them were open when a
 * balance was read (docs/reconciliation.md 3.3, 3.5). An order that is open counts nowhere else.
 */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import type { Instant } from '../../core/time.ts';
import { copyRows } from '../../store/database/bulk.ts';
import type { Tables } from '../../store/schema/schema.ts';
import type { FeeBearer, PostingRules } from '../post/posting-rules.ts';
import { settleFeeOf } from '../post/settle-fee.ts';

/** A balance and when it was read: before `openedAt` and after `closedAt` it may have been another. */
export interface ReadBalance {
  accountNo: string;
  openedAt: Instant;
  closedAt: Instant;
  /** Where the account's proof begins with a stated amount, and from where on its books count. */
  statedOpening?: { at: Instant; booksFrom: Instant } | undefined;
}

const READ = {
  name: 'stage_read',
  columns: [
    { name: 'account_no', type: 'text collate "C"' },
    { name: 'opened_at', type: 'timestamptz' },
    { name: 'closed_at', type: 'timestamptz' },
    { name: 'opening_at', type: 'timestamptz' },
    { name: 'books_from', type: 'timestamptz' },
  ],
} as const;

/** Fills `stage_read`: at most one balance an account. */
export async function stageReadBalances(
  trx: Transaction<Tables>,
  balances: readonly ReadBalance[],
): Promise<void> {
  await copyRows(trx, READ, []);
  await sql`delete from stage_read`.execute(trx);
  await copyRows(
    trx,
    READ,
    balances.map(({ accountNo, openedAt, closedAt, statedOpening: opening }) => [
      accountNo,
      openedAt,
      closedAt,
      opening?.at ?? null,
      opening?.booksFrom ?? null,
    ]),
  );
}

/**
 * Makes the temporary table `debit`: every change of an order that is open, or ended after `after`, with the
 * account it takes money from, how much it holds there while it is open, and since when it certainly does: an order
 * from its submission, one without and a refund or settlement from the first look that showed it (`held_since`).
 */
export async function layOutDebits(
  trx: Transaction<Tables>,
  rules: PostingRules,
  after: Instant,
): Promise<void> {
  await sql`drop table if exists debit`.execute(trx);
  await sql`
    create temporary table debit on commit drop as
    with recent as (
      select * from order_state_seen where state = 'open'
      union all
      select * from order_state_seen where first_final_at >= ${after} and state in ('moved', 'failed')
    )
    select case when s.subject = 'transfer' then o.account_no else o.payee_account_no end as account_no,
      s.account_no as order_account, s.out_order_no, s.subject, s.change_no, s.state, s.since,
      case s.subject when 'transfer' then coalesce(s.since, s.open_since) else s.open_since end as held_since, s.open_since,
      s.last_open_at, s.first_final_at, o.state as stated, o.order_no, o.out_batch_no, o.first_seen_at,
      case when s.subject = 'transfer' then o.payee_account_no else o.account_no end as counterparty,
      coalesce(case s.subject
        when 'transfer' then o.amount_fen + ${heldFee(rules.bearers.transfer, 'payer')}
        when 'refund' then s.amount_fen
        when 'settlement' then case when o.effective_state = 'moved'
          then ${settledAmount(rules)} + ${settleFeeHeld(rules)} else 0 end end, 0)::bigint as debit_fen
    from recent s
    join transfer_order o on o.account_no = s.account_no and o.out_order_no = s.out_order_no
    cross join lateral ${settleFeeOf(rules)} settling
    where s.subject <> 'withdrawal'
    union all
    select w.account_no, s.account_no, s.out_order_no, s.subject, s.change_no, s.state, s.since,
      coalesce(s.since, s.open_since), s.open_since, s.last_open_at, s.first_final_at, w.state, w.order_no, '',
      w.first_seen_at, '',
      coalesce(w.amount_fen + ${heldFee(rules.bearers.withdraw, 'own')}, 0)::bigint
    from recent s
    join withdrawal w on w.account_no = s.account_no and w.out_order_no = s.out_order_no
    where s.subject = 'withdrawal'`.execute(trx);
  await sql`create index on debit (account_no)`.execute(trx);
  await sql`analyze debit`.execute(trx);
}

/** A fee beside the amount is held with it on the account that pays, when that account bears it. */
function heldFee(bearer: FeeBearer, side: 'payer' | 'own'): RawBuilder<unknown> {
  const isHeld = bearer === 'self' || bearer === 'payer' || (side === 'own' && bearer === 'payee');
  return isHeld ? sql`case when fee_type = 'ACCOUNT' then coalesce(fee_fen, 0) else 0 end` : sql`0`;
}

/** What a settlement pays out of its transfer order (U37). */
export function settledAmount({ settleAmount }: PostingRules): RawBuilder<unknown> {
  const credited = sql`coalesce(o.real_fen, o.amount_fen - case o.fee_type when 'ORDER' then coalesce(o.fee_fen, 0)
    else 0 end)`;
  return settleAmount === 'amount' ? sql`o.amount_fen` : credited;
}

function settleFeeHeld({ bearers }: PostingRules): RawBuilder<unknown> {
  const isHeld = bearers.settle === 'self' || bearers.settle === 'payee';
  return isHeld ? sql`case when settling.beside then settling.settle_fee_fen else 0 end` : sql`0`;
}

/**
 * Sum held on each account by orders that were certainly open when its balance in `stage_read` was read: what began
 * only between the two readings would have changed the second, unless a look in between saw it.
 */
export async function openDebits(trx: Transaction<Tables>): Promise<Map<string, Fen>> {
  const { rows } = await sql<{ account_no: string; fen: Fen }>`
    select d.account_no, sum(d.debit_fen)::bigint as fen
    from debit d join stage_read r on r.account_no = d.account_no
    where (d.held_since <= r.opened_at or d.open_since <= r.closed_at) and (d.state = 'open' or d.last_open_at >= r.opened_at)
    group by d.account_no`.execute(trx);
  return new Map(rows.map((row) => [row.account_no, row.fen]));
}

/**
 * Amounts that refunds, settlements and orders whose submission nobody states may or may not have held when the balance
 * was read: only our looks tell when one began.
 */
export async function possibleDebits(trx: Transaction<Tables>): Promise<Map<string, Fen[]>> {
  const { rows } = await sql<{ account_no: string; debit_fen: Fen }>`
    select d.account_no, d.debit_fen
    from debit d join stage_read r on r.account_no = d.account_no
    where d.debit_fen > 0
      and (d.since is null or d.since <= r.closed_at)
      and (d.held_since is null or d.held_since > r.closed_at)
      and (d.first_final_at is null or d.first_final_at > r.opened_at)
    order by d.account_no, d.out_order_no, d.subject, d.change_no`.execute(trx);
  const possible = new Map<string, Fen[]>();
  for (const row of rows) {
    const own = possible.get(row.account_no);
    if (own) own.push(row.debit_fen);
    else possible.set(row.account_no, [row.debit_fen]);
  }
  return possible;
}
