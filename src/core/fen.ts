/**
 * Money. An amount is a whole number of fen (1/100 yuan) in a `bigint`, from the wire to the table to the
 * cell (ENV-24, U59). Only this file knows that a hundred fen make a yuan.
 */

/** Whole fen; the sign says the direction where a movement is meant. */
export type Fen = bigint;

/** The largest amount that is believed: ten trillion yuan. Anything above is a fault of the sender. */
export const FEN_MAX = 1_000_000_000_000_000n;

/** The same limit for a number of JSON, which is exact up to there. */
const LARGEST_NUMBER = 1_000_000_000_000_000;

/** Up to sixteen digits and no sign, point, exponent or blank. */
const WHOLE = /^\d{1,16}$/;
const SIGNED_WHOLE = /^[+-]?\d{1,16}$/;
const SIGNED_YUAN = /^([+-]?)(\d{1,14})\.(\d{2})$/;

/**
 * Reads an amount the platform states: a JSON integer or a string of digits, 0 … 10^15.
 * Returns undefined for everything else (fractions, signs, exponents, blanks, other types); the caller
 * decides what a record without a readable amount is.
 */
export function parseFen(value: unknown): Fen | undefined {
  if (typeof value === 'number') {
    return Number.isInteger(value) && value >= 0 && value <= LARGEST_NUMBER ? BigInt(value) : undefined;
  }
  if (typeof value !== 'string' || !WHOLE.test(value)) return undefined;
  const fen = BigInt(value);
  return fen <= FEN_MAX ? fen : undefined;
}

/** Reads a signed whole number of fen as people write it in a file (`-1250`). */
export function parseSignedFen(text: string): Fen | undefined {
  if (!SIGNED_WHOLE.test(text)) return undefined;
  return withinLimit(BigInt(text.replace(/^\+/, '')));
}

/** Reads signed yuan with exactly two decimals as people write it in a file (`-12.50`). */
export function parseSignedYuan(text: string): Fen | undefined {
  const parts = SIGNED_YUAN.exec(text);
  if (!parts) return undefined;
  const fen = BigInt(`${parts[2] ?? ''}${parts[3] ?? ''}`);
  return withinLimit(parts[1] === '-' ? -fen : fen);
}

function withinLimit(fen: Fen): Fen | undefined {
  return fen <= FEN_MAX && fen >= -FEN_MAX ? fen : undefined;
}

/** `-1250n` → `-12.50`: for files and cells, where a decimal point is needed and no separator is wanted. */
export function yuanText(fen: Fen): string {
  const digits = absolute(fen).toString().padStart(3, '0');
  return `${fen < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** `-123456789n` → `-1,234,567.89`: for people. */
export function yuanForPeople(fen: Fen): string {
  return yuanText(fen).replace(/\B(?=(\d{3})+\.)/g, ',');
}

/**
 * The yuan value of a spreadsheet cell. A double holds every amount up to 10^15 fen to the fen when it is
 * made from its decimal text, which is why this is the one place where money becomes a `number`.
 */
export function yuanCell(fen: Fen): number {
  return Number.parseFloat(yuanText(fen));
}

export function absolute(fen: Fen): Fen {
  return fen < 0n ? -fen : fen;
}
