/**
 * A sandbox that is kept in a file (`recon sandbox --state FILE`): its inputs are written down before they are
 * answered and played again when it is opened, so that it goes on as if it had never been stopped. The file is
 * its owner's alone: it holds the bodies of calls, and the RSA keys once they were made. What mere reading
 * leaves (the log of requests, which reqIds were used within ten minutes) is kept as far as it is played again.
 */
import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';

import { Stopped, WrongInput } from '../../core/errors.ts';
import { jsonText } from '../../core/json.ts';
import type { Clock } from '../../core/ports.ts';
import { epochMs } from '../../core/time.ts';
import { createSandbox, DEFAULT_CHANNEL_CODE } from '../server/create-sandbox.ts';
import type { Sandbox } from '../server/sandbox.ts';
import type { SandboxOptions } from '../server/create-sandbox.ts';
import { DEFAULT_CREDENTIALS } from '../protocol/sandbox-keys.ts';
import type { Recorder } from '../server/recorder.ts';
import { scenarioSchema } from '../scenarios/scenario.ts';
import type { ScenarioChoice } from '../scenarios/scenario.ts';
import { checked } from '../world/seed-schema.ts';
import type { ServedCore } from '../server/serve.ts';
import type { World } from '../world/world.ts';
import { JournalFile, linesOf, stateFileAt } from './journal-file.ts';
import { entrySchema, FORMAT, headerSchema } from './journal-lines.ts';
import type { Entry, Header } from './journal-lines.ts';
import { goOn, Replayer } from './replayer.ts';
import { JournalWriter } from './journal-writer.ts';
import { lockState } from './state-lock.ts';
import type { StateLock } from './state-lock.ts';

export interface KeptOptions extends SandboxOptions {
  /** Of the file, where it is there: its scenario and seed stand, and others than these are refused. */
  path: string;
  clock: Clock;
  /** What a file that is not there yet begins with when no scenario is asked for; `empty` by default. */
  usualScenario?: ScenarioChoice;
}

export interface KeptSandbox {
  /** Steered by requests alone, the service's and the control surface's: they are what is written down. */
  readonly sandbox: ServedCore & Pick<Sandbox, 'credentials' | 'channelCode' | 'clientRsaKeys'>;
  readonly path: string;
  /** The name of its scenario now. */
  readonly scenario: string;
  /** How many inputs were played again. */
  readonly played: number;
  /** Bytes of a last line that was torn when its process was killed; they were cut off. */
  readonly cutBytes: number;
  /** Aborted with a `Stopped` when the disk refuses: nothing is answered from then on. */
  readonly broken: AbortSignal;
  close(): void;
}

/**
 * @throws LockHeld while another sandbox has the file
 * @throws WrongInput for a file that is none, or not of this sandbox, or in which an input now comes to
 * something else; it is left as it was
 */
