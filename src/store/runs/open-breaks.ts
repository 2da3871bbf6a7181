/** What is open, by class and age: counts and amounts, for who looks and for nobody's proof. */
import { sql } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import type { BreakTable, DbOrTransaction } from '../schema/schema.ts';

export interface OpenBreaks {
  class: BreakTable['class'];
  severity: BreakTable['severity'];
  /** From the day it was first seen to the last day of the run that found it last; `ageMax` stands for more too. */
  ageDays: number;
  count: number;
  /** Regardless of the sign. */
  amountFen: Fen;
}

/** @param ageMax nobody asks how much older: that bounds how many rows there are */
export async function listOpenBreaks(db: DbOrTransaction, ageMax: number): Promise<OpenBreaks[]> {
  const { rows } = await sql<OpenBreaks>`
    select class, severity, least(last_day::date - first_day::date, ${ageMax}::integer) as "ageDays", count(*)::integer as count,
      sum(abs(difference_fen))::bigint as "amountFen"
    from break where status = 'open'
    group by class, severity, "ageDays" order by severity, class, "ageDays"`.execute(db);
  return rows;
}
