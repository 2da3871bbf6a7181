/** What the platform says of one order agrees with itself, with its batch and with what it said before. */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Tables } from '../../store/schema/schema.ts';
import { OF_WITHDRAWAL, REGISTERED_TWICE, REGISTRATIONS } from '../../store/orders/registrations.ts';
import { PAYEE_CONCERNED, firstOfCompany, toldOn } from '../../store/orders/told-on.ts';
import { knownBefore } from '../balance/known-before.ts';
import { feeIsBeside } from '../post/fee-is-beside.ts';
import { wasOpenWithin } from './record-is-sound.ts';
import type { ProofSpan } from '../balance/scope.ts';

/**
 * `state_regression`, `unknown_state`, `bad_record`, `record_vanished` until they are cured, also of a day before they
 * began anew on which their break was open; `record_changed` on
 * the day it was noticed and for as long as its line does not agree; `fee_invariant`; `batch_children`;
 * `settle_failed`, which needs a person and says nothing about the balance. None of them is part of a difference
 * (P6, P7, P9, P10, P12, DIV-27). To be asked after the lines are found.
 */
export async function orderIsSound(trx: Transaction<Tables>, span: ProofSpan): Promise<void> {
  await tellFaults(trx, span);
  await tellFeeFaults(trx, span);
  await tellContradictions(trx, span);
  await tellUnlikeRegistered(trx, span);
  await tellRegisteredTwice(trx, span);
  await tellFailedSettlements(trx, span);
}

/**
 * The key of what is wrong with an order or a batch, which names its payer where that is not who is told: two may have
 * given one number to orders that are told on one account. And whether break `b` says so, on whomever it was told.
 * @param head of the key; `own` is that of its payer, where it is another
 */
function wrongWith(
  { account, number }: { account: RawBuilder<unknown>; number: RawBuilder<unknown> },
  head: RawBuilder<unknown>,
  own = head,
): Record<'key' | 'isTold', RawBuilder<unknown>> {
  const ofPayer = sql`${own} || ':' || ${number}`;
  const ofOthers = sql`${head} || ':payer/' || ${account} || ':' || ${number}`;
  return {
    key: sql`case t.account_no when ${account} then ${ofPayer} else ${ofOthers} end`,
    isTold: sql`b.reference = ${number}
      and b.item_key in (case b.account_no when ${account} then ${ofPayer} end, ${ofOthers})`,
  };
}

/** Break `b` is that of `x.item_key`, which names whose it is whoever is told. */
const HAS_KEY = sql`b.item_key = x.item_key`;

async function tellFaults(trx: Transaction<Tables>, span: ProofSpan): Promise<void> {
  const order = { account: sql.ref('f.account_no'), number: sql.ref('f.reference') };
  const kind = sql`case f.subject when 'withdrawal' then 'withdrawal' else 'transfer' end`;
  const head = sql`f.class || case f.subject when 'transfer' then '' else '/' || f.subject end`;
  const { key, isTold } = wrongWith(order, head, sql`${head} || ':order'`);
  await sql`
    with fault as materialized (
      select f.*, t.account_no as told, x.item_key, coalesce(o.amount_fen, w.amount_fen) as amount_fen,
        coalesce(o.state, w.state, '') as state, coalesce(o.submitted_at, w.submitted_at) as submitted_at,
        coalesce(o.payee_account_no, '') as payee
      from order_fault f
      left join transfer_order o on f.subject = 'transfer' and o.account_no = f.account_no and o.out_order_no = f.reference
      left join withdrawal w on f.subject = 'withdrawal' and w.account_no = f.account_no and w.out_order_no = f.reference
      cross join lateral (${toldOn({ kind, ...order }, PAYEE_CONCERNED)}) t
      cross join lateral (select ${key} as item_key) x
      where (f.first_day <= ${span.toDay} or (f.class <> 'record_changed' and ${wasOpenWithin(span, isTold)}))
        and (f.class = 'record_changed' or f.cured_day is null or f.cured_day > ${span.toDay})
    ), known as materialized (
      ${knownBefore(sql`select distinct told as account_no from fault where class = 'record_changed'`, span)}
    )
    insert into found (account_no, item_key, class, severity, reference, platform_fen, ledger_fen,
      difference_fen, line, platform_ref, platform_state, platform_at, counterparty, note)
    select f.told, f.item_key, f.class, 'break', f.reference, f.amount_fen, null, 0, false, f.reference, f.state, f.submitted_at,
      case f.told when f.account_no then f.payee else f.account_no end, f.note
    from fault f left join known k on k.account_no = f.told
    where f.class <> 'record_changed' or f.noted_no > k.no
      or ((f.cured_day is null or f.cured_day > ${span.toDay}) and (f.first_day >= ${span.fromDay} or exists (
        select from found l where l.line and l.reference = f.reference)))`.execute(trx);
}

