/**
 * Transfers, settlements, refunds and withdrawals become movements, once each, by the table and the fee rules of
 * docs/reconciliation.md 3.3 (U35–U37, REF-10). What is due is laid out anew for each order that was written;
 * only what differs from what is there is touched.
 */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Tables } from '../../store/schema/schema.ts';
import { FORMERLY, dropAllNotDue, dropNotDue } from './drop-movements.ts';
import { listOrderChanges } from './order-effects.ts';
import { accountOf, movementLines } from './order-movements.ts';
import type { MovementLine } from './order-movements.ts';
import type { PostingRange } from './post-deposits.ts';
import type { PostingRules } from './posting-rules.ts';

/**
 * Posts the orders written in the range; a range from 0 takes back whatever other rules had posted. Posting
 * twice is posting once: movements change only when their order, its changes or the rules did.
 */
export async function postOrders(
  trx: Transaction<Tables>,
  range: PostingRange,
  rules: PostingRules,
): Promise<void> {
  if (!(await listOrderChanges(trx, range, rules))) return;
  const lines = movementLines(rules);
  await layOutDue(trx, lines);
  await tellNamesakesApart(trx);
  if (range.after === 0n) await dropAllNotDue(trx, range.writeNo);
  else await dropNotDue(trx, range.writeNo, lines);
  await saveDue(trx, range.writeNo);
}

const KNOWN = sql`select m.order_account, m.reference, m.delta_fen, m.fee_fen, m.effective_from, m.effective_to
  from movement m where m.account_no = d.account_no and m.dedup_key = d.dedup_key offset 0`;

/** `due_movement`: what the changes amount to, each beside what is there under its key. */
async function layOutDue(trx: Transaction<Tables>, lines: readonly MovementLine[]): Promise<void> {
  const selects = lines.map(
    ({ subject, head, kind, side, delta, fee, when }) => sql`
      select ${accountOf(side, sql`c`)} as account_no,
        ${sql.lit(`${head}:`)} || c.out_order_no || ${numbering(subject)} as dedup_key,
        ${sql.lit(subject)} as family, ${sql.lit(kind)} as kind, (${delta})::bigint as delta_fen,
        (${fee})::bigint as fee_fen, c.out_order_no as reference, c.account_no as order_account, c.change_no,
        c.effective_from, c.first_final_at as effective_to, c.kept as placed
      from order_change c
      where c.subject = ${sql.lit(subject)} and ${accountOf(side, sql`c`)} <> '' and ${when}`,
  );
  await sql`
    create temporary table due_movement on commit drop as
    select d.*, k.order_account as known_account, k.reference as known_reference,
      k.delta_fen as known_delta, k.fee_fen as known_fee, k.effective_from as known_from, k.effective_to as known_to
    from (${sql.join(selects, sql` union all `)}) d
    left join lateral (${KNOWN}) k on true`.execute(trx);
  await sql`analyze due_movement`.execute(trx);
}

/** Refunds are always numbered; a settlement or withdrawal only when it is not the first of its order. */
function numbering(subject: MovementLine['subject']) {
  if (subject === 'transfer') return sql`''`;
  if (subject === 'refund') return sql`':' || c.change_no`;
  return sql`case when c.change_no > 1 then ':' || c.change_no else '' end`;
}

/**
 * Two payers may have given one number to orders that meet on an account (U26), and a number may end as another's
 * numbering does: whoever comes later carries in its key whose it is.
 */
async function tellNamesakesApart(trx: Transaction<Tables>): Promise<void> {
  await sql`
    create temporary table namesake on commit drop as
    select account_no, dedup_key, order_account, reference from due_movement
    where (known_account, known_reference) <> (order_account, reference)
    union
    select account_no, dedup_key, order_account, reference
    from (
      select d.*, row_number() over (partition by account_no, dedup_key order by order_account, reference) as nth
      from due_movement d join (
        select account_no, dedup_key from due_movement group by account_no, dedup_key having count(*) > 1
      ) twice using (account_no, dedup_key)
    ) d
    where nth > 1`.execute(trx);
  const { rows } = await sql<{ any: boolean }>`select exists (select from namesake) as any`.execute(trx);
  if (rows[0]?.any !== true) return;
  await sql`
    update due_movement d set dedup_key = d.dedup_key || ':@' || d.order_account || '/' || d.reference
    from namesake n
    where n.account_no = d.account_no and n.dedup_key = d.dedup_key and n.order_account = d.order_account
      and n.reference = d.reference`.execute(trx);
  await sql`
    update due_movement d
    set (known_account, known_reference, known_delta, known_fee, known_from, known_to) = (${KNOWN})
    where d.dedup_key like '%:@%'`.execute(trx);
}

/** In key order, which indexes like. */
async function saveDue(trx: Transaction<Tables>, writeNo: bigint): Promise<void> {
  await sql`
    insert into movement (account_no, dedup_key, family, kind, delta_fen, fee_fen, reference,
      effective_from, effective_to, written_no, order_account, change_no, placed)
    select account_no, dedup_key, family, kind, delta_fen, fee_fen, reference,
      effective_from, effective_to, ${writeNo}::bigint, order_account, change_no, placed
    from due_movement
    where known_account is null or (known_delta, known_fee, known_from, known_to)
      is distinct from (delta_fen, fee_fen, effective_from, effective_to)
    order by account_no, dedup_key
    on conflict (account_no, dedup_key) do update set
      delta_fen = excluded.delta_fen, fee_fen = excluded.fee_fen,
      effective_from = excluded.effective_from, effective_to = excluded.effective_to,
      written_no = excluded.written_no, placed = excluded.placed,
      ${FORMERLY}`.execute(trx);
}
