/** Stored reasons and assumptions of an account (`entries_before_opening:12`) in the words of a language. */
import { yuanForPeople } from '../../src/core/fen.ts';
import { detailInWords } from './reason-details.ts';
import type { ReasonWord } from './terms.ts';
import type { Words } from './words.ts';

/** A code without words of its own is shown as it is, so that nothing is hidden. */
export function reasonText(words: Words, stored: string): string {
  const [code = '', ...rest] = stored.split(':');
  const text = isReasonWord(words, code) ? words.reasons[code] : code;
  return rest.length === 0 ? text : words.common.inBrackets(text, detailText(words, rest.join(':')));
}

const FEN = /(?<![\w-])(-?\d{1,16}) fen\b/g;

/** `420000 fen` for people. */
function detailText(words: Words, detail: string): string {
  return detailInWords(words.locale, detail)
    .join(words.common.betweenSentences)
    .replace(FEN, (_whole, fen: string) => words.common.yuan(yuanForPeople(BigInt(fen))));
}

function isReasonWord(words: Words, code: string): code is ReasonWord {
  return Object.hasOwn(words.reasons, code);
}
