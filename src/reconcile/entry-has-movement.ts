/** Every posted entry of the books is on the platform. */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Tables } from '../store/schema.ts';
import type { ProofSpan } from './scope.ts';

/**
 * A posted entry no movement was found for is `ledger_only`; `account` when the platform has its reference open
 * on another account; `ambiguous` when it could be paired in more than one way. Entries of one reference are
 * one finding.
 */
export async function entryHasMovement(trx: Transaction<Tables>, span: ProofSpan): Promise<void> {
  await sql`
    insert into found (account_no, item_key, class, severity, reference, platform_fen, ledger_fen,
      difference_fen, line, ledger_ref, ledger_state, ledger_at, counterparty, note)
    select account_no, 'line:' || family || ':' || item,
      case when bool_or(ambiguous) then 'ambiguous' when min(other) is not null then 'account'
        else 'ledger_only' end,
      'break', max(reference), null, sum(amount_fen)::bigint, -sum(amount_fen)::bigint, true,
      left(string_agg(entry_id, ', ' order by entry_id), 200), 'posted', min(booked_at), min(counterparty),
      coalesce('on the platform on ' || min(other), '')
    from (
      select e.account_no, e.family, e.ambiguous, e.amount_fen, e.entry_id, e.booked_at, e.counterparty,
        case when e.reference = '' then 'entry:' || e.source || '/' || e.entry_id else e.reference end as item,
        case when e.reference = '' then e.entry_id else e.reference end as reference,
        case when p.first_account <> e.account_no then p.first_account
          when p.last_account <> e.account_no then p.last_account end as other
      from open_entry e
      join stage_scope s on s.account_no = e.account_no
      left join reference_on_platform p on p.reference = e.reference and e.reference <> ''
      where e.status = 'posted' and e.booked_at >= s.ledger_from and e.booked_at < ${span.cut}
    ) x
    group by account_no, family, item`.execute(trx);
}
