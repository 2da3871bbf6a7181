/** Work that only one process may do at a time: takes the lease, keeps it while the work goes on, gives it back. */
import { messageOf, Stopped } from '../../src/core/errors.ts';
import { LEASE_MS, releaseLease, renewLease, takeLease } from '../../src/store/database/leases.ts';
import type { Lease } from '../../src/store/database/leases.ts';
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
  const { db, zone } = context;
  const lease = await takeLease(db, { name, holder: context.ids.token(), zone });
  const heart = beat(context, lease);
  try {
    return await work({ ...context, signal: heart.signal }, lease);
  } finally {
    heart.stop();
    await releaseLease(db, lease);
  }
}

/** Renews the lease while the work goes on; one that is lost, or lapsed because it could not be renewed, aborts it. */
function beat(context: Context, lease: Lease): { signal: AbortSignal; stop(): void } {
  const lost = new AbortController();
  const ended = new AbortController();
  const { db, realClock, log } = context;
  let renewedMs = realClock.monoMs();
  const beating = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await realClock.sleep(HEARTBEAT_MS, ended.signal);
      const beganMs = realClock.monoMs();
      try {
        await renewLease(db, lease);
        renewedMs = beganMs;
      } catch (error) {
        if (error instanceof Stopped || realClock.monoMs() - renewedMs >= LEASE_MS) throw error;
        log.warn({ event: 'lease.unrenewed', name: lease.name, reason: messageOf(error) });
      }
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
