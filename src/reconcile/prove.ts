/**
 * Step 6 of the night: per account the four numbers, the breaks, the verdict. Everything comes from tables and
 * goes to tables, in one transaction; a proof that finds the same as the version before is not saved again.
 */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Fen } from '../core/fen.ts';
import { jsonText } from '../core/json.ts';
import type { Tables, Verdict } from '../store/schema.ts';
import type { Cleared } from './adjustments.ts';
import { findBalanceItems } from './balance-items.ts';
import { entryHasMovement } from './entry-has-movement.ts';
import { crossingTheBaseline, groupsAgree } from './groups-agree.ts';
import { movementIsBooked } from './movement-is-booked.ts';
import { numbersOf, worse, worstOf } from './prove-account.ts';
import type { AccountFigures, AccountNumbers, Ceiling } from './prove-account.ts';
import { assignTiming } from './assign-timing.ts';
import type { AccountTiming } from './account-timing.ts';
import { frozenIsInFlight, timingAssumptions, timingCeilings } from './frozen-is-in-flight.ts';
import { gatherFigures } from './gather.ts';
import type { Gathered, ProofRequest } from './gather.ts';
import { orderIsSound } from './order-is-sound.ts';
import { openOrderIsTiming } from './open-order-is-timing.ts';
import type { InflightModel } from './timing-search.ts';
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
  const { gathered, timings } = await gatherInTime(trx, request);
  const all = gathered.map(({ figures }) => figures);
  await findLines(trx, request, all);
  const crossing = await crossingTheBaseline(trx);
  const numbers = new Map(
    all.map((figures) => [
      figures.accountNo,
      numbersOf(withAssumedOpening(figures, crossing), timings.get(figures.accountNo)),
    ]),
  );
  await frozenIsInFlight(trx, all, timings);
  const cleared = await findBalanceItems(trx, request, all, numbers, crossing);
  await depositsAreListed(trx, request.span, request.zone.name);
  const weights = await weighFound(trx);
  const accounts = gathered.map(({ figures, ceilings, assumptions }) =>
    judge({ figures, ceilings, assumptions, numbers, timings, cleared, crossing, weights }),
  );
  const digest = createHash('sha256')
    .update(jsonText(accounts.map(withoutRunNames)))
    .update(await digestOfFound(trx))
    .digest('hex');
  const proof = { verdict: worstOf(accounts.map((account) => account.verdict)), digest, accounts };
  if (digest === knownDigest) return { ...proof, saved: false };
  await saveAccounts(trx, request.runId, accounts);
  await saveFindings(trx, request, closableOf(accounts), clearedList(cleared));
  return { ...proof, saved: true };
}

interface InTime {
  gathered: Gathered[];
  timings: ReadonlyMap<string, AccountTiming>;
}

/** The figures, with every order on the side of the cut and of the balance on which it belongs. */
async function gatherInTime(trx: Transaction<Tables>, request: ProofRequest): Promise<InTime> {
  const { span, rules } = request;
  const usual = await gatherFigures(trx, request);
  const bases = usual.map(({ figures }) => ({ figures, unexplainedFen: numbersOf(figures).unexplainedFen }));
  const asked = { span, model: rules.inflightModel, posting: rules.posting };
  const { byAccount, moved } = await assignTiming(trx, asked, bases);
  return { gathered: moved ? await gatherFigures(trx, request) : usual, timings: byAccount };
}

/**
 * Accounts whose balance is not what opening and movements make it: worth asking their batches again, because a
 * refund can come at any time (spec/reconciliation.md 3.5).
 */
