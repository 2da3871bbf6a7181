/** What a seed has of refunds: who calls for them and when, what the platform makes of them, and what its queries say. */
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/core/time.ts';
import type { OrderPlan } from './draw-plan.ts';
import { Stream } from './random.ts';

/** What a refund comes to that the platform took. */
export interface RefundOutcome {
  state: 'REFUND' | 'FAIL';
  /** So long it waits for its confirmation. */
  delayMs: number;
  /** The payer gives the money back that long after. */
  returnAfterMs: number | undefined;
}

export interface RefundPlan {
  atMs: number;
  /** Of one batch. */
  outOrderNos: readonly [string, ...string[]];
  outBatchNo: string;
  /** By hand through recon, or through the platform's own pages. */
  by: 'recon' | 'pages';
  /** With an SMS code that is not the right one. */
  isCodeWrong: boolean;
}

export interface RefundsPlan {
  calls: readonly RefundPlan[];
  /** Of the refunds of an order, one after the other; those beyond are done at once. */
  outcomes: Readonly<Record<string, readonly RefundOutcome[]>>;
  /** Where queries tell of a refund before it is done (U36). */
  told: 'both' | 'batch' | 'orders' | 'nowhere';
  /** So long an SMS code holds (U55). */
  codeSeconds: number;
  /** Chance that a person says of a refund that the platform did not take that it took none. */
  denyRate: number;
}

export const NO_REFUNDS: RefundsPlan = {
  calls: [],
  outcomes: {},
  told: 'both',
  codeSeconds: 60,
  denyRate: 0,
};

/** Of streams of their own, so that a seed without them stays as it was. */
export function drawRefunds(
  seed: number,
  of: { orders: readonly OrderPlan[]; chaosMs: number; asked: 'drawn' | 'always' | 'off' },
): RefundsPlan {
  const chance = new Stream(seed, 'refunds');
  const isDrawn = chance.chance(0.3);
  if (of.asked === 'off' || (of.asked === 'drawn' && !isDrawn)) return NO_REFUNDS;
  return {
    calls: Array.from({ length: chance.whole(1, 3) }, () => drawCall(chance, of)),
    outcomes: Object.fromEntries(
      of.orders.map(({ outOrderNo }) => [outOrderNo, [drawOutcome(chance), drawOutcome(chance)]]),
    ),
    told: chance.one(['both', 'batch', 'orders', 'nowhere', 'nowhere']),
    codeSeconds: chance.one([60, 60, 3_600]),
    denyRate: chance.one([0, 0.5, 1]),
  };
}

function drawCall(
  chance: Stream,
  { orders, chaosMs }: { orders: readonly OrderPlan[]; chaosMs: number },
): RefundPlan {
  const order = orders[chance.whole(0, orders.length - 1)];
  if (order === undefined) throw new Error('Bug: a seed without an order');
  const { outOrderNo, outBatchNo } = order;
  const others = orders.filter((other) => other.outBatchNo === outBatchNo && other !== order);
  const isOfAll = chance.chance(0.2);
  return {
    atMs: chance.whole(0, chaosMs),
    outOrderNos: [outOrderNo, ...(isOfAll ? others.map((other) => other.outOrderNo) : [])],
    outBatchNo,
    by: chance.chance(0.7) ? 'recon' : 'pages',
    isCodeWrong: chance.chance(0.1),
  };
}

function drawOutcome(chance: Stream): RefundOutcome {
  const state = chance.chance(0.75) ? 'REFUND' : 'FAIL';
  const delayMs = chance.one([
    0,
    chance.whole(1, 60) * SECOND_MS,
    chance.whole(1, 90) * MINUTE_MS,
    chance.whole(1, 6) * HOUR_MS,
  ]);
  const isGivenBack = state === 'REFUND' && chance.chance(0.25);
  return { state, delayMs, returnAfterMs: isGivenBack ? chance.whole(1, 120) * MINUTE_MS : undefined };
}
