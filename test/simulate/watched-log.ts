/** The log of a process: its events for the trace, and a look at every line for what must never be read there. */
import { jsonText } from '../../src/core/json.ts';
import { logName, logValue } from '../../src/core/log-value.ts';
import type { Log, LogFields } from '../../src/core/ports.ts';
import { CANARY, canaryIn } from './canaries.ts';
import type { MortalProcess } from './world/mortal-process.ts';

const SECRETS = [CANARY.secret];

export function watchedLog(
  process: MortalProcess,
  oracle: { violated(kind: 'canary', what: string): void },
): Log {
  const write = (fields: LogFields): void => {
    if (process.isDead) return;
    process.say(`log ${fields.event}${told(fields)}`);
    if (canaryIn(rawText(fields)) === undefined) return;
    const shown = canaryIn(jsonText(shownOf(fields)));
    if (shown !== undefined) oracle.violated('canary', `${shown} stands in the log line ${fields.event}`);
  };
  const log: Log = { debug: write, info: write, warn: write, error: write, with: () => log };
  return log;
}

const TOLD = ['outOrderNo', 'state', 'outcome', 'code', 'why', 'reason', 'until'] as const;

function told(fields: LogFields): string {
  let text = '';
  for (const name of TOLD) {
    const value = fields[name];
    if (typeof value === 'string' && value !== '') text += ` ${name}=${value}`;
  }
  return text;
}

/** As core/log.ts writes a line. */
function shownOf(fields: LogFields): object {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [logName(name), logValue(name, value, SECRETS)]),
  );
}

function rawText(fields: LogFields): string {
  return JSON.stringify(fields, (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}
