/** The language of an answer: as asked for in the address, else as the browser prefers, else that of the workbook. */
import type { ReportLocale } from '../../../src/core/config/config.ts';
import type { PageWords } from './page-words.ts';
import { wordsEn } from './words-en.ts';
import { wordsZh } from './words-zh.ts';

const WORDS: Readonly<Record<ReportLocale, PageWords>> = { 'zh-CN': wordsZh, en: wordsEn };

export function pageWordsOf(locale: ReportLocale): PageWords {
  return WORDS[locale];
}

/** `zh`, `zh-CN` or `en`; undefined for every other. */
export function localeOf(tag: unknown): ReportLocale | undefined {
  if (typeof tag !== 'string') return undefined;
  const [language] = tag.trim().toLowerCase().split('-');
  if (language === 'zh') return 'zh-CN';
  return language === 'en' ? 'en' : undefined;
}

/** The best of those a browser accepts (RFC 9110, 12.5.4): by weight, and of one weight the first. */
export function acceptedLocale(header: string | undefined): ReportLocale | undefined {
  const stated = (header ?? '').split(',').map((one) => {
    const [tag = '', ...parameters] = one.split(';');
    const weight = parameters.map((text) => /^\s*q=(\d(?:\.\d{1,3})?)\s*$/i.exec(text)?.[1]).find(Boolean);
    return { locale: localeOf(tag), weight: Number(weight ?? '1') };
  });
  const known = stated.filter(({ locale, weight }) => locale !== undefined && weight > 0);
  return known.toSorted((left, right) => right.weight - left.weight)[0]?.locale;
}
