/**
 * One unit as a worker does it: what it stores counts only while the unit is its own, and its end is the last statement
 * of its last transaction. One that cannot be done here goes back for another try.
 */
import { messageOf, Stopped } from '../../src/core/errors.ts';
import { maskPersonal, maskText } from '../../src/core/mask.ts';
import { unitOfWork } from '../../src/store/database/unit-of-work.ts';
import type { Handed, UnitQueue } from '../../src/store/units/unit-queue.ts';
import { findUnit, planAgain, saveBegun, saveDone, uuidOf } from '../../src/store/units/work-units.ts';
import type { Context } from '../context/context.ts';
import { platformTime, seenElsewhere } from '../context/platform-time.ts';
import type { HandedResult, HandedWork, Rules } from './handed-unit.ts';
import { KINDS } from './kinds.ts';
import { ClaimLost } from './unit.ts';
import type { Claim } from './unit.ts';

/** Three times within what the queue waits for. */
const KEEP_MS = 3_000;

export interface Doing {
  queue: UnitQueue;
  handed: Handed;
  /** The worker's context under the clock of the night whose unit it is. */
  contextOf: (aheadMs: number) => Context;
}

/** A unit whose end could not be told is known by the silence of its worker. @throws Stopped as below */
export async function doOrLeave(worker: Context, doing: Doing): Promise<UnitOutcome | undefined> {
  try {
    return await doUnit(worker, doing);
  } catch (error) {
    if (error instanceof Stopped) throw error;
    worker.log.error({ event: 'unit.unended', reason: messageOf(error) });
    return undefined;
  }
}

export type UnitOutcome = 'done' | 'lost' | 'failed';

/** @throws Stopped when this process can do none: its platform does not verify */
async function doUnit(worker: Context, doing: Doing): Promise<UnitOutcome> {
  const { queue, handed } = doing;
  const log = worker.log.with({ unitId: handed.unitId, kind: handed.kind });
  const keeping = keepWhile(worker, doing);
  try {
    await workAndEnd(worker, doing, keeping.signal);
    log.info({ event: 'unit.done' });
    return 'done';
  } catch (error) {
    const cause: unknown = keeping.signal.aborted ? keeping.signal.reason : error;
    if (cause instanceof ClaimLost) {
      log.warn({ event: 'unit.lost', reason: cause.message });
      return 'lost';
    }
    if (worker.signal.aborted) return await handBack(worker, queue, handed);
    const reason = maskPersonal(maskText(messageOf(error), worker.settings.secrets));
    log.error({ event: 'unit.failed', attempt: handed.attempt, reason });
    await queue.fail(handed, reason);
    if (error instanceof Stopped) throw error;
    return 'failed';
  } finally {
    keeping.stop();
  }
}

async function workAndEnd(
  worker: Context,
  { queue, handed, contextOf }: Doing,
  signal: AbortSignal,
): Promise<void> {
  const unit = await findUnit(worker.db, handed.unitId);
  if (unit?.state !== 'planned') throw new ClaimLost('the night has withdrawn it');
  const { run, items, aheadMs, seenAt, rules } = unit.work as HandedWork<object>;
  requireSameRules(worker, rules);
  const tries = await saveBegun(worker.db, handed.unitId, worker.realClock.wall());
  const context = { ...contextOf(aheadMs), signal };
  seenElsewhere(context.clock, seenAt);
  const made = await KINDS[handed.kind].work(context, run, items, claimOf(queue, handed, tries > 1));
  const seen = platformTime(context.clock, await context.platform()).now();
  const result: HandedResult<object> = { made, seenAt: seen };
  await unitOfWork(worker.db, async (trx) => {
    await saveDone(trx, handed.unitId, { made: result, at: worker.realClock.wall() });
    if (!(await queue.end(handed, trx))) throw lost();
  });
}

/** @throws Stopped: what this process reads would be read otherwise than the night reads it */
function requireSameRules({ profileDigest, settingsDigest }: Context, rules: Rules): void {
  const other = [
    ...(profileDigest === rules.profileDigest ? [] : ['profile']),
    ...(settingsDigest === rules.settingsDigest ? [] : ['platform settings']),
  ];
  if (other.length === 0) return;
  throw new Stopped(`this worker has another ${other.join(' and other ')} than the night whose unit it took`);
}

function claimOf(queue: UnitQueue, handed: Handed, isRepeated: boolean): Claim {
  return {
    unitId: handed.unitId,
    isRepeated,
    keep: async (trx) => {
      if (!(await queue.keep(handed, trx))) throw lost();
    },
  };
}

function lost(): ClaimLost {
  return new ClaimLost('another worker has it by now, or the night has withdrawn it');
}

/** A worker that is stopped is no try of the unit: it is handed out anew, under another number. */
async function handBack({ db, ids, log }: Context, queue: UnitQueue, handed: Handed): Promise<'failed'> {
  const { kind, unitId } = handed;
  const jobId = uuidOf(ids.token());
  await unitOfWork(db, async (trx) => {
    await planAgain(trx, { unitId, jobId });
    await queue.put(trx, kind, [{ jobId, unitId }]);
    if (!(await queue.end(handed, trx))) throw lost();
  });
  log.info({ event: 'unit.handed_back', kind, unitId });
  return 'failed';
}

/** Tells that the worker lives while it works, and ends the work that is another's by now. */
function keepWhile(worker: Context, { queue, handed }: Doing): { signal: AbortSignal; stop(): void } {
  const { realClock, log } = worker;
  const over = new AbortController();
  const ended = new AbortController();
  const keeping = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await realClock.sleep(KEEP_MS, ended.signal);
      try {
        if (await queue.keep(handed)) continue;
        over.abort(lost());
        return;
      } catch (error) {
        log.warn({ event: 'unit.unkept', unitId: handed.unitId, reason: messageOf(error) });
      }
    }
  };
  keeping().catch((error: unknown) => {
    if (!ended.signal.aborted) over.abort(error);
  });
  return {
    signal: AbortSignal.any([worker.signal, over.signal]),
    stop: () => ended.abort(new Error('the unit has ended')),
  };
}
