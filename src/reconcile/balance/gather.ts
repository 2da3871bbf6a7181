/**
 * Brings together, per account, what the proof rests on: baseline, opening, closing, sums; and every reason why
 * the verdict cannot be better than it is.
 */
import type { Transaction } from 'kysely';
import { addDays } from '../../core/time.ts';
import { lastLinks } from '../../store/runs/chain.ts';
import type { Tables } from '../../store/schema/schema.ts';
import { verdictCapsOf, findReadings, findUnread } from './verdict-caps.ts';
import type { AccountCaps } from './verdict-caps.ts';
import { findBaselines } from './baselines.ts';
import { closings } from './closings.ts';
import { findGone } from './gone-accounts.ts';
import type { GoneAccount, GoneAccounts } from './gone-accounts.ts';
import type { Previous } from './closings.ts';
import { NO_FLOW, entriesBeforeOpening, ledgerFlows, platformFlows, unprovenDays } from './figures.ts';
import type { Period } from './figures.ts';
import { findLedgerOpenings } from './ledger-openings.ts';
import type { AccountFigures } from './prove-account.ts';
import { reason } from './reasons.ts';
import type { ProofRequest } from './proof-request.ts';
import type { Baseline, LedgerOpening } from './scope.ts';

export interface Gathered extends AccountCaps {
  figures: AccountFigures;
  assumptions: string[];
}

export async function gatherFigures(trx: Transaction<Tables>, request: ProofRequest): Promise<Gathered[]> {
  const names = request.accounts.map(({ accountNo }) => accountNo);
  const gone = await findGone(trx, request);
  const { closing, unreadAfter } = await findClosings(trx, request, gone);
  const unread = await findUnread(trx, request);
  for (const accountNo of gone.keys()) unread.delete(accountNo);
  const baselines = await findBaselines(trx, request, { closing, unread, gone });
  const previous = await findPrevious(trx, request, baselines);
  const ledgers = await findLedgerOpenings(trx, request, baselines);
  const flows = await gatherFlows(trx, request, { baselines, previous, ledgers });
  const readings = {
    ...(await findReadings(trx, request, { baselines, previous, gone })),
    unread,
    unreadAfter,
  };
  return names.map((accountNo) => {
    const figures: AccountFigures = {
      accountNo,
      baseline: baselines.get(accountNo),
      ledger: ledgers.get(accountNo) ?? {
        at: request.span.from,
        fen: 0n,
        assumed: true,
        change: undefined,
        stated: undefined,
        statedSince: undefined,
        isToCome: false,
      },
      closing: closing.get(accountNo),
      previous: previous.get(accountNo),
      movements: flows.movements.get(accountNo) ?? NO_FLOW,
      earlierMovementsFen: flows.earlier.get(accountNo)?.netFen ?? 0n,
      ledgerToCutFen: flows.ledgerToCut.get(accountNo)?.netFen ?? 0n,
      ledgerMovements: flows.ledger.get(accountNo) ?? NO_FLOW,
    };
    return {
      figures,
      ...verdictCapsOf(request, figures, readings),
      assumptions: [
        ...assumptionsOf(request, figures, flows.early.get(accountNo) ?? 0),
        ...saidOfGone(request, figures, gone.get(accountNo)),
      ],
    };
  });
}

/**
 * A balance can be rolled back to the cut only over days that were read; else it is no closing. Those of an account
 * that is gone can be read no more.
 */
async function findClosings(trx: Transaction<Tables>, request: ProofRequest, gone: GoneAccounts) {
  const names = request.accounts.map(({ accountNo }) => accountNo);
  const { observedMinutes } = request.rules;
  const closing = await closings(trx, names, request.span, { observedMinutes, gone });
  const read = [...closing].filter(([accountNo, { snapshotAt }]) => gone.get(accountNo)?.at !== snapshotAt);
  const between = read.map(([accountNo, { snapshotAt }]) => ({
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
  const previous = new Map<string, Previous>();
  for (const [accountNo, { runId, toDay, fen, model }] of await lastLinks(trx, names, request.toDay)) {
    const at = request.zone.dayStart(addDays(toDay, 1));
    const baseline = baselines.get(accountNo);
    if (baseline !== undefined && at > baseline.at) previous.set(accountNo, { runId, at, fen, model });
  }
  return previous;
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

/** That the closing is what the platform's silence makes it is said, with the last balance that it stated. */
function saidOfGone(
  { zone }: ProofRequest,
  { closing }: AccountFigures,
  gone: GoneAccount | undefined,
): string[] {
  if (gone === undefined || closing?.snapshotAt !== gone.at) return [];
  return [reason('account_gone', gone.lastBalanceAt && zone.localText(gone.lastBalanceAt))];
}

function assumptionsOf({ span, zone }: ProofRequest, figures: AccountFigures, early: number): string[] {
  const assumptions: string[] = [];
  const openingAt = figures.previous?.at ?? figures.baseline?.at ?? span.from;
  if (openingAt < span.from) assumptions.push(reason('days_spanned', zone.dayOf(openingAt)));
  if (figures.baseline?.source === 'first_snapshot') assumptions.push(reason('first_balance_is_baseline'));
  if (early > 0) assumptions.push(reason('entries_before_opening', early));
  return assumptions;
}
