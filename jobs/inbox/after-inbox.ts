/** A night begins with what was delivered; what is wrong with the inbox keeps no books from being proven. */
import { LockHeld, messageOf } from '../../src/core/errors.ts';
import { tellOfInbox } from '../alerts/watch-night.ts';
import type { Context } from '../context/context.ts';
import { takeInbox } from './take-inbox.ts';

/**
 * A file that fails is put away with its faults. An inbox that cannot be used at all is thrown after the night, so that
 * it ends with status 1.
 * @throws LockHeld while another process takes files in
 */
export async function afterInbox<T>(context: Context, night: () => Promise<T>): Promise<T> {
  const { inbox } = context.settings;
  if (inbox === undefined) return night();
  const failure = await tryToTake(context, inbox);
  const outcome = await night();
  if (failure !== undefined) throw failure.error;
  return outcome;
}

/** @returns what made it impossible */
async function tryToTake(context: Context, inbox: string): Promise<{ error: unknown } | undefined> {
  try {
    const files = await takeInbox(context, inbox, (found) => tellOfInbox(context, found));
    for (const { file, outcome, reason } of files) {
      if (outcome !== 'done') context.tell(`inbox: ${file} (${outcome}): ${reason}`);
    }
    return undefined;
  } catch (error) {
    if (context.signal.aborted || error instanceof LockHeld) throw error;
    context.log.error({ event: 'inbox.unusable', reason: messageOf(error) });
    return { error };
  }
}
