/** Ctrl-C and SIGTERM: the work stops after what is in flight, soon, and a second signal ends it at once (H2). */
import { Stopped, messageOf } from '../../src/core/errors.ts';
import type { Clock, Log } from '../../src/core/ports.ts';

/** Who stops a process kills it after ten seconds; a call that has not ended by then is resolved by the next run. */
const STOP_MS_MAX = 9_000;

const STOPPING = `stopping: what is under way is finished first, for at most ${STOP_MS_MAX / 1_000} seconds; a second signal ends it at once`;

export interface Stopping {
  /** Aborted by the first signal. */
  signal: AbortSignal;
  forget: () => void;
}

/** What a work that a signal stopped leaves behind, where the command has nothing of its own to say. */
export const AFTER_STOP =
  'what was stored is kept and nothing is half done; to go on, run the same command again';

/** `stopped by Ctrl-C: what was read is kept; to go on: recon nightly --day 2026-03-01` */
export function stoppedText(by: string, afterStop: string): string {
  return `${by.replace('SIGINT', 'Ctrl-C')}: ${afterStop}`;
}

/** What a job that was stopped by that signal ends with; any other error as it is. */
export function stoppedError(signal: AbortSignal, error: unknown, afterStop: string): unknown {
  if (!isStoppedBy(signal, error)) return error;
  return new Stopped(stoppedText(messageOf(signal.reason), afterStop), {}, { cause: error });
}

/** Whether that is the signal's own reason, or has it as its cause. */
export function isStoppedBy(signal: AbortSignal, error: unknown): boolean {
  if (!signal.aborted) return false;
  if (error === signal.reason) return true;
  return error instanceof Error && error.cause !== undefined && isStoppedBy(signal, error.cause);
}

export interface StopOptions {
  log: Log;
  clock: Clock;
  /** The exit status when the work does not end in time. */
  status: 0 | 1;
  /** Who waits for it to end; a service has nobody. */
  person?: {
    tell: (line: string) => void;
    /** What is kept, and what goes on from there. */
    afterStop: string;
  };
}

export function stopOnSignals({ log, clock, status, person }: StopOptions): Stopping {
  const stopping = new AbortController();
  const ended = new AbortController();
  const stop = (name: NodeJS.Signals): void => {
    if (stopping.signal.aborted) process.exit(1);
    log.warn({ event: 'process.stopping', signal: name });
    person?.tell(STOPPING);
    const reason = `stopped by ${name}`;
    stopping.abort(new Error(reason));
    clock.sleep(STOP_MS_MAX, ended.signal).then(
      () => {
        log.warn({
          event: 'process.cut_short',
          reason: `what was at work took longer than ${STOP_MS_MAX} ms`,
        });
        person?.tell(`recon: ${stoppedText(reason, person.afterStop)}`);
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
