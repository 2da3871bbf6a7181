/**
 * What `--fail-on-breaks` fails on: not everything is green with proof, and an amount stands open. That is a break of
 * the accounts of the run that is open, whether this run finds it or could only not close it, or a number other than
 * 0 of an account that is not proven.
 */
import { countUnseen } from '../../src/store/runs/breaks.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import { NO_ACCOUNT } from '../../src/store/orders/told-on.ts';
import type { AccountResult, ResultHead } from '../night/publish/result.ts';
import type { FoundCount } from '../night/publish/result-lists.ts';

export function hasOpenAmount({ accounts }: ResultHead, found: readonly FoundCount[]): boolean {
  return found.some(({ severity }) => severity === 'break') || accounts.some(hasUnprovenAmount);
}

/** Each of the four numbers: errors that cancel each other leave no difference. */
function hasUnprovenAmount(account: AccountResult): boolean {
  if (account.verdict === 'reconciled' || account.verdict === 'reconciled_with_timing') return false;
  const { unexplainedFen, lineDifferenceFen, openingDifferenceFen, differenceFen, candidates } = account;
  const supposed = candidates.map((candidate) => candidate.differenceFen);
  return [unexplainedFen, lineDifferenceFen, openingDifferenceFen, differenceFen, ...supposed].some(
    (fen) => fen !== null && fen !== 0n,
  );
}

/** Open breaks of the run's accounts, and of no account, that are not among its findings: it could not close them. */
export function countBreaksUnseen(db: Db, { run, accounts }: ResultHead): Promise<number> {
  const numbers = [NO_ACCOUNT, ...accounts.map(({ accountNo }) => accountNo)];
  return countUnseen(db, { accounts: numbers, toDay: run.to, runId: run.id });
}
