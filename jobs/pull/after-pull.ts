/** A night takes what is new from the company's database; what is wrong with that keeps no books from being proven. */
import { BooksNotPulled, LockHeld, messageOf } from '../../src/core/errors.ts';
import type { BooksSettings } from '../../src/core/config/config-books.ts';
import type { Day } from '../../src/core/time.ts';
import { tellOfPull } from '../alerts/watch-night.ts';
import type { Context } from '../context/context.ts';
import { WHAT_IS_NEW, refusalLines, runPull } from './run-pull.ts';

/**
 * What could not be pulled is thrown after the night, which is incomplete without the ledger of its day, so that it ends
 * with status 1 and is told of.
 * @throws LockHeld while another process pulls or takes files in
 */
export async function afterPull<T>(context: Context, day: Day, night: () => Promise<T>): Promise<T> {
  const { books } = context.settings;
  if (books === undefined) return night();
  const failure = await tryToPull(context, books);
  if (failure !== undefined) await tellOfPull(context, { day, error: failure });
  const outcome = await night();
  if (failure !== undefined) throw failure;
  return outcome;
}

/** @returns what made it impossible */
async function tryToPull(context: Context, books: BooksSettings): Promise<BooksNotPulled | undefined> {
  try {
    const result = await runPull(context, books, WHAT_IS_NEW);
    const { database, pulls } = result;
    for (const { kind, rows, added, replaced, pieces, completeTo } of pulls)
      context.log.info({ event: 'pull.done', database, kind, rows, added, replaced, pieces, completeTo });
    const refusal = refusalLines(result);
    return refusal.length === 0 ? undefined : notPulled(context, refusal.join('\n'));
  } catch (error) {
    if (context.signal.aborted || error instanceof LockHeld) throw error;
    return notPulled(context, messageOf(error), error);
  }
}

function notPulled(context: Context, reason: string, cause?: unknown): BooksNotPulled {
  context.log.error({ event: 'pull.failed', reason });
  const text = `the books of the company's database were not taken in:\n${reason}`;
  context.tell(text);
  return new BooksNotPulled(text, {}, { cause });
}
