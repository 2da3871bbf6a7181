/**
 * What came since a break was last found: only that can have ended it (docs/reconciliation.md 3.11). A run that found it
 * had counted what was written by then and lies before its cut; the break was there all the same.
 */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { FindingRun } from '../balance/proof-request.ts';

/** What was written with its number, and counts from its instant, where it counts in proofs from an instant on. */
interface Written {
  no: RawBuilder<unknown>;
  from?: RawBuilder<unknown>;
}

/** Entry `e`. */
export const BOOKED: Written = { no: sql`e.written_no`, from: sql`e.booked_at` };

/** Movement `m`. */
export const COUNTED: Written = { no: sql`m.written_no`, from: sql`m.effective_from` };

/**
 * Whether it came since any run found the break: none of them knew it, or it counted in none that did and counts in
 * this one.
 */
export function cameSince(
  run: FindingRun,
  { no, from }: Written,
  breakId: RawBuilder<unknown> = sql`b.break_id`,
): RawBuilder<unknown> {
  const counted =
    from === undefined ? sql`true` : sql`(${from} < ${cutThen(run)} or ${from} >= ${run.span.cut})`;
  return sql`not exists (select from break_found k
    where k.break_id = ${breakId} and ${no} <= k.known_no and ${counted})`;
}

/** The cut of the run that found a break, of row `k` of `break_found`. */
export const cutThen = (run: FindingRun): RawBuilder<unknown> =>
  sql`((k.day::date + 1)::timestamp at time zone ${run.zone.name})`;

/** When break `b` was last found. */
export const LAST_FOUND_AT = sql`(select max(k.found_at) from break_found k where k.break_id = b.break_id)`;

/** Registration `r` named another payer or payee when break `b` was last found. */
export const NAMED_OTHERS = sql`exists (select from registration_change c
  where c.kind = r.kind and c.registered_as = r.registered_as
    and c.member in ('payer_account_no', 'payee_account_no') and coalesce(c.at, 'infinity') > ${LAST_FOUND_AT})`;
