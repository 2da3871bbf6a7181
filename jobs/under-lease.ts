/** Work that only one process may do at a time: takes the lease, keeps it while the work goes on, gives it back. */
import { releaseLease, renewLease, takeLease } from '../src/store/leases.ts';
import type { Lease } from '../src/store/leases.ts';
import type { Context } from './context.ts';

/** A third of the lease: two heartbeats may be lost. */
const HEARTBEAT_MS = 20_000;

/**
 * The work's own context has a signal that is also aborted when the lease is lost to another.
 * @throws LockHeld when a living holder has the lease
 */
export async function underLease<T>(
  context: Context,
  name: string,
  work: (context: Context, lease: Lease) => Promise<T>,
): Promise<T> {
  const { db, realClock } = context;
  const lease = await takeLease(db, { name, holder: context.ids.reqId(), realClock });
  const heart = beat(context, lease);
  try {
    return await work({ ...context, signal: heart.signal }, lease);
  } finally {
    heart.stop();
    await releaseLease(db, lease, realClock);
  }
}

/** Renews the lease while the work goes on; a lost lease aborts it. */
function beat(context: Context, lease: Lease): { signal: AbortSignal; stop(): void } {
  const lost = new AbortController();
  const ended = new AbortController();
  const beating = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await context.realClock.sleep(HEARTBEAT_MS, ended.signal);
      await renewLease(context.db, lease, context.realClock);
    }
  };
  beating().catch((error: unknown) => {
    if (!ended.signal.aborted) lost.abort(error);
  });
  return {
    signal: AbortSignal.any([context.signal, lost.signal]),
    stop: () => ended.abort(new Error('the work has ended')),
  };
}
