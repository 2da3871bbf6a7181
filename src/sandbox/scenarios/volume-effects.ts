/** What the computed orders of a volume do to its accounts, summed once, in arrays: the time, and the sum until then. */
import type { Fen } from '../../core/fen.ts';
import type { ComputedEffects } from '../world/book.ts';
import { countWhile } from '../world/count-while.ts';
import { refundMs } from './volume-orders.ts';
import type { VolumeOrders } from './volume-orders.ts';

/** Who gains and loses what, when; `frozen` is what is held meanwhile. */
export interface VolumeEffect {
  account: number;
  atMs: number;
  balanceFen: Fen;
  frozenFen: Fen;
}

/** Every effect of every order: a fee beside the amount is the payer's, as the profile has it by default. */
export function* volumeEffects(orders: VolumeOrders): Generator<VolumeEffect> {
  for (const { payer, payee, submittedAtMs: atMs, state, ...order } of orders.all()) {
    const debitFen = order.amountFen + (order.feeType === 'ACCOUNT' ? order.feeFen : 0n);
    if (state === 'PROCESSING') yield { account: payer, atMs, balanceFen: 0n, frozenFen: debitFen };
    if (state !== 'SUCCESS') continue;
    yield { account: payer, atMs, balanceFen: -debitFen, frozenFen: 0n };
    if (payee === undefined) continue;
    yield { account: payee, atMs, balanceFen: order.realFen, frozenFen: 0n };
    if (!order.refunded) continue;
    const back = { atMs: refundMs(atMs), frozenFen: 0n };
    yield { account: payee, ...back, balanceFen: -order.amountFen };
    yield { account: payer, ...back, balanceFen: order.amountFen };
  }
}

/** What each account has to hold from the beginning so that nothing ever falls short: all it ever pays or holds. */
export function volumeNeeds(orders: VolumeOrders): Fen[] {
  const needs = Array.from({ length: orders.options.accounts }, () => 0n);
  for (const { account, balanceFen, frozenFen } of volumeEffects(orders)) {
    needs[account] = (needs[account] ?? 0n) + frozenFen - (balanceFen < 0n ? balanceFen : 0n);
  }
  return needs;
}

/** The effects on balance and frozen amount of each account. */
export function volumeSums(orders: VolumeOrders): { balance: ComputedEffects; frozen: ComputedEffects }[] {
  const { accounts } = orders.options;
  const changes = Array.from({ length: accounts }, () => ({ balance: new Changes(), frozen: new Changes() }));
  for (const { account, atMs, balanceFen, frozenFen } of volumeEffects(orders)) {
    if (balanceFen !== 0n) changes[account]?.balance.add(atMs, balanceFen);
    if (frozenFen !== 0n) changes[account]?.frozen.add(atMs, frozenFen);
  }
  return changes.map(({ balance, frozen }) => ({ balance: balance.sums(), frozen: frozen.sums() }));
}

class Changes {
  readonly #atMs: number[] = [];
  readonly #fen: Fen[] = [];

  add(atMs: number, fen: Fen): void {
    this.#atMs.push(atMs);
    this.#fen.push(fen);
  }

  sums(): ComputedEffects {
    const order = this.#atMs.map((_, place) => place);
    order.sort((a, b) => (this.#atMs[a] ?? 0) - (this.#atMs[b] ?? 0));
    const times = Float64Array.from(order, (place) => this.#atMs[place] ?? 0);
    let sum = 0n;
    const sums = BigInt64Array.from(order, (place) => (sum += this.#fen[place] ?? 0n));
    const countUntil = (ms: number): number => countWhile(times.length, (place) => (times[place] ?? 0) <= ms);
    return { sumUntil: (ms) => sums[countUntil(ms) - 1] ?? 0n };
  }
}
