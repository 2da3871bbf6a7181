/** The books are pulled by one process at a time. */
import type { Transaction } from 'kysely';
import { WrongInput } from '../../src/core/errors.ts';
import type { BooksSettings } from '../../src/core/config/config-books.ts';
import { lookAlikeText } from '../../src/intake/booked-once.ts';
import { faultLines } from '../../src/intake/import-file.ts';
import type { PullRequest, PullResult, Pulled } from '../../src/intake/pull/pull.ts';
import type { Zone } from '../../src/core/time.ts';
import { keepLease } from '../../src/store/database/leases.ts';
import type { Tables } from '../../src/store/schema/schema.ts';
import type { Context } from '../context/context.ts';
import { countingRows } from '../context/progress.ts';
import { underLease } from '../context/under-lease.ts';
import { counted } from '../../src/core/text.ts';

export type PullWish = Pick<PullRequest, 'days' | 'rehearse' | 'replace' | 'force'>;

/** What a night asks for: whatever is new. */
export const WHAT_IS_NEW: PullWish = { days: undefined, rehearse: false, replace: false, force: false };

/** @throws LockHeld while another process pulls */
export function runPull(context: Context, books: BooksSettings, wish: PullWish): Promise<PullResult> {
  return underLease(context, 'pull', async (held, lease) => {
    const { db, zone, clock, log, signal, profile } = held;
    const { pullBooks } = await import('../../src/intake/pull/pull.ts');
    const adjustmentKind = profile.ledger.kinds.adjustment;
    const keep = (trx: Transaction<Tables>): Promise<void> => keepLease(trx, lease);
    const request = { db, zone, clock, log, signal, books, adjustmentKind, keep, ...wish };
    return countingRows(held.progress('pulled rows'), (progress) => pullBooks({ ...request, progress }));
  });
}

/** @throws WrongInput where no database is set */
export function requireBooks(books: BooksSettings | undefined): BooksSettings {
  if (books !== undefined) return books;
  throw new WrongInput('LEDGER_DATABASE_URL is not set: there is no database to take the books from');
}

/** What is wrong with the rows, or lacks among them, query by query; empty: nothing is. */
export function refusalLines({ pulls }: PullResult): string[] {
  return pulls.flatMap((pulled) => {
    if (pulled.faultCount === 0) return pulled.lacks;
    const faults = counted(pulled.faultCount, 'fault');
    const before = pulled.pieces > 1 ? `; the ${pulled.pieces - 1} pieces before it are in the books` : '';
    const head = `the rows of ${nameOf(pulled)} have ${faults}, nothing of them was taken in${before}:`;
    return [head, ...faultLines(pulled).map((line) => `- ${line}`)];
  });
}

export function pulledLines({ pulls }: PullResult, zone: Zone): string[] {
  return pulls.flatMap((pulled) => {
    if (pulled.faultCount > 0) return [];
    const { rows, added, replaced, unchanged, withdrawn, completeTo, lookAlikes, lookAlikeCount } = pulled;
    const counts = [`${added} added`, `${replaced} changed`, `${unchanged} unchanged`];
    if (withdrawn > 0) counts.push(`${withdrawn} withdrawn`);
    const complete = completeTo === null ? '' : `; complete to ${zone.localText(completeTo)}`;
    const alike =
      lookAlikeCount === 0
        ? []
        : [
            `warning: ${counted(lookAlikeCount, 'entry looks', 'entries look')} like what the books have already; whatever is booked twice counts twice`,
            ...lookAlikes.slice(0, SHOWN_MAX).map((found) => `- ${lookAlikeText(found)}`),
          ];
    return [`${nameOf(pulled)}: ${counted(rows, 'row')}, ${counts.join(', ')}${complete}`, ...alike];
  });
}

const SHOWN_MAX = 20;

function nameOf({ kind, source }: Pulled): string {
  return kind === 'ledger' ? `ledger "${source}"` : kind;
}
