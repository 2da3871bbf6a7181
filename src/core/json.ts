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
 * @throws SyntaxError when the text is not JSON, nests deeper than 64 levels or states a member twice, which other readers
 * would read otherwise
 */
export function parseJson(text: string): unknown {
  const plain: unknown = JSON.parse(text);
  if (nestsTooDeep(plain)) throw new SyntaxError(`JSON nests deeper than ${DEPTH_MAX} levels`);
  // What is written again as it was read lost nothing but what a number disguises, and is told in a third of the time.
  const isAsWritten = JSON.stringify(plain) === text;
  if (!isAsWritten && membersWritten(text) !== membersOf(plain))
    throw new SyntaxError('JSON states a member twice');
  const isDelicate = isAsWritten
    ? holdsNumber(plain, (number) => !Number.isSafeInteger(number))
    : holdsNumber(plain, () => true) && DELICATE_NUMBER.test(text);
  return isDelicate ? JSON.parse(text, keepDigits) : plain;
}

/** How many members a text that is JSON writes: its strings that a colon follows. */
function membersWritten(text: string): number {
  let count = 0;
  for (let opens = text.indexOf('"'); opens >= 0;) {
    let next = closingQuote(text, opens) + 1;
    while (BLANKS.includes(text.charAt(next))) next++;
    if (text.charAt(next) === ':') count++;
    opens = text.indexOf('"', next);
  }
  return count;
}

/** What may stand between the tokens of JSON. */
const BLANKS: readonly string[] = [' ', '\t', '\n', '\r'];

/** Behind an even number of backslashes a quote is no part of its string. */
function closingQuote(text: string, opens: number): number {
  for (let at = text.indexOf('"', opens + 1); ; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (text.charAt(before - 1) === '\\') before--;
    if ((at - before) % 2 === 0) return at;
  }
}

function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner: unknown[] = Object.values(value);
  const own = Array.isArray(value) ? 0 : inner.length;
  return inner.reduce<number>((count, one) => count + membersOf(one), own);
}

/** The envelope of an answer is texts alone, and need not be searched with all that its bizData says. */
function holdsNumber(value: unknown, isSought: (number: number) => boolean): boolean {
  if (typeof value === 'number') return isSought(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((inner) => holdsNumber(inner, isSought));
}

function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined) return value;
  return Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? value : source;
}

/** The parser itself stands any depth; those who walk what it made do not. */
function nestsTooDeep(value: unknown, depth = 1): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth > DEPTH_MAX) return true;
  for (const inner of Array.isArray(value) ? (value as unknown[]) : Object.values(value)) {
    if (typeof inner === 'object' && nestsTooDeep(inner, depth + 1)) return true;
  }
  return false;
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
