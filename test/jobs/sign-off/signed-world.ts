/** A day that can be signed off, and the signing of it, as the command does it. */
import { sql } from 'kysely';
import { decideToSign } from '../../../jobs/sign-off/decide.ts';
import { signPeriod } from '../../../jobs/sign-off/signing.ts';
import type { Needs } from '../../../jobs/sign-off/signing.ts';
import { periodOf } from '../../../src/store/periods/period.ts';
import type { Db } from '../../../src/store/schema/schema.ts';
import { Books } from '../../helpers/company/books.ts';
import { at, zone } from '../../helpers/service-time.ts';
import type { PublishedBook } from '../../reports/publish.ts';

export const DAY = '2026-03-01';

/** A1 begins with 1,000.00, gets D1 (5.00), which is booked, and D2 (0.70), which is not. */
export async function firstOfMarch(db: Db): Promise<Books> {
  const books = new Books(db);
  const opening = '2026-03-01 00:00:00';
  await books.account('A1', { fen: 100_000n, at: opening });
  await books.entries('A1', [
    { id: 'O', kind: 'opening', amountFen: 100_000n, at: opening },
    { id: 'E1', amountFen: 500n, at: '2026-03-01 11:00:00', reference: 'D1' },
  ]);
  await books.proven('A1', '2026-02-20', '2026-03-31');
  await books.deposits('A1', [
    { orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 500n },
    { orderNo: 'D2', at: '2026-03-01 10:00:00', amountFen: 70n },
  ]);
  await books.balance('A1', { at: '2026-03-02 00:00:05', fen: 100_570n });
  const { runId } = await books.night(DAY);
  const file = {
    path: 'reports/2026-03-01/v1/reconciliation-2026-03-01.xlsx',
    sha256: 'aa',
    bytes: 1n,
  };
  await db
    .insertInto('run_file')
    .values({ run_id: runId, ...file })
    .execute();
  const written = sql`jsonb_build_object('writtenUpTo', (select last_value from write_no))`;
  await sql`update run set facts = ${written}`.execute(db);
  return books;
}

/** What the command takes of its context, a month later. */
export function needs(db: Db): Needs {
  const clock = { wall: () => at('2026-04-02 10:00:00') };
  return { db, zone, clock: clock as never };
}

export interface How {
  reason?: string | undefined;
  fourEyes?: boolean;
}

export const WITH_OPEN = { reason: 'with the platform' };

export async function sign(db: Db, period: string, of: How & { by: string }): Promise<string> {
  const { by, fourEyes = false, reason } = of;
  const { decision } = await signPeriod(needs(db), {
    period: periodOf(period),
    by,
    decide: (known, read) => decideToSign(known, read, { by, fourEyes, reason }),
  });
  return decision === 'unchanged' ? decision : decision.event;
}

/** The rows of the summary from that title to the next empty one. */
export function sectionOf(book: PublishedBook | undefined, title: string): unknown[][] {
  const sheet = book?.sheet('汇总');
  const at = (row: number): unknown[] =>
    'ABCDEFGHI'
      .split('')
      .map((column) => sheet?.cells.get(`${column}${row}`)?.value)
      .filter((value) => value !== undefined);
  let row = 1;
  while (row < 200 && at(row)[0] !== title) row += 1;
  const rows: unknown[][] = [];
  for (; at(row).length > 0; row += 1) rows.push(at(row));
  return rows;
}
