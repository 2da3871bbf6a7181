/**
 * What orders under way move if they end well: what the books may be ahead of, and by how much
 * (docs/reconciliation.md 3.8). Laid out by the same table as what did move.
 */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Tables } from '../../store/schema/schema.ts';
import { BESIDE, FACT_COLUMNS, changesOf } from './order-effects.ts';
import { accountOf, movementLines } from './order-movements.ts';
import type { PostingRules } from './posting-rules.ts';

/**
 * Makes the temporary table `expected`: by account, family, reference and side, the amount with and without
 * fees. A side is the kind of its principal; a fee goes with the side of its account that pays. Of several orders
 * that share a number `ways` says how the books may state them, amount by amount: without fees, with those inside
 * them, with those beside them.
 */
export async function layOutExpected(trx: Transaction<Tables>, rules: PostingRules): Promise<void> {
  await sql`drop table if exists open_fact, open_change, expected`.execute(trx);
  await sql`
    create temporary table open_fact on commit drop as
    select 'transfer' as kind, ${FACT_COLUMNS}, o.payee_account_no
    from transfer_order o cross join lateral (${BESIDE}) x
    where o.effective_state = 'open' or o.settlement in ('open', 'unknown') or o.refund_waiting_fen <> 0
    union all
    select 'withdrawal', ${FACT_COLUMNS}, o.account_no
    from withdrawal o cross join lateral (${BESIDE}) x where o.effective_state = 'open'`.execute(trx);
  await sql`
    create temporary table open_change on commit drop as
    select * from (${changesOf('open_fact', rules)}) c where state = 'open'`.execute(trx);
  const selects = movementLines(rules).map(
    ({ subject, kind, side, delta, fee, when }) => sql`
      select ${accountOf(side, sql`c`)} as account_no, ${sql.lit(subject)} as family, ${sql.lit(kind)} as kind,
        c.out_order_no as reference, c.account_no as order_account, (${delta})::bigint as fen, (${fee})::bigint as fee_fen
      from open_change c
      where c.subject = ${sql.lit(subject)} and ${accountOf(side, sql`c`)} <> '' and ${when}`,
  );
  await sql`
    create temporary table expected on commit drop as
    select account_no, family, reference, side, sum(fen)::bigint as fen, sum(gross_fen)::bigint as gross_fen,
      case when count(principal_fen) > 1 then array[array_agg(principal_fen order by principal_fen)::text,
        array_agg(inside_fen order by inside_fen)::text, array_agg(fen order by fen)::text] end as ways
    from (
      select account_no, family, reference, side, sum(fen)::bigint as fen, sum(fen + fee_fen)::bigint as gross_fen,
        (sum(fen) filter (where kind <> 'fee'))::bigint as principal_fen,
        (sum(fen + fee_fen) filter (where kind <> 'fee'))::bigint as inside_fen
      from (
        select l.*, case kind when 'fee' then coalesce(max(kind) filter (where kind <> 'fee')
            over (partition by account_no, family, reference, order_account), 'fee') else kind end as side
        from (${sql.join(selects, sql` union all `)}) l
      ) e
      group by account_no, family, reference, side, order_account
    ) o
    group by account_no, family, reference, side`.execute(trx);
  await sql`analyze expected`.execute(trx);
}
