/** Which accounts a run is about: those active in its time, and those that cannot leave yet. */
import { sql } from 'kysely';
import type { Instant } from '../../core/time.ts';
import type { AccountRow } from './accounts.ts';
import type { DbOrTransaction } from '../schema/schema.ts';
import { OF_WITHDRAWAL, REGISTERED_TWICE } from '../orders/registrations.ts';
import { PAYEE_CONCERNED, firstOfCompany, toldOn } from '../orders/told-on.ts';
import { knownSince } from '../runs/told-since.ts';

/**
 * Accounts leave last (docs/reconciliation.md 3.8): whatever dates the account list gives, one stays until its newest
 * run before the window proves it to its end and at 0 on both sides, no break of it is open, no order of it is under
 * way, lost or wrong, and nothing is known of it that this proof did not see.
 */
export async function chooseActive(
  db: DbOrTransaction,
  accounts: readonly AccountRow[],
  window: { from: Instant; to: Instant; timeZone: string },
): Promise<AccountRow[]> {
  const isOutside = ({ active_from: from, active_to: to }: AccountRow): boolean =>
    (to !== null && to <= window.from) || (from !== null && from >= window.to);
  if (!accounts.some(isOutside)) return [...accounts];
  const done = await doneAccounts(db, window);
  const unheard = await unheardAccounts(db, window.to);
  const concerned = await concernedAccounts(db);
  return accounts.filter((account) => {
    const { account_no: accountNo, active_to: to } = account;
    if (!isOutside(account) || concerned.has(accountNo)) return true;
    if (to !== null && to <= window.from) return !done.has(accountNo);
    return !done.has(accountNo) && !unheard.has(accountNo);
  });
}

/**
 * Accounts whose newest run before the window is a proof that ends at 0 on both sides, not before the account itself
 * did, with nothing open and nothing known that it did not see. Runs that could not prove an account count as its
 * newest all the same; what a run of the window, or one after it, found does not say that the account had left.
 */
async function doneAccounts(
  db: DbOrTransaction,
  { from, timeZone }: { from: Instant; timeZone: string },
): Promise<Set<string>> {
  const { rows } = await sql<{ account_no: string }>`
    select a.account_no from account a
    cross join lateral (
      select p.verdict, p.platform_fen, p.ledger_fen, c.cut,
        coalesce(p.known_no, 0) as written
      from run_account p join run r using (run_id)
      cross join lateral (select (r.to_day::date + 1)::timestamp at time zone ${timeZone} as cut) c
      where p.account_no = a.account_no and r.superseded_by is null and c.cut <= ${from}
      order by r.to_day desc, r.job desc, r.version desc limit 1
    ) proof
    left join lateral (
      select s.state = 'stable' and s.balance_fen = 0 as empty from balance_snapshot s
      where s.account_no = a.account_no and s.taken_at >= proof.cut
      order by s.taken_at desc limit 1
    ) look on true
    where (a.active_from is not null or a.active_to is not null)
      and proof.verdict in ('reconciled', 'reconciled_with_timing', 'breaks')
      and (a.active_to is null or a.active_to > ${from} or a.active_to <= proof.cut)
      and proof.platform_fen = 0 and proof.ledger_fen = 0 and look.empty is not false
      and not exists (select from break b where b.account_no = a.account_no and b.status = 'open')
      and not ${knownSince(sql.ref('a.account_no'), { written: sql.ref('proof.written'), cut: sql.ref('proof.cut') })}
      and not exists (select from proven_opening k where k.account_no = a.account_no
        and (k.opening_fen, k.opening_at) is distinct from (a.opening_fen, a.opening_at))`.execute(db);
  return new Set(rows.map((row) => row.account_no));
}

/** Account `a` may be outside its dates. */
const HAS_DATES = sql`(a.active_from is not null or a.active_to is not null)`;

