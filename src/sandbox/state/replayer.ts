/**
 * Plays the inputs of a state file again, each at its instant and with what it found, and sees that the same
 * comes of each. It writes nothing.
 */
import { epochMs } from '../../core/time.ts';
import type { Sandbox } from '../server/sandbox.ts';
import type { ControlReply, ControlRequest, SandboxReply, SandboxRequest } from '../protocol/exchange.ts';
import type { TriedPush } from '../world/pushes.ts';
import type { Recorder } from '../server/recorder.ts';
import type { World } from '../world/world.ts';
import type { Entry, Found } from './journal-lines.ts';
import { attempt, codeOfReply, HELD } from './result.ts';

/** Something else came of an input than is written. */
export interface Difference {
  written: string;
  now: string;
}

export class Replayer implements Recorder {
  #world: World | undefined;
  #found: Found | undefined;
  #code = '';
  #afterMs = -Infinity;
  /** Requests that were held, by their lines, until they are carried out. */
  readonly #held = new Map<number, () => SandboxReply>();

  get world(): World {
    if (!this.#world) throw new Error('Bug: there is no sandbox to play on');
    return this.#world;
  }

  /** The instant the clock showed when the last input was done. */
  get afterMs(): number {
    return this.#afterMs;
  }

  /** @returns undefined when the same came of it */
  play(sandbox: Sandbox, entry: Entry, line: number): Difference | undefined {
    if ('at' in entry) this.#afterMs = epochMs(entry.at);
    if ('push' in entry) return this.#pushOf(entry.push);
    if ('rsaKeys' in entry) {
      this.world.rsa.restore(entry.rsaKeys);
      return undefined;
    }
    this.#found = entry.found;
    if ('request' in entry) this.#request(sandbox, entry.request, line);
    else if ('control' in entry) {
      this.#code = attempt(
        () => sandbox.control(entry.control),
        ({ status }) => String(status),
      ).code;
    } else this.#resumed(entry.resumed);
    return this.#code === entry.code ? undefined : { written: entry.code, now: this.#code };
  }

  begun(world: World): void {
    this.#world = world;
  }

  answer(world: World, _request: SandboxRequest, carryOut: () => SandboxReply): SandboxReply {
    return this.#asFound(world, carryOut);
  }

  control(world: World, _request: ControlRequest, carryOut: () => ControlReply): ControlReply {
    return this.#asFound(world, carryOut);
  }

  pushTried(): void {
    throw new Error('Bug: a push was tried while a state is played');
  }

  keysMade(): void {
    throw new Error('Bug: RSA keys were made while a state is played');
  }

  #request(sandbox: Sandbox, request: SandboxRequest, line: number): void {
    const { code, result } = attempt(
      () => sandbox.answer(request),
      (reply) => codeOfReply(this.world, reply),
    );
    this.#code = code;
    if (code === HELD && result?.fault?.kind === 'hold') this.#held.set(line, result.fault.resume);
  }

  #resumed(line: number): void {
    const { world } = this;
    const resume = this.#held.get(line);
    this.#held.delete(line);
    if (!resume) {
      this.#code = `no request held in line ${line}`;
      return;
    }
    const carryOut = (): SandboxReply => this.#asFound(world, resume);
    this.#code = attempt(
      () => world.clock.during(carryOut),
      (reply) => codeOfReply(world, reply),
    ).code;
  }

  #pushOf({ attempt: made, ...push }: Extract<Entry, { push: unknown }>['push']): Difference | undefined {
    const tried: TriedPush = { ...push, attempt: { ...made, status: made.status } };
    return this.world.pushes.restore(tried) ? undefined : { written: `push ${push.no}`, now: 'no such push' };
  }

  #asFound<T>(world: World, carryOut: () => T): T {
    const found = this.#found;
    if (!found) throw new Error('Bug: an input is played without what it found');
    world.clock.set(found.at);
    world.random.state = found.random;
    if (found.calls) Object.assign(world.calls, { second: found.calls[0], count: found.calls[1] });
    world.reqIds.begin(found.reused);
    try {
      return carryOut();
    } finally {
      this.#afterMs = world.clock.nowMs();
    }
  }
}

/** The clock goes on from the last input as it went then. */
export function goOn(world: World, last: { offsetMs: number | null; afterMs: number }): void {
  if (last.offsetMs === null) world.clock.freeze();
  else world.clock.goOn({ offsetMs: last.offsetMs, notBeforeMs: last.afterMs });
}
