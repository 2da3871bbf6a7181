/**
 * The arithmetic of the proof, one account at a time (docs/reconciliation.md 3.4):
 * U = platform − (opening + movements), D = platform − ledger = opening difference + lines + U.
 * Nothing is plugged: what does not add up is shown, never absorbed.
 */
import type { Fen } from '../../core/fen.ts';
import type { Instant } from '../../core/time.ts';
import type { Verdict } from '../../store/schema/schema.ts';
import type { Closing, Previous } from './closings.ts';
import type { Flow } from './figures.ts';
import type { Baseline, LedgerOpening } from './scope.ts';

export interface AccountFigures {
  accountNo: string;
  baseline: Baseline | undefined;
  ledger: LedgerOpening;
  closing: Closing | undefined;
  previous: Previous | undefined;
  /** From the opening (the closing before, or the baseline) to the cut. */
  movements: Flow;
  /** From the baseline to the opening. */
  earlierMovementsFen: Fen;
  /** Posted in the books from their opening to the cut, and from this run's opening to the cut. */
  ledgerToCutFen: Fen;
  ledgerMovements: Flow;
}

/** What is in flight when the balance is read, and how much of it the balance was debited for already (U23). */
export interface InFlight {
  openFen: Fen;
  heldFen: Fen;
}

const NOTHING_IN_FLIGHT: InFlight = { openFen: 0n, heldFen: 0n };

export interface AccountNumbers {
  source: 'observed' | 'derived' | undefined;
  statedFen: Fen | undefined;
  platformFen: Fen | undefined;
  frozenFen: Fen | undefined;
  inFlightFen: Fen;
  openingFen: Fen | undefined;
  openingAt: Instant | undefined;
  openingRun: string;
  movements: Flow;
  unexplainedFen: Fen | undefined;
  ledgerFen: Fen;
  ledgerOpeningFen: Fen;
  ledgerMovements: Flow;
  /** The opening difference as far as it is known without the lines. */
  baselineDifferenceFen: Fen | undefined;
  /** Unexplained amounts of all runs before this one, cleared or not. */
  earlierUnexplainedFen: Fen;
}

/** The account's numbers as they count: open debits are still in the platform's balance. */
export function numbersOf(
  figures: AccountFigures,
  { openFen, heldFen }: InFlight = NOTHING_IN_FLIGHT,
): AccountNumbers {
  const { baseline, closing, previous, ledger, movements } = figures;
  const platformFen = closing && closing.balanceFen - closing.laterFen + heldFen;
  const opening = previous ?? (baseline && { runId: '', at: baseline.at, fen: baseline.fen });
  const ledgerFen = ledger.fen + figures.ledgerToCutFen + (ledger.change?.fen ?? 0n);
  return {
    source: closing?.source,
    statedFen: closing?.source === 'observed' ? closing.balanceFen : undefined,
    platformFen,
    frozenFen: closing?.frozenFen,
    inFlightFen: openFen,
    openingFen: opening?.fen,
    openingAt: opening?.at,
    openingRun: opening?.runId ?? '',
    movements,
    unexplainedFen:
      platformFen === undefined || opening === undefined
        ? undefined
        : platformFen - (opening.fen + movements.netFen),
    ledgerFen,
    ledgerOpeningFen: ledgerFen - figures.ledgerMovements.netFen,
    ledgerMovements: figures.ledgerMovements,
    baselineDifferenceFen: baseline && baseline.fen - ledger.fen - (ledger.change?.fen ?? 0n),
    earlierUnexplainedFen:
      baseline === undefined || opening === undefined
        ? 0n
        : opening.fen - (baseline.fen + figures.earlierMovementsFen),
  };
}

/** Why an account cannot be better than a certain verdict; the worst reason decides. */
export interface VerdictCap {
  verdict: Verdict;
  reason: string;
}

/** With it an account is not proven, whatever its figures are. */
export function keepsFromProof({ verdict }: VerdictCap): boolean {
  return verdict === 'unverified' || verdict === 'incomplete';
}

export const SEVERITY: readonly Verdict[] = [
  'reconciled',
  'reconciled_with_timing',
  'breaks',
  'unverified',
  'incomplete',
];

/** The worse of two verdicts. */
export function worse(a: Verdict, b: Verdict): Verdict {
  return SEVERITY.indexOf(a) >= SEVERITY.indexOf(b) ? a : b;
}

export function worstOf(verdicts: Iterable<Verdict>): Verdict {
  let worst: Verdict = 'reconciled';
  for (const verdict of verdicts) worst = worse(worst, verdict);
  return worst;
}
