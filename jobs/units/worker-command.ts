/** `recon worker` and what a person does about units that were given up. */
import { messageOf, WrongInput } from '../../src/core/errors.ts';
import { unitOfWork } from '../../src/store/database/unit-of-work.ts';
import { UNIT_KINDS } from '../../src/store/units/unit-queue.ts';
import type { GivenUp, UnitKindName } from '../../src/store/units/unit-queue.ts';
import { findUnit, planAgain, uuidOf } from '../../src/store/units/work-units.ts';
import { withContext } from '../cli/command.ts';
import type { CommandNeeds, CommonOptions } from '../cli/command.ts';
import type { Context } from '../context/context.ts';
import { underLease } from '../context/under-lease.ts';
import { RUN_LEASE } from '../night/prove/prove-run.ts';
import { openQueue } from './open-queue.ts';
import { keepWorking } from './worker.ts';
import type { Working } from './worker.ts';

/** A process that can do no units, and is started anew as soon as it ends, must not use up the tries of all of them. */
const UNFIT_MS = 30_000;

export interface WorkerOptions extends CommonOptions {
  kinds?: string;
  concurrency: number;
}

export function workerCommand(options: WorkerOptions): Promise<void> {
  const needs: CommandNeeds<Working> = {
    platform: true,
    isService: true,
    isWorker: true,
    arguments: () => ({ kinds: kindsOf(options.kinds), concurrency: options.concurrency }),
  };
  return withContext({ ...options, workers: true }, needs, async (context, working) => {
    try {
      await keepWorking(context, working);
    } catch (error) {
      context.log.error({ event: 'worker.unfit', reason: messageOf(error) });
      await context.realClock.sleep(UNFIT_MS, context.signal).catch(() => undefined);
      throw error;
    }
    return { status: 0, document: { schema: 1, stopped: true }, text: '' };
  });
}

/** @throws WrongInput for a kind that there is not */
function kindsOf(text: string | undefined): readonly UnitKindName[] {
  if (text === undefined) return UNIT_KINDS;
  return text.split(',').map((name) => {
    const kind = UNIT_KINDS.find((one) => one === name);
    if (kind !== undefined) return kind;
    throw new WrongInput(`--kinds: there is no kind ${name}; there is ${UNIT_KINDS.join(', ')}`);
  });
}

/**
 * Hands out again what was given up; the night that it is of goes on when it is called again. Never beside a night: one
 * that went on without these units has looked for what vanished and what was cured, and would take them for read.
 */
export function redriveCommand(options: CommonOptions): Promise<void> {
  return withContext({ ...options, workers: true }, { platform: false }, async (context) => {
    const units = await underLease(context, RUN_LEASE, redrive);
    const lines = units.map(({ kind, unitId, reason }) => `${kind} ${unitId}: ${reason}`);
    const text = units.length === 0 ? 'nothing was given up' : ['handed out again:', ...lines].join('\n');
    return { status: 0, document: { schema: 1, units }, text };
  });
}

async function redrive(context: Context): Promise<GivenUp[]> {
  const queue = await openQueue(context);
  try {
    const redriven: GivenUp[] = [];
    for (const unit of await queue.listGivenUp()) {
      const isThere = await unitOfWork(context.db, async (trx) => {
        const known = await findUnit(trx, unit.unitId);
        await queue.forgetGivenUp(trx, [unit.unitId]);
        if (known === undefined) return false;
        const jobId = uuidOf(context.ids.token());
        await planAgain(trx, { unitId: unit.unitId, jobId });
        await queue.put(trx, unit.kind, [{ jobId, unitId: unit.unitId }]);
        return true;
      });
      if (isThere) redriven.push(unit);
    }
    return redriven;
  } finally {
    await queue.close();
  }
}
