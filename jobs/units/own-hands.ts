/**
 * Units that the night does itself, because none of the workers that live takes their kind: as a worker would, by claims,
 * until one is there.
 */
import { NO_PROGRESS } from '../context/progress.ts';
import type { Context } from '../context/context.ts';
import { pastFaults } from '../../src/store/database/unit-of-work.ts';
import type { UnitKindName, UnitQueue } from '../../src/store/units/unit-queue.ts';
import { doOrLeave } from './do-unit.ts';

/** So that the end of one unit does not leave the platform idle. */
const UNITS_AT_A_TIME = 2;

/** A worker that is started beside the night is there by then. */
const LONELY_MS = 5_000;

export interface OwnHands {
  /**
   * Begins with units that wait, or ends with the one in hand.
   * @param alive how many workers take their kind
   * @throws what ended a unit and ends the night as well
   */
  lookAfter(alive: number): void;
  /** Waits for what is in hand. @throws as above */
  close(): Promise<void>;
}

export function openOwnHands(context: Context, queue: UnitQueue, kind: UnitKindName): OwnHands {
  const at: Context = { ...context, progress: () => NO_PROGRESS };
  const hands = new Set<Promise<void>>();
  const state = { isNeeded: false };
  let lonelySinceMs: number | undefined;
  let isTold = false;
  let failure: unknown;

  async function work(): Promise<void> {
    while (state.isNeeded && !context.signal.aborted) {
      const handed = await pastFaults(() => queue.take(kind));
      if (handed === undefined) return;
      await doOrLeave(at, { queue, handed, contextOf: () => at });
    }
  }

  function tell(): void {
    if (isTold) return;
    isTold = true;
    const reason = `no worker is there for ${kind} (recon worker): the night does them itself`;
    context.log.warn({ event: 'workers.missing', kind, reason });
    context.tell(reason);
  }

  function throwFailure(): void {
    if (failure !== undefined) throw failure as Error;
  }

  return {
    lookAfter: (alive) => {
      throwFailure();
      lonelySinceMs = alive > 0 ? undefined : (lonelySinceMs ?? context.realClock.monoMs());
      state.isNeeded = lonelySinceMs !== undefined && context.realClock.monoMs() - lonelySinceMs >= LONELY_MS;
      if (!state.isNeeded) return;
      tell();
      while (hands.size < UNITS_AT_A_TIME) {
        const hand = work()
          .catch((error: unknown) => {
            failure ??= error;
          })
          .finally(() => hands.delete(hand));
        hands.add(hand);
      }
    },
    close: async () => {
      state.isNeeded = false;
      await Promise.all(hands);
      if (!context.signal.aborted) throwFailure();
    },
  };
}
