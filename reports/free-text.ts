/**
 * Free text of a run as the workbook shows it: personal numbers masked, but not the run's own registry accounts,
 * and the proof's own remarks in the language of the report (architecture 6, rule 4).
 */
import { maskPersonal } from '../src/core/mask.ts';
import type { Report } from './report.ts';

/** Digit runs that could be the number of an account. */
const LONG_NUMBER = /(?<!\d)(\d{8,32})(?!\d)/;

/** Text of other people: masked, with the registry accounts of the run left open. */
export function maskedText(report: Pick<Report, 'accountNumbers'>, text: string): string {
  if (!LONG_NUMBER.test(text)) return text === '' ? '' : maskPersonal(text);
  let shown = '';
  let pending = '';
  for (const [at, part] of text.split(LONG_NUMBER).entries()) {
    const isOwn = at % 2 === 1 && report.accountNumbers.has(part);
    if (!isOwn) pending += part;
    else {
      shown += maskPersonal(pending) + part;
      pending = '';
    }
  }
  return shown + maskPersonal(pending);
}

/** A remark of the proof in the words of the report. */
export function remarkText(report: Pick<Report, 'accountNumbers' | 'words'>, remark: string): string {
  const known = report.words.remarks.find(([form]) => form.test(remark));
  return maskedText(report, known ? remark.replace(known[0], known[1]) : remark);
}