/** Registration `r` is of withdrawal `w`, and says another amount or account. */
const IS_REGISTERED_OTHERWISE = sql`(r.kind = 'withdrawal' and ${OF_WITHDRAWAL}
  and (r.amount_fen <> w.amount_fen or r.payer_account_no not in ('', w.account_no)))`;

/**
 * Accounts of whose orders something is to be told by the rules of a proof: registered and not asked for yet, under way,
 * not found or given up, faulty, contradictory, not what was registered, registered in two ways.
 */
async function concernedAccounts(db: DbOrTransaction): Promise<Set<string>> {
  const { rows } = await sql<{ account_no: string }>`
    with due as (
      select d.account_no, d.kind, d.number_kind, d.number from order_due d
      where d.state in ('new', 'open', 'not_found') or d.given_up_day is not null
    ), registered as (
      select r.payer_account_no as account_no, r.payee_account_no as payee from order_registry r where not r.enrolled
      union all
      select d.account_no, r.payee_account_no from due d
      join order_registry r on d.kind = 'batch' and r.kind = 'transfer' and d.number_kind = 'out' and r.out_batch_no = d.number
      union all
      select d.account_no, r.payee_account_no from due d
      join order_registry r on d.kind = 'batch' and r.kind = 'transfer' and d.number_kind = 'platform' and r.batch_no = d.number
      union all
      select d.account_no, '' from due d
    ), wrong as (
      select case f.subject when 'withdrawal' then 'withdrawal' else 'transfer' end as kind, f.account_no, f.reference as number,
        ${PAYEE_CONCERNED} as payee
      from order_fault f
      left join transfer_order o on f.subject = 'transfer' and o.account_no = f.account_no and o.out_order_no = f.reference
      where f.cured_day is null and f.class <> 'record_changed'
      union all
      select 'transfer', account_no, out_batch_no, null from transfer_batch where contradiction <> ''
      union all
      select 'transfer', o.account_no, o.out_order_no, null from transfer_order o
      where o.effective_state = 'moved' and o.contradicts_itself
      union all
      select 'withdrawal', w.account_no, w.out_order_no, null from withdrawal w
      where w.effective_state in ('moved', 'returned') and w.contradicts_itself
    ), otherwise as (
      select w.account_no, r.payer_account_no from account a join withdrawal w using (account_no)
      join order_registry r on ${IS_REGISTERED_OTHERWISE} where ${HAS_DATES}
      union all
      select w.account_no, r.payer_account_no from account a join order_registry r on r.payer_account_no = a.account_no
      join withdrawal w on ${IS_REGISTERED_OTHERWISE} where ${HAS_DATES}
    )
    select account_no from registered
    union
    select payee from registered
    union
    select account_no from ${REGISTERED_TWICE} n
    union
    select t.account_no from otherwise n
    cross join lateral (${firstOfCompany(sql`
      select 1 as rank, n.account_no as account_no union all select 2, n.payer_account_no`)}) t
    union
    select t.account_no from wrong n
    cross join lateral (${toldOn({ kind: sql.ref('n.kind'), account: sql.ref('n.account_no'), number: sql.ref('n.number') }, sql.ref('n.payee'))}) t`.execute(
    db,
  );
  return new Set(rows.map((row) => row.account_no));
}

/**
 * Accounts that nothing was ever said of, neither by the platform nor by the books; nor does the list itself say that
 * they hold money before they begin.
 */
async function unheardAccounts(db: DbOrTransaction, before: Instant): Promise<Set<string>> {
  const { rows } = await sql<{ account_no: string }>`
    select a.account_no from account a
    where a.active_from is not null and not coalesce(a.opening_fen <> 0 and a.opening_at < ${before}, false)
      and not exists (select from run_account p where p.account_no = a.account_no)
      and not exists (select from balance_snapshot s where s.account_no = a.account_no)
      and not exists (select from ledger_entry e where e.account_no = a.account_no)
      and not exists (select from movement m where m.account_no = a.account_no)
      and not exists (select from deposit d where d.account_no = a.account_no)`.execute(db);
  return new Set(rows.map((row) => row.account_no));
}
