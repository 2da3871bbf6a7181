/**
 * `recon receive`: takes the pushes of the platform and asks for the batches they name, without the schedule; and the
 * same as a part of `recon schedule`. What is taken is committed before it is acknowledged, and what was not worked
 * off when the process ends is worked off by the next.
 */
import { withContext } from '../cli/command.ts';
import type { CommonOptions } from '../cli/command.ts';
import type { Context } from '../context/context.ts';
import { healthRoutes } from './health.ts';
import { openListeners } from './listeners.ts';
import { metricsRoutes } from './metrics.ts';
import { PushGate } from '../push/push-gate.ts';
import type { PushGateLimits } from '../push/push-gate.ts';
import { pageRoutes } from '../page/page-routes.ts';
import { pushRoutes } from './push-routes.ts';
import { PushTally } from '../push/push-tally.ts';
import { openPushWorker } from '../push/push-worker.ts';
import type { PushPaces, PushWorker } from '../push/push-worker.ts';
import type { Routes } from './status-server.ts';
import { aborted } from '../context/stop-signals.ts';

/** As in the container. */
const PORT_USUAL = 9_091;

export interface Pushes {
  routes: Routes;
  tally: PushTally;
  /** Begins to work off what waits; once. */
  work(): PushWorker;
}

/** Other paces and limits than the usual. */
export interface PushOptions {
  paces?: PushPaces;
  limits?: PushGateLimits;
}

/** Everything about pushes that a process which stays running holds. */
export function openPushes(context: Context, { paces, limits }: PushOptions = {}): Pushes {
  const gate = new PushGate(context.realClock, limits);
  const tally = new PushTally(context);
  let worker: PushWorker | undefined;
  const nudge = (): void => worker?.nudge();
  return {
    routes: pushRoutes(context, { gate, tally, nudge }),
    tally,
    work: () => (worker ??= openPushWorker(context, { gate, tally }, paces)),
  };
}

export function receiveCommand(options: CommonOptions & { port?: number }): Promise<void> {
  return withContext(options, { platform: true, isService: true }, async (context) => {
    await keepReceiving(context, options.port ?? context.settings.pushPort ?? PORT_USUAL);
    return { status: 0, document: { schema: 1, stopped: true }, text: '' };
  });
}

/**
 * Runs until the context's signal is aborted and what was at work has ended.
 * @throws WrongInput when a port cannot be used
 */
export async function keepReceiving(
  context: Context,
  pushPort: number,
  options: PushOptions = {},
): Promise<void> {
  const pushes = openPushes(context, options);
  const metrics = metricsRoutes(context, () => ({ nights: 0, snapshots: 0 }), pushes.tally);
  const listeners = await openListeners(context, {
    health: [healthRoutes(context), metrics, pageRoutes(context)],
    pushes: pushes.routes,
    pushPort,
  });
  const worker = pushes.work();
  try {
    await aborted(context.signal);
  } finally {
    await listeners.close();
    await worker.close();
    context.log.info({ event: 'receive.stopped' });
  }
}
