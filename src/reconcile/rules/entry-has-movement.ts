/** Every posted entry of the books is on the platform. */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Tables } from '../../store/schema/schema.ts';
import { ALIAS_OF_ENTRY, FAMILY_OF_KIND, REFERENCE_OF_ENTRY } from '../match/entry-place.ts';
import { layOutExpected } from '../post/expected-movements.ts';
import type { ProofMoment } from './groups-agree.ts';
import { ORDER_TOLD_SINCE, REGISTERED_SINCE } from './open-order-is-timing.ts';
import type { PostingRules } from '../post/posting-rules.ts';
import { namesOfEntries } from '../../store/runs/entry-names.ts';

/**
 * A posted entry no movement was found for is, in this order: `ambiguous` when it could be paired in more than one
 * way; `account` when the platform has its reference open in the same direction on another account; `pending` when
 * its order is still open on the platform, `unknown_not_found` when the company registered it and the platform does
 * not know it (both timing, until they are older than agingDays); `state` when its order ended without moving
 * money, or has been pending for too long; else `ledger_only`. Entries of one reference and side are one finding.
 * What is on its way is held against its order, or against what was registered, with all known entries of
 * whatever day or status: where they differ that is `amount` or `fee` at once, and only the rest is timing. Of
 * several orders under way every amount must have its own.
 */
export async function entryHasMovement(
  trx: Transaction<Tables>,
  moment: ProofMoment,
  rules: { agingDays: number; posting: PostingRules; timeZone: string },
): Promise<void> {
  await layOutExpected(trx, rules.posting);
  await sumEntries(trx, moment);
  await judgeEntries(trx, moment, rules);
  await sql`
    insert into found (account_no, item_key, class, severity, reference, platform_fen, ledger_fen,
      difference_fen, line, platform_state, ledger_ref, ledger_state, ledger_at, counterparty, note)
    select account_no, 'line:' || part || group_key, class,
      case when class in ('pending', 'unknown_not_found') then 'timing' else 'break' end,
      reference, platform_fen, ledger_fen, fen, true, stated, ledger_ref, 'posted', booked_at, counterparty, note
    from (
      select j.*, '' as part,
        case when unequal_fen <> 0 and principal_fen in (expected_fen, gross_fen) then 'fee' else 'amount' end as class,
        expected_fen as platform_fen, known_fen as ledger_fen, unequal_fen as fen,
        case unequal_fen when 0 then 'agrees in sum, but not in its parts' else '' end as note
      from judged j where apart
      union all
      select j.*, case when apart then 'rest:' else '' end, verdict, null, posted_fen,
        -posted_fen - unequal_fen,
        case verdict when 'account' then 'on the platform on ' || other
          when 'state' then case standing when 'open' then 'open on the platform since ' || since_text
            else 'ended on the platform without moving money' end
          when 'ledger_only' then case standing
            when 'unknown' then 'registered, but the platform does not know it'
            when 'unasked' then 'not asked for: the books name no batch' else '' end
          else '' end
      from judged j
      where posted_fen + unequal_fen <> 0 or (family = 'deposit' and posted_count > 0)
    ) x`.execute(trx);
}

/**
 * One row for what the books have under one reference, family and side of an account; an entry without a reference
 * is alone. What they booked of an order and took back is nothing the platform could lack. The side that was booked
 * first has the key of the reference, for good, unless the platform moved money under it.
 */
async function sumEntries(trx: Transaction<Tables>, { cut, at }: ProofMoment): Promise<void> {
  await sql`drop table if exists entry_sum`.execute(trx);
  const posted = sql`status = 'posted' and booked_at < ${cut}`;
  await sql`
    create temporary table entry_sum on commit drop as
    select s.*, case when side not in ('fee', coalesce(f.first_side, side)) or exists (
        select from match g where g.account_no = s.account_no and g.group_key = s.family || ':' || s.item)
        or m.has_open
      then case side when 'fee' then family || '_fee' else side end else family end || ':' || item as group_key
    from (
      select account_no, family, item, side, max(named) as named,
        case when max(named) = '' then min(entry_id) else max(named) end as reference,
        coalesce(sum(amount_fen) filter (where ${posted}), 0)::bigint as posted_fen,
        count(*) filter (where ${posted}) as posted_count,
        sum(amount_fen)::bigint as known_fen,
        coalesce(sum(amount_fen) filter (where kind <> 'fee'), 0)::bigint as principal_fen,
        (array_agg(amount_fen order by amount_fen) filter (where kind <> 'fee'))::text as principals,
        bool_or(ambiguous) as ambiguous, bool_and(out_batch_no = '') as batchless, min(booked_at) as booked_at,
        min(counterparty) as counterparty, ${namesOfEntries()} as ledger_ref
      from (
        select e.*, e.reference as named,
          case when e.reference = '' then 'entry:' || e.source || '/' || e.entry_id else e.reference end as item
        from open_entry e
        join stage_scope s on s.account_no = e.account_no
        where e.booked_at >= s.ledger_from and e.booked_at <= ${at}
      ) e
      group by account_no, family, item, side
    ) s
    left join (${firstSides}) f using (account_no, family, item)
    left join (select distinct account_no, family, reference as item, true as has_open from open_movement) m
      using (account_no, family, item)
    where posted_fen <> 0 or known_fen <> 0 or (family = 'deposit' and posted_count > 0)`.execute(trx);
}

