/**
 * Step 6 of the night: per account the four numbers, the breaks, the verdict. Everything comes from tables and
 * goes to tables, in one transaction; a proof that finds the same as the version before is not saved again.
 */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Fen } from '../core/fen.ts';
import { jsonText } from '../core/json.ts';
import type { Unexplained } from '../store/chain.ts';
import { provenOpenings } from '../store/openings.ts';
import type { Tables, Verdict } from '../store/schema.ts';
import { keepClearedPairs } from './adjustments.ts';
import type { Cleared } from './adjustments.ts';
import { findBalanceItems } from './balance-items.ts';
import { endsOf } from './break-ends.ts';
import { ceilingsOfBooks, ceilingsOfOpening } from './ceilings.ts';
import { findPlaces, isChained } from './chain-places.ts';
import type { ChainPlace } from './chain-places.ts';
import { entryHasMovement } from './entry-has-movement.ts';
import type { BreakEnds } from './close-breaks.ts';
import { crossingTheBaseline, groupsAgree } from './groups-agree.ts';
import { movementIsBooked } from './movement-is-booked.ts';
import { keepLedgerOpenings } from './ledger-openings.ts';
import { numbersOf, worse, worstOf } from './prove-account.ts';
import type { AccountFigures, AccountNumbers, Ceiling } from './prove-account.ts';
import type { AccountTiming } from './account-timing.ts';
import { frozenIsInFlight, timingAssumptions } from './frozen-is-in-flight.ts';
import { ceilingsInTime, gatherInTime } from './gather-in-time.ts';
import type { ProofRequest } from './gather.ts';
import { keepOpenings, openingIsKept } from './opening-is-kept.ts';
import { NO_ACCOUNT, orderIsShown } from './order-is-shown.ts';
import { orderIsSound } from './order-is-sound.ts';
import { openBreakIsShown } from './open-break-is-shown.ts';
import { openOrderIsTiming } from './open-order-is-timing.ts';
import type { InflightModel } from './timing-question.ts';
import { depositsAreListed, feeAddsUp, recordsStay } from './record-is-sound.ts';
import { reason } from './reasons.ts';
import { saveAccounts } from './save-accounts.ts';
import { digestOfFound, saveFindings } from './save-findings.ts';
import { openScope } from './scope.ts';
import { voucherIsFiled } from './voucher-is-filed.ts';

export interface ProvenAccount {
  accountNo: string;
  verdict: Verdict;
  reason: string;
  numbers: AccountNumbers;
  lineDifferenceFen: Fen;
  openingDifferenceFen: Fen | undefined;
  differenceFen: Fen | undefined;
  assumptions: string[];
  /** Assignments of ambiguous orders that explain the balance equally well. */
  candidates: { assume: string; differenceFen: Fen }[];
  inflightModel: InflightModel | undefined;
  /** The next proof may begin at this closing. */
  chained: boolean;
  /** By day; empty where the account is not proven. */
  unexplained: Unexplained[];
}

export interface Proof {
  verdict: Verdict;
  digest: string;
  accounts: ProvenAccount[];
  /** False when the digest was the one that need not be saved again. */
  saved: boolean;
}

/**
 * Proves the accounts of a run inside the caller's transaction.
 * @param knownDigest the digest of the version before; an equal proof is not saved
 */