/** Said of every order since the account's opening, whichever night read it first or saw it become so. */
async function tellFeeFaults(trx: Transaction<Tables>, span: ProofSpan): Promise<void> {
  const order = { account: sql.ref('o.account_no'), number: sql.ref('o.out_order_no') };
  const { key, isTold } = wrongWith(order, sql`'fee_invariant:' || o.kind`);
  await sql`
    insert into found (account_no, item_key, class, severity, reference, platform_fen, ledger_fen,
      difference_fen, line, platform_ref, platform_state, platform_at, counterparty, note)
    select t.account_no, x.item_key, 'fee_invariant', 'break', o.out_order_no,
      o.real_fen, null, 0, false, o.out_order_no, o.state, o.submitted_at,
      case when t.account_no <> o.account_no then o.account_no else o.payee end,
      'amount ' || o.amount_fen || ', fee ' || coalesce(o.fee_fen::text, 'not stated') || ' ' || o.fee_type
        || ', paid out ' || o.real_fen || ' fen'
    from (
      select 'transfer' as kind, c.account_no, c.out_order_no, c.amount_fen, c.real_fen, c.fee_fen, c.fee_type, c.state,
        c.submitted_at, c.first_seen_at, c.payee_account_no as payee, 'transfer_out:' || c.out_order_no as dedup_key
      from transfer_order c where c.effective_state = 'moved' and c.contradicts_itself
      union all
      select 'withdrawal', c.account_no, c.out_order_no, c.amount_fen, c.real_fen, c.fee_fen, c.fee_type, c.state,
        c.submitted_at, c.first_seen_at, '', 'withdrawal:' || c.out_order_no
      from withdrawal c where c.effective_state in ('moved', 'returned') and c.contradicts_itself
    ) o
    cross join lateral (${toldOn({ kind: sql.ref('o.kind'), ...order })}) t
    cross join lateral (select ${key} as item_key) x
    left join stage_scope s on s.account_no = t.account_no
    left join movement m on m.account_no = o.account_no and m.dedup_key = o.dedup_key
      and m.order_account = o.account_no and m.reference = o.out_order_no
    cross join lateral (select coalesce(m.effective_from, o.submitted_at, o.first_seen_at) as at) c
    where (c.at < ${span.cut} and (s.account_no is null or c.at >= least(s.baseline_at, ${span.from}::timestamptz)))
      or ${wasOpenWithin(span, isTold)}`.execute(trx);
}

async function tellContradictions(trx: Transaction<Tables>, span: ProofSpan): Promise<void> {
  const batch = { account: sql.ref('o.account_no'), number: sql.ref('o.out_batch_no') };
  const { key, isTold } = wrongWith(batch, sql`'batch_children'`);
  await sql`
    insert into found (account_no, item_key, class, severity, reference, platform_fen, ledger_fen,
      difference_fen, line, platform_ref, platform_state, platform_at, counterparty, note)
    select t.account_no, x.item_key, 'batch_children', 'break', o.out_batch_no,
      (select sum(c.amount_fen)::bigint from transfer_order c
        where c.account_no = o.account_no and c.out_batch_no = o.out_batch_no),
      null, 0, false, o.batch_no, o.state, o.first_seen_at,
      case when t.account_no <> o.account_no then o.account_no else '' end, o.contradiction
    from transfer_batch o
    cross join lateral (${toldOn({ kind: sql`'transfer'`, ...batch })}) t
    cross join lateral (select ${key} as item_key) x
    where o.contradiction <> '' and (o.contradiction_day <= ${span.toDay} or ${wasOpenWithin(span, isTold)})`.execute(
    trx,
  );
}

/**
 * A withdrawal is what the company registered, whatever the books copied; transfers are held against their
 * registration when their batch is read. Asked of those that were looked at since the span began, or since the last
 * proof of their account where that lies before it (where it is not the company's, of any account), and as long as it is
 * so. Told on the account it left, or where that is not the company's on the one that was registered; once, however often
 * it was registered.
 */
