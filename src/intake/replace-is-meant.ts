/**
 * A replacing file that lacks much of what it replaces is cut off, or of other days or accounts, more often than it
 * is right: it says what it would withdraw and has to be asked for twice.
 */
import type { Transaction } from 'kysely';

import { WrongInput } from '../core/errors.ts';
import { yuanForPeople } from '../core/fen.ts';
import type { Window } from '../core/window.ts';
import { listToWithdraw, sumInWindow, sumToWithdraw } from '../store/intake/ledger-withdrawal.ts';
import type { EntrySum, NamedEntry } from '../store/intake/ledger-withdrawal.ts';
import type { Tables } from '../store/schema/schema.ts';
import { entryText } from './booked-once.ts';
import { shownValue } from './fault-list.ts';

/** One in twenty, of the entries or of the money they moved, is as much as corrections of a day take away. */
const SHARE_MAX = 20;
const EXAMPLES_MAX = 5;

export interface Replacing {
  file: string;
  source: string;
  window: Window;
  timeZone: string;
}

/** @throws WrongInput when the file would withdraw more than a few per cent of the days it spans */
export async function requireReplaceMeant(
  trx: Transaction<Tables>,
  { file, source, window, timeZone }: Replacing,
): Promise<void> {
  const missing = { source, missingIn: window };
  const [gone, all] = [
    await sumToWithdraw(trx, missing, timeZone),
    await sumInWindow(trx, { source, window }, timeZone),
  ];
  const isFew = gone.entries * SHARE_MAX <= all.entries && gone.grossFen * BigInt(SHARE_MAX) <= all.grossFen;
  if (isFew) return;
  const examples = await listToWithdraw(trx, missing, { timeZone, limit: EXAMPLES_MAX });
  throw new WrongInput(
    `${file} was not taken in: --replace would withdraw ${shareText(source, { part: gone, whole: all })}. If the file has all that is true of these days: --force`,
    examples.map(namedText),
  );
}

function shareText(source: string, { part, whole }: { part: EntrySum; whole: EntrySum }): string {
  const count = `${part.entries} of the ${whole.entries} entries that "${source}" has`;
  const days = `from ${whole.fromDay ?? ''} to ${whole.toDay ?? ''}`;
  const openings = part.openings === 0 ? '' : ', the opening among them';
  const amounts = `${yuanForPeople(part.grossFen)} of ${yuanForPeople(whole.grossFen)} yuan`;
  return `${count} ${days}, ${amounts}${openings}`;
}

/** `"E10": 62001, deposit, no reference, 1.00 yuan, 2026-03-11` */
export function namedText(entry: NamedEntry): string {
  return `"${shownValue('entry_id', entry.entryId)}": ${entryText(entry)}`;
}
