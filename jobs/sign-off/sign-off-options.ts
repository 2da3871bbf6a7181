/** What `recon sign-off` is asked for, as its options give it. */
import { WrongInput } from '../../src/core/errors.ts';
import type { Day } from '../../src/core/time.ts';
import { periodOf } from '../../src/store/periods/period.ts';
import type { Period } from '../../src/store/periods/period.ts';
import { parseShown, parseText } from '../breaks/saying-options.ts';
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
  /** The digest of what a dry run showed. */
  shown?: string;
  list?: boolean;
  show?: boolean;
}

export type Asked =
  | { kind: 'list' }
  | { kind: 'show'; period: Period }
  | { kind: 'approve'; period: Period; shown: string | undefined }
  | { kind: 'withdraw'; period: Period; reason: string }
  /** Undefined: nothing may stand open. */
  | { kind: 'sign'; period: Period; reason: string | undefined; shown: string | undefined };

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
  const shown = parseShown(options.shown);
  if (shown !== undefined && kind !== 'sign' && kind !== 'approve')
    throw new WrongInput('--shown goes with signing or --approve');
  const reason = isReasoned ? reasonOf(options) : undefined;
  if (kind === 'withdraw') return { kind, period, reason: reason ?? '' };
  if (kind === 'approve') return { kind, period, shown };
  return kind === 'sign' ? { kind, period, reason, shown } : { kind, period };
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
