/** The units of asking for orders: some hundred batches and withdrawals each. */
import pLimit from 'p-limit';
import { maskPersonal } from '../../../src/core/mask.ts';
import type { Clock } from '../../../src/core/ports.ts';
import { recheckRules } from '../../../src/orders/order-due-next.ts';
import type { OrderAnswer } from '../../../src/orders/orders.ts';
import type { DueUnit } from '../../../src/store/orders/order-due.ts';
import { listUnasked, saveUnasked } from '../../../src/store/orders/order-unasked.ts';
import type { Context } from '../../context/context.ts';
import type { Progress } from '../../context/progress.ts';
import type { Claim, Items, UnitKind, UnitRun } from '../../units/unit.ts';
import { allDone, askClaimed, CHUNK_UNITS } from './ask-claimed.ts';
import { askOrder } from './ask-order.ts';
import { OrderWriter } from './order-writer.ts';
import type { OrdersWritten } from './order-writer.ts';

export interface AskingRun extends UnitRun {
  /** A snapshot asks what is open and leaves the night's list of what was asked alone. */
  purpose?: 'night' | 'snapshot';
}

export const ORDER_UNITS: UnitKind<DueUnit, OrdersWritten> = {
  name: 'orders',
  itemsMax: CHUNK_UNITS,
  work: (context, run, units, claim) =>
    askListed(context, run, { units, claim, progress: context.progress('orders') }),
  giveUp: async (trx, { runId }, units, why) => {
    const failed = await saveUnasked(trx, { runId, reason: maskPersonal(why) }, units);
    return { ...NOTHING_WRITTEN, failed };
  },
};

export const NOTHING_WRITTEN: Readonly<OrdersWritten> = {
  transferOrders: 0,
  withdrawals: 0,
  changed: 0,
  failed: 0,
};

export function sumOfWritten(units: readonly OrdersWritten[]): OrdersWritten {
  const sum = { ...NOTHING_WRITTEN };
  for (const name of Object.keys(sum) as (keyof OrdersWritten)[]) {
    for (const written of units) sum[name] += written[name];
  }
  return sum;
}

export interface ListedUnits {
  units: Items<DueUnit>;
  claim: Claim;
  progress: Progress;
}

/** While one chunk's last answers are waited for and written, the next one is asked for. */
const CHUNKS_AT_A_TIME = 2;

/**
 * Asks page after page, so many at once as the platform allows, and writes as the answers come. What another one had and
 * did not end is looked at order by order, so that one that cannot be stored holds up no other.
 */
export async function askListed(
  context: Context,
  run: AskingRun,
  { units, claim, progress }: ListedUnits,
): Promise<OrdersWritten> {
  const { concurrency } = context.profile.http.rate;
  const inTurn = pLimit(concurrency);
  const [chunkUnits, chunks] = claim.isRepeated
    ? [1, pLimit(concurrency)]
    : [CHUNK_UNITS, pLimit(CHUNKS_AT_A_TIME)];
  const ask = askWhileAnswered(context, run, claim);
  const written = { ...NOTHING_WRITTEN };
  const asking = {
    by: claimantOf(run, claim),
    runId: run.runId,
    inTurn,
    writer: () => writerOf(context, run, claim),
    ask: async (unit: DueUnit): Promise<OrderAnswer> => {
      const answer = await ask(unit);
      progress.step();
      return answer;
    },
  };
  progress.total(units.total);
  for await (const page of units.pages()) {
    const left = claim.isRepeated ? await listUnasked(context.db, run.runId, page) : page;
    const asked = chunksOf(left, chunkUnits).map((chunk) => chunks(() => askClaimed(context, chunk, asking)));
    Object.assign(written, sumOfWritten([written, ...(await allDone(asked))]));
    progress.show({ records: written.transferOrders + written.withdrawals });
  }
  progress.done();
  return written;
}

export function claimantOf({ runId }: UnitRun, { unitId }: Claim): string {
  return unitId ?? runId;
}

export function chunksOf<T>(items: readonly T[], size: number): T[][] {
  const chunks: T[][] = [];
  for (let at = 0; at < items.length; at += size) chunks.push(items.slice(at, at + size));
  return chunks;
}

/** So many questions in a row without any answer: the platform is away, and asking on would take days (N1). */
const UNANSWERED_MAX = 50;
const NOT_ASKED = `not asked: the platform had not answered ${UNANSWERED_MAX} times in a row`;

interface Silence {
  runId: string;
  unansweredInRow: number;
}

/** What the units of a run that a process does have in common, by the process's clock. */
const silences = new WeakMap<Clock, Silence>();

/** A process that found the platform away finds that at the first question of the next unit it does. */
function silenceOf({ clock }: Context, { runId }: UnitRun, { unitId }: Claim): Silence {
  const known = unitId === undefined ? undefined : silences.get(clock);
  if (known?.runId === runId) {
    known.unansweredInRow = Math.min(known.unansweredInRow, UNANSWERED_MAX - 1);
    return known;
  }
  const silence = { runId, unansweredInRow: 0 };
  silences.set(clock, silence);
  return silence;
}

function askWhileAnswered(
  context: Context,
  run: UnitRun,
  claim: Claim,
): (unit: DueUnit) => Promise<OrderAnswer> {
  const silence = silenceOf(context, run, claim);
  return async (unit) => {
    context.signal.throwIfAborted();
    if (silence.unansweredInRow >= UNANSWERED_MAX) {
      return { kind: 'failed', unit, reason: NOT_ASKED, isUnanswered: true };
    }
    const answer = await askOrder(context, unit);
    const isUnanswered = answer.kind === 'failed' && answer.isUnanswered === true;
    silence.unansweredInRow = isUnanswered ? silence.unansweredInRow + 1 : 0;
    return answer;
  };
}

export function writerOf({ db, log, profile, zone }: Context, run: AskingRun, claim: Claim): OrderWriter {
  const save = {
    runId: run.runId,
    day: run.toDay,
    today: run.today,
    zone,
    rules: recheckRules(profile),
    keepsList: run.purpose !== 'snapshot',
  };
  return new OrderWriter(db, log, save, claim);
}
