/**
 * `calibrate`: which values of the profile's fee and in-flight keys would explain what the proofs so far could not
 * (U23, U35–U37). It reads, and changes nothing.
 */
import type { Transaction } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import { isJsonObject, jsonText, parseJson } from '../../core/json.ts';
import type { JsonObject } from '../../core/json.ts';
import { profileDigest, readProfile } from '../../core/profile/profile.ts';
import type { Profile } from '../../core/profile/profile.ts';
import type { Db, Tables } from '../../store/schema/schema.ts';
import { listChainEnds, listChainParts, listRunAssumptions, listUnproven } from './calibrate-chain.ts';
import type { ChainEnds, ChainPart, UnprovenAccount } from './calibrate-chain.ts';
import { spanId, sumFees, sumOpen } from './calibrate-sums.ts';
import type { SumSpan } from './calibrate-sums.ts';
import { NOTHING_OPEN } from './hypotheses.ts';
import type { Chain, FeeSums, Segment, Setting } from './hypotheses.ts';
import { HypothesisSearch, likelyFeeAccounts } from './hypothesis-search.ts';
import type { Explanation } from './hypothesis-search.ts';
import { postingRulesOf } from '../post/posting-rules.ts';
import type { PostingRules } from '../post/posting-rules.ts';

export interface CalibratedAccount {
  accountNo: string;
  /** What all standing proofs of the account leave unexplained under the profile in force. */
  residualFen: Fen;
  /** Each of these alone would make it zero; a pair (`with`) only where no single key does. */
  explainedBy: Explanation[];
}

export interface Calibration {
  accounts: CalibratedAccount[];
  /** Whose latest proof is none: what their residual says, if they have one, is not the whole of them. */
  unproven: UnprovenAccount[];
  overall: {
    /** Accounts whose residual is not zero. */
    accountsOff: number;
    /** Each of these would make every residual zero at once. */
    explainedBy: Explanation[];
  };
}

export interface CalibrateRequest {
  /** In force. */
  profile: Profile;
  /** Of the service: days become instants there. */
  zoneName: string;
}

/** Everything is read from one snapshot of the database, so that a night under way disturbs nothing. */
export async function calibrate(db: Db, request: CalibrateRequest): Promise<Calibration> {
  const inForce: Setting = {
    rules: postingRulesOf(request.profile),
    inflight: request.profile.inflight.model,
  };
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const { chains, feeAccounts } = await readChains(trx, request, inForce);
      const search = new HypothesisSearch(inForce, chains, feeAccounts);
      const accounts = chains.map((chain) => ({
        accountNo: chain.accountNo,
        residualFen: search.residual(chain),
        explainedBy: search.explain(chain),
      }));
      const accountsOff = accounts.filter(({ residualFen }) => residualFen !== 0n).length;
      const unproven = await listUnproven(trx);
      return { accounts, unproven, overall: { accountsOff, explainedBy: search.explainAll() } };
    });
}

async function readChains(
  trx: Transaction<Tables>,
  request: CalibrateRequest,
  inForce: Setting,
): Promise<{ chains: Chain[]; feeAccounts: string[] }> {
  const parts = await listChainParts(trx, request.zoneName);
  const rules = await rulesOfRuns(trx, request.profile, parts);
  const ends = await listChainEnds(trx, latestOf(parts));
  const feeAccounts = [
    ...likelyFeeAccounts(residualsOf(parts)),
    ...[inForce.rules, ...rules.values()].flatMap(namedAccounts),
  ];
  const fees = await sumFees(trx, spansOf(parts, ends), feeAccounts);
  const open = await sumOpen(trx, readsOf(ends, 'closing'));
  const baselineOpen = await sumOpen(trx, readsOf(ends, 'baseline'));
  const partsOf = Map.groupBy(parts, ({ accountNo }) => accountNo);
  const chains = ends.map((end) => ({
    accountNo: end.accountNo,
    segments: (partsOf.get(end.accountNo) ?? []).map((part) =>
      segmentOf(part, rules.get(part.lastRun), fees),
    ),
    inFlightFen: end.inFlightFen,
    heldFen: end.heldFen,
    open: open.get(end.accountNo) ?? NOTHING_OPEN,
    baselineHeldFen: end.baselineHeldFen,
    baselineOpen: baselineOpen.get(end.accountNo) ?? NOTHING_OPEN,
  }));
  return { chains, feeAccounts: [...new Set(feeAccounts)] };
}

