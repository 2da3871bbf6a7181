/** Every movement on the platform is in the books. */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Tables } from '../../store/schema/schema.ts';
import type { ProofSpan } from '../balance/scope.ts';

/**
 * A movement no entry was found for is `platform_only`; `account` when the books have its reference open in the
 * same direction under another account; `ambiguous` when it could be paired in more than one way. Each order, and
 * of a transfer to oneself each side, is told by itself. Changes of one order that cancel (a withdrawal that came
 * back) are nothing the books could lack.
 */
export async function movementIsBooked(trx: Transaction<Tables>, span: ProofSpan): Promise<void> {
  await sql`
    insert into found (account_no, item_key, class, severity, reference, platform_fen, ledger_fen,
      difference_fen, line, platform_ref, platform_state, platform_at, counterparty, note)
    select m.account_no, ${KEY_OF_PART},
      case when m.ambiguous then 'ambiguous' when x.other is not null then 'account' else 'platform_only' end,
      'break', m.reference, m.delta_fen, null, m.delta_fen, true, m.reference,
      coalesce(o.state, w.state, 'SUCCESS'), m.counts_from,
      coalesce(d.payer_name, case when o.account_no = m.account_no then o.payee_account_no else o.account_no end, ''),
      coalesce('booked on ' || x.other, '')
    from (
      select m.account_no, m.family, m.reference, m.side, m.order_account, sum(m.delta_fen)::bigint as delta_fen,
        min(m.effective_from) as counts_from, bool_or(m.ambiguous) as ambiguous
      from open_movement m
      join stage_scope s on s.account_no = m.account_no
      where m.effective_from >= s.baseline_at and m.effective_from < ${span.cut}
      group by m.account_no, m.family, m.reference, m.side, m.order_account
      having m.family = 'deposit' or sum(m.delta_fen) <> 0
    ) m
    left join reference_in_books b on b.family = m.family and b.reference = m.reference
      and b.direction = sign(m.delta_fen)
    left join deposit d on d.account_no = m.account_no and d.order_no = m.reference and m.family = 'deposit'
    left join transfer_order o on o.account_no = m.order_account and o.out_order_no = m.reference
      and m.family in ('transfer', 'settlement', 'refund')
    left join withdrawal w on w.account_no = m.order_account and w.out_order_no = m.reference
      and m.family = 'withdrawal'
    cross join lateral (
      select case when b.first_account <> m.account_no then b.first_account
        when b.last_account <> m.account_no then b.last_account end as other
    ) x`.execute(trx);
}

/**
 * The key is that of the reference. What a transfer to oneself brings in has that of its side; of orders that share
 * a number on the account all but the first that was known say whose they are, before the number, which may hold any
 * character; so does a fee that the account bears for another one's order, beside an order of its own.
 */
const KEY_OF_PART = sql`'line:'
  || case when o.payee_account_no = o.account_no and m.side in ('transfer_in', 'refund_out') then m.side
    else m.family end
  || case when ${hasEarlier('account_no')} or ${hasEarlier('payee_account_no')} or (m.side = 'fee' and exists (
      select from movement f where f.account_no = m.account_no and f.order_account <> m.order_account
        and f.family = m.family and f.reference = m.reference
        and (f.kind <> 'fee' or f.dedup_key = m.family || '_fee:' || m.reference))) then '/' || m.order_account else '' end
  || ':' || m.reference`;

function hasEarlier(party: 'account_no' | 'payee_account_no'): RawBuilder<unknown> {
  return sql`exists (select from transfer_order f
    where f.${sql.ref(party)} = m.account_no and f.out_order_no = o.out_order_no
      and (f.first_seen_at, f.account_no) < (o.first_seen_at, o.account_no))`;
}
