/**
 * What the balances would say under another profile: fees by who would bear them, settlements by what they would
 * pay out, open debits by where they would stand (U23, U35–U37). Pure arithmetic on sums; nothing is posted again.
 */
import type { Fen } from '../../core/fen.ts';
import type { FeeBearer, PostingRules } from '../post/posting-rules.ts';

/** What an account loses by events of one sort, by the side on which it stands in them. */
export interface Sides {
  payer: Fen;
  payee: Fen;
  /** Of every account: known only for accounts that might bear what belongs to others. */
  all: Fen;
}

/**
 * Sorts of events whose effect the profile decides. `settle` counts settlements; `settleGap` is what they would
 * pay out more by the amount than by the credited amount; refunds give back a fee and are negative.
 */
export const FEE_ITEMS = [
  'deposit',
  'transfer',
  'withdraw',
  'settle',
  'settleGap',
  'refundBeside',
  'refundInside',
] as const;
export type FeeItem = (typeof FEE_ITEMS)[number];
export type FeeSums = Readonly<Record<FeeItem, Sides>>;

/** Orders that were certainly open when a balance was read, as they hold money on the account. */
export interface OpenSums {
  principalFen: Fen;
  transferFeeFen: Fen;
  withdrawFeeFen: Fen;
  settleCount: bigint;
  settleGapFen: Fen;
}

export const NOTHING_OPEN: OpenSums = {
  principalFen: 0n,
  transferFeeFen: 0n,
  withdrawFeeFen: 0n,
  settleCount: 0n,
  settleGapFen: 0n,
};

/** Runs in a row that were proven under one profile. */
export interface Segment {
  rules: PostingRules;
  /** What they could not explain. */
  unexplainedFen: Fen;
  fees: FeeSums;
}

/** An account from its baseline to the closing of its latest run. */
export interface Chain {
  accountNo: string;
  /** Oldest first, at least one. */
  segments: readonly Segment[];
  /** In flight at the closing, and how much of it the run took for debited already. */
  inFlightFen: Fen;
  heldFen: Fen;
  open: OpenSums;
  /** The same at a baseline that was a first balance. */
  baselineHeldFen: Fen;
  baselineOpen: OpenSums;
}

export type InflightChoice = 'auto' | 'frozen' | 'debited';

/** As much of a profile as decides what the books should hold. */
export interface Setting {
  rules: PostingRules;
  inflight: InflightChoice;
}

/**
 * What stays unexplained under a setting. With `auto` the proof takes whichever in-flight model fits; the one it
 * did not take counts only where it does not fit under the profile in force either.
 */
export function residualOf(chain: Chain, setting: Setting, inForce: Setting): Fen {
  const { rules, inflight } = setting;
  if (inflight !== 'auto') return residualUnder(chain, { rules, inflight, model: inflight });
  const taken = takenModel(chain);
  const residual = residualUnder(chain, { rules, inflight, model: taken });
  if (residual === 0n) return 0n;
  const model = taken === 'frozen' ? 'debited' : 'frozen';
  const fitsAnyway = residualUnder(chain, { rules: inForce.rules, inflight, model }) === 0n;
  return !fitsAnyway && residualUnder(chain, { rules, inflight, model }) === 0n ? 0n : residual;
}

export function takenModel({ heldFen }: Chain): 'frozen' | 'debited' {
  return heldFen === 0n ? 'frozen' : 'debited';
}

export interface Case extends Setting {
  /** The model the closing is read with; the baseline's is the setting's. */
  model: 'frozen' | 'debited';
}

/** What stays unexplained when the closing is read with one model: linear in every amount of the rules. */
export function residualUnder(chain: Chain, { rules, inflight, model }: Case): Fen {
  const { accountNo } = chain;
  const first = chain.segments.at(0)?.rules ?? rules;
  const last = chain.segments.at(-1)?.rules ?? rules;
  let residual = 0n;
  for (const segment of chain.segments) {
    residual += segment.unexplainedFen;
    residual += bookFen(accountNo, segment.rules, segment.fees) - bookFen(accountNo, rules, segment.fees);
  }
  const inFlightFen = chain.inFlightFen + ruledOpenFen(rules, chain.open) - ruledOpenFen(last, chain.open);
  const isTaken = takenModel(chain) === 'debited';
  residual += (model === 'debited' ? inFlightFen : 0n) - (isTaken ? chain.inFlightFen : 0n);
  const wasDebited = chain.baselineHeldFen !== 0n;
  const isDebited = inflight === 'auto' ? wasDebited : inflight === 'debited';
  const held = (on: boolean, by: PostingRules): Fen =>
    on ? chain.baselineOpen.principalFen + ruledOpenFen(by, chain.baselineOpen) : 0n;
  return residual - (held(isDebited, rules) - held(wasDebited, first));
}

/** What the profile decides of the movements of an account. */
function bookFen(accountNo: string, rules: PostingRules, fees: FeeSums): Fen {
  const { bearers, settleFee, settleAmount, feeReturned } = rules;
  const borne = (item: FeeItem, bearer: FeeBearer, self: 'payer' | 'payee'): Fen =>
    shareOf(accountNo, bearer, { sides: fees[item], self });
  let lostFen = borne('deposit', bearers.deposit, 'payee');
  lostFen += borne('transfer', bearers.transfer, 'payer');
  lostFen += borne('withdraw', bearers.withdraw, 'payer');
  if (settleFee?.feeType === 'ACCOUNT') {
    lostFen += settleFee.feeFen * borne('settle', bearers.settle, 'payee');
  }
  if (settleAmount === 'amount') lostFen += fees.settleGap.payee;
  if (feeReturned) {
    lostFen += borne('refundBeside', bearers.transfer, 'payer') + fees.refundInside.payee;
  }
  return -lostFen;
}

function shareOf(
  accountNo: string,
  bearer: FeeBearer,
  { sides, self }: { sides: Sides; self: 'payer' | 'payee' },
): Fen {
  if (bearer === 'external') return 0n;
  if (bearer === 'self') return sides[self];
  if (bearer === 'payer' || bearer === 'payee') return sides[bearer];
  return bearer === `acct:${accountNo}` ? sides.all : 0n;
}

/** What the profile decides of the money that open orders hold: fees are held where their bearer pays. */
function ruledOpenFen({ bearers, settleFee, settleAmount }: PostingRules, open: OpenSums): Fen {
  let heldFen = 0n;
  if (bearers.transfer === 'payer' || bearers.transfer === 'self') heldFen += open.transferFeeFen;
  if (['payer', 'payee', 'self'].includes(bearers.withdraw)) heldFen += open.withdrawFeeFen;
  const isOwnSettleFee = bearers.settle === 'payee' || bearers.settle === 'self';
  if (settleFee?.feeType === 'ACCOUNT' && isOwnSettleFee) heldFen += settleFee.feeFen * open.settleCount;
  return settleAmount === 'amount' ? heldFen + open.settleGapFen : heldFen;
}
