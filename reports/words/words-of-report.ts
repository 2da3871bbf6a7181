/** The words of a report in the language that is asked for. */
import type { Locale } from './terms.ts';
import { wordsEn } from './words-en.ts';
import { wordsZh } from './words-zh.ts';
import type { Words } from './words.ts';

const WORDS: Readonly<Record<Locale, Words>> = { 'zh-CN': wordsZh, en: wordsEn };

export function wordsOf(locale: Locale): Words {
  return WORDS[locale];
}
