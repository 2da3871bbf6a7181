/**
 * Free text of a run as the workbook shows it: personal numbers masked, but not the run's own registry accounts,
 * and the proof's own remarks in the language of the report (docs/architecture.md 6, rule 4).
 */
import { LONG_NUMBER, maskedText } from '../words/masked-text.ts';
import { remarksZh } from '../words/remarks-zh.ts';
import type { Report } from '../read/report.ts';
import { inWords, plainText } from '../words/plain-text.ts';
import type { Words } from '../words/words.ts';

/** The name beside the first mention of each registry account; `ownNo` is the one whose row says it already. */
export function withAccountNames(
  { accountNames }: Pick<Report, 'accountNames'>,
  text: string,
  ownNo = '',
): string {
  const named = new Set([ownNo]);
  return text
    .split(LONG_NUMBER)
    .map((part, at) => {
      const name = at % 2 === 1 && !named.has(part) ? (accountNames.get(part) ?? '') : '';
      if (name === '') return part;
      named.add(part);
      return `${part} ${name}`;
    })
    .join('');
}

/** Who stands on the other side: a registry account with its name, or whatever the record says. */
export function counterpartyText(report: Pick<Report, 'accountNames'>, counterparty: string): string {
  return withAccountNames(report, maskedText(report, counterparty));
}

/** Remarks of several sentences are joined so. */
const BETWEEN_SENTENCES = '; ';
/** The proof's own sentences name accounts and orders, which are no secret; a word they quote is the platform's. */
const OWN_SENTENCES = remarksZh.map(([form]) => form);
const QUOTED = /["“]/;

export type Speaker = Pick<Report, 'accountNames' | 'words' | 'zone'>;

/** A remark of the proof, sentence by sentence in the words of the report. */
export function remarkText(report: Speaker, remark: string): string {
  if (isOwnSentence(remark)) return sentenceText(report, remark);
  return remark
    .split(BETWEEN_SENTENCES)
    .map((sentence) => sentenceText(report, sentence))
    .join(report.words.common.betweenSentences);
}

function isOwnSentence(sentence: string): boolean {
  return OWN_SENTENCES.some((form) => form.test(sentence));
}

function sentenceText(report: Speaker, sentence: string): string {
  const text = inWords(report.words, sentence);
  if (!isOwnSentence(sentence)) return maskedText(report, text);
  const plain = plainText(report, text);
  return QUOTED.test(text) ? maskedText(report, plain) : plain;
}

/** A record's state, or how a fee is taken, in the words of the report where it is known, else the platform's own word. */
export function recordState(words: Pick<Words, 'recordStates'>, state: string): string {
  return Object.hasOwn(words.recordStates, state) ? (words.recordStates[state] ?? state) : state;
}
