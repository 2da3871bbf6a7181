/** Which number of an account the deposit listing is asked with (U24): a wrong kind answers an empty success. */
import { WrongInput } from '../../../src/core/errors.ts';
import type { WindowRead } from '../../../src/platform/deposit-walk.ts';

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

/**
 * Reads a window by the account's number, and where that answers empty by its other one. What the first answered says
 * nothing then, also where the second cannot be read.
 */
export async function readByEither(
  [first, second]: readonly [first: string, second?: string],
  readAs: (accountNo: string) => Promise<WindowRead>,
): Promise<WindowRead> {
  const read = await readAs(first);
  const isEmpty = read.settled && read.pass.total === 0;
  return isEmpty && second !== undefined ? readAs(second) : read;
}

/** Finds the account of a window of the run by its number. */
export function accountsOfRun(accounts: readonly ListedAccount[]): (accountNo: string) => ListedAccount {
  const byNumber = new Map(accounts.map((account) => [account.accountNo, account]));
  return (accountNo) => {
    const account = byNumber.get(accountNo);
    if (account === undefined)
      throw new Error(`Bug: a window of account ${accountNo}, which is not in the run`);
    return account;
  };
}
