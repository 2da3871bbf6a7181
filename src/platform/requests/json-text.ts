/** JSON as text within the JSON text (ENV-26): what it holds, and how a schema says so. */
import { parseJson } from '../../core/json.ts';
import type { Schema } from './checks.ts';

/** Undefined for a text that holds no list. */
export function listIn(jsonText: string): readonly unknown[] | undefined {
  const value = parsedJson(jsonText);
  return Array.isArray(value) ? value : undefined;
}

/** Undefined for a text that is no JSON. */
export function parsedJson(jsonText: string): unknown {
  try {
    return parseJson(jsonText);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Text that holds a JSON value of that schema. */
export function jsonTextSchema(content: Schema): Schema {
  return { type: 'string', contentMediaType: 'application/json', contentSchema: content };
}
