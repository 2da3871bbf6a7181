/**
 * Writes down the inputs that change a sandbox, each before it is answered. Reading is written down only where
 * it has an effect: weeks of nightly reading leave no trace in the file.
 */
import { messageOf, Stopped } from '../../core/errors.ts';
import type { ControlReply, ControlRequest, SandboxReply, SandboxRequest } from '../protocol/exchange.ts';
import type { TriedPush } from '../world/pushes.ts';
import type { Recorder } from '../server/recorder.ts';
import type { ScenarioChoice } from '../scenarios/scenario.ts';
import type { World } from '../world/world.ts';
import { JournalFile } from './journal-file.ts';
import type { Entry, Header } from './journal-lines.ts';
import { attempt, codeOfReply, HELD } from './result.ts';
import type { Attempt } from './result.ts';
import { foundBy, hasChanged, lookBefore } from './what-changes.ts';
import type { Before } from './what-changes.ts';

export interface ScribeOptions {
  world: World;
  file: JournalFile;
  /** How many lines it has. */
  lines: number;
  headerOf: (world: World, scenario: ScenarioChoice) => Header;
  /** Called once when the disk has refused: nothing is answered from then on. */
  onBroken: (why: Stopped) => void;
}

export class JournalWriter implements Recorder {
  #world: World;
  #file: JournalFile;
  #lines: number;
  #hasKeys: boolean;
  #brokenBy: Stopped | undefined;
  readonly #headerOf: ScribeOptions['headerOf'];
  readonly #onBroken: ScribeOptions['onBroken'];

  constructor({ world, file, lines, headerOf, onBroken }: ScribeOptions) {
    this.#world = world;
    this.#file = file;
    this.#lines = lines;
    this.#headerOf = headerOf;
    this.#onBroken = onBroken;
    this.#hasKeys = world.rsa.made !== undefined;
  }

  /** A reset: the state begins anew, and what was is kept beside it. */
  begun(world: World, scenario: ScenarioChoice): void {
    const keys = keysEntry(world);
    const entries = [this.#headerOf(world, scenario), ...(keys ? [keys] : [])];
    const lines = entries.map((entry) => JSON.stringify(entry));
    this.#write(() => {
      const former = this.#file;
      this.#file = JournalFile.begin(former.path, lines);
      former.close();
    });
    this.#lines = lines.length;
    this.#world = world;
  }

  answer(world: World, request: SandboxRequest, carryOut: () => SandboxReply): SandboxReply {
    this.#requireWhole();
    const before = lookBefore(world);
    const made = attempt(carryOut, (reply) => codeOfReply(world, reply));
    if (!hasChanged(world, request, { before, code: made.code })) return made.give();
    this.#append({ request: bare(request), ...outcome(world, before, made.code) });
    return this.#given(made.code === HELD ? this.#holding(world, made) : made);
  }

  control(world: World, request: ControlRequest, carryOut: () => ControlReply): ControlReply {
    this.#requireWhole();
    if (request.method !== 'POST') return carryOut();
    const before = lookBefore(world);
    const made = attempt(carryOut, ({ status }) => String(status));
    const wasReset = world !== this.#world;
    if (!wasReset && made.code !== '404') {
      this.#append({ control: bare(request), ...outcome(world, before, made.code) });
    }
    return this.#given(made);
  }

  pushTried(world: World, { no, isExtra, acknowledged, attempt: { status, ...made } }: TriedPush): void {
    if (world !== this.#world) return;
    const kept = { ...made, ...(status === undefined ? {} : { status }) };
    this.#append({ push: { no, isExtra, acknowledged, attempt: kept }, ...clockOf(world) });
  }

  keysMade(world: World): void {
    const keys = this.#hasKeys ? undefined : keysEntry(world);
    if (!keys) return;
    this.#append(keys);
    this.#hasKeys = true;
    this.#requireWhole();
  }

  close(): void {
    this.#file.close();
  }

  /** A request that is carried out later is written down once more when that has been done. */
  #holding(world: World, made: Attempt<SandboxReply>): Attempt<SandboxReply> {
    const { result } = made;
    const { fault } = result ?? {};
    if (!result || fault?.kind !== 'hold') return made;
    const line = this.#lines;
    const resume = (): SandboxReply => this.#resume(world, line, fault.resume);
    return { ...made, give: () => ({ ...result, fault: { ...fault, resume } }) };
  }

  /** What was held before a reset belongs to a world that is gone. */
  #resume(world: World, line: number, carryOut: () => SandboxReply): SandboxReply {
    if (world !== this.#world) return carryOut();
    this.#requireWhole();
    return world.clock.during(() => {
      const before = lookBefore(world);
      const made = attempt(carryOut, (reply) => codeOfReply(world, reply));
      this.#append({ resumed: line, ...outcome(world, before, made.code) });
      return this.#given(made);
    });
  }

  /** What was not written down is not answered. */
  #given<T>(made: Attempt<T>): T {
    this.#requireWhole();
    return made.give();
  }

  #requireWhole(): void {
    if (this.#brokenBy) throw this.#brokenBy;
  }

  #append(entry: Entry): void {
    this.#write(() => this.#file.append(JSON.stringify(entry)));
    this.#lines++;
  }

  #write(write: () => void): void {
    if (this.#brokenBy) return;
    try {
      write();
    } catch (error) {
      const { path } = this.#file;
      const message = `cannot write the sandbox's state to ${path}: ${messageOf(error)}; free the disk and start again, nothing that was answered is lost`;
      this.#brokenBy = new Stopped(message, { path }, { cause: error });
      this.#onBroken(this.#brokenBy);
    }
  }
}

function outcome(world: World, before: Before, code: string) {
  return { found: foundBy(world, before), code, offsetMs: world.clock.offsetMs ?? null };
}

function clockOf(world: World) {
  return { at: world.clock.now(), offsetMs: world.clock.offsetMs ?? null };
}

function keysEntry(world: World): Entry | undefined {
  const { made } = world.rsa;
  return made && { rsaKeys: made, ...clockOf(world) };
}

/** Without what a transport may have put beside. */
function bare({ method, path, contentType, body }: SandboxRequest): SandboxRequest {
  return { method, path, contentType, body };
}
