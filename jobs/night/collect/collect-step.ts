/** Steps 1 and 2 of a night: what the platform says of deposits and orders, then of balances. */
import { openingsInForce } from '../../../src/store/intake/openings.ts';
import type { AccountRow } from '../../../src/store/intake/accounts.ts';
import type { Run } from '../../../src/store/runs/runs.ts';
import type { Context } from '../../context/context.ts';
import { itemsOf } from '../../units/unit.ts';
import { runUnits } from '../../units/units.ts';
import { BALANCE_UNITS, sumOfBalances } from './balance-units.ts';
import { collectOrders, planOrders } from './collect-orders.ts';
import { collectDeposits, planDeposits } from './collect.ts';
import type { ListedAccount } from './listing-number.ts';
import { planDays } from './plan-days.ts';
import { tellReading } from './tell-reading.ts';

export interface Reading {
  run: Run;
  accounts: readonly AccountRow[];
  /** Those the run was asked for; empty: all. */
  asked: readonly string[];
}

/** @returns facts of the run */
export async function collectStep(context: Context, { run, accounts, asked }: Reading): Promise<object> {
  const { db, zone, clock, profile, realClock } = context;
  const startedMs = realClock.monoMs();
  const today = zone.dayOf(clock.wall());
  const span = { job: run.job, fromDay: run.from_day, toDay: run.to_day };
  const openingOf = await openingsInForce(db);
  const opened = accounts.map((account) => ({
    accountNo: account.account_no,
    openingAt: openingOf(account)?.at,
    statedAt: account.opening_at ?? undefined,
  }));
  const { lookbackDays, endInclusive } = profile.deposits;
  const spans = await planDays(db, zone, { ...span, today, lookbackDays, endInclusive }, opened);
  const of = { runId: run.run_id, toDay: run.to_day, today };
  const reading = { ...of, fence: run.fence };
  const listed = accounts.map(listedAccount);
  const windows = await planDeposits(context, reading, listed, spans);
  const due = await planOrders(context, { ...reading, accounts: asked });
  tellReading(context, { windows: windows.length, orders: due, balances: accounts.length });
  const collected = await collectDeposits(context, reading, listed, windows);
  const { batches, transferOrders, withdrawals, ...orders } = await collectOrders(context, {
    ...reading,
    accounts: asked,
  });
  return {
    ...collected,
    asked: { batches, transferOrders, withdrawals },
    orders,
    collectMs: Math.round(realClock.monoMs() - startedMs),
  };
}

/** @returns facts of the run */
export async function bracketStep(context: Context, { run, accounts }: Reading): Promise<object> {
  const { zone, clock, realClock } = context;
  const startedMs = realClock.monoMs();
  const today = zone.dayOf(clock.wall());
  const of = { runId: run.run_id, toDay: run.to_day, today, fence: run.fence };
  const read = await runUnits(context, BALANCE_UNITS, of, itemsOf(accounts.map(listedAccount)));
  return {
    ...sumOfBalances(read),
    calls: (await context.platform()).counters(),
    bracketMs: Math.round(realClock.monoMs() - startedMs),
  };
}

export function listedAccount(account: AccountRow): ListedAccount {
  return { accountNo: account.account_no, eleAcctNo: account.ele_acct_no ?? undefined };
}
