/** Where the work of a step is done: here, or by workers, who share it in chunks. The step is the same either way. */
import { hasUnits } from '../../src/store/units/work-units.ts';
import type { Context } from '../context/context.ts';
import { OWN_WORK } from './unit.ts';
import type { Items, UnitKind, UnitRun } from './unit.ts';

/** @returns what was made of all items, by chunks of them */
export async function runUnits<Item extends object, Made extends object>(
  context: Context,
  kind: UnitKind<Item, Made>,
  run: UnitRun & { fence: bigint },
  items: Items<Item>,
): Promise<Made[]> {
  if (!context.settings.workers) return [await kind.work(context, run, items, OWN_WORK)];
  const { runOnQueue } = await import('./on-queue.ts');
  return runOnQueue(context, kind, run, items);
}

/** Before a step plans its work: what an earlier try of a night left to workers is nobody's any more. */
export async function withdrawEarlierUnits(
  context: Context,
  run: UnitRun & { fence: bigint },
): Promise<void> {
  if (!(await hasUnits(context.db))) return;
  const { withdrawOtherTries } = await import('./on-queue.ts');
  await withdrawOtherTries(context, run);
}
