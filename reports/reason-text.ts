/** Stored reasons and assumptions of an account (`entries_before_opening:12`) in the words of a language. */
import type { ReasonWord } from './terms.ts';
import type { Words } from './words.ts';

/** A code without words of its own is shown as it is, so that nothing is hidden. */
export function reasonText(words: Words, stored: string): string {
  const [code = '', ...rest] = stored.split(':');
  const text = isReasonWord(words, code) ? words.reasons[code] : code;
  return rest.length === 0 ? text : `${text} (${rest.join(':')})`;
}

function isReasonWord(words: Words, code: string): code is ReasonWord {
  return Object.hasOwn(words.reasons, code);
}