export async function findUnexplained(trx: Transaction<Tables>, request: ProofRequest): Promise<string[]> {
  const { gathered, timings } = await gatherInTime(trx, request);
  return gathered
    .map(({ figures }) => figures)
    .filter((figures) => (numbersOf(figures, timings.get(figures.accountNo)).unexplainedFen ?? 0n) !== 0n)
    .map(({ accountNo }) => accountNo);
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
  await entryHasMovement(trx, span, request.rules.agingDays);
  await groupsAgree(trx, { ...span, at: request.at }, request.rules.agingDays);
  await feeAddsUp(trx, span);
  await recordsStay(trx, span, request.zone.name);
  await openOrderIsTiming(trx, span, request.rules.agingDays);
  await orderIsSound(trx, span);
  await voucherIsFiled(trx, span, { graceDays: request.rules.agingDays });
}

/**
 * Books without an opening entry are taken to begin with what the platform held, less what they themselves
 * book only later: entries that belong to the time before must not count twice.
 */
function withAssumedOpening(figures: AccountFigures, crossing: ReadonlyMap<string, Fen>): AccountFigures {
  const { ledger, accountNo } = figures;
  if (!ledger.assumed) return figures;
  return { ...figures, ledger: { ...ledger, fen: ledger.fen + (crossing.get(accountNo) ?? 0n) } };
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

function judge(of: {
  figures: AccountFigures;
  ceilings: readonly Ceiling[];
  assumptions: readonly string[];
  numbers: ReadonlyMap<string, AccountNumbers>;
  timings: ReadonlyMap<string, AccountTiming>;
  cleared: Cleared;
  crossing: ReadonlyMap<string, Fen>;
  weights: ReadonlyMap<string, Weight>;
}): ProvenAccount {
  const { accountNo } = of.figures;
  const numbers = of.numbers.get(accountNo) ?? numbersOf(of.figures);
  const { lineFen, breaks, timing } = of.weights.get(accountNo) ?? { lineFen: 0n, breaks: 0, timing: 0 };
  const openingDifferenceFen =
    numbers.baselineDifferenceFen === undefined
      ? undefined
      : numbers.baselineDifferenceFen +
        numbers.earlierUnexplainedFen +
        (of.crossing.get(accountNo) ?? 0n) -
        clearedFen(of.cleared, accountNo);
  const differenceFen =
    numbers.platformFen === undefined ? undefined : numbers.platformFen - numbers.ledgerFen;
  const inTime = of.timings.get(accountNo);
  const ceilings = [...of.ceilings, ...(inTime ? timingCeilings(inTime) : [])];
  if (
    differenceFen !== undefined &&
    openingDifferenceFen !== undefined &&
    differenceFen !== openingDifferenceFen + lineFen + (numbers.unexplainedFen ?? 0n)
  ) {
    ceilings.push({ verdict: 'unverified', reason: reason('identity_fails') });
  }
  if (differenceFen !== undefined && differenceFen !== 0n && breaks + timing === 0) {
    ceilings.push({ verdict: 'unverified', reason: reason('identity_fails') });
  }
  const found: Verdict = breaks > 0 ? 'breaks' : timing > 0 ? 'reconciled_with_timing' : 'reconciled';
  const verdict = worse(found, worstOf(ceilings.map((ceiling) => ceiling.verdict)));
  return {
    accountNo,
    verdict,
    reason: ceilings.find((ceiling) => ceiling.verdict === verdict)?.reason ?? '',
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
}

function clearedFen(cleared: Cleared, accountNo: string): Fen {
  let sum = 0n;
  for (const [id, { fen }] of cleared.clearedBy) if (id.startsWith(`${accountNo}\t`)) sum += fen;
  return sum;
}

function clearedList(cleared: Cleared): { accountNo: string; key: string; reference: string }[] {
  return [...cleared.clearedBy].map(([id, { entryId }]) => {
    const [accountNo = '', key = ''] = id.split('\t');
    return { accountNo, key, reference: entryId };
  });
}

/** A break is called cured only where the numbers behind it are there. */
function closableOf(accounts: readonly ProvenAccount[]): string[] {
  return accounts
    .filter(
      ({ verdict, reason: why, numbers }) =>
        verdict !== 'incomplete' && why !== reason('identity_fails') && numbers.platformFen !== undefined,
    )
    .map(({ accountNo }) => accountNo);
}
