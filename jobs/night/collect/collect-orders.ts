/**
 * Transfer batches and withdrawals: put on the list, asked until they are final and afterwards at their turns,
 * resumable at any point (docs/reconciliation.md 3.5). Inside a bracket what an account has open is asked again.
 */
import pLimit from 'p-limit';
import { addDays } from '../../../src/core/time.ts';
import type { Instant } from '../../../src/core/time.ts';
import { recheckRules } from '../../../src/orders/order-due-next.ts';
import {
  countAsked,
  countDue,
  listDue,
  listOpenOf,
  listRecentOf,
} from '../../../src/store/orders/order-due.ts';
import type { DueFilter, DueUnit, UnitKey } from '../../../src/store/orders/order-due.ts';
import { countUnaskable, scheduleOrderQueries } from '../../../src/store/orders/schedule-order-queries.ts';
import type { OrderAnswer } from '../../../src/orders/orders.ts';
import { askOrder } from './ask-order.ts';
import type { Context } from '../../context/context.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { OrderWriter } from './order-writer.ts';
import type { OrdersWritten } from './order-writer.ts';
import { NO_PROGRESS } from '../../context/progress.ts';
import type { Progress } from '../../context/progress.ts';
import type { UnitRun } from '../../units/unit.ts';

export interface OrderRun extends UnitRun {
  /** A snapshot asks what is open and leaves the night's list of what was asked alone. */
  purpose?: 'night' | 'snapshot';
  /** Only what concerns these accounts or nobody known; empty or absent: everything. */
  accounts?: readonly string[];
}

export interface CollectedOrders {
  /** Counted over the whole run, also where it was resumed. */
  batches: number;
  transferOrders: number;
  withdrawals: number;
  /** Batches and withdrawals that could not be read. */
  failed: number;
  /** Asked for because only the ledger names them, and named there without a number that can be asked for. */
  ledgerOnly: number;
  unaskable: number;
  /** Orders that are new or of which something changed. */
  changed: number;
}

/** Units that are listed at once; a page of the list, not the list, is in memory. */
const PAGE_UNITS = 2_000;

/**
 * Enrols what is new and asks for all that is due; what cannot be read is marked failed and asked again when the
 * run is resumed.
 */
export async function collectOrders(context: Context, run: OrderRun): Promise<CollectedOrders> {
  const { db, clock, log } = context;
  const enrolled = await scheduleOrderQueries(db, clock.wall());
  if (enrolled.ledgerOnly > 0) log.warn({ event: 'order.unregistered', count: enrolled.ledgerOnly });
  const unaskable = await tellUnaskable(context, run);
  const filter: DueFilter = {
    runId: run.runId,
    today: run.today,
    which: isSnapshot(run) ? 'open' : 'due',
    accounts: run.accounts ?? [],
  };
  const progress = context.progress('orders');
  progress.total(await countDue(db, filter));
  const saved = await askPages(context, run, {
    progress,
    page: (after) => listDue(db, filter, { after, limit: PAGE_UNITS }),
  });
  progress.done();
  const cut = context.zone.dayStart(addDays(run.toDay, 1));
  const asked = await countAsked(db, { runId: run.runId, cut, accounts: filter.accounts });
  const { failed, changed } = saved;
  log.info({ event: 'orders.collected', ...asked, failed, changed, unaskable });
  return { ...asked, failed, unaskable, changed };
}

function isSnapshot({ purpose }: OrderRun): boolean {
  return purpose === 'snapshot';
}

