/** The people who work on breaks, and what each may do: the setting RECON_PEOPLE. */
import type { AddFault, Given } from './config-checks.ts';

export const ROLES = ['preparer', 'approver'] as const;
export type Role = (typeof ROLES)[number];

export interface Person {
  name: string;
  roles: readonly Role[];
}

const EXAMPLE = '李娜:preparer,王伟:approver';

/** `NAME:ROLE[+ROLE]`, by commas. */
export function readPeople(given: Given, addFault: AddFault): Person[] {
  const people = given.value.split(',').flatMap((text) => {
    const [name = '', roles = '', ...more] = text.split(':').map((part) => part.trim());
    const named = roles.split('+').map((role) => role.trim());
    const known = ROLES.filter((role) => named.includes(role));
    if (name !== '' && more.length === 0 && named.length === known.length) return [{ name, roles: known }];
    addFault(
      `${given.name} takes NAME:ROLE by commas (${EXAMPLE}; roles ${ROLES.join(', ')}, both with +): ${JSON.stringify(text)}`,
    );
    return [];
  });
  for (const [at, { name }] of people.entries()) {
    if (people.findIndex((other) => isSamePerson(other.name, name)) !== at)
      addFault(`${given.name} names ${JSON.stringify(name)} more than once`);
  }
  return people;
}

/** One person is not two by writing otherwise: names of two characters are written with a blank to fill three places. */
export function isSamePerson(one: string, other: string): boolean {
  return personKey(one) === personKey(other);
}

/**
 * By which a person is known: the letters and digits of a name, without case and width. Blanks, dots, hyphens and
 * apostrophes are typed in many ways; a name of nothing else is itself.
 */
export function personKey(name: string): string {
  const letters = name
    .normalize('NFKC')
    .replace(/[^\p{L}\p{M}\p{N}]|\p{Default_Ignorable_Code_Point}/gu, '')
    .toUpperCase();
  return letters === '' ? name : letters;
}
