/**
 * What all commands share: options, opening and closing, how an outcome is printed and what the exit status is.
 * Status: 0 done · 1 failed or incomplete · 2 wrong input, nothing done · 3 breaks, when asked for · 4 locked.
 */
import { LockHeld, WrongInput, messageOf } from '../src/core/errors.ts';
import { jsonText } from '../src/core/json.ts';
import { maskText } from '../src/core/mask.ts';
import type { CommonOptions, Context, ContextNeeds } from './context.ts';

export type { CommonOptions } from './context.ts';

export interface Outcome {
  status: 0 | 1 | 2 | 3;
  /** The document of `--json`. */
  document: unknown;
  /** For people, on stdout. */
  text: string;
}

export const EXIT = { done: 0, failed: 1, wrongInput: 2, breaks: 3, locked: 4 } as const;

/** Runs a command that needs a database, prints what comes of it and sets the exit status. */
export async function withContext(
  options: CommonOptions,
  needs: ContextNeeds,
  work: (context: Context) => Promise<Outcome>,
): Promise<void> {
  await finish(options, async () => {
    const { openContext } = await import('./context.ts');
    const context = await openContext(options, needs);
    try {
      return await work(context);
    } finally {
      await context.close();
    }
  });
}

/** Prints an outcome or an error and sets the exit status; the process ends when its work has. */
export async function finish(options: CommonOptions, work: () => Promise<Outcome>): Promise<void> {
  try {
    const outcome = await work();
    process.exitCode = outcome.status;
    await print(options.json ? jsonText(outcome.document) : outcome.text);
  } catch (error) {
    process.exitCode = statusOf(error);
    tellError(error);
    if (options.json) await print(jsonText(errorDocument(error)));
  }
}

function statusOf(error: unknown): number {
  if (error instanceof WrongInput) return EXIT.wrongInput;
  if (error instanceof LockHeld) return EXIT.locked;
  return EXIT.failed;
}

/** One clear sentence a fault; a stack only for a fault of the program itself. */
function tellError(error: unknown): void {
  const isOurs = error instanceof Error && error.message.startsWith('Bug:');
  const text = isOurs ? (error.stack ?? error.message) : messageOf(error);
  process.stderr.write(`recon: ${maskText(text, [])}\n`);
}

function errorDocument(error: unknown) {
  const faults = error instanceof WrongInput ? error.faults : [];
  return {
    schema: 1,
    error: { kind: error instanceof Error ? error.name : 'Error', message: messageOf(error), faults },
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
