/** Turns what the schema found into one clear sentence per fault, with the key's whole path. */
import { z } from 'zod';

import { isJsonObject, jsonText } from '../json.ts';
import { nearest } from '../nearest.ts';
import { profileSchema } from './profile-schema.ts';

type Issue = z.core.$ZodIssue;

/** As much of a wrong value as a person needs to find it. */
const SHOWN_MAX = 60;

/** Faults in the order of the file's keys; `given` is what was read from it. */
export function profileFaults(error: z.ZodError, given: unknown): string[] {
  return error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(issue.path, key));
    const value = issue.path.reduce<unknown>((at, step) => stepInto(at, step), given);
    return [`${pathText(issue.path)} ${expectation(issue)}: ${shown(value)}`];
  });
}

function unknownKey(path: readonly PropertyKey[], key: string): string {
  const meant = nearest(key, siblings(path));
  const hint = meant === undefined ? '' : ` (did you mean ${JSON.stringify(pathText([...path, meant]))}?)`;
  return `unknown key ${JSON.stringify(pathText([...path, key]))}${hint}`;
}

/** The keys a group knows. */
function siblings(path: readonly PropertyKey[]): string[] {
  let schema: unknown = profileSchema;
  for (const step of path) {
    const shape = schema instanceof z.ZodObject ? schema.shape : {};
    schema = Object.hasOwn(shape, step) ? shape[String(step)] : undefined;
    while (schema instanceof z.ZodPrefault || schema instanceof z.ZodDefault) schema = schema.unwrap();
  }
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

function stepInto(value: unknown, step: PropertyKey): unknown {
  if (Array.isArray(value) && typeof step === 'number') return value[step];
  return isJsonObject(value) && typeof step === 'string' && Object.hasOwn(value, step)
    ? value[step]
    : undefined;
}

function pathText(path: readonly PropertyKey[]): string {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  return text === '' ? 'the profile' : text.replace(/^\./, '');
}

function expectation(issue: Issue): string {
  if (issue.message.startsWith('must ')) return issue.message;
  if (issue.code === 'invalid_type') return `must be ${TYPE_WORDS[issue.expected] ?? issue.expected}`;
  if (issue.code === 'too_small') return limitText('at least', issue.minimum, issue.origin);
  if (issue.code === 'too_big') return limitText('at most', issue.maximum, issue.origin);
  if (issue.code === 'invalid_value') {
    return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
  }
  return `is not valid (${issue.message})`;
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function limitText(words: 'at least' | 'at most', limit: number | bigint, origin: string): string {
  const noun = { string: 'character', array: 'element' }[origin];
  if (noun === undefined) return `must be ${words} ${limit}`;
  return `must have ${words} ${limit} ${noun}${String(limit) === '1' ? '' : 's'}`;
}

function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : jsonText(value);
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
}
