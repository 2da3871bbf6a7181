/**
 * Reading business parameters. An absent member and `null` are the same; other members than the known ones
 * are ignored (ENV-32). Whether `"1"` passes for `1` and the other way round is a switch (U28).
 */
import { parseFen } from '../../core/fen.ts';
import type { Fen } from '../../core/fen.ts';
import { isJsonObject, member } from '../../core/json.ts';
import type { JsonObject } from '../../core/json.ts';
import { wrongParameter } from './refusal.ts';

export interface ParameterRules {
  strictTypes: boolean;
}

export interface LengthRules {
  textsCounted: 'documented' | 'characters' | 'bytes';
}

/** @throws Refused when it is present and no text */
export function optionalText(biz: JsonObject, name: string, rules: ParameterRules): string | undefined {
  const value = member(biz, name) ?? undefined;
  if (value === undefined || typeof value === 'string') return value;
  if (typeof value === 'number' && !rules.strictTypes) return String(value);
  throw wrongParameter(name, 'it must be a string');
}

/** @throws Refused when it is absent, empty or no text */
export function requireText(biz: JsonObject, name: string, rules: ParameterRules): string {
  const text = optionalText(biz, name, rules) ?? '';
  if (text === '') throw wrongParameter(name, 'it is required');
  return text;
}

/** @throws Refused when it is present and no whole number within the limits */
export function wholeOrDefault(
  biz: JsonObject,
  name: string,
  limits: { min: number; max: number; default: number } & ParameterRules,
): number {
  const value = member(biz, name) ?? limits.default;
  const number = typeof value === 'string' && !limits.strictTypes ? wholeOf(value) : value;
  if (typeof number !== 'number' || !Number.isSafeInteger(number)) {
    throw wrongParameter(name, 'it must be a whole number');
  }
  if (number < limits.min || number > limits.max) {
    throw wrongParameter(name, `it must be from ${limits.min} to ${limits.max}`);
  }
  return number;
}

function wholeOf(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number.parseInt(text, 10) : undefined;
}

/** Longest number a caller may give to a batch or an order (LIM-03, LIM-04). */
const NUMBER_LENGTH_MAX = 32;

/** @throws Refused when it is absent or has more than 32 characters, or bytes (U54) */
export function requireNumber(biz: JsonObject, name: string, rules: ParameterRules & LengthRules): string {
  const number = requireText(biz, name, rules);
  const length = rules.textsCounted === 'bytes' ? Buffer.byteLength(number, 'utf8') : number.length;
  if (length > NUMBER_LENGTH_MAX) {
    const counted = rules.textsCounted === 'bytes' ? 'bytes in UTF-8' : 'characters';
    throw wrongParameter(name, `it must have at most ${NUMBER_LENGTH_MAX} ${counted}`);
  }
  return number;
}

/**
 * An amount above zero in fen (ENV-24, DIV-15), declared as a JSON number or as a string of digits; the other
 * form passes unless types are strict.
 * @throws Refused for everything else
 */
export function requireAmount(
  biz: JsonObject,
  name: string,
  rules: ParameterRules & { declared: 'number' | 'string' },
): Fen {
  const value = member(biz, name) ?? undefined;
  if (value === undefined) throw wrongParameter(name, 'it is required');
  const amountFen = parseFen(value);
  if (amountFen === undefined || amountFen === 0n) {
    throw wrongParameter(name, 'it must be a whole number of fen above 0');
  }
  if (rules.strictTypes && typeof value !== rules.declared) {
    throw wrongParameter(name, `it must be a ${rules.declared}`);
  }
  return amountFen;
}

/** How long a text is where one Chinese character counts three (DIV-17, DIV-20), unless it is counted otherwise (U54). */
export function weightedLength(text: string, { textsCounted }: LengthRules): number {
  if (textsCounted === 'characters') return Array.from(text).length;
  if (textsCounted === 'bytes') return Buffer.byteLength(text, 'utf8');
  return Array.from(text).reduce((length, character) => length + (character <= '\u007f' ? 1 : 3), 0);
}

/**
 * An object that stands in a JSON text of the business data, such as channelExtra.
 * @throws Refused when it is present and anything else
 */
export function optionalJsonText(biz: JsonObject, name: string): JsonObject | undefined {
  const text = member(biz, name) ?? undefined;
  if (text === undefined) return undefined;
  if (typeof text !== 'string') throw wrongParameter(name, 'it must be a JSON string');
  const parsed = parsedOrUndefined(text);
  if (!isJsonObject(parsed)) throw wrongParameter(name, 'it must hold a JSON object');
  return parsed;
}

/** Undefined where the text is no JSON. */
export function parsedOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
