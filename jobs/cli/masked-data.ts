/**
 * Business data of a call as a person may see it (S6): personal fields by their name, free text by its form;
 * amounts, numbers of the registry and of orders stay.
 */
import { isJsonObject, jsonText, parseJson } from '../../src/core/json.ts';
import { isPersonalField, maskField } from '../../src/core/mask.ts';

/** Amounts that travel as text look like card or telephone numbers when they are large. */
const AMOUNT_FIELD = /(?:amount|balance|fee|frozen|total)$/i;
const DIGITS = /^\d{1,16}$/;

/** Where vouchers come: Base64 is no text, and masking digits in it would only spoil it. */
const FILE_FIELDS: ReadonlySet<string> = new Set(['file', 'fileList']);

/** The value of that field with everything personal masked, as deep as it goes. */
export function maskedData(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((element) => maskedData(element, name));
  if (isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, maskedData(inner, key)]));
  }
  if (typeof value === 'string') return maskedText(value, name);
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  return isNumber && isPersonalField(name) ? maskField(name, String(value)) : value;
}

function maskedText(text: string, name: string): string {
  if (FILE_FIELDS.has(name) || (AMOUNT_FIELD.test(name) && DIGITS.test(text))) return text;
  const inner = isPersonalField(name) ? undefined : innerJson(text);
  return inner === undefined ? maskField(name, text) : jsonText(maskedData(inner));
}

/** Lists travel as JSON text inside JSON (ENV-26): their fields are masked by name as well. */
function innerJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A file says nothing on a terminal; its size does. */
export function withoutFiles(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((element) => withoutFiles(element, name));
  if (isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutFiles(inner, key)]));
  }
  if (typeof value !== 'string' || !FILE_FIELDS.has(name)) return value;
  return `(${Buffer.byteLength(value, 'base64')} bytes, shown in full with --json)`;
}
