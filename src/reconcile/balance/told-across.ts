/**
 * What a proof took to lie across an assumed opening of the books is a fact from then on: where the books take entries
 * of it back, or change them, they still begin with what that proof rested on, and they lack the difference. Entries
 * that are merely dated anew, and what the platform changes, move the assumption itself (docs/reconciliation.md 3.8).
 */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Instant } from '../../core/time.ts';
import type { Tables, Verdict } from '../../store/schema/schema.ts';
import { PROVEN } from './ledger-openings.ts';
import type { LedgerOpening } from './scope.ts';

/** Makes the temporary table `had_group` (account_no, group_key) of what is asked of books and platform next. */
export async function layOutGroups(trx: Transaction<Tables>, groups: RawBuilder<unknown>): Promise<void> {
  await sql`drop table if exists had_group`.execute(trx);
  await sql`create temporary table had_group on commit drop as ${groups}`.execute(trx);
  await sql`analyze had_group`.execute(trx);
}

/**
 * What books and platform have of each group of `had_group` by now (`booked_fen`, `moved_fen`), and by how much the books
 * have more before the openings (`across_fen`). What is not posted, or dated after the moment of the run, the books do
 * not have.
 */
const whatIsHad = (moment: Instant): RawBuilder<unknown> => sql`
  select account_no, group_key, coalesce(sum(amount_fen), 0)::bigint as booked_fen,
    coalesce(sum(delta_fen), 0)::bigint as moved_fen,
    (coalesce(sum(amount_fen) filter (where counts_from < s.ledger_from), 0)
      - coalesce(sum(delta_fen) filter (where counts_from < s.baseline_at), 0))::bigint as across_fen
  from (
    select account_no, group_key, null::bigint as amount_fen, null::bigint as delta_fen, null::timestamptz as counts_from
    from had_group
    union all
    select account_no, group_key, amount_fen, null, booked_at from (
      select g.account_no, g.group_key, e.amount_fen, e.booked_at, e.status
      from had_group g join match x using (account_no, group_key) join ledger_entry e on e.entry_no = x.entry_no
      union all
      select g.account_no, g.group_key, e.amount_fen, e.booked_at, e.status
      from had_group g join open_entry e on e.account_no = g.account_no and e.family || ':' || e.reference = g.group_key
    ) booked where status = 'posted' and booked_at <= ${moment}
    union all
    select g.account_no, g.group_key, null, m.delta_fen, m.effective_from
    from had_group g join match x using (account_no, group_key)
    join movement m on m.account_no = x.account_no and m.dedup_key = x.dedup_key
    union all
    select g.account_no, g.group_key, null, m.delta_fen, m.effective_from
    from had_group g join open_movement m on m.account_no = g.account_no and m.family || ':' || m.reference = g.group_key
  ) had join stage_scope s using (account_no)
  group by account_no, group_key`;

/**
 * Groups that a proof had across, and of which the books have another sum since that does not agree: `fen` is what the
 * opening still holds of them. Needs `had_group` of TOLD_NOT_ACROSS_NOW.
 */
export const takenFromOpening = (moment: Instant): RawBuilder<unknown> => sql`
  select k.account_no, k.reference, n.across_fen as fen, k.seen_at
  from assumed_across k
  join (${whatIsHad(moment)}) n using (account_no, group_key)
  where n.booked_fen <> k.booked_fen and n.booked_fen <> n.moved_fen and n.across_fen <> 0`;

/** Needs `split`. */
export const TOLD_NOT_ACROSS_NOW = sql`
  select k.account_no, k.group_key from assumed_across k join stage_scope using (account_no)
  where not exists (select from split c
    where c.account_no = k.account_no and c.group_key = k.group_key and c.carried_fen <> 0)`;

/** Keeps what proven accounts whose opening is assumed have across it. */
export async function keepToldAcross(
  trx: Transaction<Tables>,
  of: { accounts: readonly { accountNo: string; verdict: Verdict }[]; moment: Instant },
  ledgers: ReadonlyMap<string, LedgerOpening>,
): Promise<void> {
  const assumed = of.accounts.flatMap(({ accountNo, verdict }) =>
    PROVEN.includes(verdict) && ledgers.get(accountNo)?.assumed === true ? [accountNo] : [],
  );
  await layOutGroups(
    trx,
    sql`select account_no, group_key from split
      where carried_fen <> 0 and account_no = any(${assumed}::text[])`,
  );
  await sql`
    insert into assumed_across as k (account_no, group_key, reference, booked_fen, seen_at)
    select account_no, group_key, substr(group_key, strpos(group_key, ':') + 1), booked_fen, ${of.moment}
    from (${whatIsHad(of.moment)}) n
    on conflict (account_no, group_key) do update set booked_fen = excluded.booked_fen,
      seen_at = greatest(k.seen_at, excluded.seen_at)`.execute(trx);
}
