/** What the platform says of one order agrees with itself, with its batch and with what it said before. */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Tables } from '../store/schema.ts';
import type { ProofSpan } from './scope.ts';

/**
 * `state_regression`, `unknown_state`, `bad_record`, `record_vanished` until they are cured; `record_changed` on
 * the day it was noticed and for as long as its line does not agree; `fee_invariant`; `batch_children`;
 * `settle_failed`, which needs a person and says nothing about the balance. None of them is part of a difference
 * (P6, P7, P9, P10, P12, DIV-27). To be asked after the lines are found.
 */
export async function orderIsSound(trx: Transaction<Tables>, span: ProofSpan): Promise<void> {
  await tellFaults(trx, span);
  await tellFeeFaults(trx, span);
  await tellContradictions(trx, span);
  await tellUnlikeRegistered(trx, span);
  await tellFailedSettlements(trx, span);
}

/**
 * Once a transfer has moved, a word of its settlement that nobody knows is about money on the payee's account. The
 * note names the member, because the class does not tell it from a word of the transfer itself.
 */
const ABOUT_THE_PAYEE = sql`f.class = 'unknown_state' and o.effective_state = 'moved' and f.note like 'settleState %'`;

async function tellFaults(trx: Transaction<Tables>, span: ProofSpan): Promise<void> {
  await sql`
    insert into found (account_no, item_key, class, severity, reference, platform_fen, ledger_fen,
      difference_fen, line, platform_ref, platform_state, platform_at, counterparty, note)
    select s.account_no,
      f.class || case s.account_no when f.account_no then ':order:' else ':payer/' || f.account_no || ':' end || f.reference,
      f.class, 'break', f.reference,
      coalesce(o.amount_fen, w.amount_fen), null, 0, false, f.reference, coalesce(o.state, w.state, ''),
      coalesce(o.submitted_at, w.submitted_at),
      case when s.account_no <> f.account_no then f.account_no else coalesce(o.payee_account_no, '') end, f.note
    from order_fault f
    left join transfer_order o on o.account_no = f.account_no and o.out_order_no = f.reference
    left join withdrawal w on w.account_no = f.account_no and w.out_order_no = f.reference
    cross join lateral (
      select s.account_no from stage_scope s
      where s.account_no = f.account_no or (s.account_no = o.payee_account_no and ${ABOUT_THE_PAYEE})
      order by s.account_no = f.account_no limit 1
    ) s
    where f.first_day <= ${span.toDay} and (f.cured_day is null or f.cured_day > ${span.toDay})
      and (f.class <> 'record_changed' or f.first_day >= ${span.fromDay} or exists (
        select from found l where l.line and l.reference = f.reference))`.execute(trx);
}

/** `ORDER`: credited amount = amount − fee; `ACCOUNT`: credited amount = amount. Said of orders of the span. */
async function tellFeeFaults(trx: Transaction<Tables>, span: ProofSpan): Promise<void> {
  await sql`
    insert into found (account_no, item_key, class, severity, reference, platform_fen, ledger_fen,
      difference_fen, line, platform_ref, platform_state, platform_at, counterparty, note)
    select o.account_no, 'fee_invariant:' || o.family || ':' || o.out_order_no, 'fee_invariant', 'break', o.out_order_no,
      o.real_fen, null, 0, false, o.out_order_no, o.state, o.submitted_at, o.counterparty,
      'amount ' || o.amount_fen || ', fee ' || coalesce(o.fee_fen::text, 'not stated') || ' ' || o.fee_type
        || ', paid out ' || o.real_fen || ' fen'
    from (
      select distinct n.family, o.*
      from (
        select m.order_account as account_no, m.reference as out_order_no, m.family from movement m
        where m.effective_from >= ${span.from} and m.effective_from < ${span.cut}
          and m.family in ('transfer', 'withdrawal')
        union
        select b.account_no, b.reference, f.family from break b
        cross join (values ('transfer'), ('withdrawal')) f (family)
        where b.class = 'fee_invariant' and b.item_key = 'fee_invariant:' || f.family || ':' || b.reference
          and b.first_day <= ${span.toDay} and (b.status = 'open' or b.closed_day > ${span.toDay})
      ) n
      cross join lateral (
        select t.account_no, t.out_order_no, t.amount_fen, t.real_fen, t.fee_fen, t.fee_type, t.state,
          t.submitted_at, t.payee_account_no as counterparty
        from transfer_order t
        where n.family = 'transfer' and t.account_no = n.account_no and t.out_order_no = n.out_order_no
          and t.effective_state = 'moved'
        union all
        select w.account_no, w.out_order_no, w.amount_fen, w.real_fen, w.fee_fen, w.fee_type, w.state,
          w.submitted_at, ''
        from withdrawal w
        where n.family = 'withdrawal' and w.account_no = n.account_no and w.out_order_no = n.out_order_no
          and w.effective_state in ('moved', 'returned')
      ) o
    ) o
    join stage_scope s on s.account_no = o.account_no
    where o.real_fen is not null and o.amount_fen is not null and (
      (o.fee_type = 'ACCOUNT' and o.real_fen <> o.amount_fen)
      or (o.fee_type = 'ORDER' and o.real_fen <> o.amount_fen - coalesce(o.fee_fen, o.amount_fen - o.real_fen))
      or (o.fee_type not in ('ORDER', 'ACCOUNT') and o.real_fen <> o.amount_fen
        and o.real_fen <> o.amount_fen - coalesce(o.fee_fen, 0)))`.execute(trx);
}

