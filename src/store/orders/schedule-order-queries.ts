/**
 * Puts what the company registered on the list of what is to be asked, and what only its books name. Set by set,
 * and of the books only what was written since it was last looked at: deposits never take part.
 */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Instant } from '../../core/time.ts';
import type { Db, DbOrTransaction, Tables } from '../schema/schema.ts';
import { unitOfWork } from '../database/unit-of-work.ts';
import { highestWriteNo, progressOf, saveProgress } from '../database/writing.ts';

export interface Enrolled {
  /** Batches and withdrawals that came from the registry, and those that only the ledger names. */
  registered: number;
  ledgerOnly: number;
}

const STEP = 'enrol orders';

/**
 * Enrolling again adds nothing. What was changed by SQL since, or registered otherwise, has no time of its own: it is
 * dated here.
 */
export async function scheduleOrderQueries(db: Db, at: Instant): Promise<Enrolled> {
  return unitOfWork(db, async (trx) => {
    await trx.updateTable('registration_change').set({ at }).where('at', 'is', null).execute();
    const registered = await enrolRegistered(trx, at);
    const upTo = await highestWriteNo(trx);
    const after = await progressOf(trx, STEP);
    const ledgerOnly = upTo > after ? await enrolFromLedger(trx, { after, upTo }) : 0;
    if (upTo > after) await saveProgress(trx, STEP, upTo);
    return { registered, ledgerOnly };
  });
}

/** Of all orders of the batch as they are registered now, so that a submission that was corrected bounds nothing. */
const FIRST_SUBMISSION = sql`case
  when unit.kind = 'withdrawal' then unit.submitted_at
  when own_no <> '' then (select min(r.submitted_at) from order_registry r
    where r.kind = 'transfer' and r.out_batch_no = own_no)
  else (select min(r.submitted_at) from order_registry r
    where r.kind = 'transfer' and r.out_batch_no = '' and r.batch_no = platform_no) end`;

/** An answer showed whose it is, the books name it, or the registry does still. */
const PAYER_IS_KNOWN = sql`order_due.account_no <> '' and (
  order_due.state in ('open', 'final') or order_due.origin = 'ledger' or order_due.account_no in (
    select r.payer_account_no from order_registry r
    where order_due.kind = 'withdrawal' and order_due.number_kind = 'out'
      and r.kind = 'withdrawal' and r.registered_as = order_due.number
    union all
    select r.payer_account_no from order_registry r
    where order_due.kind = 'withdrawal' and order_due.number_kind = 'platform'
      and r.kind = 'withdrawal' and r.order_no <> '' and r.order_no = order_due.number
    union all
    select r.payer_account_no from order_registry r
    where order_due.kind = 'batch' and order_due.number_kind = 'out'
      and r.kind = 'transfer' and r.out_batch_no = order_due.number
    union all
    select r.payer_account_no from order_registry r
    where order_due.kind = 'batch' and order_due.number_kind = 'platform'
      and r.kind = 'transfer' and r.batch_no <> '' and r.batch_no = order_due.number))`;

/**
 * What was registered or changed since: a batch is asked for once, by the company's number where there is one. A
 * batch or withdrawal that is on the list already is asked for once more, because its registration may say
 * something else now, and so is one that was registered otherwise. What was missed before any submission was stated is told from then on.
 */
