/**
 * Reading business parameters. An absent member and `null` are the same; other members than the known ones
 * are ignored (ENV-32). Whether `"1"` passes for `1` and the other way round is a switch (U28).
 */
import { member } from '../core/json.ts';
import type { JsonObject } from '../core/json.ts';
import { wrongParameter } from './refusal.ts';

export interface ParameterRules {
  strictTypes: boolean;
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