export async function openKeptSandbox(options: KeptOptions): Promise<KeptSandbox> {
  const path = stateFileAt(options.path);
  const lock = locked(path);
  try {
    const isThere = existsSync(path) && statSync(path).size > 0;
    const { scribe, desk, ...opened } = isThere ? await goOnFrom(path, options) : begin(path, options);
    return {
      ...opened,
      path,
      get scenario() {
        return desk.scenario;
      },
      close: () => {
        scribe.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw asInput(path, error);
  }
}

function locked(path: string): StateLock {
  try {
    return lockState(path);
  } catch (error) {
    throw asInput(path, error);
  }
}

interface Opened extends Pick<KeptSandbox, 'broken' | 'played' | 'cutBytes'> {
  sandbox: Sandbox;
  scribe: JournalWriter;
  desk: Desk;
}

/** Who records changes when all has been played. */
interface Desk {
  recorder: Recorder;
  /** What was last begun. */
  scenario: string;
}

function sandboxAt(desk: Desk, options: SandboxOptions): Sandbox {
  return createSandbox({
    ...options,
    recorder: {
      begun: (world, scenario) => {
        desk.scenario = checked(scenarioSchema, scenario, 'scenario').name;
        desk.recorder.begun(world, scenario);
      },
      answer: (world, request, carryOut) => desk.recorder.answer(world, request, carryOut),
      control: (world, request, carryOut) => desk.recorder.control(world, request, carryOut),
      pushTried: (world, tried) => desk.recorder.pushTried(world, tried),
      keysMade: (world) => desk.recorder.keysMade(world),
    },
  });
}

function begin(path: string, options: KeptOptions): Opened {
  const replayer = new Replayer();
  const desk: Desk = { recorder: replayer, scenario: '' };
  const scenario = options.scenario ?? options.usualScenario ?? 'empty';
  const sandbox = sandboxAt(desk, { ...options, scenario });
  const header = headerBy(options)(replayer.world, scenario);
  const file = JournalFile.begin(path, [JSON.stringify(header)]);
  const taken = takeOver(desk, { options, file, lines: 1, world: replayer.world });
  return { ...taken, sandbox, played: 0, cutBytes: 0 };
}

async function goOnFrom(path: string, options: KeptOptions): Promise<Opened> {
  const replayer = new Replayer();
  const desk: Desk = { recorder: replayer, scenario: '' };
  let sandbox: Sandbox | undefined;
  let last: Last | undefined;
  let [lines, endByte] = [0, 0];
  for await (const line of linesOf(path)) {
    const where = `${path}:${line.no}`;
    if (!sandbox) {
      const header = headerIn(line.text, where, options);
      const { scenario, seed, startedAt, offsetMs } = header;
      sandbox = sandboxAt(desk, { ...options, scenario, seed, startedAt });
      last = { offsetMs, afterMs: epochMs(startedAt) };
    } else last = play(replayer, sandbox, { text: line.text, no: line.no, where });
    [lines, endByte] = [line.no, line.endByte];
  }
  if (!sandbox || !last) throw new WrongInput(`${path} is not the state of a sandbox: it has no whole line`);
  goOn(replayer.world, last);
  const { file, cutBytes } = JournalFile.goOn(path, endByte);
  const taken = takeOver(desk, { options, file, lines, world: replayer.world });
  return { ...taken, sandbox, played: lines - 1, cutBytes };
}

interface Last {
  offsetMs: number | null;
  afterMs: number;
}

function takeOver(
  desk: Desk,
  { options, ...at }: { options: KeptOptions; file: JournalFile; lines: number; world: World },
): Pick<Opened, 'scribe' | 'desk' | 'broken'> {
  const breaking = new AbortController();
  const onBroken = (why: Stopped): void => breaking.abort(why);
  const scribe = new JournalWriter({ ...at, headerOf: headerBy(options), onBroken });
  desk.recorder = scribe;
  return { scribe, desk, broken: breaking.signal };
}

/** @throws WrongInput when the line is no input, or something else comes of it than is written */
function play(
  replayer: Replayer,
  sandbox: Sandbox,
  { text, no, where }: { text: string; no: number; where: string },
): Last {
  const entry: Entry = readLine(entrySchema, text, where);
  const difference = replayer.play(sandbox, entry, no);
  if (difference) {
    throw new WrongInput(
      `${where}: this input came to "${difference.written}" when it was made and comes to "${difference.now}" now: ` +
        `the file was made by another version of this program, or edited; nothing was changed`,
    );
  }
  return { offsetMs: entry.offsetMs, afterMs: replayer.afterMs };
}

function readLine<S extends typeof entrySchema | typeof headerSchema>(
  schema: S,
  text: string,
  where: string,
): ReturnType<S['parse']> {
  try {
    return checked(schema, JSON.parse(text), where) as ReturnType<S['parse']>;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new WrongInput(
      `${where}: this is no line of a sandbox's state; nothing was changed`,
      [],
      {},
      { cause: error },
    );
  }
}

/** @throws WrongInput for another scenario, seed, channel, or other credentials or settings than it was begun with */
function headerIn(text: string, where: string, options: KeptOptions): Header {
  const header = readLine(headerSchema, text, where);
  const now = headerDigests(options);
  const faults: string[] = [];
  const compare = (what: string, written: unknown, given: unknown): void => {
    const [has, asked] = [JSON.stringify(written), JSON.stringify(given)];
    if (has !== asked) faults.push(`its ${what} is ${has}, asked for is ${asked}`);
  };
  if (options.scenario !== undefined) {
    compare('scenario', header.scenario, checked(scenarioSchema, options.scenario, 'scenario'));
  }
  if (options.seed !== undefined) compare('seed', header.seed, options.seed);
  compare('channel code', header.channelCode, options.channelCode ?? DEFAULT_CHANNEL_CODE);
  if (header.credentials !== now.credentials) faults.push('it was begun with other credentials');
  if (header.settings !== now.settings) {
    faults.push(
      'it was begun with another profile (PLATFORM_PROFILE), or by another version of this program',
    );
  }
  if (faults.length === 0) return header;
  throw new WrongInput(`${where} is the state of another sandbox; give another file, or:`, faults);
}

function headerBy(options: KeptOptions): (world: World, scenario: ScenarioChoice) => Header {
  const digests = headerDigests(options);
  return (world, scenario) => ({
    sandboxState: FORMAT,
    scenario: checked(scenarioSchema, scenario, 'scenario'),
    seed: world.seed,
    startedAt: world.startedAt,
    offsetMs: world.clock.offsetMs ?? null,
    channelCode: world.channelCode,
    ...digests,
  });
}

/** Secrets are told apart by their digest and not written. */
function headerDigests({
  credentials,
  rsa,
  profile,
  switches,
}: KeptOptions): Pick<Header, 'credentials' | 'settings'> {
  const given = rsa?.clientPublicKey.export({ type: 'spki', format: 'pem' }) ?? null;
  return {
    credentials: digestOf([credentials ?? DEFAULT_CREDENTIALS, given]),
    settings: digestOf([profile ?? null, switches ?? null]),
  };
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(jsonText(value)).digest('hex');
}

/** What the disk says becomes a fault of the argument; all else stays what it is. */
function asInput(path: string, error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error;
  return new WrongInput(`--state ${path}: ${error.message}`, [], {}, { cause: error });
}
