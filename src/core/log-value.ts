/** How a value of any kind is shown in a log line: masked, escaped, cut, never deep and never endless. */
import { isPersonalField, maskField, maskText, MASKED } from './mask.ts';

/** A line is for people and for searching; what is longer belongs into a table or a file. */
const TEXT_LENGTH_MAX = 2_000;
/** What is looked at of a longer text, so that a hostile one costs no time. */
const TEXT_LENGTH_READ = 100_000;
const DEPTH_MAX = 6;
const ELEMENTS_MAX = 100;

/** Controls, line separators and the marks that turn the direction of text: all can forge what a reader sees. */
const CONTROLS = /[\p{Cc}\u2028\u2029\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/gu;

/** The value of a field as it goes into the line; undefined leaves the field out. */
export function logValue(name: string, value: unknown, secrets: readonly string[]): unknown {
  return shown(value, { name, secrets, above: [] });
}

/** The name of a field as it goes into the line: a name can forge a line as well as a value. */
export function logName(name: string): string {
  return name.slice(0, TEXT_LENGTH_MAX).replace(CONTROLS, escapeControl);
}

interface Place {
  name: string;
  secrets: readonly string[];
  /** The objects this value lies in. */
  above: readonly object[];
}

function shown(value: unknown, place: Place): unknown {
  if (value === null || value === undefined) return value;
  if (isPersonalField(place.name)) return personal(value, place);
  switch (typeof value) {
    case 'string':
      return textOf(value, place);
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
    case 'number':
    case 'boolean':
      return value;
    case 'object':
      return shownObject(value, place);
    case 'function':
    case 'symbol':
    case 'undefined':
      return undefined;
  }
  return undefined;
}

function personal(value: unknown, place: Place): string {
  const plain = typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint';
  return plain ? textOf(String(value), place) : MASKED;
}

function textOf(text: string, { name, secrets }: Place): string {
  const longest = secrets.reduce((length, secret) => Math.max(length, secret.length), 0);
  const tooLong = text.length > TEXT_LENGTH_READ;
  const masked = maskField(name, maskText(tooLong ? text.slice(0, TEXT_LENGTH_READ) : text, secrets));
  // A secret that the cut went through is not found by its value: its beginning goes as well.
  const safe = tooLong ? masked.slice(0, -longest - 1) : masked;
  const kept = safe.slice(0, TEXT_LENGTH_MAX).replace(CONTROLS, escapeControl);
  return tooLong || safe.length > TEXT_LENGTH_MAX ? `${kept}… (${text.length} characters)` : kept;
}

function escapeControl(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function shownObject(value: object, place: Place): unknown {
  if (place.above.includes(value)) return '[circular]';
  if (place.above.length >= DEPTH_MAX) return '[deep]';
  const inside = { ...place, above: [...place.above, value] };
  if (value instanceof Error) return shownError(value, inside);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'invalid date' : value.toISOString();
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value) || value instanceof Set) return shownList([...value], inside);
  return shownMembers(value instanceof Map ? [...value] : Object.entries(value), inside);
}

function shownList(list: readonly unknown[], inside: Place): unknown[] {
  const kept = list.slice(0, ELEMENTS_MAX).map((element) => shown(element, inside));
  return list.length > ELEMENTS_MAX ? [...kept, `… (${list.length} elements)`] : kept;
}

function shownMembers(entries: readonly (readonly [unknown, unknown])[], inside: Place): object {
  const kept = entries.slice(0, ELEMENTS_MAX).map(([key, value]) => {
    const name = String(key);
    return [textOf(name, { ...inside, name: '' }), shown(value, { ...inside, name })];
  });
  if (entries.length > ELEMENTS_MAX) kept.push(['…', `${entries.length} members`]);
  return Object.fromEntries(kept) as object;
}

/** An error shows its facts; only a fault of the programmer shows where it happened. */
function shownError(error: Error, inside: Place): object {
  const expected = 'facts' in error;
  const members = Object.entries(error).filter(([name]) => name !== 'faults' && name !== 'name');
  return shownMembers(
    [
      ['name', error.name],
      ['message', error.message],
      ...members,
      ...(expected ? [] : [['stack', error.stack] as const]),
      ...(error.cause === undefined ? [] : [['cause', error.cause] as const]),
    ],
    inside,
  );
}
