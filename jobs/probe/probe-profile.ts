/** The profile file to save: the one in force with the contradicted keys changed, checked like any other. */
import { isJsonObject, jsonText } from '../../src/core/json.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { readProfile } from '../../src/core/profile/profile.ts';
import type { Profile } from '../../src/core/profile/profile.ts';
import type { Judged } from './probe-finding.ts';

/**
 * @param given the profile file's content; `{}` where there is none
 * @returns what the file holds afterwards: its own keys and the changed ones, no defaults
 * @throws WrongInput when the result is no profile
 */
export function profileFound(given: JsonObject, profile: Profile, findings: readonly Judged[]): JsonObject {
  let found = given;
  for (const { key, change } of findings) {
    if (change === undefined) continue;
    const path = key.split('.');
    const value = 'value' in change ? change.value : [change.prepend, ...listAt(found, profile, path)];
    found = withValue(found, path, value);
  }
  readProfile(jsonText(found), 'that was found');
  return found;
}

/** The list of the file so far, else the one in force: a list in a file takes the place of the default. */
function listAt(found: JsonObject, profile: Profile, path: readonly string[]): readonly unknown[] {
  const list = valueAt(found, path) ?? valueAt(profile, path);
  return Array.isArray(list) ? (list as unknown[]) : [];
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => (isJsonObject(at) ? at[name] : undefined), value);
}

function withValue(object: JsonObject, [name = '', ...rest]: readonly string[], value: unknown): JsonObject {
  const inner = object[name];
  const own = rest.length === 0 ? value : withValue(isJsonObject(inner) ? inner : {}, rest, value);
  return { ...object, [name]: own };
}
