/**
 * Plans what the next calls make (CTL): what becomes of orders, how openings and changes go, what answers with
 * vouchers hold. Each answers the numbers under which its plans can be dropped; a fault in any of them is a
 * WrongInput, and then none is planned.
 */
import { decisionSchema } from '../openings/decision-schema.ts';
import type { DecisionSeed } from '../openings/decision-schema.ts';
import { outcomeSchema } from '../orders/order-schema.ts';
import type { OutcomeSeed } from '../orders/order-schema.ts';
import { showingOf } from '../orders/plan.ts';
import { voucherSchema } from '../vouchers/voucher-schema.ts';
import type { VoucherSeed } from '../vouchers/voucher-schema.ts';
import { checked } from '../world/seed-schema.ts';
import type { World } from '../world/world.ts';

export function planOutcomes(world: World, seeds: readonly OutcomeSeed[]): number[] {
  const outcomes = seeds.map((seed, place) => checked(outcomeSchema, seed, `outcome ${place + 1}`));
  for (const outcome of outcomes) {
    if (outcome.kind !== 'refund') showingOf(world, outcome, 0);
  }
  return outcomes.map((outcome) => world.outcomes.add(outcome));
}

export function planDecisions(world: World, seeds: readonly DecisionSeed[]): number[] {
  const decisions = seeds.map((seed, place) => checked(decisionSchema, seed, `decision ${place + 1}`));
  return decisions.map((decision) => world.decisions.add(decision));
}

export function planVouchers(world: World, seeds: readonly VoucherSeed[]): number[] {
  const vouchers = seeds.map((seed, place) => checked(voucherSchema, seed, `voucher ${place + 1}`));
  return vouchers.map((voucher) => world.vouchers.add(voucher));
}
