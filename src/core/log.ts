/**
 * The log: one JSON line an event, on stderr. Secrets and personal numbers are masked here, control
 * characters are escaped, long values are cut (S6, S10, I9), and no failure to write ever stops the work (H17).
 */
import { destination as pinoDestination, pino } from 'pino';
import type { DestinationStream } from 'pino';

import { messageOf } from './errors.ts';
import { logName, logValue } from './log-value.ts';
import type { Clock, Log, LogFields } from './ports.ts';

/** What is kept for a reader that is slow or gone; beyond that, lines are dropped. */
const BUFFER_BYTES_MAX = 1_048_576;

const STDERR = 2;

/** pino shows errors in its own way, unmasked, under this name and `err`; ours are shown by `log-value.ts`. */
const NO_FIELD = '(none)';

/** Names the line itself uses. */
const OWN_FIELDS: ReadonlySet<string> = new Set(['level', 'time']);

/** Opens the log; `destination` is stderr unless another is given. */
export function openLog(options: {
  level: LogLevel;
  secrets: readonly string[];
  clock: Clock;
  destination?: DestinationStream;
}): Log {
  const { level, secrets, clock } = options;
  const lines = pino(
    {
      level,
      base: null,
      errorKey: NO_FIELD,
      serializers: { err: (value: unknown) => value },
      timestamp: () => `,"time":"${clock.wall()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    options.destination ?? logDestination(STDERR),
  );
  return logWith({}, { lines, secrets });
}

/**
 * A file or descriptor that is written at once, so that the last line before a crash is there. A reader that
 * went away (EPIPE) or a full disk costs the lines and nothing else.
 */
export function logDestination(dest: number | string): DestinationStream {
  const stream = pinoDestination({ dest, sync: true, maxLength: BUFFER_BYTES_MAX });
  let linesLost = 0;
  stream.on('error', () => linesLost++);
  return stream;
}

interface Sink {
  lines: Readonly<Record<LogLevel, (line: object) => void>>;
  secrets: readonly string[];
}

function logWith(fixed: Readonly<Record<string, unknown>>, sink: Sink): Log {
  const write = (level: LogLevel) => (fields: LogFields) =>
    sink.lines[level](lineOf(fixed, fields, sink.secrets));
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    with: (fields) => logWith({ ...fixed, ...fields }, sink),
  };
}

/** A value that cannot even be read must not stop the work that reported it. */
function lineOf(
  fixed: Readonly<Record<string, unknown>>,
  fields: LogFields,
  secrets: readonly string[],
): object {
  try {
    const { event, ...others } = fields;
    const line = [['event', event] as const, ...Object.entries({ ...fixed, ...others })].map(
      ([name, value]) => [OWN_FIELDS.has(name) ? `${name}_` : logName(name), logValue(name, value, secrets)],
    );
    return Object.fromEntries(line) as object;
  } catch (error) {
    return { event: fields.event, unloggable: logValue('message', messageOf(error), secrets) };
  }
}

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
