/**
 * Counts what came in since the process began, by kind and outcome, and says it in the log: each new push, and of
 * everything that an outsider can repeat at will one line in a while with its count.
 */
import type { Clock, Log } from '../src/core/ports.ts';
import type { PushKind } from '../src/store/schema.ts';

/**
 * taken: kept and acknowledged; repeated: known already, acknowledged; forged: its signature is wrong; malformed: empty,
 * too large or cut off; too_many, full: refused for now, see `PushGate`; unstored: the database did not take it.
 */
export type PushOutcome = 'taken' | 'repeated' | 'forged' | 'malformed' | 'too_many' | 'full' | 'unstored';

/** A line this often tells as much as a line each time. */
const QUIET_MS = 10_000;

const LEVELS: Readonly<Record<PushOutcome, 'debug' | 'info' | 'warn' | 'error'>> = {
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

export class PushTally {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #counts = new Map<string, PushCounted>();
  readonly #said = new Map<PushOutcome, { atMs: number; unsaid: number }>();

  constructor({ realClock, log }: { realClock: Clock; log: Log }) {
    this.#clock = realClock;
    this.#log = log;
  }

  /** @param fields never anything of the content */
  count(kind: PushKind, outcome: PushOutcome, fields: Readonly<Record<string, unknown>> = {}): void {
    const key = `${kind} ${outcome}`;
    const counted = this.#counts.get(key) ?? { kind, outcome, count: 0 };
    this.#counts.set(key, { ...counted, count: counted.count + 1 });
    this.#say(outcome, fields);
  }

  #say(outcome: PushOutcome, fields: Readonly<Record<string, unknown>>): void {
    const now = this.#clock.monoMs();
    const said = this.#said.get(outcome);
    if (said !== undefined && now - said.atMs < QUIET_MS) {
      said.unsaid += 1;
      return;
    }
    this.#said.set(outcome, { atMs: now, unsaid: 0 });
    const count = 1 + (said?.unsaid ?? 0);
    this.#log[LEVELS[outcome]]({ event: `push.${outcome}`, count, ...fields });
  }

  /** In the order in which they were first met. */
  counts(): readonly PushCounted[] {
    return [...this.#counts.values()];
  }
}
