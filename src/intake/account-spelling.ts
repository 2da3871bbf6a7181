/** An account has one spelling in all files: a second one would be an account of which nothing is proven. */
import type { Transaction } from 'kysely';
import { accountsSpeltOtherwise } from '../store/intake/accounts.ts';
import type { NamingStage } from '../store/intake/accounts.ts';
import type { Tables } from '../store/schema/schema.ts';
import { FAULTS_KEPT_MAX } from './fault-list.ts';
import type { FaultList } from './fault-list.ts';

/** Names that differ from a known account only in upper and lower case are faults. */
export async function checkAccountSpelling(
  trx: Transaction<Tables>,
  stage: NamingStage,
  faults: FaultList,
): Promise<void> {
  const { first, count } = await accountsSpeltOtherwise(trx, stage, FAULTS_KEPT_MAX);
  faults.addFirst(
    first.map(({ row, column, value, known }) => {
      return { row, column, value, reason: spellingFault(known) };
    }),
    count,
  );
}

/** @param known the account as the list has it */
export function spellingFault(known: string): string {
  return `differs from account ${known} only in upper and lower case`;
}