/** The side of an order that the books had first on an account, though it be taken back since. */
const firstSides = sql`
  select distinct on (account_no, family, item) account_no, family, item, kind as first_side
  from (
    select account_no, family, reference as item, kind, entry_no from open_entry where kind <> 'fee'
    union all
    select e.account_no, ${FAMILY_OF_KIND}, ${REFERENCE_OF_ENTRY}, e.kind, e.entry_no
    from ledger_entry e ${ALIAS_OF_ENTRY}
    where not e.current and e.kind in ('transfer_in', 'transfer_out', 'refund_in', 'refund_out')
  ) k
  order by account_no, family, item, entry_no`;

/** `judged`: what each sum is, and how much of it differs from what is on its way. */
async function judgeEntries(
  trx: Transaction<Tables>,
  { cut }: ProofMoment,
  { agingDays, timeZone }: { agingDays: number; timeZone: string },
): Promise<void> {
  await sql`drop table if exists judged`.execute(trx);
  await sql`
    create temporary table judged on commit drop as
    select x.*, coalesce(to_char(x.since at time zone ${timeZone}, 'YYYY-MM-DD HH24:MI'), '') as since_text,
      case when on_its_way then expected_fen - known_fen else 0 end as unequal_fen,
      on_its_way and (expected_fen <> known_fen or coalesce(principals <> all (ways), false)) as apart
    from (
      select v.*,
        verdict in ('pending', 'unknown_not_found') or (verdict = 'state' and standing = 'open') as on_its_way
      from (
        select e.*, a.other, p.standing, coalesce(p.stated, '') as stated, p.since, p.expected_fen, p.gross_fen, p.ways,
          case when ambiguous then 'ambiguous'
            when a.other is not null then 'account'
            when p.standing = 'failed' then 'state'
            when p.expected_fen is null then 'ledger_only'
            when p.standing = 'open' then case when is_old then 'state' else 'pending' end
            when p.standing = 'unknown' and not is_old then 'unknown_not_found'
            else 'ledger_only' end as verdict
        from entry_sum e
        left join reference_on_platform o on o.family = e.family and o.reference = e.named and e.named <> ''
          and o.direction = sign(e.posted_fen)
        left join expected x on x.account_no = e.account_no and x.family = e.family and x.reference = e.named
          and x.side = e.side
        left join lateral (${standingOfEntry}) p on true
        cross join lateral (
          select least(p.since, e.booked_at) < ${cut}::timestamptz - make_interval(days => ${agingDays}) as is_old,
            case when o.first_account <> e.account_no then o.first_account
              when o.last_account <> e.account_no then o.last_account end as other
        ) a
      ) v
    ) x`.execute(trx);
}

/** What the platform, and the registry, say of the order an entry names. */
const standingOfEntry = sql`
  select * from (
    select case e.family
        when 'transfer' then case t.effective_state when 'open' then 'open' when 'failed' then 'failed' end
        when 'settlement' then case t.settlement when 'open' then 'open' when 'unknown' then 'open'
          when 'failed' then 'failed' end
        else case when t.refund_waiting_fen <> 0 then 'open'
          when exists (select from order_state_seen r where r.account_no = t.account_no
            and r.out_order_no = t.out_order_no and r.subject = 'refund' and r.state = 'failed') then 'failed' end
        end as standing,
      case e.family when 'settlement' then t.settle_state else t.state end as stated,
      least(t.submitted_at, t.first_seen_at, ${ORDER_TOLD_SINCE}) as since, x.fen as expected_fen, x.gross_fen,
      x.ways, 1 as rank,
      case when e.side in ('transfer_in', 'refund_out', 'settlement') then t.payee_account_no else t.account_no end
        = e.account_no as of_side
    from transfer_order t
    cross join lateral (
      select 'transfer' as subject, t.account_no as order_account, t.out_order_no, t.order_no, t.out_batch_no) d
    where e.family in ('transfer', 'settlement', 'refund') and t.out_order_no = e.named and e.named <> ''
      and (t.account_no = e.account_no or t.payee_account_no = e.account_no)
    union all
    select case w.effective_state when 'open' then 'open' when 'failed' then 'failed' end, w.state,
      least(w.submitted_at, w.first_seen_at, ${ORDER_TOLD_SINCE}), x.fen, x.gross_fen, x.ways, 1, true
    from withdrawal w
    cross join lateral (
      select 'withdrawal' as subject, w.account_no as order_account, w.out_order_no, w.order_no, '' as out_batch_no) d
    where e.family = 'withdrawal' and w.account_no = e.account_no and w.out_order_no = e.named
    union all
    select 'unknown', '', ${REGISTERED_SINCE}, a.fen, a.fen, null, 2, true
    from order_registry r
    cross join lateral (
      select case e.side when 'transfer_in' then r.amount_fen else -r.amount_fen end as fen) a
    where r.kind = case e.family when 'withdrawal' then 'withdrawal' else 'transfer' end
      and e.family in ('transfer', 'withdrawal') and e.named <> '' and r.outcome <> 'refused'
      and r.registered_as in (e.named, 'order:' || e.named)
      and case e.side when 'transfer_in' then r.payee_account_no else r.payer_account_no end in ('', e.account_no)
    union all
    select 'unasked', '', null, null, null, null, 3, true where e.family in ('transfer', 'refund') and e.batchless and e.named <> ''
  ) s
  order by rank, of_side desc, standing is distinct from 'open', standing, since limit 1`;
