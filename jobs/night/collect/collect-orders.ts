/**
 * Transfer batches and withdrawals: put on the list, asked until they are final and afterwards at their turns,
 * resumable at any point (docs/reconciliation.md 3.5). Inside a bracket what an account has open is asked again.
 */
import { addDays } from '../../../src/core/time.ts';
import { countAsked, countDue, listDue, listRecentOf } from '../../../src/store/orders/order-due.ts';
import type { DueFilter, DueUnit, UnitKey } from '../../../src/store/orders/order-due.ts';
import { countUnaskable, scheduleOrderQueries } from '../../../src/store/orders/schedule-order-queries.ts';
import type { Context } from '../../context/context.ts';
import { NO_PROGRESS } from '../../context/progress.ts';
import { OWN_WORK } from '../../units/unit.ts';
import type { Items } from '../../units/unit.ts';
import { runUnits } from '../../units/units.ts';
import { askListed, ORDER_UNITS, sumOfWritten } from './order-units.ts';
import type { AskingRun } from './order-units.ts';
import type { OrdersWritten } from './order-writer.ts';

export interface OrderRun extends AskingRun {
  /** Of the night's lease; absent: it is no night. */
  fence?: bigint;
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
  const { db, log } = context;
  await enrolNew(context);
  const unaskable = await tellUnaskable(context, run);
  const filter = dueOf(run);
  const units = {
    total: await countDue(db, filter),
    pages: pagesOf((after) => listDue(db, filter, { after, limit: PAGE_UNITS })),
  };
  const saved = await askAll(context, run, units);
  const cut = context.zone.dayStart(addDays(run.toDay, 1));
  const asked = await countAsked(db, { runId: run.runId, cut, accounts: filter.accounts });
  const { failed, changed } = saved;
  log.info({ event: 'orders.collected', ...asked, failed, changed, unaskable });
  return { ...asked, failed, unaskable, changed };
}

/** @returns how much the run has to ask for as things stand; what is enrolled until it asks comes to that */
export async function planOrders(context: Context, run: OrderRun): Promise<number> {
  await enrolNew(context);
  return countDue(context.db, dueOf(run));
}

async function enrolNew({ db, clock, log }: Context): Promise<void> {
  const { ledgerOnly } = await scheduleOrderQueries(db, clock.wall());
  if (ledgerOnly > 0) log.warn({ event: 'order.unregistered', count: ledgerOnly });
}

function dueOf(run: OrderRun): DueFilter {
  const which = isSnapshot(run) ? 'open' : 'due';
  return { runId: run.runId, today: run.today, which, accounts: run.accounts ?? [] };
}

/** Only what a night asks for may be handed out. */
async function askAll(context: Context, run: OrderRun, units: Items<DueUnit>): Promise<OrdersWritten> {
  const { fence } = run;
  if (fence !== undefined)
    return sumOfWritten(await runUnits(context, ORDER_UNITS, { ...run, fence }, units));
  return askListed(context, run, { units, claim: OWN_WORK, progress: context.progress('orders') });
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
  const pages = pagesOf((after) => listRecentOf(context.db, of, { after, limit: PAGE_UNITS }));
  const units = { total: 0, pages };
  const { changed } = await askListed(context, run, { units, claim: OWN_WORK, progress: NO_PROGRESS });
  return changed;
}

function pagesOf(
  list: (after: UnitKey | undefined) => Promise<readonly DueUnit[]>,
): () => AsyncIterable<readonly DueUnit[]> {
  return async function* () {
    let page = await list(undefined);
    for (;;) {
      yield page;
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE_UNITS) return;
      page = await list(last);
    }
  };
}
