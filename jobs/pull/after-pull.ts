/** A night takes what is new from the company's database; what is wrong with that keeps no books from being proven. */
import { LockHeld, Stopped, WrongInput, messageOf } from '../../src/core/errors.ts';
import type { BooksSettings } from '../../src/core/config/config-books.ts';
import type { Context } from '../context/context.ts';
import { WHAT_IS_NEW, refusalLines, runPull } from './run-pull.ts';

/**
 * What could not be pulled is thrown after the night, which is incomplete without the ledger of its day, so that it ends
 * with status 1 and is told of.
 * @throws LockHeld while another process pulls or takes files in
 */
export async function afterPull<T>(context: Context, night: () => Promise<T>): Promise<T> {
  const { books } = context.settings;
  if (books === undefined) return night();
  const failure = await tryToPull(context, books);
  const outcome = await night();
  if (failure !== undefined) throw failure;
  return outcome;
}

/** @returns what made it impossible */
async function tryToPull(context: Context, books: BooksSettings): Promise<Error | undefined> {
  try {
    const result = await runPull(context, books, WHAT_IS_NEW);
    const { database, pulls } = result;
    for (const { kind, rows, added, replaced, pieces, completeTo } of pulls)
      context.log.info({ event: 'pull.done', database, kind, rows, added, replaced, pieces, completeTo });
    const refusal = refusalLines(result);
    if (refusal.length === 0) return undefined;
    return refused(context, new WrongInput(refusal.join('\n')));
  } catch (error) {
    if (context.signal.aborted || error instanceof LockHeld) throw error;
    return refused(context, error);
  }
}

function refused(context: Context, error: unknown): Error {
  const reason = messageOf(error);
  context.log.error({ event: 'pull.failed', reason });
  context.tell(`the books of the company's database were not taken in: ${reason}`);
  return error instanceof WrongInput
    ? new Stopped(`the books of the company's database were not taken in: ${reason}`, {}, { cause: error })
    : error instanceof Error
      ? error
      : new Error(reason);
}
