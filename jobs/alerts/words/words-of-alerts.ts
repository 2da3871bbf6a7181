/** The words of the language that reports are in. */
import type { ReportLocale } from '../../../src/core/config/config.ts';
import { alertWordsEn } from './alert-words-en.ts';
import { alertWordsZh } from './alert-words-zh.ts';
import type { AlertWords } from './alert-words.ts';

const WORDS: Readonly<Record<ReportLocale, AlertWords>> = { 'zh-CN': alertWordsZh, en: alertWordsEn };

export function wordsOfAlerts(locale: ReportLocale): AlertWords {
  return WORDS[locale];
}