async function tellContradictions(trx: Transaction<Tables>, span: ProofSpan): Promise<void> {
  await sql`
    insert into found (account_no, item_key, class, severity, reference, platform_fen, ledger_fen,
      difference_fen, line, platform_ref, platform_state, platform_at, note)
    select b.account_no, 'batch_children:' || b.out_batch_no, 'batch_children', 'break', b.out_batch_no,
      (select sum(o.amount_fen)::bigint from transfer_order o
        where o.account_no = b.account_no and o.out_batch_no = b.out_batch_no),
      null, 0, false, b.batch_no, b.state, b.first_seen_at, b.contradiction
    from transfer_batch b
    join stage_scope s on s.account_no = b.account_no
    where b.contradiction <> '' and b.contradiction_day <= ${span.toDay}`.execute(trx);
}

/**
 * A withdrawal is what the company registered, whatever the books copied; transfers are held against their
 * registration when their batch is read. Asked of those that were looked at since the span began, and as long as it
 * is so. Told on the account it left, or where that is not the company's on the one that was registered.
 */
async function tellUnlikeRegistered(trx: Transaction<Tables>, span: ProofSpan): Promise<void> {
  await sql`
    insert into found (account_no, item_key, class, severity, reference, platform_fen, ledger_fen,
      difference_fen, line, platform_ref, platform_state, platform_at, counterparty, note)
    select s.account_no, 'registered_' || f.class || ':' || w.account_no || ':' || w.out_order_no, f.class, 'break', w.out_order_no,
      -w.amount_fen, null, 0, false, w.out_order_no, w.state, coalesce(w.submitted_at, w.first_seen_at), '', f.note
    from (
      select account_no, coalesce(a.out_order_no, q.number) as out_order_no from order_due q
      left join order_alias a on a.order_no = q.number and q.number_kind = 'platform'
      where q.kind = 'withdrawal' and q.asked_at >= ${span.from}
      union
      select split_part(item_key, ':', 2), reference from break
      where status = 'open' and item_key like any (array['registered\\_amount:%', 'registered\\_account:%'])
    ) n
    join withdrawal w on w.account_no = n.account_no and w.out_order_no = n.out_order_no
    cross join lateral (
      select r.amount_fen as registered_fen, r.payer_account_no as registered_account from order_registry r
      where r.kind = 'withdrawal' and r.registered_as in (w.out_order_no, 'order:' || w.order_no)
    ) r
    cross join lateral (
      select 'amount' as class, registered_fen || ' fen were registered, ' || w.amount_fen || ' are stated' as note
      where registered_fen <> w.amount_fen
      union all
      select 'account', 'registered for ' || registered_account || ', stated of ' || w.account_no
      where registered_account not in ('', w.account_no)
    ) f
    left join stage_scope o on o.account_no = w.account_no
    join stage_scope s on s.account_no = coalesce(o.account_no, r.registered_account)
    where coalesce(w.submitted_at, w.first_seen_at) < ${span.cut}`.execute(trx);
}

/** A settlement that failed leaves the money on the payee's account: no difference, but somebody must act. */
async function tellFailedSettlements(trx: Transaction<Tables>, span: ProofSpan): Promise<void> {
  await sql`
    insert into found (account_no, item_key, class, severity, reference, platform_fen, ledger_fen,
      difference_fen, line, platform_ref, platform_state, platform_at, counterparty, note)
    select o.payee_account_no, 'settle_failed:' || o.account_no || ':' || o.out_order_no, 'settle_failed', 'attention', o.out_order_no,
      coalesce(o.real_fen, o.amount_fen), null, 0, false, o.out_order_no, o.settle_state, o.submitted_at, o.account_no,
      o.settle_remark
    from transfer_order o
    join stage_scope s on s.account_no = o.payee_account_no
    where o.settlement = 'failed' and o.effective_state = 'moved'
      and coalesce(o.submitted_at, o.first_seen_at) < ${span.cut}`.execute(trx);
}
