/** The words of a bundle in the language that is asked for. */
import { bundleWordsEn } from './bundle-words-en.ts';
import { bundleWordsZh } from './bundle-words-zh.ts';
import type { BundleLocale, BundleWords } from './bundle-words.ts';

const WORDS: Readonly<Record<BundleLocale, BundleWords>> = { 'zh-CN': bundleWordsZh, en: bundleWordsEn };

export function bundleWords(locale: BundleLocale): BundleWords {
  return WORDS[locale];
}
