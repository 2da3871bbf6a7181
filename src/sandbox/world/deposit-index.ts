/**
 * The deposits of one account, ready to be listed: kept in the order of their time, so that a page of a
 * million is found by binary search. Nearly all deposits are plain: visible from the moment they are booked,
 * for ever and unchanged. The few that are not lie apart and are merged in by their place.
 */
import type { Fen } from '../../core/fen.ts';
import { countWhile } from './count-while.ts';
import type { Seeded } from './random.ts';
import type { WirePatch } from './wire-patch.ts';

export interface Deposit {
  orderNo: string;
  amountFen: Fen;
  feeFen: Fen;
  realFen: Fen;
  feeType: string;
  payerAcctNo: string;
  payerName: string;
  payerBankNo: string;
  payeeBankNo: string;
  remark: string;
  errCode: string;
  depositedAtMs: number;
}

/** Listed from … to (exclusive), and differently from certain instants on (P3, P4, P5). */
export interface SpecialDeposit extends Deposit {
  visibleFromMs: number;
  vanishesAtMs: number;
  /** In the order of their instants. */
  patches: readonly { atMs: number; patch: WirePatch }[];
}

export function isSpecial(deposit: Deposit): deposit is SpecialDeposit {
  return 'patches' in deposit;
}

/** The patches of a deposit that are in force by now. */
export function patchesAt(deposit: SpecialDeposit, nowMs: number): WirePatch[] {
  return deposit.patches.filter((change) => change.atMs <= nowMs).map((change) => change.patch);
}

/** Plain deposits in the order of their time, kept or computed. */
export interface DepositRun {
  readonly length: number;
  timeMs(place: number): number;
  at(place: number): Deposit;
  find(orderNo: string): Deposit | undefined;
}

export interface ListingQuery {
  fromMs: number;
  /** Exclusive. */
  toMs: number;
  nowMs: number;
  order: 'newest' | 'oldest' | 'unstable';
  /** How many to leave out before the page begins, and how many fit on it. */
  skip: number;
  take: number;
}

export class DepositIndex {
  readonly #kept = new KeptRun();
  #plain: DepositRun = this.#kept;
  readonly #special: SpecialDeposit[] = [];
  #specialSorted = true;

  /** Plain deposits that are computed; those added from then on lie among the special ones. */
  compute(run: DepositRun): void {
    if (this.#kept.length > 0) throw new Error('Bug: deposits are computed only for an account without any');
    this.#plain = run;
  }

  add(deposit: Deposit | SpecialDeposit): void {
    if (!isSpecial(deposit) && this.#plain === this.#kept) this.#kept.add(deposit);
    else {
      this.#special.push(isSpecial(deposit) ? deposit : alwaysVisible(deposit));
      this.#specialSorted = false;
    }
  }

  /** Whether it is listed now or not; special if it is not plain. */
  find(orderNo: string): Deposit | SpecialDeposit | undefined {
    return this.#special.find((deposit) => deposit.orderNo === orderNo) ?? this.#plain.find(orderNo);
  }

  /** How many deposits the window has now, and the page asked for. */
  list(query: ListingQuery, random: Seeded): { total: number; deposits: Deposit[] } {
    const first = placeOf(this.#plain, query.fromMs);
    const end = placeOf(this.#plain, Math.min(query.toMs, query.nowMs + 1));
    const special = this.#specialInOrder().filter((deposit) => isListed(deposit, query));
    const merged = new Merged(this.#plain, { first, count: Math.max(0, end - first) }, special);
    return { total: merged.count, deposits: pageOf(merged, query, random) };
  }

  #specialInOrder(): readonly SpecialDeposit[] {
    if (!this.#specialSorted) this.#special.sort((a, b) => a.depositedAtMs - b.depositedAtMs);
    this.#specialSorted = true;
    return this.#special;
  }
}

function pageOf(merged: Merged, query: ListingQuery, random: Seeded): Deposit[] {
  const begin = Math.min(query.skip, merged.count);
  const end = Math.min(begin + query.take, merged.count);
  if (query.order === 'oldest') return merged.slice(begin, end);
  if (query.order === 'newest') {
    return merged.slice(merged.count - end, merged.count - begin).toReversed();
  }
  const ranks = random.shuffled(Array.from({ length: merged.count }, (_, rank) => rank));
  return ranks.slice(begin, end).flatMap((rank) => merged.slice(rank, rank + 1));
}

function isListed(deposit: SpecialDeposit, query: ListingQuery): boolean {
  const inWindow = deposit.depositedAtMs >= query.fromMs && deposit.depositedAtMs < query.toMs;
  return inWindow && deposit.visibleFromMs <= query.nowMs && query.nowMs < deposit.vanishesAtMs;
}

function alwaysVisible(deposit: Deposit): SpecialDeposit {
  return { ...deposit, visibleFromMs: deposit.depositedAtMs, vanishesAtMs: Infinity, patches: [] };
}

/** The first place at or after an instant. */
function placeOf(run: DepositRun, ms: number): number {
  return countWhile(run.length, (place) => run.timeMs(place) < ms);
}

class KeptRun implements DepositRun {
  #deposits: Deposit[] = [];
  #sorted = true;
  /** Made when a deposit is first looked for by its number. */
  #byNo: Map<string, Deposit> | undefined;

  get length(): number {
    return this.#deposits.length;
  }

  add(deposit: Deposit): void {
    const last = this.#deposits.at(-1);
    if (last && last.depositedAtMs > deposit.depositedAtMs) this.#sorted = false;
    this.#deposits.push(deposit);
    this.#byNo?.set(deposit.orderNo, deposit);
  }

  find(orderNo: string): Deposit | undefined {
    this.#byNo ??= new Map(this.#deposits.map((deposit) => [deposit.orderNo, deposit]));
    return this.#byNo.get(orderNo);
  }

  timeMs(place: number): number {
    return this.at(place).depositedAtMs;
  }

  at(place: number): Deposit {
    if (!this.#sorted) {
      this.#deposits.sort((a, b) => a.depositedAtMs - b.depositedAtMs);
      this.#sorted = true;
    }
    const deposit = this.#deposits[place];
    if (!deposit) throw new Error(`Bug: no deposit at place ${place}`);
    return deposit;
  }
}

/** A stretch of plain deposits with the few special ones at their places, oldest first. */
class Merged {
  readonly count: number;
  readonly #run: DepositRun;
  readonly #first: number;
  readonly #special: readonly { deposit: SpecialDeposit; rank: number }[];

  constructor(run: DepositRun, plain: { first: number; count: number }, special: readonly SpecialDeposit[]) {
    this.#run = run;
    this.#first = plain.first;
    this.count = plain.count + special.length;
    this.#special = special.map((deposit, before) => {
      const place = placeOf(run, deposit.depositedAtMs);
      return { deposit, rank: clamped(place - plain.first, plain.count) + before };
    });
  }

  slice(begin: number, end: number): Deposit[] {
    const deposits: Deposit[] = [];
    let next = this.#special.findIndex((special) => special.rank >= begin);
    if (next < 0) next = this.#special.length;
    for (let rank = begin; rank < end; rank++) {
      const special = this.#special[next];
      if (special?.rank === rank) {
        deposits.push(special.deposit);
        next++;
      } else deposits.push(this.#run.at(this.#first + rank - next));
    }
    return deposits;
  }
}

function clamped(value: number, max: number): number {
  return Math.min(Math.max(value, 0), max);
}
