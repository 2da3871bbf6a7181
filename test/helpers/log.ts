/** Logs for tests: one that is silent, and one that remembers. */
import type { Log, LogFields } from '../../src/core/ports.ts';

export const quietLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  with: () => quietLog,
};

export interface RecordingLog extends Log {
  readonly lines: readonly (LogFields & { level: string })[];
}

export function recordingLog(): RecordingLog {
  const lines: (LogFields & { level: string })[] = [];
  const at = (level: string) => (fields: LogFields) => void lines.push({ ...fields, level });
  const log: RecordingLog = {
    lines,
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: () => log,
  };
  return log;
}
