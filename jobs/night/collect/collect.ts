/**
 * Step 1 of the night: the deposits of all accounts, window by window, each in a verified pass, resumable at
 * any point (docs/reconciliation.md 3.6, DEP-12). An empty or failed answer is never zero.
 */
import type { DaySpan } from '../../../src/core/window.ts';
import { cureNameless } from '../../../src/store/deposits/record-faults.ts';
import { dropDoubtfulWindows, listOpenWindows, replanWindows } from '../../../src/store/deposits/windows.ts';
import type { Context } from '../../context/context.ts';
import type { UnitRun } from '../../units/unit.ts';
import { itemsOf } from '../../units/unit.ts';
import { runUnits, withdrawEarlierUnits } from '../../units/units.ts';
import type { Collected, WindowToRead } from './collector.ts';
import { DEPOSIT_UNITS, sumOfUnits } from './deposit-units.ts';
import { accountsOfRun } from './listing-number.ts';
import type { ListedAccount } from './listing-number.ts';
import { findVanished } from './vanished.ts';

/** @returns the windows of the run that are not verified yet */
export async function planDeposits(
  context: Context,
  run: UnitRun & { fence: bigint },
  accounts: readonly ListedAccount[],
  spans: ReadonlyMap<string, readonly DaySpan[]>,
): Promise<WindowToRead[]> {
  const planned = [...spans].flatMap(([accountNo, own]) => own.map((span) => ({ accountNo, span })));
  await withdrawEarlierUnits(context, run);
  await dropDoubtfulWindows(context.db, run.runId, context.zone.name);
  await replanWindows(context.db, run.runId, planned);
  const accountOf = accountsOfRun(accounts);
  return (await listOpenWindows(context.db, run.runId)).map((row) => ({
    account: accountOf(row.account_no),
    span: { from: row.from_day, to: row.to_day },
  }));
}

/** Reads these windows; those that cannot be read are marked failed. */
export async function collectDeposits(
  context: Context,
  run: UnitRun & { fence: bigint },
  accounts: readonly ListedAccount[],
  windows: readonly WindowToRead[],
): Promise<Collected> {
  const { collected, unreadable } = sumOfUnits(await runUnits(context, DEPOSIT_UNITS, run, itemsOf(windows)));
  await cureNameless(context.db, { runId: run.runId, timeZone: context.zone.name }, unreadable);
  await findVanished(context, run, accounts);
  return collected;
}
