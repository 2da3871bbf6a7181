/** Who says something of breaks, and whether that is one of the people who may. */
import type { Person, Role, Settings } from '../../src/core/config/config.ts';
import { isSamePerson } from '../../src/core/config/config-people.ts';
import { WrongInput } from '../../src/core/errors.ts';
import { maskPersonal } from '../../src/core/mask.ts';
import { nearest } from '../../src/core/nearest.ts';

/** Longer ones are no names. */
const NAME_MAX = 100;

/**
 * Who acts: `--by`, else RECON_USER; where RECON_PEOPLE lists people, one of them who has that role, under the name that
 * the list gives.
 * @throws WrongInput when nobody is named, or one who may not
 */
export function whoActs(
  settings: Pick<Settings, 'user' | 'people'>,
  of: { by: string | undefined; role: Role },
): string {
  const given = of.by ?? settings.user;
  const origin = of.by === undefined ? 'RECON_USER' : '--by';
  if (given === undefined)
    throw new WrongInput('nobody says this: give who does with --by NAME or RECON_USER');
  const name = nameOf(given, origin);
  if (settings.people === undefined) return name;
  const person = personOf(settings.people, { name, origin });
  if (person.roles.includes(of.role)) return person.name;
  throw new WrongInput(
    `${person.name} is ${person.roles.join(' and ')} in RECON_PEOPLE: this takes ${article(of.role)}`,
  );
}

/** Who is to own a break: one of the list where there is one. @throws WrongInput */
export function ownerOf(settings: Pick<Settings, 'people'>, given: string, origin = '--to'): string {
  const name = nameOf(given, origin);
  return settings.people === undefined ? name : personOf(settings.people, { name, origin }).name;
}

function nameOf(given: string, origin: string): string {
  const name = given.trim().replace(/\s+/g, ' ');
  if (name !== '' && name.length <= NAME_MAX && !/\p{Cc}/u.test(name)) return name;
  throw new WrongInput(
    `${origin} takes a name of up to ${NAME_MAX} characters: ${JSON.stringify(maskPersonal(given))}`,
  );
}

function personOf(people: readonly Person[], of: { name: string; origin: string }): Person {
  const found = people.find(({ name }) => isSamePerson(name, of.name));
  if (found !== undefined) return found;
  const names = people.map(({ name }) => name);
  const meant = nearest(of.name, names);
  const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
  throw new WrongInput(
    `${of.origin} ${JSON.stringify(maskPersonal(of.name))} is none of RECON_PEOPLE${hint}: ${names.join(', ')}`,
  );
}

function article(role: Role): string {
  return role === 'approver' ? 'an approver' : 'a preparer';
}
