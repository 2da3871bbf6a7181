/**
 * When a difference of the openings arose that the books or the platform made after the account's first proof: a group
 * that was written since, whether it lies across the openings by now or lay across them before, or a movement that was
 * taken back since and may have lain across them with an entry (docs/reconciliation.md 3.8, 3).
 */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Tables } from '../../store/schema/schema.ts';
import { ALIAS_OF_ENTRY, HAS_ITS_REFERENCE } from '../match/entry-place.ts';

/**
 * By account, the highest write number of entries and movements of one reference that lie, or lay, on two sides of the
 * openings, where anything of it was written after the first proof; and of movements that were taken back since: which
 * references they all had is not kept. Needs `stage_scope`.
 */
export async function acrossSinceProven(
  trx: Transaction<Tables>,
  accounts: readonly string[],
): Promise<Map<string, bigint>> {
  if (accounts.length === 0) return new Map();
  const { rows } = await sql<{ account_no: string; no: bigint }>`
    select account_no, max(no) as no from (
      select s.account_no, w.no
      from stage_scope s join proven_opening p using (account_no)
      join ledger_entry e on e.account_no = s.account_no and e.kind not in ('opening', 'adjustment') ${ALIAS_OF_ENTRY}
      join movement m on m.account_no = s.account_no and ${HAS_ITS_REFERENCE}
      cross join lateral (select greatest(m.written_no, e.written_no) as no, e.booked_at < s.ledger_from as is_before) w
      where s.account_no = any(${accounts}::text[]) and w.no > p.known_no
        and ((m.effective_from < s.baseline_at) <> w.is_before or (m.formerly_from < s.baseline_at) <> w.is_before)
      union all
      select t.account_no, t.written_no from movement_taken_back t join proven_opening p using (account_no)
      where t.account_no = any(${accounts}::text[]) and t.written_no > p.known_no
    ) made
    group by account_no`.execute(trx);
  return new Map(rows.map((row) => [row.account_no, row.no]));
}
