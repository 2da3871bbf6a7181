/**
 * Counts what came in since the process began, by kind and outcome, and says it in the log: each new push, and of
 * everything that an outsider can repeat at will one line in a while with its count.
 */
import type { Clock, Log } from '../../src/core/ports.ts';
import type { PushCount } from '../../src/store/pushes/push-stock.ts';
import type { PushKind } from '../../src/store/schema/schema.ts';

/**
 * taken: kept and acknowledged; repeated: known already, acknowledged; forged: its signature is wrong; malformed: empty,
 * too large or cut off; too_many, full: refused for now, see `PushGate`; unstored: the database did not take it.
 */
export type PushOutcome = 'taken' | 'repeated' | 'forged' | 'malformed' | 'too_many' | 'full' | 'unstored';

/** A line this often tells as much as a line each time. */
const QUIET_MS = 10_000;
/** Pushes that nobody signed are told this often, with their number. */
const UNSIGNED_QUIET_MS = 60_000;

type Level = 'debug' | 'info' | 'warn' | 'error';

const LEVELS: Readonly<Record<PushOutcome, Level>> = {
  taken: 'debug',
  repeated: 'debug',
  forged: 'warn',
  malformed: 'info',
  too_many: 'warn',
  full: 'error',
  unstored: 'error',
};

export interface PushCounted {
  kind: PushKind;
  outcome: PushOutcome;
  count: number;
}

interface Saying {
  event: string;
  level: Level;
  quietMs: number;
}

export class PushTally {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #counts = new Map<string, PushCounted>();
  readonly #said = new Map<string, { atMs: number; unsaid: number }>();
  #hints: readonly PushCount[] = [];

  constructor({ realClock, log }: { realClock: Clock; log: Log }) {
    this.#clock = realClock;
    this.#log = log;
  }

  /** @param fields never anything of the content */
  count(kind: PushKind, outcome: PushOutcome, fields: Readonly<Record<string, unknown>> = {}): void {
    const key = `${kind} ${outcome}`;
    const counted = this.#counts.get(key) ?? { kind, outcome, count: 0 };
    this.#counts.set(key, { ...counted, count: counted.count + 1 });
    this.#say({ event: `push.${outcome}`, level: LEVELS[outcome], quietMs: QUIET_MS }, fields);
  }

  /** A push without signature was kept that was not there before. */
  keptUnsigned(): void {
    this.#say({ event: 'push.kept_unsigned', level: 'info', quietMs: UNSIGNED_QUIET_MS }, {});
  }

  #say({ event, level, quietMs }: Saying, fields: Readonly<Record<string, unknown>>): void {
    const now = this.#clock.monoMs();
    const said = this.#said.get(event);
    if (said !== undefined && now - said.atMs < quietMs) {
      said.unsaid += 1;
      return;
    }
    this.#said.set(event, { atMs: now, unsaid: 0 });
    const count = 1 + (said?.unsaid ?? 0);
    this.#log[level]({ event, count, ...fields });
  }

  /** In the order in which they were first met. */
  counts(): readonly PushCounted[] {
    return [...this.#counts.values()];
  }

  /** What the tables held at the last sweep. */
  hinted(hints: readonly PushCount[]): void {
    this.#hints = hints;
  }

  /** In the order of kind and state; nothing before the first sweep. */
  hints(): readonly PushCount[] {
    return this.#hints;
  }
}
