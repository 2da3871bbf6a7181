/** Every order that was asked for is shown by the platform. */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Tables } from '../../store/schema/schema.ts';
import { NO_ACCOUNT } from '../../store/orders/told-on.ts';
import type { ProofSpan } from '../balance/scope.ts';

/**
 * One `state` item for each batch or withdrawal that the platform refuses to show for good, on the account of its
 * payer, else on the run's own; for attention only where the company was refused as well. It is part of no
 * difference: what such an order moved, the balance shows.
 */
export async function orderIsShown(trx: Transaction<Tables>, span: ProofSpan): Promise<void> {
  await sql`
    insert into found (account_no, item_key, class, severity, reference, platform_fen, ledger_fen,
      difference_fen, line, platform_ref, platform_at, note)
    select coalesce(a.account_no, ${NO_ACCOUNT}), 'refused:' || d.kind || ':' || d.number_kind || ':' || d.number,
      'state', case d.state when 'refused' then 'attention' else 'break' end, d.number, null, null, 0, false,
      d.number, least(d.submitted_at, d.refused_since), 'the platform does not show it: "' || d.failure || '"'
    from order_due d
    left join account a on a.account_no = d.account_no
    where d.given_up_day <= ${span.toDay}`.execute(trx);
}