export async function prove(
  trx: Transaction<Tables>,
  request: ProofRequest,
  knownDigest?: string,
): Promise<Proof> {
  const inTime = await gatherInTime(trx, request);
  const { gathered, timings, unexplained } = inTime;
  const all = gathered.map(({ figures }) => figures);
  await findLines(trx, request, all);
  await openingIsKept(trx, request, { figures: all, proven: await provenOpenings(trx) });
  const crossing = await crossingTheBaseline(trx);
  const counted = gathered.map((of) => ({ ...of, figures: withAssumedOpening(of.figures, crossing) }));
  const numbers = new Map(
    counted.map(({ figures }) => [figures.accountNo, numbersOf(figures, timings.get(figures.accountNo))]),
  );
  await frozenIsInFlight(trx, all, timings);
  const places = await findPlaces(
    trx,
    request,
    gathered.map(({ figures, ceilings }) => ({
      figures,
      ceilings: [...ceilings, ...ceilingsInTime(timings, figures.accountNo)],
      unexplained: unexplained.get(figures.accountNo) ?? [],
    })),
  );
  const cleared = await findBalanceItems(trx, request, {
    figures: counted.map(({ figures }) => figures),
    numbers,
    crossing,
    places,
  });
  await depositsAreListed(trx, request.span, request.zone.name);
  const ofBooks = ceilingsOfBooks(request);
  const ends = endsOf(counted, { ...inTime, numbers, places, cleared, ofBooks });
  const shown = await openBreakIsShown(trx, request, ends);
  const weights = await weighFound(trx);
  const accounts = counted.map(({ figures, ceilings, assumptions }) =>
    judge({
      figures,
      ceilings,
      assumptions,
      numbers,
      timings,
      cleared,
      crossing,
      weights,
      places,
      beside: [...ofBooks, ...ceilingsOfOpening(figures), ...(shown.get(figures.accountNo) ?? [])],
    }),
  );
  const digest = createHash('sha256')
    .update(jsonText(accounts.map(withoutRunNames)))
    .update(await digestOfFound(trx))
    .digest('hex');
  const verdicts = [...accounts.map(({ verdict }) => verdict), foundVerdict(weights.get(NO_ACCOUNT))];
  const proof = { verdict: worstOf(verdicts), digest, accounts };
  if (digest === knownDigest) return { ...proof, saved: false };
  await saveProof(trx, request, { accounts, figures: all, places, ends });
  return { ...proof, saved: true };
}

async function saveProof(
  trx: Transaction<Tables>,
  request: ProofRequest,
  of: {
    accounts: readonly ProvenAccount[];
    figures: readonly AccountFigures[];
    places: ReadonlyMap<string, ChainPlace>;
    ends: BreakEnds;
  },
): Promise<void> {
  const { accounts, figures, places, ends } = of;
  await saveAccounts(trx, request.runId, accounts);
  const ledgers = new Map(figures.map(({ accountNo, ledger }) => [accountNo, ledger]));
  await keepLedgerOpenings(trx, { accounts, moment: request.at }, ledgers);
  await keepOpenings(trx, request.runId, {
    figures,
    proven: accounts.filter(({ accountNo }) => places.get(accountNo)?.isProvable === true),
  });
  const faulty = new Set(accounts.filter(isFaulty).map(({ accountNo }) => accountNo));
  const closable = ends.closable.filter((no) => !faulty.has(no));
  const settled = new Set(closable);
  await keepClearedPairs(
    trx,
    request.runId,
    ends.cleared.filter(({ accountNo }) => settled.has(accountNo)),
  );
  await saveFindings(trx, request, { ...ends, closable });
}

/** Which version an opening comes from is no figure: a restated one with equal numbers changes nothing. */
function withoutRunNames(account: ProvenAccount): ProvenAccount {
  return { ...account, numbers: { ...account.numbers, openingRun: '' } };
}

async function findLines(
  trx: Transaction<Tables>,
  request: ProofRequest,
  figures: readonly AccountFigures[],
): Promise<void> {
  const { span } = request;
  await openScope(
    trx,
    figures.map(({ accountNo, baseline, ledger }) => ({
      accountNo,
      ledger,
      baseline: baseline ?? { at: span.from, fen: 0n, source: 'first_snapshot', snapshotAt: undefined },
    })),
  );
  await movementIsBooked(trx, span);
  const moment = { ...span, at: request.at };
  await entryHasMovement(trx, moment, { ...request.rules, timeZone: request.zone.name });
  await groupsAgree(trx, moment, request.rules.agingDays);
  await feeAddsUp(trx, span);
  await recordsStay(trx, span, request.zone.name);
  await openOrderIsTiming(trx, span, request.rules.agingDays);
  await orderIsSound(trx, span);
  await orderIsShown(trx, span);
  await voucherIsFiled(trx, span, { graceDays: request.rules.agingDays });
}

/**
 * Books without an opening entry are taken to begin with what the platform held, less what they themselves
 * book only later: entries that belong to the time before must not count twice.
 */
function withAssumedOpening(figures: AccountFigures, crossing: ReadonlyMap<string, Fen>): AccountFigures {
  const { ledger, accountNo } = figures;
  if (!ledger.assumed) return figures;
  const crossingFen = crossing.get(accountNo) ?? 0n;
  const change = ledger.change && { ...ledger.change, fen: ledger.change.fen - crossingFen };
  return { ...figures, ledger: { ...ledger, fen: ledger.fen + crossingFen, change } };
}