function segmentOf(
  part: ChainPart,
  rules: PostingRules | undefined,
  fees: ReadonlyMap<string, FeeSums>,
): Segment {
  const sums = fees.get(spanId(part));
  if (sums === undefined || rules === undefined)
    throw new Error('Bug: a part of a chain without its sums or rules');
  return { rules, unexplainedFen: part.unexplainedFen, fees: sums };
}

/** The last part of each account; parts come by account, oldest first. */
function latestOf(parts: readonly ChainPart[]): ChainPart[] {
  return [...new Map(parts.map((part) => [part.accountNo, part])).values()];
}

function residualsOf(parts: readonly ChainPart[]): Map<string, Fen> {
  const residuals = new Map<string, Fen>();
  for (const { accountNo, unexplainedFen } of parts) {
    residuals.set(accountNo, (residuals.get(accountNo) ?? 0n) + unexplainedFen);
  }
  return residuals;
}

function namedAccounts({ bearers }: PostingRules): string[] {
  return Object.values(bearers).flatMap((bearer) =>
    bearer.startsWith('acct:') ? [bearer.slice('acct:'.length)] : [],
  );
}

function spansOf(parts: readonly ChainPart[], ends: readonly ChainEnds[]): SumSpan[] {
  const byAccount = new Map(ends.map((end) => [end.accountNo, end]));
  return parts.map(({ accountNo, partNo, from, to }, at) => ({
    accountNo,
    partNo,
    from,
    to,
    baseline: parts[at - 1]?.accountNo === accountNo ? undefined : byAccount.get(accountNo)?.baseline,
    closing: parts[at + 1]?.accountNo === accountNo ? undefined : byAccount.get(accountNo)?.closing,
  }));
}

function readsOf(ends: readonly ChainEnds[], which: 'closing' | 'baseline') {
  return ends.flatMap(({ accountNo, [which]: read }) => (read === undefined ? [] : [{ accountNo, read }]));
}

/** A run remembers the profile it was made under. */
async function rulesOfRuns(
  trx: Transaction<Tables>,
  profile: Profile,
  parts: readonly ChainPart[],
): Promise<Map<string, PostingRules>> {
  const runs = await listRunAssumptions(trx, [...new Set(parts.map(({ lastRun }) => lastRun))]);
  const inForce = profileDigest(profile);
  const byDigest = new Map<string, PostingRules>([[inForce, postingRulesOf(profile)]]);
  const byRun = new Map<string, PostingRules>();
  for (const [runId, { profileDigest: digest, assumptions }] of runs) {
    const rules = byDigest.get(digest) ?? recordedRules(assumptions, runId);
    byDigest.set(digest, rules);
    byRun.set(runId, rules);
  }
  return byRun;
}

const BEARER_NAMES = ['transfer', 'deposit', 'withdraw', 'settle'] as const;

/** The keys that decide postings, put together as a profile file has them and read like one. */
function recordedRules(assumptions: unknown, runId: string): PostingRules {
  const values = new Map<string, string>();
  for (const row of Array.isArray(assumptions) ? (assumptions as unknown[]) : []) {
    if (!isJsonObject(row) || typeof row['key'] !== 'string' || typeof row['value'] !== 'string') continue;
    values.set(row['key'], row['value']);
  }
  const bearer = Object.fromEntries(BEARER_NAMES.map((name) => [name, values.get(`fees.bearer.${name}`)]));
  const file: JsonObject = {
    fees: { bearer, settle: parseJson(values.get('fees.settle') ?? 'null') },
    settle: { feeRule: values.get('settle.feeRule'), amountRule: values.get('settle.amountRule') },
    refund: { feeReturned: values.get('refund.feeReturned') === 'true' },
  };
  return postingRulesOf(readProfile(jsonText(file), `of run ${runId}`));
}
