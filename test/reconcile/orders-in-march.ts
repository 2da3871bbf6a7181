/** Accounts of March and one transfer between two of them, as both sides have it. */
import type { Books } from '../helpers/company/books.ts';

/** Accounts that held 1,000.00 each when March began, in the books as well, with days read up to 9 March. */
export async function openMarchIn(books: Books, ...accounts: string[]): Promise<void> {
  for (const accountNo of accounts) {
    await books.account(accountNo, { fen: 100_000n, at: '2026-03-01 00:00:00' });
    await books.entries(accountNo, [
      { id: `${accountNo}-open`, kind: 'opening', amountFen: 100_000n, at: '2026-03-01 00:00:00' },
    ]);
    await books.proven(accountNo, '2026-02-20', '2026-03-09');
  }
}

/** A transfer of 10,000 with a fee of 30 inside it from P to Q, submitted at nine, asked for at two. */
export const T1 = {
  out: 'T1',
  payer: 'P',
  payee: 'Q',
  amountFen: 10_000n,
  feeFen: 30n,
  submittedAt: '2026-03-01 09:00:00',
  finalAt: '2026-03-02 02:00:00',
} as const;

/** The books' entries for it. */
export const bookedT1 = {
  P: { id: 'p1', kind: 'transfer_out', amountFen: -10_000n, at: '2026-03-01 09:05:00', reference: 'T1' },
  Q: { id: 'q1', kind: 'transfer_in', amountFen: 9_970n, at: '2026-03-01 09:05:00', reference: 'T1' },
} as const;

/** What was proven of one account. */
export const numbersOf = (proof: Awaited<ReturnType<Books['night']>>, accountNo: string) =>
  proof.accounts.find((account) => account.accountNo === accountNo);
