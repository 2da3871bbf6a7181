/** The night waits until each of its units has ended, and ends itself where nobody is there to do them. */
import { Stopped } from '../../src/core/errors.ts';
import { maskPersonal } from '../../src/core/mask.ts';
import { pastFaults, unitOfWork } from '../../src/store/database/unit-of-work.ts';
import type { UnitKindName, UnitQueue } from '../../src/store/units/unit-queue.ts';
import { progressOfUnits, saveGivenUp } from '../../src/store/units/work-units.ts';
import { countAlive } from '../../src/store/units/workers.ts';
import type { Context } from '../context/context.ts';

const POLL_MS = 500;

/** A night that waits holds its lease, so that no other can be run. */
const LONELY_MS_MAX = 600_000;
const NOBODY = 'no worker is there (recon worker)';

export interface Awaited {
  runId: string;
  kind: UnitKindName;
  items: number;
}

/** @throws Stopped when no worker lives for ten minutes; the signal's reason */
export async function waitForUnits(context: Context, queue: UnitQueue, of: Awaited): Promise<void> {
  const { db, realClock, signal } = context;
  const progress = context.progress(of.kind);
  progress.total(of.items);
  const lonely = lonelyWatch(context);
  let ended = 0;
  for (;;) {
    await noteGivenUp(context, queue);
    const { planned, itemsEnded } = await unitOfWork(db, (trx) => progressOfUnits(trx, of));
    for (; ended < itemsEnded; ended++) progress.step();
    if (planned === 0) break;
    lonely(await unitOfWork(db, countAlive));
    await realClock.sleep(POLL_MS, signal);
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

/** Says once that nobody works, and @throws Stopped when that lasts. */
function lonelyWatch(context: Context): (alive: number) => void {
  const { realClock, log } = context;
  let sinceMs: number | undefined;
  return (alive) => {
    if (alive > 0) {
      sinceMs = undefined;
      return;
    }
    if (sinceMs === undefined) {
      log.warn({ event: 'workers.missing', reason: NOBODY });
      context.tell(`waiting: ${NOBODY}`);
    }
    sinceMs ??= realClock.monoMs();
    if (realClock.monoMs() - sinceMs < LONELY_MS_MAX) return;
    throw new Stopped(`${NOBODY}; the same command goes on from here once there is one`);
  };
}
