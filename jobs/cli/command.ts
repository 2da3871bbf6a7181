/**
 * What all commands share: options, opening and closing, how an outcome is printed and what the exit status is.
 * Status: 0 done · 1 failed or incomplete · 2 wrong input, nothing done · 3 an amount stands open, when asked for ·
 * 4 locked.
 */
import { LockHeld, WrongInput, messageOf } from '../../src/core/errors.ts';
import { jsonText } from '../../src/core/json.ts';
import { maskPersonal, maskText } from '../../src/core/mask.ts';
import type { CommonOptions, Context, ContextNeeds, Ready } from '../context/context.ts';
import { forTerminal } from '../context/terminal.ts';

export type { CommonOptions } from '../context/context.ts';

export interface Outcome {
  status: 0 | 1 | 2 | 3;
  /** The document of `--json`; undefined when it has been printed already. */
  document: unknown;
  /** For people, on stdout. */
  text: string;
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
}

/** Runs a command that needs a database, prints what comes of it and sets the exit status. */
export async function withContext<T>(
  options: CommonOptions,
  needs: CommandNeeds<T>,
  work: (context: Context, given: T) => Promise<Outcome>,
): Promise<void> {
  await finish(options, async () => {
    const { openReady } = await import('../context/context.ts');
    const { ready, given } = await readAll(options, needs);
    const context = await openReady(ready, needs);
    try {
      return await work(context, given);
    } finally {
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
    const outcome = await work();
    process.exitCode = outcome.status;
    await printOutcome(options, outcome);
  } catch (error) {
    await refuse(options, error);
  }
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
  outcome: Pick<Outcome, 'document' | 'text' | 'isRefusal'>,
): Promise<void> {
  if (outcome.isRefusal === true) process.stderr.write(`recon: ${forTerminal(outcome.text)}\n`);
  else if (options.json !== true) await print(forTerminal(outcome.text));
  if (options.json === true && outcome.document !== undefined) await print(jsonText(outcome.document));
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

/** Waits until it is written: a pipe that is closed early is no reason to fail (H17). */
function print(text: string): Promise<void> {
  if (text === '') return Promise.resolve();
  return new Promise((resolve, reject) => {
    process.stdout.write(text.endsWith('\n') ? text : `${text}\n`, (error) => {
      if (error && (error as NodeJS.ErrnoException).code !== 'EPIPE') reject(error);
      else resolve();
    });
  });
}
