/**
 * What there is to match: movements and ledger entries written since the last time, what was left over then,
 * and the members of groups that something new touches. Everything else stays matched and is not looked at.
 * New rows are read where they lie, through the views `pool_movement` and `pool_entry`; only the others are
 * copied.
 */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Tables } from '../store/schema.ts';

export interface PoolRange {
  after: bigint;
  upTo: bigint;
}

/** The families a ledger kind is compared with; fees find theirs by reference. */
const FAMILY_OF_KIND = sql`case e.kind
  when 'transfer_in' then 'transfer' when 'transfer_out' then 'transfer'
  when 'refund_in' then 'refund' when 'refund_out' then 'refund'
  when 'fee' then coalesce(f.family, 'deposit')
  else e.kind end`;

const MOVEMENT_COLUMNS = sql`m.account_no, m.dedup_key, m.family, m.kind, m.delta_fen, m.fee_fen, m.reference,
  m.effective_from`;
const ENTRY_COLUMNS = sql`e.entry_no, e.account_no, ${FAMILY_OF_KIND} as family, e.kind, e.amount_fen,
  e.reference, e.counterparty, e.booked_at, e.status`;

/** Makes the views `pool_movement` and `pool_entry`; `unmatched` is empty afterwards. */
export async function fillPool(trx: Transaction<Tables>, range: PoolRange): Promise<void> {
  await learnSizes(trx);
  await placeFees(trx, range);
  await keepLeftovers(trx, range);
  await makeViews(trx, range);
  await reopenGroups(trx, range);
  await sql`analyze left_movement`.execute(trx);
  await sql`analyze left_entry`.execute(trx);
}

/** What a night brings is not in the statistics yet, and the planner would take a million rows for a handful. */
async function learnSizes(trx: Transaction<Tables>): Promise<void> {
  await sql`analyze movement (account_no, dedup_key, family, kind, reference, written_no, effective_from)`.execute(
    trx,
  );
  await sql`analyze ledger_entry (entry_no, account_no, kind, reference, written_no, booked_at, current)`.execute(
    trx,
  );
}

/**
 * A fee entry belongs to the kind whose fee it equals, else to the first of its reference; as long as there are
 * only deposits there is nothing to choose.
 */
async function placeFees(trx: Transaction<Tables>, range: PoolRange): Promise<void> {
  await sql`create temporary table fee_family (entry_no bigint primary key, family text) on commit drop`.execute(
    trx,
  );
  await sql`
    insert into fee_family
    select e.entry_no, m.family from ledger_entry e
    cross join lateral (
      select m.family from movement m
      where m.account_no = e.account_no and m.dedup_key = any(array[
          'deposit:' || e.reference, 'transfer_out:' || e.reference, 'transfer_in:' || e.reference,
          'settlement:' || e.reference, 'withdrawal:' || e.reference])
      order by (m.fee_fen = abs(e.amount_fen)) desc, m.family limit 1
    ) m
    where e.current and e.kind = 'fee' and e.reference <> ''
      and exists (select from movement other where other.family <> 'deposit')
      and (e.written_no > ${range.after} or e.entry_no in (
        select item_key::bigint from unmatched where side = 'ledger'
        union select entry_no from match where outcome <> 'equal' and entry_no is not null))`.execute(trx);
}

async function keepLeftovers(trx: Transaction<Tables>, range: PoolRange): Promise<void> {
  await sql`
    create temporary table left_movement on commit drop as
    select ${MOVEMENT_COLUMNS}
    from unmatched u join movement m on m.account_no = u.account_no and m.dedup_key = u.item_key
    where u.side = 'platform' and m.written_no <= ${range.after}`.execute(trx);
  await sql`
    create temporary table left_entry on commit drop as
    select ${ENTRY_COLUMNS}
    from unmatched u join ledger_entry e on e.entry_no = u.item_key::bigint
    left join fee_family f on f.entry_no = e.entry_no
    where u.side = 'ledger' and e.current and e.written_no <= ${range.after}`.execute(trx);
  await sql`delete from unmatched`.execute(trx);
}

async function makeViews(trx: Transaction<Tables>, range: PoolRange): Promise<void> {
  const [after, upTo] = [sql.lit(range.after), sql.lit(range.upTo)];
  await sql`
    create temporary view pool_movement as
    select ${MOVEMENT_COLUMNS} from movement m where m.written_no > ${after} and m.written_no <= ${upTo}
    union all select * from left_movement`.execute(trx);
  await sql`
    create temporary view pool_entry as
    select ${ENTRY_COLUMNS} from ledger_entry e left join fee_family f on f.entry_no = e.entry_no
    where e.written_no > ${after} and e.written_no <= ${upTo}
      and e.current and e.kind not in ('opening', 'adjustment')
    union all select * from left_entry`.execute(trx);
}

/** The views end with the step: a session outlives its transactions. */
export async function dropPool(trx: Transaction<Tables>): Promise<void> {
  await sql`drop view pool_movement, pool_entry`.execute(trx);
}

/**
 * Groups that are not equal, that lost a member or changed one, or whose reference something new carries,
 * give their members back.
 */
async function reopenGroups(trx: Transaction<Tables>, range: PoolRange): Promise<void> {
  const { rows } = await sql<{ any: boolean }>`select exists (select from match) as any`.execute(trx);
  if (rows[0]?.any !== true) return;
  await sql`
    create temporary table reopened on commit drop as
    select account_no, group_key from match where outcome <> 'equal'
    union
    select x.account_no, x.group_key from match x join ledger_entry e on e.entry_no = x.entry_no
      and not e.current and e.written_no > ${range.after}
    union
    select x.account_no, x.group_key from pool_movement p
      join match x on x.account_no = p.account_no and x.group_key = p.family || ':' || p.reference
    union
    select x.account_no, x.group_key from pool_entry p
      join match x on x.account_no = p.account_no and x.group_key = p.family || ':' || p.reference
    where p.reference <> ''`.execute(trx);
  await sql`
    create temporary table given_back on commit drop as
    with gone as (
      delete from match x using reopened r
      where x.account_no = r.account_no and x.group_key = r.group_key
      returning x.account_no, x.dedup_key, x.entry_no
    ) select * from gone`.execute(trx);
  await sql`
    insert into left_movement
    select ${MOVEMENT_COLUMNS}
    from given_back g join movement m on m.account_no = g.account_no and m.dedup_key = g.dedup_key
    where m.written_no <= ${range.after}
      and not exists (select from left_movement l where l.account_no = m.account_no and l.dedup_key = m.dedup_key)`.execute(
    trx,
  );
  await sql`
    insert into left_entry
    select ${ENTRY_COLUMNS}
    from given_back g join ledger_entry e on e.entry_no = g.entry_no
    left join fee_family f on f.entry_no = e.entry_no
    where e.current and e.written_no <= ${range.after}
      and not exists (select from left_entry l where l.entry_no = e.entry_no)`.execute(trx);
}
