import { expect } from 'vitest';
import type { Books } from '../helpers/company/books.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { numbersOf } from './orders-in-march.ts';

let nights = 0;

/** The night of 1 March of P, Q and R, which hold 100,000 fen unless said otherwise; its findings in lines. */
export async function nightOfThree(
  { books, database }: { books: Books; database: TestDatabase },
  held: Record<string, bigint>,
): Promise<string[]> {
  const read = { at: '2026-03-02 02:00:05', runId: `read-${(nights += 1)}` };
  for (const accountNo of ['P', 'Q', 'R']) {
    await books.balance(accountNo, { ...read, fen: held[accountNo] ?? 100_000n });
  }
  const proof = await books.night('2026-03-01');
  for (const accountNo of ['P', 'Q', 'R']) {
    const { differenceFen, lineDifferenceFen } = numbersOf(proof, accountNo) ?? {};
    expect(differenceFen).toBe(lineDifferenceFen);
  }
  const rows = await database.db
    .selectFrom('finding')
    .selectAll()
    .where('run_id', '=', proof.runId)
    .orderBy('account_no')
    .orderBy('class')
    .orderBy('item_key')
    .execute();
  return rows.map((row) => `${row.class} ${row.account_no} ${row.reference} ${row.difference_fen}`);
}