async function enrolRegistered(trx: Transaction<Tables>, at: Instant): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with taken as (
      update order_registry set enrolled = true where not enrolled
      returning kind, out_batch_no, out_order_no, batch_no, order_no, payer_account_no, submitted_at
    ), named as (
      insert into order_alias (order_no, out_order_no)
      select distinct on (order_no) order_no, out_order_no from taken
      where order_no <> '' and out_order_no <> '' and order_no <> out_order_no
      order by order_no, out_order_no
      on conflict (order_no) do nothing
    ), otherwise as (
      update order_contradiction set at = ${at} where at is null
      returning kind, out_batch_no, out_order_no, batch_no, order_no, payer_account_no
    ), said as (
      select *, true as stands from taken
      union all
      select *, null, false from otherwise
    ), unit as (
      select 'batch' as kind, out_batch_no as own_no, batch_no as platform_no, payer_account_no, submitted_at, stands
      from said where kind = 'transfer'
      union all
      select kind, out_order_no, order_no, payer_account_no, submitted_at, stands from said where kind = 'withdrawal'
    ), enrolled as (
      insert into order_due (kind, number_kind, number, account_no, origin, submitted_at, first_submitted_at)
      select kind, case when own_no <> '' then 'out' else 'platform' end,
        coalesce(nullif(own_no, ''), platform_no),
        coalesce(max(payer_account_no) filter (where stands), max(payer_account_no)), 'registry', min(${FIRST_SUBMISSION}),
        min(${FIRST_SUBMISSION})
      from unit group by 1, 2, 3 order by 1, 2, 3
      on conflict (kind, number_kind, number) do update set
        origin = 'registry', next_day = '', submitted_at = coalesce(excluded.submitted_at, order_due.submitted_at),
        first_submitted_at = least(
          coalesce(order_due.first_submitted_at, order_due.not_found_since), excluded.first_submitted_at),
        account_no = case when ${PAYER_IS_KNOWN} then order_due.account_no
          else coalesce(nullif(excluded.account_no, ''), order_due.account_no) end,
        state = case when order_due.state = 'refused' then 'new' else order_due.state end
      returning 1
    )
    select count(*)::integer as n from enrolled`.execute(trx);
  return rows[0]?.n ?? 0;
}

/** Kinds of entries that stand for an order; those in the second list name it on the account of its payer. */
const ORDER_KINDS = sql`('transfer_in', 'transfer_out', 'refund_in', 'refund_out', 'settlement', 'withdrawal')`;
const PAYER_KINDS = sql`('transfer_out', 'refund_in')`;

/** Whether registry, answers or either number's alias know the entry's reference. */
function isKnown(entry: string): RawBuilder<unknown> {
  const e = (column: string) => sql.ref(`${entry}.${column}`);
  const kind = sql`case ${e('kind')} when 'withdrawal' then 'withdrawal' else 'transfer' end`;
  return sql`(${e('reference')} <> '' and (
    exists (select from order_registry r where r.kind = ${kind} and r.registered_as = ${e('reference')})
    or exists (select from order_registry r where r.kind = ${kind} and r.registered_as = 'order:' || ${e('reference')})
    or exists (select from order_alias a where a.order_no = ${e('reference')})
    or exists (select from transfer_order o
      where o.account_no = ${e('account_no')} and o.out_order_no = ${e('reference')})
    or exists (select from transfer_order o
      where o.payee_account_no = ${e('account_no')} and o.out_order_no = ${e('reference')})
    or exists (select from withdrawal w
      where w.account_no = ${e('account_no')} and w.out_order_no = ${e('reference')})))`;
}

/** A withdrawal's reference is taken for the company's number first; asking tells whether it is the platform's. */
async function enrolFromLedger(
  trx: Transaction<Tables>,
  { after, upTo }: { after: bigint; upTo: bigint },
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with stranger as materialized (
      select e.account_no, e.kind, e.reference, e.out_batch_no from ledger_entry e
      where e.written_no > ${after} and e.written_no <= ${upTo} and e.current and e.kind in ${ORDER_KINDS}
        and not ${isKnown('e')}
    ), unit as (
      select 'batch' as kind, out_batch_no as number,
        coalesce(min(account_no) filter (where kind in ${PAYER_KINDS}), '') as account_no
      from stranger where kind <> 'withdrawal' and out_batch_no <> '' group by out_batch_no
      union all
      select 'withdrawal', reference, min(account_no)
      from stranger where kind = 'withdrawal' and reference <> '' group by reference
    ), enrolled as (
      insert into order_due (kind, number_kind, number, account_no, origin)
      select u.kind, 'out', u.number, u.account_no, 'ledger' from unit u
      where not exists (select from order_due d
        where d.kind = u.kind and d.number_kind = 'platform' and d.number = u.number)
      order by u.kind, u.number
      on conflict (kind, number_kind, number) do nothing
      returning 1
    )
    select count(*)::integer as n from enrolled`.execute(trx);
  return rows[0]?.n ?? 0;
}

/**
 * Orders that only the ledger names and that cannot be asked for: a transfer without its batch's number, a
 * withdrawal without any. Looked for among the entries that nothing matched and those not matched yet, by account.
 */
export async function countUnaskable(
  db: DbOrTransaction,
  accounts: readonly string[] = [],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ account_no: string; n: number }>`
    with left_over as (
      select u.item_key::bigint as entry_no from unmatched u where u.side = 'ledger'
      union
      select e.entry_no from ledger_entry e
      where e.written_no > coalesce((select done_no from progress where step = 'match'), 0)
        and e.kind in ${ORDER_KINDS}
    )
    select e.account_no, count(distinct coalesce(nullif(e.reference, ''), '#' || e.entry_no))::integer as n
    from left_over l join ledger_entry e using (entry_no)
    where e.current and e.kind in ${ORDER_KINDS}
      and case e.kind when 'withdrawal' then e.reference else e.out_batch_no end = ''
      and (${accounts.length} = 0 or e.account_no = any(${accounts}::text[]))
      and not ${isKnown('e')}
    group by e.account_no order by e.account_no`.execute(db);
  return new Map(rows.map((row) => [row.account_no, row.n]));
}
