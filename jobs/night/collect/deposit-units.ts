/** The units of collecting deposits: some windows each. */
import { maskPersonal } from '../../../src/core/mask.ts';
import type { ListedRecord } from '../../../src/store/deposits/record-faults.ts';
import { replanUnread, saveFailedWindow } from '../../../src/store/deposits/windows.ts';
import { allOf } from '../../units/unit.ts';
import type { UnitKind } from '../../units/unit.ts';
import { Collector, NOTHING_COLLECTED } from './collector.ts';
import type { Collected, WindowToRead } from './collector.ts';

export interface DepositsRead {
  collected: Collected;
  /** Records that could not be read. */
  unreadable: readonly ListedRecord[];
}

export const DEPOSIT_UNITS: UnitKind<WindowToRead, DepositsRead> = {
  name: 'deposits',
  itemsMax: 200,
  work: async (context, run, items, claim) => {
    const windows = await allOf(items);
    if (claim.isRepeated) {
      await context.db.transaction().execute(async (trx) => {
        await replanUnread(trx, run.runId, windows.map(spanOf));
        await claim.keep(trx);
      });
    }
    const collector = new Collector(context, run, claim, context.progress('deposits'));
    await collector.readAll(windows);
    const unreadable = collector.unreadable.map(({ accountNo, reference }) => ({ accountNo, reference }));
    return { collected: collector.collected, unreadable };
  },
  giveUp: async (trx, { runId }, windows, why) => {
    const reason = maskPersonal(why);
    await replanUnread(trx, runId, windows.map(spanOf));
    for (const window of windows) await saveFailedWindow(trx, { runId, ...spanOf(window), reason });
    return { collected: { ...NOTHING_COLLECTED }, unreadable: [] };
  },
};

function spanOf({ account, span }: WindowToRead) {
  return { accountNo: account.accountNo, span };
}

export function sumOfUnits(read: readonly DepositsRead[]): DepositsRead {
  const collected = { ...NOTHING_COLLECTED };
  for (const name of Object.keys(collected) as (keyof Collected)[]) {
    for (const unit of read) collected[name] += unit.collected[name];
  }
  return { collected, unreadable: read.flatMap((unit) => unit.unreadable) };
}
