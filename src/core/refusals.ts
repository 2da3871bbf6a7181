/** What a refusal of the platform means (U42): by the profile's table, because no code is documented. */
import type { Profile } from './profile.ts';

type RefusalRule = Profile['errors']['classes'][number];

export type RefusalClass = RefusalRule['class'];

/** A refusal as it was answered, and the endpoint that was called (`order/settle`). */
export interface RefusalText {
  path: string;
  code: string;
  msg: string;
}

/** A reason fits in that; what lies beyond is not searched, so that a hostile text costs nothing. */
const SEARCHED_LENGTH_MAX = 500;

interface CompiledRule {
  path: RegExp | undefined;
  code: RegExp | undefined;
  msg: RegExp | undefined;
  class: RefusalClass;
}

const compiledTables = new WeakMap<readonly RefusalRule[], readonly CompiledRule[]>();

/**
 * The class of a refusal: that of the first rule whose patterns all match. Without a match it is `BUSINESS`,
 * which is not retried and never taken for "not found" (U42, ERR-01).
 */
export function classifyRefusal(profile: Profile, refusal: RefusalText): RefusalClass {
  const rules = compiled(profile.errors.classes);
  const found = rules.find(
    (rule) => fits(rule.path, refusal.path) && fits(rule.code, refusal.code) && fits(rule.msg, refusal.msg),
  );
  return found?.class ?? 'BUSINESS';
}

function fits(pattern: RegExp | undefined, text: string): boolean {
  return pattern === undefined || pattern.test(text.slice(0, SEARCHED_LENGTH_MAX));
}

function compiled(rules: readonly RefusalRule[]): readonly CompiledRule[] {
  const known = compiledTables.get(rules);
  if (known) return known;
  const table = rules.map((rule) => ({
    path: compile(rule.path),
    code: compile(rule.code),
    msg: compile(rule.msg),
    class: rule.class,
  }));
  compiledTables.set(rules, table);
  return table;
}

function compile(source: string | undefined): RegExp | undefined {
  return source === undefined ? undefined : new RegExp(source, 'iu');
}
