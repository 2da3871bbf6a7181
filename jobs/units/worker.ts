/**
 * `recon worker`: stays running and does units of nights that other processes run, so many at a time, until it is
 * stopped. It needs the platform and the database and nothing else: no folder, no mark, no lease.
 */
import os from 'node:os';
import { messageOf } from '../../src/core/errors.ts';
import { shiftedClock } from '../../src/core/clock.ts';
import type { Handed, UnitKindName, UnitQueue } from '../../src/store/units/unit-queue.ts';
import { saveBeat, saveLeft } from '../../src/store/units/workers.ts';
import { lazyPlatform } from '../context/context.ts';
import type { Context, LazyPlatform } from '../context/context.ts';
import { sharedRate } from '../context/shared-rate.ts';
import { doOrLeave } from './do-unit.ts';
import { lookAgainMs } from './look-again.ts';
import { openQueue } from './open-queue.ts';

const BEAT_MS = 10_000;

export interface Working {
  kinds: readonly UnitKindName[];
  /** Units at a time. */
  concurrency: number;
}

/** @throws Stopped when this process can do no units, or its queue cannot be used */
export async function keepWorking(context: Context, { kinds, concurrency }: Working): Promise<void> {
  const queue = await openQueue(context);
  const ended = new AbortController();
  const signal = AbortSignal.any([context.signal, ended.signal]);
  const platforms = platformsOf({ ...context, signal });
  const life = openLife({ ...context, signal }, kinds);
  const work = { queue, kinds, contextOf: platforms.contextOf, noteLost: life.noteLost };
  try {
    context.log.info({ event: 'worker.started', kinds, concurrency });
    const slots = Array.from({ length: concurrency }, () => takeAndDo({ ...context, signal }, work));
    for (const slot of slots) slot.catch((error: unknown) => ended.abort(error));
    const outcomes = await Promise.allSettled(slots);
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason as Error;
  } finally {
    await life.close();
    await platforms.close();
    await queue.close();
    context.log.info({ event: 'worker.stopped' });
  }
}

interface Work {
  queue: UnitQueue;
  kinds: readonly UnitKindName[];
  contextOf: (aheadMs: number) => Context;
  noteLost: () => void;
}

/** One unit after the other, the kinds in their order, until the signal is aborted. */
async function takeAndDo(context: Context, work: Work): Promise<void> {
  const { signal, realClock } = context;
  let idleSinceMs = realClock.monoMs();
  while (!signal.aborted) {
    const handed = await takeAny(context, work);
    if (handed === undefined) {
      const idleMs = realClock.monoMs() - idleSinceMs;
      await realClock.sleep(lookAgainMs(idleMs), signal).catch(() => undefined);
      continue;
    }
    const outcome = await doOrLeave(context, { ...work, handed });
    if (outcome === 'lost') work.noteLost();
    idleSinceMs = realClock.monoMs();
  }
}

/** A database that is away comes back; until then there is nothing to do. */
async function takeAny({ log }: Context, { queue, kinds }: Work): Promise<Handed | undefined> {
  try {
    for (const kind of kinds) {
      const handed = await queue.take(kind);
      if (handed !== undefined) return handed;
    }
  } catch (error) {
    log.warn({ event: 'queue.unreachable', reason: messageOf(error) });
  }
  return undefined;
}

/** The context under the clock of a night: nights without a rehearsal have the host's, and all of them one client. */
function platformsOf(context: Context): { contextOf: (aheadMs: number) => Context; close(): Promise<void> } {
  const open = new Map<number, { context: Context; platform: LazyPlatform }>();
  const contextOf = (aheadMs: number): Context => {
    const known = open.get(aheadMs);
    if (known !== undefined) return known.context;
    const own = { ...context, clock: shiftedClock(aheadMs) };
    const platform = lazyPlatform(own, context.db, context.signal);
    const opened = { platform, context: { ...own, platform: platform.open } };
    open.set(aheadMs, opened);
    return opened.context;
  };
  const close = async (): Promise<void> => {
    for (const { platform } of open.values()) await platform.close();
  };
  return { contextOf, close };
}

/** Tells the others that this process lives, and what it counted. */
function openLife(
  context: Context,
  kinds: readonly UnitKindName[],
): { noteLost: () => void; close(): Promise<void> } {
  const { db, ids, realClock, log, signal } = context;
  const workerId = ids.token();
  let fencesLost = 0;
  const tell = async (): Promise<void> => {
    const counted = { fencesLost, rateWaitMs: sharedRate(context, db).waitedMs() };
    try {
      await saveBeat(db, { workerId, host: os.hostname(), pid: process.pid, kinds, ...counted });
    } catch (error) {
      log.warn({ event: 'worker.untold', reason: messageOf(error) });
    }
  };
  const telling = (async () => {
    while (!signal.aborted) {
      await tell();
      await realClock.sleep(BEAT_MS, signal).catch(() => undefined);
    }
  })();
  return {
    noteLost: () => {
      fencesLost += 1;
    },
    close: async () => {
      await telling;
      await saveLeft(db, workerId).catch((error: unknown) =>
        log.warn({ event: 'worker.untold', reason: messageOf(error) }),
      );
    },
  };
}