async function tellUnlikeRegistered(trx: Transaction<Tables>, span: ProofSpan): Promise<void> {
  await sql`
    insert into found (account_no, item_key, class, severity, reference, platform_fen, ledger_fen,
      difference_fen, line, platform_ref, platform_state, platform_at, counterparty, note)
    select t.account_no, x.item_key, f.class, 'break', w.out_order_no,
      -w.amount_fen, null, 0, false, w.out_order_no, w.state, coalesce(w.submitted_at, w.first_seen_at), '',
      string_agg(distinct f.registered, ' and ' order by f.registered) || f.stated
    from (
      select q.account_no, n.out_order_no from order_due q
      left join stage_scope s on s.account_no = q.account_no
      left join order_alias a on a.order_no = q.number and q.number_kind = 'platform'
      cross join lateral (values (q.number), (a.out_order_no)) n (out_order_no)
      where q.kind = 'withdrawal' and q.asked_at >= least(${span.from}::timestamptz,
        coalesce(s.opening_at, (select min(opening_at) from stage_scope)))
      union
      select split_part(item_key, ':', 2), reference from break
      where status = 'open' and item_key like any (array['registered\\_amount:%', 'registered\\_account:%'])
    ) n
    join withdrawal w on w.account_no = n.account_no and w.out_order_no = n.out_order_no
    cross join lateral (
      select r.amount_fen as registered_fen, r.payer_account_no as registered_account from ${REGISTRATIONS} r
      where r.kind = 'withdrawal' and ${OF_WITHDRAWAL}
    ) r
    cross join lateral (
      select 'amount' as class, registered_fen::text as registered,
        ' fen were registered, ' || w.amount_fen || ' are stated' as stated
      where registered_fen <> w.amount_fen
      union all
      select 'account', 'registered for ' || registered_account, ', stated of ' || w.account_no
      where registered_account not in ('', w.account_no)
    ) f
    cross join lateral (${firstOfCompany(sql`
      select 1 as rank, w.account_no as account_no union all select 2, r.registered_account`)}) t
    cross join lateral (
      select 'registered_' || f.class || ':' || w.account_no || ':' || w.out_order_no as item_key) x
    left join movement m on m.account_no = w.account_no and m.dedup_key = 'withdrawal:' || w.out_order_no
      and m.order_account = w.account_no
    where least(w.submitted_at, w.first_seen_at, m.effective_from) < ${span.cut} or ${wasOpenWithin(span, HAS_KEY)}
    group by t.account_no, x.item_key, w.account_no, w.out_order_no, w.amount_fen, w.state, w.submitted_at, w.first_seen_at,
      f.class, f.stated`.execute(trx);
}

/**
 * A registration that contradicts another one is told until a file puts it right, whatever the platform shows of the
 * order. Where it shows it, the rules above tell what of both is untrue; what was told before they did is told on in the
 * days before.
 */
async function tellRegisteredTwice(trx: Transaction<Tables>, span: ProofSpan): Promise<void> {
  await sql`
    insert into found (account_no, item_key, class, severity, reference, difference_fen, line, platform_ref,
      platform_at, note)
    select t.account_no, t.item_key, t.class, 'break', t.number, 0, false, t.number, min(t.submitted_at),
      string_agg(distinct t.note, '; ' order by t.note)
    from (
      select d.*, case d.kind when 'transfer' then 'batch_children' || case when d.payer_account_no in ('', d.account_no) then ':'
            else ':payer/' || d.payer_account_no || ':' end || d.number
          else 'registered_' || d.class || ':' || d.payer_account_no || ':' || d.number end as item_key
      from (
        select r.*, case r.kind when 'transfer' then 'batch_children' else case r.member when 'amount' then 'amount'
            else 'account' end end as class,
          'order ' || r.order_no || ': ' || r.member || ' ' || r.stands || ' and ' || r.value
            || case r.member when 'amount' then ' fen' else '' end || ' were both registered' as note
        from ${REGISTERED_TWICE} r
      ) d
    ) t
    where (t.submitted_at is null or t.submitted_at < ${span.cut})
      and not exists (select from found f where f.class = t.class and f.reference = t.number
        and f.item_key like any (array['batch\\_children:%', 'registered\\_%']))
      and (not exists (select from transfer_batch o
          where t.kind = 'transfer' and o.out_batch_no = t.number and o.contradiction <> '')
        or exists (select from break b
          where b.account_no = t.account_no and b.item_key = t.item_key and b.status = 'open'))
    group by t.account_no, t.item_key, t.class, t.number`.execute(trx);
}

/** What order `o` brought its payee, less what was refunded of it. */
const LEFT_ON_PAYEE = sql`coalesce(o.real_fen,
  o.amount_fen - case when ${feeIsBeside('o')} then 0 else coalesce(o.fee_fen, 0) end) - o.refund_fen`;

/**
 * A settlement that failed leaves the money on the payee's account, until it is refunded: no difference, but somebody
 * must act. Told on the payee; where that is not the company's, on whom its order is told.
 */
async function tellFailedSettlements(trx: Transaction<Tables>, span: ProofSpan): Promise<void> {
  const order = {
    kind: sql`'transfer'`,
    account: sql.ref('o.account_no'),
    number: sql.ref('o.out_order_no'),
  };
  await sql`
    insert into found (account_no, item_key, class, severity, reference, platform_fen, ledger_fen,
      difference_fen, line, platform_ref, platform_state, platform_at, counterparty, note)
    select t.account_no, x.item_key, 'settle_failed', 'attention', o.out_order_no,
      x.left_fen, null, 0, false, o.out_order_no, o.settle_state, o.submitted_at,
      case t.account_no when o.account_no then o.payee_account_no else o.account_no end, o.settle_remark
    from transfer_order o
    cross join lateral (
      select ${LEFT_ON_PAYEE} as left_fen, 'settle_failed:' || o.account_no || ':' || o.out_order_no as item_key) x
    cross join lateral (${toldOn(order, sql.ref('o.payee_account_no'))}) t
    where o.settlement = 'failed' and o.effective_state = 'moved' and x.left_fen > 0 is not false
      and (coalesce(o.submitted_at, o.first_seen_at) < ${span.cut} or ${wasOpenWithin(span, HAS_KEY)})`.execute(
    trx,
  );
}
