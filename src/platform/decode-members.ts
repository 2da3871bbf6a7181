/**
 * Members of an answer as values: types are normalised (a number where text is due, digits where a number
 * is due), letter case and content never are (P8, U28, U59).
 */
import { AnswerUnread } from '../core/errors.ts';
import { parseFen } from '../core/fen.ts';
import type { Fen } from '../core/fen.ts';
import { isJsonObject, jsonText, member, parseJson } from '../core/json.ts';
import type { JsonObject } from '../core/json.ts';
import type { Profile } from '../core/profile/profile.ts';
import { storableText } from '../core/text.ts';
import type { Zone } from '../core/time.ts';
import type { EndpointName } from './contract.ts';

/** What decoding depends on beside the answer itself. */
export interface Decoding {
  profile: Profile;
  zone: Zone;
}

/** As much of a wrong amount or time as a person needs to see what is wrong. */
const SHOWN_LENGTH_MAX = 40;

/**
 * Storable text of a member; undefined where it is absent, null or empty. An object where text is due is
 * kept as its JSON text, so that nothing in it can become more than text.
 */
export function textMember(object: JsonObject, name: string): string | undefined {
  const value = member(object, name);
  if (value === undefined || value === null || value === '') return undefined;
  return storableText(typeof value === 'string' ? value : jsonText(value));
}

/** A value of any shape with all its texts and names storable: for what is kept as it came (ACC-06, P16). */
export function storableValue(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storableValue);
  return isJsonObject(value) ? storableObject(value) : value;
}

export function storableObject(object: JsonObject): JsonObject {
  const members = Object.entries(object);
  return Object.fromEntries(members.map(([name, value]) => [storableText(name), storableValue(value)]));
}

/** A value, or the reason why there is none; neither where the member is absent. */
export interface Reading<T> {
  value: T | undefined;
  fault: string | undefined;
}

const ABSENT = { value: undefined, fault: undefined };

/** Whole fen under any of the spellings; two that are both there must agree (P9, P11). */
export function fenMember(object: JsonObject, names: readonly string[]): Reading<Fen> {
  let [foundName, found]: [string, Fen | undefined] = ['', undefined];
  for (const name of names) {
    const value = member(object, name);
    if (value === undefined || value === null) continue;
    const fen = parseFen(value);
    if (fen === undefined) return fault(`${name} is not whole fen from 0 to 10^15: ${shown(value)}`);
    if (found !== undefined && found !== fen) return fault(`${foundName} and ${name} differ`);
    [foundName, found] = [name, fen];
  }
  return found === undefined ? ABSENT : { value: found, fault: undefined };
}

/** A longer number is none: it fits no key, and what the company registers is no longer either. */
const NUMBER_LENGTH_MAX = 128;

/** The number of a record or an account. */
export function numberMember(object: JsonObject, name: string): Reading<string> {
  const text = textMember(object, name);
  const isTooLong = text !== undefined && text.length > NUMBER_LENGTH_MAX;
  return isTooLong
    ? fault(`${name} is longer than ${NUMBER_LENGTH_MAX} characters`)
    : { value: text, fault: undefined };
}

/** A number under any of the spellings; two that are both there must agree (DIV-25, P11). */
export function aliasedNumber(object: JsonObject, names: readonly string[]): Reading<string> {
  let found: { name: string; text: string } | undefined;
  for (const name of names) {
    const { value: text, fault: wrong } = numberMember(object, name);
    if (wrong !== undefined) return fault(wrong);
    if (text === undefined) continue;
    if (found && found.text !== text) return fault(`${found.name} and ${name} differ`);
    found = { name, text };
  }
  return found ? { value: found.text, fault: undefined } : ABSENT;
}

function fault(reason: string): Reading<never> {
  return { value: undefined, fault: reason };
}

/** The start of a value that is not personal, for a reason people read. */
export function shown(value: unknown): string {
  const text = storableText(jsonText(value) ?? 'nothing');
  return text.length > SHOWN_LENGTH_MAX ? `${text.slice(0, SHOWN_LENGTH_MAX)}…` : text;
}

/** A whole number from 0, also as digits in text; undefined for all else. */
export function countMember(object: JsonObject, name: string): number | undefined {
  const fen = parseFen(member(object, name));
  return fen === undefined ? undefined : Number(fen); // tidy: a count, not money
}

/**
 * A list that may arrive as itself or as JSON text within the JSON text (ENV-26, P13); an absent or empty one
 * is the empty list, and what is no list at all is undefined.
 */
export function listMember(object: JsonObject, name: string): readonly unknown[] | undefined {
  const value = member(object, name);
  if (value === undefined || value === null || value === '') return [];
  const list = typeof value === 'string' ? parsedList(value) : value;
  return Array.isArray(list) ? list : undefined;
}

function parsedList(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The error for an answer that is signed and whole, and still says nothing that can be believed. */
export function unreadableAnswer(endpoint: EndpointName, what: string): AnswerUnread {
  return new AnswerUnread(`${endpoint}: unreadable answer: ${what}`, { endpoint });
}
