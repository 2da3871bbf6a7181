/**
 * What orders did, one row for each change that moved money: amount and fee as the record states them, and the
 * instant at which it counts, within the bounds our own looks give (docs/reconciliation.md 3.3, 3.4; U50).
 */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Tables } from '../../store/schema/schema.ts';
import { feeIsBeside } from './fee-is-beside.ts';
import type { PostingRange } from './post-deposits.ts';
import type { PostingRules } from './posting-rules.ts';
import { settleFeeOf } from './settle-fee.ts';

/** Whether the fee of order `o` is beside its amount. */
export const BESIDE = sql`select ${feeIsBeside('o')} as beside`;

/** Of order `o` and BESIDE as `x`; an unknown fee is what the credited amount lacks, where both are stated, else zero. */
export const FACT_COLUMNS = sql`o.account_no, o.out_order_no, o.order_no, o.amount_fen, o.real_fen, x.beside,
  coalesce(o.fee_fen, case when not x.beside then o.amount_fen - o.real_fen end, 0) as fee_fen`;

/** Whether an order has movements already: what it moved first has. */
function isPosted(head: 'transfer_out:' | 'withdrawal:'): RawBuilder<unknown> {
  return sql`coalesce((select true from movement m
    where m.account_no = o.account_no and m.dedup_key = ${sql.lit(head)} || o.out_order_no), false) as posted`;
}

/**
 * Fills `order_fact` with the orders of the range and `order_change` with what they did.
 * @returns whether there is any such order
 */
export async function listOrderChanges(
  trx: Transaction<Tables>,
  range: PostingRange,
  rules: PostingRules,
): Promise<boolean> {
  await listOrders(trx, range);
  const { rows } = await sql<{ any: boolean }>`select exists (select from order_fact) as any`.execute(trx);
  if (rows[0]?.any !== true) return false;
  await learnSizes(trx);
  await listChanges(trx, rules);
  await dateByTheBooks(trx);
  await keepPlaced(trx);
  await putAfterTheTransfer(trx);
  return true;
}

/**
 * What a night brings is not in the statistics yet; proof and workbook join these tables with each other, and the
 * planner would take a hundred thousand rows for a handful.
 */
async function learnSizes(trx: Transaction<Tables>): Promise<void> {
  for (const table of ['transfer_order', 'withdrawal', 'order_state_seen', 'order_due', 'order_registry']) {
    await sql`analyze ${sql.table(table)}`.execute(trx);
  }
}

async function listOrders(trx: Transaction<Tables>, range: PostingRange): Promise<void> {
  const written = sql`o.written_no > ${range.after} and o.written_no <= ${range.upTo}`;
  await sql`
    create temporary table order_fact on commit drop as
    select 'transfer' as kind, ${FACT_COLUMNS}, o.payee_account_no, ${isPosted('transfer_out:')}
    from transfer_order o cross join lateral (${BESIDE}) x where ${written}
    union all
    select 'withdrawal', ${FACT_COLUMNS}, o.account_no, ${isPosted('withdrawal:')}
    from withdrawal o cross join lateral (${BESIDE}) x where ${written}`.execute(trx);
  await sql`analyze order_fact`.execute(trx);
}

async function listChanges(trx: Transaction<Tables>, rules: PostingRules): Promise<void> {
  await sql`
    create temporary table order_change on commit drop as
    select *, case when last_open_at is not null then first_final_at
        when since is not null then least(since, first_final_at) end as effective_from,
      false as kept
    from (${changesOf('order_fact', rules)}) c
    where state <> 'open' and (subject not in ('settlement', 'refund') or transfer_state = 'moved')`.execute(
    trx,
  );
  await sql`analyze order_change`.execute(trx);
}

/**
 * What the orders of a table like `order_fact` did, and what they are about to do (state `open`).
 * `principal_fen` is what the account gains on which the change begins: the payer of a transfer or refund, the
 * payee of a settlement, the owner of a withdrawal. What came back after it had moved has the sign turned. A
 * settlement or refund counts only where its transfer moved (`transfer_state`).
 */
export function changesOf(facts: string, rules: PostingRules): RawBuilder<unknown> {
  return sql`
    select f.*, s.subject, s.change_no, s.state, w.sign,
      case s.subject when 'refund' then s.amount_fen when 'settlement' then -w.sign * (${paidOut(rules)})
        else -w.sign * f.amount_fen end as principal_fen,
      ${feeGivenBack(rules)} as fee_back_fen,
      w.sign * settling.settle_fee_fen as settle_fee_fen, settling.beside as settle_beside, s.since, s.last_open_at,
      s.first_final_at, case when s.subject in ('settlement', 'refund') then (
        select t.state from order_state_seen t
        where t.account_no = s.account_no and t.out_order_no = s.out_order_no
          and t.subject = 'transfer' and t.change_no = 1) end as transfer_state
    from ${sql.table(facts)} f
    join order_state_seen s using (account_no, out_order_no)
    cross join lateral (select case s.state when 'returned' then -1 else 1 end as sign) w
    cross join lateral ${settleFeeOf(rules)} settling
    where s.state in ('open', 'moved', 'returned') and f.amount_fen is not null
      and (s.subject = 'withdrawal') = (f.kind = 'withdrawal')
      and (s.subject <> 'refund' or s.amount_fen is not null)
      and (s.state <> 'returned' or (
        select b.state from order_state_seen b
        where b.account_no = s.account_no and b.out_order_no = s.out_order_no and b.subject = s.subject
          and b.change_no = s.change_no - 1) = 'moved')`;
}

