/** For tests of the roll-up: a February of two accounts, its nights, and its workbook. */
import path from 'node:path';
import { writeMonth } from '../../../jobs/month/month-report.ts';
import { decideToSign } from '../../../jobs/sign-off/decide.ts';
import { signPeriod } from '../../../jobs/sign-off/signing.ts';
import { addDays } from '../../../src/core/time.ts';
import { periodOf } from '../../../src/store/periods/period.ts';
import type { BookLine } from '../../helpers/company/company-files.ts';
import { Night } from '../../helpers/night.ts';
import { openBook } from '../../reports/publish.ts';
import type { PublishedBook } from '../../reports/publish.ts';

export const FEBRUARY = periodOf('2026-02');

export const booked = (account: string, id: string, fen: bigint, at: string): BookLine => ({
  id: `E-${id}`,
  account,
  fen,
  at,
  reference: id,
});

export async function nightOf(night: Night, day: string): Promise<void> {
  night.moveTo(`${addDays(day, 1)} 02:00:00`);
  await night.night(day);
}

export async function nightsOf(night: Night, from: string, to: string): Promise<void> {
  for (let day = from; day <= to; day = addDays(day, 1)) await nightOf(night, day);
}

export async function sign(night: Night, name: string, reason?: string): Promise<void> {
  await signPeriod(await night.process(), {
    period: periodOf(name),
    by: 'Li',
    decide: (known, read) => decideToSign(known, read, { by: 'Li', fourEyes: false, reason }),
  });
}

export interface Rolled {
  document: Record<string, unknown>;
  book: Omit<PublishedBook, 'published'>;
}

export async function rollUp(night: Night, options: { allStatements?: boolean } = {}): Promise<Rolled> {
  const { document } = await writeMonth(await night.process(), FEBRUARY, options);
  const file = path.join(night.home, 'reports', '2026-02', 'month-2026-02.xlsx');
  return { document: document as Record<string, unknown>, book: await openBook(file) };
}

/** Two accounts; January's last night is signed off. */
export async function februaryNight(): Promise<Night> {
  const night = await Night.open({ now: '2026-01-31 08:00:00' });
  const at = '2026-01-31 00:00:00';
  await night.accounts(
    { no: 'A1', opening: { fen: 100_000n, at } },
    { no: 'A2', opening: { fen: 5_000n, at } },
  );
  night.deposits(
    { payeeAcctNo: 'A1', orderNo: 'J1', amountFen: 1_000n, depositTime: '2026-01-31 09:00:00' },
    { payeeAcctNo: 'A1', orderNo: 'F1', amountFen: 200n, depositTime: '2026-02-03 09:00:00' },
    { payeeAcctNo: 'A1', orderNo: 'F2', amountFen: 30n, depositTime: '2026-02-10 09:00:00' },
    { payeeAcctNo: 'A2', orderNo: 'F3', amountFen: 4n, depositTime: '2026-02-28 09:00:00' },
  );
  await nightOf(night, '2026-01-31');
  await sign(night, '2026-01-31', 'looked at');
  return night;
}
