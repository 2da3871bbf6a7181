/**
 * JSON at the edges: numbers keep their digits on the way in (ENV-25, U59) and amounts are written as
 * integers on the way out.
 */

export type JsonObject = Readonly<Record<string, unknown>>;

/** How deep an answer may nest; recursive walks die at about 5,000 levels, the service uses four. */
const DEPTH_MAX = 64;

/**
 * A number that `JSON.parse` would change or disguise: sixteen digits and more, a point, an exponent.
 * Looking for it costs a fraction of a parse; a match inside a string only costs time.
 */
const DELICATE_NUMBER = /(?:^|[:,[\s])-?(?:\d{16,}|\d+\.\d|\d+[eE])/;

/**
 * Parses JSON without losing what was written: integers up to 2^53 are numbers, every other number stays
 * the text of its digits (`1934567890123456789`, `100.0`, `1e3`), so that a reader of amounts can refuse it
 * and a reader of identifiers can keep it.
 * @throws SyntaxError when the text is not JSON or nests deeper than 64 levels
 */
export function parseJson(text: string): unknown {
  if (nestsTooDeep(text)) throw new SyntaxError(`JSON nests deeper than ${DEPTH_MAX} levels`);
  if (!DELICATE_NUMBER.test(text)) return JSON.parse(text);
  return JSON.parse(text, keepDigits);
}

function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined) return value;
  return Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? value : source;
}

function nestsTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x7b || code === 0x5b) {
      if (++depth > DEPTH_MAX) return true;
    } else if (code === 0x7d || code === 0x5d) {
      depth--;
    } else if (code === 0x22) {
      at = endOfString(text, at);
    }
  }
  return false;
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes++;
  return backslashes % 2 === 1;
}

/** An object that is neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member of that name the object itself has: never one inherited from a prototype. */
export function member(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Writes a document for other programs: fen (`bigint`, up to 10^15) become JSON integers. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, exactIntegers, indent);
}

function exactIntegers(_key: string, value: unknown): unknown {
  if (typeof value !== 'bigint') return value;
  const number = Number(value); // tidy: an integer below 2^53 is exact, and anything above is refused here
  if (!Number.isSafeInteger(number)) throw new Error(`Bug: ${value} does not fit a JSON integer`);
  return number;
}
