/**
 * What there is to match: movements and ledger entries written since the last time, what was left over then,
 * and the members of groups that something new touches. Everything else stays matched and is not looked at.
 * New movements and new deposits of the books are read where they lie, through the views `pool_movement` and
 * `pool_entry`; the other entries are copied, because what they refer to is looked up.
 */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Tables } from '../../store/schema/schema.ts';
import { bookedAnew } from './booked-anew.ts';
import { ALIAS_OF_ENTRY, FAMILY_OF_KIND, REFERENCE_OF_ENTRY, aliasOf } from './entry-place.ts';
import { GROUPS_ACROSS_OPENINGS } from './opening-eras.ts';
import { placeFees } from './place-fees.ts';

export interface MatchRange {
  after: bigint;
  upTo: bigint;
  timeZone: string;
}

const MOVEMENT_COLUMNS = sql`m.account_no, m.dedup_key, m.family, m.kind, m.delta_fen, m.fee_fen, m.reference,
  m.effective_from`;
/** A fee is placed under the number it states until its movement is found. */
const ENTRY_COLUMNS = sql`e.entry_no, e.account_no, ${FAMILY_OF_KIND} as family, e.kind, e.amount_fen,
  case e.kind when 'fee' then e.reference else ${REFERENCE_OF_ENTRY} end as reference,
  e.counterparty, e.booked_at, e.status`;
const DEPOSIT_COLUMNS = sql`e.entry_no, e.account_no, ${FAMILY_OF_KIND} as family, e.kind, e.amount_fen,
  e.reference, e.counterparty, e.booked_at, e.status`;

