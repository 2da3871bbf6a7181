/** The night waits until each of its units has ended, and does itself what no worker does. */
import { maskPersonal } from '../../src/core/mask.ts';
import { pastFaults, unitOfWork } from '../../src/store/database/unit-of-work.ts';
import type { UnitKindName, UnitQueue } from '../../src/store/units/unit-queue.ts';
import { progressOfUnits, saveGivenUp } from '../../src/store/units/work-units.ts';
import { countAlive } from '../../src/store/units/workers.ts';
import type { Context } from '../context/context.ts';
import { lookAgainMs } from './look-again.ts';
import { openOwnHands } from './own-hands.ts';

export interface Awaited {
  runId: string;
  kind: UnitKindName;
  items: number;
}

/** @throws what ended a unit that the night did itself and ends the night as well; the signal's reason */
export async function waitForUnits(context: Context, queue: UnitQueue, of: Awaited): Promise<void> {
  const { db, realClock, signal } = context;
  const progress = context.progress(of.kind);
  progress.total(of.items);
  const ownHands = openOwnHands(context, queue, of.kind);
  const beganMs = realClock.monoMs();
  let ended = 0;
  try {
    for (;;) {
      await noteGivenUp(context, queue);
      const { planned, itemsEnded } = await unitOfWork(db, (trx) => progressOfUnits(trx, of));
      for (; ended < itemsEnded; ended++) progress.step();
      if (planned === 0) break;
      ownHands.lookAfter(await unitOfWork(db, (trx) => countAlive(trx, of.kind)));
      await realClock.sleep(lookAgainMs(realClock.monoMs() - beganMs), signal);
    }
  } finally {
    await ownHands.close();
  }
  progress.done();
}

/** The queue gives up by itself what kills its worker; the night hears of it here. */
async function noteGivenUp({ db, realClock, log }: Context, queue: UnitQueue): Promise<void> {
  for (const { unitId, kind, reason } of await pastFaults(() => queue.listGivenUp())) {
    const told = { reason: maskPersonal(reason), at: realClock.wall() };
    const isNew = await unitOfWork(db, (trx) => saveGivenUp(trx, unitId, told));
    if (isNew) log.error({ event: 'unit.given_up', kind, unitId, reason });
  }
}
