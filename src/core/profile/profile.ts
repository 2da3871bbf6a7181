/**
 * The profile: what the interface document leaves open, as one checked and fully defaulted value that
 * client, emulator and job share (docs/requirements.md 2, U1–U60).
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';

import { messageOf, WrongInput } from '../errors.ts';
import { isJsonObject, jsonText } from '../json.ts';
import type { JsonObject } from '../json.ts';
import { profileFaults } from './profile-faults.ts';
import type { LeafNote } from './profile-leaf.ts';
import { profileSchema } from './profile-schema.ts';

type DeepReadonly<T> = T extends string | number | boolean | bigint | null | undefined
  ? T
  : T extends readonly (infer E)[]
    ? readonly DeepReadonly<E>[]
    : { readonly [K in keyof T]: DeepReadonly<T[K]> };

export type Profile = DeepReadonly<z.output<typeof profileSchema>>;

/** One key of the profile as people read it: on the workbook's last sheet and in `recon config`. */
export interface Assumption {
  /** `deposits.endInclusive` */
  key: string;
  /** The question it answers (`U44`), or the requirement it comes from. */
  u: string;
  value: string;
  default: string;
  changed: boolean;
  description: string;
}

/**
 * Reads a profile file; undefined means there is none, and every key has its default.
 * @param source how the file is called in faults
 * @throws WrongInput naming every fault at once: unknown keys by their path, wrong values with what is accepted
 */
export function readProfile(text: string | undefined, source: string): Profile {
  const given = text === undefined ? {} : parseProfile(text, source);
  const result = profileSchema.safeParse(given, { jitless: true });
  if (result.success) return freeze(result.data);
  throw new WrongInput(`wrong profile ${source}:`, profileFaults(result.error, given));
}

function parseProfile(text: string, source: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new WrongInput(
      `wrong profile ${source}:`,
      [`it is not JSON: ${messageOf(error)}`],
      {},
      { cause: error },
    );
  }
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(freeze);
  }
  return value;
}

/** Every key in the order of the schema, with its value in force and its default. */
export function profileAssumptions(profile: Profile): Assumption[] {
  const defaults = readProfile(undefined, 'defaults');
  const walk = (shape: z.ZodRawShape, prefix: string, value: unknown, usual: unknown): Assumption[] =>
    Object.entries(shape).flatMap(([name, schema]): Assumption[] => {
      const [key, own, fallback] = [`${prefix}${name}`, memberOf(value, name), memberOf(usual, name)];
      const inner = groupShape(schema);
      return inner ? walk(inner, `${key}.`, own, fallback) : [assumption(key, schema, [own, fallback])];
    });
  return walk(profileSchema.shape, '', profile, defaults);
}

function groupShape(schema: z.core.$ZodType): z.ZodRawShape | undefined {
  if (!(schema instanceof z.ZodPrefault)) return undefined;
  const inner = schema.unwrap();
  return inner instanceof z.ZodObject ? inner.shape : undefined;
}

function assumption(key: string, schema: z.core.$ZodType, [own, usual]: [unknown, unknown]): Assumption {
  const note = schema instanceof z.ZodType ? (schema.meta() as LeafNote | undefined) : undefined;
  if (!note) throw new Error(`Bug: the profile key ${key} has no note`);
  const [value, fallback] = [valueText(own), valueText(usual)];
  return {
    key,
    u: note.u,
    value,
    default: fallback,
    changed: value !== fallback,
    description: note.description,
  };
}

function memberOf(value: unknown, name: string): unknown {
  return isJsonObject(value) ? value[name] : undefined;
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : jsonText(sortedKeys(value));
}

/** SHA-256 (hex) of all values in force: equal for two files that mean the same. */
export function profileDigest(profile: Profile): string {
  return createHash('sha256')
    .update(jsonText(sortedKeys(profile)))
    .digest('hex');
}

function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (!isJsonObject(value)) return value;
  const sorted: JsonObject = Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((key) => [key, sortedKeys(value[key])]),
  );
  return sorted;
}
