/** The opening that runs were proven from is still what the company states. */
import type { Transaction } from 'kysely';
import { copyRows } from '../../store/database/bulk.ts';
import { saveProvenOpenings } from '../../store/intake/openings.ts';
import type { Opening } from '../../store/intake/openings.ts';
import type { Tables } from '../../store/schema/schema.ts';
import { NO_FLOW, platformFlows } from '../balance/figures.ts';
import type { ProofRequest } from '../balance/proof-request.ts';
import type { AccountFigures } from '../balance/prove-account.ts';
import type { Baseline } from '../balance/scope.ts';

const FOUND = {
  name: 'found',
  columns: [
    { name: 'account_no', type: 'text' },
    { name: 'item_key', type: 'text' },
    { name: 'class', type: 'text' },
    { name: 'severity', type: 'text' },
    { name: 'reference', type: 'text' },
    { name: 'platform_fen', type: 'bigint' },
    { name: 'ledger_fen', type: 'bigint' },
    { name: 'difference_fen', type: 'bigint' },
    { name: 'line', type: 'boolean' },
    { name: 'note', type: 'text' },
  ],
} as const;

interface Restated {
  accountNo: string;
  baseline: Baseline;
  stated: Opening | undefined;
}

/**
 * `period_changed`: an account whose proofs have begun is stated with another opening, another instant or none; one
 * that lies after the moment of the run is none yet. The
 * difference is that of the proof's opening, rolled to the instant that is stated now, to the stated amount. It is
 * no part of the account's own difference: the proof goes on from where it began.
 */
export async function openingIsKept(
  trx: Transaction<Tables>,
  request: ProofRequest,
  of: { figures: readonly AccountFigures[]; proven: ReadonlyMap<string, Opening | undefined> },
): Promise<void> {
  const isKnown = ({ at }: Opening): boolean => at <= request.at;
  const now = new Map(
    request.accounts.map(({ accountNo, opening }) => [
      accountNo,
      opening && isKnown(opening) ? opening : undefined,
    ]),
  );
  const restated = of.figures.flatMap(({ accountNo, baseline }): Restated[] => {
    if (baseline === undefined || !of.proven.has(accountNo)) return [];
    const stated = now.get(accountNo);
    const began = of.proven.get(accountNo);
    const isKept = stated?.at === began?.at && stated?.fen === began?.fen;
    return isKept ? [] : [{ accountNo, baseline, stated }];
  });
  const flows = await platformFlows(
    trx,
    restated.map(({ accountNo, baseline, stated }) => {
      const [from = baseline.at, to = baseline.at] = [baseline.at, stated?.at ?? baseline.at].toSorted();
      return { accountNo, from, to };
    }),
  );
  const rows = restated.flatMap(({ accountNo, baseline, stated }) => {
    const { netFen } = flows.get(accountNo) ?? NO_FLOW;
    const movedFen = stated !== undefined && stated.at < baseline.at ? -netFen : netFen;
    const expectedFen = baseline.fen + movedFen;
    const differenceFen = expectedFen - (stated?.fen ?? 0n);
    if (differenceFen === 0n) return [];
    const note =
      stated === undefined
        ? 'the opening that runs were proven from is stated no more'
        : 'the opening is not the one that runs were proven from';
    const amounts = [expectedFen.toString(), stated?.fen.toString() ?? null, differenceFen.toString()];
    return [[accountNo, 'period_changed', 'period_changed', 'break', accountNo, ...amounts, 'f', note]];
  });
  await copyRows(trx, FOUND, rows);
}

/** What the accounts that are proven began with: a fact from now on. */
export async function keepOpenings(
  trx: Transaction<Tables>,
  runId: string,
  of: { figures: readonly AccountFigures[]; proven: readonly { accountNo: string }[] },
): Promise<void> {
  const baselines = new Map(of.figures.map(({ accountNo, baseline }) => [accountNo, baseline]));
  const began = of.proven.map(({ accountNo }) => {
    const baseline = baselines.get(accountNo);
    return { accountNo, opening: baseline?.source === 'opening' ? baseline : undefined };
  });
  await saveProvenOpenings(trx, runId, began);
}
