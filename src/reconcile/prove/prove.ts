/**
 * Step 6 of the night: per account the four numbers, the breaks, the verdict. Everything comes from tables and
 * goes to tables, in one transaction; a proof that finds the same as the version before is not saved again, unless a
 * break of it was ended meanwhile.
 */
import { createHash } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import { jsonText } from '../../core/json.ts';
import { provenOpenings } from '../../store/intake/openings.ts';
import type { Tables, Verdict } from '../../store/schema/schema.ts';
import { NO_ACCOUNT } from '../../store/orders/told-on.ts';
import type { FailedAccount } from '../balance/apart-from-failing.ts';
import { keepClearedPairs } from '../balance/adjustments.ts';
import type { Cleared } from '../balance/adjustments.ts';
import {
  NOTHING_CROSSES,
  crossingTheBaseline,
  openingAssumptions,
  verdictCapsOfAssumedOpening,
  withAssumedOpening,
} from '../balance/assumed-opening.ts';
import type { Crossing } from '../balance/assumed-opening.ts';
import { keepToldBalances } from '../balance/baselines.ts';
import { findBalanceItems } from '../balance/balance-items.ts';
import { endsOf } from './break-ends.ts';
import { findPlaces, isChained } from '../balance/chain-places.ts';
import type { ChainPlace } from '../balance/chain-places.ts';
import { counterpartyAgrees } from '../rules/counterparty-agrees.ts';
import { entryHasMovement } from '../rules/entry-has-movement.ts';
import type { BreakEnds } from './close-breaks.ts';
import { groupsAgree } from '../rules/groups-agree.ts';
import { movementIsBooked } from '../rules/movement-is-booked.ts';
import { keepLedgerOpenings } from '../balance/ledger-openings.ts';
import { numbersOf, worse, worstOf } from '../balance/prove-account.ts';
import type { AccountFigures, AccountNumbers, VerdictCap } from '../balance/prove-account.ts';
import type { AccountTiming } from '../timing/account-timing.ts';
import { frozenIsInFlight, timingAssumptions } from '../rules/frozen-is-in-flight.ts';
import { verdictCapsInTime, gatherInTime } from './gather-in-time.ts';
import type { ProofRequest } from '../balance/proof-request.ts';
import { keepOpenings, openingIsKept } from '../rules/opening-is-kept.ts';
import { orderIsShown } from '../rules/order-is-shown.ts';
import { orderIsSound } from '../rules/order-is-sound.ts';
import { openBreakIsShown } from './open-break-is-shown.ts';
import { openOrderIsTiming } from '../rules/open-order-is-timing.ts';
import { depositsAreListed, feeAddsUp, recordsStay } from '../rules/record-is-sound.ts';
import { leaveToOthers } from '../rules/told-elsewhere.ts';
import { reason } from '../balance/reasons.ts';
import { saveAccounts } from './save-accounts.ts';
import { digestOfFound, reopensAny, saveFindings } from './save-findings.ts';
import { openScope } from '../balance/scope.ts';
import { keepToldAcross } from '../balance/told-across.ts';
import { foundVerdict, weighFound } from '../balance/weigh-found.ts';
import type { Weight } from '../balance/weigh-found.ts';
import { signedPeriodIsKept } from '../rules/signed-period-is-kept.ts';
import { voucherIsFiled } from '../rules/voucher-is-filed.ts';
import type { ProvenAccount } from './proven-account.ts';

export interface Proof {
  verdict: Verdict;
  digest: string;
  accounts: ProvenAccount[];
  /** False when the digest was the one that need not be saved again. */
  saved: boolean;
}