/** A transfer that only the ledger names, without its batch's number: nothing can be asked for it. */
async function tellUnaskable({ db, log }: Context, { accounts }: OrderRun): Promise<number> {
  const counts = await countUnaskable(db, accounts);
  for (const [accountNo, count] of counts) log.warn({ event: 'order.unaskable', accountNo, count });
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

interface Asking {
  progress: Progress;
  page: (after: UnitKey | undefined) => Promise<readonly DueUnit[]>;
}

/** So many questions in a row without any answer: the platform is away, and asking on would take days (N1). */
const UNANSWERED_MAX = 50;
const NOT_ASKED = `not asked: the platform had not answered ${UNANSWERED_MAX} times in a row`;

/** Asks page after page, so many at once as the platform allows, and writes as the answers come. */
async function askPages(context: Context, run: OrderRun, { progress, page }: Asking): Promise<OrdersWritten> {
  const inTurn = pLimit(context.profile.http.rate.concurrency);
  const writer = writerOf(context, run);
  let unansweredInRow = 0;
  const ask = async (unit: DueUnit): Promise<void> => {
    context.signal.throwIfAborted();
    const isAway = unansweredInRow >= UNANSWERED_MAX;
    const answer: OrderAnswer = isAway
      ? { kind: 'failed', unit, reason: NOT_ASKED, isUnanswered: true }
      : await askOrder(context, unit);
    unansweredInRow = answer.kind === 'failed' && answer.isUnanswered === true ? unansweredInRow + 1 : 0;
    await writer.add(answer);
    const { transferOrders, withdrawals } = writer.written;
    progress.step({ records: transferOrders + withdrawals });
  };
  let after: UnitKey | undefined;
  try {
    for (;;) {
      const units = await page(after);
      await allDone(units.map((unit) => inTurn(() => ask(unit))));
      after = units.at(-1);
      if (units.length < PAGE_UNITS) break;
    }
  } finally {
    // What was answered before something failed is kept.
    await writer.close();
  }
  return writer.written;
}

/** Waits for all of it, also when some of it fails. @throws what failed first */
async function allDone<T>(work: readonly Promise<T>[]): Promise<T[]> {
  const outcomes = await Promise.allSettled(work);
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason as Error;
    return outcome.value;
  });
}

function writerOf({ db, log, profile, zone }: Context, run: OrderRun): OrderWriter {
  return new OrderWriter(db, log, {
    runId: run.runId,
    day: run.toDay,
    today: run.today,
    zone,
    rules: recheckRules(profile),
    keepsList: !isSnapshot(run),
  });
}

/** Units asked and written together within a bracket. */
const CHUNK_UNITS = 250;

/**
 * Asks again for everything that may still move the account's money; for brackets. The looks count as taken not
 * before the balance they belong to was read.
 * @returns how many of them could not be read: then the balance cannot be placed among the orders
 */
export async function askOpenOrders(
  context: Context,
  run: OrderRun,
  accountNo: string,
  notBefore: Instant,
): Promise<{ failed: number }> {
  const units = await listOpenOf(context.db, accountNo);
  const inTurn = pLimit(context.profile.http.rate.concurrency);
  let failed = 0;
  for (let at = 0; at < units.length; at += CHUNK_UNITS) {
    context.signal.throwIfAborted();
    const chunk = units.slice(at, at + CHUNK_UNITS);
    failed += await oneAtATime(context.clock, chunk.map(keyOf), async () => {
      const writer = writerOf(context, run);
      const answers = await allDone(chunk.map((unit) => inTurn(() => askOrder(context, unit, notBefore))));
      for (const answer of answers) await writer.add(answer);
      return (await writer.close()).failed;
    });
  }
  return { failed };
}

/** Names what is being worked on, for `oneAtATime`. */
export function keyOf({ kind, numberKind, number }: UnitKey): string {
  return `${kind} ${numberKind} ${number}`;
}

/**
 * Asks again for every batch of the last `recheck.batchDays` in which one of the accounts pays or is paid, whatever
 * its turn: a refund can be made at any time (REF-10).
 * @returns how many orders were new or had changed
 */
export async function recheckOrders(
  context: Context,
  run: OrderRun,
  accountNos: readonly string[],
): Promise<number> {
  if (accountNos.length === 0) return 0;
  const of = { accounts: accountNos, today: run.today, days: context.profile.recheck.batchDays };
  const { changed } = await askPages(context, run, {
    progress: NO_PROGRESS,
    page: (after) => listRecentOf(context.db, of, { after, limit: PAGE_UNITS }),
  });
  return changed;
}
