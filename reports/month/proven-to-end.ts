/** Which accounts have a closing at the end of the month, and what it is. */
import type { Fen } from '../../src/core/fen.ts';
import { addDays } from '../../src/core/time.ts';
import type { MonthReport } from './month-frame.ts';
import { beginsWithin } from './read-month-accounts.ts';
import type { MonthAccount } from './read-month-accounts.ts';

/**
 * Ended within the month, and proven to its end and to nothing on either side: it is in no later run (3.8). One that came
 * back since had not left: what is known of it by now may lie in the month.
 */
function hasLeft({ zone }: MonthReport, account: MonthAccount): boolean {
  const { activeTo, provenDay, lastDay, isBack, verdict, platform, ledger } = account;
  if (activeTo === null || provenDay === null || provenDay !== lastDay || isBack) return false;
  return (
    activeTo <= zone.dayStart(addDays(provenDay, 1)) &&
    verdict === 'reconciled' &&
    platform.closingFen === 0n &&
    ledger.closingFen === 0n
  );
}

/** Proven to the last day of the month, or its own, with an opening that is not of a month before and a closing of both sides. */
export function isProvenToEnd(report: MonthReport, account: MonthAccount): boolean {
  const { provenDay, platform, ledger, verdict } = account;
  if (verdict === 'incomplete' || (provenDay !== report.period.to && !hasLeft(report, account))) return false;
  return (
    beginsWithin(report, account) &&
    [platform.closingFen, ledger.closingFen, platform.openingFen, ledger.openingFen].every(
      (fen) => fen !== null,
    )
  );
}

/** The closing that counts; none where the account is not proven to the end. */
export function closingOf(report: MonthReport, account: MonthAccount, side: 'platform' | 'ledger'): Fen {
  return isProvenToEnd(report, account) ? (account[side].closingFen ?? 0n) : 0n;
}
