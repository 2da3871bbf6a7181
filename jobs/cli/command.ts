/**
 * What all commands share: options, opening and closing, how an outcome is printed and what the exit status is.
 * Status: 0 done · 1 failed or incomplete · 2 wrong input, nothing done · 3 an amount stands open, when asked for ·
 * 4 locked.
 */
import { LockHeld, WrongInput, codeOf, messageOf } from '../../src/core/errors.ts';
import { writeJson } from '../../src/core/json-document.ts';
import { jsonText } from '../../src/core/json.ts';
import type { LongList } from '../../src/core/long-list.ts';
import { maskPersonal, maskText } from '../../src/core/mask.ts';
import type { CommonOptions, Context, ContextNeeds, Ready } from '../context/context.ts';
import { forTerminal } from '../context/terminal.ts';

export type { CommonOptions } from '../context/context.ts';

export interface Outcome<D extends object = object> {
  status: 0 | 1 | 2 | 3;
  /** The document of `--json`; undefined when it has been printed already. Its long lists are read as it is printed. */
  document: D | undefined;
  /** For people, on stdout. */
  text: string;
  /** The same where there may be any number of lines; the text comes after them. */
  lines?: LongList<string>;
  /** The text says what is wrong with the input and belongs on stderr. */
  isRefusal?: boolean;
}

export const EXIT = { done: 0, failed: 1, wrongInput: 2, breaks: 3, locked: 4 } as const;

/** What arguments are read with: the service's zone and the job's clock. */
export type Surroundings = Pick<Ready, 'zone' | 'clock'>;

/** The same with the profile, and with the settings once they are right. */
export interface KnownSurroundings extends Surroundings {
  profile: Ready['profile'];
  settings?: Ready['settings'] | undefined;
}

export interface CommandNeeds<T> extends ContextNeeds {
  /** Reads the command's own arguments, before anything is opened (I1). @throws WrongInput */
  arguments?: (at: KnownSurroundings) => T | Promise<T>;
  /** What a signal leaves behind, and the command that goes on from there. */
  afterStop?: (given: T) => string;
}

/** What a command does, whoever calls it: the command line, or a program (`jobs/api`). */
export interface Job<T, D extends object> {
  needs: CommandNeeds<T>;
  work: (context: Context, given: T) => Promise<Outcome<D>>;
  /** Once the outcome is told, or the work has failed: whom else it is told keeps nobody from it. */
  afterwards?: (context: Context) => Promise<void>;
}

/** Runs a command that nothing else calls. */
export function withContext<T>(
  options: CommonOptions,
  needs: CommandNeeds<T>,
  work: (context: Context, given: T) => Promise<Outcome>,
): Promise<void> {
  return runJob(options, { needs, work });
}

/** Runs a job that needs a database, prints what comes of it and sets the exit status. */
export async function runJob<T, D extends object>(
  options: CommonOptions,
  { needs, work, afterwards }: Job<T, D>,
): Promise<void> {
  await finish(options, async () => {
    const { openReady } = await import('../context/context.ts');
    const { AFTER_STOP, stoppedError } = await import('../context/stop-signals.ts');
    const { ready, given } = await readAll(options, needs);
    const afterStop = needs.afterStop?.(given) ?? AFTER_STOP;
    const context = await openReady(ready, needs, afterStop);
    try {
      return await told(options, await work(context, given));
    } catch (error) {
      throw stoppedError(context.signal, error, afterStop);
    } finally {
      await afterwards?.(context);
      await context.close();
    }
  });
}

/** Settings and arguments are both looked at before either is complained about. */
async function readAll<T>(
  options: CommonOptions,
  needs: CommandNeeds<T>,
): Promise<{ ready: Ready; given: T }> {
  const { prepare, usualSurroundings } = await import('../context/context.ts');
  const faults: WrongInput[] = [];
  const ready = await orFault(faults, () => prepare(options, needs));
  if (ready !== undefined) hideInMessages(ready.settings.secrets);
  const given = await orFault(faults, () => needs.arguments?.(ready ?? usualSurroundings()));
  if (ready !== undefined && faults.length === 0) return { ready, given: given as T };
  const [only, ...others] = faults;
  if (only !== undefined && others.length === 0) throw only;
  throw new WrongInput('wrong settings and arguments:', faults.flatMap(sentencesOf));
}

