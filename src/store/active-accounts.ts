/** Which accounts a run is about: those active in its time, and those that cannot leave yet. */
import { sql } from 'kysely';
import type { Instant } from '../core/time.ts';
import type { AccountRow } from './accounts.ts';
import type { DbOrTransaction } from './schema.ts';

/**
 * Accounts leave last (docs/reconciliation.md 3.8): whatever dates the account list gives, one stays until it is
 * proven at 0 on both sides, no break of it is open, and nothing is known of it that this proof did not see.
 */
export async function chooseActive(
  db: DbOrTransaction,
  accounts: readonly AccountRow[],
  window: { from: Instant; to: Instant; timeZone: string },
): Promise<AccountRow[]> {
  const done = await doneAccounts(db, window.timeZone);
  const unheard = await unheardAccounts(db);
  return accounts.filter((account) => {
    const { account_no: accountNo, active_from: from, active_to: to } = account;
    if (to !== null && to <= window.from) return !done.has(accountNo);
    if (from !== null && from >= window.to) return !done.has(accountNo) && !unheard.has(accountNo);
    return true;
  });
}

/** Accounts whose last proof ends at 0 on both sides, with nothing open and nothing known that it did not see. */
async function doneAccounts(db: DbOrTransaction, timeZone: string): Promise<Set<string>> {
  const { rows } = await sql<{ account_no: string }>`
    select a.account_no from account a
    cross join lateral (
      select p.platform_fen, p.ledger_fen, (r.to_day::date + 1)::timestamp at time zone ${timeZone} as cut,
        coalesce((r.facts ->> 'writtenUpTo')::bigint, 0) as written
      from run_account p join run r using (run_id)
      where p.account_no = a.account_no and r.superseded_by is null
        and p.verdict in ('reconciled', 'reconciled_with_timing', 'breaks')
      order by r.to_day desc, r.job desc, r.version desc limit 1
    ) proof
    left join lateral (
      select s.balance_fen from balance_snapshot s
      where s.account_no = a.account_no and s.state = 'stable' and s.taken_at >= proof.cut
      order by s.taken_at desc limit 1
    ) balance on true
    where (a.active_from is not null or a.active_to is not null)
      and proof.platform_fen = 0 and proof.ledger_fen = 0 and coalesce(balance.balance_fen, 0) = 0
      and not exists (select from break b where b.account_no = a.account_no and b.status = 'open')
      and not exists (select from ledger_entry e where e.account_no = a.account_no
        and (e.written_no > proof.written or (e.current and e.booked_at >= proof.cut)))
      and not exists (select from movement m where m.account_no = a.account_no
        and (m.written_no > proof.written or m.effective_from >= proof.cut))
      and not exists (select from deposit d where d.account_no = a.account_no and d.written_no > proof.written)`.execute(
    db,
  );
  return new Set(rows.map((row) => row.account_no));
}

/** Accounts that nothing was ever said of, neither by the platform nor by the books. */
async function unheardAccounts(db: DbOrTransaction): Promise<Set<string>> {
  const { rows } = await sql<{ account_no: string }>`
    select a.account_no from account a
    where a.active_from is not null
      and not exists (select from run_account p where p.account_no = a.account_no)
      and not exists (select from balance_snapshot s where s.account_no = a.account_no)
      and not exists (select from ledger_entry e where e.account_no = a.account_no)
      and not exists (select from movement m where m.account_no = a.account_no)
      and not exists (select from deposit d where d.account_no = a.account_no)`.execute(db);
  return new Set(rows.map((row) => row.account_no));
}