interface Weight {
  lineFen: Fen;
  breaks: number;
  timing: number;
}

async function weighFound(trx: Transaction<Tables>): Promise<Map<string, Weight>> {
  const { rows } = await sql<{ account_no: string; line_fen: Fen; breaks: number; timing: number }>`
    select account_no, coalesce(sum(difference_fen) filter (where line), 0)::bigint as line_fen,
      count(*) filter (where severity = 'break')::integer as breaks,
      count(*) filter (where severity = 'timing')::integer as timing
    from found group by account_no`.execute(trx);
  return new Map(
    rows.map((row) => [row.account_no, { lineFen: row.line_fen, breaks: row.breaks, timing: row.timing }]),
  );
}

/** What the items of an account, or of the run itself, allow at best. */
function foundVerdict(weight: Weight | undefined): Verdict {
  if (weight === undefined) return 'reconciled';
  return weight.breaks > 0 ? 'breaks' : weight.timing > 0 ? 'reconciled_with_timing' : 'reconciled';
}

function judge(of: {
  figures: AccountFigures;
  ceilings: readonly Ceiling[];
  assumptions: readonly string[];
  numbers: ReadonlyMap<string, AccountNumbers>;
  timings: ReadonlyMap<string, AccountTiming>;
  cleared: Cleared;
  crossing: ReadonlyMap<string, Fen>;
  weights: ReadonlyMap<string, Weight>;
  places: ReadonlyMap<string, ChainPlace>;
  /** What the books and open breaks allow, whatever the platform's figures prove. */
  beside: readonly Ceiling[];
}): ProvenAccount {
  const { accountNo } = of.figures;
  const numbers = of.numbers.get(accountNo) ?? numbersOf(of.figures);
  const { lineFen, breaks, timing } = of.weights.get(accountNo) ?? { lineFen: 0n, breaks: 0, timing: 0 };
  const { baselineDifferenceFen, earlierUnexplainedFen } = numbers;
  const elsewhereFen = (of.crossing.get(accountNo) ?? 0n) - clearedFen(of.cleared, accountNo);
  const openingDifferenceFen =
    baselineDifferenceFen === undefined
      ? undefined
      : baselineDifferenceFen + earlierUnexplainedFen + elsewhereFen;
  const differenceFen =
    numbers.platformFen === undefined ? undefined : numbers.platformFen - numbers.ledgerFen;
  const inTime = of.timings.get(accountNo);
  const ceilings = [...of.ceilings, ...ceilingsInTime(of.timings, accountNo)];
  const isExplained =
    openingDifferenceFen === undefined ||
    differenceFen === openingDifferenceFen + lineFen + (numbers.unexplainedFen ?? 0n);
  const isShown = differenceFen === 0n || breaks + timing > 0;
  if (differenceFen !== undefined && !(isExplained && isShown)) {
    ceilings.push({ verdict: 'unverified', reason: reason('identity_fails') });
  }
  const found = foundVerdict(of.weights.get(accountNo));
  const reasons = [...ceilings, ...of.beside];
  const verdict = worse(found, worstOf(reasons.map((ceiling) => ceiling.verdict)));
  const account = {
    accountNo,
    verdict,
    reason: reasons.find((ceiling) => ceiling.verdict === verdict)?.reason ?? '',
    numbers,
    lineDifferenceFen: lineFen,
    openingDifferenceFen,
    differenceFen,
    assumptions: [...of.assumptions, ...(inTime ? timingAssumptions(inTime) : [])],
    candidates: (inTime?.candidates ?? []).map(({ assume, closingFen }) => ({
      assume,
      differenceFen: closingFen - numbers.ledgerFen,
    })),
    inflightModel: inTime?.model,
  };
  const place = of.places.get(accountNo);
  return {
    ...account,
    chained: place !== undefined && isChained(place, { numbers, ceilings }),
    unexplained: place?.unexplained ?? [],
  };
}

function clearedFen(cleared: Cleared, accountNo: string): Fen {
  let sum = 0n;
  for (const item of cleared.cleared) if (item.accountNo === accountNo) sum += item.fen;
  return sum;
}

/** Nothing is cured by figures that do not add up. */
function isFaulty({ reason: why }: ProvenAccount): boolean {
  return why === reason('identity_fails');
}
