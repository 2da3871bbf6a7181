/**
 * Checks of one member of a request: its JSON type exactly as the document declares it (U28), its length, its
 * form. A check says what is wrong and never quotes what may be personal; whose member it is says the caller.
 */
import { isIPv4 } from 'node:net';

import { FEN_MAX } from '../../core/fen.ts';
import { isJsonObject, jsonText } from '../../core/json.ts';
import { maskPersonal } from '../../core/mask.ts';
import type { Profile } from '../../core/profile/profile.ts';
import { parseDay } from '../../core/time.ts';
import { shown } from '../decode-members.ts';
import { isLocalUrl } from './local-address.ts';

/** What checks depend on beside the request. */
export interface CheckRules {
  profile: Profile;
  /** Where it is known, ifCode must be this one (OPN-06). */
  channelCode: string | undefined;
  /** The platform itself runs on this machine or network: it reaches what lies there (OPN-F07). */
  isPlatformLocal: boolean;
}

/** A piece of JSON Schema (draft 2020-12), as OpenAPI has it. */
export type Schema = Readonly<Record<string, unknown>>;

/** What is wrong with a value (`must be …`, `has …`), or undefined where nothing is. */
type FaultIn = (value: unknown, rules: CheckRules) => string | undefined;

/** The same rule twice: what finds the fault, and the schema of what has none, as far as a schema can say it. */
export interface Check extends FaultIn {
  schema: (rules: CheckRules) => Schema;
}

/** What holds for all, or for those alone for whom the condition holds. */
export function implied(condition: Schema, consequence: Schema): Schema {
  return { anyOf: [{ not: condition }, consequence] };
}

export function checkOf(schema: Schema | Check['schema'], faultIn: FaultIn): Check {
  // A function of its own: one check may be made from another.
  const check: FaultIn = (value, rules) => faultIn(value, rules);
  return Object.assign(check, { schema: typeof schema === 'function' ? schema : () => schema });
}

type Counting = Profile['limits']['count'];

/** How long a text is; `weighted`: a character outside ASCII counts three (U54, DIV-17). */
export function lengthOf(text: string, count: Counting): number {
  if (count === 'bytes') return Buffer.byteLength(text, 'utf8');
  let length = 0;
  for (const character of text) length += count === 'weighted' && character > '\u007f' ? 3 : 1;
  return length;
}

const UNITS: Readonly<Record<Counting, string>> = {
  weighted: 'characters (one outside ASCII counts three)',
  characters: 'characters',
  bytes: 'bytes',
};

/** Text of at most that many characters; an empty one passes. */
export function text(lengthMax?: number): Check {
  return checkOf(textSchema(lengthMax), (value, { profile }) => {
    if (typeof value !== 'string') return `must be text, not ${kindOf(value)}`;
    // No character counts more than three.
    if (lengthMax === undefined || value.length * 3 <= lengthMax) return undefined;
    const { count } = profile.limits;
    const length = lengthOf(value, count);
    return length > lengthMax
      ? `has ${length} ${UNITS[count]}, and at most ${lengthMax} are taken`
      : undefined;
  });
}

/** A schema counts characters, of which none counts less than one (U54). */
function textSchema(lengthMax: number | undefined): Check['schema'] {
  if (lengthMax === undefined) return () => ({ type: 'string' });
  return ({ profile }) => ({
    type: 'string',
    maxLength: lengthMax,
    description: `at most ${lengthMax} ${UNITS[profile.limits.count]}`,
  });
}

/** Text that is not empty: a number that names something. */
export function filled(lengthMax?: number): Check {
  const fits = text(lengthMax);
  return checkOf(
    (rules) => ({ ...fits.schema(rules), pattern: String.raw`\S` }),
    (value, rules) => (isBlank(value) ? 'is empty' : fits(value, rules)),
  );
}

export function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}

/** One of the words the document lists, as text. */
export function word(...known: readonly string[]): Check {
  return checkOf({ type: 'string', enum: known }, (value) => {
    if (typeof value !== 'string') return `must be text, not ${kindOf(value)}`;
    if (known.includes(value)) return undefined;
    return `must be ${known.length > 1 ? 'one of ' : ''}${known.join(', ')}, not ${quoted(value)}`;
  });
}

