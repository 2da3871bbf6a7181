/**
 * Breaks of a run that are equal and opposite, two by two: an order that is booked on a wrong account first, then
 * what cancels out within an account, then across accounts. Each break is in one pair at most.
 */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Tables } from '../../src/store/schema/schema.ts';
import { dropStage, layAside } from './stage.ts';

/** What the two have in common beside the amount. */
export type PairKind = 'order' | 'account' | 'amount';

export const PAIRS = { name: 'report_pair' };

export async function stagePairs(trx: Transaction<Tables>, runId: string): Promise<void> {
  await layAside(
    trx,
    PAIRS,
    sql`select null::text as kind, null::text as plus_id, null::text as minus_id where false`,
  );
  await addPairs(trx, runId, {
    kind: 'order',
    key: sql`f.reference`,
    where: sql`f.reference <> f.account_no`,
  });
  await addPairs(trx, runId, { kind: 'account', key: sql`f.account_no`, where: sql`true` });
  await addPairs(trx, runId, { kind: 'amount', key: sql`''::text`, where: sql`true` });
}

/** Pairs what is still alone: the first of the one sign with the first of the other, and so on. */
async function addPairs(
  trx: Transaction<Tables>,
  runId: string,
  of: { kind: PairKind; key: RawBuilder<unknown>; where: RawBuilder<unknown> },
): Promise<void> {
  await layAside(
    trx,
    ALONE,
    sql`
      select f.break_id, f.difference_fen > 0 as is_plus, ${of.key} as key, abs(f.difference_fen) as size_fen,
        row_number() over (partition by ${of.key}, f.difference_fen
          order by f.account_no, f.first_day, f.reference, f.break_id) as turn
      from finding f
      where f.run_id = ${runId} and f.severity = 'break' and f.difference_fen <> 0 and ${of.where}
        and f.break_id not in (select plus_id from report_pair union all select minus_id from report_pair)`,
  );
  await sql`
    insert into report_pair (kind, plus_id, minus_id)
    select ${of.kind}, plus.break_id, minus.break_id
    from report_alone plus join report_alone minus on minus.key = plus.key and minus.size_fen = plus.size_fen
      and minus.turn = plus.turn and not minus.is_plus
    where plus.is_plus`.execute(trx);
  await sql`analyze report_pair`.execute(trx);
  await dropStage(trx, ALONE);
}

/** Breaks without a partner, with figures for the planner: it would compare each with each otherwise. */
const ALONE = { name: 'report_alone' };
