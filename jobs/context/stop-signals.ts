/** Ctrl-C and SIGTERM: the work stops after what is in flight, soon, and a second signal ends it at once (H2). */
import type { Clock, Log } from '../../src/core/ports.ts';

/** Who stops a process kills it after ten seconds; a call that has not ended by then is resolved by the next run. */
const STOP_MS_MAX = 9_000;

export interface Stopping {
  /** Aborted by the first signal. */
  signal: AbortSignal;
  forget(): void;
}

/** @param options.status the exit status when the work does not end in time */
export function stopOnSignals(options: { log: Log; clock: Clock; status: 0 | 1 }): Stopping {
  const { log, clock, status } = options;
  const stopping = new AbortController();
  const ended = new AbortController();
  const stop = (name: NodeJS.Signals): void => {
    if (stopping.signal.aborted) process.exit(1);
    log.warn({ event: 'process.stopping', signal: name });
    stopping.abort(new Error(`stopped by ${name}`));
    clock.sleep(STOP_MS_MAX, ended.signal).then(
      () => {
        log.warn({
          event: 'process.cut_short',
          reason: `what was at work took longer than ${STOP_MS_MAX} ms`,
        });
        process.exit(status);
      },
      // The pause is cut short when the work ends in time, which is the usual case.
      () => undefined,
    );
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  return {
    signal: stopping.signal,
    forget: () => {
      ended.abort(new Error('the work has ended'));
      process.off('SIGINT', stop).off('SIGTERM', stop);
    },
  };
}

/** Resolves once the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
