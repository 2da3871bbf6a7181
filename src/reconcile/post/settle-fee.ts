/**
 * The fee of a settlement. No query shows it; the answer to a retry does (U37), so a change that a retry made has
 * the fee of that retry, and any other what the profile's table says.
 */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { PostingRules } from './posting-rules.ts';

/**
 * A lateral table of one row, `settle_fee_fen` (never null) and `beside`, for the change `s` of `order_state_seen`. The
 * retry that made a change is the last one sent before the change was seen done; one that was closed
 * as failed by then made none that moved.
 */
export function settleFeeOf({ settleFee }: PostingRules): RawBuilder<unknown> {
  const usualFen = settleFee === null ? sql`0` : sql`${settleFee.feeFen}::bigint`;
  const usuallyBeside = sql`${settleFee?.feeType === 'ACCOUNT'}::boolean`;
  return sql`(
    select coalesce(max(a.answer_fee_fen), ${usualFen})::bigint as settle_fee_fen,
      coalesce(bool_or(a.answer_fee_type = 'ACCOUNT'), ${usuallyBeside}) as beside
    from (
      select t.answer_fee_fen, t.answer_fee_type, t.outcome, t.closed_at from settle_attempt t
      where s.subject = 'settlement' and t.account_no = s.account_no and t.out_order_no = s.out_order_no
        and t.req_time <= coalesce(s.first_final_at, 'infinity')
      order by t.attempt_no desc limit 1
    ) a
    where a.answer_fee_fen is not null and a.answer_fee_type in ('ORDER', 'ACCOUNT')
      and (a.outcome is distinct from 'FAIL' or s.state = 'failed' or a.closed_at >= s.first_final_at))`;
}
