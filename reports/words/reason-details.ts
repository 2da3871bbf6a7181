/**
 * What stands behind a reason, a figure, names or a sentence of the proof, in the words of a language: recognised by its
 * form, each form after the other; what is not listed is shown as it is.
 */
import type { Locale } from './terms.ts';

type Forms = readonly (readonly [RegExp, string])[];

const zh: Forms = [
  [/^no ledger has come yet$/, '还没有收到企业账'],
  [/^no ledger says until when it is whole$/, '收到的企业账没有说明完整到哪一天'],
  [/^(\S+) has not come yet$/, '“$1”的账尚未取到'],
  [
    /^(\S+) has not come yet: a file of (\d{4}-\d{2}-\d{2}) failed, waits or was withdrawn$/,
    '“$1”的账尚未取到：$2 的文件未能入账、仍在等待或已撤回',
  ],
  [
    /^(\S+) is whole to no day: a file of (\d{4}-\d{2}-\d{2}) failed, waits or was withdrawn$/,
    '“$1”的账没有一天完整：$2 的文件未能入账、仍在等待或已撤回',
  ],
  [/^(\S+) to (\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2}(?::\d{2})?)?)$/, '“$1”只到 $2'],
  [
    /^(\S+) to (\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2}(?::\d{2})?)?): a file of (\d{4}-\d{2}-\d{2}) failed, waits or was withdrawn$/,
    '“$1”只到 $2：$3 的文件未能入账、仍在等待或已撤回',
  ],
  [/^the first balance moved by (.*)$/s, '首次余额变动 $1'],
  [/(-?\d{1,16}) fen, /, '$1 fen，'],
  [/(\S), (?=\S)/g, '$1、'],
  [/ and (\d+) more$/, ' 等，另有 $1 笔'],
];

const FORMS: Readonly<Record<Locale, Forms>> = { 'zh-CN': zh, en: [] };

/** Sentences are parted by `; `. */
export function detailInWords(locale: Locale, detail: string): string[] {
  return detail
    .split('; ')
    .map((sentence) => FORMS[locale].reduce((text, [form, words]) => text.replace(form, words), sentence));
}
