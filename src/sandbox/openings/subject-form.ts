/** The forms a member of SubjectInfo may have (OPN-F01…F44). */
import { parseDay } from '../../core/time.ts';
import { parsedOrUndefined } from '../protocol/params.ts';

/** A text, a day, a day or 长期, a URL, the JSON text of a list of URLs, or one of these words. */
export type Form = 'text' | 'day' | 'dayOrLong' | 'url' | 'urls' | readonly string[];

const LONG_TERM = '长期';

/** @returns what is wrong with it; undefined when nothing is */
export function faultOf(form: Form, value: string): string | undefined {
  if (typeof form === 'object') return form.includes(value) ? undefined : `it must be ${form.join(' or ')}`;
  switch (form) {
    case 'text':
      return undefined;
    case 'day':
      return parseDay(value) === undefined ? 'it must be a date of the form yyyy-MM-dd' : undefined;
    case 'dayOrLong':
      return value === LONG_TERM || parseDay(value) !== undefined
        ? undefined
        : `it must be a date of the form yyyy-MM-dd or ${LONG_TERM}`;
    case 'url':
      return isUrl(value) ? undefined : 'it must be an http or https URL';
    case 'urls':
      return isUrlList(value) ? undefined : 'it must be the JSON text of a list of URLs';
  }
}

/** Whether it can be reached from outside is not looked at. */
function isUrl(text: unknown): boolean {
  const url = typeof text === 'string' ? URL.parse(text) : null;
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:');
}

function isUrlList(text: string): boolean {
  const list = parsedOrUndefined(text);
  return Array.isArray(list) && list.every(isUrl);
}
