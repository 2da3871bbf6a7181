/**
 * Automatic withdrawals of transfer orders: the first try of each, which follows the transfer by itself, and the
 * retries of those that failed (STL-01…15). Every payout to a bank is the end of one of these tries.
 */
import type { Fen } from '../../core/fen.ts';
import type { Bookings } from '../world/bookings.ts';
import type { Effect } from '../world/book.ts';
import type { Account } from '../world/account.ts';
import type { World } from '../world/world.ts';
import { courseOf, goneAtMs, isFailure, lifeOf, orderMeaning, phasesOf, turnAt } from './life.ts';
import type { Course, Life } from './life.ts';
import { addEffects, feeOf, settlementLegs } from './money.ts';
import type { Parties } from './money.ts';
import type { RetryOutcome, SettleOutcome } from './order-schema.ts';
import type { Settlement, TransferOrder } from './order.ts';

const SAYINGS = { underWay: 'PROCESSING', failed: '结算失败', returned: '银行退票' };

/**
 * The first try, which begins when the transfer has arrived; none when that never happens.
 * @throws WrongInput when a fee of it or of its retries is taken inside the amount and larger than it
 */
export function planSettlement(
  world: World,
  order: { outOrderNo: string; amountFen: Fen; realFen: Fen; life: Life },
  of: { outcome: SettleOutcome; payee: Account | undefined },
): Settlement[] {
  const startMs = goneAtMs(order.life, orderMeaning);
  if (startMs === undefined) return [];
  const { outcome, payee } = of;
  const { settleFee, settleDelayMs } = world.switches;
  const { outOrderNo } = order;
  const amountFen = world.profile.settle.amountRule === 'amount' ? order.amountFen : order.realFen;
  const fee = feeOf(outcome, settleFee, { outOrderNo, amountFen });
  for (const retry of outcome.retries ?? []) feeOf(retry, fee, { outOrderNo, amountFen });
  return [
    {
      amountFen,
      ...fee,
      reqId: '',
      remark: '',
      bankAccountNo: payee?.bindCard.bankAccountNo ?? '',
      life: lifeOf(toldCourse(outcome, { delayMs: settleDelayMs }), startMs, SAYINGS),
    },
  ];
}

/**
 * The next try as the order's script has it, or else the switches; what the script leaves open of the fee is as
 * it was at the first.
 * @throws WrongInput when its fee is taken inside the amount and larger than it
 */
export function planRetry(
  world: World,
  of: { order: TransferOrder; first: Settlement },
  asked: Pick<Settlement, 'reqId' | 'remark' | 'bankAccountNo'>,
): Settlement {
  const { order, first } = of;
  const { settleRetryState, settleRetryDelayMs, settleQueueMs } = world.switches;
  const outcome = order.retries[order.settlements.length - 1] ?? {};
  const { outOrderNo } = order;
  const { amountFen } = first;
  const usual = { state: settleRetryState, delayMs: settleRetryDelayMs };
  return {
    ...asked,
    amountFen,
    ...feeOf(outcome, first, { outOrderNo, amountFen }),
    life: lifeOf(toldCourse(outcome, usual), world.clock.nowMs() + settleQueueMs, SAYINGS),
  };
}

function toldCourse(outcome: RetryOutcome, usual: { state?: string; delayMs: number }): Course {
  const { remark, returnRemark, ...course } = outcome;
  return courseOf({ ...course, note: remark, returnNote: returnRemark }, usual);
}

/** A settlement that finds too little on its account: it fails at once, and nothing has moved. */
export function failedSettlement(settlement: Settlement): Settlement {
  const atMs = settlement.life[0]?.atMs ?? 0;
  return { ...settlement, life: [{ atMs, state: 'FAIL', note: '可用余额不足' }] };
}

export function bookSettlement(
  world: World,
  bookings: Bookings,
  of: { order: TransferOrder; settlement: Settlement } & Parties,
): void {
  const { order, settlement, payer, payee } = of;
  const { amountFen, feeFen, feeType, life } = settlement;
  addEffects(bookings, {
    legs: settlementLegs(world, { amountFen, feeFen, feeType, payer, payee }),
    phases: phasesOf(life, orderMeaning),
    reference: order.outOrderNo,
    model: world.switches.inflightModel,
    life,
  });
}

/** What a retry finds: nothing to retry, a try that is claimed by another request, one that may be retried. */
export type Claim = 'failed' | 'claimed' | 'other';

/** @returns `claimed` while an accepted retry is under way or still waits to be */
export function claimOf(settlement: Settlement, nowMs: number): Claim {
  const turn = turnAt(settlement.life, nowMs);
  if (turn && isFailure(turn.state)) return 'failed';
  const isEnded = turn !== undefined && orderMeaning(turn.state) === 'gone';
  return isEnded || settlement.reqId === '' ? 'other' : 'claimed';
}

/**
 * Takes a failed try out of the hands of its script: what that had yet to come (a retry by the platform itself)
 * does not happen any more.
 * @returns puts it back, for a claim that comes to nothing
 */
export function callOff(world: World, settlement: Settlement): () => void {
  const nowMs = world.clock.nowMs();
  const { life } = settlement;
  const past = life.filter(({ atMs }) => atMs <= nowMs);
  if (past.length === life.length) return () => undefined;
  const isToCome = (effect: Effect): boolean => effect.life === life && effect.atMs > nowMs;
  const books = [...world.accounts.values()].flatMap(({ balance, frozen }) => [balance, frozen]);
  const calledOff = books.map((book) => ({ book, effects: new Set(book.effects().filter(isToCome)) }));
  for (const { book, effects } of calledOff) book.remove(effects);
  settlement.life = past;
  return () => {
    for (const { book, effects } of calledOff) for (const effect of effects) book.add(effect);
    settlement.life = life;
  };
}

/**
 * The number of the automatic withdrawal itself, which some platforms may want (U37). No endpoint shows it; the
 * control surface does.
 */
export function settleNoOf(order: Pick<TransferOrder, 'orderNo'>): string {
  return `S${order.orderNo}`;
}

/** A settlement that really was paid to a bank account, or will be. */
export interface Payout {
  outOrderNo: string;
  atMs: number;
  /** What leaves the account for it, a fee inside it included. */
  amountFen: Fen;
  /** When the bank gives it back; undefined when it never does. */
  returnedAtMs: number | undefined;
  /** Of the request it answers; empty for the automatic one. */
  reqId: string;
}

/** Every payout of every kept order, past and to come, in the order of their instants. */
export function listPayouts(world: World): Payout[] {
  const payouts: Payout[] = [];
  for (const { orders } of world.orders.batches()) {
    for (const { outOrderNo, settlements } of orders) {
      for (const settlement of settlements) payouts.push(...payoutsOf(outOrderNo, settlement));
    }
  }
  return payouts.sort((a, b) => a.atMs - b.atMs);
}

function payoutsOf(outOrderNo: string, { amountFen, reqId, life }: Settlement): Payout[] {
  const phases = phasesOf(life, orderMeaning);
  return phases.flatMap(({ atMs, phase }, place) =>
    phase === 'gone' ? [{ outOrderNo, atMs, amountFen, returnedAtMs: phases[place + 1]?.atMs, reqId }] : [],
  );
}
