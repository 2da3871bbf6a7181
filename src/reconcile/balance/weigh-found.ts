/** What the items that a proof found weigh, account by account. */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import type { Tables, Verdict } from '../../store/schema/schema.ts';

export interface Weight {
  lineFen: Fen;
  breaks: number;
  timing: number;
}

export async function weighFound(trx: Transaction<Tables>): Promise<Map<string, Weight>> {
  const { rows } = await sql<{ account_no: string; line_fen: Fen; breaks: number; timing: number }>`
    select account_no, coalesce(sum(difference_fen) filter (where line), 0)::bigint as line_fen,
      count(*) filter (where severity = 'break')::integer as breaks,
      count(*) filter (where severity = 'timing')::integer as timing
    from found group by account_no`.execute(trx);
  return new Map(
    rows.map((row) => [row.account_no, { lineFen: row.line_fen, breaks: row.breaks, timing: row.timing }]),
  );
}

/** What the items of an account, or of the run itself, allow at best. */
export function foundVerdict(weight: Weight | undefined): Verdict {
  if (weight === undefined) return 'reconciled';
  return weight.breaks > 0 ? 'breaks' : weight.timing > 0 ? 'reconciled_with_timing' : 'reconciled';
}
