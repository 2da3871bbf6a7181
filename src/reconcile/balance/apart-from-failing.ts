/**
 * An account whose proof fails keeps no other from being proven (docs/reconciliation.md 3.8): it is left out, and the
 * work is done for the others.
 */
import type { Transaction } from 'kysely';
import { codeOf, messageOf } from '../../core/errors.ts';
import { maskPersonal } from '../../core/mask.ts';
import { setSavepoint } from '../../store/database/savepoint.ts';
import type { Savepoint } from '../../store/database/savepoint.ts';
import type { Tables } from '../../store/schema/schema.ts';

export interface FailedAccount {
  accountNo: string;
  /** What failed, in words. */
  cause: string;
}

/** Each costs some tries of the work; where more fail, the fault is not of single accounts. */
const FAILED_MAX = 8;

/** It stands in a column of a table. */
const CAUSE_LENGTH_MAX = 300;

/**
 * Does the work for all accounts, or for as many as it does not fail for. What a failed try wrote is undone.
 * @throws what the work threw, where that is no fault of data or program, or not of single accounts
 */
export async function apartFromFailing<A extends { accountNo: string }, T>(
  trx: Transaction<Tables>,
  accounts: readonly A[],
  work: (accounts: readonly A[], failed: readonly FailedAccount[]) => Promise<T>,
): Promise<{ outcome: T; failed: FailedAccount[] }> {
  const failed: FailedAccount[] = [];
  for (let left = accounts; ;) {
    const tried = await attempt(trx, () => work(left, failed));
    if ('outcome' in tried) {
      await tried.savepoint.keep();
      return { outcome: tried.outcome, failed };
    }
    const found =
      failed.length < FAILED_MAX
        ? await firstFailing(trx, { accounts: left, work: (some) => work(some, failed), ...tried })
        : undefined;
    if (found === undefined) throw tried.error;
    const { accountNo } = found.account;
    failed.push({ accountNo, cause: maskPersonal(messageOf(found.error)).slice(0, CAUSE_LENGTH_MAX) });
    left = left.filter((account) => account !== found.account);
  }
}

/** The last account of the shortest list, from the first account on, for which the work fails. */
async function firstFailing<A, T>(
  trx: Transaction<Tables>,
  of: { accounts: readonly A[]; work: (accounts: readonly A[]) => Promise<T>; error: unknown },
): Promise<{ account: A; error: unknown } | undefined> {
  let { error } = of;
  let done = 0;
  let failing = of.accounts.length;
  while (failing - done > 1) {
    const count = Math.floor((done + failing) / 2);
    const tried = await attempt(trx, () => of.work(of.accounts.slice(0, count)));
    if ('outcome' in tried) {
      await tried.savepoint.undo();
      done = count;
    } else {
      failing = count;
      error = tried.error;
    }
  }
  const account = of.accounts[failing - 1];
  return account === undefined ? undefined : { account, error };
}

async function attempt<T>(
  trx: Transaction<Tables>,
  work: () => Promise<T>,
): Promise<{ outcome: T; savepoint: Savepoint } | { error: unknown }> {
  const savepoint = await setSavepoint(trx);
  try {
    return { outcome: await work(), savepoint };
  } catch (error) {
    if (!isOfAccounts(error)) throw error;
    await savepoint.undo();
    return { error };
  }
}

/** More than one row where one is meant; data out of its range; a constraint that is violated. */
const FAULTS_OF_DATA = /^2[123]/;

/** A fault of the data or of the program; not of the machine, the database or the circumstances. */
function isOfAccounts(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (code !== undefined) return FAULTS_OF_DATA.test(code);
  return error instanceof TypeError || error instanceof RangeError || error.message.startsWith('Bug:');
}
