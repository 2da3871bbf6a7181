/** Where in a signed answer a record stands, as a JSON pointer; lists travel as JSON text inside JSON (ENV-26). */
import { isJsonObject, parseJson } from '../../src/core/json.ts';
import type { Instant } from '../../src/core/time.ts';
import type { KnownAnswers } from '../../src/store/trace/signed-answers.ts';

/** Where a fact was read from. All but the digest is null where the answer is not kept any more. */
export interface AnswerShown {
  sha256: string;
  endpoint: string | null;
  reqId: string | null;
  requestedAt: Instant | null;
  signed: boolean | null;
  /** A JSON pointer; empty: the answer as a whole; null: it cannot be told. */
  place: string | null;
  /** When it was pruned by policy; null: it was not. */
  prunedAt: Instant | null;
}

/** @param numbers the record's own, any of which it may be found by */
export function answerShown(
  answers: KnownAnswers,
  { sha256, numbers }: { sha256: string; numbers: readonly string[] },
): AnswerShown {
  const answer = answers.kept.get(sha256);
  if (answer === undefined) {
    const prunedAt = answers.pruned.get(sha256) ?? null;
    return { sha256, endpoint: null, reqId: null, requestedAt: null, signed: null, place: null, prunedAt };
  }
  const { endpoint, reqId, requestedAt, signed, bizText } = answer;
  const wanted = new Set(numbers.filter((number) => number !== ''));
  const place = wanted.size === 0 ? '' : (placeOf(parsed(bizText), wanted) ?? null);
  return { sha256, endpoint, reqId, requestedAt, signed, place, prunedAt: null };
}

const NUMBER_FIELD = /orderNo$/i;

/** The innermost object that has one of the numbers as a number of an order. */
function placeOf(value: unknown, wanted: ReadonlySet<string>): string | undefined {
  if (Array.isArray(value)) return placeWithin([...value.entries()], wanted);
  if (!isJsonObject(value)) return undefined;
  const members = Object.entries(value);
  const within = placeWithin(members, wanted);
  if (within !== undefined) return within;
  const bears = members.some(([name, inner]) => NUMBER_FIELD.test(name) && wanted.has(String(inner)));
  return bears ? '' : undefined;
}

function placeWithin(
  members: readonly (readonly [string | number, unknown])[],
  wanted: ReadonlySet<string>,
): string | undefined {
  for (const [name, inner] of members) {
    const place = placeOf(typeof inner === 'string' ? parsed(inner) : inner, wanted);
    if (place !== undefined) return `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}${place}`;
  }
  return undefined;
}

/** A text that is no list or object of its own is left as it is. */
function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
