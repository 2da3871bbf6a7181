/**
 * The remark of a retried settlement: what the platform's filter leaves of it must be there and must fit, and so
 * must the whole of it, because nobody says which of the two is measured (STL-03, U38).
 */
import { REMARK_BYTES_MAX } from '../../core/profile/profile-schema-money.ts';
import type { Profile } from '../../core/profile/profile.ts';

/** By the pattern's text: to make one takes longer than to filter a thousand remarks. */
const filters = new Map<string, RegExp>();

function filterOf(pattern: string): RegExp {
  const filter = filters.get(pattern) ?? new RegExp(`^(?:${pattern})$`, 'iu');
  filters.set(pattern, filter);
  return filter;
}

type Rules = Pick<Profile, 'settle'>;

export type Remark = { text: string } | { fault: string };

/** @param own what people want it to be, instead of the profile's; `{attempt}` stands for the attempt's number */
export function settleRemark(
  rules: Rules,
  { attemptNo, own }: { attemptNo: number; own?: string | undefined },
): Remark {
  const whole = (own ?? rules.settle.remark.template).replaceAll('{attempt}', String(attemptNo));
  const text = whatSurvives(whole, rules);
  const fault = faultOfBoth(whole, text);
  return fault === undefined ? { text } : { fault };
}

/** What is wrong with a remark that is sent as it is; undefined where nothing is. */
export function remarkFault(whole: string, rules: Rules): string | undefined {
  return faultOfBoth(whole, whatSurvives(whole, rules));
}

function whatSurvives(whole: string, { settle }: Rules): string {
  const survives = filterOf(settle.remark.pattern);
  return Array.from(whole)
    .filter((character) => survives.test(character))
    .join('')
    .trim();
}

function faultOfBoth(whole: string, survivor: string): string | undefined {
  if (survivor === '') return 'nothing is left of the remark when its special characters are taken out';
  // What is left is never longer than the whole.
  const bytes = Buffer.byteLength(whole, 'utf8');
  return bytes > REMARK_BYTES_MAX
    ? `the remark has ${bytes} bytes, and at most ${REMARK_BYTES_MAX} are taken`
    : undefined;
}