/**
 * Proves the accounts of a run inside the caller's transaction; one that fails fails all (`prove-apart.ts`).
 * @param knownDigest the digest of the version before; an equal proof that finds no closed break again is not saved
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
  await signedPeriodIsKept(trx, request);
  const crossing = await crossingTheBaseline(trx, request.at);
  const counted = gathered.map((of) => ({ ...of, figures: withAssumedOpening(of.figures, crossing) }));
  const numbers = new Map(
    counted.map(({ figures }) => [figures.accountNo, numbersOf(figures, timings.get(figures.accountNo))]),
  );
  await frozenIsInFlight(trx, all, timings);
  const places = await findPlaces(
    trx,
    request,
    gathered.map(({ figures, verdictCaps }) => ({
      figures,
      verdictCaps: [...verdictCaps, ...verdictCapsInTime(timings, figures.accountNo)],
      unexplained: unexplained.get(figures.accountNo) ?? [],
    })),
  );
  const cleared = await findBalanceItems(trx, request, {
    figures: counted.map(({ figures }) => figures),
    numbers,
    crossing,
    places,
  });
  await depositsAreListed(trx, request.span, { timeZone: request.zone.name, own: places });
  const isModelStated = request.rules.inflightModel !== 'auto';
  const ends = endsOf(counted, { ...inTime, numbers, places, cleared, isModelStated });
  const shown = await openBreakIsShown(trx, request, ends);
  const weights = await weighFound(trx);
  const accounts = counted.map((of) => {
    const { accountNo } = of.figures;
    const across = crossing.get(accountNo) ?? NOTHING_CROSSES;
    const doubts = verdictCapsOfAssumedOpening(of.figures, across, cleared);
    const beside = [...of.beside, ...(shown.get(accountNo) ?? []), ...doubts];
    return judge({ ...of, numbers, timings, cleared, crossing: across, weights, places, beside });
  });
  const digest = await digestOf(trx, request, accounts);
  const verdicts = [...accounts, ...(request.failed ?? []).map(unproven)].map(({ verdict }) => verdict);
  const verdict = worse(worstOf(verdicts), foundVerdict(weights.get(NO_ACCOUNT)));
  const proof = { verdict, digest, accounts };
  if (digest === knownDigest && !(await reopensAny(trx, request))) return { ...proof, saved: false };
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
  const bare = (request.failed ?? []).map(unproven);
  await saveAccounts(trx, request.runId, { accounts, bare });
  const ledgers = new Map(figures.map(({ accountNo, ledger }) => [accountNo, ledger]));
  await keepLedgerOpenings(trx, { accounts, moment: request.at }, ledgers);
  await keepToldAcross(trx, { accounts, moment: request.at }, ledgers);
  await keepToldBalances(trx, figures);
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

async function digestOf(
  trx: Transaction<Tables>,
  { failed = [] }: ProofRequest,
  accounts: readonly ProvenAccount[],
): Promise<string> {
  return createHash('sha256')
    .update(jsonText(accounts.map(withoutRunNames)))
    .update(await digestOfFound(trx))
    .update(failed.length === 0 ? '' : jsonText(failed))
    .digest('hex');
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
    figures.map(({ accountNo, baseline, previous, ledger }) => ({
      accountNo,
      ledger,
      baselineAt: baseline?.at ?? span.from,
      openingAt: previous?.at ?? baseline?.at ?? span.from,
    })),
  );
  await movementIsBooked(trx, span);
  const moment = { ...span, at: request.at };
  await entryHasMovement(trx, moment, { ...request.rules, timeZone: request.zone.name });
  await groupsAgree(trx, moment, request.rules.agingDays);
  await counterpartyAgrees(trx, span);
  await feeAddsUp(trx, span);
  await recordsStay(trx, span, request.zone.name);
  await openOrderIsTiming(trx, span, request.rules);
  await orderIsSound(trx, span);
  await orderIsShown(trx, span);
  await leaveToOthers(trx);
  await voucherIsFiled(trx, span, { graceDays: request.rules.agingDays });
}

function judge(of: {
  figures: AccountFigures;
  verdictCaps: readonly VerdictCap[];
  assumptions: readonly string[];
  numbers: ReadonlyMap<string, AccountNumbers>;
  timings: ReadonlyMap<string, AccountTiming>;
  cleared: Cleared;
  /** What lies across the opening: it belongs to the opening difference. */
  crossing: Crossing;
  weights: ReadonlyMap<string, Weight>;
  places: ReadonlyMap<string, ChainPlace>;
  /** What this reading, the books and open breaks allow, whatever the platform's figures prove. */
  beside: readonly VerdictCap[];
}): ProvenAccount {
  const { accountNo } = of.figures;
  const numbers = of.numbers.get(accountNo) ?? numbersOf(of.figures);
  const { lineFen, breaks, timing } = of.weights.get(accountNo) ?? { lineFen: 0n, breaks: 0, timing: 0 };
  const { baselineDifferenceFen, earlierUnexplainedFen } = numbers;
  const elsewhereFen = of.crossing.fen - clearedFen(of.cleared, accountNo);
  const openingDifferenceFen =
    baselineDifferenceFen === undefined
      ? undefined
      : baselineDifferenceFen + earlierUnexplainedFen + elsewhereFen;
  const differenceFen =
    numbers.platformFen === undefined ? undefined : numbers.platformFen - numbers.ledgerFen;
  const inTime = of.timings.get(accountNo);
  const verdictCaps = [...of.verdictCaps, ...verdictCapsInTime(of.timings, accountNo)];
  const isExplained =
    openingDifferenceFen === undefined ||
    differenceFen === openingDifferenceFen + lineFen + (numbers.unexplainedFen ?? 0n);
  const isShown = differenceFen === 0n || breaks + timing > 0;
  if (differenceFen !== undefined && !(isExplained && isShown)) {
    verdictCaps.push({ verdict: 'unverified', reason: reason('identity_fails') });
  }
  const found = foundVerdict(of.weights.get(accountNo));
  const reasons = [...verdictCaps, ...of.beside];
  const verdict = worse(found, worstOf(reasons.map((cap) => cap.verdict)));
  const ofTiming = inTime ? timingAssumptions(inTime) : [];
  const account = {
    accountNo,
    verdict,
    reason: reasons.find((cap) => cap.verdict === verdict)?.reason ?? '',
    numbers,
    lineDifferenceFen: lineFen,
    openingDifferenceFen,
    differenceFen,
    assumptions: [...of.assumptions, ...openingAssumptions(of.figures, of.crossing), ...ofTiming],
    candidates: (inTime?.candidates ?? []).map(({ assume, closingFen }) => ({
      assume,
      differenceFen: closingFen - numbers.ledgerFen,
    })),
    inflightModel: inTime?.model,
  };
  const place = of.places.get(accountNo);
  return {
    ...account,
    chained: place !== undefined && isChained(place, { numbers, verdictCaps }),
    unexplained: place?.unexplained ?? [],
  };
}

function clearedFen(cleared: Cleared, accountNo: string): Fen {
  let sum = 0n;
  for (const item of cleared.cleared) if (item.accountNo === accountNo) sum += item.fen;
  return sum;
}

function unproven({ accountNo, cause }: FailedAccount) {
  return { accountNo, verdict: 'incomplete', reason: reason('proof_failed', cause) } as const;
}

/** Nothing is cured by figures that do not add up. */
function isFaulty({ reason: why }: ProvenAccount): boolean {
  return why === reason('identity_fails');
}
