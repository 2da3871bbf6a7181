/**
 * A break is the same one for as long as its cause lives on (docs/reconciliation.md 3.8): found under its own key, or
 * under another one, because an entry was moved, the other side was booked, or an order is known by now.
 */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Tables } from '../../store/schema/schema.ts';
import { bookedAnew } from '../match/booked-anew.ts';
import { FAMILY_OF_KIND } from '../match/entry-place.ts';
import { BOOKED, NAMED_OTHERS, cameSince } from './came-since.ts';
import { NO_ACCOUNT } from '../../store/orders/told-on.ts';
import type { FindingRun } from '../balance/proof-request.ts';

/** The family of a line, whichever side or rest of it. */
export const familyOf = (key: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`substring(${key} from '^line:(?:rest:)?([a-z]+)')`;

/** A line `b` that only one side has, and an item `f` that only the other has: not one thing, where there is a choice. */
const ARE_OPPOSITE = sql`(b.item_key like 'line:%'
  and (b.platform_fen is null) = (f.ledger_fen is null) and (b.ledger_fen is null) = (f.platform_fen is null)
  and (b.platform_fen is null) <> (b.ledger_fen is null))`;

/** It has the key of its day: found again, it is the same, whatever had ended it. */
export const IS_UNEXPLAINED = sql`b.item_key like 'unexplained:%'`;

/** A difference of the balance itself. */
export const IS_OF_BALANCE = sql`(${IS_UNEXPLAINED} or b.item_key in ('opening', 'period_changed:ledger'))`;

const SHARE_A_SIDE = sql`(b.platform_fen is not null and f.platform_fen is not null
  or b.ledger_fen is not null and f.ledger_fen is not null)`;

/** An order on its way that neither platform nor books have; on its payee it states no amount. */
const IS_UNKNOWN = (item: 'b' | 'f'): RawBuilder<unknown> =>
  sql`(${sql.ref(`${item}.class`)} in ('unknown_not_found', 'in_flight', 'state') and ${sql.ref(`${item}.ledger_fen`)} is null)`;

/** What neither side has yet, or had then, is whatever comes of it, unless that has a break of its own. */
const COMES_OF_IT = sql`((${IS_UNKNOWN('b')} or ${IS_UNKNOWN('f')}) and not exists (
  select from break o where o.account_no = f.account_no and o.item_key = f.item_key and o.status = 'open'))`;

/**
 * Makes `carried` (break_id, account_no, item_key): which break each found item is, where it is one already; at first
 * the one that has its key, of several the first that was open after this day, else the one that ended on it; of those
 * that are open, because one moved to the key of another, the one that was found last. Where several items go on with
 * one, the first by account and key is it. And for the open lines that are not found under
 * theirs, for those who tell how they ended: `lapsed`; `name_of_line`, under which their order is known; `entry_now`, what became of their entries; `lives_on`,
 * the items that go on with them, whether or not these carry them. Needs `found` complete and `stage_cleared`.
 */
export async function breakKeepsItsId(trx: Transaction<Tables>, run: FindingRun): Promise<void> {
  await sql`drop table if exists lapsed, name_of_line, entry_now, lives_on, carried`.execute(trx);
  await listLapsed(trx, run);
  await followEntries(trx, run);
  await listHeirs(trx, run);
  await sql`
    create temporary table carried (break_id text collate "C" unique, account_no text collate "C", item_key text collate "C",
      unique (account_no, item_key)) on commit drop`.execute(trx);
  await sql`
    insert into carried
    select break_id, account_no, item_key from (
      (select distinct on (b.account_no, b.item_key) b.break_id, b.account_no, b.item_key, b.first_day,
        case when ${ARE_OPPOSITE} then 2 else 0 end as rank
      from break b join found f using (account_no, item_key)
      where b.status = 'open' or b.closed_day >= ${run.toDay} or ${IS_UNEXPLAINED}
      order by b.account_no, b.item_key, ${ARE_OPPOSITE}, coalesce(b.closed_day = ${run.toDay}, false),
        b.closed_day nulls last, b.last_day desc, b.occurrence)
      union all
      select b.break_id, f.account_no, f.item_key, b.first_day,
        case when ${ARE_ONE_WRONG} and not ${HAVE_ONE_PAYER} then 3 else 1 end
      from lives_on l join break b using (break_id)
      join found f on f.account_no = l.account_no and f.item_key = l.item_key
    ) c
    order by rank, first_day, break_id, account_no, item_key
    on conflict do nothing`.execute(trx);
}

/** The line of entry `e`, which states no reference. */
const LINE_OF_ENTRY = sql`'line:' || ${FAMILY_OF_KIND} || ':entry:' || e.source || '/' || e.entry_id`;

/** Lines of one entry that was withdrawn, each with that of another one that says the same and has no break yet. */
const linesBookedAnew = (run: FindingRun): RawBuilder<unknown> => sql`
  select n.name as break_id, n.account_no, ${LINE_OF_ENTRY} as item_key
  from (${bookedAnew(
    sql`
      select l.source, l.reference as entry_id, break_id as name, b.first_day as rank,
        coalesce((select max(k.known_no) from break_found k where k.break_id = l.break_id), 0) as known_no
      from lapsed l join break b using (break_id) where l.source is not null`,
    sql`exists (select from found f where f.account_no = e.account_no and f.item_key = ${LINE_OF_ENTRY})
      and not exists (
        select from break b where b.account_no = e.account_no and b.item_key = ${LINE_OF_ENTRY} and b.status = 'open')`,
    run.zone.name,
  )}) n join ledger_entry e using (entry_no)`;

/** Open lines that are not found under their own key, or only what the other side has there. */
async function listLapsed(trx: Transaction<Tables>, run: FindingRun): Promise<void> {
  await sql`
    create temporary table lapsed on commit drop as
    select b.break_id, b.account_no, b.item_key, b.reference, b.class, b.platform_fen, b.ledger_fen,
      ${familyOf(sql`b.item_key`)} as family,
      case when k.of_entry is not null and right(k.of_entry, length(b.reference) + 1) = '/' || b.reference
        then left(k.of_entry, length(k.of_entry) - length(b.reference) - 1) end as source
    from break b
    cross join lateral (
      select substring(b.item_key from '^line:(?:rest:)?[a-z_]+:entry:(.*)$') as of_entry) k
    where b.status = 'open' and b.first_day <= ${run.toDay} and b.item_key like 'line:%'
      and (b.account_no = ${NO_ACCOUNT} or b.account_no in (select account_no from stage_scope))
      and not exists (select from found f
        where f.account_no = b.account_no and f.item_key = b.item_key and not ${ARE_OPPOSITE})`.execute(trx);
  await sql`analyze lapsed`.execute(trx);
  await sql`
    create temporary table name_of_line on commit drop as
    select break_id, reference as name from lapsed where source is null and reference <> ''
    union
    select l.break_id, a.out_order_no from lapsed l join order_alias a on a.order_no = l.reference
    where l.source is null
    union
    select l.break_id, a.order_no from lapsed l join order_alias a on a.out_order_no = l.reference
    where l.source is null`.execute(trx);
}

/**
 * Entry `e` is a fee that stands with the deposits, line `l`, for as long as nothing tells of which order it is, and did
 * or does so no more.
 */
const FEE_IS_PLACED_ANEW = sql`(e.kind = 'fee' and e.current and case l.family
  when 'deposit' then exists (select from match x where x.entry_no = e.entry_no and x.group_key not like 'deposit:%')
    or exists (select from open_entry o where o.entry_no = e.entry_no and o.family <> 'deposit')
  else exists (select from open_entry o where o.entry_no = e.entry_no and o.family = 'deposit') end)`;

/** Entry `c` is matched in a group `x` that disagrees, and of which a later run says so: nothing of it, `w`, counts yet. */
const IS_YET_TO_BE_WEIGHED = sql`(x.outcome in ('amount', 'fee', 'duplicate')
  and not coalesce(w.is_at_cut or w.moved_before, false))`;

/**
 * The entries of each lapsed line: the one it is about, else those that carry its reference, or did before what
 * came since, and a fee wherever it was placed since. Each as it is now, with the key of the line it is in. It lives on where it is neither withdrawn nor
 * matched nor taken back, whatever day or status it was given. Needs `weighed`.
 */
async function followEntries(trx: Transaction<Tables>, run: FindingRun): Promise<void> {
  await sql`
    create temporary table entry_now on commit drop as
    select k.*, c.account_no, x.group_key,
      case when x.group_key is not null then 'line:' || x.group_key
        when c.kind = 'adjustment' then 'line:adjustment:entry:' || k.source || '/' || k.entry_id
        else 'line:' || s.group_key end as item_key,
      c.entry_no is not null and (x.group_key is null or ${IS_YET_TO_BE_WEIGHED}) and c.kind <> 'opening'
        and coalesce(p.fen, c.amount_fen) <> 0
        and not exists (select from stage_cleared z
          where z.account_no = c.account_no and z.source = c.source and z.entry_id = c.entry_id) as lives
    from (
      select break_id, source, entry_id, bool_or(since) as since from (
        select break_id, source, reference as entry_id, true as since from lapsed where source is not null
        union all
        select l.break_id, e.source, e.entry_id, true
        from lapsed l join name_of_line n using (break_id)
        join ledger_entry e on e.account_no = l.account_no and e.reference = n.name
        where (e.kind = 'fee' or ${FAMILY_OF_KIND} = l.family) and ${cameSince(run, BOOKED, sql`l.break_id`)}
          or ${FEE_IS_PLACED_ANEW}
        union all
        select l.break_id, o.source, o.entry_id, false
        from lapsed l join name_of_line n using (break_id)
        join open_entry o on o.account_no = l.account_no and o.reference = n.name and o.family = l.family
      ) e group by break_id, source, entry_id
    ) k
    left join ledger_entry c on c.source = k.source and c.entry_id = k.entry_id and c.current
    left join lateral (
      select min(group_key) as group_key, min(outcome) as outcome from match x where x.entry_no = c.entry_no) x on true
    left join weighed w on w.account_no = c.account_no and w.group_key = x.group_key
    left join open_entry o on o.entry_no = c.entry_no
    left join entry_sum s on s.account_no = o.account_no and s.family = o.family and s.side = o.side
      and s.item = case o.reference when '' then 'entry:' || o.source || '/' || o.entry_id else o.reference end
    left join (
      select account_no, family, side, reference, sum(amount_fen) as fen from open_entry where reference <> ''
      group by account_no, family, side, reference
    ) p on p.account_no = o.account_no and p.family = o.family and p.side = o.side and p.reference = o.reference`.execute(
    trx,
  );
}

/** The platform shows that the account of item `f` pays its order. */
const PAYS_IT = sql`case r.kind
  when 'withdrawal' then exists (select from withdrawal o where o.account_no = f.account_no and o.out_order_no = f.reference)
  else exists (select from transfer_order o where o.account_no = f.account_no and o.out_order_no = f.reference) end`;

/**
 * What goes on with an open break under another key: the line its entry is in now, or that of an entry that says the same
 * where its own was withdrawn; another line of its order, where
 * the same side has it; what was the run's own because nobody knew whose order it is; what is wrong with an order, or not
 * found, and is told on another account, because that is listed by now.
 */
async function listHeirs(trx: Transaction<Tables>, run: FindingRun): Promise<void> {
  await sql`
    create temporary table lives_on on commit drop as
    ${linesBookedAnew(run)}
    union
    select k.break_id, f.account_no, f.item_key
    from entry_now k join found f on f.account_no = k.account_no and f.item_key = k.item_key
    join lapsed b using (break_id)
    where k.since and (k.lives or (k.group_key is not null and f.severity = 'break'))
      and (b.account_no, b.item_key) <> (f.account_no, f.item_key)
    union
    select b.break_id, f.account_no, f.item_key
    from lapsed b join name_of_line n using (break_id)
    join found f on f.account_no = b.account_no and f.reference = n.name and f.item_key <> b.item_key
    where ${familyOf(sql`f.item_key`)} = b.family and f.item_key not like 'line:%:entry:%'
      and (${SHARE_A_SIDE} or ${COMES_OF_IT})
    union
    select b.break_id, f.account_no, f.item_key
    from lapsed b join name_of_line n using (break_id)
    join found f on f.item_key = 'line:' || b.family || ':' || n.name and f.account_no <> ${NO_ACCOUNT}
    where b.account_no = ${NO_ACCOUNT} and exists (
      select from order_registry r
      where r.kind = b.family and b.reference in (r.out_order_no, r.order_no, r.out_batch_no, r.batch_no)
        and (r.payer_account_no = f.account_no or (r.payee_account_no = f.account_no and ${IS_UNKNOWN('f')})
          or (r.payer_account_no = '' and ${PAYS_IT})))
    union
    select b.break_id, f.account_no, f.item_key
    from lapsed b join found f on f.item_key = b.item_key and f.account_no <> b.account_no
    join order_registry r on f.item_key = 'line:' || r.kind || ':' || f.reference
      and f.reference in (r.out_order_no, r.order_no, r.out_batch_no, r.batch_no)
      and (r.payer_account_no, r.payee_account_no) = (f.account_no, b.account_no)
    where ${IS_UNKNOWN('b')} and b.platform_fen is null and ${IS_UNKNOWN('f')} and not ${NAMED_OTHERS}
    union
    select b.break_id, f.account_no, f.item_key
    from break b join found f on ${ARE_ONE_WRONG}
    where b.status = 'open' and b.item_key not like 'line:%' and not exists (
      select from found own where own.account_no = b.account_no and own.item_key = b.item_key)`.execute(trx);
}

/** The kind of what is wrong with an order, and whose that is: a key names the payer where that is not who is told. */
function wrongOf(item: 'b' | 'f'): Record<'kind' | 'whose', RawBuilder<unknown>> {
  const [account, key, reference] = ['account_no', 'item_key', 'reference'].map((name) =>
    sql.ref(`${item}.${name}`),
  );
  const head = sql`case when right(${key}, length(${reference}) + 1) = ':' || ${reference}
    then left(${key}, -length(${reference}) - 1) end`;
  return {
    kind: sql`regexp_replace(${head}, '^(registered_[a-z]+|settle_failed):.*$|:(payer/.*|order)$', '\\1')`,
    whose: sql`coalesce(substring(${head} from '(?:^registered_[a-z]+:|^settle_failed:|:payer/)(.*)$'), ${account})`,
  };
}

/** `b` and `f` are of one order for certain. */
const HAVE_ONE_PAYER = sql`${wrongOf('f').whose} = ${wrongOf('b').whose}`;

/**
 * `b` and `f` say the same of one order, whoever is told. Who pays what was registered otherwise, or is not shown, is as
 * uncertain as what was registered: only the platform shows it.
 */
export const ARE_ONE_WRONG = sql`(f.class = b.class and f.reference = b.reference
  and ${wrongOf('f').kind} = ${wrongOf('b').kind} and (${HAVE_ONE_PAYER}
    or ${wrongOf('b').kind} similar to 'batch_children|registered_(amount|account)|refused:%'))`;

/** All that goes on with the break `b`, and all that its entries are in by now, is timing with a break of its own. */
export const IS_TIMING_BY_NOW = sql`(b.severity = 'break'
  and exists (select from lives_on l where l.break_id = b.break_id)
  and not exists (
    select from lives_on l join found f on f.account_no = l.account_no and f.item_key = l.item_key
    where l.break_id = b.break_id and f.severity <> 'timing')
  and not exists (
    select from entry_now k where k.break_id = b.break_id and k.lives and not exists (
      select from found f
      where f.account_no = k.account_no and f.item_key = k.item_key and f.severity = 'timing')))`;
