/** The steps of completing a request: each puts in what is absent or writes a value as the text it travels as. */
import { jsonText, member } from '../../core/json.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Profile } from '../../core/profile/profile.ts';

export interface CompleteRules {
  profile: Profile;
  /** Undefined where the settings do not name it. */
  channelCode: string | undefined;
  /** A number nobody used before, of at most 32 characters. */
  newNumber: () => string;
}

export interface Completed {
  request: JsonObject;
  /** What was put in or written otherwise, a few words each; nothing personal. */
  said: readonly string[];
}

/** One step: the request with something more in it, and what that was. */
export type Completion = (request: JsonObject, rules: CompleteRules) => Completed;

/** Members that are not there, with their values. */
export function withDefaults(request: JsonObject, values: JsonObject): Completed {
  const added = Object.entries(values).filter(([name]) => member(request, name) === undefined);
  return {
    request: { ...request, ...Object.fromEntries(added) },
    said: added.map(([name, value]) => `${name} ${typeof value === 'string' ? value : jsonText(value)}`),
  };
}

/** A value that travels as JSON text inside the JSON (ENV-26). */
export function asJsonText(
  request: JsonObject,
  name: string,
  isMeant: (value: unknown) => boolean,
): Completed {
  const value = member(request, name);
  if (!isMeant(value)) return { request, said: [] };
  return { request: { ...request, [name]: jsonText(value) }, said: [`${name} as JSON text`] };
}

/** A list whose elements hold no separator, as one text; any other one is left for the checks (REF-02). */
export function joined(
  request: JsonObject,
  { name, by, what }: { name: string; by: string; what: RegExp },
): Completed {
  const list = member(request, name);
  if (!Array.isArray(list) || list.length === 0) return { request, said: [] };
  const texts = (list as unknown[]).map((element) =>
    typeof element === 'string' || typeof element === 'number' ? String(element) : '',
  );
  if (!texts.every((text) => what.test(text))) return { request, said: [] };
  return { request: { ...request, [name]: texts.join(by) }, said: [`${name} as one text`] };
}
