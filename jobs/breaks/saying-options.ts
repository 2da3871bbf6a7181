/** What is said of breaks, as options give it. */
import { createHash } from 'node:crypto';
import { WrongInput } from '../../src/core/errors.ts';
import { jsonText } from '../../src/core/json.ts';
import type { Day } from '../../src/core/time.ts';
import { parseDayOption } from '../context/day-arguments.ts';
import { parseAction } from './actions.ts';
import type { Saying } from './say.ts';

export interface SayingOptions {
  to?: string;
  reason?: string;
  expires?: string;
  text?: string;
  take?: string;
}

/** What fits a cell that people read. */
const TEXT_MAX = 1_000;

/** @throws WrongInput when an option is missing or wrong */
export function parseSaying(kind: Saying['kind'], options: SayingOptions, today: Day): Saying {
  switch (kind) {
    case 'assign':
      return { kind, to: required('--to', options.to, 'the name of who is to work on it') };
    case 'note':
      return { kind, text: parseText('--text', required('--text', options.text, 'a note')) };
    case 'action':
      return { kind, action: parseAction(required('--take', options.take, 'what is to be done')) };
    case 'explain':
      return { kind, reason: reasonOf(options) };
    case 'resolve':
      return { kind, reason: reasonOf(options) };
    case 'write-off':
      return { kind, reason: reasonOf(options), expires: expiryOf(options, today) };
    case 'approve':
      return { kind };
  }
}

const DIGEST = /^[0-9a-f]{12}$/;

/** The digest of what a dry run showed. @throws WrongInput */
export function parseShown(shown: string | undefined): string | undefined {
  if (shown === undefined || DIGEST.test(shown)) return shown;
  throw new WrongInput(
    `--shown ${JSON.stringify(shown)} is no digest: 12 digits or letters a to f, as --dry-run prints them`,
  );
}

/** Of what a dry run shows, to be given back. */
export function shownDigest(lines: unknown): string {
  return createHash('sha256').update(jsonText(lines), 'utf8').digest('hex').slice(0, 12);
}

function reasonOf(options: SayingOptions): string {
  return parseText('--reason', required('--reason', options.reason, 'a reason'));
}

function expiryOf(options: SayingOptions, today: Day): Day {
  const text = required('--expires', options.expires, 'the last day on which it is in force, yyyy-MM-dd');
  const day = parseDayOption('--expires', text);
  if (day >= today) return day;
  throw new WrongInput(`--expires ${day} is over already (today is ${today})`);
}

function required(name: string, given: string | undefined, what: string): string {
  if (given !== undefined && given.trim() !== '') return given.trim();
  throw new WrongInput(`${name} is missing: it takes ${what}`);
}

/** One line: it is shown in a cell and in a table. @throws WrongInput */
export function parseText(name: string, given: string): string {
  if (/\p{Cc}|\p{Cs}/u.test(given)) throw new WrongInput(`${name} takes one line without control characters`);
  if (given.length <= TEXT_MAX) return given;
  throw new WrongInput(`${name} takes up to ${TEXT_MAX} characters; these are ${given.length}`);
}