/** Makes the views `pool_movement` and `pool_entry`; `unmatched` is empty afterwards. */
export async function fillUnmatchedItems(trx: Transaction<Tables>, range: MatchRange): Promise<void> {
  await learnSizes(trx);
  await keepLeftovers(trx, range);
  const hasOrders = await knowsOrders(trx);
  if (hasOrders) await copyNewEntries(trx, range);
  await makeViews(trx, range, hasOrders);
  await reopenGroups(trx, range, hasOrders);
  if (hasOrders) await leaveOtherSideOut(trx);
  if (hasOrders) await placeFees(trx);
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

/** As long as there are only deposits there is nothing to look up. */
async function knowsOrders(trx: Transaction<Tables>): Promise<boolean> {
  const { rows } = await sql<{ any: boolean }>`
    select exists (select from order_alias) or exists (select from transfer_order)
      or exists (select from withdrawal) as any`.execute(trx);
  return rows[0]?.any === true;
}

async function keepLeftovers(trx: Transaction<Tables>, range: MatchRange): Promise<void> {
  await sql`
    create temporary table left_movement on commit drop as
    select ${MOVEMENT_COLUMNS}
    from unmatched u join movement m on m.account_no = u.account_no and m.dedup_key = u.item_key
    where u.side = 'platform' and m.written_no <= ${range.after}`.execute(trx);
  await sql`
    create temporary table left_entry on commit drop as
    select ${ENTRY_COLUMNS}
    from unmatched u join ledger_entry e on e.entry_no = u.item_key::bigint ${ALIAS_OF_ENTRY}
    where u.side = 'ledger' and e.current and e.written_no <= ${range.after}`.execute(trx);
  await sql`delete from unmatched`.execute(trx);
}

async function copyNewEntries(trx: Transaction<Tables>, range: MatchRange): Promise<void> {
  await sql`
    insert into left_entry
    select ${ENTRY_COLUMNS} from ledger_entry e ${ALIAS_OF_ENTRY}
    where e.written_no > ${range.after} and e.written_no <= ${range.upTo}
      and e.current and e.kind not in ('opening', 'adjustment', 'deposit')`.execute(trx);
}

async function makeViews(trx: Transaction<Tables>, range: MatchRange, hasOrders: boolean): Promise<void> {
  const [after, upTo] = [sql.lit(range.after), sql.lit(range.upTo)];
  await sql`
    create temporary view pool_movement as
    select ${MOVEMENT_COLUMNS} from movement m where m.written_no > ${after} and m.written_no <= ${upTo}
    union all select * from left_movement`.execute(trx);
  await sql`
    create temporary view pool_entry as
    select ${DEPOSIT_COLUMNS} from ledger_entry e
    where e.written_no > ${after} and e.written_no <= ${upTo} and e.current
      and ${hasOrders ? sql`e.kind = 'deposit'` : sql`e.kind not in ('opening', 'adjustment')`}
    union all select * from left_entry`.execute(trx);
}

/** The views end with the step: a session outlives its transactions. */
export async function dropUnmatchedItems(trx: Transaction<Tables>): Promise<void> {
  await sql`drop view pool_movement, pool_entry`.execute(trx);
}

/**
 * Groups that are not equal, that lost a member or changed one, that lie across an opening, or whose reference something new carries,
 * give their members back; a fee opens all kinds of its reference, because it may belong to any of them.
 */
async function reopenGroups(trx: Transaction<Tables>, range: MatchRange, hasOrders: boolean): Promise<void> {
  await sql`
    create temporary table former_pair (account_no text collate "C", deposit_key text collate "C", source text,
      entry_id text, entry_no bigint) on commit drop`.execute(trx);
  const { rows } = await sql<{ any: boolean }>`select exists (select from match) as any`.execute(trx);
  if (rows[0]?.any !== true) return;
  await giveBack(
    trx,
    range,
    sql`
    select account_no, group_key from match where outcome <> 'equal'
    union
    select x.account_no, x.group_key from match x join ledger_entry e on e.entry_no = x.entry_no
      and not e.current and e.written_no > ${range.after}
    union
    ${GROUPS_ACROSS_OPENINGS}`,
  );
  await giveBack(
    trx,
    range,
    sql`
    select x.account_no, x.group_key from pool_movement p
      join match x on x.account_no = p.account_no and x.group_key = p.family || ':' || p.reference
    union
    select x.account_no, x.group_key from pool_entry p
      join match x on x.account_no = p.account_no and x.group_key = p.family || ':' || p.reference
    where p.reference <> ''`,
  );
  if (hasOrders) await giveBack(trx, range, groupsOfFees());
  await followPairedEntries(trx, range);
}

/** A fee of a deposit that is unmatched has found what it belongs to. */
function groupsOfFees(): RawBuilder<unknown> {
  return sql`
    select x.account_no, x.group_key
    from left_entry l ${aliasOf('l')}
    cross join lateral (select coalesce(a.out_order_no, l.reference) as order_reference) o
    cross join lateral (
      select * from match x where x.account_no = l.account_no and x.group_key = any(array[
        'deposit:' || l.reference, 'transfer:' || o.order_reference, 'settlement:' || o.order_reference,
        'refund:' || o.order_reference, 'withdrawal:' || o.order_reference])
      offset 0
    ) x
    where l.kind = 'fee' and l.reference <> '' and not exists (
      select from pool_movement p
      where p.account_no = l.account_no and p.reference = l.reference and p.family = 'deposit')`;
}

/** The members of groups go from `match` back to the unmatched, where they are not in it already. */
async function giveBack(
  trx: Transaction<Tables>,
  range: MatchRange,
  groups: RawBuilder<unknown>,
): Promise<void> {
  await sql`drop table if exists reopened, given_back`.execute(trx);
  await sql`create temporary table reopened on commit drop as ${groups}`.execute(trx);
  await sql`
    create temporary table given_back on commit drop as
    with gone as (
      delete from match x using (select distinct * from reopened) r
      where x.account_no = r.account_no and x.group_key = r.group_key
      returning x.account_no, x.dedup_key, x.entry_no, x.rule
    ) select * from gone`.execute(trx);
  await rememberPairs(trx);
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
    from given_back g join ledger_entry e on e.entry_no = g.entry_no ${ALIAS_OF_ENTRY}
    where e.current and e.written_no <= ${range.after}
      and not exists (select from left_entry l where l.entry_no = e.entry_no)`.execute(trx);
}

/** Look-alikes that were paired: of what is alike it is the same one again. */
async function rememberPairs(trx: Transaction<Tables>): Promise<void> {
  await sql`
    insert into former_pair
    select g.account_no, g.dedup_key, e.source, e.entry_id, c.entry_no
    from given_back g join ledger_entry e on e.entry_no = g.entry_no
    left join ledger_entry c on c.source = e.source and c.entry_id = e.entry_id and c.current
    where g.rule <> 'reference' and g.dedup_key is not null`.execute(trx);
}

/** An entry that was paired and withdrawn since is the one that the books have in its place. */
async function followPairedEntries(trx: Transaction<Tables>, { after, timeZone }: MatchRange): Promise<void> {
  const gone = sql`
    select source, entry_id, deposit_key as name, '' as rank, ${after}::bigint as known_no
    from former_pair where entry_no is null`;
  const { rows } = await sql<{ any: boolean }>`select exists (${gone}) as any`.execute(trx);
  if (rows[0]?.any !== true) return;
  await sql`analyze former_pair`.execute(trx);
  const isNew = sql`not exists (select from former_pair f where f.entry_no = e.entry_no)
    and (e.version = 1 or exists (select from ledger_entry w where w.withdrawn and w.source = e.source
      and w.entry_id = e.entry_id and w.version = e.version - 1))`;
  await sql`
    update former_pair p set entry_no = n.entry_no from (${bookedAnew(gone, isNew, timeZone)}) n
    where p.account_no = n.account_no and p.deposit_key = n.name`.execute(trx);
}

/**
 * What one account pays and what it is paid must not cancel each other: an entry of the side of an order that has
 * no movement on its account, where the other side has, belongs to another account and stays open.
 */
async function leaveOtherSideOut(trx: Transaction<Tables>): Promise<void> {
  await sql`
    with side as (
      select account_no, family, reference, array_agg(distinct kind) as kinds from pool_movement
      where kind in ('transfer_in', 'transfer_out', 'refund_in', 'refund_out')
      group by account_no, family, reference
    )
    update left_entry l set family = l.kind
    from side s
    where s.account_no = l.account_no and s.family = l.family and s.reference = l.reference
      and l.kind in ('transfer_in', 'transfer_out', 'refund_in', 'refund_out') and l.kind <> all (s.kinds)`.execute(
    trx,
  );
}
