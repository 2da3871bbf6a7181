/** What a probe found out about one open question (U1–U60), against the value of the profile that is in force. */
import { isJsonObject, jsonText } from '../../src/core/json.ts';
import type { Profile } from '../../src/core/profile/profile.ts';
import type { Day } from '../../src/core/time.ts';
import type { Greeting } from './probe-greeting.ts';
import type { Facts } from './probe-facts.ts';
import type { ProbeLine } from './probe-line.ts';

export type Verdict = 'confirmed' | 'contradicted' | 'open';

export interface Finding {
  u: string;
  /** Of the profile; empty where none depends on it. */
  key: string;
  tried: string;
  /** What came back, personal numbers masked; for an open question why it is open and what to give. */
  answer: string;
  inForce: string;
  /** What the platform does, in the words of the key where it has one; empty: not known. */
  found: string;
  verdict: Verdict;
}

/** How a contradicted key is changed: another value, or one more element before the others. */
export type Change = { value: unknown } | { prepend: unknown };

export interface Judged extends Finding {
  change?: Change;
}

/** What all questions are asked with. */
export interface Probing {
  line: ProbeLine;
  profile: Profile;
  facts: Facts;
  greeting: Greeting;
  today: Day;
  isThorough: boolean;
}

interface Subject {
  u: string;
  key: string;
  tried: string;
  answer: string;
  /** Where the key does not say it. */
  inForce?: string;
}

/** A question with an answer: the value in force fits what was found, or it does not. */
export function judged(
  profile: Profile,
  subject: Subject & { found: string; fits: boolean; change?: Change },
): Judged {
  const { u, key, tried, answer, found, fits, change } = subject;
  const inForce = subject.inForce ?? valueInForce(profile, key);
  const verdict: Verdict = fits ? 'confirmed' : 'contradicted';
  const finding = { u, key, tried, answer, inForce, found, verdict };
  return fits || change === undefined ? finding : { ...finding, change };
}

/** A question that has to wait; the answer says for what. */
export function leftOpen(profile: Profile, subject: Subject & { found?: string }): Judged {
  const { u, key, tried, answer, found = '' } = subject;
  const inForce = subject.inForce ?? valueInForce(profile, key);
  return { u, key, tried, answer, inForce, found, verdict: 'open' };
}

export function valueInForce(profile: Profile, key: string): string {
  if (key === '') return '';
  const value = key
    .split('.')
    .reduce<unknown>((at, name) => (isJsonObject(at) ? at[name] : undefined), profile);
  if (key === 'errors.classes') return `${profile.errors.classes.length} rules`;
  return typeof value === 'string' ? value || '""' : jsonText(value);
}

export function listText(words: readonly string[]): string {
  return words.map((word) => word || '""').join(' and ');
}