/** A whole number as a JSON number (Long, Number): text of digits is none (U28). */
export function count({ min, max }: { min: number; max: number }): Check {
  return checkOf({ type: 'integer', minimum: min, maximum: max }, (value) => {
    const isWhole = typeof value === 'bigint' || Number.isSafeInteger(value);
    if (!isWhole) return `must be a whole number (Long), not ${valueOf(value)}`;
    const number = value as number | bigint;
    if (number >= min && number <= max) return undefined;
    if (min === max) return `must be ${min}, not ${number}`;
    return max === Number.MAX_SAFE_INTEGER
      ? `must be at least ${min}, not ${number}`
      : `must be from ${min} to ${max}, not ${number}`;
  });
}

/** Whole fen above zero as a JSON number (ENV-24); in the program they are `bigint`. */
export const fen = checkOf({ type: 'integer', minimum: 1, maximum: FEN_MAX }, (value) => {
  const isWhole = typeof value === 'bigint' || Number.isSafeInteger(value);
  if (!isWhole) return `must be whole fen as a number (Long), not ${valueOf(value)}`;
  const amount = value as number | bigint;
  if (amount <= 0) return `must be above 0 fen, not ${amount}`;
  return amount > FEN_MAX ? `must be at most ${FEN_MAX} fen, not ${amount}` : undefined;
});

const DAY_SCHEMA: Schema = { type: 'string', format: 'date' };

export const day = checkOf(DAY_SCHEMA, (value) => {
  if (typeof value !== 'string') return `must be text, not ${kindOf(value)}`;
  return parseDay(value) === undefined
    ? `must be a day of the calendar such as 2026-03-01, not ${quoted(value)}`
    : undefined;
});

/** How the document writes the end of what has none (OPN-F10). */
const LONG_TERM = '长期';

export const dayOrLongTerm = checkOf({ anyOf: [DAY_SCHEMA, { const: LONG_TERM }] }, (value) => {
  if (typeof value !== 'string') return `must be text, not ${kindOf(value)}`;
  return value === LONG_TERM || parseDay(value) !== undefined
    ? undefined
    : `must be a day such as 2036-03-01 or ${LONG_TERM}, not ${quoted(value)}`;
});

export const ipv4 = checkOf({ type: 'string', format: 'ipv4' }, (value) => {
  if (typeof value !== 'string') return `must be text, not ${kindOf(value)}`;
  return isIPv4(value) ? undefined : `must be an IPv4 address, not ${quoted(value)}`;
});

const URL_SCHEMA: Schema = {
  type: 'string',
  format: 'uri',
  pattern: '^https?://',
  description: 'an address that the platform can reach',
};

/** An address the platform can reach: http or https, not on this machine or network (OPN-F07). */
export const reachableUrl = checkOf(URL_SCHEMA, (value, { isPlatformLocal }) => {
  if (typeof value !== 'string') return `must be text, not ${kindOf(value)}`;
  const url = URL.parse(value);
  if (url === null || !/^https?:$/.test(url.protocol)) return 'must be an http or https address';
  return !isPlatformLocal && isLocalUrl(url)
    ? `must be reachable from outside, and ${url.hostname} is not`
    : undefined;
});

/** @param schema what is said of its members */
export function object(schema: Check['schema']): Check {
  return checkOf(
    (rules) => ({ type: 'object', ...schema(rules) }),
    (value) => (isJsonObject(value) ? undefined : `must be an object, not ${kindOf(value)}`),
  );
}

/** `a list`, `a number`: the kind only, for what may be personal. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return { object: 'an object', string: 'text', boolean: 'a boolean' }[typeof value as string] ?? 'a number';
}

function valueOf(value: unknown): string {
  if (typeof value === 'string') return `the text ${quoted(value)}`;
  return typeof value === 'number' ? jsonText(value) : kindOf(value);
}

/** A wrong word, its start at most, with everything personal masked. */
export function quoted(value: string): string {
  return maskPersonal(shown(value));
}
