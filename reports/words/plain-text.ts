/**
 * The proof's own sentences as accountants read them: amounts in yuan, moments in the service's time, and words of
 * the platform's interface by the name they have in the report. What is quoted stays as the platform said it.
 */
import { yuanForPeople } from '../../src/core/fen.ts';
import { parseOffsetInstant } from '../../src/core/time.ts';
import type { Zone } from '../../src/core/time.ts';
import type { Words } from './words.ts';

const QUOTES = /("[^"]*"|“[^”]*”)/;
const FEN = /(-?)\b(\d{1,16}) (?:fen|分)(?![\p{L}\p{N}])/gu;
const INSTANT = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g;
/** A word that stands alone, and is not a part of a number of an order. */
const INTERFACE_WORD = /(?<![\w.-])[A-Za-z][A-Za-z_]*(?![\w.-])/g;
/** A blank that stood beside a word of the interface. */
const BETWEEN_HAN = /(?<=\p{Script=Han}) (?=\p{Script=Han})/gu;
const STATE_WORD = /^[A-Z_]+$/;

/** A sentence of ours in the words of a language; one that it does not know stays as it is. */
export function inWords({ remarks }: Pick<Words, 'remarks'>, sentence: string): string {
  const known = remarks.find(([form]) => form.test(sentence));
  return known ? sentence.replace(known[0], known[1]) : sentence;
}

export function plainText(
  { words, zone }: { words: Pick<Words, 'common' | 'recordStates' | 'memberNames'>; zone: Zone },
  sentence: string,
): string {
  const nameOf = (word: string): string => {
    const names = STATE_WORD.test(word) ? words.recordStates : words.memberNames;
    return Object.hasOwn(names, word) ? (names[word] ?? word) : word;
  };
  const plain = (text: string): string =>
    text
      .replace(FEN, (_whole, sign: string, digits: string) =>
        words.common.yuan(yuanForPeople(BigInt(`${sign}${digits}`))),
      )
      .replace(INSTANT, (written) => {
        const instant = parseOffsetInstant(written);
        return instant === undefined ? written : zone.localText(instant);
      })
      .replace(INTERFACE_WORD, nameOf)
      .replace(BETWEEN_HAN, '');
  return sentence
    .split(QUOTES)
    .map((part, at) => (at % 2 === 1 ? part : plain(part)))
    .join('');
}
