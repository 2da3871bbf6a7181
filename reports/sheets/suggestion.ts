/** What a break probably is, from what the run found: a hint for whoever looks at it, which nothing is built on. */
import { absolute, yuanForPeople } from '../../src/core/fen.ts';
import { CANDIDATES_NAMED } from '../read/read-clues.ts';
import type { ItemClass } from '../read/read-items.ts';
import type { Suggested } from '../read/read-suggested.ts';
import { suggestionWordsEn, suggestionWordsZh } from '../words/breaks/suggestion-words.ts';
import { termsEn } from '../words/terms-en.ts';
import { termsZh } from '../words/terms-zh.ts';
import type { Locale } from '../words/terms.ts';
import type { Words } from '../words/words.ts';
import { amountSlip } from './amount-slip.ts';

/** The proof's own remark on an order that failed (`entry-has-movement.ts`). */
const ENDED_IN_VAIN = 'ended on the platform without moving money';

type Said = Pick<Words, 'suggestions' | 'classes'>;

/** No more of a report's words than these sentences take: lists of breaks are asked for all day. */
export const SUGGESTING: Readonly<Record<Locale, Said>> = {
  'zh-CN': { suggestions: suggestionWordsZh, classes: termsZh.classes },
  en: { suggestions: suggestionWordsEn, classes: termsEn.classes },
};

type Suggest = (words: Said, row: Suggested) => string;

/** Empty where the evidence says nothing. */
export function suggestionText(words: Said, row: Suggested): string {
  return SUGGESTED[row.class](words, row);
}

/** What happened says all there is to say, or waiting does. */
const nothing: Suggest = () => '';

const SUGGESTED: Readonly<Record<ItemClass, Suggest>> = {
  fee: nothing,
  amount: amountText,
  duplicate: duplicateText,
  account: otherHalf,
  ambiguous: otherHalf,
  unexplained: otherHalf,
  platform_only: (words, row) => otherHalf(words, row) || words.suggestions.unbooked(amountOf(row)),
  ledger_only: (words, row) => otherHalf(words, row) || words.suggestions.unknownToPlatform(amountOf(row)),
  state: (words, row) => (isBookedInVain(row) ? words.suggestions.failedButBooked(amountOf(row)) : ''),
  frozen: nothing,
  opening: nothing,
  empty_suspect: ({ suggestions: say }, { ledger_fen: ledger }) =>
    ledger === null || ledger === 0n ? '' : say.unlisted(yuanForPeople(ledger)),
  fee_invariant: nothing,
  batch_children: nothing,
  record_changed: nothing,
  record_vanished: nothing,
  state_regression: nothing,
  bad_record: nothing,
  period_changed: nothing,
  settle_failed: nothing,
  unknown_state: nothing,
  voucher_missing: nothing,
  in_flight: nothing,
  pending: nothing,
  late: nothing,
  unknown_not_found: nothing,
};

function amountText(
  { suggestions: say }: Said,
  { platform_fen: platform, ledger_fen: ledger }: Suggested,
): string {
  if (platform === null || ledger === null || platform === ledger) return '';
  if (platform === 0n) return say.takenBack(yuanForPeople(absolute(ledger)));
  const slip = amountSlip(platform, ledger);
  if (slip !== undefined)
    return say[slip]({ platform: yuanForPeople(platform), ledger: yuanForPeople(ledger) });
  // In the direction in which the platform moved it: the other way round is less than nothing.
  const difference = platform < 0n ? platform - ledger : ledger - platform;
  const amount = yuanForPeople(absolute(difference));
  return difference > 0n ? say.tooMuch(amount) : say.tooLittle(amount);
}

/** The entries are listed oldest number first: the later one is the one too many. */
function duplicateText({ suggestions: say }: Said, row: Suggested): string {
  const { platform_fen: platform, ledger_fen: ledger } = row;
  const entries = row.ledger_ref.split(', ');
  if (platform === null || ledger === null || platform === 0n) return '';
  if (entries.length === 2 && ledger === 2n * platform) return say.sameAgain(entries[1] ?? '');
  return ledger % platform === 0n && ledger / platform > 1n
    ? say.manyTimes({ times: String(ledger / platform), amount: yuanForPeople(absolute(platform)) })
    : '';
}

/** The same amount on the other side: under the same number elsewhere, here, or on other accounts; or the other leg of its order. */
function otherHalf({ suggestions: say, classes }: Said, row: Suggested): string {
  const { mirror_account: mirror, leg_account: leg, elsewhere_account: elsewhere } = row;
  if (mirror !== null) {
    const half = { account: mirror, name: row.mirror_name ?? '' };
    return row.class === 'account' ? say.mirror(half) : say.elsewhere(half);
  }
  if (leg !== null) return row.ledger_fen === null ? say.unbookedBothSides(leg) : say.bookedBothSides(leg);
  if (row.candidates !== null) {
    const names = row.candidates.split(', ').map((name) => (name === '' ? classes.unexplained : name));
    const more = Math.max(0, row.candidate_count - CANDIDATES_NAMED);
    return say.candidates({ names, more, amount: amountOf(row) });
  }
  if (elsewhere !== null) return say.elsewhere({ account: elsewhere, name: row.elsewhere_name ?? '' });
  return row.elsewhere_count > 0 ? say.severalElsewhere(String(row.elsewhere_count)) : '';
}

/** What is still under way may move its money yet. */
function isBookedInVain({ note, ledger_fen: ledger }: Suggested): boolean {
  return ledger !== null && ledger !== 0n && note.includes(ENDED_IN_VAIN);
}

function amountOf({ difference_fen: fen }: Suggested): string {
  return yuanForPeople(absolute(fen));
}