async function orFault<T>(faults: WrongInput[], read: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof WrongInput)) throw error;
    faults.push(error);
    return undefined;
  }
}

function sentencesOf(error: WrongInput): readonly string[] {
  return error.faults.length > 0 ? error.faults : [error.message];
}

/** Prints an outcome or an error and sets the exit status; the process ends when its work has. */
export async function finish(options: CommonOptions, work: () => Promise<Outcome>): Promise<void> {
  try {
    await told(options, await work());
  } catch (error) {
    await refuse(options, error);
  }
}

/** The outcome as it stands when it has been printed: what it reads while it is printed may be gone by then. */
export async function told(options: CommonOptions, outcome: Outcome): Promise<Outcome> {
  process.exitCode = outcome.status;
  await printOutcome(options, outcome);
  return { status: outcome.status, document: undefined, text: '' };
}

/** Tells an error on stderr, and as a document on stdout where one was asked for. */
export async function refuse(options: CommonOptions, error: unknown): Promise<void> {
  process.exitCode = statusOf(error);
  tellError(error);
  if (options.json !== true) return;
  try {
    await print(jsonText(errorDocument(error)));
  } catch (unwritten) {
    tellError(unwritten);
  }
}

/** For a command that says something before it ends. */
export async function printOutcome(
  options: CommonOptions,
  { document, text, lines, isRefusal }: Omit<Outcome, 'status'>,
): Promise<void> {
  if (isRefusal === true) process.stderr.write(`recon: ${forTerminal(text)}\n`);
  else if (options.json !== true) {
    await lines?.forEachPiece((some) => print(forTerminal(some.join('\n'))));
    await print(forTerminal(text));
  }
  if (options.json === true && document !== undefined) {
    await writeJson(document, write);
    await write('\n');
  }
}

function statusOf(error: unknown): number {
  if (error instanceof WrongInput) return EXIT.wrongInput;
  if (error instanceof LockHeld) return EXIT.locked;
  return EXIT.failed;
}

/** The secrets of this process: no message of it may show them (S4). */
let hidden: readonly string[] = [];

export function hideInMessages(secrets: readonly string[]): void {
  hidden = secrets;
}

/** What a library says may quote data; our own errors are written so that they do not. */
function tellable(error: unknown, text: string): string {
  const masked = maskText(text, hidden);
  const isOurs = error instanceof Error && 'facts' in error;
  return isOurs ? masked : maskPersonal(masked);
}

/** One clear sentence a fault; a stack only for a fault of the program itself. */
export function tellError(error: unknown, isUncaught = false): void {
  const isBug = error instanceof Error && (isUncaught || error.message.startsWith('Bug:'));
  const text = isBug ? (error.stack ?? error.message) : messageOf(error);
  process.stderr.write(`recon: ${forTerminal(tellable(error, text))}\n`);
}

function errorDocument(error: unknown) {
  const faults = error instanceof WrongInput ? sentencesOf(error) : [];
  return {
    schema: 1,
    error: {
      kind: error instanceof Error ? error.name : 'Error',
      message: tellable(error, messageOf(error)),
      faults: faults.map((fault) => tellable(error, fault)),
    },
  };
}

async function print(text: string): Promise<void> {
  if (text !== '') await write(text.endsWith('\n') ? text : `${text}\n`);
}

/** What a pipe that is closed says, and what it says of all that comes after. */
const CLOSED: ReadonlySet<string> = new Set(['EPIPE', 'ERR_STREAM_DESTROYED']);

/** Waits until it is written: a pipe that is closed early is no reason to fail (H17). */
function write(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (error && !CLOSED.has(codeOf(error) ?? '')) reject(error);
      else resolve();
    });
  });
}
