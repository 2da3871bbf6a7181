/**
 * Money is booked once: a file that another source has already, or that the same source has under other ids, would
 * double the books, and every balance with them. It is refused; single entries that look alike are named.
 */
import type { Transaction } from 'kysely';

import { WrongInput } from '../core/errors.ts';
import { yuanForPeople } from '../core/fen.ts';
import type { Fen } from '../core/fen.ts';
import {
  countLookAlikes,
  findLookAlikes,
  listLookAlikes,
  listOverlaps,
} from '../store/intake/ledger-look-alikes.ts';
import type { AskedBooks, LookAlike, Overlap } from '../store/intake/ledger-look-alikes.ts';
import type { Tables } from '../store/schema/schema.ts';
import { shownValue } from './fault-list.ts';

export interface LookAlikes {
  /** Entries of the file. */
  lookAlikeCount: number;
  /** The first hundred, by row; an entry that several sources have stands once for each. */
  lookAlikes: LookAlike[];
}

export const NO_LOOK_ALIKES: LookAlikes = { lookAlikeCount: 0, lookAlikes: [] };

const LISTED_MAX = 100;
const EXAMPLES_MAX = 5;
/** Two of some thousand entries may be alike without a reference; three that make up most of a file are no chance. */
const CHANCE_MAX = 2;
/** So many entries are a piece of other books, however large the rest of the file is. */
const PIECE_MIN = 10;

/** @throws WrongInput when most of what is new is in the books already, unless it is meant */
export async function bookOnce(
  trx: Transaction<Tables>,
  asked: AskedBooks & { file: string; force: boolean },
): Promise<LookAlikes> {
  const news = await findLookAlikes(trx, asked);
  const overlaps = await listOverlaps(trx);
  const doubled = overlaps.find((overlap) => isDoubled(overlap, { news, source: asked.source }));
  if (doubled !== undefined && !asked.force) {
    const examples = await listLookAlikes(trx, { source: doubled.source, limit: EXAMPLES_MAX });
    throw new WrongInput(refusalText(asked, { news, doubled }), examples.map(lookAlikeText));
  }
  const lookAlikeCount = await countLookAlikes(trx);
  return { lookAlikeCount, lookAlikes: await listLookAlikes(trx, { limit: LISTED_MAX }) };
}

/** Most of the file, or a piece of it: most of what it has on the accounts and days in question. */
function isDoubled(
  { source, alike, referenced, nearby }: Overlap,
  file: { news: number; source: string },
): boolean {
  const mayBeChance = alike <= CHANCE_MAX && (referenced === 0 || source === file.source);
  return !mayBeChance && (alike * 2 > file.news || (alike >= PIECE_MIN && alike * 2 > nearby));
}

function refusalText(
  { file, source }: { file: string; source: string },
  { news, doubled }: { news: number; doubled: Overlap },
): string {
  const name = doubled.source;
  const sum = `${yuanForPeople(doubled.alikeFen)} yuan together`;
  const head = `${file} was not taken in: ${doubled.alike} of its ${news} new entries (${sum}) are in the books already`;
  const equal = 'the same account, kind, reference, amount and day';
  const meant = 'If all of it is meant as it stands: --force';
  if (name === source) {
    return `${head}, from "${name}" itself, under other ids: ${equal}. If the ids of these books have changed: --replace. ${meant}`;
  }
  const another = `If it is another state of those books, name them: --source ${argument(name)}`;
  const renamed = `If "${name}" is to be called "${source}" from now on, withdraw it first: recon ledger withdraw --source ${argument(name)}`;
  return `${head}, from the source "${name}": ${equal}. ${another}. ${renamed}. ${meant}`;
}

/** As it is typed in a shell; a source's name has no sign that quotation marks would not hold. */
function argument(name: string): string {
  return name.includes(' ') ? `"${name}"` : name;
}

/** `row 2: "E1" is like "E9" of erp: 62001, deposit, D1, 1.00 yuan, 2026-01-01` */
export function lookAlikeText(found: LookAlike): string {
  const [id, other] = [shownValue('entry_id', found.entryId), shownValue('entry_id', found.otherEntryId)];
  return `row ${found.row}: "${id}" is like "${other}" of ${found.source}: ${entryText(found)}`;
}

/** What an entry is about, in words. */
export function entryText(entry: {
  accountNo: string;
  kind: string;
  reference: string;
  amountFen: Fen;
  day: string;
}): string {
  const { accountNo, kind, reference, amountFen, day } = entry;
  const about = reference === '' ? 'no reference' : shownValue('reference', reference);
  return `${accountNo}, ${kind}, ${about}, ${yuanForPeople(amountFen)} yuan, ${day}`;
}
