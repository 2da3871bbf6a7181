/** Whether a fee is taken beside the amount or inside it (U35). */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/**
 * `ORDER` and `ACCOUNT` are the document's words; an unknown word is read off the credited amount.
 * @param record the alias of a row with fee_type, real_fen and amount_fen
 */
export function feeIsBeside(record: string): RawBuilder<unknown> {
  const [type, real, amount] = ['fee_type', 'real_fen', 'amount_fen'].map((name) =>
    sql.ref(`${record}.${name}`),
  );
  return sql`coalesce(${type} = 'ACCOUNT' or (${type} <> 'ORDER' and ${real} = ${amount}), false)`;
}
