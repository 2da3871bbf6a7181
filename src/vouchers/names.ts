/** Names of files and folders. What comes from outside never becomes a path unescaped (I5). */
import { createHash } from 'node:crypto';

const PLAIN = /^[A-Za-z0-9_-]{1,64}$/;
const DIGEST = /^[0-9a-f]{64}$/;

/** The account number where it is plain; else a name made of its digest. */
export function folderNameOf(accountNo: string): string {
  if (PLAIN.test(accountNo)) return accountNo;
  return `x-${createHash('sha256').update(accountNo, 'utf8').digest('hex').slice(0, 32)}`;
}

/** `vouchers-6217-2026-03.pdf`, and `vouchers-6217-2026-03-part02.pdf` from the second part on. */
export function partNameOf(of: { accountNo: string; month: string; part: number }): string {
  const base = `vouchers-${folderNameOf(of.accountNo)}-${monthName(of.month)}`;
  return of.part === 1 ? `${base}.pdf` : `${base}-part${String(of.part).padStart(2, '0')}.pdf`;
}

/** `vouchers-2026-03.zip`. */
export function zipNameOf(month: string): string {
  return `vouchers-${monthName(month)}.zip`;
}

/** `vouchers/ab/ab….pdf`: where an original lies, from the home folder and in the month's zip. */
export function originalPathOf(sha256: string): string {
  if (!DIGEST.test(sha256)) throw new Error('Bug: an original is named by something that is no SHA-256');
  return `vouchers/${sha256.slice(0, 2)}/${sha256}.pdf`;
}

function monthName(month: string): string {
  if (!/^\d{4}-\d{2}$/.test(month)) throw new Error(`Bug: ${JSON.stringify(month)} is no month`);
  return month;
}
