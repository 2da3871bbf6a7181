/** `recon nightly`: the night of one day, yesterday unless another is named. */
import { addDays } from '../src/core/time.ts';
import type { Day } from '../src/core/time.ts';
import { withContext } from './command.ts';
import type { CommandNeeds, CommonOptions, Outcome } from './command.ts';
import type { Context } from './context.ts';
import { parseDayOption, requirePast } from './day-arguments.ts';
import { resultText } from './result-text.ts';
import { runRange } from './run-range.ts';
import type { RangeOutcome } from './run-range.ts';

export interface NightlyOptions extends CommonOptions {
  day?: string;
  /** False with `--no-settle`. */
  settle?: boolean;
  /** False with `--no-vouchers`. */
  vouchers?: boolean;
  failOnBreaks?: boolean;
}

export function nightlyCommand(options: NightlyOptions): Promise<void> {
  const needs: CommandNeeds<Day> = {
    platform: true,
    arguments: ({ zone, clock }) => {
      const today = zone.dayOf(clock.wall());
      if (options.day === undefined) return addDays(today, -1);
      return requirePast('--day', parseDayOption('--day', options.day), today);
    },
  };
  return withContext(options, needs, async (context, day) =>
    outcomeOf(
      await runNight(context, day, {
        mayRetry: options.settle !== false,
        mayFetchVouchers: options.vouchers !== false,
      }),
      options,
    ),
  );
}

/** Only the night of yesterday retries settlements, an older day never does (architecture 5). */
export function runNight(
  context: Context,
  day: Day,
  { mayRetry = true, mayFetchVouchers = true }: { mayRetry?: boolean; mayFetchVouchers?: boolean } = {},
): Promise<RangeOutcome> {
  const yesterday = addDays(context.zone.dayOf(context.clock.wall()), -1);
  return runRange(context, {
    job: 'nightly',
    fromDay: day,
    toDay: day,
    accounts: [],
    mayRetry: mayRetry && day === yesterday,
    mayFetchVouchers,
  });
}

/** Incomplete is a failure of the job; breaks are data, unless the caller wants to hear of them. */
export function outcomeOf({ result, isNew }: RangeOutcome, options: { failOnBreaks?: boolean }): Outcome {
  const { verdict } = result.run;
  const hasBreaks = result.breaks.some((found) => found.severity === 'break');
  const status = verdict === 'incomplete' ? 1 : hasBreaks && options.failOnBreaks === true ? 3 : 0;
  return { status, document: result, text: resultText(result, isNew) };
}
