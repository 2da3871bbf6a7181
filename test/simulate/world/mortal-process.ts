/**
 * One process of the job: a number of port calls, at any of which it may die, before, within or after the effect.
 * From then on nothing of it reaches the world any more, and nothing of the world reaches it, as after a kill.
 */
import type { Kernel } from './kernel.ts';
import type { Stream } from './random.ts';
import type { Trace } from '../trace.ts';

/** A port call in which a process can die. */
export type Site = `book.${string}` | `mark.${string}` | 'platform.post' | `lease.${string}`;
export type When = 'before' | 'within' | 'after';

export interface Fate {
  /** The port call, counted from 1 over the whole seed, at which whichever process makes it dies. */
  dies(call: number): When | undefined;
  /** The call fails and the process lives: before its effect, or after it (a lost answer of the database). */
  fails(site: Site): 'before' | 'after' | undefined;
  /** How long a call takes. */
  latencyMs(site: Site): number;
  diedAt(site: Site, when: When): void;
  failedAt(site: Site, when: 'before' | 'after'): void;
}

/** Thrown inside a transaction of a process that dies there, so that the database undoes it. */
export class Killed extends Error {}

/** What a database throws when the connection is gone: whether it was done is not known. */
export class ConnectionGone extends Error {}

export interface ProcessOptions {
  kernel: Kernel;
  trace: Trace;
  fate: Fate;
  name: string;
  /** Counts the port calls of all processes of a seed. */
  count: () => number;
}

export class MortalProcess {
  readonly name: string;
  readonly death: Promise<void>;
  isDead = false;
  /** It does nothing, and keeps no lease. */
  standsStill = false;
  /** Calls of the book that are under way. */
  bookCalls = 0;
  readonly #options: ProcessOptions;
  #die: () => void = () => undefined;

  constructor(options: ProcessOptions) {
    this.#options = options;
    this.name = options.name;
    this.death = new Promise((resolve) => (this.#die = resolve));
  }

  /** Kills it from outside. */
  kill(): void {
    this.isDead = true;
    this.#die();
  }

  say(what: string): void {
    this.#options.trace.add(this.#options.kernel.nowMs, this.name, what);
  }

  /** @param effect is told whether the process dies within it */
  async call<T>(site: Site, effect: (dies: boolean) => Promise<T>, told?: (result: T) => string): Promise<T> {
    if (this.isDead) return await nothingEver<T>();
    const { fate } = this.#options;
    const death = fate.dies(this.#options.count());
    const failure = death === undefined ? fate.fails(site) : undefined;
    await this.#passTime(fate.latencyMs(site));
    if (this.isDead || death === 'before') return await this.#dying<T>(site, 'before');
    if (failure === 'before') this.#fail(site, failure);
    const result = await this.#took(effect, death === 'within');
    if (result === undefined || this.isDead) return await this.#dying<T>(site, 'within');
    this.say(told === undefined ? site : `${site} ${told(result.value)}`);
    if (death !== undefined) return await this.#dying<T>(site, death);
    if (failure === 'after') this.#fail(site, failure);
    await this.#passTime(fate.latencyMs(site));
    return this.isDead ? await nothingEver<T>() : result.value;
  }

  /** Undefined when it died within. */
  async #took<T>(effect: (dies: boolean) => Promise<T>, dies: boolean): Promise<{ value: T } | undefined> {
    try {
      return { value: await effect(dies) };
    } catch (error) {
      if (error instanceof Killed) return undefined;
      if (this.isDead) return await nothingEver();
      throw error;
    }
  }

  async #dying<T>(site: Site, when: When): Promise<T> {
    if (!this.isDead) {
      this.say(`dies ${when} ${site}`);
      this.#options.fate.diedAt(site, when);
      this.kill();
    }
    return await nothingEver<T>();
  }

  #fail(site: Site, when: 'before' | 'after'): never {
    this.say(`${site} fails ${when} it was done`);
    this.#options.fate.failedAt(site, when);
    throw new ConnectionGone(`sim: the connection was lost in ${site}`);
  }

  async #passTime(ms: number): Promise<void> {
    if (ms > 0) await this.#options.kernel.sleep(ms);
  }
}

/** What a dead process waits for. */
function nothingEver<T>(): Promise<T> {
  return new Promise<T>(() => undefined);
}

/** Draws how long calls take: most no time worth naming, some a little, few longer than a request stays fresh. */
export function latencyMs(chance: Stream, share: { some: number; long: number }): number {
  const drawn = chance.fraction();
  if (drawn < share.long) return chance.whole(600, 2_500);
  return drawn < share.long + share.some ? chance.whole(1, 40) : 0;
}
