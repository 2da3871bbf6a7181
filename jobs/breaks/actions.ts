/** What can be proposed to be done about a break, as the command line names it. */
import { WrongInput } from '../../src/core/errors.ts';
import { nearest } from '../../src/core/nearest.ts';
import type { WorkAction } from '../../src/store/schema/schema.ts';

/** A record, so that an action that is missing here does not compile. */
const ACTIONS: Readonly<Record<WorkAction, true>> = {
  book: true,
  reverse: true,
  correct_amount: true,
  correct_account: true,
  ask_platform: true,
  wait: true,
};
const ACTION_NAMES = Object.keys(ACTIONS) as WorkAction[];
const NONE = 'none';

/** Undefined: nothing is proposed any more. @throws WrongInput */
export function parseAction(text: string): WorkAction | undefined {
  if (text === NONE) return undefined;
  const found = ACTION_NAMES.find((name) => name === text.replaceAll('-', '_'));
  if (found !== undefined) return found;
  const names = [...ACTION_NAMES, NONE];
  const meant = nearest(text, names);
  const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
  throw new WrongInput(`--take ${JSON.stringify(text)} is no action${hint}: ${names.join(', ')}`);
}
