/** Every movement on the platform is in the books. */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Tables } from '../store/schema.ts';
import type { ProofSpan } from './scope.ts';

/**
 * A movement no entry was found for is `platform_only`; `account` when the books have its reference under
 * another account; `ambiguous` when it could be paired in more than one way.
 */
export async function movementIsBooked(trx: Transaction<Tables>, span: ProofSpan): Promise<void> {
  await sql`
    insert into found (account_no, item_key, class, severity, reference, platform_fen, ledger_fen,
      difference_fen, line, platform_ref, platform_state, platform_at, counterparty, note)
    select m.account_no, 'line:' || m.family || ':' || m.reference,
      case when bool_or(u.ambiguous) then 'ambiguous' when min(other.account_no) is not null then 'account'
        else 'platform_only' end,
      'break', m.reference, sum(m.delta_fen)::bigint, null, sum(m.delta_fen)::bigint, true,
      m.reference, 'SUCCESS', min(m.effective_from), coalesce(min(d.payer_name), ''),
      coalesce('booked on ' || min(other.account_no), '')
    from unmatched u
    join stage_scope s on s.account_no = u.account_no
    join movement m on m.account_no = u.account_no and m.dedup_key = u.item_key
    left join deposit d on d.account_no = m.account_no and d.order_no = m.reference and m.family = 'deposit'
    left join lateral (
      select min(e.account_no) as account_no from unmatched x
      join ledger_entry e on e.entry_no = x.item_key::bigint
      where x.side = 'ledger' and e.reference = m.reference and e.account_no <> m.account_no
    ) other on true
    where u.side = 'platform' and m.effective_from >= s.baseline_at and m.effective_from < ${span.cut}
    group by m.account_no, m.family, m.reference`.execute(trx);
}
