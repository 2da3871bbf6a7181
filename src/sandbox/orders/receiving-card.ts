/** To which bank account a withdrawal may go (WDR-05, WDR-06). */
import type { Account, BankCard } from '../world/account.ts';

/** The bound card, or the one asked for if it is bound or whitelisted for withdrawals; undefined if neither. */
export function receivingCard(account: Account, asked: string | undefined): BankCard | undefined {
  const { bindCard, whiteCards } = account;
  if (asked === undefined || asked === bindCard.bankAccountNo) return bindCard;
  return whiteCards.find((card) => card.bankAccountNo === asked && card.whiteType === 'OUT');
}
