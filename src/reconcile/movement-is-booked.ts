/** Every movement on the platform is in the books. */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Tables } from '../store/schema.ts';
import type { ProofSpan } from './scope.ts';

/**
 * A movement no entry was found for is `platform_only`; `account` when the books have its reference open under
 * another account; `ambiguous` when it could be paired in more than one way.
 */
export async function movementIsBooked(trx: Transaction<Tables>, span: ProofSpan): Promise<void> {
  await sql`
    insert into found (account_no, item_key, class, severity, reference, platform_fen, ledger_fen,
      difference_fen, line, platform_ref, platform_state, platform_at, counterparty, note)
    select account_no, 'line:' || family || ':' || reference,
      case when bool_or(ambiguous) then 'ambiguous' when min(other) is not null then 'account'
        else 'platform_only' end,
      'break', reference, sum(delta_fen)::bigint, null, sum(delta_fen)::bigint, true,
      reference, 'SUCCESS', min(effective_from), coalesce(min(payer_name), ''),
      coalesce('booked on ' || min(other), '')
    from (
      select m.account_no, m.family, m.reference, m.delta_fen, m.effective_from, m.ambiguous, d.payer_name,
        case when b.first_account <> m.account_no then b.first_account
          when b.last_account <> m.account_no then b.last_account end as other
      from open_movement m
      join stage_scope s on s.account_no = m.account_no
      left join reference_in_books b on b.reference = m.reference
      left join deposit d on d.account_no = m.account_no and d.order_no = m.reference and m.family = 'deposit'
      where m.effective_from >= s.baseline_at and m.effective_from < ${span.cut}
    ) x
    group by account_no, family, reference`.execute(trx);
}
