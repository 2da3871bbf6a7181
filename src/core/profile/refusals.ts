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

/**
 * The documented refusals of order/settle that speak of the request alone, and so of nothing that was taken: the same
 * request is as wrong whenever it arrives (STL-02, STL-03).
 */
export const WRONG_SETTLE_REQUEST = {
  number:
    '平台订单号和商户订单号参数有误，须且仅须传一个 ' +
    '(platform and merchant order number parameters invalid: send exactly one)',
  remark: '备注过长 (remark too long: at most 32 bytes in UTF-8, a Chinese character takes 3)',
} as const;

/** What a refusal of these kinds says was wrong before anybody looked at the settlement. */
const SAYS_NOTHING_OF_IT: ReadonlySet<RefusalClass> = new Set(['RATE_LIMIT', 'AUTH', 'NOT_FOUND', 'PARAM']);

/** A reason fits in that; what lies beyond is not searched, so that a hostile text costs nothing. */
const SEARCHED_LENGTH_MAX = 500;

interface CompiledRule {
  path: RegExp | undefined;
  code: RegExp | undefined;
  msg: RegExp | undefined;
  /** Of a rule for both: they, from end to end. */
  whole: { code: RegExp; msg: RegExp } | undefined;
  class: RefusalClass;
}

const compiledTables = new WeakMap<readonly RefusalRule[], readonly CompiledRule[]>();

/**
 * The class of a refusal: that of the first rule whose patterns all match. Without a match it is `BUSINESS`,
 * which is not retried and never taken for "not found" (U42, ERR-01).
 */
export function classifyRefusal(profile: Profile, refusal: RefusalText): RefusalClass {
  return firstRule(profile, refusal)?.class ?? 'BUSINESS';
}

/**
 * Whether a refused settlement can be neither claimed nor changed (STL-07, STL-09). A word within a message proves
 * nothing: its whole code and message must fit a rule of the profile that names both, or be a documented one.
 */
export function provesNothingTaken(profile: Profile, refusal: RefusalText): boolean {
  const { code, msg } = refusal;
  if (Object.values<string>(WRONG_SETTLE_REQUEST).includes(msg)) return true;
  const rule = firstRule(profile, refusal);
  if (rule?.whole === undefined || !SAYS_NOTHING_OF_IT.has(rule.class)) return false;
  return fits(rule.whole.code, code) && fits(rule.whole.msg, msg) && msg.length <= SEARCHED_LENGTH_MAX;
}

function firstRule(profile: Profile, { path, code, msg }: RefusalText): CompiledRule | undefined {
  return compiled(profile.errors.classes).find(
    (rule) => fits(rule.path, path) && fits(rule.code, code) && fits(rule.msg, msg),
  );
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
    whole: wholeOf(rule),
    class: rule.class,
  }));
  compiledTables.set(rules, table);
  return table;
}

function compile(source: string | undefined): RegExp | undefined {
  return source === undefined ? undefined : new RegExp(source, 'iu');
}

function wholeOf({ code, msg }: RefusalRule): CompiledRule['whole'] {
  if (code === undefined || msg === undefined) return undefined;
  const whole = (source: string): RegExp => new RegExp(`^(?:${source})$`, 'iu');
  return { code: whole(code), msg: whole(msg) };
}
