/** Which number of an account the deposit listing is asked with (U24): a wrong kind answers an empty success. */
import { WrongInput } from '../../../src/core/errors.ts';

export interface ListedAccount {
  accountNo: string;
  eleAcctNo: string | undefined;
}

/** Every number that the company knows the account by. */
export function numbersOf({ accountNo, eleAcctNo }: ListedAccount): string[] {
  return eleAcctNo === undefined ? [accountNo] : [accountNo, eleAcctNo];
}

/** The number to ask with, and the one to try when that answers empty. */
export function numberToAsk(
  account: ListedAccount,
  field: 'accountNo' | 'eleAcctNo' | 'both',
): [first: string, second?: string] {
  switch (field) {
    case 'accountNo':
      return [account.accountNo];
    case 'eleAcctNo':
      if (account.eleAcctNo !== undefined) return [account.eleAcctNo];
      throw new WrongInput(
        `the profile asks deposits by eleAcctNo, but account ${account.accountNo} has none: add ele_acct_no to the accounts file`,
      );
    case 'both':
      return account.eleAcctNo === undefined ? [account.accountNo] : [account.accountNo, account.eleAcctNo];
  }
}

export function accountOfWindow(accounts: readonly ListedAccount[], accountNo: string): ListedAccount {
  const account = accounts.find((candidate) => candidate.accountNo === accountNo);
  if (account === undefined)
    throw new Error(`Bug: a window of account ${accountNo}, which is not in the run`);
  return account;
}
