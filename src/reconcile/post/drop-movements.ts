/**
 * Movements that facts or rules no longer give rise to are taken back, and what they were matched with is opened. Where
 * a movement counted before is kept: the days it left are proven again.
 */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Tables } from '../../store/schema/schema.ts';
import { accountOf } from './order-movements.ts';
import type { MovementLine } from './order-movements.ts';

const LEFT = sql`nullif(movement.effective_from, excluded.effective_from)`;

/** In an update of `movement`: between which instants it counted before, where it ever counted elsewhere. */
export const FORMERLY = sql`formerly_from = least(movement.formerly_from, ${LEFT}),
  formerly_to = greatest(movement.formerly_to, ${LEFT})`;

/** Takes back all movements of orders that `due_movement` lacks; it holds those of all orders. */
export async function dropAllNotDue(trx: Transaction<Tables>, writeNo: bigint): Promise<void> {
  await dropMovements(
    trx,
    writeNo,
    sql`m.order_account <> '' and not exists (
      select from due_movement d where d.account_no = m.account_no and d.dedup_key = m.dedup_key)`,
  );
}

/**
 * Takes back movements of the orders in `order_fact` that `due_movement` lacks. They are looked up by key on
 * every account they may lie on, those of former records included; the rules are those they were posted by.
 */
export async function dropNotDue(
  trx: Transaction<Tables>,
  writeNo: bigint,
  lines: readonly MovementLine[],
): Promise<void> {
  await listPostedBefore(trx);
  const { rows } = await sql<{ any: boolean }>`select exists (select from posted_before) as any`.execute(trx);
  if (rows[0]?.any !== true) return;
  const places = lines.map(
    ({ subject, head, side }) => sql`
      select p.order_account, p.out_order_no, ${accountOf(side, sql`p`)} as account_no,
        ${sql.lit(`${head}:`)} || p.out_order_no as dedup_key
      from posted_before p
      where (p.kind = 'withdrawal') = ${sql.lit(subject === 'withdrawal')}`,
  );
  await sql`
    create temporary table not_due on commit drop as
    select m.account_no, m.dedup_key
    from (${sql.join(places, sql` union `)}) p
    cross join lateral (
      select * from movement m where m.account_no = p.account_no and m.dedup_key = p.dedup_key
      union all
      select * from movement m where m.account_no = p.account_no
        and m.dedup_key > p.dedup_key || ':' and m.dedup_key < p.dedup_key || ';'
    ) m
    where m.order_account = p.order_account and m.reference = p.out_order_no
      and not exists (
        select from due_movement d where d.account_no = m.account_no and d.dedup_key = m.dedup_key)`.execute(
    trx,
  );
  const isNotDue = sql`(m.account_no, m.dedup_key) in (select account_no, dedup_key from not_due)`;
  await dropMovements(trx, writeNo, isNotDue);
}

/** Orders that have movements, once for each payee their record ever named. */
async function listPostedBefore(trx: Transaction<Tables>): Promise<void> {
  await sql`
    create temporary table posted_before on commit drop as
    with posted as (
      select kind, account_no, out_order_no, payee_account_no from order_fact where posted
    )
    select kind, account_no, account_no as order_account, out_order_no, payee_account_no from posted
    union
    select p.kind, p.account_no, p.account_no, p.out_order_no,
      (v.content ->> 'payee_account_no') collate "C"
    from posted p join order_version v using (account_no, kind, out_order_no)
    where p.kind = 'transfer'`.execute(trx);
  await sql`analyze posted_before`.execute(trx);
}

/**
 * Takes movements back, and keeps where they counted. The groups they were matched in no longer agree, which is how
 * the next matching knows to look at the other members again.
 */
export async function dropMovements(
  trx: Transaction<Tables>,
  writeNo: bigint,
  which: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    with gone as (
      delete from movement m where ${which}
      returning m.account_no, m.family || ':' || m.reference as group_key, m.reference,
        least(m.effective_from, m.formerly_from) as counted_from
    ), kept as (
      insert into movement_taken_back as k (account_no, written_no, counted_from, reference)
      select distinct on (account_no) account_no, ${writeNo}::bigint, counted_from, reference
      from gone order by account_no, counted_from, reference
      on conflict (account_no, written_no) do update
        set counted_from = excluded.counted_from, reference = excluded.reference
        where excluded.counted_from < k.counted_from
    )
    update match x set outcome = 'amount' from (select distinct account_no, group_key from gone) g
    where x.account_no = g.account_no and x.group_key = g.group_key and x.outcome = 'equal'`.execute(trx);
}
