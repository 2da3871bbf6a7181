/**
 * What queries show besides what is so: in some seeds records that are odd in something, and in some a retry only once there
 * is a result of it, as the document allows (STL-14).
 */
import type { FaultSeed } from '../../../src/sandbox/faults/fault-schema.ts';
import { SECOND_MS } from '../../../src/core/time.ts';
import { failsMs } from './acceptance.ts';
import type { Acceptance } from './acceptance.ts';
import type { Bank } from './bank.ts';
import type { SeedPlan } from './draw-plan.ts';
import type { NetworkRates } from './network.ts';
import { Stream } from './random.ts';

export interface ViewsPlan {
  /** Chance that an answer has a record that is odd. */
  oddRate: number;
  /** Queries show what is under way as what it was before. */
  hidesOpen: boolean;
  /** Of settlements of an order that were taken together queries show the last, or the first, or either. */
  shows: 'last' | 'first' | 'either';
}

export const PLAIN_VIEWS: ViewsPlan = { oddRate: 0, hidesOpen: false, shows: 'last' };

/** Of a stream of its own, so that seeds without them stay as they were. */
export function withViews(plan: SeedPlan): SeedPlan {
  const { seed, lag, rules, network, thirdParty, pauseRate, restores } = plan;
  const chance = new Stream(seed, 'hidden');
  const oddRate = chance.chance(0.15) ? 0.02 + 0.3 * chance.fraction() : 0;
  const isDrawn = chance.chance(0.05);
  if (lag.ms > rules.viewLagSeconds * SECOND_MS) return plan;
  // Of what is not shown nobody knows who asked for nothing, has forgotten it, or heard no answer.
  const hidesOpen = isDrawn && thirdParty.length + restores.length + pauseRate === 0;
  const heard = hidesOpen && { network: answered(network) };
  return { ...plan, ...heard, views: { ...PLAIN_VIEWS, oddRate, hidesOpen } };
}

/** A network in which whoever was taken is answered: also of a request that is delivered twice neither is lost. */
export function answered(network: NetworkRates): NetworkRates {
  return { ...network, drop: 0, lose: 0, slowRequest: 0, slowAnswer: 0 };
}

type Members = Readonly<Record<string, string>>;

const ODD: readonly [Members, ...Members[]] = [
  { amount: 'odd' },
  { fee: 'odd' },
  { state: 'INIT' },
  { state: 'WAIT_CONFIRM' },
  { settleState: '' },
  { settleState: 'CHECKING' },
];

export class QueryViews {
  readonly #plan: SeedPlan;
  readonly #chance: Stream;
  readonly #which: Stream;

  constructor(plan: SeedPlan) {
    this.#plan = plan;
    this.#which = new Stream(plan.seed, 'which is shown');
    this.#chance = new Stream(plan.seed, 'odd records');
  }

  /** The answer to that query, which shows what was so that long ago. */
  change(bank: Queried, { body, nowMs, lagMs }: { body: string; nowMs: number; lagMs: number }): void {
    const { views, orders, chaosMs } = this.#plan;
    bank.sandbox.liftFaults();
    const listed = orders.filter(({ outBatchNo }) => body.includes(`\\"${outBatchNo}\\"`));
    for (const [row, { outOrderNo }] of listed.entries()) {
      if (views.hidesOpen && isUnderWay(bank, outOrderNo, nowMs - lagMs)) {
        bank.sandbox.addFault(faultOf(row, { settleState: 'FAIL' }));
      }
      const another = this.#shownOf(bank, outOrderNo, nowMs - lagMs);
      if (another !== undefined) bank.sandbox.addFault(faultOf(row, { settleState: another }));
    }
    if (nowMs >= chaosMs || !this.#chance.chance(views.oddRate)) return;
    bank.sandbox.addFault(faultOf(this.#chance.whole(0, orders.length - 1), this.#chance.one(ODD)));
  }

  /** Undefined: as the platform plays it, the last. */
  #shownOf({ accepted }: Queried, outOrderNo: string, atMs: number): string | undefined {
    const { shows, hidesOpen } = this.#plan.views;
    if (shows === 'last') return undefined;
    const own = accepted.filter((known) => known.outOrderNo === outOrderNo && known.showsMs <= atMs);
    const last = own.at(-1);
    const together = own.filter((known) => last !== undefined && last.atMs < failsMs(known));
    const [first, ...others] = together;
    if (first === undefined || others.length === 0) return undefined;
    return stateOf(shows === 'first' ? first : this.#which.one([first, ...others]), { atMs, hidesOpen });
  }
}

function stateOf(
  known: Acceptance,
  { atMs, hidesOpen }: { atMs: number; hidesOpen: boolean },
): 'FAIL' | 'PROCESSING' | 'SUCCESS' {
  if (atMs < known.endsMs) return hidesOpen ? 'FAIL' : 'PROCESSING';
  return atMs < failsMs(known) ? 'SUCCESS' : 'FAIL';
}

type Queried = Pick<Bank, 'sandbox' | 'accepted'>;

function isUnderWay({ accepted }: Queried, outOrderNo: string, atMs: number): boolean {
  return accepted.some(
    (known) => known.outOrderNo === outOrderNo && known.showsMs <= atMs && atMs < known.endsMs,
  );
}

function faultOf(row: number, set: Members): FaultSeed {
  return { kind: 'record', path: 'division/query', times: 1, row, set };
}