/** What a settlement takes from the payee (U37). */
function paidOut({ settleAmount }: PostingRules): RawBuilder<unknown> {
  if (settleAmount === 'amount') return sql`f.amount_fen`;
  return sql`coalesce(f.real_fen, case when f.beside then f.amount_fen else f.amount_fen - f.fee_fen end)`;
}

/**
 * Where refunds give the fee back (U36): the change that makes the refund whole gives it, one that makes it less
 * than whole again takes it.
 */
function feeGivenBack({ feeReturned }: PostingRules): RawBuilder<unknown> {
  if (!feeReturned) return sql`0::bigint`;
  const total = sql`sum(s.amount_fen) over (
    partition by f.kind, f.account_no, f.out_order_no, s.subject order by s.change_no)`;
  return sql`case when s.subject = 'refund' then f.fee_fen * (
    (${total} = f.amount_fen)::integer - (${total} - s.amount_fen = f.amount_fen)::integer) else 0 end`;
}

/**
 * Of an order nobody registered only the books may know the day: the first entry of that kind that names it,
 * unless it was booked after the platform had shown it. Else it counts when we first saw it.
 */
async function dateByTheBooks(trx: Transaction<Tables>): Promise<void> {
  const { rows } = await sql<{ any: boolean }>`
    select exists (select from order_change where effective_from is null) as any`.execute(trx);
  if (rows[0]?.any !== true) return;
  await sql`
    update order_change c set effective_from = b.booked_at
    from (
      select n.account_no, n.out_order_no, n.subject, n.change_no, min(e.booked_at) as booked_at
      from (
        select distinct c.account_no, c.out_order_no, c.subject, c.change_no, c.first_final_at,
          side.account_no as on_account, name.reference
        from order_change c
        cross join lateral (values (c.account_no), (c.payee_account_no)) side (account_no)
        cross join lateral (values (c.out_order_no), (c.order_no)) name (reference)
        where c.effective_from is null and name.reference <> ''
      ) n
      join ledger_entry e on e.account_no = n.on_account and e.reference = n.reference
      where e.current and e.booked_at <= n.first_final_at
        and e.kind in (n.subject, n.subject || '_in', n.subject || '_out')
      group by n.account_no, n.out_order_no, n.subject, n.change_no
    ) b
    where c.account_no = b.account_no and c.out_order_no = b.out_order_no and c.subject = b.subject
      and c.change_no = b.change_no and c.effective_from is null`.execute(trx);
  await sql`update order_change set effective_from = first_final_at where effective_from is null`.execute(
    trx,
  );
}

/**
 * What a balance decided stands as long as amount and bounds do; an instant by the books or by our first look gives
 * way to what is known better by now.
 */
async function keepPlaced(trx: Transaction<Tables>): Promise<void> {
  await sql`
    update order_change c set effective_from = k.effective_from, kept = true
    from (
      select c.account_no, c.out_order_no, c.subject, c.change_no, m.effective_from
      from order_change c cross join lateral (
        select * from movement m
        where m.account_no = case c.subject when 'settlement' then c.payee_account_no else c.account_no end
          and m.dedup_key = case c.subject when 'transfer' then 'transfer_out:' || c.out_order_no
            when 'refund' then 'refund_in:' || c.out_order_no || ':' || c.change_no
            else c.subject || ':' || c.out_order_no
              || case when c.change_no > 1 then ':' || c.change_no else '' end end
        offset 0
      ) m
      where c.posted and m.placed and m.order_account = c.account_no and m.delta_fen = c.principal_fen
        and m.effective_from <= c.first_final_at
        and m.effective_from >= coalesce(c.last_open_at, least(c.since, c.first_final_at), m.effective_from)
    ) k
    where k.account_no = c.account_no and k.out_order_no = c.out_order_no and k.subject = c.subject
      and k.change_no = c.change_no`.execute(trx);
}

/** Nothing is paid out or given back before it arrived. */
async function putAfterTheTransfer(trx: Transaction<Tables>): Promise<void> {
  await sql`
    update order_change c set effective_from = least(t.effective_from, c.first_final_at)
    from order_change t
    where t.account_no = c.account_no and t.out_order_no = c.out_order_no and t.subject = 'transfer'
      and c.subject in ('settlement', 'refund') and not c.kept and c.effective_from < t.effective_from`.execute(
    trx,
  );
}
