/** The sign-offs that later nights hold the books against (docs/reconciliation.md 3.14). */
import type { Day } from '../../core/time.ts';
import { sql } from 'kysely';
import type { DbOrTransaction } from '../schema/schema.ts';
import { periodOf } from './period.ts';
import type { Period } from './period.ts';
import type { SignOffEvent } from './sign-offs.ts';

export interface KeptPeriod {
  period: Period;
  /** The event that stored its rows, and the highest write number there was then. */
  rowsNo: bigint;
  writtenNo: bigint;
  /** Nobody took it back. */
  inForce: boolean;
}

/**
 * Of each period that ends before that day what was signed of it last, unless a period that holds all of it was signed
 * since: who signs a month has seen what became of its days.
 */
export async function listKeptPeriods(db: DbOrTransaction, before: Day): Promise<KeptPeriod[]> {
  const { rows } = await sql<{ period: string; event: SignOffEvent; rows_no: bigint; written_no: bigint }>`
    select period, event, (details ->> 'rowsNo')::bigint as rows_no, (details ->> 'writtenNo')::bigint as written_no
    from break_event where period is not null order by period, event_no`.execute(db);
  const kept = [...Map.groupBy(rows, ({ period }) => period)].flatMap(([name, events]): KeptPeriod[] => {
    const signed = events.findLast(({ event }) => event === 'signed_off');
    if (signed === undefined) return [];
    const inForce = events.at(-1)?.event === 'signed_off';
    return [{ period: periodOf(name), rowsNo: signed.rows_no, writtenNo: signed.written_no, inForce }];
  });
  const isCovered = ({ period, rowsNo }: KeptPeriod): boolean =>
    kept.some(
      (other) =>
        other.inForce &&
        other.rowsNo > rowsNo &&
        other.period.from <= period.from &&
        other.period.to >= period.to,
    );
  return kept.filter((one) => one.period.to < before && !isCovered(one));
}
