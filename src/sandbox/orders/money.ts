/**
 * What orders move: who loses and gains how much, and what is held while they are under way
 * (docs/reconciliation.md 3.3). Fees that are taken inside an amount simply do not arrive; those beside it are
 * a loss of their own, on whoever bears them (U35).
 */
import { WrongInput } from '../../core/errors.ts';
import type { Fen } from '../../core/fen.ts';
import type { Bookings } from '../world/bookings.ts';
import { requireAccount } from '../world/seed.ts';
import type { Account } from '../world/account.ts';
import type { World } from '../world/world.ts';
import type { Life, PhaseTurn } from './life.ts';
import type { Fee, FeeType } from './order.ts';

export interface Parties {
  payer: Account;
  payee: Account;
}

/** One account's part in an order. */
export interface Leg {
  account: Account;
  /** What its balance changes by once the money has gone. */
  deltaFen: Fen;
  /** Whether it is held on the account while the order is under way. */
  held: boolean;
  kind: string;
}

/**
 * Adds every effect an order has on the accounts it touches, each at its instant.
 * @param of.life named where what it has yet to come may be called off
 */
export function addEffects(
  bookings: Bookings,
  of: {
    legs: readonly Leg[];
    phases: readonly PhaseTurn[];
    reference: string;
    model: 'frozen' | 'debited';
    life?: Life;
  },
): void {
  for (const leg of of.legs) {
    const { account, kind } = leg;
    let [balanceFen, frozenFen] = [0n, 0n];
    for (const { atMs, phase } of of.phases) {
      const heldFen = phase === 'held' && leg.held ? leg.deltaFen : 0n;
      const nextBalanceFen = phase === 'gone' ? leg.deltaFen : of.model === 'debited' ? heldFen : 0n;
      const nextFrozenFen = of.model === 'frozen' ? -heldFen : 0n;
      const effect = { atMs, kind, reference: of.reference, ...(of.life && { life: of.life }) };
      const [balanceDelta, frozenDelta] = [nextBalanceFen - balanceFen, nextFrozenFen - frozenFen];
      if (balanceDelta !== 0n) bookings.add(account, 'balance', { ...effect, deltaFen: balanceDelta });
      if (frozenDelta !== 0n) bookings.add(account, 'frozen', { ...effect, deltaFen: frozenDelta });
      [balanceFen, frozenFen] = [nextBalanceFen, nextFrozenFen];
    }
  }
}

/** What arrives (DIV-27, WDR-11). */
export function realOf(amountFen: Fen, { feeFen, feeType }: Fee): Fen {
  return feeType === 'ORDER' ? amountFen - feeFen : amountFen;
}

/**
 * The fee that was planned, or else the usual one.
 * @throws WrongInput when it is taken inside the amount and larger than it
 */
export function feeOf(
  planned: { feeFen?: Fen | undefined; feeType?: FeeType | undefined },
  usual: Fee,
  order: { outOrderNo: string; amountFen: Fen },
): Fee {
  const fee = { feeFen: planned.feeFen ?? usual.feeFen, feeType: planned.feeType ?? usual.feeType };
  if (realOf(order.amountFen, fee) >= 0n) return fee;
  throw new WrongInput(`order ${order.outOrderNo}: its fee is larger than what it is taken from`);
}

/** A transfer order, which credits what arrives. */
export function transferLegs(
  world: World,
  order: { amountFen: Fen; payer: Account; payee: Account } & Fee,
): Leg[] {
  const { payer, payee, amountFen } = order;
  const roles = { payer, payee, self: payer };
  return [
    { account: payer, deltaFen: -amountFen, held: true, kind: 'transfer_out' },
    { account: payee, deltaFen: realOf(amountFen, order), held: false, kind: 'transfer_in' },
    ...outsideFee(world, order, { bearer: world.switches.transferFeeBearer, roles, own: ['payer', 'self'] }),
  ];
}

export function withdrawalLegs(world: World, order: { amountFen: Fen; account: Account } & Fee): Leg[] {
  const { account, amountFen } = order;
  const roles = { payer: account, payee: account, self: account };
  const own = ['payer', 'payee', 'self'];
  return [
    { account, deltaFen: -amountFen, held: true, kind: 'withdrawal' },
    ...outsideFee(world, order, { bearer: world.switches.withdrawFeeBearer, roles, own }),
  ];
}

/** An automatic withdrawal: it leaves the payee of its transfer order. */
export function settlementLegs(
  world: World,
  settlement: { amountFen: Fen; payer: Account; payee: Account } & Fee,
): Leg[] {
  const { payer, payee, amountFen } = settlement;
  const roles = { payer, payee, self: payee };
  return [
    { account: payee, deltaFen: -amountFen, held: true, kind: 'settlement' },
    ...outsideFee(world, settlement, {
      bearer: world.switches.settleFeeBearer,
      roles,
      own: ['payee', 'self'],
    }),
  ];
}

/**
 * A refund. A fee that is given back goes to whoever had lost it (U36): one taken inside the amount to the payee,
 * who gives back more than it got, or else to the payer, who gets back less than it gave.
 */
export function refundLegs(
  world: World,
  refund: { amountFen: Fen; payer: Account; payee: Account; returnedFee: (Fee & { of: Fen }) | undefined },
): Leg[] {
  const { payer, payee, amountFen, returnedFee } = refund;
  const legs: Leg[] = [
    { account: payee, deltaFen: -amountFen, held: true, kind: 'refund_out' },
    { account: payer, deltaFen: amountFen, held: false, kind: 'refund_in' },
  ];
  if (!returnedFee) return legs;
  const insideLoser = amountFen < returnedFee.of ? payer : payee;
  const loser =
    returnedFee.feeType === 'ORDER'
      ? insideLoser
      : feeBearer(world, world.switches.transferFeeBearer, { payer, payee, self: payer });
  if (loser) legs.push({ account: loser, deltaFen: returnedFee.feeFen, held: false, kind: 'fee_returned' });
  return legs;
}

/** @param of.own the bearers on whose account the fee is held together with the amount */
function outsideFee(
  world: World,
  fee: Fee,
  of: { bearer: string; roles: Roles; own: readonly string[] },
): Leg[] {
  const account = fee.feeType === 'ACCOUNT' ? feeBearer(world, of.bearer, of.roles) : undefined;
  if (!account) return [];
  return [{ account, deltaFen: -fee.feeFen, held: of.own.includes(of.bearer), kind: 'fee' }];
}

interface Roles {
  payer: Account;
  payee: Account;
  self: Account;
}

/** Undefined where no account here bears it. @throws WrongInput for the number of an account that is not there */
function feeBearer(world: World, bearer: string, roles: Roles): Account | undefined {
  if (bearer === 'external') return undefined;
  if (bearer.startsWith('acct:')) return requireAccount(world, bearer.slice('acct:'.length));
  return roles[bearer as keyof Roles];
}
