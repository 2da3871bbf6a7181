/** `recon nightly`: the night of one day, yesterday unless another is named. */
import { addDays } from '../../src/core/time.ts';
import type { Day } from '../../src/core/time.ts';
import { runJob } from '../cli/command.ts';
import type { CommandNeeds, CommonOptions, Job, Outcome } from '../cli/command.ts';
import type { Context } from '../context/context.ts';
import { parseDayOption, requirePast } from '../context/day-arguments.ts';
import { tell, watchedNight } from '../alerts/watch-night.ts';
import { afterInbox } from '../inbox/after-inbox.ts';
import { afterPull } from '../pull/after-pull.ts';
import { countBreaksUnseen, hasOpenAmount } from './open-amount.ts';
import { ROWS_SHOWN, resultText } from './result-text.ts';
import { reconcileRange } from '../night/night.ts';
import type { RangeOutcome } from '../night/night.ts';
import type { ResultHead, RunResult } from '../night/publish/result.ts';
import { beginLists } from '../night/publish/result-lists.ts';

export interface NightlyOptions extends CommonOptions {
  day?: string;
  /** False with `--no-settle`. */
  settle?: boolean;
  /** False with `--no-vouchers`. */
  vouchers?: boolean;
  failOnBreaks?: boolean;
}

export function nightlyCommand(options: NightlyOptions): Promise<void> {
  return runJob(options, nightlyJob(options));
}

export function nightlyJob(options: NightlyOptions): Job<Day, RunResult> {
  const needs: CommandNeeds<Day> = {
    platform: true,
    arguments: ({ zone, clock }) => {
      const today = zone.dayOf(clock.wall());
      if (options.day === undefined) return addDays(today, -1);
      return requirePast('--day', parseDayOption('--day', options.day), today);
    },
    afterStop: (day) => goesOn('nightly', [`--day ${day}`, ...flagsOf(options)]),
  };
  const of = { mayRetry: options.settle !== false, mayFetchVouchers: options.vouchers !== false };
  const work = async (context: Context, day: Day): Promise<Outcome<RunResult>> =>
    outcomeOf(context, await runNight(context, day, of), options);
  return { needs, work, afterwards: tell };
}

/** What was asked for besides the days, as it is written. */
export function flagsOf({ failOnBreaks, vouchers, settle, envFile }: NightlyOptions): string[] {
  return [
    ...(failOnBreaks === true ? ['--fail-on-breaks'] : []),
    ...(vouchers === false ? ['--no-vouchers'] : []),
    ...(settle === false ? ['--no-settle'] : []),
    ...(envFile === undefined ? [] : [`--env-file ${envFile}`]),
  ];
}

/** The day is named, because another one is yesterday by then. */
export function goesOn(command: string, words: readonly string[]): string {
  return `everything that was read is kept; to go on from there: recon ${command} ${words.join(' ')}`;
}

/**
 * The files that were delivered and what the company's database has come first, and what is to be told of the night is stored last. Only the night of
 * yesterday retries settlements, an older day never does (docs/architecture.md 3).
 */
export function runNight(
  context: Context,
  day: Day,
  { mayRetry = true, mayFetchVouchers = true }: { mayRetry?: boolean; mayFetchVouchers?: boolean } = {},
): Promise<RangeOutcome> {
  const yesterday = addDays(context.zone.dayOf(context.clock.wall()), -1);
  const request = {
    job: 'nightly',
    fromDay: day,
    toDay: day,
    accounts: [],
    mayRetry: mayRetry && day === yesterday,
    mayFetchVouchers,
  } as const;
  return watchedNight(context, day, () =>
    afterInbox(context, () => afterPull(context, day, () => reconcileRange(context, request))),
  );
}

/** Incomplete is a failure of the job; an amount that stands open is data, unless the caller wants to hear of it. */
export async function outcomeOf<R extends ResultHead>(
  { db, zone }: Pick<Context, 'db' | 'zone'>,
  { result, isNew }: { result: R; isNew: boolean },
  options: { failOnBreaks?: boolean },
): Promise<Outcome<R>> {
  const unseen = await countBreaksUnseen(db, result);
  const begun = await beginLists(db, result.run.id, ROWS_SHOWN);
  const isOpen = hasOpenAmount(result, begun.counts) || unseen > 0;
  const { verdict } = result.run;
  const status = verdict === 'incomplete' ? 1 : isOpen && options.failOnBreaks === true ? 3 : 0;
  const text = [resultText(result, { begun, isNew, zone }), ...unseenText(unseen)].join('\n');
  return { status, document: result, text };
}

function unseenText(count: number): string[] {
  if (count === 0) return [];
  const are = count === 1 ? 'break of earlier runs is' : 'breaks of earlier runs are';
  return [`${count} ${are} open that this run could not close: recon breaks list`];
}
