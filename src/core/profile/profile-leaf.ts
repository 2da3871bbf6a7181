/** What the profile's schema is made of: leaves that know their question (U number), and strict groups. */
import { z } from 'zod';

import { parseFen } from '../fen.ts';
import { Zone } from '../time.ts';

/** What every leaf carries beside its check. */
export interface LeafNote {
  /** The question of docs/requirements.md 2 it answers (`U44`), else the requirement or section it comes from. */
  u: string;
  description: string;
}

/** One key of the profile: the question it answers, its check with its default, and a sentence for people. */
export function leaf<T extends z.ZodType>(u: string, check: T, description: string): T {
  return check.meta({ u, description });
}

/** Keys that belong together; an absent group has all its defaults, an unknown key in it is a fault. */
export function group<S extends z.ZodRawShape>(shape: S): z.ZodPrefault<z.ZodObject<S, z.core.$strict>> {
  return z.strictObject(shape).prefault({} as z.input<z.ZodObject<S, z.core.$strict>>);
}

export function whole(min: number, max: number): z.ZodInt {
  return z.int().min(min).max(max);
}

/** Member names, state words, file names of the wire: one line, no blanks around it. */
export function word(): z.ZodString {
  return z
    .string()
    .max(64)
    .regex(/^\S(?:[^\p{Cc}]*\S)?$/u, 'must be a word of 1 to 64 characters');
}

/** A handful of words; no key of the profile has a reason for more than fifty. */
export function words(): z.ZodArray<z.ZodString> {
  return z.array(word()).max(50);
}

/** Whole fen, as a JSON integer or a string of digits. */
export const fenAmount = z.unknown().transform((given, context) => {
  const fen = parseFen(given);
  if (fen !== undefined) return fen;
  context.addIssue({ code: 'custom', message: 'must be whole fen from 0 to 10^15', input: given });
  return z.NEVER;
});

/** A pattern longer than that is no list of words any more, and slow ones are long. */
const PATTERN_LENGTH_MAX = 300;

export function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'iu') instanceof RegExp;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** A regular expression as text; it is read without regard to letter case. */
export const pattern = z
  .string()
  .min(1)
  .max(PATTERN_LENGTH_MAX)
  .refine(isPattern, 'must be a regular expression');

export function isTimeZone(name: string): boolean {
  try {
    return new Zone(name).name === name;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/**
 * The endpoints a key may name. The contract of `src/platform` holds their facts; a test keeps the two
 * lists equal, because core imports nothing of ours.
 */
export const endpointName = z.enum([
  'acct/sendMsg',
  'acct/addApply',
  'acct/auditApply',
  'acct/auditApplyResult',
  'acct/reviseApply',
  'acct/changeApply',
  'acct/changeConfirm',
  'acct/changeApplyResult',
  'acct/queryInfo',
  'division/pay',
  'division/query',
  'division/refund',
  'account/withdraw',
  'account/queryWithdraw',
  'query/deposit',
  'get/transFiles',
  'order/settle',
]);
