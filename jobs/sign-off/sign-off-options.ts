/** What `recon sign-off` is asked for, as its options give it. */
import { WrongInput } from '../../src/core/errors.ts';
import type { Day } from '../../src/core/time.ts';
import { periodOf } from '../../src/store/periods/period.ts';
import type { Period } from '../../src/store/periods/period.ts';
import { parseText } from '../breaks/saying-options.ts';
import { parseDayOption, requirePast } from '../context/day-arguments.ts';
import { parseMonth } from '../context/month-argument.ts';
import type { CommonOptions } from '../cli/command.ts';

export interface SignOffOptions extends CommonOptions {
  day?: string;
  month?: string;
  by?: string;
  withOpen?: boolean;
  reason?: string;
  approve?: boolean;
  withdraw?: boolean;
  dryRun?: boolean;
  list?: boolean;
  show?: boolean;
}

export type Asked =
  | { kind: 'list' }
  | { kind: 'show'; period: Period }
  | { kind: 'approve'; period: Period }
  | { kind: 'withdraw'; period: Period; reason: string }
  /** Undefined: nothing may stand open. */
  | { kind: 'sign'; period: Period; reason: string | undefined };

const KINDS = ['approve', 'withdraw', 'list', 'show'] as const;

/** @throws WrongInput where options do not go together, or the period is not over */
export function parseSignOff(options: SignOffOptions, today: Day): Asked {
  const named = KINDS.filter((kind) => options[kind] === true);
  if (named.length > 1)
    throw new WrongInput(`${named.map((kind) => `--${kind}`).join(' and ')} do not go together`);
  const kind = named[0] ?? 'sign';
  if (kind === 'list') return { kind };
  const period = parsePeriod(options, today);
  if (options.withOpen === true && kind !== 'sign')
    throw new WrongInput(`--with-open goes with signing, not with --${kind}`);
  const isReasoned = options.withOpen === true || kind === 'withdraw';
  if (options.reason !== undefined && !isReasoned)
    throw new WrongInput('--reason goes with --with-open or --withdraw');
  const reason = isReasoned ? reasonOf(options) : undefined;
  if (kind === 'withdraw') return { kind, period, reason: reason ?? '' };
  return kind === 'sign' ? { kind, period, reason } : { kind, period };
}

function reasonOf({ reason, withOpen }: SignOffOptions): string {
  const text = reason?.trim() ?? '';
  if (text !== '') return parseText('--reason', text);
  const why = withOpen === true ? 'it is signed with what stands open' : 'the sign-off is taken back';
  throw new WrongInput(`--reason is missing: it says why ${why}`);
}

function parsePeriod({ day, month }: SignOffOptions, today: Day): Period {
  if ((day === undefined) === (month === undefined))
    throw new WrongInput('name the period by one of --day yyyy-MM-dd and --month yyyy-MM');
  if (day !== undefined) return periodOf(requirePast('--day', parseDayOption('--day', day), today));
  return parseMonth(month ?? '', today);
}
