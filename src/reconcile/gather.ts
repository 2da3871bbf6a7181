/**
 * Brings together, per account, what the proof rests on: baseline, opening, closing, sums; and every reason why
 * the verdict cannot be better than it is.
 */
import type { Transaction } from 'kysely';
import type { Fen } from '../core/fen.ts';
import { addDays } from '../core/time.ts';
import type { Instant, Zone } from '../core/time.ts';
import type { Tables } from '../store/schema.ts';
import { ceilingsOf, findReadings, findUnread } from './ceilings.ts';
import { findBaselines } from './baselines.ts';
import { closings, previousClosings } from './closings.ts';
import type { Previous } from './closings.ts';
import {
  NO_FLOW,
  entriesBeforeOpening,
  ledgerFlows,
  ledgerOpenings,
  platformFlows,
  unprovenDays,
} from './figures.ts';
import type { Period } from './figures.ts';
import type { PostingRules } from './posting-rules.ts';
import type { AccountFigures, Ceiling } from './prove-account.ts';
import { reason } from './reasons.ts';
import type { FindingRun } from './save-findings.ts';
import type { Baseline, LedgerOpening, ProofSpan } from './scope.ts';

export interface ProofRequest extends FindingRun {
  zone: Zone;
  span: ProofSpan;
  accounts: readonly ProofAccount[];
  rules: ProofRules;
  /** The ledger source that is complete only to an instant before the cut, where there is one. */
  ledgerIncomplete: string | undefined;
}

/** What the profile says of proofs. */
export interface ProofRules {
  observedMinutes: number;
  agingDays: number;
  inflightModel: 'auto' | 'frozen' | 'debited';
  posting: PostingRules;
}

export interface ProofAccount {
  accountNo: string;
  replacedBy?: string | undefined;
  opening: { at: Instant; fen: Fen } | undefined;
}

export interface Gathered {
  figures: AccountFigures;
  ceilings: Ceiling[];
  assumptions: string[];
}

export async function gatherFigures(trx: Transaction<Tables>, request: ProofRequest): Promise<Gathered[]> {
  const names = request.accounts.map(({ accountNo }) => accountNo);
  const { closing, unreadAfter } = await findClosings(trx, request);
  const unread = await findUnread(trx, request);
  const baselines = await findBaselines(trx, request, { closing, unread });
  const previous = await findPrevious(trx, request, baselines);
  const ledgers = await findLedgerOpenings(trx, request, baselines);
  const flows = await gatherFlows(trx, request, { baselines, previous, ledgers });
  const readings = { ...(await findReadings(trx, request, { baselines, previous })), unread, unreadAfter };
  return names.map((accountNo) => {
    const figures: AccountFigures = {
      accountNo,
      baseline: baselines.get(accountNo),
      ledger: ledgers.get(accountNo) ?? { at: request.span.from, fen: 0n, assumed: true },
      closing: closing.get(accountNo),
      previous: previous.get(accountNo),
      movements: flows.movements.get(accountNo) ?? NO_FLOW,
      earlierMovementsFen: flows.earlier.get(accountNo)?.netFen ?? 0n,
      ledgerToCutFen: flows.ledgerToCut.get(accountNo)?.netFen ?? 0n,
      ledgerMovements: flows.ledger.get(accountNo) ?? NO_FLOW,
    };
    return {
      figures,
      ceilings: ceilingsOf(request, figures, readings),
      assumptions: assumptionsOf(figures, flows.early.get(accountNo) ?? 0),
    };
  });
}

/** A balance can be rolled back to the cut only over days that were read; else it is no closing. */
async function findClosings(trx: Transaction<Tables>, request: ProofRequest) {
  const names = request.accounts.map(({ accountNo }) => accountNo);
  const closing = await closings(trx, names, request.span, request.rules.observedMinutes);
  const between = [...closing].map(([accountNo, { snapshotAt }]) => ({
    accountNo,
    fromDay: addDays(request.toDay, 1),
    toDay: addDays(request.zone.dayOf(snapshotAt), -1),
  }));
  const unreadAfter = await unprovenDays(
    trx,
    between.filter(({ fromDay, toDay }) => fromDay <= toDay),
  );
  for (const accountNo of unreadAfter.keys()) closing.delete(accountNo);
  return { closing, unreadAfter };
}

async function findPrevious(
  trx: Transaction<Tables>,
  request: ProofRequest,
  baselines: ReadonlyMap<string, Baseline>,
): Promise<Map<string, Previous>> {
  const names = request.accounts.map(({ accountNo }) => accountNo);
  const found = await previousClosings(trx, names, request);
  const previous = new Map<string, Previous>();
  for (const [accountNo, closing] of found) {
    const at = request.zone.dayStart(addDays(closing.cutDay, 1));
    const baseline = baselines.get(accountNo);
    if (baseline !== undefined && at > baseline.at) {
      previous.set(accountNo, { runId: closing.runId, at, fen: closing.fen, model: closing.model });
    }
  }
  return previous;
}

async function findLedgerOpenings(
  trx: Transaction<Tables>,
  request: ProofRequest,
  baselines: ReadonlyMap<string, Baseline>,
): Promise<Map<string, LedgerOpening>> {
  const stated = await ledgerOpenings(
    trx,
    request.accounts.map(({ accountNo }) => accountNo),
  );
  const openings = new Map<string, LedgerOpening>();
  for (const { accountNo } of request.accounts) {
    const opening = stated.get(accountNo);
    const baseline = baselines.get(accountNo);
    if (opening) openings.set(accountNo, { ...opening, assumed: false });
    else if (baseline) openings.set(accountNo, { at: baseline.at, fen: baseline.fen, assumed: true });
  }
  return openings;
}

async function gatherFlows(
  trx: Transaction<Tables>,
  request: ProofRequest,
  of: {
    baselines: ReadonlyMap<string, Baseline>;
    previous: ReadonlyMap<string, Previous>;
    ledgers: ReadonlyMap<string, LedgerOpening>;
  },
) {
  const { cut, from } = request.span;
  const periods: Record<'movements' | 'earlier' | 'ledgerToCut' | 'ledger', Period[]> = {
    movements: [],
    earlier: [],
    ledgerToCut: [],
    ledger: [],
  };
  for (const { accountNo } of request.accounts) {
    const baselineAt = of.baselines.get(accountNo)?.at ?? from;
    const openingAt = of.previous.get(accountNo)?.at ?? baselineAt;
    const ledgerAt = of.ledgers.get(accountNo)?.at ?? from;
    periods.movements.push({ accountNo, from: openingAt, to: cut });
    periods.earlier.push({ accountNo, from: baselineAt, to: openingAt });
    periods.ledgerToCut.push({ accountNo, from: ledgerAt, to: cut });
    periods.ledger.push({ accountNo, from: openingAt > ledgerAt ? openingAt : ledgerAt, to: cut });
  }
  return {
    movements: await platformFlows(trx, periods.movements),
    earlier: await platformFlows(trx, periods.earlier),
    ledgerToCut: await ledgerFlows(trx, periods.ledgerToCut),
    ledger: await ledgerFlows(trx, periods.ledger),
    early: await entriesBeforeOpening(trx, periods.ledgerToCut),
  };
}

function assumptionsOf(figures: AccountFigures, early: number): string[] {
  const assumptions: string[] = [];
  if (figures.baseline?.source === 'first_snapshot') assumptions.push(reason('first_balance_is_baseline'));
  if (figures.ledger.assumed) assumptions.push(reason('ledger_opening_assumed'));
  if (early > 0) assumptions.push(reason('entries_before_opening', early));
  return assumptions;
}
