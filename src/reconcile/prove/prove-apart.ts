/** The proof of a run whose accounts fail one by one, if they fail (docs/reconciliation.md 3.8). */
import type { Transaction } from 'kysely';
import type { Tables } from '../../store/schema/schema.ts';
import { apartFromFailing } from '../balance/apart-from-failing.ts';
import type { FailedAccount } from '../balance/apart-from-failing.ts';
import type { ProofRequest } from '../balance/proof-request.ts';
import { prove } from './prove.ts';
import type { Proof } from './prove.ts';

/**
 * Proves the accounts of a run inside the caller's transaction. One whose proof fails is `incomplete` and keeps its
 * breaks as they are; the others are proven without it.
 * @param knownDigest the digest of the version before; an equal proof is not saved
 */
export async function proveApart(
  trx: Transaction<Tables>,
  request: ProofRequest,
  knownDigest?: string,
): Promise<Proof & { failed: FailedAccount[] }> {
  const { outcome, failed } = await apartFromFailing(trx, request.accounts, (accounts, without) =>
    prove(trx, { ...request, accounts, failed: without }, knownDigest),
  );
  return { ...outcome, failed };
}
