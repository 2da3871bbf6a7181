/** Conditions on subject data, and what must be there where they hold: once for the checks and for the schema. */
import { member } from '../../core/json.ts';
import type { JsonObject } from '../../core/json.ts';
import { implied } from './checks.ts';
import type { Schema } from './checks.ts';
import { absence } from './members.ts';

export interface Condition {
  holds: (subject: JsonObject) => boolean;
  /** Of the subjects for which it holds. */
  schema: Schema;
}

/** Members that must be there, always or under conditions; without a requirement of its own each has its row's. */
export interface Need {
  names: readonly string[];
  /** All of them must hold. */
  when?: readonly Condition[];
  /** Who or what needs them: `an enterprise`. */
  because?: string;
  requirement?: string;
}

export function is(name: string, value: string): Condition {
  return {
    holds: (subject) => member(subject, name) === value,
    schema: { properties: { [name]: { const: value } }, required: [name] },
  };
}

export function isNot(name: string, value: string): Condition {
  const { holds, schema } = is(name, value);
  return { holds: (subject) => !holds(subject), schema: { not: schema } };
}

/** One of several values joined by `|`. */
export function lists(name: string, value: string): Condition {
  const pattern = String.raw`(?:^|\|)${value}(?:\||$)`;
  return {
    holds: (subject) => {
      const given = member(subject, name);
      return typeof given === 'string' && new RegExp(pattern).test(given);
    },
    schema: { properties: { [name]: { type: 'string', pattern } }, required: [name] },
  };
}

export function anyGiven(names: readonly string[]): Condition {
  return {
    holds: (subject) => names.some((name) => absence(member(subject, name)) === undefined),
    schema: { anyOf: names.map((name) => ({ required: [name] })) },
  };
}

export function needsIn(subject: JsonObject, needs: readonly Need[]): Need[] {
  return needs.filter(({ when = [] }) => when.every(({ holds }) => holds(subject)));
}

/** What is always needed as `required`, the rest as what is implied. */
export function needsSchema(needs: readonly Need[]): Schema {
  const always = needs.filter(({ when }) => when === undefined).flatMap(({ names }) => names);
  const others = needs.flatMap(({ names, when = [] }): Schema[] =>
    when.length === 0 ? [] : [implied(allOf(when.map(({ schema }) => schema)), { required: names })],
  );
  return { ...(always.length > 0 && { required: always }), ...(others.length > 0 && { allOf: others }) };
}

function allOf(schemas: readonly Schema[]): Schema {
  const [only = {}, ...more] = schemas;
  return more.length === 0 ? only : { allOf: schemas };
}
