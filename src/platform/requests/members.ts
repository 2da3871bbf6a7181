/** The members of a request as a table, and what is wrong with those of one request; unknown ones pass (ENV-32). */
import { member } from '../../core/json.ts';
import type { JsonObject } from '../../core/json.ts';
import { isBlank } from './checks.ts';
import type { Check, CheckRules, Schema } from './checks.ts';

export interface MemberRule {
  name: string;
  isRequired: boolean;
  check: Check;
  /** The requirements it answers, as they stand in a fault: `DIV-01, LIM-04`. */
  requirement: string;
}

export function required(name: string, check: Check, requirement: string): MemberRule {
  return { name, isRequired: true, check, requirement };
}

export function optional(name: string, check: Check, requirement: string): MemberRule {
  return { name, isRequired: false, check, requirement };
}

/** Two numbers of which exactly one says what is meant (ENV-27). */
export interface Pair {
  names: readonly [string, string];
  requirement: string;
}

/** `outReqNo is missing (OPN-07)`: whose, what, and which requirement says so. */
export function faultOf(name: string, what: string, requirement: string): string {
  return `${name} ${what} (${requirement})`;
}

/**
 * One fault at most for each member.
 * @param path what stands before the names: `orderList[0].`
 */
export function memberFaults(
  object: JsonObject,
  members: readonly MemberRule[],
  { path = '', rules }: { path?: string; rules: CheckRules },
): string[] {
  const faults: string[] = [];
  for (const { name, isRequired, check, requirement } of members) {
    const value = member(object, name);
    if (!isRequired && !isGiven(value)) continue;
    const what = isRequired ? (absence(value) ?? check(value, rules)) : check(value, rules);
    if (what !== undefined) faults.push(faultOf(`${path}${name}`, what, requirement));
  }
  return faults;
}

/** What is said of a required value that is not there. */
export function absence(value: unknown): string | undefined {
  if (value === undefined || value === null) return 'is missing';
  return isBlank(value) ? 'is empty' : undefined;
}

/** An empty text or null says no more of a member that may be left out than its absence. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

export function pairFaults(object: JsonObject, { names, requirement }: Pair): string[] {
  const [first, second] = names;
  const given = names.filter((name) => isGiven(member(object, name)));
  if (given.length === 1) return [];
  const [there, ...others] = names.filter((name) => member(object, name) !== undefined);
  if (given.length === 0 && there !== undefined && others.length === 0) {
    return [faultOf(there, absence(member(object, there)) ?? 'is missing', requirement)];
  }
  const [subject, what] =
    given.length === 0 ? [`neither ${first} nor`, 'is given'] : [`${first} and`, 'are both given'];
  return [faultOf(`${subject} ${second}`, `${what}: exactly one says which is meant`, requirement)];
}

/** The schema of an object with these members, each with the requirements it answers; unknown ones pass (ENV-32). */
export function membersSchema(members: readonly MemberRule[], rules: CheckRules): Schema {
  const needed = members.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const properties = members.map(({ name, check, requirement }): [string, Schema] => [
    name,
    describedSchema(check.schema(rules), requirement),
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(needed.length > 0 && { required: needed }),
  };
}

export function describedSchema(schema: Schema, requirement: string): Schema {
  const said = schema['description'];
  return { ...schema, description: typeof said === 'string' ? `${said} (${requirement})` : requirement };
}

/** Exactly one of the two. */
export function pairSchema({ names }: Pair): Schema {
  return { oneOf: names.map((name) => ({ required: [name] })) };
}
