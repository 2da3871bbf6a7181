/** The voucher of every order that moved money lies in the archive, once the platform had its time to make it. */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { addDays } from '../../core/time.ts';
import type { Tables } from '../../store/schema/schema.ts';
import type { ProofSpan } from '../balance/scope.ts';

/**
 * `voucher_missing` (VCH-08, P18): asked for on a day that lies more than `graceDays` before the end of the span, and
 * still not filed. It needs a person and says nothing about the balance.
 */
export async function voucherIsFiled(
  trx: Transaction<Tables>,
  span: ProofSpan,
  { graceDays }: { graceDays: number },
): Promise<void> {
  await sql`
    insert into found (account_no, item_key, class, severity, reference, platform_fen, ledger_fen,
      difference_fen, line, platform_ref, platform_state, platform_at, counterparty, note)
    select v.account_no, 'voucher_missing:' || v.kind || ':' || v.number, 'voucher_missing', 'attention', v.number,
      v.amount_fen, null, 0, false, v.order_no, '', v.moved_at, v.counterparty, v.reason
    from voucher_due v
    join stage_scope s on s.account_no = v.account_no
    where v.state in ('due', 'given_up') and v.first_asked_day < ${addDays(span.toDay, -graceDays)}
      and v.moved_at < ${span.cut}`.execute(trx);
}
