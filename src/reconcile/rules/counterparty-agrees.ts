/** What the books say of the counterparty of an order is what the order says. */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Tables } from '../../store/schema/schema.ts';
import type { ProofSpan } from '../balance/scope.ts';
import { namesOfEntries } from '../../store/runs/entry-names.ts';

/**
 * `account`, for attention: a matched entry names an account of the list as its counterparty that its order has not on
 * its other side. One of the two is a slip, and the amounts agree with either: it says nothing about the balance.
 */
export async function counterpartyAgrees(trx: Transaction<Tables>, span: ProofSpan): Promise<void> {
  await sql`
    insert into found (account_no, item_key, class, severity, reference, platform_fen, ledger_fen,
      difference_fen, line, platform_ref, ledger_ref, ledger_state, ledger_at, counterparty, note)
    select x.account_no, 'counterparty:' || x.group_key, 'account', 'attention', n.reference, null, null, 0, false,
      n.reference, ${namesOfEntries()}, min(e.status), min(e.booked_at),
      min(x.booked_with), 'the books name ' || min(x.booked_with) || ', the order has '
        || coalesce(min(case when o.account_no = x.account_no then o.payee_account_no else o.account_no end), '')
    from match x
    join stage_scope s using (account_no)
    join ledger_entry e on e.entry_no = x.entry_no
    cross join lateral (select substr(x.group_key, strpos(x.group_key, ':') + 1) as reference) n
    left join transfer_order o on o.out_order_no = n.reference and x.account_no in (o.account_no, o.payee_account_no)
    where x.booked_with is not null and e.booked_at >= s.ledger_from and e.booked_at < ${span.cut}
    group by x.account_no, x.group_key, n.reference`.execute(trx);
}
